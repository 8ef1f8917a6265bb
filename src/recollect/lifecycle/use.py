"""What use does to a memory: it counts, and its importance is fixed at what time has left of it.

A memory's importance is stored as of one moment, its anchor: when it was last used, reinforced or given an
importance, else when it was stored. What is left of it later is computed when it is read.
"""

from dataclasses import replace
from datetime import datetime
from typing import Final

from recollect.lifecycle.decay import decayed_importance
from recollect.lifecycle.reinforcement import COOL_DOWN_S, may_reinforce, reinforced_importance
from recollect.types import Kind, MemoryRecord, Reinforcement

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
    """The record after it was called valuable; None when that happened too short a while ago.

    Args:
        record: As it is.
        now: Aware.
        reason: Why; kept with the moment.
        cool_down_s: See ``may_reinforce``.
    """
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
