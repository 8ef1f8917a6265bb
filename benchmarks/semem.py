"""What is Semem's retrieval worth, what does its concept graph add, and what does either cost?"""

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

from benchmarks.generate import questions, texts
from benchmarks.graphs import run_graphs
from benchmarks.measuring import milliseconds
from benchmarks.retrieval import DayAfter, remember
from recollect import Memory
from recollect.lifecycle.retrievals import STATE, factors_at
from recollect.presets.semem.context import CONCEPT_WEIGHT
from recollect.presets.semem.strength import StrengthScoring
from recollect.protocols import StateStore
from recollect.retrieval.rank import DefaultScoring
from recollect.retrieval.scoring import Retrieval, Scoring
from recollect.stores.reference.store import InMemoryStore
from recollect.stores.sqlite import SQLiteStore
from recollect.types import Scope
from recollect.types.clock import utc_now
from recollect_bench.datasets import Dataset
from recollect_bench.metrics import by_category, measure
from recollect_bench.provenance import provenance

BESIDE: Final = 0.05
"""What concepts weigh in Recollect's own score, where they are asked for."""
SIZES: Final = (1_000, 10_000, 100_000)
MEMORIES: Final = 100_000
"""Of the graph's speed."""
RETRIEVALS: Final = 30
TOP_K: Final = 10

HOW: Final = (
    "Quality: one user per conversation, asked the day after its last turn; every question with evidence; "
    "R@10 as above. Semem ranks by its retrieval score; all turns are as old here and nobody retrieved any, "
    "so that meaning decides. `With concepts` adds spreading activation, by "
    f"{CONCEPT_WEIGHT:g} in Semem's and {BESIDE:g} in Recollect's own score. Writes: a SQLite file of "
    "generated texts; a retrieval is a search of the ten best and their counting. Graph: seeded memories of "
    "about six concepts out of 50,000, drawn by Zipf's law; a question has up to four; times are the "
    "processor's. The arrays are what recall uses; networkx and rustworkx keep the same edges as objects, "
    "spread by the same rules, and are compared at a tenth of the memories."
)


def run_semem(
    datasets: Sequence[Dataset], *, sizes: Sequence[int] = SIZES, memories: int = MEMORIES
) -> dict[str, object]:
    """Measure all of it; returns what the JSON file holds."""
    return {
        "benchmark": "semem",
        "made": provenance(),
        "how": HOW,
        "quality": {dataset.name: _quality(dataset) for dataset in datasets},
        "writes": {str(size): _writes(size) for size in sizes},
        "graph": run_graphs(memories) if memories else {},
    }


def _strength(concepts: float) -> StrengthScoring:
    return StrengthScoring(factors=factors_at, state=STATE, concepts=concepts)


def _systems() -> dict[str, Scoring]:
    return {
        "Semem without concepts": _strength(0.0),
        "Semem with concepts": _strength(CONCEPT_WEIGHT),
        "Recollect": DefaultScoring(),
        "Recollect with concepts": DefaultScoring(concepts=BESIDE),
    }


def _quality(dataset: Dataset) -> dict[str, object]:
    """R@10 of each system, over all questions and by category."""
    clock, systems = DayAfter(), _systems()
    found: dict[str, list[tuple[str, Mapping[str, float]]]] = {name: [] for name in systems}
    for conversation in dataset.conversations:
        clock.follow(conversation)
        store = InMemoryStore(clock=clock)
        memories = {
            name: Memory(store, embedder="static", clock=clock, retrieval=Retrieval(scoring=one))
            for name, one in systems.items()
        }
        turn_of = remember(next(iter(memories.values())), conversation)
        for name, memory in memories.items():
            for question in conversation.questions:
                if question.gold:
                    hits = memory.search(question.text, user_id=conversation.id, top_k=TOP_K)
                    ranking = [turn_of[hit.memory.id] for hit in hits]
                    found[name].append((question.category, measure(ranking, question.gold)))
    return {name: by_category(rows) for name, rows in found.items()}


def _writes(size: int) -> Mapping[str, float]:
    """What a retrieval writes, and how long it takes, with so many memories."""
    told = texts(size, seed=0)
    asked = questions(RETRIEVALS, about=told[:5_000], seed=1)
    with _filled(told) as (memory, store):
        log, scope = memory.lifecycle.retrievals(user_id="u"), Scope(user_id="u")
        memory.search(asked[0], user_id="u", top_k=TOP_K)
        rows, states, searched, counted = [], [], [], []
        for query in asked:
            version, before = store.shadow_version(scope), store.states(scope)
            started = time.perf_counter()
            hits = memory.search(query, user_id="u", top_k=TOP_K)
            between = time.perf_counter()
            log.track([hit.memory.id for hit in hits])
            counted.append(time.perf_counter() - between)
            searched.append(between - started)
            rows.append(len(store.shadow(scope, version).rows.ids))
            states.append(sum(store.states(scope)[name] != before.get(name) for name in store.states(scope)))
    return {
        "memories_written": max(rows),
        "states_written": max(states),
        "search_p50_ms": milliseconds(searched)["p50_ms"],
        "count_p50_ms": milliseconds(counted)["p50_ms"],
    }


@contextmanager
def _filled(told: Sequence[str]) -> Iterator[tuple[Memory, "SQLiteStore"]]:
    with tempfile.TemporaryDirectory() as folder:
        store = SQLiteStore(Path(folder) / "semem.db")
        assert isinstance(store, StateStore)
        with Memory(
            store, embedder="static", retrieval=Retrieval(scoring=_strength(CONCEPT_WEIGHT))
        ) as memory:
            for start in range(0, len(told), 1_000):
                happened = utc_now() - timedelta(hours=1)
                memory.add(list(told[start : start + 1_000]), user_id="u", timestamp=happened)
            yield memory, store
