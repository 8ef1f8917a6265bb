"""Times in the words of facts: "last Friday" becomes the date it was when it was said."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final

from recollect.learning.listing import DATED_MONTH, DAY, MONTH, finding
from recollect.text.dates import DateSpan, find_dates, named_start
from recollect.types.regex import lazy_regex

_TIME: Final = lazy_regex(
    rf"\b(?:ago|last|next|this|past|coming|yesterday|today|tonight|tomorrow|noon|midnight|{DAY}|since"
    r"|until|till|in \d|in (?:an?|two|three|four|five|six|a few)\b|(?:mon|tues?|wed|thu|thurs?|fri|sat|sun)\b"
    r"|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|\d[:.]\d\d|\d{1,2} ?[ap]m|\d{1,2}[./]\d{1,2}"
    r"|the \d{1,2}(?:st|nd|rd|th))",
    re.IGNORECASE,
)
"""Without one of these a text names no time that its reader would have to work out."""
_POINTS: Final = finding(
    rf"""
    ago | last | next | this | past | coming | yesterday | today | tonight | tomorrow
    | in (?:\d+|an?|one|two|three|four|five|six|ten|a few|a couple of) \w+
    | (?:since|until|till|by) .*{DAY}
    """
)
"""Says when by pointing from the moment of speaking."""
_YEAR: Final = lazy_regex(r"\b(?:1[89]|20)\d\d\b")
_SEASON: Final = finding("spring | summer | autumn | fall | winter")
_PART: Final = finding("night | morning | afternoon | evening | weekend")
_BEGINS: Final = lazy_regex("(?:starting|beginning|as of|effective) (?:on |from )?", re.IGNORECASE)
_EDGE: Final = lazy_regex(rf"(?:in )?(early|mid|late) {MONTH}")
_EDGE_OF_WEEK: Final = lazy_regex(r"(?:\w+ )?(?:early|mid|late) (?:this|next|last) week")
_STRETCH: Final = lazy_regex(r"\b(?:for|over|within|during|throughout|in) the (?:last|past|next)\b|\bthese\b")
"""A stretch up to now, or from now on, has no date of its own."""
_AHEAD: Final = lazy_regex(r"\b(?:on|in|at|during|for) $", re.IGNORECASE)
_ABOUT: Final = lazy_regex(r"\b(?:about|around|almost|nearly|over|roughly|just|some|a) $", re.IGNORECASE)
_NEEDS_NOUN: Final = lazy_regex(
    r"\b(?:to|from|of|before|after|than|between|and|until|since|by) $", re.IGNORECASE
)
"""Prepositions behind which a date has none of its own: "moved to 26 November"."""
_ARTICLE: Final = lazy_regex(r"\b(?:an?|the|my|our|their|this|his|her) $", re.IGNORECASE)
_NOUN: Final = lazy_regex(r" \w")
_DAY: Final = lazy_regex(
    rf"\b(?:tomorrow|today|tonight|yesterday|next|last|this|{DAY}|{DATED_MONTH})|\d[./-]\d|\d(?:st|nd|rd|th)\b"
)
"""Words of a day; a time of day without one belongs to any day."""
_HABIT: Final = finding("every | each | usually | always | often | sometimes | never | most")
_OWNED: Final = lazy_regex(r"\b(?:my|our|his|her|their|your|user's) $", re.IGNORECASE)
_AGAIN: Final = lazy_regex(
    r" ?(?:mornings|afternoons|evenings|nights)\b| (?:of|in) (?:every|each) ", re.IGNORECASE
)
"""Behind a weekday that comes again: "Tuesday mornings", "the last Friday of every month"."""
_FOR_A_TIME: Final = lazy_regex(
    r"(?:for|over) (?:the|a) (?:weekend|week|month|summer|autumn|fall|winter|spring|day|night)$",
    re.IGNORECASE,
)
"""Says for how long, beside a date: "on the 14th for the weekend"."""
_COMES: Final = lazy_regex(r"(?:'s|\u2019s|'re|\u2019re|'m|\u2019m|\bis|\bare|\bam|\bbe) $", re.IGNORECASE)
_OF_ANY_MONTH: Final = lazy_regex(rf".*\b{DAY} (?:of|in) (?:the|a) month$", re.IGNORECASE)
"""A weekday that comes every month: "the first Monday of the month"."""
_LONGEST_OWNER: Final = 8
"""Who has a day of the week, which is then no date: "my Sunday feels empty"."""
_LASTS: Final = finding("from now on | these days | nowadays")
"""Beside one of these a weekday is every such day: "they moved it to Friday from now on"."""
MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_MONTH_DAY: Final = lazy_regex(rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {DATED_MONTH}|{DATED_MONTH} \d{{1,2}}\b")
_BIRTHDAY: Final = lazy_regex(r"\bbirthday(?:'s|\u2019s| is| was| falls)? (?:on )?$", re.IGNORECASE)
"""Before a day that comes every year."""
_FAR: Final = timedelta(days=305)
"""A day of a month that is farther ahead was less than two months ago. Chosen by hand."""
_WHOLE_MONTH: Final = timedelta(days=32)


def may_name_a_time(text: str) -> bool:
    """Whether words of a time may be in a text; fast, and wrong at most one way."""
    return _TIME.search(text) is not None


def dated(
    text: str,
    *,
    now: datetime,
    fixed: bool,
    ahead: bool = False,
    read: Mapping[str, DateSpan] = MappingProxyType({}),
) -> str:
    """A text with dates in the place of the times that its words point at from now.

    Args:
        text: What was said.
        now: When; days are those of its time zone.
        ahead: Whether it tells of what is to come.
        fixed: Whether it tells of one time, so that "in May" is one May; of a habit it is every May.
        read: What the words of times mean in the message that the text is from, by these in lower case.

    >>> from datetime import UTC
    >>> said = datetime(2026, 11, 22, 12, tzinfo=UTC)
    >>> dated("Ada joined a choir last Friday.", now=said, fixed=True)
    'Ada joined a choir on 20 November 2026.'
    >>> dated("Ada goes to Rome in May.", now=said, fixed=False)
    'Ada goes to Rome in May.'
    >>> dated("They moved it to Thursday at 2 from now on.", now=said, fixed=True)
    'They moved it to Thursday at 2 from now on.'
    >>> dated("Yoga is Tuesday mornings.", now=said, fixed=True)
    'Yoga is Tuesday mornings.'
    >>> dated("The club meets on the first Monday of the month.", now=said, fixed=True)
    'The club meets on the first Monday of the month.'
    """
    if not may_name_a_time(text):
        return text
    habit = _LASTS.search(text) is not None or (not fixed and _HABIT.search(text) is not None)
    spans = find_dates(text, now=now, timezone=now.tzinfo or UTC, prefer="future" if ahead else "auto")
    for found in reversed(spans):
        first, last = found.place
        span = read.get(found.text.lower(), found)
        span = found if ahead and span.end <= now else replace(span, place=found.place)
        if len(spans) > 1 and _FOR_A_TIME.match(span.text):
            continue
        owned = _OWNED.search(text, max(0, first - _LONGEST_OWNER), first) is not None
        again = owned or _AGAIN.match(text, last) is not None or _OF_ANY_MONTH.match(span.text) is not None
        birthday = _is_birthday(span, text)
        if not birthday and (
            again or not _is_open(span, text, now, fixed=fixed) or (habit and span.relation == "at")
        ):
            continue
        first += len("an ") if span.text.lower().startswith("an ") else 0
        if span.text.lower().startswith("coming ") and _COMES.search(text, 0, first):
            first += len("coming ")
        shown = _shown(span, now)
        text = _joined(text[:first], shown.rpartition(" ")[0] if birthday else shown, text[last:])
    return text


def _is_birthday(span: DateSpan, text: str) -> bool:
    """Whether a span is the day of somebody's birthday, told without its year."""
    first, last = span.place
    return (
        span.grain == "day"
        and _BIRTHDAY.search(text, 0, first) is not None
        and not _YEAR.search(text, first, last + 6)
    )


