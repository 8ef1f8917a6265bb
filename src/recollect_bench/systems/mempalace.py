# /// script
# dependencies = ["mempalace==3.11.0"]
# ///
"""MemPalace: a drawer for each turn, with Recollect's vectors over its embedding API.

Its own embedder is downloaded at first use and is not compared here. In its favour: candidates by words and
by vectors (`union`), English stop words, a wing for each user, and the speaker's name before each turn.
"""

import os
from collections.abc import Sequence

from recollect_bench.worker import Turn, Vectors


class System:
    """One palace."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        os.environ["MEMPALACE_EMBEDDING_MODEL"] = "openai-compat"
        os.environ["MEMPALACE_EMBEDDING_API_URL"] = vectors.serve()
        os.environ["MEMPALACE_EMBEDDING_API_MODEL"] = "shared"
        from mempalace.convo_miner import file_conversation_exchange
        from mempalace.palace import get_collection
        from mempalace.searcher import search_memories

        self._file, self._search = file_conversation_exchange, search_memories
        self._palace = f"{folder}/palace"
        os.mkdir(self._palace)
        self._collection = get_collection(self._palace, create=True)
        self._turn_of: dict[str, str] = {}

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        for turn in turns:
            drawer = self._file(
                self._collection,
                wing=user,
                room="talk",
                text=turn.line,
                source_file=turn.id,
                agent="bench",
                authored_at=turn.time.isoformat() if turn.time else None,
            )
            self._turn_of[drawer] = turn.id

    def delete(self, user: str, name: str) -> None:
        self._collection.delete(ids=[drawer for drawer, turn in self._turn_of.items() if turn == name])

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        found = self._search(
            query, self._palace, wing=user, n_results=limit, candidate_strategy="union", lang="en"
        )
        return [(self._turn_of[one["drawer_id"]], one["similarity"] or 0.0) for one in found["results"]]

    def close(self) -> None:
        self._turn_of.clear()
