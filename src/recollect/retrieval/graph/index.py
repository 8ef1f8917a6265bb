"""Which rows hold which concepts, looked up from both sides; co-occurrence follows from it."""

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.retrieval.postings import Postings

_Number = TypeVar("_Number", bound=np.generic)
Concepts = NDArray[np.int32]
"""Places of concepts in an index."""


class _Column(Generic[_Number]):
    """An array that grows at its end."""

    def __init__(self, kind: type[_Number]) -> None:
        self._held: NDArray[_Number] = np.zeros(0, kind)
        self.size = 0

    @property
    def values(self) -> NDArray[_Number]:
        """A view."""
        return self._held[: self.size]

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._held.nbytes

    def extend(self, values: NDArray[Any]) -> None:
        """Add values at the end."""
        end = self.size + len(values)
        if end > len(self._held):
            larger = np.zeros(max(end, len(self._held) * 5 // 4), self._held.dtype)
            larger[: self.size] = self.values
            self._held = larger
        self._held[self.size : end] = values
        self.size = end


class ConceptIndex:
    """An index of rows and their concepts. It is made when it is first asked: not every ranking looks at it.

    A concept has an even number, as in an outline (``text.outline``), and a place: 0 for the first one seen.
    Odd numbers are passed over.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint32]]] = []
        self._waiting_bytes = 0
        self._places: dict[int, int] = {}
        self._numbers = _Column(np.uint32)
        self._degrees = _Column(np.int32)
        self._keys = _Column(np.int64)
        self._ends = _Column(np.int64)
        self._held = _Column(np.int32)
        self._alive = _Column(np.bool_)
        self._postings = Postings()

    @property
    def nbytes(self) -> int:
        """Bytes held in arrays."""
        columns = (self._numbers, self._degrees, self._keys, self._ends, self._held, self._alive)
        return self._waiting_bytes + self._postings.nbytes + sum(column.nbytes for column in columns)

    @property
    def memories(self) -> int:
        """Live rows, counted."""
        return int(np.count_nonzero(self._alive.values))

    @property
    def numbers(self) -> NDArray[np.uint32]:
        """The number of each concept, by its place."""
        return self._numbers.values

    @property
    def degrees(self) -> NDArray[np.int32]:
        """How many live rows hold each concept, by its place."""
        return self._degrees.values

    def add(self, keys: NDArray[np.int64], lengths: NDArray[np.int32], numbers: NDArray[np.uint32]) -> None:
        """Take new rows, which stand behind all before.

        Args:
            keys: One number a row, by which rows are ordered.
            lengths: How many numbers each row has.
            numbers: The numbers of all rows one after the other, in each row every one once.
        """
        if len(keys):
            self._waiting.append((keys, lengths, numbers))
            self._waiting_bytes += keys.nbytes + lengths.nbytes + numbers.nbytes

    def refresh(self, alive: NDArray[np.bool_]) -> None:
        """Bring the index up to date.

        Args:
            alive: Whether each of all rows is alive; a dead one stays dead.
        """
        for keys, lengths, numbers in self._waiting:
            self._take(keys, lengths, numbers)
        self._waiting.clear()
        self._waiting_bytes = 0
        died = np.flatnonzero(self._alive.values & ~alive[: self._alive.size])
        if died.size:
            gone, counts = np.unique(self.held(died), return_counts=True)
            self._degrees.values[gone] -= counts.astype(np.int32)
            self._alive.values[died] = False

    def places(self, numbers: Iterable[int]) -> list[int]:
        """The places of those numbers that a live row holds, in their order."""
        known = (self._places.get(number) for number in numbers)
        return [place for place in known if place is not None and self.degrees[place] > 0]

    def rows(self, concept: int) -> NDArray[np.int32]:
        """The live rows that hold a concept, ascending."""
        rows, _ = self._postings.find(concept)
        return np.sort(rows[self._alive.values[rows]])

    def newest(self, rows: NDArray[np.int32], most: int) -> NDArray[np.int32]:
        """At most so many of some rows: those of the highest keys."""
        if len(rows) <= most:
            return rows
        return rows[np.argsort(self._keys.values[rows], kind="stable")[-most:]]

    def held(self, rows: NDArray[Any]) -> Concepts:
        """The concepts of some rows, one row after the other."""
        ends = self._ends.values
        starts = np.where(rows > 0, ends[rows - 1], 0)
        lengths = ends[rows] - starts
        before = np.cumsum(lengths) - lengths
        at = np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))
        return self._held.values[at]

    def lengths(self) -> NDArray[np.int64]:
        """How many concepts each row holds; a dead one none."""
        return np.diff(self._ends.values, prepend=0) * self._alive.values

    def _take(self, keys: NDArray[np.int64], lengths: NDArray[np.int32], numbers: NDArray[np.uint32]) -> None:
        own = np.repeat(np.arange(len(keys)), lengths)
        even = numbers & 1 == 0
        own, numbers = own[even], numbers[even]
        concepts = self._placed(numbers)
        first = self._ends.size
        held = self._held.size
        self._ends.extend(held + np.cumsum(np.bincount(own, minlength=len(keys))))
        self._held.extend(concepts)
        self._keys.extend(keys)
        self._alive.extend(np.ones(len(keys), np.bool_))
        rows = (own + first).astype(np.int32)
        self._postings.add(rows, concepts.astype(np.uint32), np.ones(len(rows), np.uint8))

    def _placed(self, numbers: NDArray[np.uint32]) -> Concepts:
        """The places of numbers, new ones behind all before; their degrees are counted."""
        different, inverse, counts = np.unique(numbers, return_inverse=True, return_counts=True)
        known = self._places
        before = len(known)
        places = np.array([known.setdefault(number, len(known)) for number in different.tolist()], np.int32)
        self._numbers.extend(different[places >= before])
        self._degrees.extend(np.zeros(len(known) - before, np.int32))
        self._degrees.values[places] += counts.astype(np.int32)
        return places[inverse]


def rarity(degrees: NDArray[np.int32], memories: int) -> NDArray[np.float32]:
    """How rare concepts are, 0 to 1: 1 for one that a single memory holds, less the more memories do.

    ``ln(1 + memories / degree) / ln(1 + memories)``.

    >>> print(rarity(np.array([1, 10, 100]), 100).round(2))
    [1.   0.52 0.15]
    """
    rare = np.log1p(memories / np.maximum(degrees, 1)) / np.log1p(max(memories, 1))
    kept: NDArray[np.float32] = np.minimum(rare, 1.0).astype(np.float32)
    return kept
