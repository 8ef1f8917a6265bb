"""The writes of the store inside a transaction, except ``add``."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal
from uuid import UUID

import psycopg

from recollect.errors import InvalidInputError
from recollect.protocols import Entry
from recollect.stores.histories import bare_rows
from recollect.stores.postgres.index import index, unindex
from recollect.stores.postgres.ledger import PostgresLedger
from recollect.stores.postgres.rows import COLUMNS, SELECT, to_values
from recollect.stores.postgres.sql import fetch, run_many, tenant_of
from recollect.stores.postgres.where import condition
from recollect.stores.sql.rows import from_row
from recollect.types import MemoryRecord, Scope
from recollect.types.filters import Filter, by_ids

_UPDATE: Final = (
    f"UPDATE memories SET {', '.join(f'{column} = %s' for column in COLUMNS)} WHERE tenant = %s AND key = %s"
)


def strip_histories(db: psycopg.Connection, tenant: UUID, scope: Scope, where: Filter) -> None:
    """Remove the words that live memories had before."""
    conditions, values = condition(scope, where)
    sql = (
        "SELECT c.version, c.before, c.after FROM changes AS c JOIN memories AS m "
        f"ON m.tenant = c.tenant AND m.key = c.key WHERE {conditions} AND c.tenant = %s "
        "AND c.before IS NOT NULL"
    )
    fresh = bare_rows(fetch(db, sql, [*values, tenant]))
    update = "UPDATE changes SET before = %s, after = %s WHERE version = %s AND tenant = %s"
    run_many(db, update, [(*row, tenant) for row in fresh])


def kept(before: MemoryRecord, entry: Entry) -> Entry:
    """The entry with the turn it had."""
    if entry.record.id != before.id or entry.record.scope != before.scope:
        raise InvalidInputError("an update cannot move a memory to another id or scope")
    origin = replace(entry.record.origin, turn=before.origin.turn)
    return replace(entry, record=replace(entry.record, origin=origin))


def replace_record(db: psycopg.Connection, ledger: PostgresLedger, key: int, entry: Entry) -> int:
    """Replace a record; return how many more words are indexed now."""
    values = to_values(entry.record, turn=entry.record.origin.turn, outline=entry.outline)
    try:
        run_many(db, _UPDATE, [(*values, ledger.tenant, key)])
    except psycopg.errors.UniqueViolation as error:
        raise InvalidInputError("an update cannot take the idempotency key of another memory") from error
    if entry.features is None:
        return 0
    db.execute("DELETE FROM staged WHERE tenant = %s AND key = %s", (ledger.tenant, key))
    old = unindex(db, ledger.tenant, [key])
    ledger.count_out([key])
    new = index(db, ledger.tenant, [(key, entry.features)])
    ledger.count_in([(entry.features.terms, entry.features.vector)])
    return new - old


def revive(db: psycopg.Connection, ledger: PostgresLedger, key: int, entry: Entry) -> int:
    """Restore a deleted record; return how many of its words are indexed now."""
    assert entry.features is not None  # noqa: S101 - check_recovered looked
    values = to_values(entry.record, turn=entry.record.origin.turn, outline=entry.outline)
    try:
        run_many(db, _UPDATE, [(*values, ledger.tenant, key)])
        db.execute(
            "UPDATE memories SET deleted_at = NULL WHERE tenant = %s AND key = %s", (ledger.tenant, key)
        )
        db.execute("DELETE FROM staged WHERE tenant = %s AND key = %s", (ledger.tenant, key))
    except psycopg.errors.UniqueViolation as error:
        raise InvalidInputError("another memory has its idempotency key now") from error
    words = index(db, ledger.tenant, [(key, entry.features)])
    ledger.count_in([(entry.features.terms, entry.features.vector)])
    return words


def read_ids(
    db: psycopg.Connection,
    scope: Scope,
    ids: Sequence[str],
    state: Literal["live", "deleted"] = "live",
) -> list[tuple[int, MemoryRecord]]:
    """The memories with some ids, in their order, each with its key."""
    conditions, values = condition(scope, by_ids(list(dict.fromkeys(ids))), state)
    rows = fetch(db, f"SELECT m.key, {SELECT} FROM memories AS m WHERE {conditions}", values)
    found = {record.id: (key, record) for key, *row in rows for record in [from_row(scope.user_id, row)]}
    return [found[memory_id] for memory_id in dict.fromkeys(ids) if memory_id in found]


def versions_of(db: psycopg.Connection, scope: Scope) -> tuple[int, int]:
    """The version of a user's memories, and the one at which their vectors were last exchanged."""
    sql = "SELECT version, promoted_at FROM tenants WHERE tenant = %s"
    found = fetch(db, sql, (tenant_of(scope.user_id),))
    return (int(found[0][0]), int(found[0][1])) if found else (0, 0)
