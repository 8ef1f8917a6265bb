"""What proves useful gains importance, as Chloe does it: by 20%, and not again for a while.

A reinforcement counts as an access. So its new importance starts from what the memory is worth at that
moment, decay included (``decayed_importance``), and is stored together with the moment.
"""

from datetime import datetime
from typing import Final

from recollect.errors import InvalidInputError

BOOST: Final = 0.2
"""What a reinforcement adds, as a share of the importance; from Chloe."""
COOL_DOWN_S: Final = 3600.0
"""An hour: praise within one conversation counts once. Chloe keeps the moment of the last reinforcement to
prevent more and does not say for how long; chosen by hand."""


def reinforced_importance(importance: float, *, boost: float = BOOST) -> float:
    """The importance after one reinforcement: ``importance * (1 + boost)``, at most 1.

    An importance of 0 stays 0.

    Args:
        importance: As it was, 0 to 1.
        boost: The share added, 0 or more.

    Returns:
        ``importance`` to 1.

    Raises:
        InvalidInputError: ``boost`` is negative or no number.

    >>> reinforced_importance(0.5), reinforced_importance(0.9)
    (0.6, 1.0)
    """
    if not 0 <= boost < float("inf"):
        raise InvalidInputError(f"boost must be a number of at least 0, not {boost}")
    return min(1.0, importance * (1 + boost))


def may_reinforce(
    last_reinforced_at: datetime | None, now: datetime, *, cool_down_s: float = COOL_DOWN_S
) -> bool:
    """Whether a memory may be reinforced again.

    Args:
        last_reinforced_at: When it last was, aware; None is never. One after ``now`` (clocks differ) counts
            as just now.
        now: Aware.
        cool_down_s: Seconds that must have passed; 0 lets every reinforcement through that is not earlier
            than the last.

    Raises:
        InvalidInputError: ``cool_down_s`` is negative or no number.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    >>> may_reinforce(None, noon), may_reinforce(noon, noon.replace(minute=59))
    (True, False)
    >>> may_reinforce(noon, noon.replace(hour=13))
    True
    """
    if not cool_down_s >= 0:
        raise InvalidInputError(f"cool_down_s must be a number of at least 0, not {cool_down_s}")
    return last_reinforced_at is None or (now - last_reinforced_at).total_seconds() >= cool_down_s
