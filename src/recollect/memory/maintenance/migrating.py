"""Bringing a store to today's format before anybody opens it."""

from dataclasses import dataclass
from os import PathLike, fspath

from recollect.errors import InvalidInputError
from recollect.memory.maintenance.files import missing_place, store_file
from recollect.stores import open_store, with_plain_scheme
from recollect.types.clock import utc_now

_POSTGRES = ("postgresql://", "postgres://")


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """What ``migrate`` found and did.

    Attributes:
        before: The format the store had; 0 for one without tables.
        newest: The format of this version of Recollect.
        after: The format the store has now.
    """

    before: int
    newest: int
    after: int

    @property
    def needed(self) -> bool:
        """Whether there was anything to do."""
        return self.before < self.newest


def migrate(target: str | PathLike[str], *, check: bool = False) -> Migration:
    """Bring a store to today's format, as opening it would.

    Args:
        target: The path of an existing file, or the URL of a database.
        check: Only look; change nothing.

    Raises:
        InvalidInputError: There is no such file, or this kind of store has no format of its own.
        StoreFormatError: A newer Recollect wrote it, or another program.
        StoreError: It cannot be opened or changed.
    """
    check_filled(target)
    before, newest = _stored_format(target)
    if before == newest or check:
        return Migration(before=before, newest=newest, after=before)
    open_store(target, clock=utc_now).close()
    return Migration(before=before, newest=newest, after=_stored_format(target)[0])


def make_vector_index(target: str) -> int:
    """Make a PostgreSQL store's index over vectors, for users too large for a shadow; returns its size.

    Raises:
        InvalidInputError: It is no PostgreSQL store, or nothing is stored in it yet.
        StoreError: The server has no pgvector, or the role may not create it; nothing was made.
    """
    if not _is_postgres(target):
        raise InvalidInputError("only a PostgreSQL store has an index over vectors to make")
    store = open_store(target, clock=utc_now)
    try:
        return store.make_vector_index()  # type: ignore[attr-defined, no-any-return]
    finally:
        store.close()


def distribute(target: str, *, check: bool = False) -> list[str]:
    """Spread a PostgreSQL store over the servers of a Citus cluster, each user whole on one.

    Its tables are made when they are missing. Either all of it is done or nothing; again, it does nothing.

    Args:
        target: The URL of the coordinator.
        check: Only look; change nothing.

    Returns:
        The tables that were spread now, or would be.

    Raises:
        InvalidInputError: It is no PostgreSQL store.
        StoreError: There is no Citus, or it has no servers to spread it over; nothing was changed.
        StoreFormatError: A newer Recollect wrote it, or another program.
    """
    if not _is_postgres(target):
        raise InvalidInputError("only a PostgreSQL store can be spread over the servers of a Citus cluster")
    from recollect.stores.postgres.citus import distribute as spread

    return spread(target, check=check)


def is_empty_database(target: str | PathLike[str]) -> bool:
    """Whether the URL of a PostgreSQL database is meant that has no tables of ours; makes none.

    Raises:
        StoreFormatError: A newer Recollect wrote it, or another program.
        StoreError: It cannot be reached.
    """
    return _is_postgres(target) and _stored_format(target)[0] == 0


def check_filled(target: str | PathLike[str]) -> None:
    """Refuse a path where no store is: looking at one must not make one."""
    missing = missing_place(target)
    if missing is not None:
        raise InvalidInputError(f"there are no memories in {missing} yet; make them: recollect init, or add")


def _is_postgres(target: str | PathLike[str]) -> bool:
    return with_plain_scheme(fspath(target)).startswith(_POSTGRES)


def _stored_format(target: str | PathLike[str]) -> tuple[int, int]:
    if _is_postgres(target):
        from recollect.stores.postgres.upkeep import stored_format as of_database

        return of_database(fspath(target))
    if not fspath(target).strip():
        raise InvalidInputError("the path of the store is blank; name a file such as brain.db")
    file = store_file(target)
    if file is None:
        kind = fspath(target).partition("://")[0]  # the rest may hold a key
        raise InvalidInputError(f"a store in {kind} has no format to migrate")
    from recollect.stores.sqlite.upkeep import stored_format as of_file

    return of_file(file)
