"""Dates in a text, put together: a lead ("by", "since"), a day, a time, or two of them as a range."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from recollect.text.dates.clocks import Clock, clock_of
from recollect.text.dates.grammar import Piece, compiled, pieces_of
from recollect.text.dates.periods import Direction, Frame, Period, in_day, period, shifted
from recollect.text.dates.points import Words, amount, pick
from recollect.text.dates.tokens import Tokens
from recollect.types import DateRelation, Grain

_RELATIONS: Final[dict[str, DateRelation]] = {
    "BY": "by", "WITHIN": "by", "SINCE": "since", "UNTIL": "until", "BEFORE": "before", "VOR": "before",
    "AFTER": "after",
}  # fmt: skip
_WAYS: Final[dict[DateRelation, Direction]] = {"by": "future", "until": "future", "since": "past"}

_RELATION: Final = "(?:BY|SINCE|UNTIL|BEFORE|VOR|AFTER)"
_LEAD: Final = "(?:ON|AN|IN|AT|FOR|FROM|DURING|OVER|AU)"
_NUMBER: Final = "(?:NUMBER|NUMBER_WORD)"
_TIME: Final = f"(?:READ_TIME|READ_LOOSE_TIME|AT {_NUMBER} (?!UNIT|LENGTH))"
_PART: Final = f"(?:{_LEAD}? THE? PART)"
_LATER: Final = (
    "(?:COMMA? (?:ON|AT|BY)? READ_TIME|COMMA? AT? READ_LOOSE_TIME"
    f"|COMMA? AT {_NUMBER} (?!UNIT|LENGTH)|{_PART})"
)
_DAY: Final = (
    f"(?:(?:{_RELATION} {_RELATION}? {_LEAD}?|{_LEAD})? THE? READ_DAY"
    f"|(?:{_RELATION} IN?|IN|DURING|AU) READ_MONTH"
    f"|(?:{_RELATION} IN?|IN|DURING|FROM) READ_YEAR"
    f"|(?:{_RELATION} ON?|ON|FROM) READ_ORDINAL"
    f"|(?:{_RELATION} {_LEAD}?|{_LEAD}) THE? READ_OTHER)"
)
_ANY: Final = "(?:(?:IN|ON)? THE? (?:READ_DAY|READ_MONTH|READ_YEAR|READ_OTHER|READ_ORDINAL))"
_PLAIN: Final = "(?:READ_DAY)"
_UP_TO: Final = "(?:TO|UNTIL|DASH|AU|AT)"

# A shape of two patterns has its second one under its name with a "_".
_SHAPES: Final = (
    ("shifted", f"{_RELATION}? {_LEAD}? THE? READ_AMOUNT (?:THE? (?:READ_DAY|READ_OTHER|READ_MONTH))"),
    ("hours", f"(?:{_DAY} COMMA?)? (?:FROM|BETWEEN) {_TIME} (?:{_UP_TO}|AND) {_TIME}"),
    ("range", f"(?:BETWEEN {_ANY} (?:AND|{_UP_TO})|(?:FROM|OF) {_ANY} {_UP_TO}) {_ANY}"),
    ("range_", f"READ_DAY {_UP_TO} READ_DAY"),
    ("day", f"{_DAY} {_LATER}{{0,2}} ONWARDS?"),
    ("day_after_time", f"{_RELATION}? (?:AT|ON)? {_TIME} {_PART}? COMMA? (?:ON|AT)? THE? READ_DAY {_PART}?"),
    ("time", f"(?:{_RELATION}? (?:AT|ON)? READ_TIME|(?:{_RELATION}|AT) READ_LOOSE_TIME) {_PART}?"),
    ("time_", f"AT {_NUMBER} {_PART}"),
)  # fmt: skip
_SHAPE: Final = re.compile("|".join(f"(?P<{name}>{compiled(pattern)})" for name, pattern in _SHAPES))
_MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Reading:
    """A date that was read.

    Attributes:
        first: Where its words begin.
        over: Where they end (exclusive).
        start: Aware UTC.
        end: Aware UTC, after the start.
        grain: How fine it was said.
        relation: How what is told stands to it.
    """

    first: int
    over: int
    start: datetime
    end: datetime
    grain: Grain
    relation: DateRelation


def readings_of(tokens: Tokens, frame: Frame) -> Iterator[Reading]:
    """The dates in a text, in its order."""
    for letters, pieces in pieces_of(tokens):
        for match in _SHAPE.finditer(letters):
            found = _reading(match.lastgroup or "", pieces, match.span(), frame)
            if found is not None:
                yield found


def _reading(shape: str, pieces: Sequence[Piece], place: tuple[int, int], frame: Frame) -> Reading | None:
    begin, over = place
    relation, tail = _relation(pieces[begin:over], pieces[over : over + 1])
    here = replace(frame, direction=_WAYS[relation]) if relation in _WAYS else frame
    try:
        found = _period_of(shape, pieces[begin:over], here)
        start, end = _bounds(found, relation, here)
    except (ValueError, OverflowError):  # there is no such date
        return None
    return Reading(pieces[begin].start, pieces[over - 1 + tail].end, start, end, found.grain, relation)


def _relation(pieces: Sequence[Piece], after: Sequence[Piece]) -> tuple[DateRelation, int]:
    """The relation, and how many words behind the date say it."""
    behind = after[0].words[0] if after else None
    if behind is not None and behind.language == "zh" and behind.kind in {"AGO", "HENCE"}:
        return ("before" if behind.kind == "AGO" else "after"), 1
    if behind is not None and behind.kind == "ONWARDS":
        return "since", 1
    if pieces[-1].words[0].kind == "ONWARDS":
        return "since", 0
    first = pieces[0].words[0]
    second = pieces[1].words[0] if len(pieces) > 1 else None
    if first.kind == "VOR" and pieces[0].resolve is not None:
        return "at", 0
    if first.kind == "UNTIL" and second is not None and second.kind == "BY":
        return "by", 0
    return _RELATIONS.get(first.kind, "at"), 0


def _period_of(shape: str, pieces: Sequence[Piece], frame: Frame) -> Period:
    match shape.rstrip("_"):
        case "shifted":
            return _shifted(pieces, frame)
        case "hours":
            return _hours(pieces, frame)
        case "range":
            return _range(pieces, frame)
        case "time":
            return _time_alone(pieces, frame)
        case _:
            return _day_and_time(pieces, frame)


def _shifted(pieces: Sequence[Piece], frame: Frame) -> Period:
    """A week from Friday, the day after Christmas."""
    at = next(
        place for place, piece in enumerate(pieces) if pick(piece.words, {"OFFSET", "UNIT", "LENGTH", "NIAN"})
    )
    anchor = next(piece for piece in pieces[at + 1 :] if piece.resolve)
    found = _resolved(anchor, frame)
    offset = pick(pieces[at].words, {"OFFSET"})
    if offset and found.is_day:
        return period("day", found.start, offset.number)
    unit, count = amount(pieces[at].words)
    if not found.is_day or unit.name in {"hour", "minute"}:
        raise ValueError("no day to count from")
    back = pieces[at].words[-1].kind == "BEFORE"
    return period("day", shifted(found.start, unit.name, -count if back else count))


def _range(pieces: Sequence[Piece], frame: Frame) -> Period:
    """From Monday to Friday, between May 30 and June 2."""
    first_piece, last_piece = (piece for piece in pieces if piece.resolve)
    year = pick(last_piece.words, {"YEAR"})
    if (
        year
        and not pick(first_piece.words, {"YEAR"})
        and pick(first_piece.words, {"MONTH", "SHORT_MONTH", "YUE"})
    ):
        first_piece = first_piece._replace(words=[*first_piece.words, year])
    first = _resolved(first_piece, frame)
    if first.start.tzinfo:
        raise ValueError("counted from now")
    later = replace(frame, local=first.start, direction="future")
    pointed = pick(last_piece.words, {"LAST", "NEXT", "THIS", "DAY", "PERIOD"})
    last = _resolved(last_piece, frame if pointed else later)
    if last.end.tzinfo or first.start >= last.end:
        raise ValueError("it ends before it begins")
    return Period(first.start, last.end, last.grain)


def _day_and_time(pieces: Sequence[Piece], frame: Frame) -> Period:
    """Friday, tomorrow at 5pm, 9am on Monday, tomorrow morning at 6."""
    dated = next(piece for piece in pieces if piece.resolve)
    clock, part = _time_said(pieces, dated)
    found = _resolved(dated, frame)
    if clock is None and not part:
        return found
    in_parts = dated.words[0].kind in {"DAY", "MORROW", "WEEKDAY"} and found.grain == "hour"
    day = period("day", found.start) if in_parts else found
    if not day.is_day:
        return found
    return clock.on(day, part) if clock else in_day(day, part)


def _time_said(pieces: Sequence[Piece], dated: Piece | None) -> tuple[Clock | None, str]:
    others = [word for piece in pieces if piece is not dated for word in piece.words]
    part = pick(others, {"PART"})
    said = part.name if part else ""
    if dated and not said:
        day = pick(dated.words, {"DAY"})
        morning = len(dated.words) > 1 and dated.words[-1].kind == "MORROW"
        said = "morning" if morning else (day.name if day else "")
        if not _has_clock(others):
            said = ""
    return (clock_of(others) if _has_clock(others) else None), said


def _has_clock(words: Words) -> bool:
    clocks = {"CLOCK", "BARE_CLOCK", "LOOSE_CLOCK", "NOON", "NUMBER", "NUMBER_WORD", "HAN_NUMBER"}
    return pick(words, clocks) is not None


def _time_alone(pieces: Sequence[Piece], frame: Frame) -> Period:
    """At 5pm: the nearest one."""
    clock, part = _time_said(pieces, None)
    if clock is None:
        raise ValueError("no time is said")
    return _near(clock.on(period("day", frame.local), part), frame)


def _near(found: Period, frame: Frame) -> Period:
    """The same stretch of today, tomorrow or yesterday, as the direction wants."""
    days = 0
    if frame.direction == "past" and found.start > frame.local:
        days = -1
    elif frame.direction == "future" and found.end <= frame.local:
        days = 1
    elif frame.direction == "future" and found.start - timedelta(days=1) >= frame.local:
        days = -1  # midnight of the day that has just begun
    move = timedelta(days=days)
    return Period(found.start + move, found.end + move, found.grain)


def _hours(pieces: Sequence[Piece], frame: Frame) -> Period:
    """Tomorrow from 2pm to 4pm."""
    dated = next((piece for piece in pieces if piece.resolve), None)
    day = _resolved(dated, frame) if dated else period("day", frame.local)
    at = next(
        place
        for place, piece in enumerate(pieces)
        if piece.words[0].kind in {"FROM", "BETWEEN"} and piece is not dated
    )
    timed = [piece for piece in pieces[at:] if _has_clock(piece.words)]
    if not day.is_day:
        raise ValueError("hours of more than a day")
    first, last = (clock_of(piece.words).on(day) for piece in timed)
    if first.start >= last.start:
        raise ValueError("it ends before it begins")
    found = Period(first.start, last.start, last.grain)
    return found if dated else _near(found, frame)


def _resolved(piece: Piece, frame: Frame) -> Period:
    if piece.resolve is None:
        raise ValueError("no date")
    return piece.resolve(piece.words, frame)


def _bounds(found: Period, relation: DateRelation, frame: Frame) -> tuple[datetime, datetime]:
    start, end = frame.utc(found.start), frame.utc(found.end)
    end = max(end, start + _MINUTE)  # an hour that the clocks skip
    if relation == "since" and start < frame.now:
        return start, frame.now
    if relation == "until" and end > frame.now:
        return frame.now, end
    return start, end
