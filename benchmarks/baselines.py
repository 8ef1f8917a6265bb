"""What Recollect is compared with: each ranks the turns of a conversation by one idea alone."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Embedder
from recollect.text.analyse import Analyser

K1: Final = 1.2
B: Final = 0.75
"""Okapi BM25's textbook values."""


class BM25:
    """Okapi BM25 (Robertson and Zaragoza 2009) over the project's stems.

    Args:
        texts: What is searched.
        analyser: Cuts texts and questions into stems, as Recollect does.
    """

    def __init__(self, texts: Sequence[str], analyser: Analyser) -> None:
        self._analyser = analyser
        stems = [analyser.stems(text) for text in texts]
        lengths = np.array([len(text) for text in stems], np.float64)
        self._norm = K1 * (1 - B + B * lengths / max(lengths.mean(), 1.0))
        self._holders: dict[str, list[tuple[int, int]]] = {}
        for row, text in enumerate(stems):
            for stem, count in Counter(text).items():
                self._holders.setdefault(stem, []).append((row, count))

    def scores(self, query: str) -> NDArray[np.float64]:
        """The score of every row, ``float64`` of shape ``(n,)``; 0 where no word of the query is held."""
        scores = np.zeros(len(self._norm))
        for stem in self._analyser.query_stems(query):
            for row, count in self._holders.get(stem, ()):
                scores[row] += self._idf(stem) * count * (K1 + 1) / (count + self._norm[row])
        return scores

    def rank(self, query: str, limit: int) -> list[int]:
        """The rows that hold a word of the query, best first."""
        scores = self.scores(query)
        return [row for row in _best(scores, limit) if scores[row] > 0]

    def _idf(self, stem: str) -> float:
        holding = len(self._holders[stem])
        return float(np.log1p((len(self._norm) - holding + 0.5) / (holding + 0.5)))


class Vectors:
    """The cosine of the embedder's vectors, nothing else.

    Args:
        texts: What is searched.
        embedder: Makes the vectors, of unit length.
    """

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors = embedder.embed_documents(texts)

    def rank(self, query: str, limit: int) -> list[int]:
        """Rows, best first."""
        return _best(self._vectors @ self._embedder.embed_query(query), limit)


def _best(scores: NDArray[np.floating], limit: int) -> list[int]:
    """The best rows; equal scores in their order."""
    rows: list[int] = np.argsort(-scores, kind="stable")[:limit].tolist()
    return rows
