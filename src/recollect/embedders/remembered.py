"""The embedder of a store that was filled before."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.embedders import REPLACED, open_embedder
from recollect.protocols import Embedder


class Replaced:
    """Stands in for an embedder that is no longer shipped: its store is searched by words until re-embedded.

    Args:
        name: Its name.
        dimensions: Of its vectors in the store.
    """

    def __init__(self, name: str, dimensions: int) -> None:
        self.name = name
        self._dimensions = dimensions

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Zero vectors."""
        return np.zeros((len(texts), self._dimensions), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """A zero vector."""
        vector: NDArray[np.float32] = self.embed_documents([text])[0]
        return vector


class Remembered:
    """The embedder a store remembers, opened when its first vector is needed.

    So one can list and delete memories whose embedder is slow to load, or not installed here.

    Args:
        name: Its name.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._embedder: Embedder | None = None

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``Embedder.embed_documents``."""
        return self._opened().embed_documents(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """See ``Embedder.embed_query``."""
        return self._opened().embed_query(text)

    def _opened(self) -> Embedder:
        if self._embedder is None:
            dimensions = REPLACED.get(self.name)
            self._embedder = Replaced(self.name, dimensions) if dimensions else open_embedder(self.name)
        return self._embedder
