"""Writes the times that words name beside them: "last Friday" becomes "last Friday [5 May]".

The times are those found when the memory was stored (``MemoryLabels.dates``). Not written out are

- times that name their day, month or year ("on 5 May", "in 2018"), or mean the present one ("today");
- a time of day without a day ("at 7 pm", "at noon"), and open periods ("since Monday");
- what stands in quotation marks, and "in two weeks" where the past is told: that is how long it took;
- a weekday with a number behind it, which may be its day of the month ("Thursday 12");
- vague times: "a few days ago" is read as three days ago, which nobody said;
- all times of a text with many: it is a schedule or a log, not told from one day.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from recollect.text.dates.tenses import told_of_the_past
from recollect.text.dates.words import SINGLE
from recollect.types import DateSpan
from recollect.types.regex import lazy_regex

MOST_TIMES: Final = 5
"""Times that a text may name to have them written out. Chosen by hand: of turns between people (LoCoMo)
none has more than 3, of users' turns to an assistant (BEAM) 2 in 1,000 have more than 5."""

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
"""In full, as questions and answers name them; a name is one token at any length."""

_WORD: Final = lazy_regex(r"[^\W\d_]+")
_VAGUE: Final = frozenset({"few", "paar", "einige", "einigen", "quelques", "unos", "unas", "pocos", "pocas"})
_MONTH_KINDS: Final = frozenset({"MONTH", "MARCH", "MAY", "SEPT", "SHORT_MONTH"})
_DAY_KINDS: Final = frozenset({"DAY", "MORROW", "HIER", "WEEKDAY", "SHORT_WEEKDAY"})
_NAMED: Final = lazy_regex(r"\d{4}|\d[./-]\d|\d[日号號]|[\d一二三四五六七八九十]月|[几幾]")
"""A year or a date in digits; in Chinese a day, a month, or "a few"."""
_GOES_ON: Final = lazy_regex(r"[A-Za-z0-9'\u2019-]")
"""What may follow the words of a time without ending them, as in "yesterday's"."""
_A_NUMBER: Final = lazy_regex(r",? \d")
_CLOCK: Final = frozenset(
    {"noon", "midnight", "mittag", "mitternacht", "midi", "minuit", "mediod\u00eda", "medianoche"}
)
_QUOTED: Final = lazy_regex(r"[\"\u201c\u201e\u00ab][^\"\u201c\u201d\u00ab\u00bb\n]*[\"\u201d\u201c\u00bb]")
_FROM_NOW: Final = lazy_regex(r"(?:in|within) (?:\w+ )?\w+ (?:days?|weeks?|months?|years?)$", re.IGNORECASE)
_WEEKDAYS: Final = frozenset({"WEEKDAY", "SHORT_WEEKDAY"})
_INSTANT: Final = timedelta(microseconds=1)


def with_dates(content: str, spans: Sequence[DateSpan], *, said: datetime, timezone: tzinfo = UTC) -> str:
    """A text with the times it names written out.

    Args:
        content: The text.
        spans: The times found in it, in its order.
        said: When it was said; a year is written when it is another.
        timezone: The reader's. What is no whole day there is left as it stands.

    >>> from recollect.text.dates import find_dates
    >>> monday = datetime(2023, 5, 8, 14, 30, tzinfo=UTC)
    >>> text = "I ran last Friday, and a few days ago. Next month I move. I was ill last week."
    >>> with_dates(text, find_dates(text, now=monday), said=monday)
    'I ran last Friday [5 May], and a few days ago. Next month [June] I move. I was ill last week [1-7 May].'
    """
    if not spans or len(spans) > MOST_TIMES:
        return content
    today = said.astimezone(timezone).date()
    parts, end = [], 0
    quoted = [found.span() for found in _QUOTED.finditer(content)]
    for span in spans:
        first, over = span.place
        stands = first >= end and content[first:over] == span.text and not _GOES_ON.match(content, over)
        unsure = _A_NUMBER.match(content, over) and _ends_on_weekday(span)
        within = any(begin <= first and over <= close for begin, close in quoted)
        told = stands and not unsure and not within and not _is_duration(content, span)
        meant = _meant(span, today, timezone) if told else ""
        if meant:
            parts += [content[end:over], f" [{meant}]"]
            end = over
    return "".join([*parts, content[end:]])


