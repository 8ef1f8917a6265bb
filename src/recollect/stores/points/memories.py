"""Putting memories into a write, and reading them: by row, and by filter."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from recollect.errors import StoreCorruptError
from recollect.protocols import ShadowRows
from recollect.stores.points.conditions import Condition, necessary, tenant_of, within
from recollect.stores.points.connection import Payload
from recollect.stores.points.journal import Write
from recollect.stores.points.ledger import PointLedger
from recollect.stores.points.points import (
    STORED,
    PointRow,
    StoredPoint,
    memory_point,
    point_id,
    read_columns,
    read_record,
    read_stored_point,
)
from recollect.stores.points.user import User, is_within
from recollect.stores.sql.columns import columns_of
from recollect.types import MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, AllOf, Filter, Test, matches

_CHUNK: Final = 500
"""Memories whose contents are looked at together. Chosen by hand."""


def put_memories(ledger: PointLedger, write: Write, stored: Sequence[StoredPoint]) -> None:
    """Put memories into their collections, which are made when they are missing.

    Raises:
        EmbedderMismatchError: A vector has not the size of its collection.
    """
    for each in stored:
        tenant = tenant_of(each.record.scope.user_id)
        ledger.collections.make(each.row.family, size=len(each.features.vector))
        write.put(ledger.collections.name(each.row.family, tenant), memory_point(each))


def fetch(
    ledger: PointLedger, user: User, rows: Sequence[PointRow], fields: Sequence[str]
) -> dict[int, Payload]:
    """Some fields of a user's memories, by key, in the order of the rows.

    Raises:
        StoreCorruptError: One is missing, or belongs to another user.
    """
    found: dict[int, Payload] = {}
    for family in {row.family for row in rows}:
        ids = [point_id("memory", user.tenant, row.key) for row in rows if row.family == family]
        collection = ledger.collections.name(family, user.tenant)
        for payload in ledger.connection.fetch(collection, ids, ["tenant", "key", *fields]):
            if payload["tenant"] == user.tenant:
                found[payload["key"]] = payload
    if len(found) < len(rows):
        raise StoreCorruptError(f"memories are gone from {ledger.connection.name}; restore a backup")
    return {row.key: found[row.key] for row in rows}


def read_records(ledger: PointLedger, user: User, rows: Sequence[PointRow]) -> dict[int, MemoryRecord]:
    """The records of a user's memories, by key, in the order of the rows."""
    return {key: read_record(found) for key, found in fetch(ledger, user, rows, ["record"]).items()}


def read_stored(ledger: PointLedger, user: User, rows: Sequence[PointRow]) -> list[StoredPoint]:
    """A user's memories with their features, in the order of the rows."""
    found = fetch(ledger, user, rows, STORED)
    return [read_stored_point(row, found[row.key]) for row in rows]


def read_shadow(ledger: PointLedger, user: User, rows: Sequence[PointRow]) -> ShadowRows:
    """The columns of a user's memories, which are given by key."""
    found = fetch(ledger, user, rows, ["profile", "packed", "features"])
    return columns_of(iter([read_columns(row, found[row.key]) for row in rows]))


def select(ledger: PointLedger, user: User, scope: Scope, where: Filter) -> list[PointRow]:
    """The rows of the live memories in a scope that match, by key."""
    rows = candidates(ledger, user, scope, where)
    if is_decided(where):
        return rows
    return [row for row, _ in matching(ledger, user, rows, where)]


def candidates(ledger: PointLedger, user: User, scope: Scope, where: Filter) -> list[PointRow]:
    """Rows of live memories in a scope, by key: all that match, and few others."""
    named = _named_ids(where)
    if named is not None:
        rows = (user.named(memory_id) for memory_id in named)
        return sorted(
            (row for row in rows if row and row.live and is_within(scope, row)), key=lambda row: row.key
        )
    rows_in_scope = list(user.live(scope))
    if not rows_in_scope or not necessary(where):
        return rows_in_scope
    collections = {ledger.collections.name(row.family, user.tenant) for row in rows_in_scope}
    conditions = within(scope, where)
    keys = {key for collection in collections for key in _keys(ledger, collection, conditions)}
    return [row for row in rows_in_scope if row.key in keys]


def is_decided(where: Filter) -> bool:
    """Whether ``candidates`` are exactly those that match."""
    return where == EVERYTHING or (_ids_of(where) is not None)


def matching(
    ledger: PointLedger, user: User, rows: Sequence[PointRow], where: Filter
) -> Iterator[tuple[PointRow, MemoryRecord]]:
    """The rows whose records match, with these, in their order."""
    for start in range(0, len(rows), _CHUNK):
        few = rows[start : start + _CHUNK]
        records = read_records(ledger, user, few)
        yield from ((row, records[row.key]) for row in few if matches(where, records[row.key]))


def _keys(ledger: PointLedger, collection: str, conditions: Sequence[Condition]) -> Iterator[int]:
    found = ledger.connection.walk(collection, conditions, ["key"])
    return (payload["key"] for payload in found)


def _named_ids(where: Filter) -> set[Any] | None:
    """The ids that a filter lets through at most; None when it names none."""
    if isinstance(where, AllOf):
        named = [ids for part in where.parts if (ids := _named_ids(part)) is not None]
        return set.intersection(*named) if named else None
    return _ids_of(where)


def _ids_of(where: Filter) -> set[Any] | None:
    """The ids that a filter lets through, if it names nothing else."""
    if isinstance(where, Test) and where.key == "id" and not where.in_metadata:
        if where.operator == "in" and isinstance(where.value, tuple):
            return set(where.value)
        if where.operator == "eq":
            return {where.value}
    return None
