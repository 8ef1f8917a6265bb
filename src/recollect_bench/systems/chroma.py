# /// script
# dependencies = ["chromadb==1.5.9"]
# ///
"""Chroma in a folder, with Recollect's vectors.

Its own embedder, all-MiniLM-L6-v2, is downloaded at first use and is not compared here. In its favour: a
collection for each user, cosine, and a wide search (`ef_search` 200).
"""

from collections.abc import Sequence

import chromadb

from recollect_bench.worker import Turn, Vectors


class System:
    """One collection for each user."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        self._vectors = vectors
        settings = chromadb.config.Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(folder, settings=settings)
        self._collections: dict[str, chromadb.Collection] = {}

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        lines = [turn.line for turn in turns]
        self._of(user).add(
            ids=[turn.id for turn in turns], documents=lines, embeddings=self._vectors.documents(lines)
        )

    def delete(self, user: str, name: str) -> None:
        self._of(user).delete(ids=[name])

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        found = self._of(user).query(
            query_embeddings=[self._vectors.query(query)], n_results=limit, include=["distances"]
        )
        return [(name, 1 - far) for name, far in zip(found["ids"][0], found["distances"][0], strict=True)]

    def close(self) -> None:
        self._collections.clear()

    def _of(self, user: str) -> chromadb.Collection:
        if user not in self._collections:
            self._collections[user] = self._client.create_collection(
                f"user-{len(self._collections)}",
                embedding_function=None,
                configuration={"hnsw": {"space": "cosine", "ef_search": 200}},
            )
        return self._collections[user]
