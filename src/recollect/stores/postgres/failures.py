"""What the driver raises, as the errors of Recollect."""

from typing import Final

import psycopg
from psycopg import errors as pg
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from recollect.errors import (
    ClosedError,
    RecollectError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.stores.checks import explained

_FULL: Final = ("too many clients", "too many connections", "connection slots", "no more connections")
_STARTING: Final = ("is starting up", "not yet accepting connections", "in recovery mode")


class NoConnectionError(psycopg.OperationalError):
    """No connection could be made; nothing was sent."""


def no_connection(error: psycopg.OperationalError) -> psycopg.OperationalError:
    """The error for a connection that could not be made, from that of the driver.

    When connecting fails the driver tells no cause but in words; those of a server in another language are
    not understood here, and are shown.
    """
    return pg.TooManyConnections(str(error)) if _says(error, _FULL) else NoConnectionError(str(error))


def is_passing(error: psycopg.OperationalError) -> bool:
    """Whether a server that refused a connection runs, and may accept one soon."""
    return _says(error, (*_FULL, *_STARTING))


def _says(error: Exception, words: tuple[str, ...]) -> bool:
    return any(word in str(error) for word in words)


_FAILURES: Final[tuple[tuple[tuple[type[Exception], ...], type[RecollectError], str], ...]] = (
    ((PoolClosed,), ClosedError, "the store {name} was closed; open it again"),
    (
        (PoolTimeout, TooManyRequests),
        StoreBusyError,
        (
            "no connection to {name} for {busy_s:g} s: all are in use, or the server opens no other; "
            "try again, or open with a larger pool_size"
        ),
    ),
    (
        (pg.TooManyConnections,),
        StoreBusyError,
        "{name} takes no more connections ({said}); try again, or open with a smaller pool_size",
    ),
    (
        (NoConnectionError,),
        StoreError,
        "{name} cannot be reached, or does not let this user in ({said})",
    ),
    (
        (pg.QueryCanceled,),
        StoreBusyError,
        (
            "{name} did not finish a statement in {statement_s:g} s; nothing was written; "
            "try again, or open with a longer statement_timeout_s"
        ),
    ),
    (
        (pg.LockNotAvailable, pg.DeadlockDetected, pg.SerializationFailure),
        StoreBusyError,
        "{name}: others were writing the same; nothing was written, try again",
    ),
    (
        (pg.ReadOnlySqlTransaction,),
        StoreReadOnlyError,
        (
            "{name} cannot be written ({said}): it is a replica, or was made read-only; "
            "give the URL of the primary"
        ),
    ),
    (
        (pg.InsufficientPrivilege, pg.InvalidSchemaName),
        StoreReadOnlyError,
        "{name} cannot be written ({said}); give the role the right to use and create in its schema",
    ),
    (
        (pg.DiskFull, pg.ConfigurationLimitExceeded),
        StoreFullError,
        "no space is left for {name}; free some and try again, nothing was lost",
    ),
    (
        (pg.DataCorrupted, pg.IndexCorrupted),
        StoreCorruptError,
        "{name} is damaged ({said}); restore a backup",
    ),
    (
        (pg.UndefinedTable, pg.UndefinedColumn),
        StoreFormatError,
        "{name} is not a store of this Recollect ({said})",
    ),
    (
        (pg.UndefinedObject,),
        StoreError,
        (
            "{name}: {said}; if that is of pgvector, it is in a schema that the URL does not name: add it to "
            "its search_path, then try again"
        ),
    ),
    (
        (psycopg.OperationalError,),
        StoreError,
        (
            "{name}: the connection was lost ({said}); what was acknowledged is stored, "
            "what was not may be sent again with its idempotency key"
        ),
    ),
    ((Exception,), StoreError, "{name}: {said}"),
)
"""Driver's errors, ours, and what to say; the first that fits is meant."""


def named(error: Exception, *, name: str, busy_s: float, statement_s: float) -> RecollectError:
    """The error of Recollect for one of the driver; ``name`` holds no password."""
    meaning = next((kind, text) for kinds, kind, text in _FAILURES if isinstance(error, kinds))
    return explained(error, meaning, name=name, busy_s=busy_s, statement_s=statement_s)
