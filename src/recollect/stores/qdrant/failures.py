"""What the client, the server and the embedded files raise, as the errors of Recollect."""

import errno
import pickle
import sqlite3
from typing import Final

from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

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
from recollect.stores.checks import Meaning, explained

_BUSY_FOLDER: Final[Meaning] = (
    StoreBusyError,
    "{name} is open in another process; close it there, or run a Qdrant server for several",
)
_FULL: Final[Meaning] = (StoreFullError, "no space is left for {name}; free some and try again")
_READ_ONLY: Final[Meaning] = (StoreReadOnlyError, "{name} cannot be written ({said}); check its permissions")
_DAMAGED: Final[Meaning] = (StoreCorruptError, "{name} is damaged ({said}); restore a backup")
_OTHERWISE: Final[Meaning] = (StoreError, "{name}: {said}")

_STATUS: Final[dict[int | None, Meaning]] = {
    401: (StoreError, "{name} refused the api_key, or wants one"),
    403: (StoreReadOnlyError, "{name} refused the api_key; it must be valid and allowed to write"),
    404: (StoreFormatError, "a collection is gone from {name} ({said}); restore a backup"),
    429: (StoreBusyError, "{name} takes no more requests now; try again later"),
    503: (StoreBusyError, "{name} is not available now; try again later"),
    507: _FULL,
}
"""Answers of a server."""


def named(error: Exception, *, name: str) -> RecollectError:
    """The error of Recollect for one of the client; ``name`` holds no key."""
    source = error.source if isinstance(error, ResponseHandlingException) else error
    return explained(source, _meaning(error), name=name)


def _meaning(error: Exception) -> Meaning:
    if isinstance(error, UnexpectedResponse):
        return _FULL if b"No space left" in error.content else _STATUS.get(error.status_code, _OTHERWISE)
    if isinstance(error, ResourceExhaustedResponse):
        return _STATUS[429]
    if isinstance(error, ResponseHandlingException):
        return (
            StoreError,
            (
                "{name} cannot be reached, or did not answer in time ({said}); what was acknowledged is "
                "stored, what was not may be sent again with its idempotency key"
            ),
        )
    return _of_files(error)


def _of_files(error: Exception) -> Meaning:
    """The meaning of an error of the embedded mode."""
    text = str(error)
    if "already accessed by another instance" in text:
        return _BUSY_FOLDER
    if "instance is closed" in text:
        return ClosedError, "the store {name} was closed; open it again"
    if isinstance(error, OSError):
        return {errno.ENOSPC: _FULL, errno.EACCES: _READ_ONLY, errno.EROFS: _READ_ONLY}.get(
            error.errno or 0, _OTHERWISE
        )
    if isinstance(error, sqlite3.Error):
        if "full" in text:
            return _FULL
        return _READ_ONLY if "readonly" in text else _DAMAGED
    return _DAMAGED if isinstance(error, (pickle.UnpicklingError, EOFError)) else _OTHERWISE
