"""Connections to a PostgreSQL server: a pool of them, and transactions that name their tenant."""

import numbers
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Literal
from uuid import UUID

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from recollect.checks import check_count
from recollect.errors import ClosedError, InvalidInputError, StoreError, as_given
from recollect.stores import with_plain_scheme
from recollect.stores.postgres.failures import named, no_connection
from recollect.stores.postgres.pool import Patient, Pool, SilentError, one_connection
from recollect.stores.postgres.replica import REPLICA_WAIT_S, ElsewhereError, Home, Replica, position_of
from recollect.stores.postgres.schema import check_schema, is_current, migrate
from recollect.stores.postgres.shards import REPORT, distributed_tables, has_citus
from recollect.stores.postgres.sql import EVERYONE, tenant_of
from recollect.types import Scope
from recollect.types.regex import lazy_regex

_READ: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_WRITE: Final = "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE"
_GRACE_S: Final = 5.0
"""How long after its own time-out the server may still answer. Chosen by hand."""
_MOST_CONNECTIONS: Final = 10_000
"""Connections of one process. Chosen by hand."""
_EXAMPLE: Final = "postgresql://user:password@host:5432/database"
_SCHEMA: Final = lazy_regex(r"search_path\s*=\s*([^\s,]+)")
_LEAST_S: Final = 0.001
_MOST_S: Final = 2_000_000
"""PostgreSQL counts milliseconds in 31 bits, and takes 0 for no time-out."""


