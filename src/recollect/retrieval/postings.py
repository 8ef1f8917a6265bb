"""An inverted index held as one sorted array.

A posting is one ``uint64``: the term's 32-bit hash, then 26 bits of row, then 6 bits of count. Sorted,
the postings of a term lie side by side, and a binary search finds them. New postings wait in a short
array of their own, sorted as well, until it pays to merge both.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreError

MAX_ROWS: Final = 1 << 26
"""Rows one index can number: 67 million."""

_COUNT_BITS: Final = np.uint64(6)
_COUNT_MASK: Final = np.uint64(0x3F)
_ROW_MASK: Final = np.uint64(0xFFFF_FFFF)
_TERM_SHIFT: Final = np.uint64(32)
_HALVES: Final = (np.uint64(32), np.uint64(48))
"""Where the halves of the term begin, the lower one first."""
_MANY: Final = 10_000
"""Postings from which on counting is faster than sorting. Chosen by measurement."""
_SHORTEST_MERGE: Final = 4_096
_MERGE_SHARE: Final = 0.02
"""The tail is merged beyond this share of the index. Chosen by hand."""


class Postings:
    """Which rows hold a term, and how often."""

    def __init__(self) -> None:
        self._sorted = np.empty(0, np.uint64)
        self._tail = np.empty(0, np.uint64)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._sorted.nbytes + self._tail.nbytes

    def add(self, rows: NDArray[np.int32], terms: NDArray[np.uint32], counts: NDArray[np.uint8]) -> None:
        """Add one posting per element; the three arrays are of equal length.

        Raises:
            StoreError: A row is beyond ``MAX_ROWS``.
        """
        if rows.size and int(rows.max()) >= MAX_ROWS:
            raise StoreError(f"one user can have {MAX_ROWS} memories at most; split them over several")
        fresh = terms.astype(np.uint64)
        fresh <<= _TERM_SHIFT
        fresh |= rows.astype(np.uint64) << _COUNT_BITS
        fresh |= counts
        _sort(fresh, rows_ascend=not (rows[1:] < rows[:-1]).any())
        self._tail = _merged(self._tail, fresh)
        if self._tail.size > max(_SHORTEST_MERGE, _MERGE_SHARE * self._sorted.size):
            self._sorted, self._tail = _merged(self._sorted, self._tail), np.empty(0, np.uint64)

    def find(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The rows that hold a term, and its count in each; rows are distinct, in no stated order."""
        return self.find_each([term])[0]

    def find_each(self, terms: Sequence[int]) -> list[tuple[NDArray[np.int32], NDArray[np.float32]]]:
        """What ``find`` gives for each of some terms."""
        return [
            (((found & _ROW_MASK) >> _COUNT_BITS).astype(np.int32), (found & _COUNT_MASK).astype(np.float32))
            for found in self._holding(terms)
        ]

    def shared(self, terms: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows that hold any of some terms, and how many of the terms each of them holds.

        A row stands there once for each of them that it holds, with the same number every time.
        """
        found = np.concatenate([np.empty(0, np.uint64), *self._holding(terms)])
        rows = ((found & _ROW_MASK) >> _COUNT_BITS).astype(np.int64)
        return rows, np.bincount(rows)[rows]

    def _holding(self, terms: Sequence[int]) -> list[NDArray[np.uint64]]:
        """The postings of each of some terms."""
        first = np.array(terms, np.uint64) << _TERM_SHIFT
        last = first | _ROW_MASK
        found = (_between(postings, first, last) for postings in (self._sorted, self._tail))
        return [np.concatenate([old, new]) if new.size else old for old, new in zip(*found, strict=True)]


def _between(
    postings: NDArray[np.uint64], first: NDArray[np.uint64], last: NDArray[np.uint64]
) -> Iterator[NDArray[np.uint64]]:
    """The sorted postings from each first one to before each last one."""
    starts, ends = postings.searchsorted(first).tolist(), postings.searchsorted(last).tolist()
    return (postings[start:end] for start, end in zip(starts, ends, strict=True))


def _sort(postings: NDArray[np.uint64], *, rows_ascend: bool) -> None:
    """Bring postings in ascending order, where they are.

    Where their rows ascend, as those of a whole shadow do, they need to be ordered by their terms alone.
    NumPy's stable order of 16-bit numbers counts them: twice of it takes half the time of a sort.
    """
    if postings.size < _MANY or not rows_ascend:
        postings.sort()
        return
    for half in _HALVES:
        postings[:] = postings[np.argsort((postings >> half).astype(np.uint16), kind="stable")]


def _merged(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Sorted postings with other sorted ones."""
    if not one.size:
        return other
    both = np.concatenate([one, other])
    both.sort(kind="stable")  # of two sorted runs: merges them, in a tenth of the time
    return both
