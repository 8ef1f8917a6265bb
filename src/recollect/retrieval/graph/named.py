"""The concept graph with its names, for people to look at: concepts, edges, and what activates what."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_all, check_limit
from recollect.retrieval.graph.index import ConceptIndex
from recollect.retrieval.graph.spreading import DEFAULT, Spreading, spread
from recollect.text.analyse import Analyser

_LONGEST: Final = 8
"""Stems of a concept that are looked at. Chosen by hand: a tag has four words at the most."""
_Key: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """A concept.

    Attributes:
        name: As most memories spell it.
        memories: How many hold it.
    """

    name: str
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """Two concepts that stand together.

    Attributes:
        source: The name of the one that comes first in the alphabet.
        target: The name of the other.
        weight: How many memories hold both.
    """

    source: str
    target: str
    weight: int


class ConceptGraph:
    """The concepts of some memories, and which of them occur together; made of each memory's topics.

    Spellings with the same stems are one concept ("dog", "Dogs"), and a memory about "dog food" is also about
    "dog" if another memory is about that alone. The index that recall uses has stems, not phrases.
    """

    def __init__(self, topics: Iterable[Iterable[str]], analyser: Analyser) -> None:
        self._analyser = analyser
        self._places: dict[_Key, int] = {}
        self._spellings: list[Counter[str]] = []
        labelled = [[self._learned(" ".join(topic.split())) for topic in memory] for memory in topics]
        self.names: list[str] = [min(each, key=lambda name: (-each[name], name)) for each in self._spellings]
        self._index = _indexed([self._held(keys) for keys in labelled])

    def __len__(self) -> int:
        return len(self.names)

    def concepts(self, limit: int | None = None) -> list[Concept]:
        """The concepts that most memories hold first, equal ones by name.

        Args:
            limit: How many at most; None for all.
        """
        most, degrees = check_limit(limit), self._index.degrees
        found = [Concept(name=name, memories=int(degrees[place])) for name, place in self._by_name()]
        return sorted(found, key=lambda one: (-one.memories, one.name))[:most]

    def edges(self, limit: int | None = None, *, among: Sequence[str] | None = None) -> list[Edge]:
        """The heaviest edges first, equal ones by name.

        Args:
            limit: How many at most; None for all.
            among: The names of concepts that an edge must have at both ends; None for any.
        """
        most = check_limit(limit)
        one, other, weight = self._pairs
        if among is not None:
            check_all("among", among, kind=str)
            wanted = set(among)
            named = np.array([name in wanted for name, _ in self._by_name()], np.bool_)
            both = named[one] & named[other]
            one, other, weight = one[both], other[both], weight[both]
        order = np.argsort(-weight, kind="stable")
        if most is not None and most < len(order):
            order = order[: np.count_nonzero(weight >= weight[order[most - 1]])]
        pairs = zip(one[order].tolist(), other[order].tolist(), weight[order].tolist(), strict=True)
        found = [self._edge(first, second, count) for first, second, count in pairs]
        return sorted(found, key=lambda edge: (-edge.weight, edge.source, edge.target))[:most]

    def related(self, names: Sequence[str], *, rules: Spreading = DEFAULT) -> list[tuple[str, float]]:
        """What some concepts activate, the given ones left out: names and strengths, 0 to 1, strongest first.

        Args:
            names: Concepts in any spelling; unknown ones are passed over.
            rules: How far activation spreads.
        """
        check_all("names", names, kind=str)
        known = (self._place(name) for name in names)
        numbers = dict.fromkeys(2 * place for place in known if place is not None)
        found = spread(self._index, self._index.places(numbers), rules=rules)
        reached = self._index.numbers[found.concepts[found.given :]] // 2
        strengths = found.strength[found.given :].tolist()
        pairs = [
            (self.names[place], strength) for place, strength in zip(reached.tolist(), strengths, strict=True)
        ]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def unknown(self, names: Sequence[str]) -> list[str]:
        """Those of some names, in any spelling, that are of no concept."""
        check_all("names", names, kind=str)
        return [name for name in names if self._place(name) is None]

    def _place(self, name: str) -> int | None:
        return self._places.get(self._key(" ".join(name.split())))

    def _learned(self, topic: str) -> _Key:
        """The key of a topic, whose spelling is counted."""
        key = self._key(topic)
        place = self._places.setdefault(key, len(self._spellings))
        if place == len(self._spellings):
            self._spellings.append(Counter())
        self._spellings[place][topic] += 1
        return key

    def _held(self, keys: Sequence[_Key]) -> list[int]:
        """The places of the concepts of a memory: its topics, and those that are parts of them."""
        parts = (key[start:end] for key in keys for end in range(len(key) + 1) for start in range(end))
        places = (self._places.get(part) for part in parts)
        return list(dict.fromkeys(place for place in places if place is not None))

    def _key(self, topic: str) -> _Key:
        """What spellings of one concept have in common: their stems, or the text where it has none."""
        return tuple(self._analyser.query_stems(topic)[:_LONGEST]) or (topic.casefold(),)

    def _by_name(self) -> Iterable[tuple[str, int]]:
        places = (self._index.numbers // 2).tolist()
        return ((self.names[number], place) for place, number in enumerate(places))

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The pairs of concepts that memories hold, by their places in the index, and how many hold both."""
        size = len(self._index.numbers)
        lengths = self._index.lengths()
        pairs = [np.empty(0, np.int64)]
        for length in np.unique(lengths).tolist():
            rows = np.flatnonzero(lengths == length)
            held = np.sort(self._index.held(rows).reshape(len(rows), length), axis=1).astype(np.int64)
            first, second = np.triu_indices(length, 1)
            pairs.append((held[:, first] * size + held[:, second]).ravel())
        keys, counts = np.unique(np.concatenate(pairs), return_counts=True)
        return keys // max(size, 1), keys % max(size, 1), counts

    def _edge(self, one: int, other: int, weight: int) -> Edge:
        names = (self.names[int(self._index.numbers[place]) // 2] for place in (one, other))
        source, target = sorted(names)
        return Edge(source=source, target=target, weight=weight)


def _indexed(held: Sequence[Sequence[int]]) -> ConceptIndex:
    index = ConceptIndex()
    lengths = np.fromiter(map(len, held), np.int32, len(held))
    numbers = np.fromiter((2 * place for memory in held for place in memory), np.uint32, int(lengths.sum()))
    index.add(np.arange(len(held), dtype=np.int64), lengths, numbers)
    index.refresh(np.ones(len(held), np.bool_))
    return index
