# /// script
# dependencies = ["lancedb==0.40.0", "pyarrow>=17"]
# ///
"""LanceDB in a folder: words and vectors, joined by their ranks, with Recollect's vectors.

In its favour: hybrid search with its reranker by reciprocal ranks, English stems without stop words, vectors
compared without an approximate index, and a table for each user.
"""

from collections.abc import Sequence
from typing import Any

import lancedb
from lancedb.index import FTS
from lancedb.rerankers import RRFReranker

from recollect_bench.worker import Turn, Vectors


class System:
    """One table for each user, its index of words made anew after something was added."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        self._vectors = vectors
        self._db = lancedb.connect(folder)
        self._tables: dict[str, Any] = {}
        self._stale: set[str] = set()

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        lines = [turn.line for turn in turns]
        made = self._vectors.documents(lines)
        rows = [
            {"id": turn.id, "line": line, "vector": vector}
            for turn, line, vector in zip(turns, lines, made, strict=True)
        ]
        if user in self._tables:
            self._tables[user].add(rows)
        else:
            self._tables[user] = self._db.create_table(f"user-{len(self._tables)}", rows)
        self._stale.add(user)

    def delete(self, user: str, name: str) -> None:
        quoted = name.replace("'", "''")
        self._tables[user].delete(f"id = '{quoted}'")

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        if user not in self._tables:
            return []
        table = self._tables[user]
        if user in self._stale:
            table.create_index("line", config=FTS(stem=True, remove_stop_words=True), replace=True)
            self._stale.discard(user)
        asked = table.search(query_type="hybrid").vector(self._vectors.query(query)).text(query)
        rows = asked.distance_type("cosine").rerank(RRFReranker()).limit(limit).to_list()
        return [(row["id"], row["_relevance_score"]) for row in rows]

    def close(self) -> None:
        self._tables.clear()
