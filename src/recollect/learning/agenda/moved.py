"""What a sentence says of its own plan: that it is off, that it was moved, or that it has begun."""

from collections.abc import Sequence
from typing import Final

from recollect.learning.agenda.sentences import SaidSentence
from recollect.learning.listing import finding
from recollect.learning.reconcile.cancelled import CALLED_OFF
from recollect.text.dates.tenses import told_of_the_past
from recollect.types import DateSpan, MemoryRecord
from recollect.types.regex import lazy_regex

MOVED: Final = finding(
    "moved | postponed | rescheduled | pushed back | put (?:off|back) | brought forward | changed to"
)
_CUT: Final = lazy_regex(r"[,;:()\u2013\u2014]| - |\b(?:and|but|because|so|then)\b")
"""Between the parts of a sentence of which one may be off and the other not."""
_OF_OTHERS: Final = lazy_regex(r"\b(?:an?|the|my|our|their|these|those|about|for) cancell?ed (?=\w)")
"""Another thing is cancelled here: "a meeting about the cancelled flights"."""
_OF_THE_SAME: Final = lazy_regex(
    r" ?(?:(?:it|that|this|which|they)\b|(?:(?:has )?been |now )?(?:cancell?ed|off|postponed)\b)"
)
"""Begins a part that speaks of what the part before named."""

_NOT_CALLED_OFF: Final = lazy_regex(
    r"\b(?:not|never|n't|isn't|wasn't|hasn't been) (?:been )?(?:cancell?ed|called off|off)\b"
    r"|\boff the (?:charts?|hook|scale|wall)\b"
    r"|\b(?:not|n't) happening on (?!that)\w+"
)
_GOES_ON: Final = lazy_regex(
    r"\s*(?:[,;:(\u2013\u2014-]\s*)?(?:it\b|that\b|(?:has )?been |now |cancell?ed\b|off\b|postponed\b)"
)
_BEHIND: Final = 60
"""Characters behind a plan in which it may be called off. Chosen by hand."""


def dates_meant(one: SaidSentence) -> Sequence[DateSpan]:
    """The dates to come that a sentence tells of: behind "moved to", and none on which something began."""
    said = one.record.times.happened_at
    dates = [span for span in one.dates if span.start > said or not told_of_the_past(one.text, *span.place)]
    moved = MOVED.search(one.text.lower())
    behind = [span for span in dates if moved and span.place[0] >= moved.start()]
    return behind or dates


def is_off(record: MemoryRecord, text: str, dates: Sequence[DateSpan]) -> bool:
    """Whether a message says of what is on the first date of its words that it will not be, or not then.

    Args:
        record: The message.
        text: Words of it that tell of a plan.
        dates: The times that these name.
    """
    if not dates:
        return False
    low = _OF_OTHERS.sub(" ", (text + _said_behind(record, text)).lower().replace("\u2019", "'"))
    parts = [part for part in _CUT.split(low) if part.strip()]
    named = next((place for place, part in enumerate(parts) if dates[0].text.lower() in part), 0)
    before = record.content.partition(text)[0].lower()
    if parts[named].lstrip().startswith("no ") or before.endswith("no "):
        return True
    told = [part for place, part in enumerate(parts) if place == named or _goes_on(place, part, named)]
    moved = MOVED.search(text.lower())
    moved_on = moved is not None and moved.start() > dates[0].place[0]
    return any(_is_called_off(part) or (moved_on and MOVED.search(part)) for part in told)


def _is_called_off(part: str) -> bool:
    """Whether a part calls its plan off: not "it's not cancelled", nor "off the charts"."""
    found = CALLED_OFF.search(_NOT_CALLED_OFF.sub(" ", part))
    return found is not None


def _said_behind(record: MemoryRecord, text: str) -> str:
    """What goes on behind words of a message, if it speaks of the same: "dentist tomorrow - cancelled"."""
    behind = record.content.partition(text)[2][:_BEHIND]
    return behind if _GOES_ON.match(behind.lower()) else ""


def _goes_on(place: int, part: str, named: int) -> bool:
    return place == named + 1 and _OF_THE_SAME.match(part) is not None
