# /// script
# dependencies = ["langgraph==1.2.24", "numpy==2.3.5"]
# ///
"""LangGraph's long-term memory, `InMemoryStore`, with an index over vectors.

It has no embedder of its own, so it gets Recollect's. In its favour: NumPy is installed, which makes it
quicker, and the speaker's name stands before each turn.
"""

from collections.abc import Sequence
from typing import Any

from langgraph.store.memory import InMemoryStore

from recollect_bench.worker import Turn, Vectors


class System:
    """One namespace for each user."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        index = {"dims": vectors.dimensions, "embed": vectors.documents, "fields": ["text"]}
        self._store: Any = InMemoryStore(index=index)

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        for turn in turns:
            self._store.put((user,), turn.id, {"text": turn.line})

    def delete(self, user: str, name: str) -> None:
        self._store.delete((user,), name)

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        found = self._store.search((user,), query=query, limit=limit)
        return [(item.key, item.score or 0.0) for item in found]

    def close(self) -> None:
        self._store = None
