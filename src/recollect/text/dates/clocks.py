"""Times of the day: 5pm, 17:30, half past five, um halb acht, à 17h30, 下午五点."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from recollect.text.dates.periods import NamedPeriod
from recollect.text.dates.words import DateWord

_COUNTS: Final = frozenset({"NUMBER", "NUMBER_WORD", "HAN_NUMBER", "ONE"})
_CLOCKS: Final = frozenset({"CLOCK", "BARE_CLOCK", "LOOSE_CLOCK", "NOON", *_COUNTS})
_NOON: Final = 12
_LATE_PARTS: Final = frozenset({"afternoon", "evening", "night"})
_SMALL_HOURS: Final = 6
"""Bare hours below seven are after noon where people count to twelve; hours of the night below six are
after midnight. Chosen by hand: meetings at five are rarely before breakfast."""


class Clock(NamedTuple):
    """A time of the day.

    Attributes:
        minutes: Since midnight; 24 hours for the midnight at the end of a day.
        exact: Whether minutes were named; otherwise the whole hour is meant.
        twelve: Whether it may be meant in the other half of the day.
        said: Whether "am" or "pm" was said: these win over the part of the day.
        ahead: How many minutes the zone that was said is ahead of UTC, if one was.
    """

    minutes: int
    exact: bool
    twelve: bool
    said: bool = False
    ahead: int | None = None

    def on(self, day: NamedPeriod, part: str = "") -> NamedPeriod:
        """This time of one day, in a part of it: "at 8" of an evening is 20:00."""
        minutes = self._in_part(part)
        start = day.start + timedelta(minutes=minutes)
        if self.exact:
            return NamedPeriod(start, start + timedelta(minutes=1), "minute")
        return NamedPeriod(start, start + timedelta(hours=1), "hour")

    def _in_part(self, part: str) -> int:
        hour = self.minutes // 60
        if part == "night" and hour < _SMALL_HOURS:
            return self.minutes + 24 * 60
        if self.said:
            return self.minutes
        if part in _LATE_PARTS and 0 < hour < _NOON:
            return self.minutes + _NOON * 60
        if part == "noon" and hour < _SMALL_HOURS:
            return self.minutes + _NOON * 60
        if not part and self.twelve and 0 < hour <= _SMALL_HOURS:
            return self.minutes + _NOON * 60
        return self.minutes


def clock_of(words: Sequence[DateWord]) -> Clock:
    """The time that words say."""
    zone = next((word for word in words if word.kind == "ZONE"), None)
    if zone is None:
        return _bare_clock(words)
    if zone.name:
        raise ValueError("a zone whose clock is not known")
    return _bare_clock(words)._replace(ahead=zone.number)


def _bare_clock(words: Sequence[DateWord]) -> Clock:
    at = next((word for word in words if word.kind == "AT"), None)
    named = next(word for word in words if word.kind in _CLOCKS)
    twelve = at is None or at.number == _NOON
    if named.kind == "NOON":
        return Clock(named.number * 60, exact=True, twelve=False)
    if named.kind == "CLOCK":
        return _meridian(named.name)
    if named.kind in _COUNTS:
        return _in_words(words, named.number, twelve=twelve)
    hour, _, minute = re.sub(r"[h.]", ":", named.name).partition(":")
    loose = named.kind == "LOOSE_CLOCK" and "h" not in named.name
    return _checked(
        int(hour), int(minute[:2] or 0), exact="h" not in named.name or bool(minute), twelve=loose and twelve
    )


def _in_words(words: Sequence[DateWord], hour: int, *, twelve: bool) -> Clock:
    half = next((word for word in words if word.kind in {"HALF", "HALF_AFTER"}), None)
    o_clock = next((word for word in words if word.kind in {"OCLOCK", "DIAN", "UNIT"}), None)
    if o_clock is not None and o_clock.kind == "UNIT" and (o_clock.language, o_clock.name) != ("fr", "hour"):
        raise ValueError("a length of time")
    fen = [word for word in words if word.kind in _COUNTS][1:]
    if half is not None and half.language == "de":
        twelve = False
    elif o_clock is not None:
        twelve = o_clock.language == "en"
    if half is None:
        return _checked(hour, fen[0].number if fen else 0, exact=bool(fen), twelve=twelve)
    minutes = hour * 60 + half.number
    if minutes < 0:
        raise ValueError("no such time")
    # the named hour decides which half of the day: "quarter to seven" is before breakfast
    shift = _NOON * 60 if twelve and 0 < hour <= _SMALL_HOURS else 0
    return _checked(*divmod(minutes + shift, 60), exact=True, twelve=twelve and not shift)


def _meridian(written: str) -> Clock:
    hour, *minutes = (int(part) for part in re.findall(r"[0-9]+", written))
    if not 1 <= hour <= _NOON:
        raise ValueError("no such hour before or after noon")
    late = "p" in written
    hour = hour % _NOON + (_NOON if late else 0)
    return _checked(hour, sum(minutes), exact=bool(minutes), twelve=False)._replace(said=True)


def _checked(hour: int, minute: int, *, exact: bool, twelve: bool) -> Clock:
    if hour > 24 or minute > 59 or (hour == 24 and minute):  # noqa: PLR2004 - what clocks show
        raise ValueError("no such time")
    return Clock(hour * 60 + minute, exact=exact, twelve=twelve)
