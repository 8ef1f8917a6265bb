"""Search by text and by vector: the service proposes, BM25 or the cosine decides."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Features, ShadowRows
from recollect.stores.points.conditions import within
from recollect.stores.points.connection import Payload, Wanted
from recollect.stores.points.ledger import PointLedger
from recollect.stores.points.memories import read_shadow
from recollect.stores.points.points import read_features, read_record, stem_number
from recollect.stores.points.user import User, is_within
from recollect.stores.reference.rows import BM25_B, BM25_K1
from recollect.types import Scope
from recollect.types.filters import EVERYTHING, Filter, matches


class PointVectorIndex:
    """The part of the store that searches vectors."""

    def __init__(self, ledger: PointLedger) -> None:
        self._ledger = ledger

    def search_vector(
        self, scope: Scope, vector: NDArray[np.float32], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """See ``VectorSearch.search_vector``. Of equals the older come first."""
        with self._ledger.held():
            if limit <= 0 or not vector.any():
                return np.empty(0, np.int64)
            return best_keys(
                self._ledger,
                self._ledger.user(scope.user_id),
                scope,
                propose=lambda collection, wanted: self._ledger.connection.nearest(
                    collection, vector, wanted
                ),
                weigh=lambda features: _cosine(vector, features),
                limit=limit,
                where=where,
            )


def _cosine(vector: NDArray[np.float32], features: Features) -> float | None:
    """How alike a memory's vector is, -1 to 1; None when it has none."""
    stored = np.frombuffer(features.vector, np.int8).astype(np.float32)
    length = float(np.linalg.norm(stored))
    return float(stored @ vector) / length if length else None


class PointTextIndex:
    """The part of the store that searches text."""

    def __init__(self, ledger: PointLedger) -> None:
        self._ledger = ledger

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """See ``TextSearch.search_text``; of equal ones the older come first.

        Beyond 1,000 matches in a collection and four times the limit, only those are ranked that the service
        puts first by weights for texts of usual length.
        """
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            rarity = {stem: _rarity(user, stem) for stem in sorted(set(stems)) if user.stems[stem]}
            if not rarity or limit <= 0:
                return np.empty(0, np.int64)
            asked = _query(rarity)
            return best_keys(
                self._ledger,
                user,
                scope,
                propose=lambda collection, wanted: self._ledger.connection.best(collection, asked, wanted),
                weigh=lambda features: _bm25(user, features.stems.split(), rarity) or None,
                limit=limit,
                where=where,
            )

    def shadow_of(self, scope: Scope, keys: NDArray[np.int64], *, around: int) -> ShadowRows:
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            wanted = set(keys.tolist())
            chosen = [row for key in wanted if (row := user.rows.get(key)) and row.live]
            near = {
                (row.thread, row.turn + step)
                for row in chosen
                if row.thread and is_within(scope, row)
                for step in range(-around, around + 1)
            }
            live = user.live(scope)
            rows = [row for row in live if row.key in wanted or (row.thread, row.turn) in near]
            return read_shadow(self._ledger, user, rows)


def _query(rarity: dict[str, float]) -> dict[int, float]:
    weights: dict[int, float] = {}
    for stem, weight in rarity.items():
        number = stem_number(stem)
        weights[number] = weights.get(number, 0.0) + weight
    return weights


def _rarity(user: User, stem: str) -> float:
    """How much a stem says; never negative (see ``memory_rows.bm25``)."""
    held_by = user.stems[stem]
    return math.log1p((user.documents - held_by + 0.5) / (held_by + 0.5))


def _bm25(user: User, words: Sequence[str], rarity: dict[str, float]) -> float:
    counts = Counter(words)
    length = len(words) * user.documents / max(1, user.words)
    return sum(
        weight * counts[stem] * (BM25_K1 + 1) / (counts[stem] + BM25_K1 * (1 - BM25_B + BM25_B * length))
        for stem, weight in rarity.items()
        if counts[stem]
    )


Propose = Callable[[str, Wanted], list[Payload]]
"""Asks the service for points of a collection; the likeliest first."""
Weigh = Callable[[Features], float | None]
"""How well a memory fits, larger is better; None when it does not."""

_PROPOSED: Final = 1_000
"""Memories that the service proposes at least. Chosen by hand."""
_PROPOSED_PER_WANTED: Final = 4
"""Memories that the service proposes for each that is wanted: its order is nearly ours. Chosen by hand."""


class _Found(NamedTuple):
    """A memory that fits and matches."""

    key: int
    score: float


def best_keys(
    ledger: PointLedger,
    user: User,
    scope: Scope,
    *,
    propose: Propose,
    weigh: Weigh,
    limit: int,
    where: Filter,
) -> NDArray[np.int64]:
    """The keys of the memories that fit best, of equals the older first."""
    name = ledger.collections.name
    collections = dict.fromkeys(name(row.family, user.tenant) for row in user.live(scope))
    found = [
        each
        for collection in collections
        for each in _of_collection(user, scope, collection, propose, weigh=weigh, limit=limit, where=where)
    ]
    best = sorted(found, key=lambda each: (-each.score, each.key))[:limit]
    return np.array([each.key for each in best], np.int64)


def _of_collection(
    user: User, scope: Scope, collection: str, propose: Propose, *, weigh: Weigh, limit: int, where: Filter
) -> list[_Found]:
    """The memories of one collection; more are asked for while too few of those proposed match."""
    depth, conditions = max(_PROPOSED, _PROPOSED_PER_WANTED * limit), within(scope, where)
    fields = ["key", "features", *([] if where == EVERYTHING else ["record"])]
    while True:
        payloads = propose(collection, Wanted(conditions, depth, fields))
        found = []
        for payload in payloads:
            row = user.rows.get(payload["key"])
            if row is None or not row.live or not is_within(scope, row):
                continue
            score = weigh(read_features(payload))
            if score is not None and (where == EVERYTHING or matches(where, read_record(payload))):
                found.append(_Found(row.key, score))
        if len(payloads) != depth or len(found) >= limit:
            return found
        depth *= 4
