"""Which memories a prompt takes first, when both what is relevant and what is recent counts (Semem)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

RECENCY_WEIGHT: Final = 0.3
"""What being recent counts. Chosen by hand: it orders what is about as relevant, and lifts nothing else."""
HALF_LIFE_DAYS: Final = 7.0
"""After so long half of being recent is left. Chosen by hand."""
_DAY_S: Final = 86_400.0

Doubles = NDArray[np.float64]


def priority(relevance: Doubles, idle_s: Doubles) -> Doubles:
    """Semem's "prioritizes by relevance and recency", 0 to 1; the design gives no formula.

    ``relevance * (0.7 + 0.3 * 0.5 ** (idle_days / 7))``. Its retrieval score would do for neither: within
    a day age takes nearly all of it.

    Args:
        relevance: How well each memory fits, 0 to 1.
        idle_s: Seconds since it was last accessed, or stored; less than 0 counts as 0.

    >>> week = np.array([0.0, 7 * 86_400.0])
    >>> priority(np.array([0.5, 0.6]), week).round(3).tolist()
    [0.5, 0.51]
    """
    recency = 0.5 ** (np.maximum(idle_s, 0.0) / (_DAY_S * HALF_LIFE_DAYS))
    return relevance * (1 - RECENCY_WEIGHT + RECENCY_WEIGHT * recency)
