"""Spherical k-means in mini-batches (Sculley 2010), by NumPy alone.

Vectors are compared by cosine, as everywhere here. scikit-learn would do the same as an extra of 199 MB; what
is needed of it are these two functions, and both spend their time in one matrix product, which NumPy hands to
a BLAS as well.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInputError

BATCH: Final = 4_096
"""Vectors that move the centroids at a time. Chosen by hand."""
BATCHES: Final = 40
"""Batches, or twenty times over all vectors where those are fewer. Chosen by hand: more changes little."""
PER_CLUSTER: Final = 8
"""Vectors a cluster from which the first centroids are chosen. Chosen by hand."""
MOST_CLUSTERS: Final = 4_096
"""Chosen by hand: as many as 16 million memories get."""
NO_CLUSTER: Final = -1
"""Where a vector without a direction belongs."""
_SAME: Final = 1e-6
"""Vectors whose cosine is nearer to 1 count as equal."""
_PASSES: Final = 20

Floats = NDArray[np.float32]


def clusters_for(memories: int) -> int:
    """How many clusters so many memories get: the square root, 1 to 4,096.

    A search reads every centroid and the members of some clusters; with the root both grow alike.

    >>> clusters_for(1), clusters_for(10_000), clusters_for(1_000_000)
    (1, 100, 1000)
    """
    return max(1, min(round(math.sqrt(memories)), MOST_CLUSTERS))


def kmeans(vectors: NDArray[np.int8], clusters: int, *, seed: int = 0) -> Floats:
    """Centroids of some vectors, the same ones for the same vectors.

    The first are chosen by k-means++ among a sample. Fewer come back where vectors are fewer or equal.

    Args:
        vectors: ``int8`` of shape ``(n, dim)``; those that are zero are passed over.
        clusters: How many are wanted, at least 1.
        seed: Of the samples.

    Returns:
        ``float32`` of shape ``(k, dim)``, unit length, ``k`` at most ``clusters``; none of no vectors.

    Raises:
        InvalidInputError: ``clusters`` is less than 1.
    """
    if clusters < 1:
        raise InvalidInputError(f"clusters must be at least 1, not {clusters}")
    chance = np.random.default_rng(seed)
    usable = np.flatnonzero(vectors.any(axis=1))
    if not usable.size:
        return np.empty((0, vectors.shape[1]), np.float32)
    sample = _drawn(usable, max(PER_CLUSTER * clusters, 256), chance)
    centroids = _first(unit(vectors[sample]), clusters, chance)
    seen = np.zeros(len(centroids))
    batches = min(BATCHES, -(-_PASSES * len(usable) // BATCH)) if len(usable) > BATCH else _PASSES
    for _ in range(batches):
        batch = unit(vectors[_drawn(usable, BATCH, chance)])
        nearest, _ = assign_units(batch, centroids)
        _move(centroids, seen, batch, nearest)
    return centroids


def assign(vectors: NDArray[np.int8], centroids: Floats) -> tuple[NDArray[np.int32], Floats]:
    """The nearest centroid of each vector, and their cosine; ``NO_CLUSTER`` and 0 for a zero vector.

    Args:
        vectors: ``int8`` of shape ``(n, dim)``.
        centroids: As ``kmeans`` returns them.
    """
    nearest = np.full(len(vectors), NO_CLUSTER, np.int32)
    cosine = np.zeros(len(vectors), np.float32)
    if not len(centroids):
        return nearest, cosine
    for start in range(0, len(vectors), BATCH):
        part = slice(start, start + BATCH)
        nearest[part], cosine[part] = assign_units(unit(vectors[part]), centroids)
    zero = ~vectors.any(axis=1)
    nearest[zero], cosine[zero] = NO_CLUSTER, 0.0
    return nearest, cosine


def assign_units(units: Floats, centroids: Floats) -> tuple[NDArray[np.int32], Floats]:
    """The same of vectors of unit length, few enough to be compared at once."""
    alike = units @ centroids.T
    nearest = alike.argmax(axis=1)
    return nearest.astype(np.int32), alike[np.arange(len(units)), nearest]


def unit(vectors: NDArray[np.int8]) -> Floats:
    """Vectors as ``float32`` of unit length; zero ones stay zero."""
    floats = vectors.astype(np.float32)
    length: Floats = np.linalg.norm(floats, axis=1, keepdims=True)
    floats /= np.maximum(length, np.float32(_SAME))
    return floats


def _drawn(rows: NDArray[np.intp], most: int, chance: np.random.Generator) -> NDArray[np.intp]:
    if len(rows) <= most:
        return rows
    return np.sort(chance.choice(rows, most, replace=False, shuffle=False))


def _first(units: Floats, clusters: int, chance: np.random.Generator) -> Floats:
    """Greedy k-means++: of a few, drawn by how far they are from those there are, the best is next."""
    chosen = [int(chance.integers(len(units)))]
    away = _away(units, np.array(chosen))[:, 0]
    trials = 2 + int(math.log(clusters))
    while len(chosen) < min(clusters, len(units)) and away.max() > _SAME:
        odds = np.where(away > _SAME, away, np.float32(0)).astype(np.float64)
        drawn = chance.choice(len(units), trials, p=odds / odds.sum())
        left = np.minimum(away[:, None], _away(units, drawn))
        best = int(left.sum(axis=0).argmin())
        chosen.append(int(drawn[best]))
        away = left[:, best]
    return units[chosen].copy()


def _away(units: Floats, from_: NDArray[np.intp]) -> Floats:
    """How far each vector is from some of them: 1 less their cosine."""
    away: Floats = 1 - units @ units[from_].T
    return away


def _move(centroids: Floats, seen: NDArray[np.float64], batch: Floats, nearest: NDArray[np.int32]) -> None:
    """Move centroids towards the mean of the vectors nearest to them, less the more they have seen."""
    order = np.argsort(nearest, kind="stable")
    found, starts, counts = np.unique(nearest[order], return_index=True, return_counts=True)
    sums = np.add.reduceat(batch[order], starts, axis=0)
    seen[found] += counts
    rate = (counts / seen[found]).astype(np.float32)[:, None]
    moved = centroids[found] * (1 - rate) + sums / counts[:, None].astype(np.float32) * rate
    length = np.linalg.norm(moved, axis=1, keepdims=True)
    centroids[found] = np.where(length > _SAME, moved / np.maximum(length, _SAME), centroids[found])
