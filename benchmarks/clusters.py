"""Is a search that looks at near clusters first as good as the default index, and as fast?"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.measuring import milliseconds, peak_memory_mb
from benchmarks.speed import run_module
from recollect.retrieval.clusters.index import ClusterIndex
from recollect.retrieval.rank import CANDIDATES
from recollect.retrieval.vectors import VectorColumn, quantise
from recollect_bench.provenance import provenance

SIZE: Final = 1_000_000
DIM: Final = 256
TOPICS: Final = 20_000
"""Middles that the vectors are drawn around; more than there are clusters."""
QUESTIONS: Final = 100
PROBES: Final = (4, 8, 16, 32, 64, 128)
TOP_K: Final = 10
_BLOCK: Final = 50_000

HOW: Final = (
    f"{SIZE:,} seeded vectors of {DIM} dimensions as int8: topics drawn at random, and around each its "
    "memories, nearer and further; a question is a vector beside a memory. Recall@10 is the share of "
    "the ten nearest by exact search that are found. Default index: a sketch of 64 directions, then "
    f"{CANDIDATES:,} rows exactly. Clusters: as many as the root of the number of memories. One thread, in a "
    "process of its own; times are of the search alone, without embedding or reading records."
)

Floats = NDArray[np.float32]


def run_clusters(size: int = SIZE) -> dict[str, object]:
    """Measure both; returns what the JSON file holds."""
    return {
        "benchmark": "clusters",
        "made": provenance(),
        "how": HOW,
        **run_module("benchmarks.clusters", json.dumps({"size": size})),
    }


def measured(size: int) -> dict[str, Any]:
    """The measurement itself."""
    chance = np.random.default_rng(0)
    topics = chance.standard_normal((TOPICS, DIM)).astype(np.float32)
    column, index = VectorColumn(), ClusterIndex(DIM)
    asked: list[Floats] = []
    for block in _blocks(size, topics, chance):
        column.append(block)
        index.add(block)
        asked += _questions(block, len(asked), size, chance)
    started = time.perf_counter()
    index.train()
    trained_s = time.perf_counter() - started
    exact = [_best(column.exact(query)) for query in asked]
    added = _added(index, topics, chance)
    return {
        "size": size,
        "clusters": len(index.centroids),
        "train_s": round(trained_s, 1),
        "assign_us_each": added,
        "exact": _timed(lambda query: _best(column.exact(query)), asked, exact),
        "default": _timed(lambda query: _default(column, query), asked, exact),
        "by_probes": {str(probes): _timed(_searcher(index, probes), asked, exact) for probes in PROBES},
        "peak_memory_mb": peak_memory_mb(),
    }


def _blocks(size: int, topics: Floats, chance: np.random.Generator) -> Iterator[NDArray[np.int8]]:
    for start in range(0, size, _BLOCK):
        yield _drawn(min(_BLOCK, size - start), topics, chance)


def _drawn(count: int, topics: Floats, chance: np.random.Generator) -> NDArray[np.int8]:
    spread = chance.uniform(0.3, 1.2, (count, 1)).astype(np.float32)
    noise = chance.standard_normal((count, DIM), np.float32)
    return quantise(topics[chance.integers(0, len(topics), count)] + spread * noise)


def _questions(block: NDArray[np.int8], there: int, size: int, chance: np.random.Generator) -> list[Floats]:
    wanted = min(QUESTIONS - there, max(1, QUESTIONS * len(block) // size))
    near = block[:wanted].astype(np.float32)
    moved = near + chance.standard_normal(near.shape, np.float32) * near.std(
        axis=1, keepdims=True
    ) * np.float32(0.5)
    return list(moved / np.linalg.norm(moved, axis=1, keepdims=True))


def _best(cosine: Floats) -> set[int]:
    return set(np.argpartition(-cosine, TOP_K)[:TOP_K].tolist())


def _default(column: VectorColumn, query: Floats) -> set[int]:
    """As ``Ranker.nearest`` does it."""
    cosine = column.rough(query)
    most = min(CANDIDATES, len(cosine) - 1)
    rows = np.argpartition(-cosine, most)[:most].astype(np.int32)
    if column.is_rough:
        column.sharpen(cosine, rows, query)
    return set(rows[np.argsort(-cosine[rows])[:TOP_K]].tolist())


def _searcher(index: ClusterIndex, probes: int) -> Any:
    return lambda query: set(index.search(query, top_k=TOP_K, probes=probes)[0].tolist())


def _timed(search: Any, asked: Sequence[Floats], exact: Sequence[set[int]]) -> dict[str, float]:
    spent, shared = [], 0
    for query, right in zip(asked, exact, strict=True):
        started = time.perf_counter()
        found = search(query)
        spent.append(time.perf_counter() - started)
        shared += len(found & right)
    return {**milliseconds(spent), "recall_at_10": round(shared / (TOP_K * len(asked)), 4)}


def _added(index: ClusterIndex, topics: Floats, chance: np.random.Generator) -> float:
    """Microseconds to give one new vector its cluster."""
    vectors = _drawn(1_000, topics, chance)
    started = time.perf_counter()
    index.add(vectors)
    spent = time.perf_counter() - started
    index.remove(np.arange(len(index) - 1_000, len(index)))
    return round(1e6 * spent / len(vectors), 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("arguments")
    print(json.dumps(measured(**json.loads(parser.parse_args().arguments))))
