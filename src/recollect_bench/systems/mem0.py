# /// script
# dependencies = ["mem0ai==2.2.1"]
# ///
"""mem0 without a language model: `add(infer=False)` keeps each message as it is, with Recollect's vectors.

With a language model, which it is made for, mem0 stores facts instead; that needs a key and is not compared
here. Its search by words needs a model of spaCy and one of fastembed, which are downloaded; without them it
searches by meaning alone. In its favour: no threshold for a hit, and the speaker's name before each turn.
"""

import os
from collections.abc import Sequence
from typing import Any

from recollect_bench.worker import Turn, Vectors


class Shared:
    """The shared vectors, as mem0 asks for them."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self._vectors.query(text) if memory_action == "search" else self._vectors.documents([text])[0]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text, memory_action) for text in texts]


class System:
    """One memory in Qdrant's local mode."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        os.environ["MEM0_DIR"] = folder
        os.environ["MEM0_TELEMETRY"] = "False"
        from mem0 import Memory

        store = {"path": f"{folder}/qdrant", "embedding_model_dims": vectors.dimensions, "on_disk": True}
        self._memory: Any = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "llm": {"provider": "openai", "config": {"api_key": "never used"}},
                "embedder": {"provider": "openai", "config": {"api_key": "never used"}},
                "history_db_path": f"{folder}/history.db",
            }
        )
        self._memory.embedding_model = Shared(vectors)
        self._turn_of: dict[str, str] = {}

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        for turn in turns:
            message = [{"role": turn.role, "content": turn.line}]
            (made,) = self._memory.add(message, user_id=user, infer=False)["results"]
            self._turn_of[made["id"]] = turn.id

    def delete(self, user: str, name: str) -> None:
        self._memory.delete(next(key for key, turn in self._turn_of.items() if turn == name))

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        found = self._memory.search(query, top_k=limit, filters={"user_id": user}, threshold=0.0)
        return [(self._turn_of[one["id"]], one["score"]) for one in found["results"]]

    def close(self) -> None:
        self._memory.vector_store.client.close()
