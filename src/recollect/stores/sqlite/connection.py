"""Connections to a store file: one that writes, as many that read as there are threads reading."""

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import apsw

from recollect.errors import (
    ClosedError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.stores.sqlite.schema import is_current, migrate

_CACHE_KIB: Final = 16_384
"""Page cache of a connection. Chosen by hand; larger ones did not speed up adding 100,000 memories."""


Row = tuple[Any, ...]
"""A row as apsw gives it; each query knows its own columns."""


def fetch(db: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> list[Row]:
    """All rows of a query."""
    return db.execute(sql, tuple(values)).fetchall()


def fetch_value(db: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> Any:
    """The first column of a query's first row; None when there is no row."""
    row = db.execute(sql, tuple(values)).fetchone()
    return None if row is None else row[0]


class Database:
    """A store file, opened by this process.

    Args:
        path: The file; made when missing, its folder must exist.
        busy_timeout_s: How long to wait for other processes before ``StoreBusyError``.
    """

    def __init__(self, path: Path, *, busy_timeout_s: float) -> None:
        self.path = path
        self._timeout_ms = round(busy_timeout_s * 1000)
        self._lock = threading.RLock()
        self._readers: deque[apsw.Connection] = deque()
        self._closed = False
        with self._mapped():
            self._writer = self._open()
            self._prepare(self._writer)

    @contextmanager
    def write(self) -> Iterator[apsw.Connection]:
        """A transaction that writes: whole when the block ends, undone when it raises."""
        with self._lock, self._mapped():
            self._check_open()
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """A consistent view of the file that no writer disturbs."""
        self._check_open()
        with self._mapped():
            reader = self._borrow()
            reader.execute("BEGIN")
            try:
                yield reader
            finally:
                reader.execute("COMMIT")
                self._give_back(reader)

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The writing connection outside a transaction, for pragmas and copies."""
        with self._lock, self._mapped():
            self._check_open()
            yield self._writer

    def close(self) -> None:
        """Close every connection that is not in use."""
        with self._lock:
            self._closed = True
            while self._readers:
                self._readers.pop().close()
            self._writer.close()

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError(f"the store {self.path} was closed; open it again")

    def _open(self) -> apsw.Connection:
        db = apsw.Connection(str(self.path))
        db.set_busy_timeout(self._timeout_ms)
        db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}; PRAGMA foreign_keys = ON")
        return db

    def _prepare(self, db: apsw.Connection) -> None:
        if is_current(db):
            db.execute("PRAGMA synchronous = FULL")
            return
        db.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        migrate(db)

    def _borrow(self) -> apsw.Connection:
        try:
            return self._readers.pop()
        except IndexError:
            return self._open()

    def _give_back(self, reader: apsw.Connection) -> None:
        if self._closed:
            reader.close()
        else:
            self._readers.append(reader)

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise self._named(error) from error

    def _named(self, error: apsw.Error) -> StoreError | ClosedError:
        path = self.path
        match error:
            case apsw.BusyError() | apsw.LockedError():
                return StoreBusyError(
                    f"another process held {path} for {self._timeout_ms / 1000:g} s; try again, "
                    "or open with a longer busy_timeout_s"
                )
            case apsw.ReadOnlyError():
                return StoreReadOnlyError(
                    f"{path} cannot be written; check the permissions of file and folder"
                )
            case apsw.FullError():
                return StoreFullError(
                    f"no space is left for {path}; free some and try again, nothing was lost"
                )
            case apsw.NotADBError():
                return StoreFormatError(f"{path} is not a database; name another file and keep this one")
            case apsw.CorruptError():
                return StoreCorruptError(
                    f"{path} is damaged ({error}); run 'recollect doctor', or bring a backup back "
                    "with 'recollect restore'"
                )
            case apsw.CantOpenError():
                return StoreError(
                    f"{path} cannot be opened; check that its folder exists and is yours to write"
                )
            case apsw.ConnectionClosedError():
                return ClosedError(f"the store {path} was closed; open it again")
            case _:
                return StoreError(f"{path}: {error}")
