"""What happened when: memories in the order in which they happened, and how many there are of each period."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Final, Literal, get_args

from recollect.checks import check_one_of
from recollect.protocols import Moment
from recollect.types import JSON, Kind, MemoryRecord
from recollect.types.codec import record_to_json

PeriodGrain = Literal["hour", "day", "week", "month", "year"]
"""How long a period is."""
GRAINS: Final[tuple[PeriodGrain, ...]] = get_args(PeriodGrain)

_LONGEST: Final[tuple[tuple[PeriodGrain, timedelta], ...]] = (
    ("hour", timedelta(days=3)),
    ("day", timedelta(days=92)),
    ("week", timedelta(days=731)),
    ("month", timedelta(days=3_653)),
)
"""Up to which span each grain is chosen, so that there are at most some hundred periods. Chosen by hand."""
_WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A period in which something happened, with the number of memories by kind; ``end`` is exclusive."""

    start: datetime
    end: datetime
    counts: Mapping[Kind, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """What happened when.

    Attributes:
        memories: The latest of those asked for (or before a place among them), oldest first.
        total: How many were asked for.
        grain: The length of the periods.
        periods: The periods with memories, oldest first; they count all that were asked for.
    """

    memories: tuple[MemoryRecord, ...]
    total: int
    grain: PeriodGrain
    periods: tuple[Period, ...]


def check_grain(value: object) -> PeriodGrain | None:
    """A grain of periods; None to choose one."""
    return None if value is None else check_one_of("grain", value, GRAINS)


def make_timeline(
    moments: Sequence[Moment],
    *,
    grain: PeriodGrain | None,
    zone: tzinfo,
    limit: int,
    read: Callable[[Sequence[str]], Sequence[MemoryRecord | None]],
    before: tuple[datetime, str] | None = None,
) -> Timeline:
    """The timeline of some memories; ``read`` gives the records of those that are listed."""
    ordered = sorted(moments)
    chosen = grain or _grain_for(ordered)
    named = ordered if before is None else ordered[: bisect_left(ordered, before)]
    listed = read([one.memory_id for one in named[-limit:]])
    return Timeline(
        memories=tuple(record for record in listed if record),
        total=len(ordered),
        grain=chosen,
        periods=_periods(ordered, chosen, zone),
    )


def _periods(ordered: Sequence[Moment], grain: PeriodGrain, zone: tzinfo) -> tuple[Period, ...]:
    counts: dict[datetime, Counter[Kind]] = {}
    start = end = datetime.min.replace(tzinfo=zone)
    for moment, _, kind in ordered:
        local = moment.astimezone(zone)
        if not start <= local < end:
            start = start_of(local, grain)
            end = _end_of(start, grain)
            counts.setdefault(start, Counter())
        counts[start][kind] += 1
    return tuple(
        Period(start=start, end=_end_of(start, grain), counts=dict(found)) for start, found in counts.items()
    )


def start_of(moment: datetime, grain: PeriodGrain) -> datetime:
    """When the period begins that a moment lies in; weeks begin on Mondays.

    >>> from datetime import UTC
    >>> start_of(datetime(2026, 5, 14, 9, 30, tzinfo=UTC), "week").isoformat()
    '2026-05-11T00:00:00+00:00'
    """
    if grain == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if grain == "week":
        back = timedelta(days=day.weekday())
        return day - back if day - day.min.replace(tzinfo=day.tzinfo) >= back else day
    if grain == "month":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if grain == "year" else day


def _end_of(start: datetime, grain: PeriodGrain) -> datetime:
    """The start of the next period; the last moment there is, where there is no next one."""
    try:
        if grain == "month":
            return start_of(start + timedelta(days=31), "month")
        if grain == "year":
            return start.replace(year=start.year + 1)
        return start + {"hour": timedelta(hours=1), "day": timedelta(days=1)}.get(grain, _WEEK)
    except (OverflowError, ValueError):
        return datetime.max.replace(tzinfo=start.tzinfo)


def _grain_for(ordered: Sequence[Moment]) -> PeriodGrain:
    if not ordered:
        return "day"
    span = ordered[-1].happened_at - ordered[0].happened_at
    return next((grain for grain, longest in _LONGEST if span <= longest), "year")


def timeline_to_json(timeline: Timeline) -> dict[str, JSON]:
    """A timeline as plain JSON values."""
    return {
        "grain": timeline.grain,
        "total": timeline.total,
        "periods": [
            {
                "start": one.start.isoformat(),
                "end": one.end.isoformat(),
                "counts": {str(kind): count for kind, count in one.counts.items()},
            }
            for one in timeline.periods
        ],
        "memories": [record_to_json(record) for record in timeline.memories],
    }
