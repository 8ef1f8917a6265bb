"""Which store is meant, when it must be there already."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from os import PathLike, fspath
from pathlib import Path

from recollect.errors import InvalidInputError, as_given
from recollect.protocols import Store
from recollect.stores import open_store, with_plain_scheme
from recollect.types.clock import utc_now

_LOCAL = ("json:///", "oxigraph:///", "qdrant:///")
"""The URLs of files and folders that are not SQLite's."""

Progress = Callable[[int, int], None]
"""Told how many memories are done, and how many there are."""


def store_file(target: str | PathLike[str]) -> Path | None:
    """The file a path or URL means, as ``open_store`` reads it; None when it means no file.

    >>> store_file("sqlite:///brain.db").name
    'brain.db'
    >>> store_file(":memory:") is None
    True
    """
    text = with_plain_scheme(fspath(target))
    scheme, separator, rest = text.partition("://")
    if text == ":memory:" or not text.strip() or (separator and scheme != "sqlite"):
        return None
    return Path(rest.removeprefix("/") if separator else text).expanduser()


def local_place(target: str | PathLike[str]) -> Path | None:
    """The file or folder a path or URL means, for any store that lies in one; None when it means none.

    >>> local_place("json:///brain.json").name
    'brain.json'
    """
    text = with_plain_scheme(fspath(target))
    for scheme in _LOCAL:
        if text.startswith(scheme) and not text.endswith(":memory:"):
            return Path(text.removeprefix(scheme)).expanduser()
    return store_file(text)


def missing_place(target: str | PathLike[str]) -> Path | None:
    """The file or folder a path or URL means, when it is not there, or is an empty file."""
    place = local_place(target)
    if place is None or place.is_dir() or (place.exists() and place.stat().st_size):
        return None
    return place


def existing_file(target: str | PathLike[str]) -> Path:
    """The file of a store."""
    file = store_file(target)
    if file is None:
        raise InvalidInputError(f"{as_given(fspath(target))} is not a file")
    if not file.is_file():
        raise InvalidInputError(f"there is no file {file}")
    return file


@contextmanager
def opened(target: str | PathLike[str] | Store) -> Iterator[Store]:
    """A store: the caller's stays open, one opened here is closed; none is made."""
    if not isinstance(target, (str, PathLike)):
        yield open_store(target, clock=utc_now)
        return
    if store_file(target) is not None:
        existing_file(target)
    elif (missing := missing_place(target)) is not None:
        raise InvalidInputError(f"there are no memories in {missing}")
    with closing(open_store(target, clock=utc_now)) as store:
        yield store


def tell_nobody(done: int, total: int) -> None:
    """A progress report that does nothing."""
