"""What time and use do to the importance of a memory: it fades, counts and is reinforced; Chloe's rules.

A memory's importance is stored as of one moment, its anchor: when it was last used, reinforced or given an
importance, else when it was stored. What is left of it later is computed when it is read.
"""

from dataclasses import replace
from datetime import datetime
from typing import Final

from recollect.errors import InvalidInputError
from recollect.types import Kind, MemoryRecord, Reinforcement

BOOST: Final = 0.2
"""What a reinforcement adds, as a share of the importance; from Chloe."""
COOL_DOWN_S: Final = 3600.0
"""An hour: praise within one conversation counts once. Chloe keeps the moment of the last reinforcement to
prevent more and does not say for how long; chosen by hand."""


def reinforced_importance(importance: float, *, boost: float = BOOST) -> float:
    """The importance (0 to 1) after one reinforcement: ``importance * (1 + boost)``, at most 1; 0 stays 0.

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
    """Whether ``cool_down_s`` seconds have passed since a memory was last reinforced; None is never.

    A time after ``now`` (clocks differ) counts as just now. Both are aware.

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


LASTING: Final[tuple[Kind, ...]] = ("fact", "document")
"""Kinds that time alone does not wear: Second Brain's semantic memory is "stable until contradicted"."""
KEPT_REINFORCEMENTS: Final = 20
"""The record keeps this many, the latest; its history keeps all. Chosen by hand."""
_DAY_S: Final = 86_400


def importance_at(record: MemoryRecord, moment: datetime) -> float:
    """What is left of a memory's importance at a moment, 0 to 1; Chloe's decay, but facts do not fade."""
    anchor = record.times.accessed_at or record.times.created_at
    idle_days = (moment - anchor).total_seconds() / _DAY_S
    lasting = record.worth.critical or record.kind in LASTING
    return decayed_importance(record.worth.importance, idle_days=idle_days, critical=lasting)


def used(record: MemoryRecord, now: datetime) -> MemoryRecord:
    """The record after it helped to answer."""
    use = replace(record.use, usage_count=record.use.usage_count + 1)
    return replace(anchored(record, now), use=use)


def reinforced(
    record: MemoryRecord, now: datetime, *, reason: str | None, cool_down_s: float = COOL_DOWN_S
) -> MemoryRecord | None:
    """The record after it was called valuable; None when that happened too short a while ago."""
    before = record.use.reinforcements
    if not may_reinforce(before[-1].at if before else None, now, cool_down_s=cool_down_s):
        return None
    held = anchored(record, now)
    importance = reinforced_importance(held.worth.importance)
    latest = (*before, Reinforcement(at=now, reason=reason))[-KEPT_REINFORCEMENTS:]
    use = replace(record.use, reinforced_count=record.use.reinforced_count + 1, reinforcements=latest)
    return replace(held, worth=replace(held.worth, importance=importance), use=use)


def anchored(record: MemoryRecord, now: datetime) -> MemoryRecord:
    """The record with its importance as of now; a clock that runs back moves nothing."""
    anchor = record.times.accessed_at or record.times.created_at
    return replace(
        record,
        worth=replace(record.worth, importance=importance_at(record, now)),
        times=replace(record.times, accessed_at=max(now, anchor)),
    )
