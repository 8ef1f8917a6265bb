"""The writes of the store inside a transaction."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal
from uuid import UUID

import psycopg

from recollect.errors import InvalidInputError
from recollect.protocols import Entry, Features
from recollect.stores.histories import bare_rows
from recollect.stores.postgres.index import index, unindex
from recollect.stores.postgres.ledger import LedgerEntry, PostgresLedger
from recollect.stores.postgres.rows import COLUMNS, SELECT, idempotency_of, to_values
from recollect.stores.postgres.sql import ask, fetch, run_many, tenant_of
from recollect.stores.postgres.where import condition
from recollect.stores.reference.rows import within
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


INSERT: Final = (
    f"INSERT INTO memories (tenant, key, {', '.join(COLUMNS)}) VALUES (%s, %s{', %s' * len(COLUMNS)})"
)
"""A tenant, a key, and ``rows.to_values``."""
_KNOWN: Final = (
    "SELECT idempotency_key, id FROM memories "
    "WHERE tenant = %s AND idempotency = ANY(%s) AND (deleted_at IS NULL OR kind <> 'document') "
    "ORDER BY deleted_at IS NULL"
)
_LAST_TURN: Final = (
    "SELECT turn FROM memories WHERE tenant = %s AND thread = %s AND thread <> '' ORDER BY turn DESC LIMIT 1"
)
NEW_KEYS: Final = "SELECT nextval('memory_keys') FROM generate_series(1, %s)"
"""Keys for so many new memories, ascending; the tenant's row is locked before, so that they come in order."""


class PostgresAdder:
    """Adds entries of one user."""

    def __init__(self, db: psycopg.Connection, ledger: PostgresLedger, scope: Scope) -> None:
        self._db = db
        self._ledger = ledger
        self._scope = scope

    def add(self, entries: Sequence[Entry]) -> list[str]:
        """Store what is new; return the id of each entry."""
        for entry in entries:
            self._check(entry)
        known = self._known(entries)
        ids, fresh = [], []
        for entry in entries:
            key = entry.record.idempotency_key
            if key is None or key not in known:
                fresh.append(entry)
            if key is not None:
                known.setdefault(key, entry.record.id)
            ids.append(entry.record.id if key is None else known[key])
        self._insert(fresh)
        return ids

    def _check(self, entry: Entry) -> None:
        if not within(self._scope, entry.record):
            raise InvalidInputError(f"the memory {entry.record.id!r} lies outside the scope it is added to")

    def _known(self, entries: Sequence[Entry]) -> dict[str, str]:
        keys = [key for entry in entries if (key := entry.record.idempotency_key) is not None]
        if not keys:
            return {}
        return dict(fetch(self._db, _KNOWN, (self._ledger.tenant, list(map(idempotency_of, keys)))))

    def _insert(self, fresh: Sequence[Entry]) -> None:
        if not fresh:
            return
        try:
            with self._db.pipeline():
                self._write(fresh)
        except psycopg.errors.UniqueViolation as error:
            raise InvalidInputError("an id given to add is in use already; leave it out") from error

    def _write(self, fresh: Sequence[Entry]) -> None:
        """Send everything; in a pipeline only reads are waited for."""
        keys, turns = self._places(fresh)
        tenant = self._ledger.tenant
        rows = [
            (tenant, key, *to_values(entry.record, turn=turn, outline=entry.outline))
            for key, turn, entry in zip(keys, turns, fresh, strict=True)
        ]
        features = [(key, _required(entry)) for key, entry in zip(keys, fresh, strict=True)]
        run_many(self._db, INSERT, rows)
        words = index(self._db, tenant, features)
        self._ledger.count_in((made.terms, made.vector) for _, made in features)
        self._ledger.enter([LedgerEntry(key, "add") for key in keys], live=len(fresh), words=words)

    def _places(self, fresh: Sequence[Entry]) -> tuple[list[int], list[int]]:
        """The key of each entry, and its place in its thread; 0 outside threads."""
        threads = [entry.record.origin.thread for entry in fresh]
        drawn = ask(self._db, NEW_KEYS, (len(fresh),))
        asked = {
            thread: ask(self._db, _LAST_TURN, (self._ledger.tenant, thread))
            for thread in dict.fromkeys(threads)
            if thread
        }
        last = {thread: turn for thread, held in asked.items() for (turn,) in held}
        turns = []
        for thread in threads:
            last[thread] = last.get(thread, -1) + 1 if thread else 0
            turns.append(last[thread])
        return [key for (key,) in drawn.fetchall()], turns


def _required(entry: Entry) -> Features:
    if entry.features is None:
        raise InvalidInputError("an added entry needs its features")
    return entry.features
