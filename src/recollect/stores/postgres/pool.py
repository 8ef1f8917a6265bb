"""Connections to one server, which notice when it is down or silent."""

import logging
import math
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, Final, Self, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolTimeout

from recollect.stores.postgres.failures import NoConnectionError, is_passing, no_connection

DOWN_WAIT_S: Final = 2.0
"""How long a server that refuses connections is tried before a caller hears of it. Chosen by hand."""
_TRY_S: Final = 0.5
"""How long between two tries of a server that refuses. Chosen by hand."""
_LOOK_S: Final = 2.0
"""How long to queue for a connection before looking whether the server is still there. Chosen by hand."""
_ANSWER_S: Final = 2.0
"""How long the first answer on a connection is waited for at least. Chosen by hand."""
_CONNECT_S: Final = 10
"""How long one attempt to connect may take at most. Chosen by hand."""
_TCP: Final = {
    "keepalives": 1,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""A server that vanished from the network is noticed after a minute; a socket ignores these. By hand."""

_POOL: Final = "recollect"
_LOG: Final = logging.getLogger(__name__)

_Got = TypeVar("_Got")


class SilentError(psycopg.OperationalError):
    """The server was silent for longer than the time-out."""


class Patient(psycopg.Connection[TupleRow]):
    """A connection that is closed when its server is silent for too long.

    A server that is stopped, or behind a broken network, sends no error, and its own time-outs do not help.
    """

    patience_s: float | None = None
    """How long the server may be silent while it is waited for; None for ever."""

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> Self:
        """As psycopg's; ``noticed``, if it is given, is told the error, or None when there was none."""
        noticed = kwargs.pop("noticed", None)
        try:
            made = super().connect(conninfo, **kwargs)
        except psycopg.OperationalError as error:
            if noticed is not None:
                noticed(error)
            raise
        if noticed is not None:
            noticed(None)
        return made

    def wait(self, gen: Generator[Any, Any, _Got], *args: Any, **kwargs: Any) -> _Got:
        """As psycopg's, but no longer than the patience lasts."""
        if self.patience_s is None:
            return super().wait(gen, *args, **kwargs)
        try:
            return super().wait(_heard(gen, self.patience_s), *args, **kwargs)
        except SilentError:
            self.close()
            raise


def _heard(gen: Generator[Any, Any, _Got], patience_s: float) -> Generator[Any, Any, _Got]:
    """The result of an exchange with the server; it fails when nothing moves for too long.

    psycopg sends 0 ten times a second while the socket is ready for nothing.
    """
    last = time.monotonic()
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if ready:
                last = time.monotonic()
            elif time.monotonic() - last > patience_s:
                raise SilentError(f"no answer for {patience_s:g} s")
            wanted = gen.send(ready)
    except StopIteration as end:
        got: _Got = end.value
        return got


@contextmanager
def one_connection(url: str, *, wait_s: float) -> Iterator[Patient]:
    """A connection of its own, whose server may be silent for so long until it is told otherwise.

    Raises:
        NoConnectionError: The server cannot be reached, refuses the user, or says nothing.
        psycopg.errors.TooManyConnections: It has no connection to spare.
    """
    try:
        db = Patient.connect(url, autocommit=True, **_options(url, wait_s=wait_s))
    except psycopg.OperationalError as error:
        raise no_connection(error) from error
    with db:
        db.patience_s = max(wait_s, _ANSWER_S)
        try:
            yield db
        except SilentError as error:
            raise no_connection(error) from error


def _options(url: str, *, wait_s: float) -> dict[str, Any]:
    """The parameters of a connection beside its URL, which overrides them."""
    options = {"connect_timeout": min(max(math.ceil(wait_s), 2), _CONNECT_S), **_TCP}
    named = conninfo_to_dict(url)
    return {name: value for name, value in options.items() if name not in named}


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a warning of the driver tells more than the errors that callers get, and the lines below."""
    if record.levelno != logging.WARNING:
        return True
    args = record.args if isinstance(record.args, tuple) else ()
    return not any(one == _POOL or isinstance(getattr(one, "_conn", one), Patient) for one in args)


for _logger in ("psycopg", "psycopg.pool"):
    logging.getLogger(_logger).addFilter(_is_news)


class Pool:
    """Connections to one server.

    Args:
        wait_s: How long a connection is waited for, and the first answer on it.
        name: What the log calls the server when it goes down and when it is back; None to say nothing.
    """

    def __init__(
        self,
        url: str,
        *,
        size: int,
        wait_s: float,
        configure: Callable[[Patient], None],
        name: str | None = None,
    ) -> None:
        self._name = name
        self._told_down = False
        self._telling = threading.Lock()
        self._wait_s = wait_s
        self._configure = configure
        self._down: psycopg.OperationalError | None = None
        options = _options(url, wait_s=wait_s)
        self._pool = ConnectionPool(
            url,
            connection_class=Patient,
            kwargs={"autocommit": True, "noticed": self._noticed, **options},
            min_size=1,
            max_size=size,
            configure=self._made,
            reconnect_timeout=0.0,  # whoever needs a connection tries again
            name=_POOL,
            open=True,
        )

    def take(self) -> Patient:
        """A connection; its server may be silent for ``wait_s`` until it is told otherwise.

        Raises:
            NoConnectionError: The server cannot be reached.
            PoolTimeout: All connections are in use.
        """
        begun = time.monotonic()
        while True:
            pause = _LOOK_S if self._down is None else _TRY_S
            try:
                db = self._pool.getconn(timeout=min(pause, begun + self._wait_s - time.monotonic()))
            except PoolTimeout:
                waited, down = time.monotonic() - begun, self._down
                if down is not None and waited >= min(DOWN_WAIT_S, self._wait_s):
                    raise NoConnectionError(str(down)) from down
                if waited >= self._wait_s:
                    raise
            else:
                self._be_brief(db)
                return db

    def give(self, db: Patient) -> None:
        """Return a connection to the pool; a lost one is replaced."""
        self._pool.putconn(db)

    @contextmanager
    def connection(self) -> Iterator[Patient]:
        """A connection for the block."""
        db = self.take()
        try:
            yield db
        except SilentError as error:
            self.hangs(error)
            raise
        finally:
            self.give(db)

    def hangs(self, error: SilentError) -> None:
        """Close idle connections: a server that is silent on one is silent on all."""
        self._noticed(error)
        self._pool.drain()

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    def _made(self, db: Patient) -> None:
        self._be_brief(db)
        try:
            self._configure(db)
        except psycopg.OperationalError as error:
            self._noticed(error)
            raise
        self._tell(None)

    def _be_brief(self, db: Patient) -> None:
        db.patience_s = max(self._wait_s, _ANSWER_S)

    def _noticed(self, error: psycopg.OperationalError | None) -> None:
        """Remember whether the server is down; one that starts, or has no connection to spare, is not."""
        self._down = None if error is None or is_passing(error) else error
        if self._down is not None:
            self._tell(self._down)

    def _tell(self, error: psycopg.OperationalError | None) -> None:
        """Log that the server is down, with the error, or that it is back; each once."""
        with self._telling:
            if self._told_down == (error is not None):
                return
            self._told_down = error is not None
        if self._name is None:
            return
        if error is None:
            _LOG.warning("%s is back", self._name)
        else:
            _LOG.warning("%s cannot be reached (%s)", self._name, " ".join(str(error).split()))
