"""When a read may go to a replica: only after the user's own writes are there, and while it lags little."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self
from uuid import UUID

import psycopg
from psycopg_pool import PoolTimeout

from recollect.errors import StoreError
from recollect.stores.postgres.pool import Pool
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


_RETRY_S: Final = 5.0
"""A replica that cannot be reached is left alone for so long. Chosen by hand."""
_TENANTS: Final = 100_000
"""Users whose last write is remembered; of others the oldest one remembered counts. Chosen by hand."""
_OBSERVATIONS: Final = 64
_LOG: Final = logging.getLogger(__name__)


class Replica:
    """A read replica, and how far it has replayed the log of ``primary``, in bytes.

    Reads of a user go there once it has replayed this process's last write to that user, and if it is at most
    ``max_staleness_s`` behind the primary.
    """

    def __init__(
        self,
        pool: Pool,
        *,
        name: str,
        home: Home,
        primary: Callable[[], int],
        max_staleness_s: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.pool: Final = pool
        self._name = name
        self._home = home
        self._primary = primary
        self._max_staleness_s = max_staleness_s
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._replayed = 0
        self._fresh_until = -1.0
        self._observed: deque[tuple[float, int]] = deque(maxlen=_OBSERVATIONS)
        self._written: dict[UUID, int] = {}
        self._forgotten = 0
        self._away_until = -1.0
        self._failure: str | None = None

    def wrote(self, tenant: UUID | None, position: int) -> None:
        """Remember how far the log was, in bytes, after a write to a tenant; None stands for all."""
        with self._lock:
            if tenant is None:
                self._forgotten = max(self._forgotten, position)
                return
            self._written[tenant] = max(position, self._written.pop(tenant, 0))
            while len(self._written) > _TENANTS:
                oldest = next(iter(self._written))
                self._forgotten = max(self._forgotten, self._written.pop(oldest))

    def serves(self, tenant: UUID) -> bool:
        """Whether a user's memories may be read there now."""
        if not self._max_staleness_s:
            return False
        now = self._monotonic()
        with self._lock:
            wanted = max(self._written.get(tenant, 0), self._forgotten)
            if now < self._away_until:
                return False
            if self._away_until >= 0:
                self._away_until = now + _RETRY_S  # one reader looks whether it is back; no other waits
            elif wanted <= self._replayed and now < self._fresh_until:
                return True
        return self._look(now, wanted)

    def failed(self, error: BaseException) -> None:
        """Stop using it for a while, if the error of a read calls for it."""
        if isinstance(error, (psycopg.OperationalError, PoolTimeout, StoreError)):
            said = " ".join(str(error).split())
            with self._lock:
                self._away_until = self._monotonic() + _RETRY_S
                known, self._failure = self._failure == said, said
            if not known:
                _LOG.warning("the read replica %s fails (%s); reads go to the primary", self._name, said)

    def close(self) -> None:
        """Close its connections."""
        self.pool.close()

    def _look(self, now: float, wanted: int) -> bool:
        """Ask both servers how far they are."""
        if self._wants_observation(now):
            position = self._primary()
            with self._lock:
                self._observed.append((now, position))
        try:
            with self.pool.connection() as db:
                row = db.execute(REPLAYED).fetchone()
        except (psycopg.OperationalError, PoolTimeout) as error:
            self.failed(error)
            return False
        follows, replayed, tables = row or (False, 0, None)
        if not follows:
            self.failed(StoreError("it takes writes itself: it was promoted, or is the primary"))
            return False
        if tables != self._home.tables:
            if replayed >= self._home.position:
                self.failed(StoreError("it is another schema"))
            return False
        with self._lock:
            self._away_until = -1.0
            back, self._failure = self._failure is not None, None
            self._replayed = max(self._replayed, int(replayed))
            while self._observed and self._observed[0][1] <= self._replayed:
                at, _ = self._observed.popleft()
                self._fresh_until = max(self._fresh_until, at + self._max_staleness_s)
            ready = wanted <= self._replayed and now < self._fresh_until
        if back:
            _LOG.warning("the read replica %s is back", self._name)
        return ready

    def _wants_observation(self, now: float) -> bool:
        with self._lock:
            last = self._observed[-1][0] if self._observed else -self._max_staleness_s
            return now >= self._fresh_until - self._max_staleness_s / 2 and (
                now - last >= self._max_staleness_s / 4
            )
