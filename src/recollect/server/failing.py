"""Error messages for clients, and log entries for the operator.

A model provider's error message may quote the request, with the user's memories, and reveal the provider and
the account. A store's names its path or address. So clients get a fixed sentence, and the log gets types and
codes, and of a store's error the first line, which holds no row.
"""

import logging
from typing import Final

from recollect.errors import (
    BudgetExceededError,
    EmbedderError,
    EmbedderMismatchError,
    ModelAnswerError,
    ModelError,
    RecollectError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.types.regex import lazy_regex

_LOG: Final = logging.getLogger("recollect.server")
_SAID: Final[tuple[tuple[type[RecollectError], str], ...]] = (
    (BudgetExceededError, "the budget for models is spent; nothing was asked"),
    (ModelAnswerError, "the language model gave no answer that can be used"),
    (ModelError, "the language model failed, or cannot be reached"),
    (
        EmbedderMismatchError,
        "the memories were made with another embedder; recollect reembed makes them again",
    ),
    (EmbedderError, "the embedder failed, or cannot be reached"),
    (StoreBusyError, "the store is busy, or a filter took too long; try again, or give fewer conditions"),
    (StoreFullError, "no space is left for the store; nothing was written"),
    (StoreReadOnlyError, "the store cannot be written"),
    (StoreCorruptError, "the store is damaged; who runs the server can mend it: recollect doctor --rebuild"),
    (StoreError, "the store failed, or cannot be reached"),
)
"""What clients get for errors of models, embedders and stores; the first matching class counts."""
_WORD: Final = lazy_regex(r"[A-Za-z0-9_.-]{1,64}")


def told_of(error: RecollectError) -> str:
    """Return the message for a client: the error's own, unless a model, embedder or store has part in it."""
    said = next((said for kind, said in _SAID if isinstance(error, kind)), None)
    if said is None:
        return str(error)
    return f"{said}; it may work later" if getattr(error, "transient", False) else said


def note(error: RecollectError, *, request_id: str | None) -> None:
    """Log an error of a model, embedder or store by its types and codes."""
    if not isinstance(error, tuple(kind for kind, _ in _SAID)):
        return
    causes = _causes(error)
    told = {
        "request_id": request_id,
        "kind": type(error).__name__,
        "transient": getattr(error, "transient", False),
        "causes": [type(one).__name__ for one in causes],
        "status": next(filter(None, map(_status_of, causes)), None),
        "code": next(filter(None, map(_code_of, causes)), None),
    }
    if isinstance(error, StoreError):
        _LOG.warning("the store failed", extra=told | {"detail": str(error).partition("\n")[0]})
    else:
        _LOG.warning("a model or an embedder failed", extra=told)


def _causes(error: BaseException) -> list[BaseException]:
    """List the chain of causes, nearest first."""
    found: list[BaseException] = []
    now = error.__cause__
    while now is not None and now not in found:
        found.append(now)
        now = now.__cause__
    return found


def _status_of(error: BaseException) -> int | None:
    """Return the HTTP status of the provider's response."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _code_of(error: BaseException) -> str | None:
    """Return the provider's error code, such as ``invalid_api_key``, if it is a single word."""
    code = getattr(error, "code", None)
    return code if isinstance(code, str) and _WORD.fullmatch(code) else None
