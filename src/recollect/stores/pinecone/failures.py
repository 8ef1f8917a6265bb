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

Named = tuple[type[RecollectError], str]
"""A class of ours, and what to say."""

_OTHERWISE: Final[Named] = (StoreError, "{name}: {said}")
_BUSY: Final[Named] = (StoreBusyError, "{name} takes no more requests now; try again later")
_AWAY: Final[Named] = (StoreBusyError, "{name} is not available now; try again later")
_SILENT: Final[Named] = (
    StoreError,
    (
        "{name} cannot be reached, or did not answer in time; what was acknowledged is stored, what was not "
        "may be sent again with its idempotency key"
    ),
)
_STATUS: Final[dict[int, Named]] = {
    401: (StoreError, "{name} refused the api_key; it must be one of the project that has the index"),
    402: (StoreFullError, "the plan of {name} allows no more; see the project's usage"),
    403: (
        StoreReadOnlyError,
        "{name} refused the api_key, or a limit of the plan; it must be allowed to write",
    ),
    404: (StoreFormatError, "{name} is gone; make it again, or bring a backup back"),
    429: _BUSY,
    500: (StoreError, "{name} failed by itself; what was not acknowledged may be sent again"),
    502: _AWAY,
    503: _AWAY,
    504: _SILENT,
}
"""Answers of the service, after the client asked again."""


def named(error: Exception, *, name: str) -> RecollectError:
    """The error of Recollect for one of the client.

    Args:
        error: What was raised.
        name: What messages call the store; without its key.
    """
    kind, text = _named(error)
    return kind(text.format(name=name, said=_said(error)))


def _named(error: Exception) -> Named:
    if isinstance(error, ApiError):
        return _STATUS.get(error.status_code, _OTHERWISE)
    if isinstance(error, (PineconeConnectionError, PineconeTimeoutError)):
        return _SILENT
    return _OTHERWISE


def _said(error: Exception) -> str:
    """The first line of what was said."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
