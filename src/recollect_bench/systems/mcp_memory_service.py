# /// script
# dependencies = ["mcp-memory-service==12.4.0", "pysqlite3-binary==0.5.4"]
# ///
"""mcp-memory-service: its SQLite store and hybrid search, with Recollect's vectors over its embedding API.

Its own embedder, all-MiniLM-L6-v2, is downloaded at first use and is not compared here. In its favour: hybrid
search, a partition for each user, no rejection of what resembles another memory, the speaker's name before
each turn, and a SQLite that loads extensions, which many Pythons lack.
"""

import asyncio
import hashlib
import os
import sys
from collections.abc import Sequence

import pysqlite3

from recollect_bench.worker import Turn, Vectors

sys.modules["sqlite3"] = pysqlite3


class System:
    """One database; the partition of a user is what it calls a store."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        os.environ["MCP_EXTERNAL_EMBEDDING_URL"] = f"{vectors.serve()}/v1/embeddings"
        os.environ["MCP_MEMORY_STORAGE_BACKEND"] = "sqlite_vec"
        os.environ["MCP_MEMORY_BASE_DIR"] = folder
        from mcp_memory_service.models.memory import Memory
        from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage

        self._memory = Memory
        self._storage = SqliteVecMemoryStorage(f"{folder}/memory.db")
        self._loop = asyncio.new_event_loop()
        self._loop.run_until_complete(self._storage.initialize())
        self._turn_of: dict[str, str] = {}

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        made = []
        for turn in turns:
            name = hashlib.sha256(turn.id.encode()).hexdigest()
            self._turn_of[name] = turn.id
            said = turn.time.timestamp() if turn.time else None
            made.append(self._memory(content=turn.line, content_hash=name, created_at=said))
        stored = self._loop.run_until_complete(self._storage.store_batch(made, store=user))
        refused = [why for done, why in stored if not done]
        if refused:
            raise RuntimeError(refused[0])

    def delete(self, user: str, name: str) -> None:
        self._loop.run_until_complete(self._storage.delete(hashlib.sha256(name.encode()).hexdigest(), user))

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        asked = self._storage.retrieve_hybrid(query, n_results=limit, store=user)
        found = self._loop.run_until_complete(asked)
        return [(self._turn_of[one.memory.content_hash], one.relevance_score) for one in found]

    def close(self) -> None:
        self._loop.run_until_complete(self._storage.close())
