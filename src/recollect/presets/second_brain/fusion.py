"""Reciprocal rank fusion: several rankings made one, by ranks alone."""

from collections.abc import Hashable, Sequence
from typing import Final, TypeVar

from recollect.errors import InvalidInputError

K: Final = 60.0
"""The constant of Cormack, Clarke and Büttcher (SIGIR 2009): the larger, the less do the first stand out."""
SECOND_BRAIN_K: Final = 0.0
"""Second Brain writes ``1 / (rank + 1)`` with ranks from 0: the first counts twice the second."""
CANDIDATES: Final = 50
"""Second Brain: the top 50 by words and the top 50 by vectors."""

_T = TypeVar("_T", bound=Hashable)


def reciprocal_rank(rank: int, *, k: float = K) -> float:
    """What standing at a rank counts: ``1 / (k + rank + 1)``, greater than 0, at most 1.

    Args:
        rank: From 0, as Second Brain counts.
        k: 0 as Second Brain writes it, 60 as its authors do.

    >>> [reciprocal_rank(rank, k=SECOND_BRAIN_K) for rank in range(2)], round(reciprocal_rank(0), 4)
    ([1.0, 0.5], 0.0164)
    """
    return 1.0 / (k + rank + 1)


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[_T]], *, k: float = K, limit: int | None = None
) -> list[tuple[_T, float]]:
    """Second Brain's ``hybrid_search``: each item has the sum of what it counts in each ranking.

    Args:
        rankings: Items, best first; one that is in a ranking twice counts where it stands first.
        k: See ``reciprocal_rank``; 0 or more.
        limit: How many at most; None for all.

    Returns:
        Items with their scores, highest first; equal ones in the order in which they were first met.

    Raises:
        InvalidInputError: ``k`` or ``limit`` is below 0.

    >>> fused = reciprocal_rank_fusion([["a", "b"], ["b", "c"]], k=SECOND_BRAIN_K)
    >>> [(item, round(score, 2)) for item, score in fused]
    [('b', 1.5), ('a', 1.0), ('c', 0.5)]
    """
    if not k >= 0 or (limit is not None and limit < 0):
        raise InvalidInputError("k and limit must be 0 or more")
    scores: dict[_T, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking)):
            scores[item] = scores.get(item, 0.0) + reciprocal_rank(rank, k=k)
    return sorted(scores.items(), key=lambda one: -one[1])[:limit]
