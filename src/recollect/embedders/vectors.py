"""What every embedder does to texts and vectors: check them, bring them to unit length."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.errors import EmbedderError, InvalidInputError


def as_texts(texts: Sequence[str]) -> list[str]:
    """The texts as a list.

    Raises:
        InvalidInputError: ``texts`` is one string, which would be embedded letter by letter.
    """
    if isinstance(texts, str):
        raise InvalidInputError("texts must be a sequence of strings, not one string; use [text]")
    return list(texts)


def unit_rows(rows: NDArray[np.float32] | NDArray[np.int32]) -> NDArray[np.float32]:
    """Finite rows of shape ``(n, dim)`` scaled to unit length, as ``float32``; zero rows stay zero.

    >>> unit_rows(np.array([[3, 4], [0, 0]], dtype=np.int32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    wide = rows.astype(np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
    return (wide / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def checked_rows(raw: object, *, count: int, name: str) -> NDArray[np.float32]:
    """What a model returned for ``count`` texts, as unit rows: ``float32`` of shape ``(count, dim)``.

    Raises:
        EmbedderError: It is not one finite vector per text, all of one dimension.
    """
    try:
        with np.errstate(over="ignore"):
            rows = np.asarray(raw, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EmbedderError(f"{name} returned something that is not a table of numbers") from error
    if rows.ndim != 2 or len(rows) != count or rows.shape[1] == 0:  # noqa: PLR2004 - a table
        raise EmbedderError(f"{name} returned an array of shape {rows.shape} for {count} texts")
    if not np.isfinite(rows).all():
        raise EmbedderError(f"{name} returned a vector that holds NaN or infinity")
    return unit_rows(rows)
