"""Finds the places of entries that are added: keys, turns, and whether they are there already."""

from collections.abc import Sequence
from dataclasses import replace

from recollect.errors import InvalidInputError
from recollect.protocols import Entry
from recollect.stores.points.ledger import Head
from recollect.stores.points.points import StoredPoint, row_of
from recollect.stores.points.user import User
from recollect.stores.reference.rows import copy_of, within
from recollect.types import Scope


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
        numbered = copy_of(
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
