"""Search by what a service proposes: it narrows down, and the exact order is worked out here."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Features
from recollect.stores.points.connection import Payload
from recollect.stores.points.ledger import PointLedger
from recollect.stores.points.points import read_features, read_record
from recollect.stores.points.user import User, is_within
from recollect.types import Scope
from recollect.types.filters import EVERYTHING, Filter, matches

Propose = Callable[[str, int, Sequence[str]], list[Payload]]
"""Asks the service for points of a collection, so many, with some fields; the likeliest first."""
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
    depth = max(_PROPOSED, _PROPOSED_PER_WANTED * limit)
    fields = ["key", "features", *([] if where == EVERYTHING else ["record"])]
    while True:
        payloads = propose(collection, depth, fields)
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
