"""What the memories of a shadow are about: an inverted index of their outlines (see ``text.outline``)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.retrieval.postings import Postings


class Outlines:
    """Which rows are about what. The index is made when it is first asked: not every ranking looks at it."""

    def __init__(self) -> None:
        self._waiting: list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint32]]] = []
        self._waiting_bytes = 0
        self._postings = Postings()
        self._topics = np.empty(0, np.int32)
        self._said = np.empty(0, np.int32)

    @property
    def nbytes(self) -> int:
        """Bytes held in arrays."""
        return self._waiting_bytes + self._postings.nbytes + self._topics.nbytes + self._said.nbytes

    def add(self, rows: NDArray[np.int32], lengths: NDArray[np.int32], numbers: NDArray[np.uint32]) -> None:
        """Take the outlines of new rows: how many numbers each has, and the numbers one after the other."""
        if numbers.size:
            self._waiting.append((rows, lengths, numbers))
            self._waiting_bytes += rows.nbytes + lengths.nbytes + numbers.nbytes

    def topics(self, size: int) -> NDArray[np.int32]:
        """How many topics and entities each of ``size`` rows has."""
        self._index(size)
        return self._topics[:size]

    def said(self, size: int) -> NDArray[np.int32]:
        """How many stems the summary of each row has; 0 for one whose words are its summary."""
        self._index(size)
        return self._said[:size]

    def shared(self, numbers: Sequence[int], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows whose outlines hold any of some numbers, and how many; see ``Postings.shared``."""
        self._index(size)
        return self._postings.shared(numbers)

    def _index(self, size: int) -> None:
        self._topics, self._said = _as_long(self._topics, size), _as_long(self._said, size)
        for rows, lengths, numbers in self._waiting:
            each = np.repeat(rows, lengths)
            odd = (numbers & 1).astype(bool)
            self._postings.add(each, numbers, np.ones(len(numbers), np.uint8))
            first = int(rows.min())
            for counts, counted in ((self._topics, each[~odd]), (self._said, each[odd])):
                found = np.bincount(counted - first)
                counts[first : first + len(found)] += found.astype(np.int32)
        self._waiting.clear()
        self._waiting_bytes = 0


def _as_long(counts: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """The counts with room for so many rows, a quarter more than now when they grow."""
    if len(counts) >= size:
        return counts
    longer = np.zeros(max(size, len(counts) * 5 // 4), np.int32)
    longer[: len(counts)] = counts
    return longer