def _meant(span: DateSpan, today: date, timezone: tzinfo) -> str:
    """The time of a span, in words; empty to leave the span unchanged."""
    words = _WORD.findall(span.text.casefold())
    kinds = frozenset(SINGLE[word].kind for word in words if word in SINGLE)
    if span.relation in {"since", "until"} or not _VAGUE.isdisjoint(words) or _names_itself(span, kinds):
        return ""
    try:
        start, end = span.start.astimezone(timezone), span.end.astimezone(timezone)
    except OverflowError:  # it lies in the year 1 or 9999
        return ""
    if span.grain in {"hour", "minute"}:
        return _days(start.date(), start.date(), today)
    if start.time() != time.min or end.time() != time.min:
        return ""
    grain = "season" if "SEASON" in kinds else span.grain
    return _whole(grain, start.date(), (end - _INSTANT).date(), today)


def _is_duration(content: str, span: DateSpan) -> bool:
    """Whether "in two weeks" says how long something took: "he came twice in two weeks"."""
    return _FROM_NOW.match(span.text) is not None and told_of_the_past(content, *span.place)


def _ends_on_weekday(span: DateSpan) -> bool:
    word = SINGLE.get((_WORD.findall(span.text.casefold()) or [""])[-1])
    return word is not None and word.kind in _WEEKDAYS


def _names_itself(span: DateSpan, kinds: AbstractSet[str]) -> bool:
    """Whether the words name a day, month or year, or a time of day and no day."""
    named = not _CLOCK.isdisjoint(_WORD.findall(span.text.casefold()))
    clock = span.grain in {"hour", "minute"} and (named or any(map(str.isdigit, span.text)))
    bare = clock and not kinds & _DAY_KINDS
    return bare or bool(kinds & _MONTH_KINDS) or _NAMED.search(span.text) is not None


def _whole(grain: str, first: date, last: date, today: date) -> str:
    """Whole days, months or years. Of a season the year, as in its name: when it is depends on where."""
    if grain == "month":
        return _months(first, last, today)
    if grain not in {"year", "season"}:
        return _days(first, last, today)
    same = grain == "year" and first.year == last.year == today.year
    return "" if same else _range(f"{first.year}", f"{last.year}")


def _days(first: date, last: date, today: date) -> str:
    """``5 May``, ``1-7 May`` or ``29 May - 4 June``; nothing for the day itself."""
    if first == last == today:
        return ""
    ends = _month(last, today if first.year == last.year else None)
    if (first.year, first.month) == (last.year, last.month):
        return f"{_range(f'{first.day}', f'{last.day}')} {ends}"
    begins = _month(first, last)
    return f"{first.day} {begins} - {last.day} {ends}"


def _months(first: date, last: date, today: date) -> str:
    """``June``, ``April-June`` or ``December 2022 - February 2023``; nothing for the month itself."""
    if first.replace(day=1) == last.replace(day=1) == today.replace(day=1):
        return ""
    if first.year != last.year:
        return f"{_month(first, last)} - {_month(last, first)}"
    return _range(MONTHS[first.month - 1], MONTHS[last.month - 1]) + _year(last, today)


def _month(day: date, known: date | None) -> str:
    return MONTHS[day.month - 1] + _year(day, known)


def _year(day: date, known: date | None) -> str:
    """The year of a day, unless it is that of a day whose year is known."""
    return "" if known is not None and day.year == known.year else f" {day.year}"


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first}-{last}"