class PostgresDatabase:
    """This process's access to a PostgreSQL database.

    Args:
        busy_timeout_s: How long to wait for a connection, and for rows that others are changing.
        prepare: Whether its tables are made, and brought to today's format.
        replica_url: A streaming replica of it, for reads.
        max_staleness_s: How old what is read there may be.
    """

    def __init__(
        self,
        url: str,
        *,
        pool_size: int,
        busy_timeout_s: float,
        statement_timeout_s: float,
        prepare: bool = True,
        replica_url: str | None = None,
        max_staleness_s: float = 5.0,
    ) -> None:
        url, self.name = _read(url, argument="url")
        replica_name = ""
        if replica_url is not None:
            replica_url, replica_name = _read(replica_url, argument="replica_url")
        self._busy_timeout_s = _checked_timeout("busy_timeout_s", busy_timeout_s)
        self._statement_timeout_s = _checked_timeout("statement_timeout_s", statement_timeout_s)
        self._pool_size = check_count("pool_size", pool_size, most=_MOST_CONNECTIONS)
        self._closed = False
        self._views = threading.local()
        self._close_lock = threading.Lock()
        with self._mapped():
            self._on_citus, home = self._prepare(url, prepare=prepare, alone=replica_url is None)
            if replica_url is not None and home is not None:
                self._check_replica(replica_url, home, name=replica_name)
            self._pool = self._pool_of(url, wait_s=busy_timeout_s)
        self._replica = None
        if replica_url is not None and home is not None:
            wait_s = min(busy_timeout_s, REPLICA_WAIT_S)
            self._replica = Replica(
                self._pool_of(replica_url, wait_s=wait_s, check=home.check),
                name=replica_name,
                home=home,
                primary=self._written,
                max_staleness_s=max_staleness_s,
            )

    def _pool_of(self, url: str, *, wait_s: float, check: Callable[[Patient], None] | None = None) -> Pool:
        name = self.name if check is None else None  # a replica says itself how it is

        def configure(db: Patient) -> None:
            self._configure(db)
            if check is not None:
                check(db)

        return Pool(url, size=self._pool_size, wait_s=wait_s, configure=configure, name=name)

    def _check_replica(self, url: str, home: Home, *, name: str) -> None:
        """Refuse a replica of another server; one that cannot be reached is checked when it is used."""
        try:
            with one_connection(url, wait_s=min(self._busy_timeout_s, REPLICA_WAIT_S)) as db:
                home.check(db)
                home.check_tables(db)
        except ElsewhereError as error:
            raise InvalidInputError(
                f"the replica_url {name} cannot be read for {self.name}: {error}; "
                "name the same database and schema on a streaming replica of its server"
            ) from error
        except psycopg.OperationalError:
            return

    @contextmanager
    def read(self, scope: Scope) -> Iterator[psycopg.Connection]:
        """A consistent view of one user's rows that no writer disturbs; the replica's, where that may be."""
        tenant = tenant_of(scope.user_id)
        viewed, db = self._view()
        if viewed == tenant and db is not None:
            yield db
            return
        with self._transaction(_READ, _named(scope), reads=tenant) as db:
            yield db

    @contextmanager
    def view(self, scope: Scope) -> Iterator[None]:
        """Every ``read`` of the user by this thread inside the block is this transaction."""
        outer = self._view()
        with self.read(scope) as db:
            self._views.open = tenant_of(scope.user_id), db
            try:
                yield
            finally:
                self._views.open = outer

    def _view(self) -> tuple[UUID | None, psycopg.Connection | None]:
        """Whose view this thread has open, and its connection."""
        return getattr(self._views, "open", (None, None))

    @contextmanager
    def write(self, scope: Scope) -> Iterator[psycopg.Connection]:
        """A transaction on one user's rows: whole when the block ends, undone when it raises.

        What this thread reads of the user inside is read in it.
        """
        tenant, outer = tenant_of(scope.user_id), self._view()
        with self._transaction(_WRITE, _named(scope), writes=tenant) as db:
            self._views.open = tenant, db
            try:
                yield db
            finally:
                self._views.open = outer

    @contextmanager
    def read_everyone(self, *, unhurried: bool = False) -> Iterator[psycopg.Connection]:
        """As ``read``, over every user's rows; ``unhurried`` statements take as long as they like."""
        with self._transaction(_READ, EVERYONE) as db:
            if unhurried:
                db.execute("SET LOCAL statement_timeout = 0")
                db.patience_s = None
            yield db

    @contextmanager
    def write_everyone(self) -> Iterator[psycopg.Connection]:
        """As ``write``, over every user's rows."""
        with self._transaction(_WRITE, EVERYONE, writes="everyone") as db:
            yield db

    @contextmanager
    def write_jobs(self) -> Iterator[psycopg.Connection]:
        """As ``write_everyone``, of jobs alone: a replica, where they are never read, need not have this."""
        with self._transaction(_WRITE, EVERYONE) as db:
            yield db

    @contextmanager
    def alone(self) -> Iterator[psycopg.Connection]:
        """A connection in no transaction, whose statements may take as long as they like."""
        with self._mapped(), self._pool.connection() as db:
            db.execute("SET statement_timeout = 0")
            db.patience_s = None
            try:
                yield db
            finally:
                if not db.closed:
                    self._configure(db)

    def close(self) -> None:
        """Close every connection."""
        with self._close_lock:
            if not self._closed:
                self._closed = True
                self._pool.close()
                if self._replica is not None:
                    self._replica.close()

    @contextmanager
    def _transaction(
        self,
        begin: str,
        seen: str,
        *,
        reads: UUID | None = None,
        writes: UUID | Literal["everyone"] | None = None,
    ) -> Iterator[Patient]:
        if self._closed:
            raise ClosedError(f"the store {self.name} was closed; open it again")
        with self._mapped():
            pool, db = self._begun(self._sent(begin, seen), reads)
            try:
                yield db
                self._commit(db, writes)
            except BaseException as error:
                self._undo(db)
                if isinstance(error, SilentError):
                    pool.hangs(error)
                if self._replica is not None and pool is not self._pool:
                    self._replica.failed(error)
                raise
            finally:
                pool.give(db)

    def _sent(self, begin: str, seen: str) -> tuple[bytes, ...]:
        """What opens a transaction. Citus hands on whole what was sent with a setting, so that stands alone.

        Its other servers wait for locks as long as they are told in the transaction.
        """
        if not self._on_citus:
            return (f"{begin}; {seen}".encode(),)
        patience = f"SET LOCAL lock_timeout = {round(self._busy_timeout_s * 1000)}"
        return begin.encode(), seen.encode(), patience.encode()

    def _begun(self, begin: tuple[bytes, ...], reads: UUID | None) -> tuple[Pool, Patient]:
        """A connection in a new transaction, and the pool it comes from."""
        if reads is not None and self._replica is not None and self._replica.serves(reads):
            try:
                return self._replica.pool, self._begin(begin, self._replica.pool)
            except (psycopg.OperationalError, PoolTimeout, StoreError) as error:
                self._replica.failed(error)
        return self._pool, self._begin(begin, self._pool)

    def _begin(self, begin: tuple[bytes, ...], pool: Pool) -> Patient:
        """Drop the connections that the server has closed; after all that the pool had comes a new one."""
        for _ in range(self._pool_size + 1):
            db = pool.take()
            try:
                for statement in begin:
                    db.execute(statement)
            except BaseException as error:
                self._undo(db)
                pool.give(db)
                if isinstance(error, SilentError):
                    pool.hangs(error)
                    raise no_connection(error) from error
                if isinstance(error, pg.FeatureNotSupported):  # so a standby names a wish to write
                    raise pg.ReadOnlySqlTransaction(str(error)) from error
                if not isinstance(error, psycopg.OperationalError):
                    raise
            else:
                db.patience_s = self._statement_timeout_s + _GRACE_S
                return db
        raise StoreError(f"{self.name} closes every connection; check the server")

    def _commit(self, db: psycopg.Connection, writes: UUID | Literal["everyone"] | None) -> None:
        db.execute("COMMIT")
        if self._replica is not None and writes is not None:
            self._replica.wrote(None if isinstance(writes, str) else writes, position_of(db))

    def _written(self) -> int:
        with self._transaction(_READ, EVERYONE) as db:
            return position_of(db)

    def _undo(self, db: psycopg.Connection) -> None:
        if db.info.transaction_status in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN):
            return
        try:
            db.rollback()  # the driver's own: it forgets the statements that were never prepared
        except BaseException as error:  # the connection is lost, and with it the transaction
            db.close()
            if not isinstance(error, psycopg.Error):
                raise

    def _prepare(self, url: str, *, prepare: bool, alone: bool) -> tuple[bool, Home | None]:
        """Make missing tables; return whether Citus is there, and for a replica where the tables are."""
        with one_connection(url, wait_s=self._busy_timeout_s) as db:
            check_schema(db, self.name)
            on_citus = has_citus(db)
            if on_citus:
                db.execute(REPORT)
            if not alone and distributed_tables(db):
                raise InvalidInputError(
                    f"{self.name} is spread over the servers of a cluster: no one replica follows them all; "
                    "leave replica_url out"
                )
            if prepare and not is_current(db, self.name):
                db.patience_s = None  # another process may be at it, or there is much to do
                migrate(db, self.name)
            return on_citus, None if alone else Home.of(db)

    def _configure(self, db: psycopg.Connection) -> None:
        settings = {
            "statement_timeout": self._statement_timeout_s,
            "lock_timeout": self._busy_timeout_s,
        }
        for name, seconds in settings.items():
            db.execute(f"SET {name} = {round(seconds * 1000)}".encode())
        if self._on_citus:
            db.execute(REPORT)

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, PoolClosed, PoolTimeout, TooManyRequests) as error:
            raise named(
                error, name=self.name, busy_s=self._busy_timeout_s, statement_s=self._statement_timeout_s
            ) from error


