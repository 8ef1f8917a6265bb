"""Memories that may repeat another word for word, found in the columns of a shadow.

A digest of a memory's terms and how often each occurs is the same for equal words. Other words in another
order have the same digest, so whoever needs equal words compares the words themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import ShadowRows

MOST_REPEATS: Final = 1_000
"""Equal memories that are compared, the newest; older ones are found apart. Chosen by hand."""
_FEW: Final = 16
"""Up to so many new rows are compared with all others one by one; more are sorted. Chosen by hand."""
_ROWS_AT_ONCE: Final = 2_048
"""Rows whose terms stay in the processor's cache. Chosen by hand."""
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio: multiplying by it spreads numbers (Knuth, volume 3, 6.4)."""
_HALF: Final = np.uint64(32)

Digests = NDArray[np.uint64]


def digests_of(rows: ShadowRows) -> Digests:
    """A number for the words of each memory, ``uint64`` of shape ``(n,)``; 0 for one without terms."""
    n = len(rows.lengths)
    ends = np.concatenate([[0], np.cumsum(rows.lengths, dtype=np.int64)])
    found = np.empty(n, np.uint64)
    for low in range(0, n, _ROWS_AT_ONCE):
        high = min(low + _ROWS_AT_ONCE, n)
        terms = slice(ends[low], ends[high])
        sums = np.zeros(ends[high] - ends[low] + 1, np.uint64)
        np.cumsum(_mixed(rows.terms[terms], rows.counts[terms]), out=sums[1:])
        each = sums[ends[low : high + 1] - ends[low]]
        found[low:high] = each[1:] - each[:-1]
    return found


def _mixed(terms: NDArray[np.uint32], counts: NDArray[np.uint8]) -> Digests:
    """What each term of a memory adds to its digest."""
    mixed = terms.astype(np.uint64)
    mixed += np.uint64(1)
    mixed *= _SPREAD
    mixed ^= mixed >> _HALF
    mixed *= _SPREAD * (2 * counts.astype(np.uint64) + np.uint64(1))
    return mixed


def mark_twins(
    digests: Digests, alive: NDArray[np.bool_], twin: NDArray[np.bool_], new: NDArray[np.int32]
) -> None:
    """Mark rows that share their digest with another living row; ``new`` rows were not looked at before."""
    if len(new) <= _FEW:
        for digest in digests[new]:
            same = np.flatnonzero((digests == digest) & alive)
            twin[same] = digest > 0 and len(same) > 1
        return
    order = np.argsort(digests)
    ordered = digests[order]
    same = np.flatnonzero((ordered[1:] == ordered[:-1]) & (ordered[1:] > 0))
    twin[order[same]] = twin[order[same + 1]] = True


@dataclass(frozen=True, kw_only=True)
class Twins:
    """Memories that share a digest with another: a copy of columns, good for one version of a shadow.

    Attributes:
        rows: Their rows, ascending.
        ids: Their ids.
        digests: Of their words.
        speakers: Numbers of their kind, role and speaker, of shape ``(n, 3)``.
        happened: When they happened, in microseconds since 1970 UTC.
    """

    rows: NDArray[np.intp]
    ids: NDArray[np.bytes_]
    digests: Digests
    speakers: NDArray[np.int32]
    happened: NDArray[np.int64]

    @cached_property
    def _places(self) -> dict[bytes, int]:
        return {memory_id: place for place, memory_id in enumerate(self.ids.tolist())}

    def of(self, memory_id: str, mask: NDArray[np.bool_]) -> Sequence[str]:
        """The ids of what may say the same words by the same speaker, itself included, newest first.

        Args:
            memory_id: Of which memory.
            mask: Which rows of the shadow may be returned.
        """
        place = self._places.get(memory_id.encode()) if len(self.rows) else None
        if place is None:
            return ()
        same = (self.digests == self.digests[place]) & (self.speakers == self.speakers[place]).all(axis=1)
        found = np.flatnonzero(same & mask[self.rows])
        newest = found[np.lexsort((self.ids[found], self.happened[found]))[::-1]]
        return [memory_id.decode() for memory_id in self.ids[newest].tolist()]
