"""The moments of a made-up year: numbered slots, so that no two messages share one."""

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from typing import Final

START: Final = date(2025, 1, 1)
DAYS: Final = 365
_MINUTES: Final = (1, 3, 8, 17, 22, 29, 33, 44, 47, 58)
"""Within an hour. No value names such a time, so that the time of a message cannot be taken for a value."""
_FIRST_HOUR: Final = 7
_HOURS: Final = 16
A_DAY: Final = _HOURS * len(_MINUTES)
"""Slots of a day."""
SLOTS: Final = DAYS * A_DAY
LEAST_DAYS: Final = 20
"""That something must have held to be asked about by date. Chosen by hand."""


class Calendar:
    """Gives each slot once; a taken one moves to the next that is free."""

    def __init__(self) -> None:
        self._taken: set[int] = set()

    def take(self, slot: int) -> int:
        """The first free slot from this one on."""
        while slot in self._taken:
            slot += 1
        self._taken.add(slot)
        return slot


def moment(slot: int) -> datetime:
    """When a slot is."""
    day, rest = divmod(slot, A_DAY)
    hour, minute = divmod(rest, len(_MINUTES))
    at = datetime.combine(START, datetime.min.time(), UTC) + timedelta(days=day)
    return at.replace(hour=_FIRST_HOUR + hour, minute=_MINUTES[minute])


def within(since: int, until: int) -> str | None:
    """A time between two slots, in words: a month that lies in it whole, else its middle day.

    >>> within(0, 100 * A_DAY), within(0, 40 * A_DAY), within(0, A_DAY)
    ('in February 2025', 'on 21 January 2025', None)
    """
    if until - since < LEAST_DAYS * A_DAY:
        return None
    middle = moment((since + until) // 2).date()
    first = middle.replace(day=1)
    last = middle.replace(day=monthrange(middle.year, middle.month)[1])
    if moment(since).date() < first and last < moment(until).date():
        return f"in {middle:%B %Y}"
    return f"on {middle.day} {middle:%B %Y}"
