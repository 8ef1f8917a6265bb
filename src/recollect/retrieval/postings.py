"""An inverted index held as one sorted array.

A posting is one ``uint64``: the term's 32-bit hash, then 26 bits of row, then 6 bits of count. Sorted,
the postings of a term lie side by side, and a binary search finds them. New postings wait in a short
unsorted tail until it pays to sort them in.
"""

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
_SHORTEST_MERGE: Final = 4_096
_MERGE_SHARE: Final = 0.02
"""The tail is merged beyond this share of the index: scanning it then costs what a merge would. By hand."""


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
        self._tail = np.concatenate([self._tail, fresh]) if self._tail.size else fresh
        if self._tail.size > max(_SHORTEST_MERGE, _MERGE_SHARE * self._sorted.size):
            self._tail.sort()
            merged = np.concatenate([self._sorted, self._tail]) if self._sorted.size else self._tail
            merged.sort(kind="stable")  # of two sorted runs: merges them, in a tenth of the time
            self._sorted, self._tail = merged, np.empty(0, np.uint64)

    def find(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The rows that hold a term, and its count in each; rows are distinct, in no stated order."""
        first = np.uint64(term) << _TERM_SHIFT
        bounds = np.array([first, first | _ROW_MASK], np.uint64)
        start, end = np.searchsorted(self._sorted, bounds, side="left")
        found = self._sorted[start:end]
        late = self._tail[self._tail >> _TERM_SHIFT == np.uint64(term)]
        if late.size:
            found = np.concatenate([found, late])
        rows = ((found & _ROW_MASK) >> _COUNT_BITS).astype(np.int32)
        return rows, (found & _COUNT_MASK).astype(np.float32)
