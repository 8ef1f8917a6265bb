"""Stretches of the calendar on the wall clock of one place, and the arithmetic on them.

Times here are naive: what a clock on the wall shows. Only hours and minutes counted from now are aware,
because an hour lasts an hour on the night when the clocks change.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final, Literal, NamedTuple

from recollect.types import Grain

Direction = Literal["future", "past", "last", "next", "coming", "this"]
"""Which occurrence of what recurs: the current or nearest one ahead or behind, or as the word says."""

_GRAINS: Final[dict[str, Grain]] = {
    "minute": "minute", "hour": "hour", "day": "day", "week": "week", "month": "month", "year": "year",
    "quarter": "month", "fortnight": "week", "decade": "year", "weekend": "day",
}  # fmt: skip
_LENGTHS: Final = {"quarter": ("month", 3), "fortnight": ("week", 2), "decade": ("year", 10)}
_STEPS: Final = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
_FINENESS: Final = ("minute", "hour", "day", "week", "month", "year")
_DECEMBER: Final = 12
PARTS: Final = {
    "small": (0, 6), "morning": (6, 12), "noon": (11, 14), "afternoon": (12, 18), "evening": (18, 22),
    "night": (18, 30),
}  # fmt: skip
"""Parts of the day: their first hour, and the hour at which they are over. Chosen by hand; the night
begins at six because "tonight" and "last night" mean the evening too."""


class NamedPeriod(NamedTuple):
    """A stretch of time: its start, its end (exclusive), and how fine it was said.

    Both ends are naive, or both aware (what is counted from now).
    """

    start: datetime
    end: datetime
    grain: Grain

    @property
    def is_day(self) -> bool:
        """Whether it is one day of the wall clock, so that a time can be said of it."""
        return (
            self.grain == "day" and self.start.tzinfo is None and self.end - self.start == timedelta(days=1)
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a text is read from.

    Attributes:
        now: Aware UTC.
        zone: Whose wall clock counts.
        local: ``now`` on that wall clock, naive.
        direction: Where a date without a year, a weekday or a time alone is looked for.
    """

    now: datetime
    zone: tzinfo
    local: datetime
    direction: Direction

    def utc(self, moment: datetime) -> datetime:
        """A moment of the wall clock in UTC; one the clock shows twice is the first of the two."""
        return (moment if moment.tzinfo else moment.replace(tzinfo=self.zone)).astimezone(UTC)


