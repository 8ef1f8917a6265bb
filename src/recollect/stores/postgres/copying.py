"""Memories as they are, out of a database and into one: with turn, times, features, history and links."""

from collections.abc import Sequence
from typing import Any, Final

import psycopg

from recollect.errors import InvalidInputError
from recollect.protocols import Clock, Copied
from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.index import index
from recollect.stores.postgres.ledger import LedgerEntry as LogEntry
from recollect.stores.postgres.ledger import PostgresLedger
from recollect.stores.postgres.queue import waiting_jobs
from recollect.stores.postgres.rows import SELECT, to_values
from recollect.stores.postgres.sql import fetch, fetch_value, run_many, setting, tenant_of
from recollect.stores.postgres.where import condition, scope_sql
from recollect.stores.postgres.writing import INSERT, NEW_KEYS
from recollect.stores.sql.copies import CopyRows, change_row, check_copies
from recollect.types import Change, Job, Scope
from recollect.types.filters import EVERYTHING, Filter

_USERS: Final = "SELECT tenant, user_id, live FROM tenants ORDER BY user_id"
_LEARNED: Final = "SELECT DISTINCT tenant FROM states"
_MEMORIES: Final = f"""
SELECT m.key, m.packed, f.vector, f.terms, f.counts, f.traits, {SELECT}
FROM memories AS m LEFT JOIN features AS f ON f.tenant = m.tenant AND f.tenant = %s AND f.key = m.key
WHERE {{scoped}} AND m.key > %s ORDER BY m.key LIMIT %s
"""
_CHANGES: Final = (
    "SELECT key, at, action, before, after, reason FROM changes "
    "WHERE tenant = %s AND key = ANY(%s) ORDER BY key, version"
)
_LINKS: Final = (
    "SELECT l.source, m.id, l.type FROM links AS l "
    "JOIN memories AS m ON m.tenant = l.tenant AND m.key = l.target "
    "WHERE l.tenant = %s AND l.source = ANY(%s) AND {scoped} ORDER BY l.source, m.id, l.type"
)
_STATES: Final = "SELECT name, value FROM states WHERE tenant = %s ORDER BY name"
_KNOWN: Final = "SELECT id FROM memories WHERE tenant = %s AND id = ANY(%s)"


class PostgresCopyTable:
    """The part of the store that exports and imports memories unchanged."""

    def __init__(self, db: PostgresDatabase, *, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def known_users(self) -> list[str]:
        with self._db.read_everyone() as db:
            return Snapshot(db).known_users()

    def dump(self, scope: Scope, *, after: int, limit: int) -> list[Copied]:
        """See ``Copying.dump``. Stems stay behind: they are kept as numbers."""
        with self._db.read(scope) as db:
            return Snapshot(db).dump(scope, after=after, limit=limit)

    def restore(self, scope: Scope, copies: Sequence[Copied]) -> int:
        with self._db.write(scope) as db:
            ledger = PostgresLedger(db, scope, clock=self._clock, create=bool(copies))
            fresh = check_copies(scope, copies, known=_known(db, scope, copies))
            if fresh:
                _insert(db, ledger, fresh)
        return len(fresh)


class Snapshot:
    """A store as one transaction sees it, whatever others write meanwhile; for reading only."""

    def __init__(self, db: psycopg.Connection) -> None:
        self._db = db

    def setting(self, name: str) -> str | None:
        return setting(self._db, name)

    def known_users(self) -> list[str]:
        learned = {tenant for (tenant,) in fetch(self._db, _LEARNED)}
        return [user_id for tenant, user_id, live in fetch(self._db, _USERS) if live or tenant in learned]

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        conditions, values = condition(scope, where)
        return int(fetch_value(self._db, f"SELECT count(*) FROM memories AS m WHERE {conditions}", values))

    def dump(self, scope: Scope, *, after: int, limit: int) -> list[Copied]:
        tenant = tenant_of(scope.user_id)
        scoped, values = scope_sql(scope)
        memories = fetch(self._db, _MEMORIES.format(scoped=scoped), (tenant, *values, after, limit))
        keys = [row[0] for row in memories]
        rows = CopyRows(
            memories=memories,
            changes=fetch(self._db, _CHANGES, (tenant, keys)),
            links=fetch(self._db, _LINKS.format(scoped=scoped), (tenant, keys, *values)),
            embedder=setting(self._db, "embedder") or "",
        )
        return rows.copies(scope)

    def states(self, scope: Scope) -> dict[str, str]:
        return dict(fetch(self._db, _STATES, (tenant_of(scope.user_id),)))

    def jobs(self, *, failed: bool = False) -> list[Job]:
        return waiting_jobs(self._db, failed=failed)


def _insert(db: psycopg.Connection, ledger: PostgresLedger, fresh: Sequence[Copied]) -> None:
    keys = [key for (key,) in fetch(db, NEW_KEYS, (len(fresh),))]
    keyed = list(zip(keys, fresh, strict=True))
    rows = [(ledger.tenant, key, *_values(copied)) for key, copied in keyed]
    try:
        run_many(db, INSERT, rows)
    except psycopg.errors.UniqueViolation as error:
        raise InvalidInputError("a copy cannot take the idempotency key of another memory") from error
    words = index(db, ledger.tenant, [(key, copied.features) for key, copied in keyed])
    ledger.count_in((one.features.terms, one.features.vector) for one in fresh)
    ledger.enter(
        [_entry(key, change) for key, copied in keyed for change in copied.history],
        live=len(fresh),
        words=words,
    )


def _values(copied: Copied) -> tuple[Any, ...]:
    return to_values(copied.record, turn=copied.record.origin.turn, outline=copied.outline)


def _entry(key: int, change: Change) -> LogEntry:
    at, action, before, after, reason = change_row(change)
    return LogEntry(key, action, before, after, reason, at)


def _known(db: psycopg.Connection, scope: Scope, copies: Sequence[Copied]) -> set[str]:
    ids = [copied.record.id for copied in copies]
    return {memory_id for (memory_id,) in fetch(db, _KNOWN, (tenant_of(scope.user_id), ids))}
