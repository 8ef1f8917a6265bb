"""What every store checks of what it is given, and how it reports the errors of its client."""

from collections.abc import Iterable

from recollect.errors import EmbedderMismatchError, InvalidInputError, RecollectError
from recollect.protocols import Entry, Features
from recollect.types import MemoryRecord

Meaning = tuple[type[RecollectError], str]
"""An error class of Recollect, and its message."""


def check_makers(
    features: Iterable[Features | None], *, embedder: str | None, dimensions: str | None
) -> None:
    """Refuse vectors that are not by the store's embedder; another process may have replaced them.

    Raises:
        EmbedderMismatchError: A vector is by another embedder, or has another size.
    """
    for made in features:
        if made is None:
            continue
        by_another = embedder is not None and made.embedder not in ("", embedder)
        if by_another or (dimensions is not None and len(made.vector) != int(dimensions)):
            raise EmbedderMismatchError(
                f"the store now holds vectors of {dimensions} dimensions by {embedder!r}; open it again "
                f"with that embedder, or make them again: recollect reembed --embedder {made.embedder!r}"
            )


def check_recovered(before: MemoryRecord, entry: Entry) -> Entry:
    """Return the entry if it can replace a deleted memory.

    Raises:
        InvalidInputError: It has another id or scope, or no features.
    """
    if entry.record.id != before.id or entry.record.scope != before.scope:
        raise InvalidInputError(f"the memory {before.id!r} cannot come back with another id or scope")
    if entry.features is None:
        raise InvalidInputError(f"the memory {before.id!r} cannot come back without features")
    return entry


def explained(error: Exception, meaning: Meaning, **known: object) -> RecollectError:
    """The error of Recollect for an error of a client; ``{said}`` in its text is the first line of that.

    >>> explained(ValueError("odd"), (RecollectError, "{name}: {said}"), name="the store")
    RecollectError('the store: odd')
    """
    kind, text = meaning
    said = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return kind(text.format(said=said, **known))
