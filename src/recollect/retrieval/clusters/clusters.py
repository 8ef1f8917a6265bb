"""The clusters of a user's memories: what means alike, with labels, and search that looks at near ones."""

import json
import math
import threading
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import MAX_TOP_K, NO_LIMIT, check_count, check_query
from recollect.errors import StoreCorruptError
from recollect.protocols import Embedder, ShadowDelta, Store
from recollect.retrieval.clusters.index import PROBES, ClusterIndex, Trained
from recollect.retrieval.clusters.kmeans import MOST_CLUSTERS, unit
from recollect.retrieval.vectors import quantise
from recollect.types import MemoryRecord, Recollection, Scope, Tag
from recollect.types.filters import Filter

WORDS: Final = 3
"""Tags in a label. Chosen by hand."""


def label_clusters(tags: Sequence[Sequence[Sequence[Tag]]]) -> list[str]:
    """A label for each cluster: the tags that its memories have and those of other clusters have not.

    A tag counts its confidences in the cluster times ``ln(1 + clusters / clusters that have it)``; equal ones
    stand in alphabetical order.

    Args:
        tags: For each cluster, the tags of some of its memories.

    Returns:
        Up to three tags, joined by commas; empty for a cluster without any.

    >>> cat, tyre, house = (Tag(text=text) for text in ("cat", "tyre", "house"))
    >>> label_clusters([[[cat, house], [cat]], [[tyre, house]], []])
    ['cat, house', 'tyre, house', '']
    """
    counted = [_counted(cluster) for cluster in tags]
    having = Counter(text for counts in counted for text in counts)
    rare = {text: math.log1p(len(tags) / clusters) for text, clusters in having.items()}
    return [", ".join(_telling(counts, rare)) for counts in counted]


def _telling(counts: Mapping[str, float], rare: Mapping[str, float]) -> list[str]:
    return sorted(counts, key=lambda text: (-counts[text] * rare[text], text))[:WORDS]


