"""Dates in running text as periods: where they stand, what they mean, and how precise they are.

English, German, French, Spanish, Chinese and ISO dates are read, whatever the language of the text, relative
to ``now`` in a time zone.

Recurring dates
    "Friday", "5 May", "at 5pm", "the 20th": with ``prefer="future"`` the first one that ends after now, with
    ``prefer="past"`` the last one that began before. By default the verbs of the clause, else of the
    sentence, decide: the past, unless a sign of the future is there ("I said I would come on Friday").
    "by" and "until" look ahead, "since" looks back. On a Friday, "Friday" is today.
Next, last, this, coming
    "next Friday" is the Friday of the next week (weeks begin on Monday); "last Friday" is the latest before
    today; "the coming Friday" ("vendredi prochain", "el próximo viernes") is the first after today. "last
    May" is the latest that is over, "next May" the first that has not begun, "this May" this year's.
Units and counts
    "next week" and "last month" are whole units, "this weekend" is Saturday and Sunday. "3 days ago" is a
    day, "two weeks ago" a week, "a year ago" a year; a sum is as fine as its finer part ("two years and
    three months ago" is a month). Hours and minutes are counted from now. A fortnight is two weeks, a couple
    two, "a few" three. A month after 31 January is the last day of February. "the last 3 days" runs from
    00:00 of the first day to now, "over the next month" from now to the end of the last day.
Parts
    The end of a month, week or year is its last day. Early, mid and late are days 1 to 10, 11 to 20 and the
    rest of a month; Monday and Tuesday, Wednesday, Thursday and Friday; four months of a year. Spring is
    March to May, and so on (meteorological, northern); winter belongs to the year of its December.
Times
    "5pm" is an hour, "17:30", noon and midnight a minute; midnight ends its day. Without am and pm, hours 1
    to 6 are after noon in English and Spanish; am and pm win over the part of the day. Morning is 6 to 12,
    afternoon 12 to 18, evening 18 to 22, night 18 to 6. Times in UTC, GMT, CET and zones of the United States
    are converted; with an ambiguous zone ("5pm IST") there is no date.
Digits
    03/04/2023 is 3 April; the month comes first only if nothing else is possible. Two-digit years are 1970 to
    2069. A bare year is 1900 to 2099, after a word such as "in" or "since".
Relations
    "before 5 May" has the start and end of 5 May. "since" reaches from the start of the date to now, "until"
    from now to its end; a "since" in the future and an "until" in the past keep the date's own period.

Not dates: "every Friday", "on Mondays", a bare "May" or "2019", the impossible ("31 February"). Arithmetic is
on local time, except for hours and minutes from now; of a local time that occurs twice, the first counts.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice
from typing import Final, Literal

from recollect.errors import InvalidInputError, as_given
from recollect.text.analyse import READ_CHARACTERS
from recollect.text.dates.periods import Direction, Frame
from recollect.text.dates.spans import readings_of
from recollect.text.dates.tokens import lower, may_hold_dates, tokens_of
from recollect.types import DateSpan, Grain

__all__ = ["DateSpan", "find_dates", "named_start"]

MAX_DATES: Final = 50
"""A text has at most this many dates, its first ones: tables and logs hold thousands, and no memory is about
each of them. Chosen by hand, far above what a message or a note holds."""


def find_dates(
    text: str,
    *,
    now: datetime,
    timezone: tzinfo = UTC,
    prefer: Literal["auto", "future", "past"] = "auto",
    words: Sequence[str] | None = None,
) -> tuple[DateSpan, ...]:
    """The dates in a text, in its order, at most ``MAX_DATES``; they never overlap.

    Args:
        text: In any language; its first 20,000 characters are read.
        now: When it was said; aware.
        timezone: Where it was said.
        prefer: Which way to look for what recurs, such as "Friday" (see above); "auto" is behind now
            where the verbs around it tell of the past, else ahead.
        words: What ``ascii_words`` cuts from the characters read, if they are ASCII and it is known already.

    Raises:
        InvalidInputError: ``text`` is no string, ``now`` no aware datetime, or ``prefer`` is unknown.

    >>> found = find_dates("Send it by Friday!", now=datetime(2024, 5, 15, 10, 30, tzinfo=UTC))
    >>> [(span.text, span.relation, f"{span.start:%d %B}") for span in found]
    [('by Friday', 'by', '17 May')]
    >>> (span,) = find_dates("I met her on Friday", now=datetime(2024, 5, 15, 10, 30, tzinfo=UTC))
    >>> f"{span.start:%d %B}"
    '10 May'
    >>> find_dates("May I ask a question?", now=datetime(2024, 5, 15, 10, 30, tzinfo=UTC))
    ()
    """
    _check(text, now, prefer)
    text = text[:READ_CHARACTERS]
    lowered = lower(text)
    if not may_hold_dates(lowered, words):
        return ()
    try:
        local = now.astimezone(timezone).replace(tzinfo=None)
        direction: Direction = "past" if prefer == "past" else "future"
        frame = Frame(now=now.astimezone(UTC), zone=timezone, local=local, direction=direction)
    except OverflowError:  # an hour from the year 1 or the year 9999
        return ()
    return tuple(
        DateSpan(
            text=text[found.first : found.over],
            place=(found.first, found.over),
            start=found.start,
            end=found.end,
            grain=found.grain,
            relation=found.relation,
        )
        for found in islice(
            readings_of(tokens_of(text, lowered), frame, text, by_verbs=prefer == "auto"), MAX_DATES
        )
    )


def named_start(span: DateSpan, *, timezone: tzinfo = UTC) -> datetime:
    """When what the words of a span name begins, in a time zone.

    It is the start of the span, but for "until Monday": that span begins now, and its words name Monday.

    >>> (span,) = find_dates("until Monday", now=datetime(2024, 5, 15, 10, 30, tzinfo=UTC))
    >>> f"{span.start:%d %B}", f"{named_start(span):%d %B}"
    ('15 May', '20 May')
    """
    if span.relation != "until":
        return span.start.astimezone(timezone)
    last = (span.end - timedelta(microseconds=1)).astimezone(timezone)
    return _unit_of(last, span.grain)


def _unit_of(moment: datetime, grain: Grain) -> datetime:
    """When the unit begins that a moment lies in; weeks begin on Mondays."""
    minute = moment.replace(second=0, microsecond=0)
    if grain in {"minute", "hour"}:
        return minute if grain == "minute" else minute.replace(minute=0)
    day = minute.replace(hour=0, minute=0)
    if grain == "week":
        return day - timedelta(days=day.weekday())
    if grain == "month":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if grain == "year" else day


def _check(text: object, now: object, prefer: object) -> None:
    if not isinstance(text, str):
        raise InvalidInputError(f"text is {type(text).__name__}; pass a string")
    if not isinstance(now, datetime) or now.utcoffset() is None:
        raise InvalidInputError("now has no time zone; pass an aware datetime")
    if prefer not in {"auto", "future", "past"}:
        raise InvalidInputError(f"prefer is {as_given(prefer)}; pass 'auto', 'future' or 'past'")
