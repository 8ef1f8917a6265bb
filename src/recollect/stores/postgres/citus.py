"""Citus: the tables of a store distributed over many servers by tenant.

It is the same store: the URL is the coordinator's, and every query names its tenant or is one that Citus runs
on all shards. The differences are here and in ``connection``.
"""

from collections.abc import Sequence
from contextlib import closing
from typing import Final

import psycopg

from recollect.errors import StoreError
from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.nearest import VECTORS
from recollect.stores.postgres.schema import TENANT_TABLES, migrate, take_turn, version_of
from recollect.stores.postgres.shards import distributed_tables, has_citus, one_after_another, spread
from recollect.stores.postgres.sql import fetch_value, see_everyone, setting

_GLOBAL: Final = ("settings", "recollect_migrations")
"""What belongs to no tenant: small, and copied to every server."""


def distribute(url: str, *, check: bool = False) -> list[str]:
    """Create the tables and distribute them over the servers of a Citus cluster, all or none.

    Existing rows move along, and all other users wait. Another call does what is left. ``url`` is the
    coordinator's; with ``check`` nothing is changed.

    Returns:
        The tables that were distributed now, or would be.

    Raises:
        StoreError: There is no Citus, it has no worker servers, or the server cannot be reached; nothing was
            changed.
        StoreReadOnlyError: The role may not create tables, or does not own them; nothing was changed.
        StoreFormatError: As in ``schema.migrate``.
    """
    database = PostgresDatabase(url, pool_size=1, busy_timeout_s=30, statement_timeout_s=60, prepare=False)
    with closing(database), database.alone() as db:
        _check_citus(db, database.name)
        if check:
            version_of(db, database.name)
            return _missing(db, [*TENANT_TABLES, *_GLOBAL])
        return _distributed(db, database.name)


def _check_citus(db: psycopg.Connection, name: str) -> None:
    if not has_citus(db):
        raise StoreError(
            f"{name} has no Citus: install it on every server of the cluster, run CREATE EXTENSION citus in "
            "this database, and add the servers with citus_add_node; nothing was changed"
        )


def _distributed(db: psycopg.Connection, name: str) -> list[str]:
    with db.transaction():
        one_after_another(db)
        take_turn(db, name)
        migrate(db, name)
        return _spread_all(db)


def _missing(db: psycopg.Connection, tables: Sequence[str]) -> list[str]:
    done = distributed_tables(db)
    return [table for table in tables if table not in done]


def _spread_all(db: psycopg.Connection) -> list[str]:
    see_everyone(db)
    indexed = setting(db, VECTORS) is not None
    missing = _missing(db, [*TENANT_TABLES, *(["vectors"] if indexed else [])])
    filled = any(fetch_value(db, f"SELECT 1 FROM {table} LIMIT 1") for table in missing)
    for table in missing:
        spread(db, table)
    copied = _missing(db, _GLOBAL)
    for table in copied:
        db.execute(f"SELECT create_reference_table('{table}')".encode())
    if filled:
        for table in missing:  # what the coordinator kept: nobody could purge it there
            db.execute(f"SELECT truncate_local_data_after_distributing_table('{table}')".encode())
    return [*missing, *copied]
