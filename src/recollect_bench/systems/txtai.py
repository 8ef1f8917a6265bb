# /// script
# dependencies = ["txtai==9.14.0"]
# ///
"""txtai: words and vectors, joined by their scores, with Recollect's vectors.

In its favour: hybrid search, which it does not do by default, an exact index of vectors, and an index for
each user.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from txtai import Embeddings

from recollect_bench.worker import Turn, Vectors


class System:
    """One index for each user."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        self._indexes: dict[str, Any] = {}
        self._transform = lambda texts: np.array(vectors.documents(list(texts)), np.float32)

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        rows = [(turn.id, turn.line, None) for turn in turns]
        if user not in self._indexes:
            self._indexes[user] = Embeddings(
                method="external", transform=self._transform, hybrid=True, backend="numpy"
            )
        self._indexes[user].upsert(rows)

    def delete(self, user: str, name: str) -> None:
        self._indexes[user].delete([name])

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        return self._indexes[user].search(query, limit) if user in self._indexes else []

    def close(self) -> None:
        self._indexes.clear()
