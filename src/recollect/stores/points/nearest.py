"""Vector search: the service proposes by the vectors it has, their cosine decides."""

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Features
from recollect.stores.points.conditions import within
from recollect.stores.points.ledger import PointLedger
from recollect.stores.points.proposing import best_keys
from recollect.types import Scope
from recollect.types.filters import EVERYTHING, Filter


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
            conditions = within(scope, where)
            return best_keys(
                self._ledger,
                self._ledger.user(scope.user_id),
                scope,
                propose=lambda collection, depth, fields: self._ledger.connection.nearest(
                    collection, vector, where=conditions, limit=depth, fields=fields
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
