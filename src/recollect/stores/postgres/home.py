"""Where a store is, so that a replica of another one is never read."""

import time
from dataclasses import dataclass
from typing import Final, Self

import psycopg

from recollect.errors import StoreError
from recollect.stores.postgres.sql import IN_ITS_SCHEMA, fetch

REPLICA_WAIT_S: Final = 2.0
"""How long a connection to a replica, or its first answer, is waited for: the primary is there.
Chosen by hand."""
_LOOK_S: Final = 0.05
"""How often a replica is asked whether it has the tables yet. Chosen by hand."""
_TABLES: Final = f"(SELECT oid FROM pg_class WHERE relname = 'recollect_migrations' AND {IN_ITS_SCHEMA})"
WRITTEN: Final = b"""
SELECT pg_wal_lsn_diff(
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END, '0/0'
)::bigint
"""
"""How far the primary's log goes, in bytes, with what is not on disk yet: a commit need not wait for that.
Where it is a standby, how far it has replayed it."""
REPLAYED: Final = (
    "SELECT pg_is_in_recovery(), coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint, "
    f"{_TABLES}"
).encode()
"""Whether a replica is one, how far it has replayed the log, in bytes, and the number of its tables."""
_HOME: Final = f"""
SELECT (SELECT system_identifier FROM pg_control_system()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), {_TABLES}
"""


def position_of(db: psycopg.Connection) -> int:
    """How far the server has written its log, in bytes."""
    row = db.execute(WRITTEN).fetchone()
    assert row is not None  # noqa: S101 - the query gives one row
    return int(row[0])


class ElsewhereError(psycopg.OperationalError):
    """A connection leads to another database than the store's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Where a store is; a streaming replica has the same numbers.

    Attributes:
        tables: The number of one of the store's tables; None where it has none.
        position: How far the log was written when the tables were there, in bytes.
    """

    server: int
    database: int
    tables: int | None
    position: int

    @classmethod
    def of(cls, db: psycopg.Connection) -> Self:
        """Where a connection leads.

        Raises:
            StoreError: The role may not ask which server it is.
        """
        server, database, tables = _place(db)
        return cls(server=server, database=database, tables=tables, position=position_of(db))

    def check(self, db: psycopg.Connection) -> None:
        """Refuse a connection to a replica of something else.

        Raises:
            ElsewhereError: It leads to another server, no copy of the store's, or to another database.
        """
        server, database, _ = _place(db)
        if server != self.server:
            raise ElsewhereError("it is not a streaming replica of the store's server")
        if database != self.database:
            raise ElsewhereError("it is another database")

    def check_tables(self, db: psycopg.Connection) -> None:
        """Refuse a connection to a replica that shows other tables; one that has none yet is given a moment.

        Raises:
            ElsewhereError: The tables are not in the schema that it leads to.
        """
        end = time.monotonic() + REPLICA_WAIT_S
        while True:
            ((follows, replayed, tables),) = fetch(db, REPLAYED.decode())
            if tables == self.tables:
                return
            if not follows or replayed >= self.position:
                raise ElsewhereError("it is another schema")
            if time.monotonic() > end:
                return
            time.sleep(_LOOK_S)


def _place(db: psycopg.Connection) -> tuple[int, int, int | None]:
    try:
        ((server, database, tables),) = fetch(db, _HOME)
    except psycopg.errors.InsufficientPrivilege as error:
        raise StoreError(
            "a store with a replica must know its server, and its role may not ask: "
            "GRANT EXECUTE ON FUNCTION pg_control_system() to it"
        ) from error
    return server, database, tables
