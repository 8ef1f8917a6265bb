"""Vectors of a scope: stored as ``int8``, compared by cosine.

Up to ``EXACT_ROWS`` a ``float32`` copy answers exactly with one matrix product. Beyond that a sketch
(the vectors projected on their leading directions) ranks all of them roughly, and the best are then
compared exactly.
"""

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

EXACT_ROWS: Final = 32_768
"""Rows compared exactly: 34 MB as ``float32`` at 256 dimensions. Chosen by hand for memory."""
SKETCH_DIMS: Final = 64
"""Directions in the sketch: a quarter of the memory of 256 dimensions, a fourth of the time."""
_SAMPLE_ROWS: Final = 4_096
"""Rows from which the leading directions are learned."""
_BLOCK_ROWS: Final = 8_192


def quantise(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """Vectors as ``int8``, each scaled so that its largest part is 127.

    The scale is not kept: cosine does not need it.

    Args:
        vectors: ``float32`` of shape ``(n, dim)``.
    """
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    return np.rint(vectors * (127.0 / np.where(largest > 0, largest, 1.0))).astype(np.int8)


def unit_rows(vectors: NDArray[np.int8]) -> NDArray[np.float32]:
    """Quantised vectors as ``float32`` of unit length; zero stays zero."""
    rows = vectors.astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows /= np.where(norms > 0, norms, 1.0)[:, None]
    return rows


class VectorColumn:
    """The vectors of a scope, in row order.

    Attributes:
        dim: Dimensions; 0 while empty.
    """

    def __init__(self) -> None:
        self.dim = 0
        self._rows = 0
        self._stored = np.empty((0, 0), np.int8)
        self._fast = np.empty((0, 0), np.float32)
        self._directions: NDArray[np.float32] | None = None

    @property
    def is_exact(self) -> bool:
        """Whether ``rough`` is exact."""
        return self._directions is None

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._stored.nbytes + self._fast.nbytes

    def append(self, vectors: NDArray[np.int8]) -> None:
        """Add rows at the end, ``int8`` of shape ``(k, dim)``."""
        if not vectors.shape[0]:
            return
        self.dim = vectors.shape[1]
        end = self._rows + vectors.shape[0]
        self._stored = _grown(self._stored, end, self.dim)
        self._stored[self._rows : end] = vectors
        start, self._rows = self._rows, end
        if self.is_exact and end > EXACT_ROWS and self.dim > SKETCH_DIMS:
            self._directions = _leading(self._stored[:_SAMPLE_ROWS])
            self._fast = np.empty((0, 0), np.float32)
            start = 0
        self._extend_fast(start, end)

    def replace(self, row: int, vector: NDArray[np.int8]) -> None:
        """Put another vector in a row's place."""
        self._stored[row] = vector
        self._extend_fast(row, row + 1)

    def rough(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of every row with a unit vector, exact or from the sketch; shape ``(n,)``."""
        if not self._rows:
            return np.empty(0, np.float32)
        aim: NDArray[np.float32] = query if self._directions is None else query @ self._directions
        found: NDArray[np.float32] = self._fast[: self._rows] @ aim
        return found

    def exact(self, rows: NDArray[np.int32], query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of some rows with a unit vector."""
        found: NDArray[np.float32] = self.unit(rows) @ query
        return found

    def unit(self, rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """Some rows as ``float32`` unit vectors, shape ``(k, dim)``."""
        if self._directions is None:
            return self._fast[rows]
        return unit_rows(self._stored[rows])

    def _extend_fast(self, start: int, end: int) -> None:
        width = self.dim if self._directions is None else self._directions.shape[1]
        self._fast = _grown(self._fast, end, width)
        for block in range(start, end, _BLOCK_ROWS):
            stop = min(block + _BLOCK_ROWS, end)
            rows = unit_rows(self._stored[block:stop])
            self._fast[block:stop] = rows if self._directions is None else rows @ self._directions


_Number = TypeVar("_Number", np.int8, np.float32)


def _grown(array: NDArray[_Number], rows: int, width: int) -> NDArray[_Number]:
    """The array with room for so many rows; a quarter more than asked, so that growing stays rare."""
    if array.shape[0] >= rows and array.shape[1] == width:
        return array
    kept = array.shape[0] if array.shape[1] == width else 0
    larger = np.empty((rows if not kept else max(rows, kept * 5 // 4), width), array.dtype)
    if kept:
        larger[:kept] = array[:kept]
    return larger


def _leading(sample: NDArray[np.int8]) -> NDArray[np.float32]:
    """The directions along which a sample varies most, ``float32`` of shape ``(dim, SKETCH_DIMS)``."""
    rows = unit_rows(sample)
    directions = np.linalg.eigh(rows.T @ rows).eigenvectors
    return np.ascontiguousarray(directions[:, ::-1][:, :SKETCH_DIMS]).astype(np.float32)
