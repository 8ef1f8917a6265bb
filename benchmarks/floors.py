"""What the parts of a search cost at least: exact vector search and BM25 over the same texts, by others.

Run as a process of its own, like the stages: ``python -m benchmarks.floors '{"size": ..., ...}'``.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.generate import texts
from benchmarks.measuring import time_calls
from recollect.embedders import open_embedder
from recollect.text.analyse import Analyser

_TOP_K = 10


def numpy_floor(said: list[str], questions: Sequence[str]) -> dict[str, float]:
    """A ``float32`` matrix product and the ten largest, the question's embedding included."""
    embedder = open_embedder("static")
    vectors = np.concatenate(
        [embedder.embed_documents(said[i : i + 1_000]) for i in range(0, len(said), 1_000)]
    )

    def ask(question: str) -> list[int]:
        cosine = vectors @ embedder.embed_query(question)
        best = np.argpartition(cosine, -_TOP_K)[-_TOP_K:]
        found: list[int] = best[np.argsort(-cosine[best])].tolist()
        return found

    return time_calls(ask, questions)


def bm25s_floor(said: list[str], questions: Sequence[str]) -> dict[str, float]:
    """``bm25s`` over the project's stems, on one thread, the question's stemming included."""
    import bm25s

    analyser = Analyser()
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index([analyser.stems(text) for text in said], show_progress=False)

    def ask(question: str) -> object:
        stems = [analyser.query_stems(question)]
        return index.retrieve(stems, k=_TOP_K, show_progress=False, n_threads=0)

    return time_calls(ask, questions)


def floors(size: int, questions: str) -> dict[str, Any]:
    """Both floors for the first ``size`` texts."""
    said = texts(size, seed=0)
    asked = json.loads(Path(questions).read_text(encoding="utf-8"))
    return {"numpy": numpy_floor(said, asked), "bm25s": bm25s_floor(said, asked)}


if __name__ == "__main__":
    print(json.dumps(floors(**json.loads(sys.argv[1]))))