def _counted(cluster: Sequence[Sequence[Tag]]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for memory in cluster:
        for tag in memory:
            text = tag.text.casefold()
            counts[text] = counts.get(text, 0.0) + tag.confidence
    return counts


STATE: Final = "clusters"
"""The name under which a store keeps the centroids."""
_VERSION: Final = 1
_NAMED_BY: Final = 20
"""Members of a cluster, the nearest to its centroid, whose tags make its label. Chosen by hand."""


_FEW_DEAD: Final = 16
_MOST_DEAD: Final = 0.25
"""The places of deleted and archived memories are given up when they are more than these, and than a quarter
as many as the others. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Memories that mean alike.

    Attributes:
        label: What they are about: tags that they share and others have not; may be empty.
        memory_ids: Which, the nearest to the middle first.
        cohesion: The mean cosine of the members with the middle, 0 to 1.
    """

    label: str
    memory_ids: tuple[str, ...]
    cohesion: float


class Clusters:
    """The clusters of one user; keep the object to be fast. See ``Memory.graph.clusters``.

    Centroids are stored, so clusters stay the same. New memories join the nearest cluster. Clusters are
    rebuilt when a tenth of the members drifted, or the number of memories doubled or halved
    (``retrieval.clusters.index``). Archived memories are in none; agent and session are ignored.

    Args:
        store: Where the memories are.
        scope: Whose.
        embedder: Embeds questions.
        seen: Tells what may be shown; by default everything.
    """

    def __init__(
        self, store: Store, scope: Scope, *, embedder: Embedder, seen: Callable[[], Filter] | None = None
    ) -> None:
        self._seen = seen
        self._store = store
        self._scope = scope
        self._embedder = embedder
        self._lock = threading.Lock()
        self._version = 0
        self._index: ClusterIndex | None = None
        self._keys = np.empty(0, np.int64)
        self._ids: list[str] = []

    def all(self) -> list[Cluster]:
        """The clusters, the largest first, equally large ones by their labels; none without memories."""
        seen = self._shown()
        with self._lock:
            index = self._refreshed()
            groups = (
                []
                if index is None
                else [_nearest_first(index, place, self._keys, seen) for place in range(len(index.centroids))]
            )
            named = [[self._ids[row] for row in rows[:_NAMED_BY]] for rows in groups]
            members = [[self._ids[row] for row in rows] for rows in groups]
            held = [] if index is None else [index.cosine[rows] for rows in groups]
        labels = label_clusters([[record.labels.tags for record in self._read(ids)] for ids in named])
        made = [
            Cluster(label=label, memory_ids=tuple(ids), cohesion=float(cosine.mean()))
            for label, ids, cosine in zip(labels, members, held, strict=True)
            if ids
        ]
        return sorted(made, key=lambda one: (-len(one.memory_ids), one.label, one.memory_ids))

    def search(self, query: str, *, top_k: int = 10, probes: int = PROBES) -> list[Recollection]:
        """The memories nearest to a question in meaning, from the ``probes`` nearest clusters.

        Returns:
            Recollections with the cosine as score, highest first.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        vector = self._embedder.embed_query(check_query(query))
        most = check_count("top_k", top_k, most=MAX_TOP_K)
        looked_into = check_count("probes", probes, most=MOST_CLUSTERS)
        seen = self._shown()
        with self._lock:
            index = self._refreshed()
            if index is None:
                return []
            rows, cosine = index.search(
                vector, top_k=most if seen is None else max(len(index), 1), probes=looked_into
            )
            if seen is not None:
                held = np.isin(self._keys[rows], seen)
                rows, cosine = rows[held][:most], cosine[held][:most]
            ids = [self._ids[row] for row in rows.tolist()]
        scores = dict(zip(ids, np.clip(cosine, 0, 1).tolist(), strict=True))
        return [
            Recollection(
                memory=record,
                score=scores[record.id],
                signals={"vector": scores[record.id]},
                terms={"vector": scores[record.id]},
            )
            for record in self._read(ids)
        ]

    def recluster(self, *, clusters: int | None = None, seed: int = 0) -> None:
        """Make the clusters anew now.

        Args:
            clusters: How many, 1 to 4,096; None makes as many as the root of the number of memories.
            seed: Of the samples that k-means draws.
        """
        wanted = None if clusters is None else check_count("clusters", clusters, most=MOST_CLUSTERS)
        drawn = check_count("seed", seed, least=0, most=NO_LIMIT)
        with self._lock:
            index = self._refreshed()
            if index is not None:
                self._train(index, clusters=wanted, seed=drawn)

    def _shown(self) -> NDArray[np.int64] | None:
        """The keys of what may be shown; None for everything."""
        return None if self._seen is None else self._store.match(self._scope, self._seen())

    def _refreshed(self) -> ClusterIndex | None:
        """The index as the store is now; None without memories."""
        if self._version != self._store.shadow_version(self._scope):
            delta = self._store.shadow(self._scope, self._version)
            if delta.reset:
                self._forget()
            self._apply(delta)
        if self._index is not None and self._index.is_outdated():
            self._train(self._index, clusters=None, seed=0)
        return self._index

    def _apply(self, delta: ShadowDelta) -> None:
        self._version = delta.version
        rows = delta.rows
        away = np.array([profile.tier == "archived" for profile in rows.profiles], np.bool_)
        active = np.flatnonzero(~away[rows.profile_of]) if len(rows.ids) else np.empty(0, np.intp)
        gone = np.concatenate([delta.removed, np.delete(rows.keys, active)])
        if self._index is not None and len(gone):
            places = self._places(gone)
            self._index.remove(places[places >= 0])
        if active.size:
            self._hold(rows.keys[active], [rows.ids[row] for row in active.tolist()], rows.vectors[active])
        if self._index is not None and self._index.dead > max(_FEW_DEAD, _MOST_DEAD * len(self._index)):
            self._compact(self._index)

    def _hold(self, keys: NDArray[np.int64], ids: Sequence[str], vectors: NDArray[np.int8]) -> None:
        """Memories that are new or have changed; those that are known keep their places."""
        if self._index is None:
            self._index = ClusterIndex(vectors.shape[1], self._kept(vectors.shape[1]))
        places = self._places(keys)
        new = np.flatnonzero(places < 0)
        self._index.put(places[places >= 0], vectors[places >= 0])
        if not new.size:
            return
        self._index.add(vectors[new])
        self._keys = np.concatenate([self._keys, keys[new]])
        self._ids += [ids[row] for row in new.tolist()]
        before = len(self._keys) - new.size
        if (np.diff(self._keys[max(before - 1, 0) :]) <= 0).any():
            self._compact(self._index)

    def _places(self, keys: NDArray[np.int64]) -> NDArray[np.intp]:
        """The rows of some keys, -1 for unknown ones; keys are kept in ascending order."""
        if not len(self._keys):
            return np.full(len(keys), -1, np.intp)
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[found] == keys, found, -1)

    def _compact(self, index: ClusterIndex) -> None:
        """Give up the places of the dead, and bring the others into the order of their keys."""
        order = np.argsort(self._keys, kind="stable")
        kept = order[index.alive[order]]
        index.take(kept)
        self._keys = self._keys[kept]
        self._ids = [self._ids[row] for row in kept.tolist()]

    def _forget(self) -> None:
        self._index, self._keys, self._ids = None, np.empty(0, np.int64), []

    def _train(self, index: ClusterIndex, *, clusters: int | None, seed: int) -> None:
        index.train(clusters=clusters, seed=seed)
        if index.trained is not None:
            written = _written(index.trained, self._store.setting("embedder"))
            self._store.change_state(self._scope, STATE, lambda _: written)

    def _kept(self, dim: int) -> Trained | None:
        """The centroids in the store; None where there are none, or another embedder made their vectors."""
        kept = self._store.state(self._scope, STATE)
        return None if kept is None else _read(kept, dim=dim, embedder=self._store.setting("embedder"))

    def _read(self, ids: Sequence[str]) -> list[MemoryRecord]:
        return [record for record in self._store.get(self._scope, ids) if record is not None]


def _nearest_first(
    index: ClusterIndex, cluster: int, keys: NDArray[np.int64], seen: NDArray[np.int64] | None
) -> list[int]:
    rows = index.members(cluster)
    rows = rows if seen is None else rows[np.isin(keys[rows], seen)]
    order: list[int] = rows[np.argsort(-index.cosine[rows], kind="stable")].tolist()
    return order


def _written(trained: Trained, embedder: str | None) -> str:
    centroids = quantise(trained.centroids)
    return json.dumps(
        {
            "version": _VERSION,
            "embedder": embedder,
            "dim": centroids.shape[1],
            "vectors": trained.vectors,
            "cohesion": trained.cohesion,
            "centroids": b64encode(centroids.tobytes()).decode("ascii"),
        }
    )


def _read(kept: str, *, dim: int, embedder: str | None) -> Trained | None:
    found = read_centroids(kept)
    if found is None or found[0] != embedder or found[1].centroids.shape[1] != dim:
        return None
    return found[1]


def read_centroids(kept: str) -> tuple[str | None, Trained] | None:
    """The embedder of the vectors, and what was trained; None if another version wrote it.

    Raises:
        StoreCorruptError: It is damaged.
    """
    try:
        value = json.loads(kept)
        if value["version"] != _VERSION:
            return None
        centroids: NDArray[np.int8] = np.frombuffer(b64decode(value["centroids"], validate=True), np.int8)
        return value["embedder"], Trained(
            centroids=unit(centroids.reshape(-1, value["dim"])),
            vectors=int(value["vectors"]),
            cohesion=float(value["cohesion"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise StoreCorruptError("the centroids of clusters are damaged; restore a backup") from error
