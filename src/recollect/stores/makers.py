"""Whose vectors a store takes."""

from collections.abc import Iterable

from recollect.errors import EmbedderMismatchError
from recollect.protocols import Features


def check_makers(
    features: Iterable[Features | None], *, embedder: str | None, dimensions: str | None
) -> None:
    """Refuse vectors that are not by the store's embedder: another process may have exchanged all of them.

    Args:
        features: What is to be stored; None for entries that leave their words as they are.
        embedder: The store's setting of that name.
        dimensions: The store's setting of that name.

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
                f"with that embedder, or make them anew: recollect reembed --embedder {made.embedder!r}"
            )
