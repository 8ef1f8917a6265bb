"""Counting that memories were used: what is counted, and how often at most."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, get_args

from recollect.errors import InvalidInputError, as_given
from recollect.lifecycle.use import COOL_DOWN_S, anchored, may_reinforce, reinforced, used
from recollect.memory.parts import Parts, existing
from recollect.protocols import Entry
from recollect.types import ChangeAction, HowUsed, MemoryRecord, Scope

SHOWN_EVERY_S: Final = 86_400.0
"""A memory counts as shown once a day: Shadow Memory's, which saves writing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counting:
    """How one kind of use is counted."""

    action: ChangeAction
    count: Callable[[MemoryRecord, datetime], MemoryRecord | None]
    is_due: Callable[[MemoryRecord, datetime], bool]


def count_use(
    parts: Parts,
    ids: Sequence[str],
    *,
    user_id: str,
    useful: bool | None,
    how: HowUsed,
    every_s: float | None,
    reason: str | None,
) -> list[MemoryRecord]:
    """Count a use of some memories; see ``Memory.use``."""
    counting = _counting(useful=useful, how=how, every_s=every_s, reason=reason)
    scope = parts.scope(user_id)
    found = parts.store.get(scope, ids)
    if how != "shown":
        found = [existing(one, memory_id) for one, memory_id in zip(found, ids, strict=True)]
    known = {one.id: one for one in found if one is not None}
    due = [one.id for one in known.values() if counting.is_due(one, parts.clock())]
    if how == "reinforced":  # each by itself: one that comes too soon undoes no other
        for memory_id in due:
            known |= _count(parts, scope, [memory_id], counting, reason)
    elif due:
        known |= _count(parts, scope, due, counting, reason)
    return list(known.values())


def _counting(*, useful: bool | None, how: HowUsed, every_s: float | None, reason: str | None) -> _Counting:
    if how not in get_args(HowUsed):
        raise InvalidInputError(f"how must be one of {', '.join(get_args(HowUsed))}, not {as_given(how)}")
    if useful is not None:
        if how != "helped" or every_s is not None:
            raise InvalidInputError("useful is counted by itself: leave out how and every_s")
        return _Counting(action="feedback", count=_judged(helped=useful), is_due=lambda *_: True)
    if how == "reinforced":
        wait_s = COOL_DOWN_S if every_s is None else every_s
        return _Counting(
            action="reinforce",
            count=lambda one, now: reinforced(one, now, reason=reason, cool_down_s=wait_s),
            is_due=lambda one, now: may_reinforce(_last_reinforced(one), now, cool_down_s=wait_s),
        )
    usual_s = SHOWN_EVERY_S if how == "shown" else 0.0
    least_s = usual_s if every_s is None else every_s
    return _Counting(
        action="use",
        count=_shown if how == "shown" else used,
        is_due=lambda one, now: _idle_s(one, now) >= least_s or not least_s,
    )


def _count(
    parts: Parts, scope: Scope, ids: Sequence[str], counting: _Counting, reason: str | None
) -> dict[str, MemoryRecord]:
    """Count a use of memories in one transaction; those that are gone meanwhile are skipped."""

    def change(before: MemoryRecord) -> Entry:
        after = counting.count(before, parts.clock())
        if after is None:
            raise _TooSoonError
        return parts.indexer.entry(after)

    try:
        changed = parts.store.update(scope, ids, change, action=counting.action, reason=reason)
    except _TooSoonError:  # another thread was quicker
        changed = parts.store.get(scope, ids)
    return {one.id: one for one in changed if one is not None}


def _judged(*, helped: bool) -> Callable[[MemoryRecord, datetime], MemoryRecord]:
    def judge(record: MemoryRecord, now: datetime) -> MemoryRecord:
        use = record.use
        if helped:
            return replace(anchored(record, now), use=replace(use, useful_count=use.useful_count + 1))
        return replace(record, use=replace(use, unhelpful_count=use.unhelpful_count + 1))

    return judge


def _shown(record: MemoryRecord, now: datetime) -> MemoryRecord:
    use = replace(record.use, access_count=record.use.access_count + 1)
    return replace(anchored(record, now), use=use)


def _last_reinforced(record: MemoryRecord) -> datetime | None:
    before = record.use.reinforcements
    return before[-1].at if before else None


def _idle_s(record: MemoryRecord, now: datetime) -> float:
    """Seconds since it was used last."""
    return (now - (record.times.accessed_at or record.times.created_at)).total_seconds()


class _TooSoonError(Exception):
    """Undoes a reinforcement that comes too soon after the last."""
