"""How sure a mean is, and whether two systems differ: by resampling whole conversations."""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

ROUNDS: Final = 10_000
"""Resamples, as usual for percentile intervals."""
LEAST_GROUPS: Final = 10
"""Conversations below which questions are resampled instead: nine can be swapped in 512 ways, so that the
least p, 2/512, is above 0.05 once it is corrected for thirteen systems, however much they differ."""
SEED: Final = 1

Values = NDArray[np.float64]


def groups_of(conversations: Sequence[Hashable]) -> tuple[NDArray[np.int64], str]:
    """The unit that is resampled: for each question its conversation, or itself where these are too few.

    Returns:
        A number from 0 for each question, and ``conversation`` or ``question``.
    """
    numbers = {one: place for place, one in enumerate(dict.fromkeys(conversations))}
    if len(numbers) < LEAST_GROUPS:
        return np.arange(len(conversations)), "question"
    return np.array([numbers[one] for one in conversations]), "conversation"


def interval(values: Values, groups: NDArray[np.int64]) -> tuple[float, float]:
    """The 95% percentile interval of a mean, by bootstrap over groups.

    >>> low, high = interval(np.array([0.0, 1.0] * 50), np.arange(100))
    >>> round(low, 1), round(high, 1)
    (0.4, 0.6)
    """
    sums, counts = _per_group(values, groups)
    rng = np.random.default_rng(SEED)
    means = np.empty(ROUNDS)
    for start in range(0, ROUNDS, 500):
        drawn = rng.integers(len(sums), size=(500, len(sums)))
        means[start : start + 500] = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


def paired(first: Values, second: Values, groups: NDArray[np.int64]) -> dict[str, float]:
    """How much better the first is than the second on the same questions.

    Returns:
        ``difference`` of the means with ``low`` and ``high`` of its 95% interval, and ``p``: how often a
        difference as large comes of swapping the two at random, by whole groups, two-sided.

    >>> paired(np.array([1.0] * 20), np.array([0.0] * 20), np.arange(20))["p"] < 0.01
    True
    """
    differences = first - second
    low, high = interval(differences, groups)
    sums, _ = _per_group(differences, groups)
    signs = _signs(len(sums))
    reached = np.abs(signs @ sums) >= abs(sums.sum()) - 1e-12
    exact = len(signs) < ROUNDS
    p = reached.mean() if exact else (1 + reached.sum()) / (1 + ROUNDS)
    return {"difference": float(differences.mean()), "low": low, "high": high, "p": float(p)}


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values for several comparisons at once (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    worst = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = worst
    return adjusted


def auroc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """How often one of the first is above one of the second, ties counting half; 0.5 says nothing.

    >>> auroc([0.9, 0.4], [0.5, 0.1])
    0.75
    """
    below = np.sort(np.asarray(lower, float))
    wins = np.searchsorted(below, higher, side="left") + np.searchsorted(below, higher, side="right")
    return float(wins.mean() / (2 * len(below)))


def _per_group(values: Values, groups: NDArray[np.int64]) -> tuple[Values, Values]:
    return np.bincount(groups, weights=values).astype(np.float64), np.bincount(groups).astype(np.float64)


def _signs(count: int) -> Values:
    """All ways to swap, where these are fewer than ``ROUNDS``; else so many at random."""
    if 2**count < ROUNDS:
        return np.array(
            [[1.0 - 2.0 * (way >> place & 1) for place in range(count)] for way in range(2**count)]
        )
    return np.random.default_rng(SEED).choice((-1.0, 1.0), size=(ROUNDS, count))
