"""Connections to a store file: one that writes, as many that read as there are threads reading."""

import errno
import os
import shutil
import stat
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from weakref import WeakSet

import apsw

from recollect.checks import check_text
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
from recollect.stores.sqlite.where import FILTER_S

_CACHE_KIB: Final = 16_384
"""Page cache of a connection. Chosen by hand; larger ones did not speed up adding 100,000 memories."""
_RETRY_S: Final = 0.01
"""Between two attempts to get a file that is being made by another process. Chosen by hand."""
_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says when a disk, a quota or the largest file allowed is full."""


class SQLiteDatabase:
    """A store file, opened by this process; ``prepare`` makes its tables, and migrates them."""

    def __init__(self, path: Path, *, busy_timeout_s: float, prepare: bool = True) -> None:
        check_text("the path of the store", str(path))
        self.path = path
        self._timeout_ms = round(busy_timeout_s * 1000)
        self._lock = threading.RLock()
        self._readers: deque[apsw.Connection] = deque()
        self._closed = False
        _make_private(path)
        self._is_inherited = False
        _refuse_inherited(path)
        with self._mapped():
            self._writer = self._open()
            self._file = path.stat()
            _OPEN.add(self)
            if prepare:
                self._prepare(self._writer)

    @contextmanager
    def write(self) -> Iterator[apsw.Connection]:
        """A transaction that writes: whole when the block ends, undone when it raises."""
        with self._lock, self._mapped():
            self._check_open()
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                self._check_file()
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
            try:
                reader.execute("BEGIN")
                yield reader
                reader.execute("COMMIT")
            except BaseException:
                reader.close()
                raise
            self._give_back(reader)

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The writing connection outside a transaction, for pragmas and copies."""
        with self._lock, self._mapped():
            self._check_open()
            yield self._writer

    def empty_log(self, *, wait_s: float) -> bool:
        """Write the log into the file and empty it; False when a reader still needs what is in it."""
        with self.alone() as db:
            db.set_busy_timeout(round(wait_s * 1000))
            try:
                busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
            finally:
                db.set_busy_timeout(self._timeout_ms)
        return not busy

    def rewrite(
        self,
        change: Callable[[apsw.VFSFile], None],
        then: Callable[[apsw.Connection], None],
        *,
        wait_s: float,
    ) -> bool:
        """Let ``change`` write into the file itself, past SQLite, and ``then`` into the store.

        It may change bytes that hold nothing, and no others: readers go on meanwhile, and a power cut may
        leave a part of it. Nobody else writes, and the log is empty. The write of ``then`` makes every
        connection read its pages again, or it would write the old bytes back with them.

        Returns:
            Whether it was done; not while a reader still needs the log.
        """
        with self.alone():
            if not self.empty_log(wait_s=wait_s):
                return False
            db = self._open()
            try:
                db.execute("PRAGMA synchronous = FULL; BEGIN IMMEDIATE")
                self._check_file()
                log = Path(db.filename_wal)  # beside the file itself, where the path is a link to it
                if log.exists() and log.stat().st_size:
                    return False  # somebody wrote meanwhile
                _change_file(db.filename, change)
                then(db)
                db.execute("COMMIT")
            finally:
                db.close()
        return True

    def replace(self, make: Callable[[Path], None], *, kept: Path) -> None:
        """Put a new file, which ``make`` writes, in this one's place; this one stays as ``kept``.

        Other processes notice at their next write: the file they have open was replaced.
        """
        new = self.path.with_name(self.path.name + ".rebuilding")
        with self._lock, self._mapped():
            self._check_open()
            with suppress(apsw.Error):  # its log goes into it, and nobody else writes from here on
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE); BEGIN IMMEDIATE")
            new.unlink(missing_ok=True)
            make(new)
            self._close_all()
            exchange(new, self.path, kept=kept)
            self._writer = self._open()
            self._file = self.path.stat()
            self._prepare(self._writer)

    def close(self) -> None:
        """Close every connection that is not in use; those of another process stay its own."""
        if self._is_inherited:
            return
        with self._lock, self._mapped():
            self._closed = True
            self._close_all()

    def _close_all(self) -> None:
        while self._readers:
            self._readers.pop().close()
        self._writer.close()

    def forked(self) -> None:
        """Note in a child that the connections are its parent's: both would undo each other's locks."""
        if not self._closed:
            self._is_inherited = True
            _INHERITED.add((self._file.st_dev, self._file.st_ino))

    def _check_open(self) -> None:
        if self._is_inherited:
            _refuse_inherited(self.path)
        if self._closed:
            raise ClosedError(f"the store {self.path} was closed; open it again")

    def _check_file(self) -> None:
        """Refuse to write where nobody would find it: the file was deleted, or another is in its place."""
        try:
            is_there = os.path.samestat(self.path.stat(), self._file)
        except OSError:
            is_there = False
        if not is_there:
            raise StoreError(
                f"{self.path} was deleted or replaced while it was open; nothing was written, open it again"
            )

    def _open(self) -> apsw.Connection:
        db = apsw.Connection(str(self.path))
        db.set_busy_timeout(self._timeout_ms)
        db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}; PRAGMA foreign_keys = ON")
        # What an update or delete leaves of old words is wiped, or purge could not reach it later.
        db.execute("PRAGMA secure_delete = ON")
        return db

    def _prepare(self, db: apsw.Connection) -> None:
        with db:  # in one view of the file: another process may be making it
            current = is_current(db)
        if db.pragma("journal_mode") != "wal":
            self._use_wal(db)
        db.execute("PRAGMA synchronous = FULL")
        if not current:
            migrate(db)

    def _use_wal(self, db: apsw.Connection) -> None:
        """Retry: when several processes open a new file, SQLite refuses at once."""
        deadline = time.monotonic() + self._timeout_ms / 1000
        while True:
            try:
                db.pragma("journal_mode", "wal")
            except apsw.BusyError:
                if time.monotonic() >= deadline:
                    raise
                time.sleep(_RETRY_S)
            else:
                return

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
        except UnicodeDecodeError as error:
            raise self._named(apsw.CorruptError(str(error))) from error

    def _named(self, error: apsw.Error) -> StoreError | ClosedError:
        path = self.path
        match error:
            case apsw.BusyError() | apsw.LockedError() | apsw.ProtocolError():
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
                    f"{path} is damaged ({error}); try 'recollect doctor --rebuild', or restore a backup "
                    "with 'recollect restore'"
                )
            case apsw.CantOpenError():
                return _not_opened(path)
            case apsw.InterruptError():
                return StoreBusyError(
                    f"{path}: a filter took longer than {FILTER_S:g} s, and nothing was written; "
                    "give it fewer conditions"
                )
            case apsw.IOError() if _is_full(error, self._writer):
                return StoreFullError(
                    f"{path} may not grow (a quota or limit); raise it and try again, nothing was lost"
                )
            case apsw.ConnectionClosedError():
                return ClosedError(f"the store {path} was closed; open it again")
            case _:
                return StoreError(f"{path}: {error}")


