"""What each form of a date means: one function per form.

Each takes the words of the form and the frame they are read in, and gives a period on the wall clock.
A ``ValueError`` or ``OverflowError`` says that there is no such date; the words then are no date.
"""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from recollect.text.dates.digits import full_year
from recollect.text.dates.periods import (
    PARTS,
    Direction,
    Frame,
    NamedPeriod,
    day,
    easter,
    in_day,
    month,
    period,
    recurring,
    shifted,
    weekday_of_month,
)
from recollect.text.dates.words import DateWord

Words = Sequence[DateWord]
Resolver = Callable[[Words, Frame], NamedPeriod]

COUNTS: Final = frozenset({"NUMBER", "NUMBER_WORD", "HAN_NUMBER", "ONE", "AN", "SEPT", "YEAR"})
_DAY_NUMBERS: Final = frozenset({"NUMBER", "ORDINAL", "ORDER", "HAN_NUMBER"})
_MONTHS: Final = frozenset({"MONTH", "SHORT_MONTH", "SEPT", "MAY", "MARCH"})
_WEEKDAYS: Final = frozenset({"WEEKDAY", "SHORT_WEEKDAY", "WEEKDAY_IN"})
POINTING: Final = {"LAST": -1, "PAST": -1, "THIS": 0, "NEXT": 1, "COMING": 1}
_WAYS: Final[dict[str, Direction]] = {
    "LAST": "last",
    "PAST": "last",
    "THIS": "this",
    "NEXT": "next",
    "COMING": "coming",
}
_SEVERAL_DAYS: Final = frozenset({"week", "month", "quarter", "year", "weekend", "decade"})
_THIRDS: Final = {"EARLY": (0, 10), "MID": (10, 20), "LATE": (20, 31)}
"""Days of a month that are its early, middle and late ones."""
_WEEK_PARTS: Final = {"EARLY": (0, 2), "MID": (2, 3), "LATE": (3, 5)}
_GERMAN_TOO: Final = frozenset({4, 8, 9, 11})
"""Months that German writes as English does, so that "5. August" is one of its dates; "5. May" is none."""
_HOLIDAYS: Final = {
    "christmas": (12, 25), "christmas_eve": (12, 24), "boxing_day": (12, 26), "new_years_eve": (12, 31),
    "new_years_day": (1, 1), "valentines_day": (2, 14), "halloween": (10, 31),
}  # fmt: skip


def pick(words: Words, kinds: frozenset[str] | set[str]) -> DateWord | None:
    """The first word of one of these kinds."""
    for word in words:
        if word.kind in kinds:
            return word
    return None


def relative_day(words: Words, frame: Frame) -> NamedPeriod:
    """Today, tomorrow, tonight; "heute Morgen"."""
    first = words[0]
    found = period("day", frame.local, first.number)
    part = "morning" if len(words) > 1 else first.name
    return in_day(found, part) if part else found


def weekday(words: Words, frame: Frame) -> NamedPeriod:
    """Friday, next Friday, Friday of last week, Friday week, Freitagabend, 下周五."""
    named = needed(words, _WEEKDAYS)
    found = _weekday(named, words, frame)
    part = "morning" if words[-1].kind == "MORROW" else named.name
    return in_day(found, part) if part in PARTS else found


def _weekday(named: DateWord, words: Words, frame: Frame) -> NamedPeriod:
    way, later = _way(words), pick(words, {"LATER"})
    if later and later.number < 0:
        return period("day", _nearest_weekday(frame, named.number, "last").start, 7 * later.number)
    if named.name == "week":
        return period("day", _nearest_weekday(frame, named.number, "future").start, 7)
    week = int(named.name) if named.kind == "WEEKDAY_IN" else None
    if later:
        week = 1 + later.number
    elif way == "next" or pick(words, {"UNIT"}):
        week = POINTING[needed(words, set(POINTING)).kind]
    if week is not None:
        return period("day", period("week", frame.local, week).start, named.number)
    return _nearest_weekday(frame, named.number, way)