def shifted(moment: datetime, unit: str, count: int) -> datetime:
    """So many units later; a month after 31 January is the last day of February.

    >>> shifted(datetime(2024, 1, 31), "month", 1)
    datetime.datetime(2024, 2, 29, 0, 0)

    Raises:
        OverflowError: It lies outside the years 1 to 9999.
        ValueError: The same.
    """
    unit, times = _LENGTHS.get(unit, (unit, 1))
    count *= times
    if unit in {"month", "year"}:
        months = moment.year * 12 + moment.month - 1 + count * (12 if unit == "year" else 1)
        first = moment.replace(year=months // 12, month=months % 12 + 1, day=1)
        return first.replace(day=min(moment.day, _days_in(first)))
    return moment + count * _STEPS[unit]


def period(unit: str, moment: datetime, count: int = 0) -> NamedPeriod:
    """The calendar's unit in which a moment lies, or the one ``count`` later.

    >>> period("week", datetime(2024, 5, 15)).start
    datetime.datetime(2024, 5, 13, 0, 0)
    """
    if unit == "weekend":
        monday = period("week", moment, count).start
        return NamedPeriod(shifted(monday, "day", 5), shifted(monday, "day", 7), "day")
    start = shifted(_begin(unit, moment), unit, count)
    return NamedPeriod(start, shifted(start, unit, 1), _GRAINS[unit])


def day(year: int, month: int, number: int) -> NamedPeriod:
    """One day.

    Raises:
        ValueError: There is no such day.
    """
    return period("day", datetime(year, month, number))  # noqa: DTZ001 - on the wall clock


def month(year: int, number: int, months: int = 1) -> NamedPeriod:
    """One month, or several from it on."""
    start = datetime(year, number, 1)  # noqa: DTZ001
    return NamedPeriod(start, shifted(start, "month", months), "month")


def from_now(frame: Frame, unit: str, count: int) -> NamedPeriod:
    """So many units from now: the calendar's unit there; for hours and minutes one from that very moment."""
    unit, times = _LENGTHS.get(unit, (unit, 1))
    if unit in {"hour", "minute"}:
        start = shifted(frame.now.replace(second=0, microsecond=0), unit, count * times)
        return NamedPeriod(start, shifted(start, unit, 1), _GRAINS[unit])
    return period(unit, frame.local, count * times)


def from_now_by(frame: Frame, parts: Sequence[tuple[str, int]]) -> NamedPeriod:
    """Several units from now ("two years and three months"), as fine as the finest of them."""
    there = frame.local
    for unit, count in parts:
        if unit not in {"hour", "minute"}:
            there = shifted(there, unit, count)
    names = [_LENGTHS.get(unit, (unit, 1))[0] for unit, _ in parts]
    finest = min(names, key=_FINENESS.index)
    if finest not in {"hour", "minute"}:
        return period(finest, there)
    start = frame.utc(there).replace(second=0, microsecond=0)
    for unit, count in parts:
        if unit in {"hour", "minute"}:
            start = shifted(start, unit, count)
    return NamedPeriod(start, shifted(start, finest, 1), _GRAINS[finest])


def rolling(frame: Frame, unit: str, count: int) -> NamedPeriod:
    """The last or (``count`` above 0) next so many units: whole days at the far end, now at the near one."""
    if unit in {"hour", "minute"}:
        there = shifted(frame.now, unit, count)
    else:
        midnight = _begin("day", shifted(frame.local, unit, count))
        there = frame.utc(shifted(midnight, "day", 1) if count > 0 else midnight)
    ends = (frame.now, there) if count > 0 else (there, frame.now)
    return NamedPeriod(*ends, _GRAINS[unit])


def recurring(
    frame: Frame, made: Callable[[int], NamedPeriod], around: int, direction: Direction | None = None
) -> NamedPeriod:
    """The occurrence that is meant of what recurs, such as May; ``around`` is the number of this one.

    Raises:
        ValueError: There is none within eight years.
    """
    way, now = direction or frame.direction, frame.local
    behind = way in {"past", "last"}
    for number in range(around + 1, around - 10, -1) if behind else range(around - 1, around + 10):
        try:
            found = made(number)
        except ValueError:  # 29 February, or the year 10000
            continue
        if _fits(found, now, way):
            return found
    raise ValueError("no such date near now")


def _fits(found: NamedPeriod, now: datetime, way: Direction) -> bool:
    match way:
        case "past":
            return found.start <= now
        case "last":
            return found.end <= now
        case "next" | "coming":
            return found.start > now
        case _:
            return found.end > now


def in_day(of: NamedPeriod, part: str) -> NamedPeriod:
    """A part of a day."""
    first, over = PARTS[part]
    start = of.start + timedelta(hours=first)
    return NamedPeriod(start, of.start + timedelta(hours=over), "hour")


def easter(year: int) -> NamedPeriod:
    """Easter Sunday (the anonymous Gregorian algorithm, in Meeus, Astronomical Algorithms, 1991).

    >>> easter(2024).start
    datetime.datetime(2024, 3, 31, 0, 0)
    """
    golden = year % 19
    century, rest = divmod(year, 100)
    leaps, off = divmod(century, 4)
    moon = (19 * golden + century - leaps - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    quads, left = divmod(rest, 4)
    weekday = (32 + 2 * off + 2 * quads - moon - left) % 7
    late = (golden + 11 * moon + 22 * weekday) // 451
    number, place = divmod(moon + weekday - 7 * late + 114, 31)
    return day(year, number, place + 1)


def weekday_of_month(year: int, number: int, weekday: int, place: int) -> NamedPeriod:
    """The first, second ... (1, 2 ...) or last (0) such weekday of a month."""
    span = month(year, number)
    if place == 0:
        last = shifted(span.end, "day", -1)
        return period("day", shifted(last, "day", -((last.weekday() - weekday) % 7)))
    first = shifted(span.start, "day", (weekday - span.start.weekday()) % 7)
    return period("day", shifted(first, "week", place - 1))


def _begin(unit: str, moment: datetime) -> datetime:
    moment = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    match unit:
        case "week":
            return shifted(moment, "day", -moment.weekday())
        case "month":
            return moment.replace(day=1)
        case "quarter":
            return moment.replace(month=(moment.month - 1) // 3 * 3 + 1, day=1)
        case "year":
            return moment.replace(month=1, day=1)
        case "decade":
            return moment.replace(year=max(1, moment.year // 10 * 10), month=1, day=1)
        case _:
            return moment


def _days_in(first: datetime) -> int:
    if first.month == _DECEMBER:
        return 31
    return (first.replace(month=first.month + 1) - first).days
