"""Vectors by clusters: kept up to date, and searched near clusters first."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.retrieval.clusters.kmeans import BATCH, NO_CLUSTER, assign, clusters_for, kmeans, unit
from recollect.retrieval.vectors import quantise

PROBES: Final = 16
"""Clusters whose members a search looks at. Chosen by measurement, see docs/inside/benchmarks.md."""
MOST_DRIFT: Final = 0.1
"""What members may lose of their cosine to their centroid before clusters are made anew. Chosen by hand."""
GROWTH: Final = 2.0
"""They are also made anew when there are so many times as many vectors, or as few. Chosen by hand: the right
number of clusters is 1.4 times another then."""
_LEAST: Final = 16
"""Below so many vectors nobody minds making them anew. Chosen by hand."""
_LOOSE: Final = 64
"""Rows are put in order anew when one in so many is not; until then these are looked at one by one."""
_FEW_LOOSE: Final = 1_000
"""Unless they are no more than these. Chosen by hand: looking at them takes as long as at a cluster."""

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]
_COLUMNS: Final = ("_held", "_scales", "_clusters", "_nearness", "_lives", "_places")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trained:
    """Centroids, and what they were made of.

    Attributes:
        centroids: ``float32`` of shape ``(k, dim)``, unit length.
        vectors: How many vectors there were.
        cohesion: The mean cosine of those with their centroid.
    """

    centroids: Floats
    vectors: int
    cohesion: float


class ClusterIndex:
    """Vectors, each in the cluster whose centroid is nearest.

    Args:
        dim: Of the vectors.
        trained: Centroids that were made before; None makes them when they are first needed.
    """

    def __init__(self, dim: int, trained: Trained | None = None) -> None:
        self.trained = trained
        self._dim = dim
        self._size = 0
        self._held = np.empty((0, dim), np.int8)
        self._scales = np.empty(0, np.float32)
        self._clusters = np.empty(0, np.int32)
        self._nearness = np.empty(0, np.float32)
        self._lives = np.empty(0, np.bool_)
        self._places = np.empty(0, np.bool_)
        self._order: tuple[Rows, Rows] | None = None
        self._loose = np.empty(0, np.intp)
        self._live = 0
        self._members = 0
        self._cosines = 0.0

    def __len__(self) -> int:
        return self._live

    @property
    def centroids(self) -> Floats:
        """``float32`` of shape ``(k, dim)``; of shape ``(0, dim)`` before there are any."""
        return self.trained.centroids if self.trained else np.empty((0, self._dim), np.float32)

    @property
    def cluster(self) -> NDArray[np.int32]:
        """The cluster of each row; ``NO_CLUSTER`` for a dead one, and for one without a direction."""
        return np.where(self._alive, self._cluster, NO_CLUSTER)

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Whether each row is alive."""
        return self._alive

    @property
    def cosine(self) -> Floats:
        """The cosine of each row with its centroid."""
        return self._cosine

    def add(self, vectors: NDArray[np.int8]) -> None:
        """Add rows; each joins the nearest cluster there is.

        Args:
            vectors: ``int8`` of shape ``(n, dim)``.
        """
        rows = np.arange(self._size, self._size + len(vectors))
        self._make_room(self._size + len(vectors))
        self._size += len(vectors)
        self._enter(rows, vectors)

    def put(self, rows: Rows, vectors: NDArray[np.int8]) -> None:
        """Give rows their vectors; dead ones live then, and those that have them already stay as they are.

        Args:
            rows: Each once.
            vectors: ``int8`` of shape ``(n, dim)``.
        """
        same = self._alive[rows] & (self._vectors[rows] == vectors).all(axis=1)
        self.remove(rows[~same])
        self._enter(rows[~same], vectors[~same])

    def remove(self, rows: Rows) -> None:
        """Rows that are gone; their places stay empty until ``take``."""
        gone = np.unique(rows[self._alive[rows]])
        self._count(gone, -1)
        self._alive[gone] = self._placed[gone] = False

    def take(self, rows: Rows) -> None:
        """Keep only these rows, in this order."""
        for name in _COLUMNS:
            setattr(self, name, getattr(self, name)[rows])
        self._size = len(rows)
        self._recount()

    @property
    def dead(self) -> int:
        """Rows whose places are empty."""
        return self._size - self._live

    def drift(self) -> float:
        """What today's members have lost of their cosine to their centroids since those were made, 0 to 1."""
        if self.trained is None or self.trained.cohesion <= 0:
            return 0.0
        return max(0.0, 1 - self._cohesion() / self.trained.cohesion)

    def is_outdated(self) -> bool:
        """Whether clusters should be made anew: none are there, or members drifted, or are many more."""
        now = len(self)
        if self.trained is None or not len(self.trained.centroids):
            return self._live > 0 and bool(self._vectors[self._alive].any())
        before = self.trained.vectors
        grown = now > GROWTH * max(before, _LEAST) or GROWTH * max(now, _LEAST) < before
        return grown or self.drift() > MOST_DRIFT

    def train(self, *, clusters: int | None = None, seed: int = 0) -> None:
        """Make clusters anew of the live rows; their centroids are rounded as a store keeps them.

        Args:
            clusters: How many; None lets their number decide.
            seed: Of the samples.
        """
        live = np.flatnonzero(self._alive)
        vectors = self._vectors if len(live) == len(self._alive) else self._vectors[live]
        found = kmeans(vectors, clusters or clusters_for(len(live)), seed=seed)
        centroids = unit(quantise(found)) if len(found) else found
        self._cluster[live], self._cosine[live] = assign(vectors, centroids)
        self._recount()
        self.trained = Trained(centroids=centroids, vectors=len(live), cohesion=self._cohesion())

    def members(self, cluster: int) -> Rows:
        """The live rows of a cluster, ascending."""
        if len(self._loose):
            self._order = None
        return self._ordered_members(cluster)

    def search(self, query: Floats, *, top_k: int, probes: int = PROBES) -> tuple[Rows, Floats]:
        """The rows nearest to a unit vector in the ``probes`` nearest clusters, with their cosines.

        With as many probes as clusters it is exact. Equal rows keep their order.
        """
        if not len(self.centroids):
            return np.empty(0, np.intp), np.empty(0, np.float32)
        near = self.centroids @ query
        chosen = np.argpartition(-near, probes)[:probes] if probes < len(near) else np.arange(len(near))
        members = [self._ordered_members(cluster) for cluster in chosen.tolist()]
        loose = self._loose[self._alive[self._loose]]
        members.append(loose[np.isin(self._cluster[loose], chosen)])
        rows = np.concatenate(members)
        cosine = np.concatenate([self._compared(some, query) for some in members])
        kept = np.argpartition(-cosine, top_k)[:top_k] if top_k < len(cosine) else np.arange(len(cosine))
        order = kept[np.lexsort((rows[kept], -cosine[kept]))]
        return rows[order], cosine[order]

    @property
    def _vectors(self) -> NDArray[np.int8]:
        return self._held[: self._size]

    @property
    def _scale(self) -> Floats:
        return self._scales[: self._size]

    @property
    def _cluster(self) -> NDArray[np.int32]:
        return self._clusters[: self._size]

    @property
    def _cosine(self) -> Floats:
        return self._nearness[: self._size]

    @property
    def _alive(self) -> NDArray[np.bool_]:
        return self._lives[: self._size]

    @property
    def _placed(self) -> NDArray[np.bool_]:
        """Whether a row is alive and at its place in the order."""
        return self._places[: self._size]

    def _make_room(self, size: int) -> None:
        """Room for so many rows, and a quarter more than there was."""
        room = max(size, len(self._held) * 5 // 4)
        for name in _COLUMNS if size > len(self._held) else ():
            column = getattr(self, name)
            larger = np.zeros((room, *column.shape[1:]), column.dtype)
            larger[: self._size] = column[: self._size]
            setattr(self, name, larger)

    def _enter(self, rows: Rows, vectors: NDArray[np.int8]) -> None:
        """Make dead rows live ones with these vectors; they are loose until all are put in order."""
        norm = _lengths(vectors)
        self._vectors[rows] = vectors
        self._scale[rows] = 1 / np.where(norm > 0, norm, 1)
        self._cluster[rows], self._cosine[rows] = assign(vectors, self.centroids)
        self._alive[rows] = True
        self._placed[rows] = False
        self._loose = np.union1d(self._loose, rows)
        self._count(rows, 1)

    def _count(self, rows: Rows, sign: int) -> None:
        members = rows[self._cluster[rows] != NO_CLUSTER]
        self._live += sign * len(rows)
        self._members += sign * len(members)
        self._cosines += sign * float(self._cosine[members].sum(dtype=np.float64))

    def _recount(self) -> None:
        """After all rows have changed: count them anew, and put them in order when that is needed."""
        self._live = self._members = 0
        self._cosines = 0.0
        self._count(np.flatnonzero(self._alive), 1)
        self._order, self._loose = None, np.empty(0, np.intp)

    def _ordered_members(self, cluster: int) -> Rows:
        """Those of a cluster that stand in the order."""
        rows, ends = self._ordered()
        found = rows[ends[cluster] : ends[cluster + 1]]
        return found[self._placed[found]]

    def _compared(self, rows: Rows, query: Floats) -> Floats:
        """The cosine of some rows with a query; of one cluster at a time, which stays in the caches."""
        cosine: Floats = (self._vectors[rows].astype(np.float32) @ query) * self._scale[rows]
        return cosine

    def _cohesion(self) -> float:
        return self._cosines / self._members if self._members else 0.0

    def _ordered(self) -> tuple[Rows, Rows]:
        """Rows cluster by cluster, and where each cluster begins; made anew when too many are loose."""
        if self._order is None or len(self._loose) > max(_FEW_LOOSE, self._size // _LOOSE):
            cluster = self.cluster
            rows = np.argsort(cluster, kind="stable")
            begins = np.searchsorted(cluster[rows], np.arange(len(self.centroids) + 1))
            self._order, self._loose = (rows, begins), np.empty(0, np.intp)
            self._placed[:] = self._alive
        return self._order


def _lengths(vectors: NDArray[np.int8]) -> Floats:
    """The lengths of vectors, so many at a time that little memory is needed."""
    parts = [
        np.linalg.norm(vectors[start : start + BATCH].astype(np.float32), axis=1)
        for start in range(0, len(vectors), BATCH)
    ]
    return np.concatenate(parts) if parts else np.empty(0, np.float32)
