"""The tables of an in-memory store behind one lock, with transactions."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from recollect.errors import ClosedError, InvalidInputError
from recollect.protocols import Clock, Entry, Features
from recollect.protocols.queue import QueueRules
from recollect.stores.checks import check_makers
from recollect.stores.reference.rows import Row, as_stored, within
from recollect.stores.reference.tables import Kept
from recollect.types import Change, ChangeAction, Job, MemoryRecord, Scope
from recollect.types.clock import utc_now
from recollect.types.codec import changed_fields

S = TypeVar("S", bound="OnTables")
P = ParamSpec("P")
T = TypeVar("T")


class OnTables(Protocol):
    """An object that works on these tables."""

    _tables: "LockedTables"


def write(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Make a method a transaction."""

    @wraps(method)
    def whole(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._tables.transact(lambda: method(self, *args, **kwargs))

    return whole


class LockedTables:
    """Tables that one thread at a time reads or writes, in transactions."""

    def __init__(self, *, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._lock = RLock()
        self._closed = False
        self._writing = False
        self.kept = Kept()
        self._purged: list[tuple[int, str, int]] = []  # version, user, key

    @contextmanager
    def held(self) -> Iterator[None]:
        """A context for reads."""
        with self._lock:
            self.check_open()
            if not self._writing:
                self.kept.undo()  # left by an interrupt
            yield

    def transact(self, step: Callable[[], T]) -> T:
        """Run a write; undo it when it raises. A write inside another is part of it."""
        with self._lock:
            self.check_open()
            if self._writing:
                return step()
            self._writing = True
            try:
                self.kept.undo()  # left by an interrupt
                result = step()
                self.commit()
            except BaseException:
                self.kept.undo()
                raise
            finally:
                self._writing = False
            self.settle()
            return result

    def commit(self) -> None:
        """Called before a write returns, for a durable store; when it raises, the write is undone."""

    def settle(self) -> None:
        """Keep what a write changed; remember which memories were purged, for the shadows."""
        rows = self.kept.memories
        self._purged += [
            (old.version if old.deleted else self.version(), old.record.scope.user_id, key)
            for key, old in rows.before.items()
            if old is not None and key not in rows
        ]
        self.kept.settle()

    def check_open(self) -> None:
        """Raise ``ClosedError`` once the store is closed."""
        if self._closed:
            raise ClosedError("the store was closed; open a new one")

    def version(self) -> int:
        """The number of entries that the change log ever had."""
        return self.kept.numbers.get("version", 0)

    def removed(self) -> Iterator[tuple[int, str, int]]:
        """Version, user and key of every memory that was deleted."""
        deleted = (row for row in self.kept.memories.values() if row.deleted)
        yield from ((row.version, row.record.scope.user_id, row.key) for row in deleted)
        yield from self._purged

    def close(self) -> None:
        """Make every later call raise ``ClosedError``."""
        with self._lock:
            self._closed = True

    def all_live(self) -> Iterator[Row]:
        """The live memories of all users."""
        return (row for row in self.kept.memories.values() if not row.deleted)

    def live(self, scope: Scope) -> Iterator[Row]:
        """The live memories of a scope."""
        return (row for row in self.all_live() if within(scope, row.record))

    def dead(self, scope: Scope) -> Iterator[Row]:
        """The deleted memories of a scope."""
        return (row for row in self.kept.memories.values() if row.deleted and within(scope, row.record))

    def insert(self, record: MemoryRecord, features: Features, outline: bytes) -> None:
        """Add a new memory."""
        row = Row(key=self.kept.next("key"), record=record, features=features, outline=outline)
        self.enter(row, "add")

    def check_makers(self, features: Iterable[Features | None]) -> None:
        """Raise ``EmbedderMismatchError`` for vectors that are not by the embedder of the store."""
        embedder, dimensions = (self.kept.settings.get(name) for name in ("embedder", "dimensions"))
        check_makers(features, embedder=embedder, dimensions=dimensions)

    def check_changes(self, wanted: dict[str, Row], changed: dict[str, Entry]) -> None:
        """Raise ``InvalidInputError`` for an update that changes an id or a scope, or takes a key in use."""
        after = {row.key: row.record for row in self.all_live()}
        for memory_id, entry in changed.items():
            row = wanted[memory_id]
            if (entry.record.id, entry.record.scope) != (memory_id, row.record.scope):
                raise InvalidInputError(f"an update cannot give the memory {memory_id!r} another id or scope")
            after[row.key] = entry.record
        check_keys(after.values(), "an update")

    def replace(self, row: Row, entry: Entry, action: ChangeAction, reason: str | None) -> MemoryRecord:
        """Replace the record of a row; it keeps its turn."""
        origin = replace(entry.record.origin, turn=row.record.origin.turn)
        record = as_stored(replace(entry.record, origin=origin))
        features = row.features if entry.features is None else entry.features
        after = replace(row, record=record, features=features, outline=entry.outline)
        if entry.features is not None:
            for place in [place for place in self.kept.staged if place[1] == row.key]:
                self.kept.staged.drop(place)
        self.enter(after, action, before=row.record, reason=reason)
        return record

    def enter(
        self,
        row: Row,
        action: ChangeAction,
        *,
        before: MemoryRecord | None = None,
        reason: str | None = None,
    ) -> None:
        """Store a row, and log the change."""
        old, new = changed_fields(before, row.record) if before else ({}, {})
        change = Change(
            at=self._clock(), action=action, memory_id=row.record.id, before=old, after=new, reason=reason
        )
        version = self.kept.next("version")
        self.kept.memories.put(row.key, replace(row, version=version, history=(*row.history, change)))

    def queue(self, jobs: Sequence[Job]) -> None:
        """Queue jobs."""
        self.rules().queue(jobs, number=lambda: self.kept.next("job"))

    def rules(self) -> QueueRules:
        """The rules of the queue at this moment."""
        return QueueRules(self.kept.jobs, self._clock())


def check_keys(records: Iterable[MemoryRecord], what: str) -> None:
    """Raise ``InvalidInputError`` when two memories of a user have one idempotency key."""
    keys = [key for record in records if (key := _idempotency(record))]
    if len(keys) != len(set(keys)):
        raise InvalidInputError(f"{what} cannot take the idempotency key of another memory")


def _idempotency(record: MemoryRecord) -> tuple[str, str] | None:
    return None if record.idempotency_key is None else (record.scope.user_id, record.idempotency_key)
