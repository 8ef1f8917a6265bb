"""Dates in digits alone: 03/04/2023, 2023-05-08T14:30, 2024-W20."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from recollect.text.dates.periods import Frame, NamedPeriod, day, month, period, recurring, shifted
from recollect.text.dates.words import DateWord

_CENTURY_TURN: Final = 70
"""Years of two digits from here on are of the 20th century, those below of the 21st (POSIX takes 69)."""


def in_digits(words: Sequence[DateWord], _frame: Frame) -> NamedPeriod:
    """03/04/2023 (the third of April), 2023-05-08, 8.5.2023, 12/25/2023."""
    first, second, third = (int(part) for part in re.findall("[0-9]+", words[0].name))
    if re.match("[0-9]{4}", words[0].name):
        return day(first, second, third)
    year = full_year(third) if re.search(r"\D[0-9]{2}$", words[0].name) else third
    if second > 12 and "/" in words[0].name:  # noqa: PLR2004 - no such month, so it is the day
        first, second = second, first
    return day(year, second, first)


def dotted(words: Sequence[DateWord], frame: Frame) -> NamedPeriod:
    """24.12. (the German way)."""
    number, name = (int(part) for part in re.findall("[0-9]+", words[0].name))
    return recurring(frame, lambda year: day(year, name, number), frame.local.year)


def iso_moment(words: Sequence[DateWord], _frame: Frame) -> NamedPeriod:
    """2023-05-08T14:30:00+02:00."""
    found = datetime.fromisoformat(re.sub("[.,][0-9]+", "", words[0].name).upper())
    start = found.replace(second=0)
    return NamedPeriod(start, shifted(start, "minute", 1), "minute")


def iso_part(words: Sequence[DateWord], _frame: Frame) -> NamedPeriod:
    """2023-05 and 2024-W20."""
    year, number = (int(part) for part in re.findall("[0-9]+", words[0].name))
    if words[0].kind == "YEAR_MONTH":
        return month(year, number)
    return period("week", datetime.fromisocalendar(year, number, 1))


def full_year(number: int) -> int:
    """The year that two digits are short for."""
    return number + (1900 if number >= _CENTURY_TURN else 2000)
