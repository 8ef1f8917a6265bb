"""Vectors by clusters: kept up to date, and searched near clusters first."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.retrieval.clusters.kmeans import BATCH, NO_CLUSTER, assign, clusters_for, kmeans, unit
from recollect.retrieval.vectors import quantise

PROBES: Final = 16
"""Clusters whose members a search looks at. Chosen by measurement, see docs/benchmarks.md."""
MOST_DRIFT: Final = 0.1
"""What members may lose of their cosine to their centroid before clusters are made anew. Chosen by hand."""
GROWTH: Final = 2.0
"""They are also made anew when there are so many times as many vectors, or as few. Chosen by hand: the right
number of clusters is 1.4 times another then."""
_LEAST: Final = 16
"""Below so many vectors nobody minds making them anew. Chosen by hand."""

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]


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
        self._scale = np.empty(0, np.float32)
        self._cluster = np.empty(0, np.int32)
        self._cosine = np.empty(0, np.float32)
        self._alive = np.empty(0, np.bool_)
        self._order: tuple[Rows, Rows] | None = None

    def __len__(self) -> int:
        return int(np.count_nonzero(self._alive))

    @property
    def centroids(self) -> Floats:
        """``float32`` of shape ``(k, dim)``; of shape ``(0, dim)`` before there are any."""
        return self.trained.centroids if self.trained else np.empty((0, self._dim), np.float32)

    @property
    def cluster(self) -> NDArray[np.int32]:
        """The cluster of each row; ``NO_CLUSTER`` for a dead one, and for one without a direction."""
        return np.where(self._alive, self._cluster, NO_CLUSTER)

    @property
    def cosine(self) -> Floats:
        """The cosine of each row with its centroid."""
        return self._cosine

    def add(self, vectors: NDArray[np.int8]) -> None:
        """Add rows; each joins the nearest cluster there is.

        Args:
            vectors: ``int8`` of shape ``(n, dim)``.
        """
        nearest, cosine = assign(vectors, self.centroids)
        norm = _lengths(vectors)
        self._hold(vectors)
        self._scale = np.concatenate([self._scale, 1 / np.where(norm > 0, norm, 1)]).astype(np.float32)
        self._cluster = np.concatenate([self._cluster, nearest])
        self._cosine = np.concatenate([self._cosine, cosine])
        self._alive = np.concatenate([self._alive, np.ones(len(vectors), np.bool_)])
        self._order = None

    def remove(self, rows: Rows) -> None:
        """Rows that are gone; their places stay empty."""
        self._alive[rows] = False
        self._order = None

    def drift(self) -> float:
        """What today's members have lost of their cosine to their centroids since those were made, 0 to 1."""
        if self.trained is None or self.trained.cohesion <= 0:
            return 0.0
        return max(0.0, 1 - self._cohesion() / self.trained.cohesion)

    def is_outdated(self) -> bool:
        """Whether clusters should be made anew: none are there, or members drifted, or are many more."""
        now = len(self)
        if self.trained is None or not len(self.trained.centroids):
            return bool(self._vectors[self._alive].any())
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
        self._order = None
        self.trained = Trained(centroids=centroids, vectors=len(live), cohesion=self._cohesion())

    def members(self, cluster: int) -> Rows:
        """The live rows of a cluster, ascending."""
        rows, ends = self._ordered()
        return rows[ends[cluster] : ends[cluster + 1]]

    def search(self, query: Floats, *, top_k: int, probes: int = PROBES) -> tuple[Rows, Floats]:
        """The nearest rows among the members of the nearest clusters, by cosine, equal ones in their order.

        Args:
            query: ``float32`` of shape ``(dim,)``, unit length.
            top_k: How many at most.
            probes: How many clusters are looked into; all of them make it exact.

        Returns:
            Rows and their cosines.
        """
        if not len(self.centroids):
            return np.empty(0, np.intp), np.empty(0, np.float32)
        near = self.centroids @ query
        chosen = np.argpartition(-near, probes)[:probes] if probes < len(near) else np.arange(len(near))
        members = [self.members(cluster) for cluster in chosen.tolist()]
        rows = np.concatenate(members)
        cosine = np.concatenate([self._compared(some, query) for some in members])
        kept = np.argpartition(-cosine, top_k)[:top_k] if top_k < len(cosine) else np.arange(len(cosine))
        order = kept[np.lexsort((rows[kept], -cosine[kept]))]
        return rows[order], cosine[order]

    @property
    def _vectors(self) -> NDArray[np.int8]:
        return self._held[: self._size]

    def _hold(self, vectors: NDArray[np.int8]) -> None:
        """Keep vectors behind those there are, with room for a quarter more."""
        end = self._size + len(vectors)
        if end > len(self._held):
            larger = np.empty((max(end, len(self._held) * 5 // 4), self._dim), np.int8)
            larger[: self._size] = self._vectors
            self._held = larger
        self._held[self._size : end] = vectors
        self._size = end

    def _compared(self, rows: Rows, query: Floats) -> Floats:
        """The cosine of some rows with a query; of one cluster at a time, which stays in the caches."""
        cosine: Floats = (self._vectors[rows].astype(np.float32) @ query) * self._scale[rows]
        return cosine

    def _cohesion(self) -> float:
        members = self._alive & (self._cluster != NO_CLUSTER)
        return float(self._cosine[members].mean(dtype=np.float64)) if members.any() else 0.0

    def _ordered(self) -> tuple[Rows, Rows]:
        """The live rows cluster by cluster, and where each cluster begins."""
        if self._order is None:
            cluster = self.cluster
            rows = np.argsort(cluster, kind="stable")
            begins = np.searchsorted(cluster[rows], np.arange(len(self.centroids) + 1))
            self._order = rows, begins
        return self._order


def _lengths(vectors: NDArray[np.int8]) -> Floats:
    """The lengths of vectors, so many at a time that little memory is needed."""
    parts = [
        np.linalg.norm(vectors[start : start + BATCH].astype(np.float32), axis=1)
        for start in range(0, len(vectors), BATCH)
    ]
    return np.concatenate(parts) if parts else np.empty(0, np.float32)
