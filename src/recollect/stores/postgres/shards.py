"""Whether a database is the coordinator of a Citus cluster, and how a table gets its shards there."""

from typing import Final
from weakref import WeakKeyDictionary

import psycopg

from recollect.stores.postgres.sql import IN_ITS_SCHEMA, fetch, fetch_value

REPORT: Final = b"SET citus.propagate_set_commands = 'local'"
"""Sends every ``SET LOCAL`` on to the servers that a transaction reaches; without it they show no rows."""

_FIRST: Final = "tenants"
"""The table whose shards the others follow: rows of one tenant lie on one server."""
_KNOWN: Final[WeakKeyDictionary[psycopg.Connection, bool]] = WeakKeyDictionary()


def has_citus(db: psycopg.Connection) -> bool:
    """Whether Citus is there."""
    return fetch_value(db, "SELECT 1 FROM pg_extension WHERE extname = 'citus'") is not None


def on_citus(db: psycopg.Connection) -> bool:
    """As ``has_citus``, asked once in the life of a connection."""
    known = _KNOWN.get(db)
    if known is None:
        known = _KNOWN[db] = has_citus(db)
    return known


def distributed_tables(db: psycopg.Connection) -> set[str]:
    """The tables of this schema that have shards, or a copy on every server; empty without Citus."""
    if not has_citus(db):
        return set()
    sql = (
        "SELECT c.relname FROM pg_dist_partition AS p JOIN pg_class AS c ON c.oid = p.logicalrelid "
        f"WHERE c.{IN_ITS_SCHEMA}"
    )
    return {table for (table,) in fetch(db, sql)}


def one_after_another(db: psycopg.Connection) -> None:
    """Let the rest of a transaction reach each server over one connection.

    Citus refuses to change tables, or their shape, that it has reached over several in one transaction. It is
    slower: for work on tables as a whole.
    """
    db.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
    db.execute("SET LOCAL citus.max_adaptive_executor_pool_size = 1")


def spread(db: psycopg.Connection, table: str) -> None:
    """Give a table its shards by tenant, beside those of the other tables.

    Its rows move along. Row-level security is off meanwhile, in this transaction alone: PostgreSQL copies
    nothing into a table that it guards.
    """
    beside = "none" if table == _FIRST else _FIRST
    for statement in (
        f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY",
        f"SELECT create_distributed_table('{table}', 'tenant', colocate_with => '{beside}')",
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
    ):
        db.execute(statement.encode())
