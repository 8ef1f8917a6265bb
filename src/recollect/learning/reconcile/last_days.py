"""When what a message ends is over: of who handed in their notice, behind the last day that they name."""

from datetime import UTC, datetime
from typing import Final

from recollect.text.dates import find_dates
from recollect.types.regex import lazy_regex

_LEAVES: Final = lazy_regex(
    r"\b(?:notice|resign(?:ed|ation)?|quit|leav(?:e|ing)|redundan(?:t|cy)|laid off|job|let go"
    r"|packed (?:it )?in)\b"
)
_LAST_DAY: Final = lazy_regex(
    r"(?:^|[^\w'\u2019]|\bmy )"
    r"(?:last (?:working )?(?:day|shift)(?: (?:there|at work|(?:at|with) \S+(?: \S+)?))?"
    r"(?:['\u2019]?s| is| will be|:)?|(?:i )?(?:finish|leave)|i['\u2019]?m (?:finishing|leaving)|finishing)"
    r" (?:on )?(?=(?P<date>\S))"
)
"""Names the last day of the speaker's work, right before its date."""
_OF_OTHERS: Final = lazy_regex(r"(?:\w+['\u2019]s|\b(?:his|her|their|your)) $")
_FAR: Final = 400
"""Characters behind the words that end something, in which its last day may stand. Chosen by hand."""


def last_day_in(quote: str, told: str, *, now: datetime) -> datetime | None:
    """The end of the last day that somebody who leaves a job names, if it is to come.

    Args:
        quote: The words that end something.
        told: The message that they are from.
        now: When it was said; days are those of its time zone.

    >>> said = datetime(2026, 3, 12, 9, tzinfo=UTC)
    >>> print(last_day_in("I quit", "I quit, my last day is 24 April", now=said))
    2026-04-25 00:00:00+00:00
    >>> last_day_in("I quit", "I quit, Tom's last day is 24 April", now=said)
    """
    place = max(told.find(quote), 0)
    near = told[place : place + len(quote) + _FAR]
    low = near.lower()
    if _LEAVES.search(low) is None:
        return None
    spans = find_dates(near, now=now, timezone=now.tzinfo or UTC, prefer="future")
    for match in _LAST_DAY.finditer(low):
        if _OF_OTHERS.search(low[: match.start() + 1]):
            continue
        for span in spans:
            begins = {match.start("date"), match.start("date") - len("on ")}
            if span.place[0] in begins and span.relation == "at" and span.grain == "day" and span.end > now:
                return span.end
    return None
