"""Every error Recollect raises.

::

    RecollectError
    ├── InvalidInputError        an argument cannot be used; nothing was stored
    │   ├── ContextOverflowError     what a prompt may never leave out does not fit into its budget
    │   ├── UnclearFileError         a file does not say something that an option must say
    │   └── ExportedFolderError      a file to import is a folder of Markdown that Recollect exported
    ├── NotFoundError            no such memory in this scope
    ├── MissingExtraError        an optional package is not installed
    ├── ClosedError              the memory was closed
    ├── EmbedderError            the embedder failed
    │   └── EmbedderMismatchError    the store was written with another embedder
    ├── ModelError               the language model's server failed, or could not be reached
    │   ├── ModelAnswerError     it answered, with something that cannot be used
    │   └── BudgetExceededError  the budget is spent; nothing was sent
    └── StoreError               the store failed; nothing acknowledged was lost
        ├── StoreBusyError       another process kept the file locked
        ├── StoreReadOnlyError   the file or its folder cannot be written
        ├── StoreFullError       no space is left
        ├── StoreCorruptError    the file is damaged
        └── StoreFormatError     not a Recollect store, or one from a newer version
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "BudgetExceededError",
    "ClosedError",
    "ContextOverflowError",
    "EmbedderError",
    "EmbedderMismatchError",
    "ExportedFolderError",
    "InvalidInputError",
    "MissingExtraError",
    "ModelAnswerError",
    "ModelError",
    "NotFoundError",
    "RecollectError",
    "StoreBusyError",
    "StoreCorruptError",
    "StoreError",
    "StoreFormatError",
    "StoreFullError",
    "StoreReadOnlyError",
    "UnclearFileError",
]

_GIVEN: Final = 80


def as_given(value: object) -> str:
    """A value that was given, as a message names it: its ``repr``, and only the first 80 characters of it."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a caller's own repr may raise anything
        return f"that {type(value).__name__}"
    return text if len(text) <= _GIVEN else f"{text[:_GIVEN]}..."


class RecollectError(Exception):
    """The root: catch this to catch everything Recollect raises on purpose."""


class InvalidInputError(RecollectError, ValueError):
    """An argument cannot be used. The message names it and says what to do; nothing was stored."""


class ContextOverflowError(InvalidInputError):
    """What may never be left out of a prompt does not fit into its budget; no prompt was made."""


class UnclearFileError(InvalidInputError):
    """A file to import does not say something that an option must say.

    Attributes:
        option: Which one: ``me``, ``owner``, ``date_order``, ``timezone``, ``columns`` or ``format``.
        choices: What the file offers for it: names, orders, zones, columns or formats; empty
            where anything may be.
    """

    def __init__(self, message: str, *, option: str, choices: "Iterable[str]") -> None:
        super().__init__(message)
        self.option = option
        self.choices = tuple(choices)


class ExportedFolderError(InvalidInputError):
    """A file to import is a folder of Markdown that Recollect exported: ``apply`` reads its edits back."""


class NotFoundError(RecollectError, LookupError):
    """No memory with this id is in this scope (it may exist in another one, which is not said)."""


class MissingExtraError(RecollectError, ImportError):
    """An optional package is needed and not installed.

    Args:
        feature: What needs it, as the user knows it.
        extra: The extra of Recollect that brings it.
    """

    def __init__(self, feature: str, *, extra: str) -> None:
        super().__init__(f"{feature} needs an extra: pip install 'recollect[{extra}]'")
        self.extra = extra


class ClosedError(RecollectError):
    """The memory was closed; open a new one."""


class EmbedderError(RecollectError):
    """The embedder failed or returned something that is not a vector per text."""


class EmbedderMismatchError(EmbedderError):
    """The store's vectors were made by another embedder; ``reembed`` makes them again."""


class ModelError(RecollectError):
    """The language model gave no answer.

    Attributes:
        transient: Whether the same call may succeed later: time-outs, 429, 5xx, broken streams.
        retry_after_s: How many seconds the server asked to wait; None when it did not say.
        partial: What a stream had said until it broke; ``""`` for any other error.
    """

    def __init__(
        self,
        message: str,
        *,
        transient: bool = False,
        retry_after_s: float | None = None,
        partial: str = "",
    ) -> None:
        super().__init__(message)
        self.transient = transient
        self.retry_after_s = retry_after_s
        self.partial = partial


class ModelAnswerError(ModelError):
    """The model answered, with something that cannot be used: a refusal, nothing, or not JSON."""


class BudgetExceededError(ModelError):
    """The model's budget is spent. Nothing was sent; ``reset_usage`` begins a new count."""


class StoreError(RecollectError):
    """The store failed. What was acknowledged before is still there."""


class StoreBusyError(StoreError):
    """Another process kept the file locked for longer than the time-out."""


class StoreReadOnlyError(StoreError):
    """The store cannot be written; check the permissions of the file and its folder."""


class StoreFullError(StoreError):
    """No space is left where the store lies; the interrupted write left nothing behind."""


class StoreCorruptError(StoreError):
    """The file is damaged; ``recollect doctor`` says how much, ``restore`` brings a backup back."""


class StoreFormatError(StoreError):
    """The file is not a Recollect store, or was written by a newer version of Recollect."""