def _named(scope: Scope) -> str:
    return f"SET LOCAL recollect.tenant = '{tenant_of(scope.user_id)}'"


def _checked_timeout(where: str, value: object) -> float:
    if (
        isinstance(value, bool)
        or not isinstance(value, numbers.Real)
        or not _LEAST_S <= float(value) <= _MOST_S
    ):
        raise InvalidInputError(
            f"{where} must be a number of seconds from {_LEAST_S} to {_MOST_S:,}, not {as_given(value)}"
        )
    return float(value)


def _read(url: object, *, argument: str) -> tuple[str, str]:
    """A URL as the driver reads it, and what messages call its database."""
    if not isinstance(url, str) or not url.strip():
        said = f"not {type(url).__name__}" if not isinstance(url, str) else "it is blank"
        raise InvalidInputError(f"{argument} must be a URL of PostgreSQL, {_EXAMPLE}; {said}")
    url = with_plain_scheme(url)
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        parts = None
    if parts is None or _is_torn(url):
        raise InvalidInputError(
            f"the {argument} of the PostgreSQL store cannot be read; write it as {_EXAMPLE}, "
            "with odd characters percent-encoded, such as %40 for @ in a password"
        )
    return url, _shown(parts)


def _shown(parts: Mapping[str, object]) -> str:
    """Host, port, database and schema; no password."""
    hosts = str(parts.get("host") or "localhost").split(",")
    ports = str(parts.get("port") or "").split(",")
    ports = ports * len(hosts) if len(ports) == 1 else ports
    where = ",".join(f"{host}:{port}" if port else host for host, port in zip(hosts, ports, strict=False))
    schema = _SCHEMA.search(str(parts.get("options", "")))
    return f"postgresql://{where}/{parts.get('dbname', '')}{f' (schema {schema[1]})' if schema else ''}"


def _is_torn(url: str) -> bool:
    """Whether a password with an odd character ends up in the host or the database."""
    scheme, _, rest = url.partition("://")
    if scheme not in ("postgresql", "postgres"):
        return False  # name=value, where all is said by name
    user, at, place = rest.partition("@")
    return "@" in (place if at and "/" not in user else rest).partition("?")[0]