_OPEN: Final[WeakSet[SQLiteDatabase]] = WeakSet()
_INHERITED: Final[set[tuple[int, int]]] = set()
"""Device and inode of files that were open when this process was forked."""


def _forked() -> None:
    for one in list(_OPEN):
        one.forked()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_forked)


def _refuse_inherited(path: Path) -> None:
    """Refuse a file that was open at the fork: SQLite takes the locks of its parent for its own there."""
    with suppress(OSError):
        there = path.stat()
        if (there.st_dev, there.st_ino) in _INHERITED:
            raise StoreError(
                f"{path} was open when this process was forked, and writes would be lost; close the memory "
                "before a fork, or start a new interpreter (multiprocessing: 'spawn' or 'forkserver')"
            )


def exchange(new: Path, old: Path, *, kept: Path) -> None:
    """Move a file to another's place, which stays as ``kept`` with its log; there is always one of them."""
    kept.unlink(missing_ok=True)
    try:
        os.link(old, kept)
    except OSError:  # a file system without links
        shutil.copyfile(old, kept)
    log = old.with_name(old.name + "-wal")
    if log.exists():
        log.replace(kept.with_name(kept.name + "-wal"))
    old.with_name(old.name + "-shm").unlink(missing_ok=True)
    new.replace(old)


def _change_file(path: str, change: Callable[[apsw.VFSFile], None]) -> None:
    """Let something change a file, opened as SQLite does: to close another handle would undo its locks."""
    file = apsw.VFSFile("", path, [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READWRITE, 0])
    try:
        change(file)
        file.xSync(apsw.SQLITE_SYNC_FULL)
    finally:
        file.xClose()


def _make_private(path: Path) -> None:
    """Make a new file that its owner alone may read; SQLite gives its log the same permissions."""
    with suppress(OSError):  # it is there already, or SQLite's own error says more
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with suppress(OSError):
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            return
        raise StoreFormatError(f"{path} is no file, so nothing can be stored in it; name another path")


def _not_opened(path: Path) -> StoreError:
    if os.path.isdir(path):  # noqa: PTH112 - unlike Path.is_dir, False where we may not look
        return StoreFormatError(f"{path} is a folder; name a file in it, such as {path / 'brain.db'}")
    if not os.path.isdir(path.parent):  # noqa: PTH112
        return StoreError(f"{path} cannot be opened: there is no folder {path.parent}; make it first")
    return StoreReadOnlyError(
        f"{path} cannot be opened; check that you have the permissions to read and write file and folder"
    )


def _is_full(error: apsw.Error, writer: apsw.Connection) -> bool:
    """Whether a write failed for want of space; SQLite itself calls only a full disk full."""
    refused = getattr(error, "extendedresult", None) == apsw.SQLITE_IOERR_WRITE
    return refused and writer.system_errno in _NO_SPACE
