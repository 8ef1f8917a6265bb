"""Bringing a backup back, whole or not at all."""

import errno
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path
from typing import Final

from recollect.errors import (
    InvalidInputError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreReadOnlyError,
    as_given,
)
from recollect.memory.maintenance.files import existing_file, store_file
from recollect.protocols import Health, Maintenance
from recollect.stores import open_store
from recollect.types.clock import utc_now

_LOGS: Final = ("-wal", "-shm")
"""What SQLite keeps beside a file in use."""


def restore(backup: str | PathLike[str], target: str | PathLike[str], *, overwrite: bool = False) -> Health:
    """Bring a backup back.

    A copy of the backup is made beside the target and checked; only a sound one takes the target's
    place, at once. The backup itself is never changed. A backup of an older format is brought to
    today's.

    Args:
        backup: The file that ``backup`` made.
        target: Where the store shall be.
        overwrite: Whether a store that is there may be replaced. No other process may have it open.

    Returns:
        What the check of the restored store found.

    Raises:
        InvalidInputError: There is no such backup, or the target exists.
        StoreFormatError: The backup is no store, or one from a newer version.
        StoreCorruptError: The backup is damaged.
        StoreBusyError: Another process has the target open.
        StoreError: The copy cannot be written (see its subclasses). In all these cases the target is
            as it was.
    """
    source, place = existing_file(backup), _target(target)
    if place.exists() and not overwrite:
        raise InvalidInputError(f"{place} exists; name another file (--db), or overwrite it (--overwrite)")
    if place.exists() and place.samefile(source):
        raise InvalidInputError(f"{source} is both source and target; name another target")
    copy = place.with_name(f".{place.name}.{uuid.uuid4().hex}")
    try:
        with _mapped(place):
            _copy(source, copy)
        health = _checked_copy(copy, source)
        with _mapped(place):
            _keep_permissions(place, copy)
            _sync(copy)
            _retire(place)
            copy.replace(place)
            _sync(place.parent)
    finally:
        _remove(copy)
    return health


def _target(target: str | PathLike[str]) -> Path:
    file = store_file(target)
    if file is None or file.is_dir():
        raise InvalidInputError(
            f"{as_given(fspath(target))} is not a file; only stores in one file are restored so"
        )
    if not file.parent.is_dir():
        raise InvalidInputError(f"there is no folder {file.parent}; make it first")
    return file


def _copy(source: Path, copy: Path) -> None:
    """Copy a store file: as it is when nothing belongs to it, else by the store itself."""
    if not _beside(source, "-wal").exists():
        shutil.copyfile(source, copy)
        return
    with closing(open_store(source, clock=utc_now)) as store:
        if isinstance(store, Maintenance):
            store.backup(copy)


def _checked_copy(copy: Path, source: Path) -> Health:
    """Check the copy, and speak of its source.

    Closing it leaves everything in the one file.
    """
    if not copy.stat().st_size:
        raise StoreFormatError(f"{source} is empty; it is not a backup")
    try:
        with closing(open_store(copy, clock=utc_now)) as store:
            health = store.check() if isinstance(store, Maintenance) else None
    except StoreError as error:
        raise type(error)(str(error).replace(str(copy), str(source))) from error
    if health is None or health.problems:
        found = "; ".join(health.problems) if health else "it cannot be checked"
        raise StoreCorruptError(f"{source} is damaged and was not restored: {found}")
    return health


def _keep_permissions(place: Path, copy: Path) -> None:
    """A store that only its owner may read stays so."""
    if place.exists():
        shutil.copymode(place, copy)


def _retire(place: Path) -> None:
    """Make sure that no process uses the store to be replaced, and that its log is removed with it.

    SQLite would play an old log into the new file. The last one to close a sound store removes its log.
    """
    if place.exists():
        if not os.access(place, os.W_OK):
            raise StoreReadOnlyError(f"{place} cannot be written; check the permissions of file and folder")
        with suppress(StoreCorruptError, StoreFormatError):
            open_store(place, clock=utc_now).close()
            if _beside(place, "-wal").exists():
                raise StoreBusyError(f"another process has {place} open; stop it and try again")
    for suffix in _LOGS:
        _beside(place, suffix).unlink(missing_ok=True)


def _remove(copy: Path) -> None:
    with suppress(OSError):
        for file in (copy, *(_beside(copy, suffix) for suffix in _LOGS)):
            file.unlink(missing_ok=True)


def _beside(file: Path, suffix: str) -> Path:
    return file.with_name(file.name + suffix)


def _sync(path: Path) -> None:
    """Have the disk hold a file, or a folder's entries, before going on."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _mapped(place: Path) -> Iterator[None]:
    """Name the errors of the operating system."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreFullError(f"no space is left for {place}; free some and try again") from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise StoreReadOnlyError(
                f"{place} and its folder cannot be written, or the backup not read; check the permissions"
            ) from error
        raise StoreError(f"{place} cannot be restored: {error}") from error
