"""The reference store: plain dicts under one lock, nothing kept when the process ends.

It is the readable meaning of ``recollect.protocols``: every other store is compared with it. It is meant
for tests and short-lived agents; every read walks over all memories. What only some stores can do is in
``memory_powers.py``, and how a write is whole in ``memory_inside.py``.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Entry, Jobs, ShadowDelta, Statistics, Store, jobs_of
from recollect.stores.histories import without_texts
from recollect.stores.reference.inside import write
from recollect.stores.reference.powers import Powers
from recollect.stores.reference.rows import Taken, columns, copy_of, is_after, within
from recollect.stores.sql.statistics import Tally
from recollect.types import Change, ChangeAction, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, Filter, matches


class InMemoryStore(Powers, Store):
    """Keeps everything in this process: ``Store`` and every optional power but ``Maintenance``.

    Args:
        clock: Dates the change log and the leases of jobs.
    """

    @write
    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Jobs = ()) -> list[str]:
        """Store entries and queue jobs.

        Raises:
            InvalidInputError: An id is already used, a record lies outside the scope, or an entry
                has no features; nothing was stored.
        """
        taken = Taken(self._kept.memories.values(), entries)
        ids = [taken.place(scope, entry) for entry in entries]
        self._check_makers(features for _, features, _ in taken.fresh)
        for record, features, outline in taken.fresh:
            self._insert(record, features, outline)
        self._queue(jobs_of(jobs, ids))
        return ids

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        """The records with these ids, in their order."""
        with self._held():
            found = {row.record.id: row.record for row in self._live(scope)}
            return [copy_of(found[memory_id]) if memory_id in found else None for memory_id in ids]

    def summaries(self, scope: Scope, ids: Sequence[str], *, whole_up_to: int = 0) -> list[str | None]:
        """What memories say in short, in the order of their ids."""
        with self._held():
            found = {row.record.id: row.record for row in self._live(scope)}
        named = (found.get(memory_id) for memory_id in ids)
        return [None if record is None else record.brief(whole_up_to=whole_up_to) for record in named]

    def find(
        self,
        scope: Scope,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[MemoryRecord]:
        """Records that match, ordered by id."""
        with self._held():
            found = [row.record for row in self._live(scope) if matches(where, row.record)]
            found.sort(key=lambda record: record.id, reverse=newest_first)
            rest = [
                one for one in found if after is None or is_after(one.id, after, newest_first=newest_first)
            ]
            return [copy_of(record) for record in rest[:limit]]

    def match(self, scope: Scope, where: Filter) -> NDArray[np.int64]:
        """The keys of the memories that match, ascending."""
        with self._held():
            return _keys(row.key for row in self._live(scope) if matches(where, row.record))

    @write
    def update(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        action: ChangeAction = "update",
        reason: str | None = None,
        jobs: Jobs = (),
    ) -> list[MemoryRecord | None]:
        """Replace records by what ``change`` makes of them; an id named twice is changed once.

        The turn stays what ``add`` made it.

        Raises:
            InvalidInputError: ``change`` gave a record another id or scope, or the idempotency key
                of another; nothing was changed.
        """
        named = set(ids)
        wanted = {row.record.id: row for row in self._live(scope) if row.record.id in named}
        changed = {key: change(copy_of(wanted[key].record)) for key in ids if key in wanted}
        self._check_changes(wanted, changed)
        self._check_makers(entry.features for entry in changed.values())
        after = {key: self._replace(wanted[key], entry, action, reason) for key, entry in changed.items()}
        self._queue(jobs_of(jobs, list(after)))
        return [copy_of(after[key]) if key in after else None for key in ids]

    @write
    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None, jobs: Jobs = ()) -> int:
        """Delete what matches, softly."""
        doomed = [row for row in self._live(scope) if matches(where, row.record)]
        for row in doomed:
            self._enter(replace(row, deleted=True), "delete", reason=reason)
        self._queue(jobs_of(jobs, [row.record.id for row in doomed]))
        return len(doomed)

    @write
    def purge(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """Remove what is deleted in the scope, with its history, links and features."""
        rows, links, states = self._kept.memories, self._kept.links, self._kept.states
        doomed = {row.key for row in self._dead(scope) if matches(where, row.record)}
        for key in doomed:
            rows.drop(key)
        for link in [link for link in links if not doomed.isdisjoint(link[:2])]:
            links.drop(link)
        for place in [place for place in self._kept.staged if place[1] in doomed]:
            self._kept.staged.drop(place)
        for row in [row for row in self._live(scope) if matches(where, row.record)]:
            if (bare := without_texts(row.history)) != row.history:
                rows.put(row.key, replace(row, history=bare))
        whole = scope == Scope(user_id=scope.user_id) and where == EVERYTHING
        if whole and not any(self._live(scope)):
            for name in [name for name in states if name[0] == scope.user_id]:
                states.drop(name)
        return len(doomed)

    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        """The changes of one memory, oldest first, also when it is deleted."""
        with self._held():
            rows = [row for row in self._kept.memories.values() if row.record.id == memory_id]
            return [change for row in rows if within(scope, row.record) for change in row.history]

    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        """What changed for the scope's user after version ``since``."""
        with self._held():
            reset = self._kept.numbers.get("promoted", 0) > since
            live = self._live(Scope(user_id=scope.user_id))
            return ShadowDelta(
                version=self._version(),
                rows=columns([row for row in live if reset or row.version > since]),
                removed=_keys(
                    key for version, user, key in self._removed() if version > since and user == scope.user_id
                ),
                reset=reset,
            )

    def shadow_version(self, scope: Scope) -> int:  # noqa: ARG002 (one counter serves all users)
        """How many entries the change log has had."""
        with self._held():
            return self._version()

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """How many memories of the scope match."""
        return len(self.match(scope, where))

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        """What the user's live memories have in common."""
        with self._held():
            live = self._live(Scope(user_id=scope.user_id))
            tally = Tally.of((row.features.terms, row.features.vector) for row in live)
            counts = dict(tally.items())
            frequencies = {term: counts[term] for term in terms if term in counts}
            return Statistics(documents=tally.documents, frequencies=frequencies, vector_sum=tally.vector_sum)

    def user_ids(self) -> list[str]:
        """Every user with at least one memory, sorted."""
        with self._held():
            return sorted({row.record.scope.user_id for row in self._all_live()})

    def setting(self, name: str) -> str | None:
        """A fact about the store itself."""
        with self._held():
            return self._kept.settings.get(name)

    @write
    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        """Set a fact about the store itself."""
        if not (unless_set and name in self._kept.settings):
            self._kept.settings.put(name, value)

    def __repr__(self) -> str:
        return "InMemoryStore()"

    def close(self) -> None:
        """Refuse every later call."""
        with self._lock:
            self._closed = True


def _keys(keys: Iterable[int]) -> NDArray[np.int64]:
    return np.array(sorted(keys), dtype=np.int64)