def _joined(before: str, shown: str, behind: str) -> str:
    """A sentence with a date, which has one preposition, or none where it stands before its noun."""
    bare = re.sub("^(?:on|in) ", "", shown)
    if _NEEDS_NOUN.search(before) or (_ARTICLE.search(before) and _NOUN.match(behind)):
        return re.sub(r"\ban $", "a ", before) + bare + behind
    run_over = before.endswith("over ") and shown.startswith("on ")
    if (near := _ABOUT.search(before)) and not run_over:
        return f"{before[: near.start()]}around {bare}{behind}"
    return _AHEAD.sub("", before) + shown + behind


def _is_open(span: DateSpan, text: str, now: datetime, *, fixed: bool) -> bool:
    """Whether nobody could tell later what the words of a span named."""
    first, last = span.place
    if span.grain in {"minute", "hour"} and _DAY.search(span.text.lower()) is None:
        return False
    if _YEAR.search(text[first : last + 6]) or _STRETCH.search(text[max(first - 12, 0) : last].lower()):
        return False
    if may_be_past(span, now):
        return False
    return fixed or span.relation in {"since", "until", "by"} or _POINTS.search(span.text.lower()) is not None


def may_be_past(span: DateSpan, now: datetime) -> bool:
    """Whether a day of a month, read as one of next year, is rather the one that was just over."""
    named = _MONTH_DAY.search(span.text.lower()) is not None and _YEAR.search(span.text) is None
    return named and span.start - now > _FAR


def _shown(span: DateSpan, now: datetime) -> str:
    """The date of a span, as it stands in a sentence; empty where it has none of its own."""
    zone = now.tzinfo or UTC
    start = named_start(span, timezone=zone)
    told = _named(span, start, span.end.astimezone(zone))
    bare = re.sub("^(?:on|in) ", "", told)
    if begins := _BEGINS.match(span.text):
        return f"{begins[0]}{bare}"
    if span.relation == "at":
        return told
    return f"{span.relation} {bare}"


def _named(span: DateSpan, start: datetime, end: datetime) -> str:
    words, day = span.text.lower(), _day(start)
    if part := _PART.search(words):
        return f"on the {part[0]} of {day}"
    match span.grain:
        case "minute" | "hour":
            clock = f" at {start:%H:%M}" if re.search(r"\d|noon|midnight|o'clock", words) else ""
            return f"on {day}{clock}"
        case "day" if edge := _EDGE.match(words):
            return f"in {edge[1]} {MONTHS[start.month - 1]} {start.year}"
        case "day" if _EDGE_OF_WEEK.match(words):
            return f"in the week of {_day(start - timedelta(days=start.weekday()))}"
        case "day":
            whole = end - start <= timedelta(days=1, hours=2) or span.relation != "at"
            return f"on {day}" if whole else f"from {day} to {_day(end - timedelta(hours=3))}"
        case "week":
            return f"in the week of {day}"
        case "month" if season := _SEASON.search(words):
            return f"in {season[0]} {start.year}"
        case "month":
            long = end - start > _WHOLE_MONTH and span.relation == "at"
            until = end - timedelta(hours=3)
            rest = f" to {MONTHS[until.month - 1]} {until.year}" if long else ""
            return f"{'from' if long else 'in'} {MONTHS[start.month - 1]} {start.year}{rest}"
        case "year":
            return f"in {start.year}"


def _day(moment: datetime) -> str:
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"
