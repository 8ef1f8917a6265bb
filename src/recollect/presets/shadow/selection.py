"""Shadow Memory's other orders of memories, and its selective retrieval; the spec has no formula for them."""

from collections.abc import Callable
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_one_of
from recollect.presets.shadow.activation import half_life_decay

Doubles = NDArray[np.float64]
RankingStrategy = Literal["relevance", "recency", "access", "combined"]
"""Shadow Memory's ranking strategies."""
_STRATEGIES: tuple[RankingStrategy, ...] = get_args(RankingStrategy)
COMBINED: Final = 0.3
"""What recency counts in ``combined``; relevance counts the rest. Chosen by hand."""
_DAY_US: Final = 86_400e6


def check_strategy(value: object) -> RankingStrategy:
    """Check the name of a ranking strategy.

    Raises:
        InvalidInputError: It is unknown.
    """
    return check_one_of("ranking", value, _STRATEGIES)


def strategy_score(
    strategy: RankingStrategy, *, score: Doubles, recency: Doubles, accessed: Doubles
) -> Doubles:
    """Shadow Memory's ``rankMemoriesWithStrategy``: the number that memories are ordered by, highest first.

    Args:
        strategy: ``relevance`` is the activation score; ``recency`` the temporal signal; ``access`` the decay
            since the last use; ``combined`` is ``0.7 * relevance + 0.3 * recency``.
        score: Activation scores, 0 to 1.
        recency: Temporal signals, 0 to 1.
        accessed: When each was used last, in microseconds since 1970.

    >>> one, day = np.array([0.9, 0.5]), np.array([0.0, 86_400e6])
    >>> strategy_score("combined", score=one, recency=np.array([0.0, 1.0]), accessed=day).round(2).tolist()
    [0.63, 0.65]
    """
    if strategy == "relevance":
        return score
    if strategy == "recency":
        return recency
    if strategy == "access":
        idle = (accessed.max(initial=0.0) - accessed) / _DAY_US
        return np.asarray(half_life_decay(idle), np.float64)
    return (1 - COMBINED) * score + COMBINED * recency


def diverse(
    score: Doubles, vectors: Callable[[], NDArray[np.float32]], *, limit: int, diversity: float
) -> list[int]:
    """Choose memories one by one, each unlike those chosen (maximal marginal relevance).

    The next is the one with most ``(1 - diversity) * score - diversity * cosine``, where the cosine is that
    with the most similar chosen one.

    Args:
        score: Of each, highest first.
        vectors: Makes their vectors, ``float32`` of shape ``(n, dim)`` and length 1; not called without need.
        limit: How many at most.
        diversity: 0 to 1; 0 takes the first ones.

    Returns:
        Places in ``score``, in the order in which they were chosen.

    >>> three = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
    >>> diverse(np.array([0.9, 0.8, 0.7]), lambda: three, limit=2, diversity=0.5)
    [0, 2]
    """
    if not diversity or len(score) <= 1:
        return list(range(min(limit, len(score))))
    all_vectors, chosen = vectors(), [int(np.argmax(score))]
    nearest = np.full(len(score), -1.0)
    while len(chosen) < min(limit, len(score)):
        nearest = np.maximum(nearest, all_vectors @ all_vectors[chosen[-1]])
        value = (1 - diversity) * score - diversity * nearest
        value[chosen] = -np.inf
        chosen.append(int(np.argmax(value)))
    return chosen
