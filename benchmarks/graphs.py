"""The concept graph as arrays, in networkx and in rustworkx: adding memories, and spreading activation."""

import itertools
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

import networkx as nx
import numpy as np
import rustworkx

from benchmarks.measuring import microseconds, milliseconds
from recollect.retrieval.graph.index import ConceptIndex
from recollect.retrieval.graph.spreading import DEFAULT, FRONTIER, memory_activation, spread

CONCEPTS: Final = 50_000
EACH: Final = 6
ZIPF: Final = 0.9
ADDED: Final = 2_000
QUESTIONS: Final = 100
_FEWER: Final = 10
"""Graphs of objects are compared at so many times fewer memories: filling rustworkx takes minutes else."""


class _Graph(Protocol):
    def add(self, held: Sequence[int]) -> None: ...
    def spread(self, asked: Sequence[int]) -> object: ...


def run_graphs(memories: int) -> dict[str, object]:
    """What adding and spreading take: of arrays at so many memories, and of each at a tenth of them."""
    return {
        **_of_each(memories, {"arrays": _Arrays}),
        "compared": _of_each(
            memories // _FEWER, {"arrays": _Arrays, "networkx": _Networkx, "rustworkx": _Rustworkx}
        ),
    }


def _of_each(memories: int, makers: Mapping[str, Callable[[], _Graph]]) -> dict[str, object]:
    held, more, asked = _drawn(memories)
    return {
        "memories": memories,
        "concepts": len(set(itertools.chain.from_iterable(held))),
        **{name: _measured(make(), held, more, asked) for name, make in makers.items()},
    }


def _drawn(memories: int) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    chance = np.random.default_rng(0)
    concepts = max(EACH, min(CONCEPTS, memories // 2))
    odds = 1 / np.arange(1, concepts + 1) ** ZIPF
    odds /= odds.sum()

    def some(count: int, each: int) -> list[list[int]]:
        return [np.unique(row).tolist() for row in chance.choice(concepts, (count, each), p=odds)]

    held = some(memories, EACH)
    for concept in range(concepts):  # every concept is held by somebody
        row = held[concept % len(held)]
        if concept not in row:
            row.append(concept)
    return held, some(ADDED, EACH), some(QUESTIONS, 4)


def _measured(
    graph: _Graph, held: Sequence[list[int]], more: Sequence[list[int]], asked: Sequence[list[int]]
) -> dict[str, object]:
    started = time.process_time()
    _fill(graph, held)
    filled = time.process_time() - started
    return {
        "fill_us_each": round(1e6 * filled / len(held), 1),
        "add": microseconds([_time(graph.add, one) for one in more]),
        "spread": milliseconds([_time(graph.spread, one) for one in asked]),
        "megabytes": graph.megabytes() if isinstance(graph, _Arrays) else None,
    }


def _fill(graph: _Graph, held: Sequence[list[int]]) -> None:
    if isinstance(graph, _Arrays):
        graph.add_all(held)
    else:
        for one in held:
            graph.add(one)


def _time(call: Callable[[list[int]], object], argument: list[int]) -> float:
    started = time.process_time()
    call(argument)
    return time.process_time() - started


class _Arrays:
    def __init__(self) -> None:
        self._index = ConceptIndex()
        self._rows = 0
        self._alive = np.ones(1_000_000, np.bool_)

    def add_all(self, held: Sequence[Sequence[int]]) -> None:
        lengths = np.array([len(one) for one in held], np.int32)
        numbers = np.fromiter(itertools.chain.from_iterable(held), np.uint32, int(lengths.sum())) * 2
        self._index.add(np.arange(self._rows, self._rows + len(held)), lengths, numbers)
        self._rows += len(held)
        self._index.refresh(self._alive[: self._rows])

    def add(self, held: Sequence[int]) -> None:
        self.add_all([held])

    def spread(self, asked: Sequence[int]) -> object:
        found = spread(self._index, self._index.places([2 * one for one in asked]))
        return memory_activation(self._index, found, self._rows, with_given=True)

    def megabytes(self) -> float:
        return round(self._index.nbytes / 1e6, 1)


class _Networkx:
    def __init__(self) -> None:
        self._graph: Any = nx.Graph()
        self._degrees: Counter[int] = Counter()

    def add(self, held: Sequence[int]) -> None:
        self._degrees.update(held)
        self._graph.add_nodes_from(held)
        edges = self._graph.adj
        for one, other in itertools.combinations(held, 2):
            if other in edges[one]:
                edges[one][other]["weight"] += 1
            else:
                self._graph.add_edge(one, other, weight=1)

    def spread(self, asked: Sequence[int]) -> object:
        edges = self._graph.adj

        def beside(concept: int) -> list[tuple[int, int]]:
            return [(other, data["weight"]) for other, data in edges[concept].items()]

        return _spread(asked, beside, self._degrees)


class _Rustworkx:
    def __init__(self) -> None:
        self._graph: Any = rustworkx.PyGraph(multigraph=False)
        self._places: dict[int, int] = {}
        self._degrees: Counter[int] = Counter()

    def add(self, held: Sequence[int]) -> None:
        places = [self._place(concept) for concept in held]
        self._degrees.update(places)
        for one, other in itertools.combinations(places, 2):
            if self._graph.has_edge(one, other):
                self._graph.update_edge(one, other, self._graph.get_edge_data(one, other) + 1)
            else:
                self._graph.add_edge(one, other, 1)

    def spread(self, asked: Sequence[int]) -> object:
        known = [self._places[one] for one in asked if one in self._places]

        def beside(concept: int) -> list[tuple[int, int]]:
            return list(self._graph.adj(concept).items())

        return _spread(known, beside, self._degrees)

    def _place(self, concept: int) -> int:
        if concept not in self._places:
            self._places[concept] = self._graph.add_node(concept)
        return self._places[concept]


def _spread(
    asked: Sequence[int], beside: Callable[[int], list[tuple[int, int]]], degrees: Counter[int]
) -> dict[int, float]:
    """The rules of ``retrieval.graph.spreading`` over a graph of objects; memories are not scored."""
    active = dict.fromkeys(asked, 1.0)
    frontier = dict(active)
    for _ in range(DEFAULT.hops):
        reached: dict[int, float] = {}
        for concept, strength in sorted(frontier.items(), key=lambda one: (-one[1], one[0]))[:FRONTIER]:
            weights = [
                (together / math.sqrt(degrees[concept] * degrees[other]), other)
                for other, together in beside(concept)
            ]
            for weight, other in sorted(weights, key=lambda one: (-one[0], one[1]))[: DEFAULT.fan_out]:
                if other not in active:
                    reached[other] = reached.get(other, 0.0) + DEFAULT.decay * strength * weight
        best = sorted(reached.items(), key=lambda one: (-one[1], one[0]))[: 4 * DEFAULT.fan_out]
        frontier = {concept: min(strength, 1.0) for concept, strength in best}
        active |= frontier
    return active
