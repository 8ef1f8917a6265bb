"""The reference store: plain dicts under one lock, nothing kept when the process ends.

It is the readable meaning of ``recollect.protocols``: every other store is compared with it. It is meant
for tests and short-lived agents; every read walks over all memories. Its other parts are in ``parts.py``, and
how a write is whole in ``locked.py``.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import (
    Clock,
    Copying,
    Entry,
    Jobs,
    ShadowDelta,
    Statistics,
    Store,
    TextSearch,
    VectorMaintenance,
    jobs_of,
)
from recollect.protocols.delegation import of_part
from recollect.stores.checks import check_recovered
from recollect.stores.histories import without_texts
from recollect.stores.reference.locked import LockedTables, check_keys, write
from recollect.stores.reference.parts import CopyTable, JobTable, LinkTable, TextIndex, VectorTable
from recollect.stores.reference.rows import Taken, columns, copy_of, is_after, within
from recollect.stores.sql.statistics import Tally
from recollect.types import Change, ChangeAction, MemoryRecord, Scope
from recollect.types.clock import utc_now
from recollect.types.filters import EVERYTHING, Filter, matches


class InMemoryStore(Store):
    """Keeps everything in this process: ``Store`` and every optional power but ``Maintenance``.

    Args:
        clock: Dates the change log and the leases of jobs.
    """

    def __init__(self, *, clock: Clock = utc_now) -> None:
        self._build(LockedTables(clock=clock))

    def _build(self, tables: LockedTables) -> None:
        """Make the parts of the store over its tables."""
        self._tables = tables
        self._link_table = LinkTable(tables)
        self._job_table = JobTable(tables)
        self._texts = TextIndex(tables)
        self._vectors = VectorTable(tables)
        self._copies = CopyTable(tables)

    @write
    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Jobs = ()) -> list[str]:
        """Store entries and queue jobs.

        Raises:
            InvalidInputError: An id is already used, a record lies outside the scope, or an entry
                has no features; nothing was stored.
        """
        taken = Taken(self._tables.kept.memories.values(), entries)
        ids = [taken.place(scope, entry) for entry in entries]
        self._tables.check_makers(features for _, features, _ in taken.fresh)
        for record, features, outline in taken.fresh:
            self._tables.insert(record, features, outline)
        self._tables.queue(jobs_of(jobs, ids))
        return ids

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        with self._tables.held():
            wanted = frozenset(ids)
            rows = (row for row in self._tables.all_live() if row.record.id in wanted)
            found = {row.record.id: row.record for row in rows if within(scope, row.record)}
            return [copy_of(found[memory_id]) if memory_id in found else None for memory_id in ids]

    def find(
        self,
        scope: Scope,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[MemoryRecord]:
        with self._tables.held():
            found = [row.record for row in self._tables.live(scope) if matches(where, row.record)]
            found.sort(key=lambda record: record.id, reverse=newest_first)
            rest = [
                one for one in found if after is None or is_after(one.id, after, newest_first=newest_first)
            ]
            return [copy_of(record) for record in rest[:limit]]

    def match(self, scope: Scope, where: Filter) -> NDArray[np.int64]:
        with self._tables.held():
            return _keys(row.key for row in self._tables.live(scope) if matches(where, row.record))

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
        wanted = {row.record.id: row for row in self._tables.live(scope) if row.record.id in named}
        changed = {key: change(copy_of(wanted[key].record)) for key in ids if key in wanted}
        self._tables.check_changes(wanted, changed)
        self._tables.check_makers(entry.features for entry in changed.values())
        after = {
            key: self._tables.replace(wanted[key], entry, action, reason) for key, entry in changed.items()
        }
        self._tables.queue(jobs_of(jobs, list(after)))
        return [copy_of(after[key]) if key in after else None for key in ids]

    @write
    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None, jobs: Jobs = ()) -> int:
        doomed = [row for row in self._tables.live(scope) if matches(where, row.record)]
        for row in doomed:
            self._tables.enter(replace(row, deleted=True), "delete", reason=reason)
        self._tables.queue(jobs_of(jobs, [row.record.id for row in doomed]))
        return len(doomed)

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        with self._tables.held():
            dead = [row.record for row in self._tables.dead(scope) if matches(where, row.record)]
            found = sorted(dead, key=lambda record: record.id)
            return [copy_of(record) for record in found[-limit if limit else 0 :]]

    @write
    def recover(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        reason: str | None = None,
        jobs: Jobs = (),
    ) -> list[MemoryRecord | None]:
        named = set(ids)
        wanted = {row.record.id: row for row in self._tables.dead(scope) if row.record.id in named}
        changed = {
            key: check_recovered(row.record, change(copy_of(row.record))) for key, row in wanted.items()
        }
        live = (row.record for row in self._tables.all_live())
        check_keys([*live, *(entry.record for entry in changed.values())], "what comes back")
        self._tables.check_makers(entry.features for entry in changed.values())
        back = {
            key: self._tables.replace(replace(wanted[key], deleted=False), entry, "recover", reason)
            for key, entry in changed.items()
        }
        self._tables.queue(jobs_of(jobs, list(back)))
        return [copy_of(back[key]) if key in back else None for key in ids]

    @write
    def purge(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        rows, links, states = self._tables.kept.memories, self._tables.kept.links, self._tables.kept.states
        doomed = {row.key for row in self._tables.dead(scope) if matches(where, row.record)}
        for key in doomed:
            rows.drop(key)
        for link in [link for link in links if not doomed.isdisjoint(link[:2])]:
            links.drop(link)
        for place in [place for place in self._tables.kept.staged if place[1] in doomed]:
            self._tables.kept.staged.drop(place)
        for row in [row for row in self._tables.live(scope) if matches(where, row.record)]:
            if (bare := without_texts(row.history)) != row.history:
                rows.put(row.key, replace(row, history=bare))
        whole = scope == Scope(user_id=scope.user_id) and where == EVERYTHING
        if whole and not any(self._tables.live(scope)):
            for name in [name for name in states if name[0] == scope.user_id]:
                states.drop(name)
        return len(doomed)

    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        with self._tables.held():
            rows = [row for row in self._tables.kept.memories.values() if row.record.id == memory_id]
            return [change for row in rows if within(scope, row.record) for change in row.history]

    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        with self._tables.held():
            reset = self._tables.kept.numbers.get("promoted", 0) > since
            live = self._tables.live(Scope(user_id=scope.user_id))
            return ShadowDelta(
                version=self._tables.version(),
                rows=columns([row for row in live if reset or row.version > since]),
                removed=_keys(
                    key
                    for version, user, key in self._tables.removed()
                    if version > since and user == scope.user_id
                ),
                reset=reset,
            )

    def shadow_version(self, scope: Scope) -> int:  # noqa: ARG002 (one counter serves all users)
        with self._tables.held():
            return self._tables.version()

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        return len(self.match(scope, where))

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        with self._tables.held():
            live = self._tables.live(Scope(user_id=scope.user_id))
            tally = Tally.of((row.features.terms, row.features.vector) for row in live)
            counts = dict(tally.items())
            frequencies = {term: counts[term] for term in terms if term in counts}
            return Statistics(documents=tally.documents, frequencies=frequencies, vector_sum=tally.vector_sum)

    def user_ids(self) -> list[str]:
        with self._tables.held():
            return sorted({row.record.scope.user_id for row in self._tables.all_live()})

    def states(self, scope: Scope) -> dict[str, str]:
        with self._tables.held():
            return {
                name: self._tables.kept.states[user, name]
                for user, name in sorted(self._tables.kept.states)
                if user == scope.user_id
            }

    @write
    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        states, place = self._tables.kept.states, (scope.user_id, name)
        value = change(states.get(place))
        if value is None:
            states.drop(place)
        else:
            states.put(place, value)

    def setting(self, name: str) -> str | None:
        with self._tables.held():
            return self._tables.kept.settings.get(name)

    @write
    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        if not (unless_set and name in self._tables.kept.settings):
            self._tables.kept.settings.put(name, value)

    search_text = of_part("_texts", TextSearch.search_text)
    shadow_of = of_part("_texts", TextSearch.shadow_of)
    unstaged = of_part("_vectors", VectorMaintenance.unstaged)
    stage_vectors = of_part("_vectors", VectorMaintenance.stage_vectors)
    promote_vectors = of_part("_vectors", VectorMaintenance.promote_vectors)
    vector_progress = of_part("_vectors", VectorMaintenance.vector_progress)
    known_users = of_part("_copies", Store.known_users)
    dump = of_part("_copies", Copying.dump)
    restore = of_part("_copies", Copying.restore)

    def __repr__(self) -> str:
        return "InMemoryStore()"

    def close(self) -> None:
        self._tables.close()


def _keys(keys: Iterable[int]) -> NDArray[np.int64]:
    return np.array(sorted(keys), dtype=np.int64)
