"""The reference store: plain dicts under one lock, nothing kept when the process ends.

It is the readable meaning of ``protocols.py``: every other store is compared with it. It is meant
for tests and short-lived agents; every read walks over all memories.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.clock import utc_now
from recollect.codec import changed_fields
from recollect.errors import ClosedError, InvalidInputError, NotFoundError
from recollect.filters import EVERYTHING, Filter, matches
from recollect.protocols import Clock, Copied, Entry, Features, ShadowDelta, ShadowRows, Statistics
from recollect.stores.copies import check_copies
from recollect.stores.makers import check_makers
from recollect.stores.memory_rows import Row, Taken, bm25, columns, copy_of, is_after, short, within
from recollect.stores.recovering import check_recovered
from recollect.stores.statistics import Tally
from recollect.stores.tables import Held, Kept
from recollect.types import Change, ChangeAction, Job, Link, MemoryRecord, Scope

S = TypeVar("S", bound="InMemoryStore")
P = ParamSpec("P")
T = TypeVar("T")


def _write(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """A method that changes what is kept: whole, or not at all."""

    @wraps(method)
    def whole(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._transact(lambda: method(self, *args, **kwargs))

    return whole


class InMemoryStore:
    """Keeps everything in this process: ``Store`` and every optional power but ``Maintenance``.

    Args:
        clock: Dates the change log and the leases of jobs.
    """

    def __init__(self, *, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._lock = RLock()
        self._closed = False
        self._writing = False
        self._kept = Kept()
        self._purged: list[tuple[int, str, int]] = []  # version, user, key

    # Store

    @_write
    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Sequence[Job] = ()) -> list[str]:
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
        for job in jobs:
            self._queue(job)
        return ids

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        """The records with these ids, in their order."""
        with self._held():
            found = {row.record.id: row.record for row in self._live(scope)}
            return [copy_of(found[memory_id]) if memory_id in found else None for memory_id in ids]

    def summaries(self, scope: Scope, ids: Sequence[str]) -> list[str | None]:
        """What memories say in short, in the order of their ids."""
        with self._held():
            found = {row.record.id: short(row.record) for row in self._live(scope)}
            return [found.get(memory_id) for memory_id in ids]

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

    @_write
    def update(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        action: ChangeAction = "update",
        reason: str | None = None,
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
        return [copy_of(after[key]) if key in after else None for key in ids]

    @_write
    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None) -> int:
        """Delete what matches, softly."""
        doomed = [row for row in self._live(scope) if matches(where, row.record)]
        for row in doomed:
            self._enter(replace(row, deleted=True), "delete", reason=reason)
        return len(doomed)

    @_write
    def purge(self, scope: Scope) -> int:
        """Remove what is deleted in the scope, with its history, links and features."""
        rows, links, states = self._kept.memories, self._kept.links, self._kept.states
        doomed = {row.key for row in self._dead(scope)}
        for key in doomed:
            rows.drop(key)
        for link in [link for link in links if not doomed.isdisjoint(link[:2])]:
            links.drop(link)
        for place in [place for place in self._kept.staged if place[1] in doomed]:
            self._kept.staged.drop(place)
        if scope == Scope(user_id=scope.user_id) and not any(self._live(scope)):
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

    @_write
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

    # LinkStore

    @_write
    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        """Add links between memories of the scope."""
        keys = {row.record.id: row.key for row in self._live(scope)}
        for end in (end for link in links for end in (link.source_id, link.target_id)):
            if end not in keys:
                raise NotFoundError(f"no memory {end!r} in this scope; nothing was linked")
        for link in links:
            self._kept.links.put((keys[link.source_id], keys[link.target_id], link.type), True)

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        """The links from and to a memory whose ends are both in the scope."""
        with self._held():
            ids = {row.key: row.record.id for row in self._live(scope)}
            ends = [
                (ids[source], ids[target], kind)
                for source, target, kind in self._kept.links
                if source in ids and target in ids
            ]
            return [
                Link(source_id=source, target_id=target, type=kind)
                for source, target, kind in sorted(ends)
                if memory_id in (source, target)
            ]

    # Recovery

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        """Deleted memories that match, by id; the last ones."""
        with self._held():
            dead = [row.record for row in self._dead(scope) if matches(where, row.record)]
            found = sorted(dead, key=lambda record: record.id)
            return [copy_of(record) for record in found[-limit if limit else 0 :]]

    @_write
    def recover(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        reason: str | None = None,
    ) -> list[MemoryRecord | None]:
        """Bring deleted memories back."""
        named = set(ids)
        wanted = {row.record.id: row for row in self._dead(scope) if row.record.id in named}
        changed = {
            key: check_recovered(row.record, change(copy_of(row.record))) for key, row in wanted.items()
        }
        live = (row.record for row in self._all_live())
        _check_keys([*live, *(entry.record for entry in changed.values())], "what comes back")
        self._check_makers(entry.features for entry in changed.values())
        back = {
            key: self._replace(replace(wanted[key], deleted=False), entry, "recover", reason)
            for key, entry in changed.items()
        }
        return [copy_of(back[key]) if key in back else None for key in ids]

    # JobStore

    @_write
    def claim_jobs(self, *, limit: int, lease_s: float) -> list[Job]:
        """Take up to ``limit`` free jobs, oldest first."""
        now, jobs = self._clock(), self._kept.jobs
        free = [held.job for held in jobs.values() if held.free_from and held.free_from <= now][:limit]
        claimed = [replace(job, attempts=job.attempts + 1) for job in free]
        for job in claimed:
            jobs.put(job.id, Held(job=job, free_from=now + timedelta(seconds=lease_s)))
        return claimed

    @_write
    def finish_job(self, job_id: int) -> None:
        """Remove a job; one that is gone already stays gone."""
        self._kept.jobs.drop(job_id)

    @_write
    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        """Free a job for later, or give it up; one that is gone already stays gone."""
        if held := self._kept.jobs.get(job_id):
            later = None if retry_in_s is None else self._clock() + timedelta(seconds=retry_in_s)
            self._kept.jobs.put(job_id, Held(job=replace(held.job, error=error), free_from=later))

    def jobs(self, *, failed: bool = False) -> list[Job]:
        """The jobs waiting or held, oldest first; with ``failed`` those given up."""
        with self._held():
            return [held.job for held in self._kept.jobs.values() if (held.free_from is None) == failed]

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        """How many jobs there are of these, of one user or of all."""
        with self._held():
            return sum(
                (held.free_from is None) == failed and user_id in (None, held.job.scope.user_id)
                for held in self._kept.jobs.values()
            )

    # StateStore

    def state(self, scope: Scope, name: str) -> str | None:
        """What is kept under a name."""
        return self.states(scope).get(name)

    def states(self, scope: Scope) -> dict[str, str]:
        """Everything kept for the user, in the order of the names."""
        with self._held():
            return {
                name: self._kept.states[user, name]
                for user, name in sorted(self._kept.states)
                if user == scope.user_id
            }

    @_write
    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        """Replace what is kept under a name; None removes it."""
        states, place = self._kept.states, (scope.user_id, name)
        value = change(states.get(place))
        if value is None:
            states.drop(place)
        else:
            states.put(place, value)

    # TextSearch

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """Keys of the best matches by BM25 over the scope, best first; of equals the older first."""
        with self._held():
            live = list(self._live(scope))
            scores = bm25({row.key: Counter(row.features.stems.split()) for row in live}, set(stems))
            chosen = {row.key for row in live if matches(where, row.record)}
            best = sorted(scores.keys() & chosen, key=lambda key: (-scores[key], key))
            return np.array(best[:limit], dtype=np.int64)

    def shadow_of(self, scope: Scope, keys: NDArray[np.int64], *, around: int) -> ShadowRows:
        """The columns of these memories and of those at most ``around`` turns away in their threads."""
        with self._held():
            live = list(self._live(scope))
            wanted = set(keys.tolist())
            chosen = [row.record.origin for row in live if row.key in wanted]
            near = {
                (origin.thread, origin.turn + step)
                for origin in chosen
                for step in range(-around, around + 1)
                if origin.thread
            }
            return columns([row for row in live if row.key in wanted or _place_of(row.record) in near])

    # VectorMaintenance

    def unstaged(self, name: str, *, limit: int) -> list[tuple[int, str]]:
        """Keys and contents without a staged vector, oldest first."""
        with self._held():
            missing = [row for row in self._all_live() if (name, row.key) not in self._kept.staged]
            return [(row.key, row.record.content) for row in missing[:limit]]

    @_write
    def stage_vectors(self, name: str, vectors: Sequence[tuple[int, bytes]]) -> None:
        """Keep new vectors aside; those of memories deleted meanwhile are ignored."""
        staged, live = self._kept.staged, {row.key for row in self._all_live()}
        sizes = {len(vector) for _, vector in vectors}
        for other in [place for place, old in staged.items() if place[0] != name or sizes - {len(old)}]:
            staged.drop(other)
        for key, vector in vectors:
            if key in live:
                staged.put((name, key), vector)

    @_write
    def promote_vectors(self, name: str, *, dim: int) -> bool:
        """Make the staged vectors the store's own when all are there."""
        staged, live = self._kept.staged, list(self._all_live())
        if any(len(staged.get((name, row.key), b"")) != dim for row in live):
            return False
        for row in live:
            features = replace(row.features, vector=staged[name, row.key])
            self._kept.memories.put(row.key, replace(row, features=features))
        for place in list(staged):
            staged.drop(place)
        self._kept.settings.put("embedder", name)
        self._kept.settings.put("dimensions", str(dim))
        self._kept.numbers.put("promoted", self._kept.next("version"))
        return True

    def vector_progress(self, name: str) -> tuple[int, int]:
        """How many vectors are staged for ``name``, and how many are needed."""
        with self._held():
            live = list(self._all_live())
            return sum((name, row.key) in self._kept.staged for row in live), len(live)

    # Copying

    def known_users(self) -> list[str]:
        """Every user of whom a memory lives or something learned is kept, sorted."""
        with self._held():
            return sorted({*self.user_ids(), *(user for user, _ in self._kept.states)})

    def dump(self, scope: Scope, *, after: int, limit: int) -> list[Copied]:
        """The live memories of the scope in the order of their keys."""
        with self._held():
            ids = {row.key: row.record.id for row in self._live(scope)}
            chosen = [row for row in self._live(scope) if row.key > after][:limit]
            maker = self._kept.settings.get("embedder", "")
            return [
                Copied(
                    key=row.key,
                    record=copy_of(row.record),
                    features=replace(row.features, embedder=maker),
                    history=row.history,
                    links=tuple(self._links_from(row.key, ids)),
                    outline=row.outline,
                )
                for row in chosen
            ]

    def _links_from(self, key: int, ids: dict[int, str]) -> Iterator[Link]:
        ends = sorted(
            (ids[target], kind)
            for source, target, kind in self._kept.links
            if source == key and target in ids
        )
        return (Link(source_id=ids[key], target_id=target, type=kind) for target, kind in ends)

    @_write
    def restore(self, scope: Scope, copies: Sequence[Copied]) -> int:
        """Store memories as they are; what is there by its id is passed over."""
        rows = self._kept.memories
        mine = [row for row in rows.values() if row.record.scope.user_id == scope.user_id]
        fresh = check_copies(scope, copies, known={row.record.id for row in mine})
        live = [row.record for row in mine if not row.deleted]
        _check_keys([*live, *(copied.record for copied in fresh)], "a copy")
        self._check_makers(copied.features for copied in fresh)
        for copied in fresh:
            self._kept.numbers.put("version", self._version() + len(copied.history))
            row = Row(
                key=self._kept.next("key"),
                record=copy_of(copied.record),
                features=copied.features,
                outline=copied.outline,
                version=self._version(),
                history=copied.history,
            )
            rows.put(row.key, row)
        return len(fresh)

    # What the methods above are made of

    @contextmanager
    def _held(self) -> Iterator[None]:
        """While it reads."""
        with self._lock:
            self._check_open()
            if not self._writing:
                self._kept.undo()  # what an interrupt left behind
            yield

    def _transact(self, step: Callable[[], T]) -> T:
        """Do a write: what it changed is undone when it raises. A write inside another is part of it."""
        with self._lock:
            self._check_open()
            if self._writing:
                return step()
            self._writing = True
            try:
                self._kept.undo()  # what an interrupt left behind
                result = step()
                self._commit()
            except BaseException:
                self._kept.undo()
                raise
            finally:
                self._writing = False
            self._settle()
            return result

    def _commit(self) -> None:
        """What a durable store does before a write is acknowledged; when it raises, nothing happened."""

    def _settle(self) -> None:
        """Keep what a write changed, and for the shadows in this process which memories were purged."""
        rows = self._kept.memories
        self._purged += [
            (old.version if old.deleted else self._version(), old.record.scope.user_id, key)
            for key, old in rows.before.items()
            if old is not None and key not in rows
        ]
        self._kept.settle()

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("the store was closed; open a new one")

    def _version(self) -> int:
        """How many entries the change log has had."""
        return self._kept.numbers.get("version", 0)

    def _removed(self) -> Iterator[tuple[int, str, int]]:
        """Version, user and key of every memory that was deleted."""
        deleted = (row for row in self._kept.memories.values() if row.deleted)
        yield from ((row.version, row.record.scope.user_id, row.key) for row in deleted)
        yield from self._purged

    def _all_live(self) -> Iterator[Row]:
        return (row for row in self._kept.memories.values() if not row.deleted)

    def _live(self, scope: Scope) -> Iterator[Row]:
        return (row for row in self._all_live() if within(scope, row.record))

    def _dead(self, scope: Scope) -> Iterator[Row]:
        return (row for row in self._kept.memories.values() if row.deleted and within(scope, row.record))

    def _insert(self, record: MemoryRecord, features: Features, outline: bytes) -> None:
        row = Row(key=self._kept.next("key"), record=record, features=features, outline=outline)
        self._enter(row, "add")

    def _check_makers(self, features: Iterable[Features | None]) -> None:
        embedder, dimensions = (self._kept.settings.get(name) for name in ("embedder", "dimensions"))
        check_makers(features, embedder=embedder, dimensions=dimensions)

    def _check_changes(self, wanted: dict[str, Row], changed: dict[str, Entry]) -> None:
        after = {row.key: row.record for row in self._all_live()}
        for memory_id, entry in changed.items():
            row = wanted[memory_id]
            if (entry.record.id, entry.record.scope) != (memory_id, row.record.scope):
                raise InvalidInputError(f"an update cannot give the memory {memory_id!r} another id or scope")
            after[row.key] = entry.record
        _check_keys(after.values(), "an update")

    def _replace(self, row: Row, entry: Entry, action: ChangeAction, reason: str | None) -> MemoryRecord:
        origin = replace(entry.record.origin, turn=row.record.origin.turn)
        record = copy_of(replace(entry.record, origin=origin))
        features = row.features if entry.features is None else entry.features
        after = replace(row, record=record, features=features, outline=entry.outline)
        if entry.features is not None:
            for place in [place for place in self._kept.staged if place[1] == row.key]:
                self._kept.staged.drop(place)
        self._enter(after, action, before=row.record, reason=reason)
        return record

    def _enter(
        self,
        row: Row,
        action: ChangeAction,
        *,
        before: MemoryRecord | None = None,
        reason: str | None = None,
    ) -> None:
        """Put a row, and the change that made it into the change log."""
        old, new = changed_fields(before, row.record) if before else ({}, {})
        change = Change(
            at=self._clock(), action=action, memory_id=row.record.id, before=old, after=new, reason=reason
        )
        version = self._kept.next("version")
        self._kept.memories.put(row.key, replace(row, version=version, history=(*row.history, change)))

    def _queue(self, job: Job) -> None:
        number = self._kept.next("job")
        self._kept.jobs.put(number, Held(job=replace(job, id=number), free_from=self._clock()))


def _check_keys(records: Iterable[MemoryRecord], what: str) -> None:
    keys = [key for record in records if (key := _idempotency(record))]
    if len(keys) != len(set(keys)):
        raise InvalidInputError(f"{what} cannot take the idempotency key of another memory")


def _idempotency(record: MemoryRecord) -> tuple[str, str] | None:
    return None if record.idempotency_key is None else (record.scope.user_id, record.idempotency_key)


def _place_of(record: MemoryRecord) -> tuple[str, int]:
    return record.origin.thread, record.origin.turn


def _keys(keys: Iterable[int]) -> NDArray[np.int64]:
    return np.array(sorted(keys), dtype=np.int64)
