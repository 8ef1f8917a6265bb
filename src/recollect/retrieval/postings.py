"""An inverted index held as arrays.

A posting is one ``uint32``: 26 bits of row, then 6 bits of count. Those of a term lie side by side, behind
those of all smaller terms, and a binary search finds where. That order costs much more than a question, so
the postings of a whole shadow are ordered only when enough was asked; until then a question looks through
their terms. New ones wait in a short sorted array of their own until it pays to merge both.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreError

MAX_ROWS: Final = 1 << 26
"""Rows one index can number: 67 million."""

_COUNT_BITS: Final = np.uint32(6)
_COUNT_MASK: Final = np.uint32(0x3F)
_LOW_MASK: Final = np.uint64(0xFFFF_FFFF)
_TERM_SHIFT: Final = np.uint64(32)
_HALVES: Final = (np.uint64(32), np.uint64(48))
"""Where the halves of the term begin, the lower one first."""
_MANY: Final = 10_000
"""Postings from which on counting is faster than sorting. Chosen by measurement."""
_SORTED_AT_ONCE: Final = 1 << 20
"""Postings sorted at a time, about; bounds the memory it takes. Chosen by hand."""
_LOOKED_FOR: Final = 64
"""Terms that are looked for before postings are ordered: that takes as long. Measured at 100,000 memories."""
_SHORTEST_MERGE: Final = 4_096
_MERGE_SHARE: Final = 0.02
"""The tail is merged beyond this share of the index. Chosen by hand."""

_Terms = NDArray[np.uint32]
_Held = NDArray[np.uint32]


class Postings:
    """Which rows hold a term, and how often."""

    def __init__(self) -> None:
        self._terms = np.empty(0, np.uint32)
        self._starts = np.zeros(1, np.int64)
        self._held = np.empty(0, np.uint32)
        self._unordered: _Terms | None = None
        self._looked_for = 0
        self._tail = np.empty(0, np.uint64)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        arrays = (self._terms, self._starts, self._held, self._tail)
        unordered = 0 if self._unordered is None else self._unordered.nbytes
        return sum(array.nbytes for array in arrays) + unordered

    def add(self, rows: NDArray[np.int32], terms: NDArray[np.uint32], counts: NDArray[np.uint8]) -> None:
        """Add one posting per element; the three arrays are of equal length.

        Raises:
            StoreError: A row is beyond ``MAX_ROWS``.
        """
        if rows.size and int(rows.max()) >= MAX_ROWS:
            raise StoreError(f"one user can have {MAX_ROWS} memories at most; split them over several")
        held = rows.astype(np.uint32)
        held <<= _COUNT_BITS
        held |= counts
        if held.size > _SHORTEST_MERGE and not self._held.size and not self._tail.size:
            self._unordered, self._held = terms, held
            return
        fresh = terms.astype(np.uint64)
        fresh <<= _TERM_SHIFT
        fresh |= held
        fresh.sort()
        self._tail = _merged(self._tail, fresh)
        if self._tail.size > max(_SHORTEST_MERGE, _MERGE_SHARE * self._held.size):
            self._order()
            self._insert(self._tail)
            self._tail = np.empty(0, np.uint64)

    def find(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The rows that hold a term, and its count in each; rows are distinct, in no stated order."""
        return self.find_each([term])[0]

    def find_each(self, terms: Sequence[int]) -> list[tuple[NDArray[np.int32], NDArray[np.float32]]]:
        """What ``find`` gives for each of some terms."""
        return [
            ((found >> _COUNT_BITS).astype(np.int32), (found & _COUNT_MASK).astype(np.float32))
            for found in self._holding(terms)
        ]

    def shared(self, terms: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows that hold any of some terms, and how many of the terms each of them holds.

        A row stands there once for each of them that it holds, with the same number every time.
        """
        found = np.concatenate([np.empty(0, np.uint32), *self._holding(terms)])
        rows = (found >> _COUNT_BITS).astype(np.int64)
        return rows, np.bincount(rows)[rows]

    def _holding(self, terms: Sequence[int]) -> list[_Held]:
        """The postings of each of some terms."""
        asked = np.array(terms, np.uint32)
        self._looked_for += len(terms)
        if self._looked_for > _LOOKED_FOR:
            self._order()
        old = self._ordered(asked) if self._unordered is None else self._among(self._unordered, asked)
        first = asked.astype(np.uint64) << _TERM_SHIFT
        new = _between(self._tail, first, first | _LOW_MASK)
        return [
            np.concatenate([one, tail.astype(np.uint32)]) if tail.size else one
            for one, tail in zip(old, new, strict=True)
        ]

    def _among(self, unordered: _Terms, asked: _Terms) -> list[_Held]:
        return [self._held[unordered == term] for term in asked]

    def _ordered(self, asked: _Terms) -> list[_Held]:
        starts = self._starts[self._terms.searchsorted(asked)].tolist()
        ends = self._starts[self._terms.searchsorted(asked, "right")].tolist()
        return [self._held[start:end] for start, end in zip(starts, ends, strict=True)]

    def _order(self) -> None:
        """Bring postings that are not in order into it, some terms at a time."""
        if self._unordered is None:
            return
        terms, self._unordered = self._unordered, None
        bits = min((terms.size // _SORTED_AT_ONCE).bit_length(), 8)
        part_of = (terms >> np.uint32(32 - bits)).astype(np.uint8) if bits else np.zeros(terms.size, np.uint8)
        parts, held, start = [], np.empty(terms.size, np.uint32), 0
        for part in range(1 << bits):
            chosen = np.flatnonzero(part_of == part)
            postings = terms[chosen].astype(np.uint64)
            postings <<= _TERM_SHIFT
            postings |= self._held[chosen]
            _sort(postings)
            held[start : start + len(chosen)] = postings & _LOW_MASK
            ordered = (postings >> _TERM_SHIFT).astype(np.uint32)
            firsts = np.flatnonzero(np.diff(ordered, prepend=~ordered[:1]))
            parts.append((ordered[firsts], start + firsts))
            start += len(chosen)
        self._terms = np.concatenate([different for different, _ in parts])
        self._starts = np.concatenate([*(firsts for _, firsts in parts), [start]])
        self._held = held

    def _insert(self, tail: NDArray[np.uint64]) -> None:
        """Put sorted postings behind those of their terms."""
        terms = (tail >> _TERM_SHIFT).astype(np.uint32)
        different, counts = np.unique(terms, return_counts=True)
        together = np.union1d(self._terms, different)
        sizes = np.zeros(len(together), np.int64)
        sizes[together.searchsorted(self._terms)] = np.diff(self._starts)
        sizes[together.searchsorted(different)] += counts
        ends = self._starts[self._terms.searchsorted(terms, "right")]
        self._held = np.insert(self._held, ends, (tail & _LOW_MASK).astype(np.uint32))
        self._terms, self._starts = together, np.concatenate([[0], np.cumsum(sizes)])


def _between(
    postings: NDArray[np.uint64], first: NDArray[np.uint64], last: NDArray[np.uint64]
) -> Iterator[NDArray[np.uint64]]:
    """The sorted postings from each first one to each last one."""
    starts, ends = postings.searchsorted(first).tolist(), postings.searchsorted(last, "right").tolist()
    return (postings[start:end] for start, end in zip(starts, ends, strict=True))


def _sort(postings: NDArray[np.uint64]) -> None:
    """Bring postings in the order of their terms, where they are.

    NumPy's stable order of 16-bit numbers counts them: twice of it takes half the time of a sort.
    """
    if postings.size < _MANY:
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
