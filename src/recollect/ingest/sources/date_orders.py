"""Dates in numbers, whose order depends on a country: 3/4/26 is in March or in April.

A number over 12 is a day; full stops between numbers mean that the day is first; where neither helps, it is
the order in which the dates of a file do not go back.
"""

from datetime import UTC, datetime, tzinfo
from typing import Final, NamedTuple

from recollect.errors import UnclearFileError
from recollect.ingest.sources.source import DateOrder
from recollect.types.regex import lazy_regex

_WRITTEN: Final = lazy_regex(
    r"(?P<first>\d{1,4})(?P<mark>[./-]) ?(?P<second>\d{1,2})(?P=mark) ?(?P<third>\d{1,4})\.?"
    r"(?:,?[ T](?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<s>\d{2}))?(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?)?"
)
_NEXT: Final = 50
"""Two-digit years below this are of this century."""


class WrittenDate(NamedTuple):
    """A date as it is written: its numbers, the mark between them, and the time of day."""

    numbers: tuple[int, int, int]
    mark: str
    clock: tuple[int, int, int] = (0, 0, 0)

    def moment(self, order: DateOrder, zone: tzinfo) -> datetime | None:
        """The time in UTC; None where there is no such day."""
        year, month, day = _in_order(self.numbers, order)
        if year < 100:  # noqa: PLR2004 - two digits
            year += 2000 if year < _NEXT else 1900
        try:
            return datetime(year, month, day, *self.clock, tzinfo=zone).astimezone(UTC)
        except (ValueError, OverflowError):
            return None


def hour_of(hour: str, half: str | None) -> int:
    """An hour of 24, of one of 12 with its half of the day."""
    return int(hour) % 12 + (12 if half in ("p", "P") else 0) if half else int(hour)


def written_date(text: str) -> WrittenDate | None:
    """The date that a text is; None for any other text.

    >>> written_date("1.3.2026 9:05")
    WrittenDate(numbers=(1, 3, 2026), mark='.', clock=(9, 5, 0))
    """
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        return None
    numbers = int(found["first"]), int(found["second"]), int(found["third"])
    clock = hour_of(found["hour"] or "0", found["half"]), int(found["minute"] or 0), int(found["s"] or 0)
    return WrittenDate(numbers, found["mark"], clock)


def _in_order(numbers: tuple[int, int, int], order: DateOrder) -> tuple[int, int, int]:
    first, second, third = numbers
    match order:
        case "dmy":
            return third, second, first
        case "mdy":
            return third, first, second
        case "ymd":
            return first, second, third


class DateOrders:
    """Finds the order of the dates of a file.

    Attributes:
        order: What is sure; None as long as nothing is.
        count: How many dates were seen.
    """

    def __init__(self) -> None:
        self.order: DateOrder | None = None
        self.count = 0
        self._backward = {"dmy": 0, "mdy": 0}
        self._before: dict[str, tuple[int, int, int]] = {}

    def see(self, date: WrittenDate) -> None:
        """Look at the next date."""
        self.count += 1
        first, second, _ = date.numbers
        if self.order is not None:
            return
        if first > 31:  # noqa: PLR2004 - days of a month
            self.order = "ymd"
        elif date.mark == ".":
            self.order = "dmy"
        elif (first > 12) != (second > 12):  # noqa: PLR2004 - months
            self.order = "dmy" if first > second else "mdy"
        else:
            self._compare(date.numbers)

    def shown(self, name: str) -> DateOrder:
        """The order of all dates that were seen in a file.

        Raises:
            UnclearFileError: It does not show.
        """
        if self.order is not None:
            return self.order
        if self._backward["dmy"] == self._backward["mdy"]:
            raise UnclearFileError(
                f"{name} does not show whether its dates are day/month or month/day; "
                "say it with date_order (--date-order dmy or mdy)",
                option="date_order",
                choices=("dmy", "mdy"),
            )
        return "dmy" if self._backward["dmy"] < self._backward["mdy"] else "mdy"

    def _compare(self, numbers: tuple[int, int, int]) -> None:
        orders: tuple[DateOrder, DateOrder] = ("dmy", "mdy")
        for order in orders:
            date = _in_order(numbers, order)
            self._backward[order] += date < self._before.get(order, date)
            self._before[order] = date
