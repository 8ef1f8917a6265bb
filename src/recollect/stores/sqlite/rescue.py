"""Putting a sound file in the place of a damaged one."""

from contextlib import suppress
from pathlib import Path

from recollect.errors import StoreCorruptError, StoreFormatError
from recollect.stores.sqlite.checks import is_damaged
from recollect.stores.sqlite.connection import SQLiteDatabase, exchange
from recollect.stores.sqlite.salvage import salvage
from recollect.stores.sqlite.schema import APPLICATION_ID


def rescue(path: Path) -> None:
    """Before a file is rebuilt: replace it when it is damaged, even when it cannot be opened.

    Raises:
        StoreError: It cannot be opened, and nothing can be read of it; it is unchanged.
    """
    try:
        found = SQLiteDatabase(path, busy_timeout_s=30)
    except (StoreCorruptError, StoreFormatError) as error:
        if isinstance(error, StoreFormatError) and _has_our_header(path):
            raise
        with suppress(StoreCorruptError):
            _exchange_unopened(path)
            return
        raise
    try:
        replace_when_damaged(found)
    finally:
        found.close()


def replace_when_damaged(found: SQLiteDatabase) -> None:
    """When pages or memories of a file are damaged, put a new one with what can be read in its place.

    Raises:
        StoreCorruptError: Nothing can be read; the file is unchanged.
    """
    if is_damaged(found):
        kept = _kept(found.path)
        found.replace(lambda new: _fill(new, found.path, kept), kept=kept)


def _exchange_unopened(path: Path) -> None:
    new, kept = path.with_name(path.name + ".rebuilding"), _kept(path)
    new.unlink(missing_ok=True)
    try:
        _fill(new, path, kept)
        exchange(new, path, kept=kept)
    finally:
        new.unlink(missing_ok=True)


def _kept(path: Path) -> Path:
    return path.with_name(path.name + ".damaged")


def _fill(new: Path, damaged: Path, kept: Path) -> None:
    filled = SQLiteDatabase(new, busy_timeout_s=0)
    try:
        with filled.write() as db:
            salvage(damaged, db, kept=kept)
    finally:
        filled.close()


def _has_our_header(path: Path) -> bool:
    """Whether the first page says that the file is a store, so that only its version can be wrong."""
    with path.open("rb") as file:
        start = file.read(100)
    return start.startswith(b"SQLite format 3\0") and start[68:72] == APPLICATION_ID.to_bytes(4)