def _nearest_weekday(frame: Frame, weekday: int, way: Direction | None) -> NamedPeriod:
    ahead = frame.local + timedelta(days=(weekday - frame.local.weekday()) % 7)
    return recurring(frame, lambda weeks: period("day", ahead, 7 * weeks), 0, way)


def calendar_unit(words: Words, frame: Frame) -> NamedPeriod:
    """This week, next month, l'année dernière, 上个月."""
    unit = needed(words, {"UNIT", "PERIOD", "WEEKEND"})
    if unit.kind == "PERIOD":
        return period(unit.name, frame.local, unit.number)
    later = pick(words, {"LATER"})
    pointing = pick(words, set(POINTING))
    if later:
        return period(unit.name, frame.local, 2 * later.number)
    if unit.name not in _SEVERAL_DAYS:
        raise ValueError("the next day is told of another day than now")
    if pointing is None:
        return recurring(frame, lambda weeks: period(unit.name, frame.local, weeks), 0)
    if unit.kind != "WEEKEND":
        _same_language(unit, pointing)
    if words[0].kind == "THE" and unit.language == "en":
        raise ValueError("the next week is told of another week than now")
    offset = -1 if pick(words, {"PAST"}) else POINTING[pointing.kind]
    return period(unit.name, frame.local, offset)


def day_of_month(words: Words, frame: Frame) -> NamedPeriod:
    """8 May, 2023; May 8th; 3 de junio; 6月3号; on the 8th of May; Monday 23 November."""
    dot = next((at for at, word in enumerate(words) if word.kind == "DOT"), len(words))
    after = words[dot + 1] if dot + 1 < len(words) else None
    english = after and after.number not in _GERMAN_TOO and after.language == "en" and after.kind in _MONTHS
    if english and not pick(words, {"YEAR"}):
        raise ValueError("a sentence ends before the month")
    number = _day_number(words)
    named = pick(words, _WEEKDAYS)
    if named and not pick(words, {"YEAR", "UNIT", "PERIOD"}):
        first = frame.local.year - (frame.direction == "past")
        fitting = [year for year in (first, first + 1) if _falls_on(named, year, words, number)]
        if len(fitting) == 1:
            return day(fitting[0], _month(words), number)
    return in_some_year(words, frame, lambda year: day(year, _month(words), number))


def _falls_on(named: DateWord, year: int, words: Words, number: int) -> bool:
    """Whether a day of a year has the weekday that stands beside it: "Monday 23 November"."""
    try:
        return day(year, _month(words), number).start.weekday() == named.number
    except ValueError:
        return False


def days_of_month(words: Words, frame: Frame) -> NamedPeriod:
    """Between 3 and 5 June, June 3-5, vom 3. bis 5. Juni."""
    span = pick(words, {"SPAN"})
    if span:
        first, last = (int(number) for number in re.split(r"\D", span.name))
    else:
        months = next((at for at, word in enumerate(words) if word.kind == "YUE"), 0)
        days = [word.number for word in words[months + bool(months) :] if word.kind in _DAY_NUMBERS]
        first, *between, last = days
        if between and sorted({*days}) != days:
            raise ValueError("the days do not come in their order")
    if first >= last:
        raise ValueError("the first day comes before the last one")
    name = _month(words)
    return in_some_year(
        words, frame, lambda year: NamedPeriod(day(year, name, first).start, day(year, name, last).end, "day")
    )


