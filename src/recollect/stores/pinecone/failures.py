"""What the client and the service raise, as the errors of Recollect."""

from typing import Final

from pinecone.errors import ApiError, PineconeConnectionError, PineconeTimeoutError

from recollect.errors import (
    RecollectError,
    StoreBusyError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.stores.checks import Meaning, explained

_OTHERWISE: Final[Meaning] = (StoreError, "{name}: {said}")
_BUSY: Final[Meaning] = (StoreBusyError, "{name} takes no more requests now; try again later")
_AWAY: Final[Meaning] = (StoreBusyError, "{name} is not available now; try again later")
_SILENT: Final[Meaning] = (
    StoreError,
    (
        "{name} cannot be reached, or did not answer in time; what was acknowledged is stored, what was not "
        "may be sent again with its idempotency key"
    ),
)
_STATUS: Final[dict[int, Meaning]] = {
    401: (StoreError, "{name} refused the api_key; it must be one of the project that has the index"),
    402: (StoreFullError, "the plan of {name} allows no more; see the project's usage"),
    403: (
        StoreReadOnlyError,
        "{name} refused the api_key, or a limit of the plan; it must be allowed to write",
    ),
    404: (StoreFormatError, "{name} is gone; make it again, or restore a backup"),
    429: _BUSY,
    500: (StoreError, "{name} failed by itself; what was not acknowledged may be sent again"),
    502: _AWAY,
    503: _AWAY,
    504: _SILENT,
}
"""Answers of the service, after the client asked again."""


def named(error: Exception, *, name: str) -> RecollectError:
    """The error of Recollect for one of the client; ``name`` holds no key."""
    return explained(error, _meaning(error), name=name)


def _meaning(error: Exception) -> Meaning:
    if isinstance(error, ApiError):
        return _STATUS.get(error.status_code, _OTHERWISE)
    if isinstance(error, (PineconeConnectionError, PineconeTimeoutError)):
        return _SILENT
    return _OTHERWISE
