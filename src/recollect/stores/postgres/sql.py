"""Running SQL, the tenant of a transaction, and settings: the one table that belongs to no tenant."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import psycopg

from recollect.stores.postgres.pool import Patient

EVERYONE: Final = "SET LOCAL recollect.everyone = 'on'"
"""Lets the rest of a transaction reach every user's rows."""
_ITS_SCHEMA: Final = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
IN_ITS_SCHEMA: Final = f"relnamespace = {_ITS_SCHEMA}"
"""Whether a row of ``pg_class`` is of the store's schema, the first of the search path: another store may be
in one behind it."""
OWN_LOCK: Final = f"(%s::bigint << 32) + coalesce({_ITS_SCHEMA}::bigint, 0)"
"""The number by which a store takes an advisory lock, from one of 31 bits: these locks are the database's,
and another store may be in another schema of it."""

Row = tuple[Any, ...]
"""A row as psycopg gives it; each query knows its own columns."""
Values = Sequence[Any] | Mapping[str, Any]
"""What is bound to the placeholders of a query, by place or by name."""


def tenant_of(user_id: str) -> UUID:
    """The key of a user's rows: half of the SHA-256 of the id.

    It needs no look-up and no quoting, and finding another id with the same key takes 2**128 trials.

    >>> tenant_of("ada")
    UUID('fdee430d-40bd-57de-eac1-86cd9790033d')
    """
    return UUID(bytes=sha256(user_id.encode()).digest()[:16])


def ask(db: psycopg.Connection, sql: str, values: Values = ()) -> psycopg.Cursor[Row]:
    """A query whose rows are fetched later: in a pipeline, together with those of others."""
    return db.execute(sql.encode(), values)


def fetch(db: psycopg.Connection, sql: str, values: Values = ()) -> list[Row]:
    """All rows of a query."""
    return ask(db, sql, values).fetchall()


def fetch_value(db: psycopg.Connection, sql: str, values: Values = ()) -> Any:
    """The first column of a query's first row; None when there is no row."""
    row = ask(db, sql, values).fetchone()
    return None if row is None else row[0]


def run_many(db: psycopg.Connection, sql: str, rows: Sequence[Sequence[Any]]) -> None:
    """One statement for each row, sent together."""
    if len(rows) == 1:
        db.execute(sql.encode(), rows[0])
    elif rows:
        with db.cursor() as cursor:
            cursor.executemany(sql.encode(), rows)


def tenants(db: psycopg.Connection) -> list[UUID]:
    """Every tenant, in a transaction that sees everyone."""
    return [tenant for (tenant,) in fetch(db, "SELECT tenant FROM tenants ORDER BY tenant")]


def take_time(db: psycopg.Connection) -> None:
    """Remove the statement time-out for the rest of the transaction, for work on all users."""
    db.execute("SET LOCAL statement_timeout = 0")
    if isinstance(db, Patient):
        db.patience_s = None


def see_everyone(db: psycopg.Connection) -> None:
    """Let the rest of the transaction reach every user's rows."""
    db.execute(EVERYONE)


def setting(db: psycopg.Connection, name: str) -> str | None:
    """A fact, or None."""
    value: str | None = fetch_value(db, "SELECT value FROM settings WHERE name = %s", (name,))
    return value


def settings(db: psycopg.Connection, *names: str) -> dict[str, str]:
    """Some facts by name; those that are not set are left out."""
    return dict(fetch(db, "SELECT name, value FROM settings WHERE name = ANY(%s)", (list(names),)))


def put_setting(db: psycopg.Connection, name: str, value: str, *, unless_set: bool = False) -> None:
    """Set a fact; with ``unless_set`` only when it is not there yet."""
    clash = b"NOTHING" if unless_set else b"UPDATE SET value = excluded.value"
    db.execute(
        b"INSERT INTO settings (name, value) VALUES (%s, %s) ON CONFLICT (name) DO " + clash,
        (name, value),
    )


def drop_setting(db: psycopg.Connection, name: str) -> None:
    """Forget a fact."""
    db.execute("DELETE FROM settings WHERE name = %s", (name,))
