"""Vectors of a scope: stored as ``int8``, compared by cosine, exactly.

A block of rows is turned into ``float32`` and multiplied while it is in the processor's cache: that
takes 3.3 ms for 100,000 rows of 256 dimensions on one core, as long as a product over a ``float32``
copy four times the size.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_BLOCK_ROWS: Final = 512
"""Rows multiplied at a time: half a megabyte at 256 dimensions. 256 is as fast, 2,048 takes twice as long;
it is also small enough for BLAS to stay on one core."""
_ZERO: Final = 1e-20
"""A vector whose largest part is no larger counts as zero."""


def quantise(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """Vectors as ``int8``, each scaled so that its largest part is 127.

    The scale is not kept: cosine does not need it.

    Args:
        vectors: ``float32`` of shape ``(n, dim)``.
    """
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    return np.rint(vectors * (127.0 / np.where(largest > _ZERO, largest, 1.0))).astype(np.int8)


class VectorColumn:
    """The vectors of a scope, in row order.

    Attributes:
        dim: Dimensions; 0 while empty.
    """

    def __init__(self) -> None:
        self.dim = 0
        self._rows = 0
        self._stored = np.empty((0, 0), np.int8)
        self._scale = np.empty(0, np.float32)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._stored.nbytes + self._scale.nbytes

    def append(self, vectors: NDArray[np.int8]) -> None:
        """Add rows at the end, ``int8`` of shape ``(k, dim)``."""
        start, end = self._rows, self._rows + vectors.shape[0]
        if start == end:
            return
        self.dim = vectors.shape[1]
        if end > self._stored.shape[0]:
            self._grow(end)
        self._stored[start:end] = vectors
        self._rows = end
        for low, high in _blocks(start, end):
            block = self._stored[low:high].astype(np.float32)
            norm = np.sqrt(np.einsum("ij,ij->i", block, block))
            self._scale[low:high] = 1.0 / np.where(norm > 0, norm, 1.0)

    def cosine(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of every row with a unit vector; shape ``(n,)``. A zero row has 0."""
        found = np.zeros(self._rows, np.float32)
        if query.shape[0] != self.dim:
            return found
        buffer = np.empty((_BLOCK_ROWS, self.dim), np.float32)
        for low, high in _blocks(0, self._rows):
            block = buffer[: high - low]
            np.copyto(block, self._stored[low:high])
            np.dot(block, query, out=found[low:high])
        found *= self._scale[: self._rows]
        return found

    def _grow(self, rows: int) -> None:
        """Make room for so many rows, a quarter more than asked once there are some."""
        capacity = max(rows, self._rows * 5 // 4)
        stored, scale = np.empty((capacity, self.dim), np.int8), np.empty(capacity, np.float32)
        if self._rows:
            stored[: self._rows], scale[: self._rows] = self._stored[: self._rows], self._scale[: self._rows]
        self._stored, self._scale = stored, scale


def _blocks(start: int, end: int) -> list[tuple[int, int]]:
    return [(low, min(low + _BLOCK_ROWS, end)) for low in range(start, end, _BLOCK_ROWS)]
