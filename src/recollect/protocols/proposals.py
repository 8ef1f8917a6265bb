"""What a store's own indexes propose, in a scope too large to hold a shadow of."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import CandidateSearch, ShadowRows, TextSearch, VectorSearch
from recollect.types import Scope
from recollect.types.filters import Filter


def propose(
    store: TextSearch,
    scope: Scope,
    stems: Sequence[str],
    vector: NDArray[np.float32],
    *,
    limit: int,
    around: int,
    where: Filter,
) -> ShadowRows:
    """What a store finds by words, and by vector if it can, with neighbours; in one trip if it can.

    Arguments as in ``CandidateSearch.search_candidates``.
    """
    if isinstance(store, CandidateSearch):
        return store.search_candidates(scope, stems, vector, limit=limit, around=around, where=where)
    keys = store.search_text(scope, stems, limit=limit, where=where)
    if isinstance(store, VectorSearch):
        keys = np.union1d(keys, store.search_vector(scope, vector, limit=limit, where=where))
    return store.shadow_of(scope, keys, around=around)
