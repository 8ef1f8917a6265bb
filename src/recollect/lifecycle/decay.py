"""Forgetting, computed when a memory is read; nothing is written and nothing sweeps.

The rule is Chloe's: importance falls by 5% a week without access, not below a floor, never for critical
memories and never for recently used ones. "Recently" is the first week here: only full weeks count.
"""

from typing import Final

from recollect.errors import InvalidInputError

WEEKLY_DECAY: Final = 0.05
"""What a week without access takes away, as a share; from Chloe."""
FLOOR: Final = 0.1
"""Decay ends here. Chloe has a floor and does not say where; chosen by hand."""
_WEEK_DAYS: Final = 7.0


def decayed_importance(
    importance: float,
    *,
    idle_days: float,
    critical: bool = False,
    weekly_decay: float = WEEKLY_DECAY,
    floor: float = FLOOR,
) -> float:
    """The importance of a memory that has not been accessed for a while (Chloe's temporal decay).

    ``importance * (1 - weekly_decay) ** full_weeks``, but at least ``floor``. An importance that is below
    the floor already stays as it is. Give it the importance as stored, never one that was decayed
    before: time would count twice.

    Args:
        importance: As stored, 0 to 1.
        idle_days: Days since the last access, or since it was stored; less than 0 (clocks differ)
            counts as 0.
        critical: A critical memory keeps its importance.
        weekly_decay: The share lost in a week, 0 to 1.
        floor: 0 to 1.

    Returns:
        0 to ``importance``; it never rises with ``idle_days``.

    Raises:
        InvalidInputError: ``weekly_decay`` or ``floor`` is not within 0 to 1, or ``idle_days`` is no number.

    >>> decayed_importance(0.8, idle_days=6.9)
    0.8
    >>> round(decayed_importance(0.8, idle_days=15), 3)  # two full weeks: 0.8 * 0.95 ** 2
    0.722
    >>> decayed_importance(0.8, idle_days=3650), decayed_importance(0.05, idle_days=3650)
    (0.1, 0.05)
    >>> decayed_importance(0.8, idle_days=3650, critical=True)
    0.8
    """
    for name, share in (("weekly_decay", weekly_decay), ("floor", floor)):
        if not 0 <= share <= 1:
            raise InvalidInputError(f"{name} must be within 0 to 1, not {share}")
    if not abs(idle_days) < float("inf"):
        raise InvalidInputError(f"idle_days must be a finite number, not {idle_days}")
    full_weeks = max(0.0, idle_days) // _WEEK_DAYS
    if critical or not full_weeks:
        return importance
    kept: float = (1 - weekly_decay) ** full_weeks
    return max(importance * kept, min(importance, floor))
