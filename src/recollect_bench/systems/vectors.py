"""The cosine of vectors, nothing else: what Recollect's bundled embedder is worth by itself.

In its favour: every vector is compared (no approximate index).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect_bench.worker import Turn, Vectors


class System:
    """Vectors in memory."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        self._vectors = vectors
        self._known: dict[str, dict[str, NDArray[np.float32]]] = {}

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        made = self._vectors.documents([turn.line for turn in turns])
        for turn, vector in zip(turns, made, strict=True):
            self._known.setdefault(user, {})[turn.id] = np.array(vector, np.float32)

    def delete(self, user: str, name: str) -> None:
        del self._known[user][name]

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        known = self._known.get(user, {})
        if not known:
            return []
        scores = np.stack(list(known.values())) @ np.array(self._vectors.query(query), np.float32)
        names = list(known)
        return [(names[row], float(scores[row])) for row in np.argsort(-scores, kind="stable")[:limit]]

    def close(self) -> None:
        self._known.clear()
