"""What happened when: memories in the order in which they happened, and how many there are of each period."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Final, Literal, get_args

from recollect.checks import check_one_of
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
    records: Sequence[MemoryRecord],
    *,
    grain: PeriodGrain | None,
    zone: tzinfo,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> Timeline:
    """The timeline of some memories."""
    ordered = sorted(records, key=_place)
    chosen = grain or _grain_for(ordered)
    counts: dict[datetime, Counter[Kind]] = {}
    for record in ordered:
        start = start_of(record.times.happened_at.astimezone(zone), chosen)
        counts.setdefault(start, Counter())[record.kind] += 1
    periods = [
        Period(start=start, end=_end_of(start, chosen), counts=dict(found)) for start, found in counts.items()
    ]
    named = ordered if before is None else ordered[: bisect_left(ordered, before, key=_place)]
    return Timeline(memories=tuple(named[-limit:]), total=len(ordered), grain=chosen, periods=tuple(periods))


def _place(record: MemoryRecord) -> tuple[datetime, str]:
    return record.times.happened_at, record.id


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


def _grain_for(ordered: Sequence[MemoryRecord]) -> PeriodGrain:
    if not ordered:
        return "day"
    span = ordered[-1].times.happened_at - ordered[0].times.happened_at
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
