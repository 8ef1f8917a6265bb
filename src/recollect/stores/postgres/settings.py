"""Settings of the store itself, such as its embedder: the one table that belongs to no tenant."""

import psycopg

from recollect.stores.postgres.sql import fetch, fetch_value


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
