"""Dates in running text, as stretches of time: where they stand, what they mean, how fine they were said.

Read are English, German, French, Spanish and Chinese, without being told which, and the ISO forms. What
was said is read from ``now`` on the wall clock of a time zone. These are the conventions:

Which one is meant
    A date that comes again ("Friday", "5 May", "in May", "at 5pm", "the 20th") is with ``prefer="future"``
    the first whose end lies after now; with ``prefer="past"``, for questions about the past, the last whose
    start does not. By default the verbs of its clause, or else of its sentence, decide: the past where they
    tell of it ("I met her on Friday") and hold no sign of the future ("I said I would come on Friday").
    "by" and "until" look ahead and "since" looks back, whatever is preferred. On a Friday, "Friday",
    "on Friday", "by Friday" and "this Friday" are today.
Next, last, this, coming
    "next Friday" is the Friday of the week after this one (weeks begin on Monday): on a Friday 7 days
    ahead, on a Sunday 5. "last Friday" is the latest before today: on a Friday 7 days ago. "the coming
    Friday" (also "vendredi prochain", "el próximo viernes") is the first after today. "last May" is the
    latest that is over, "next May" the first that has not begun, "this May" the one of this year.
Whole units
    "next week" is Monday 00:00 to Monday 00:00, "last month" a whole month, "this weekend" Saturday and
    Sunday. A count has its own grain: "3 days ago" is that day, "two weeks ago" that week, "a year ago"
    that year. Hours and minutes are counted from now, to the minute, and last one unit from there.
    Two counts are added and are as fine as the finer one: "two years and three months ago" is a month.
    "the week of May 4" is the week that day lies in; "Friday the 13th" such a day with that weekday.
    A fortnight is two weeks, a couple two, "a few" three. Months clip: a month from 31 January is the
    last day of February. "the last 3 days", "past two weeks", "over the next month" run from 00:00 of
    the far day to now, or from now to the end of the far day.
Edges
    The end of a month, week (Sunday) or year is its last day, its beginning the first. Early, mid and
    late: days 1 to 10, 11 to 20 and the rest of a month; Monday and Tuesday, Wednesday, Thursday and
    Friday of a week; four months each of a year.
Seasons and quarters
    Spring is March to May, and so on; winter begins in December of its year (meteorological, northern).
Times
    "5pm" is an hour, "17:30", noon and midnight a minute. Midnight ends the day it is said of.
    Without am and pm, hours 1 to 6 are after noon in English and Spanish ("tomorrow at 5").
    "am" and "pm" win over the part of the day: "tomorrow afternoon at 9am" is 9:00, "Friday night at 1am" an
    hour of that night. A time in UTC, GMT, a zone of the United States (PST, EDT) or CET is read in that zone
    on the day here; with a zone whose letters mean several things ("5pm IST") it is no date.
    Morning is 6 to 12, afternoon 12 to 18, evening 18 to 22, night (tonight, last night) 18 to 6.
Digits
    03/04/2023 is the third of April; month first only where the other order is impossible. Years of two
    digits are 1970 to 2069. A bare year is one from 1900 to 2099, after a word such as "in" or "since".
Relations
    "at", "by", "before" and "after" come with the stretch that is named: "before 5 May" has the start and
    end of 5 May. "since" reaches from the start of what is named to now, "until" from now to its end
    (the German "bis" is "until"). A "since" ahead of now and an "until" behind it keep what is named.

Recurring days ("every Friday", "on Mondays"), months and years without a lead ("May", "2019"), and what
cannot be ("31 February", "in 99999999 years") are no dates. Arithmetic is on the wall clock, save for
hours and minutes from now; a time the clock shows twice is the first of the two.
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
            readings_of(tokens_of(text, lowered), frame, text if prefer == "auto" else None), MAX_DATES
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