def day_of_this_month(words: Words, frame: Frame) -> NamedPeriod:
    """The 20th; the 1st of next month; 上个月五号."""
    number = _day_number(words)
    if pick(words, {"UNIT", "PERIOD"}):
        start = _period_named(words, frame).start
        return day(start.year, start.month, number)
    months = frame.local.year * 12 + frame.local.month - 1
    return recurring(frame, lambda count: day(count // 12, count % 12 + 1, number), months)


def month_or_week_in(words: Words, frame: Frame) -> NamedPeriod:
    """Last year in May; the last week in May."""
    if needed(words, {"UNIT"}).name == "year":
        return month_or_season(words, frame)
    return place_in_month(words, frame)


def weekday_the(words: Words, frame: Frame) -> NamedPeriod:
    """Friday the 13th: such a day with that weekday, or else such a day."""
    named, number = needed(words, _WEEKDAYS), _day_number(words)
    months = frame.local.year * 12 + frame.local.month - 1

    def made(count: int) -> NamedPeriod:
        found = day(count // 12, count % 12 + 1, number)
        if found.start.weekday() != named.number:
            raise ValueError("another weekday")
        return found

    try:
        return recurring(frame, made, months)
    except ValueError:
        return day_of_this_month(words, frame)


def month_or_season(words: Words, frame: Frame) -> NamedPeriod:
    """In May, last May, May 2023, May last year, last summer, the summer of 2023."""
    season = pick(words, {"SEASON"})
    number, months = (season.number, 3) if season else (_month(words), 1)
    if season and pick(words, set(POINTING)):
        _same_language(season, needed(words, set(POINTING)))
    return in_some_year(words, frame, lambda year: month(year, number, months))


def in_some_year(words: Words, frame: Frame, made: Callable[[int], NamedPeriod]) -> NamedPeriod:
    """In the year that is named, or in the one that the frame's direction means."""
    year = pick(words, {"YEAR"})
    if year:
        return made(year.number)
    if pick(words, {"UNIT", "PERIOD"}):
        return made(_unit_named(words, frame).start.year)
    way = _way(words)
    if way == "this":
        running = made(frame.local.year - 1)
        return running if running.end > frame.local else made(frame.local.year)
    return recurring(frame, made, frame.local.year, way)


def quarter(words: Words, frame: Frame) -> NamedPeriod:
    """Q3 2024, the third quarter of 2024, 第三季度."""
    number = needed(words, {"QUARTER", "ORDER"}).number
    return in_some_year(words, frame, lambda year: month(year, 3 * number - 2, 3))


def holiday(words: Words, frame: Frame) -> NamedPeriod:
    """Last Christmas, Easter 2022, New Year's Eve."""
    name = needed(words, {"HOLIDAY", "EVE"}).name
    return in_some_year(words, frame, lambda year: _holiday(name, year))


def year_or_decade(words: Words, frame: Frame) -> NamedPeriod:
    """In 2019, 2019年, the 1990s."""
    decade = pick(words, {"DECADE"})
    if decade is None:
        return period("year", frame.local.replace(year=needed(words, {"YEAR"}).number, day=1))
    first = int(decade.name[:-1])
    first = full_year(first) if first < 100 else first  # noqa: PLR2004 - two digits
    start = day(first, 1, 1).start
    return NamedPeriod(start, shifted(start, "year", 10), "year")


def edge(words: Words, frame: Frame) -> NamedPeriod:
    """The end of the month, early June, mid-2023, 年底."""
    kind = needed(words, {"END", "START", "MID", "EARLY", "LATE", "EDGE_OF"}).kind
    whole = _period_named(words, frame)
    if kind in {"END", "EDGE_OF"}:
        return period("day", shifted(whole.end, "day", -1))
    if kind == "START":
        return period("day", whole.start)
    if whole.grain == "year":
        first = list(_THIRDS).index(kind) * 4
        start = shifted(whole.start, "month", first)
        return NamedPeriod(start, shifted(start, "month", 4), "month")
    first, over = (_WEEK_PARTS if whole.grain == "week" else _THIRDS)[kind]
    ends = min(whole.end, shifted(whole.start, "day", over))
    return NamedPeriod(shifted(whole.start, "day", first), ends, "day")


def place_in_month(words: Words, frame: Frame) -> NamedPeriod:
    """The first Monday in June, the last Friday of the month, the first week of June."""
    order = needed(words, {"ORDER", "ORDINAL", "LAST"})
    place = 0 if order.kind == "LAST" else order.number
    of = next(at for at, word in enumerate(words) if word.kind in {"OF", "IN", "AT"})
    whole = _period_named(words[of:], frame)
    named, unit = pick(words[:of], _WEEKDAYS), pick(words[:of], {"UNIT"})
    if unit and unit.name in {"day", "month", "quarter"}:
        return _unit_in(whole, unit.name, place)
    if named:
        found = weekday_of_month(whole.start.year, whole.start.month, named.number, place)
    else:
        start = shifted(whole.start, "week", place - 1) if place else shifted(whole.end, "week", -1)
        found = NamedPeriod(start, shifted(start, "week", 1), "week")
    if whole.grain != "month" or found.start >= whole.end:
        raise ValueError("a month has no such day")
    return found


def _unit_in(whole: NamedPeriod, unit: str, place: int) -> NamedPeriod:
    """The first (1), second or last (0) day or month of a longer stretch."""
    last = shifted(whole.end, unit, -1)
    found = period(unit, shifted(whole.start, unit, place - 1) if place else last)
    if found == whole or not whole.start <= found.start < whole.end:
        raise ValueError("there is no such part of it")
    return found


def end_of_day(_words: Words, frame: Frame) -> NamedPeriod:
    """By the end of the day."""
    return period("day", frame.local)


def _period_named(words: Words, frame: Frame) -> NamedPeriod:
    if pick(words, _MONTHS):
        return in_some_year(words, frame, lambda year: month(year, _month(words)))
    return _unit_named(words, frame)


def _unit_named(words: Words, frame: Frame) -> NamedPeriod:
    if pick(words, {"QUARTER"}):
        return quarter(words, frame)
    unit = pick(words, {"UNIT", "PERIOD", "EDGE_OF"})
    if unit is None:
        return year_or_decade(words, frame)
    pointing = pick(words, set(POINTING))
    if unit.name not in _SEVERAL_DAYS:
        raise ValueError("a day has no days")
    offset = POINTING[pointing.kind] if pointing else unit.number
    return period(unit.name, frame.local, offset)


def _holiday(name: str, year: int) -> NamedPeriod:
    match name:
        case "easter":
            return easter(year)
        case "good_friday":
            return period("day", easter(year).start, -2)
        case "easter_monday":
            return period("day", easter(year).start, 1)
        case "thanksgiving":
            return weekday_of_month(year, 11, 3, 4)
        case "black_friday":
            return period("day", weekday_of_month(year, 11, 3, 4).start, 1)
        case _:
            return day(year, *_HOLIDAYS[name])


def _way(words: Words) -> Direction | None:
    if pick(words, {"PAST"}):
        return "last"
    if pick(words, {"COMING"}):
        return "coming"
    pointing = pick(words, set(POINTING))
    return _WAYS[pointing.kind] if pointing else None


def _month(words: Words) -> int:
    yue = next((at for at, word in enumerate(words) if word.kind == "YUE"), None)
    return words[yue - 1].number if yue else needed(words, _MONTHS).number


def _day_number(words: Words) -> int:
    ri = next((at for at, word in enumerate(words) if word.kind == "RI"), None)
    return words[ri - 1].number if ri else needed(words, _DAY_NUMBERS).number


def needed(words: Words, kinds: frozenset[str] | set[str]) -> DateWord:
    """The first word of one of these kinds; a ``ValueError`` when there is none."""
    word = pick(words, kinds)
    if word is None:
        raise ValueError("a word is missing")
    return word


def _same_language(one: DateWord, other: DateWord) -> None:
    if one.language != other.language:
        raise ValueError("words of two languages")
