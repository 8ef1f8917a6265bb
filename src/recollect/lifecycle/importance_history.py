"""A memory's importance over time: the changes in its history, and the fading in between."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from recollect.lifecycle.use import importance_at
from recollect.types import JSON, Change, MemoryRecord

_WORTH: Final = ("worth.importance", "worth.critical")
_ACCESSED: Final = "times.accessed_at"


def importance_over_time(
    record: MemoryRecord, history: Sequence[Change], moments: Sequence[datetime]
) -> list[float]:
    """What was, is or will be left of a memory's importance at some moments, 0 to 1 each.

    After the last change it is what would be left if nobody touched the memory. Before the memory was
    stored it is what it had at the start.
    """
    states = _states(record, history)
    return [importance_at(_state_at(states, moment), moment) for moment in moments]


def _states(record: MemoryRecord, history: Sequence[Change]) -> list[tuple[datetime, MemoryRecord]]:
    """The record as it was from each change on, latest first; only what decides its importance is undone."""
    states = []
    for change in reversed(history):
        states.append((change.at, record))
        record = _undone(record, change.before)
    return states or [(record.times.created_at, record)]


def _state_at(states: Sequence[tuple[datetime, MemoryRecord]], moment: datetime) -> MemoryRecord:
    return next((state for since, state in states if since <= moment), states[-1][1])


def _undone(record: MemoryRecord, before: Mapping[str, JSON]) -> MemoryRecord:
    worth = {name.partition(".")[2]: before[name] for name in _WORTH if name in before}
    changed = replace(record, worth=replace(record.worth, **worth))  # type: ignore[arg-type]
    if _ACCESSED not in before:
        return changed
    accessed = before[_ACCESSED]
    moment = datetime.fromisoformat(accessed).astimezone(UTC) if isinstance(accessed, str) else None
    return replace(changed, times=replace(record.times, accessed_at=moment))
