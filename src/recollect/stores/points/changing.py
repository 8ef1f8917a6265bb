"""What is added, changed and removed, checked before anything is written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from recollect.errors import InvalidInputError
from recollect.protocols import Entry
from recollect.stores.points.connection import Point
from recollect.stores.points.history import change_ids, change_point, difference
from recollect.stores.points.journal import Write
from recollect.stores.points.ledger import Head, PointLedger
from recollect.stores.points.memories import put_memories
from recollect.stores.points.points import PointRow, StoredPoint, memory_point, point_id, row_of, staged_id
from recollect.stores.points.queue import link_id
from recollect.stores.points.user import User
from recollect.stores.reference.rows import as_stored, copy_of, within
from recollect.stores.sql.rows import dump
from recollect.types import MemoryRecord, Scope


class PointAdder:
    """Places the entries of one ``add``.

    Attributes:
        fresh: What is new, with its key, version and turn.
    """

    def __init__(self, user: User, scope: Scope, head: Head, *, now: int) -> None:
        self.fresh: list[StoredPoint] = []
        self._user = user
        self._scope = scope
        self._head = head
        self._now = now
        self._ids: set[str] = set()
        self._idempotency: dict[str, str] = {}
        self._turns: dict[str, int] = {}

    def place(self, entries: Sequence[Entry]) -> list[str]:
        """For each entry the id under which it stands: the one already there, or its own."""
        return [self._place(entry) for entry in entries]

    def _place(self, entry: Entry) -> str:
        record = entry.record
        if not within(self._scope, record):
            raise InvalidInputError(f"the memory {record.id!r} lies outside the scope it is added to")
        there = self._already(record.idempotency_key)
        if there is not None:
            return there
        if record.id in self._ids or self._user.named(record.id):
            raise InvalidInputError(f"the id {record.id!r} is already used")
        self._join(entry)
        return record.id

    def _already(self, key: str | None) -> str | None:
        if key is None:
            return None
        known = self._user.known(key)
        return known.id if known else self._idempotency.get(key)

    def _join(self, entry: Entry) -> None:
        record, features = entry.record, entry.features
        if features is None:
            raise InvalidInputError(f"the memory {record.id!r} comes without features")
        numbered = as_stored(
            replace(record, origin=replace(record.origin, turn=self._turn(record.origin.thread)))
        )
        place = len(self.fresh) + 1
        row = row_of(
            numbered,
            key=self._head.last_key + place,
            version=self._head.version + place,
            added_at=self._now,
        )
        self.fresh.append(StoredPoint(row=row, record=numbered, features=features, outline=entry.outline))
        self._ids.add(record.id)
        if record.idempotency_key is not None:
            self._idempotency[record.idempotency_key] = record.id

    def _turn(self, thread: str) -> int:
        if not thread:
            return 0
        turn = self._turns.get(thread, self._user.next_turn(thread))
        self._turns[thread] = turn + 1
        return turn


@dataclass(frozen=True, slots=True)
class Changed:
    """A memory before and after; ``rewritten`` when it has new features."""

    before: StoredPoint
    after: StoredPoint
    rewritten: bool


def changed_by(
    change: Callable[[MemoryRecord], Entry], befores: Sequence[StoredPoint]
) -> list[tuple[StoredPoint, Entry]]:
    """The result of a change of memories, which gets copies."""
    return [(before, change(copy_of(before.record))) for before in befores]


def check_changes(user: User, pairs: Sequence[tuple[StoredPoint, Entry]]) -> None:
    """Refuse changes of id, scope, or to the idempotency key of another memory."""
    for before, entry in pairs:
        if (entry.record.id, entry.record.scope) != (before.record.id, before.record.scope):
            raise InvalidInputError(f"an update cannot give the memory {before.row.id!r} another id or scope")
    changing = {before.row.key for before, _ in pairs}
    keys = [key for _, entry in pairs if (key := entry.record.idempotency_key) is not None]
    holders = [holder.key for key in keys if (holder := user.holder(key))]
    if len(keys) != len(set(keys)) or set(holders) - changing:
        raise InvalidInputError("an update cannot take the idempotency key of another memory")


def replacements(pairs: Sequence[tuple[StoredPoint, Entry]], *, version: int) -> list[Changed]:
    """The memories after a change, versioned from ``version`` on; the turn stays what ``add`` made it."""
    return [
        Changed(before, _after(before, entry, version=place), entry.features is not None)
        for place, (before, entry) in enumerate(pairs, version + 1)
    ]


def _after(before: StoredPoint, entry: Entry, *, version: int) -> StoredPoint:
    origin = replace(entry.record.origin, turn=before.record.origin.turn)
    record = as_stored(replace(entry.record, origin=origin))
    return StoredPoint(
        row=_row(before.row, record, version=version),
        record=record,
        features=before.features if entry.features is None else entry.features,
        outline=entry.outline,
    )


def _row(row: PointRow, record: MemoryRecord, *, version: int) -> PointRow:
    return row_of(record, key=row.key, version=version, added_at=row.added_at, changes=row.changes + 1)


def rewriting(
    ledger: PointLedger, user: User, changes: Sequence[Changed], *, at: int, action: str, reason: str | None
) -> Write:
    """The write that replaces changed memories and logs the changes."""
    write, name = Write(), ledger.layout.ledger
    put_memories(ledger, write, [changed.after for changed in changes])
    for changed in changes:
        before, after = changed.before, changed.after
        was, becomes = (ledger.collections.name(each.row.family, user.tenant) for each in (before, after))
        if was != becomes:
            write.drop(was, memory_point(before).id)
        told = difference(before.record, after.record)
        write.put(name, change_point(user.tenant, after.row, at=at, action=action, reason=reason, **told))
        if changed.rewritten and ledger.head.staging:
            write.drop(name, staged_id(after.row.key))
    return write


def buried(doomed: Sequence[StoredPoint], *, version: int) -> list[StoredPoint]:
    """Memories as they are once deleted, versioned from ``version`` on."""
    return [
        replace(
            stored,
            row=replace(stored.row, live=False, version=place, changes=stored.row.changes + 1),
        )
        for place, stored in enumerate(doomed, version + 1)
    ]


def removal(
    ledger: PointLedger, user: User, rows: Sequence[PointRow], states: Sequence[str], *, number: int
) -> Write:
    """The write that removes deleted memories for good, with everything about them.

    Their keys stay known, so that shadows learn of it.
    """
    write, name, tenant = Write(), ledger.layout.ledger, user.tenant
    keys = {row.key for row in rows}
    for row in rows:
        write.drop(ledger.collections.name(row.family, tenant), point_id("memory", tenant, row.key))
        write.drop(name, *change_ids(tenant, row), *([staged_id(row.key)] if ledger.head.staging else []))
    ends = [link for link in user.links if link[0] in keys or link[1] in keys]
    write.drop(name, *(link_id(tenant, link) for link in ends))
    write.drop(name, *(point_id("state", tenant, state) for state in states))
    if rows:
        gone = dump([(row.version, row.key) for row in rows])
        write.put(
            name, Point(point_id("gone", tenant, number), {"type": "gone", "tenant": tenant, "keys": gone})
        )
    return write
