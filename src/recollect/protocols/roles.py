"""The roles of a clock, a counter of tokens and an embedder."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Clock = Callable[[], datetime]
"""Returns the present moment as an aware ``datetime``."""

TokenCounter = Callable[[str], int]
"""Counts the tokens of a text as the language model will."""

EmbedFunction = Callable[[list[str]], object]
"""Returns a vector for each text of a list: a list of lists of numbers, or an array of shape ``(n, dim)``."""


@runtime_checkable
class Embedder(Protocol):
    """Turns text into vectors."""

    @property
    def name(self) -> str:
        """Identifies the vectors: equal names mean comparable vectors. A store remembers it."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors for texts to be stored.

        Returns:
            ``float32`` of shape ``(len(texts), dim)``; rows have unit length, or are zero when the
            embedder knows nothing in the text.

        Raises:
            EmbedderError: The embedder failed.
        """

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a query, ``float32`` of shape ``(dim,)``, unit length or zero."""
