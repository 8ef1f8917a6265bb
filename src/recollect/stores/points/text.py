"""Text search: the service proposes by the words it has, BM25 with the user's own statistics decides."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import ShadowRows
from recollect.stores.points.conditions import within
from recollect.stores.points.ledger import PointLedger
from recollect.stores.points.memories import read_shadow
from recollect.stores.points.points import stem_number
from recollect.stores.points.proposing import best_keys
from recollect.stores.points.user import User, is_within
from recollect.stores.reference.rows import BM25_B, BM25_K1
from recollect.types import Scope
from recollect.types.filters import EVERYTHING, Filter


class PointTextIndex:
    """The part of the store that searches text."""

    def __init__(self, ledger: PointLedger) -> None:
        self._ledger = ledger

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """See ``TextSearch.search_text``.

        Of equals the older come first. Of more than 1,000 matches in a collection, and more than four
        times the limit, those are ranked that the service puts first by weights for texts of a usual length.
        """
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            rarity = {stem: _rarity(user, stem) for stem in sorted(set(stems)) if user.stems[stem]}
            if not rarity or limit <= 0:
                return np.empty(0, np.int64)
            asked, conditions = _query(rarity), within(scope, where)
            return best_keys(
                self._ledger,
                user,
                scope,
                propose=lambda collection, depth, fields: self._ledger.connection.best(
                    collection, asked, where=conditions, limit=depth, fields=fields
                ),
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
