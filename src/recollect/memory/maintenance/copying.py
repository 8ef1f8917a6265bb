"""Moving a whole store into another one, of the same kind or of another."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Protocol, runtime_checkable

from recollect.errors import InvalidInputError, StoreError
from recollect.memory.maintenance.files import Progress, local_place, opened, tell_nobody
from recollect.memory.maintenance.migrating import check_filled, is_empty_database
from recollect.protocols import Copying, Store
from recollect.stores import open_store, with_plain_scheme
from recollect.stores.copy.moving import CopyResult, move
from recollect.types.clock import utc_now

Place = str | PathLike[str] | Store
"""A path or URL of a store, or a store."""


@runtime_checkable
class _Copying(Store, Copying, Protocol):
    """A store that gives and takes memories as they are."""


def copy_store(source: Place, target: Place, *, progress: Progress | None = None) -> CopyResult:
    """Copy everything a store holds into another one, as it is, and compare the two at the end.

    Ids, times, turns, vectors, links, the change log, idempotency keys, what was learned about users, the
    store's settings and the jobs that wait are kept; a job held by a worker of the source waits in the
    target. Left behind are memories that were deleted and not purged, jobs that were given up, and
    vectors staged by an unfinished ``reembed``.

    The target is best empty. Of a user whom both know it may hold what the beginning of the source's
    memories is, as an interrupted copy leaves it: calling this again goes on there. It is never changed
    or overwritten. Users whom only the target knows are left alone.

    Both stores may be in use. What is written to the source after its user was copied is missed; the
    comparison at the end then fails and names the user. Delete and purge that user in the target, and
    copy again.

    Args:
        source: A path or URL of an existing store, or a ``Store``.
        target: A path or URL, made when missing, or a ``Store``.
        progress: Called with how much is done and of how much; each memory counts twice, when it is
            copied and when it is compared. What it raises stops the work.

    Returns:
        What was copied, and the digest that both have.

    Raises:
        InvalidInputError: There is no such source, it has no tables, it is also the target, or the target has
            something of a user that the source has not; nothing was written.
        EmbedderMismatchError: The target's vectors are by another embedder; nothing was written.
        StoreError: One of them cannot be copied or failed, or they differ at the end.
    """
    if isinstance(source, (str, PathLike)):
        check_filled(source)
        if is_empty_database(source):
            raise InvalidInputError(
                "there are no memories in the source's database yet; make them: recollect init, or add"
            )
    check_different(source, target)
    with opened(source) as one, _made(target) as other:
        return move(able(one), able(other), report=progress or tell_nobody)


def able(store: Store) -> _Copying:
    """The store, which can be copied as it is; else StoreError."""
    if not isinstance(store, _Copying):
        raise StoreError(f"{store!r} cannot be copied as it is; use export and import")
    return store


@contextmanager
def _made(target: Place) -> Iterator[Store]:
    """A store: the caller's stays open, one opened here is closed."""
    if not isinstance(target, (str, PathLike)):
        yield open_store(target, clock=utc_now)
        return
    if with_plain_scheme(fspath(target)) in (":memory:", "memory://"):
        raise InvalidInputError("a copy in memory would be lost at once; name a file or a database")
    with closing(open_store(target, clock=utc_now)) as store:
        yield store


def check_different(source: Place, target: Place) -> None:
    """Check that two places are two stores."""
    if _identity(source) == _identity(target):
        raise InvalidInputError("source and target are the same store; name two")


def _identity(place: Place) -> object:
    """Equal for the same store; a database may have two URLs, and copying it into itself does nothing."""
    if not isinstance(place, (str, PathLike)):
        path = getattr(place, "path", None)
        return id(place) if path is None else Path(path).resolve()
    file = local_place(place)
    return fspath(place) if file is None else file.resolve()
