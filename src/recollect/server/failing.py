"""What is said of an error: to clients what kind it is, to the log what may be needed to mend it.

What a server of models says of a request may repeat that request, memories and all, and tells which provider
and whose account is behind. So clients are told a fixed sentence, and the log gets no words of it either.
"""

import logging
import re
from typing import Final

from recollect.errors import (
    BudgetExceededError,
    EmbedderError,
    EmbedderMismatchError,
    ModelAnswerError,
    ModelError,
    RecollectError,
)

_LOG: Final = logging.getLogger("recollect.server")
_SAID: Final[tuple[tuple[type[RecollectError], str], ...]] = (
    (BudgetExceededError, "the budget for models is spent; nothing was asked"),
    (ModelAnswerError, "the language model gave no answer that can be used"),
    (ModelError, "the language model failed, or cannot be reached"),
    (
        EmbedderMismatchError,
        "the memories were made with another embedder; recollect reembed makes them anew",
    ),
    (EmbedderError, "the embedder failed, or cannot be reached"),
)
"""What clients are told of whatever a model or an embedder is to blame for; the first class that fits."""
_WORD: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def told_of(error: RecollectError) -> str:
    """What a client is told: the error's own message, unless others may have written a part of it."""
    said = next((said for kind, said in _SAID if isinstance(error, kind)), None)
    if said is None:
        return str(error)
    return f"{said}; it may work later" if getattr(error, "transient", False) else said


def note(error: RecollectError, *, request_id: str | None) -> None:
    """Write into the log what a model or an embedder failed with, if one did: kinds and codes, no words."""
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
    _LOG.warning("a model or an embedder failed", extra=told)


def _causes(error: BaseException) -> list[BaseException]:
    """What an error was raised from, the nearest first."""
    found: list[BaseException] = []
    now = error.__cause__
    while now is not None and now not in found:
        found.append(now)
        now = now.__cause__
    return found


def _status_of(error: BaseException) -> int | None:
    """The HTTP status a provider answered with."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _code_of(error: BaseException) -> str | None:
    """A provider's own name for what went wrong, such as ``invalid_api_key``; nothing longer than a word."""
    code = getattr(error, "code", None)
    return code if isinstance(code, str) and _WORD.fullmatch(code) else None
