"""Dates in a text, put together: a lead ("by", "since"), a day, a time, or two of them as a range."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from typing import Final

from recollect.text.dates.amounts import amount
from recollect.text.dates.clocks import Clock, clock_of
from recollect.text.dates.events import (
    comes_again,
    has_event_ahead,
    is_day_of_an_event,
    is_how_long,
    is_moved,
    is_rate,
)
from recollect.text.dates.grammar import DatePiece, compiled, pieces_of
from recollect.text.dates.periods import PARTS, Direction, Frame, NamedPeriod, in_day, period, shifted
from recollect.text.dates.points import Words, day_of_this_month, pick
from recollect.text.dates.tenses import told_of_the_future, told_of_the_past
from recollect.text.dates.tokens import Tokens
from recollect.types import DateRelation, Grain
from recollect.types.regex import lazy_regex

_RELATIONS: Final[dict[str, DateRelation]] = {
    "BY": "by", "WITHIN": "by", "SINCE": "since", "UNTIL": "until", "BEFORE": "before", "VOR": "before",
    "AFTER": "after", "NOT_BEFORE": "since",
}  # fmt: skip
_WAYS: Final[dict[DateRelation, Direction]] = {"by": "future", "until": "future", "since": "past"}

_RELATION: Final = "(?:BY|SINCE|UNTIL|BEFORE|VOR|AFTER|NOT_BEFORE)"
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
    f"|(?:{_RELATION} ON?|ON|FROM)? READ_ORDINAL"
    f"|(?:{_RELATION} {_LEAD}?|{_LEAD}) THE? READ_OTHER)"
)
_ANY: Final = "(?:(?:IN|ON)? THE? (?:READ_DAY|READ_MONTH|READ_YEAR|READ_OTHER|READ_ORDINAL))"
_PLAIN: Final = "(?:READ_DAY)"
_UP_TO: Final = "(?:TO|UNTIL|DASH|AU|AT)"

_HOURS: Final = f"(?:(?:FROM|BETWEEN) (?:{_TIME} (?:{_UP_TO}|AND) {_TIME}|NUMBER (?:{_UP_TO}|AND) READ_TIME))"
_BARE_HOURS: Final = "(?:READ_TIME (?:TO|DASH|UNTIL) READ_TIME)"

# A shape of two patterns has its second one under its name with a "_".
_SHAPES: Final = (
    ("shifted", f"{_RELATION}? {_LEAD}? THE? READ_AMOUNT (?:THE? (?:READ_DAY|READ_OTHER|READ_MONTH))"),
    ("week", f"{_RELATION}? {_LEAD}? THE? UNIT (?:OF|FROM) THE? (?:READ_DAY|READ_ORDINAL|READ_OTHER)"),
    ("hours", f"{_DAY} COMMA? (?:{_HOURS}|AT? {_BARE_HOURS})"),
    ("hours_", f"(?:{_HOURS}|{_BARE_HOURS}) (?:ON? THE? READ_DAY)?"),
    ("range", f"(?:BETWEEN {_ANY} (?:AND|{_UP_TO})|(?:FROM|OF) {_ANY} {_UP_TO}) {_ANY}"),
    ("range_", f"READ_DAY {_UP_TO} READ_DAY"),
    ("day", f"{_DAY} {_LATER}{{0,2}} ONWARDS?"),
    ("day_after_time", f"{_RELATION}? (?:AT|ON)? {_TIME} {_PART}? COMMA? (?:ON|AT)? THE? READ_DAY {_PART}?"),
    ("time", f"(?:{_RELATION}? (?:AT|ON)? READ_TIME|(?:{_RELATION}|AT) READ_LOOSE_TIME) {_PART}?"),
    ("time_", f"AT {_NUMBER} {_PART}"),
)  # fmt: skip
_SHAPE: Final = lazy_regex("|".join(f"(?P<{name}>{compiled(pattern)})" for name, pattern in _SHAPES))
_HALF_DAY: Final = 12 * 60
_SMALL_HOURS: Final = 6 * 60
"""Until when "from 10pm to 2am" ends on the next day; chosen by hand."""
_MINUTE: Final = timedelta(minutes=1)
_WEEKDAYS: Final = frozenset({"WEEKDAY", "SHORT_WEEKDAY"})
_COUNTS_FROM: Final = frozenset({"BEFORE", "AFTER", "FROM", "OFFSET"})
_NEARLY_A_YEAR: Final = timedelta(days=345)
"""A holiday that is farther ahead has just been: "from Easter". Chosen by hand."""


@dataclass(frozen=True, slots=True)
class DateReading:
    """A date that was read, with the places of its words, its start and end in UTC, grain and relation."""

    first: int
    over: int
    start: datetime
    end: datetime
    grain: Grain
    relation: DateRelation


def readings_of(tokens: Tokens, frame: Frame, text: str, *, by_verbs: bool) -> Iterator[DateReading]:
    """The dates in a text, in its order; ``by_verbs``: its verbs may turn what recurs to the past."""
    behind = replace(frame, direction="past")
    last: DateReading | None = None
    for letters, pieces in pieces_of(tokens):
        place = 0
        while match := _SHAPE.search(letters, place):
            shape, (begin, over) = match.lastgroup or "", match.span()
            own = pieces[begin:over]
            if _counts_something(own, text):
                place = begin + 1
                continue
            if shape == "shifted" and (behind_rate := _behind_a_rate(own, text)):
                place = begin + behind_rate
                continue
            place = over
            found = _reading(shape, pieces, (begin, over), frame)
            if found and last and pick(own[-1].words, _WEEKDAYS) and is_moved(text, last.over, found.first):
                found = _reading(shape, pieces, (begin, over), _seen_from(last, frame)) or found
            elif found and by_verbs and _looks_back(own, found, frame, text):
                found = _reading(shape, pieces, (begin, over), behind)
            if found and not _is_no_day(found, text):
                yield found
                last = found


def _seen_from(day: DateReading, frame: Frame) -> Frame:
    """The frame of what is named from another day than today."""
    there = day.start.astimezone(frame.zone).replace(tzinfo=None)
    return replace(frame, local=there, direction="future")


def _counts_something(pieces: Sequence[DatePiece], text: str) -> bool:
    """Whether "the 16th" alone is no day: "the 16th try"."""
    first = pieces[0]
    kinds = [word.kind for word in first.words]
    if first.resolve is not day_of_this_month or not {"THE", "ORDINAL"}.issuperset(kinds):
        return False
    return kinds[0] != "THE" or not is_day_of_an_event(text, first.start, first.end)


def _behind_a_rate(pieces: Sequence[DatePiece], text: str) -> int:
    """How many pieces say "a day from" of "once a day from today", whose day is today; 0 where none do."""
    at = next(place for place, piece in enumerate(pieces) if piece.words[-1].kind in _COUNTS_FROM)
    amount_said = pieces[at]
    each = amount_said.words[0].kind in {"ONE", "AN"}
    return at + 1 if each and is_rate(text, amount_said.start) else 0


def _is_no_day(found: DateReading, text: str) -> bool:
    """Whether words of a date mean every such day, or how long something was so."""
    return (
        comes_again(text, found.first, found.over)
        or is_how_long(text, found.first, found.over)
        or _DENIED.search(text, max(0, found.first - _DENIAL), found.first) is not None
    )


_DENIAL: Final = 20
"""Characters before a date among which it is denied."""
_DENIED: Final = lazy_regex(
    r", ?(?:(?:und )?nicht(?: am| den| der)?|pas(?: le)?|no(?: el)?) \Z", re.IGNORECASE
)
"""Stands before a day that another one was named for: "Mittwoch, nicht Dienstag"."""


_SOON: Final = timedelta(days=60)
"""Before a holiday what is bought for it is for the one that comes. Chosen by hand."""


def _looks_back(pieces: Sequence[DatePiece], found: DateReading, frame: Frame, told: str) -> bool:
    """Whether verbs tell that a date was; "tickets for Friday" are for one that comes."""
    if found.start <= frame.now or found.relation in _WAYS:
        return False
    holiday = any(pick(piece.words, {"HOLIDAY"}) for piece in pieces)
    if holiday and found.start - frame.now > _NEARLY_A_YEAR:
        return not told_of_the_future(told, found.first, found.over)
    ahead = pieces[0].words[0].kind == "FOR" and (not holiday or found.start - frame.now < _SOON)
    ahead = ahead or has_event_ahead(told, found.first)
    return not ahead and told_of_the_past(told, found.first, found.over)


def _reading(
    shape: str, pieces: Sequence[DatePiece], place: tuple[int, int], frame: Frame
) -> DateReading | None:
    begin, over = place
    relation, tail = _relation(pieces[begin:over], pieces[over : over + 1])
    if pieces[begin].words[0].kind == "NOT_BEFORE":
        here = replace(frame, direction="future")
    else:
        here = replace(frame, direction=_WAYS[relation]) if relation in _WAYS else frame
    try:
        if shape == "week" and not _is_week_of(pieces[begin:over], here):
            return _reading("day", pieces, (over - 1, over), frame)
        found = _period_of(shape, pieces[begin:over], here)
        start, end = _bounds(found, relation, here)
    except (ValueError, OverflowError):  # there is no such date
        return None
    return DateReading(pieces[begin].start, pieces[over - 1 + tail].end, start, end, found.grain, relation)


def _relation(pieces: Sequence[DatePiece], after: Sequence[DatePiece]) -> tuple[DateRelation, int]:
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


def _period_of(shape: str, pieces: Sequence[DatePiece], frame: Frame) -> NamedPeriod:
    match shape.rstrip("_"):
        case "shifted":
            return _shifted(pieces, frame)
        case "week":
            return _week_of(pieces, frame)
        case "hours":
            return _hours(pieces, frame)
        case "range":
            return _range(pieces, frame)
        case "time":
            return _time_alone(pieces, frame)
        case _:
            return _day_and_time(pieces, frame)


def _shifted(pieces: Sequence[DatePiece], frame: Frame) -> NamedPeriod:
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


def _range(pieces: Sequence[DatePiece], frame: Frame) -> NamedPeriod:
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
    return NamedPeriod(first.start, last.end, last.grain)


def _day_and_time(pieces: Sequence[DatePiece], frame: Frame) -> NamedPeriod:
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
    return _on(clock, day, part, frame) if clock else in_day(day, part)


def _on(clock: Clock, day: NamedPeriod, part: str, frame: Frame) -> NamedPeriod:
    """A time of one day on the wall clock here, if it was said in another zone too."""
    found = clock.on(day, part)
    if clock.ahead is None:
        return found
    there = found.start.replace(tzinfo=timezone(timedelta(minutes=clock.ahead)))
    start = there.astimezone(frame.zone).replace(tzinfo=None)
    return NamedPeriod(start, start + (found.end - found.start), found.grain)


def _time_said(pieces: Sequence[DatePiece], dated: DatePiece | None) -> tuple[Clock | None, str]:
    others = [word for piece in pieces if piece is not dated for word in piece.words]
    part = pick(others, {"PART"})
    said = part.name if part else ""
    if dated and not said:
        day = pick(dated.words, {"DAY", "WEEKDAY"})
        morning = len(dated.words) > 1 and dated.words[-1].kind == "MORROW"
        said = "morning" if morning else (day.name if day and day.name in PARTS else "")
        if not _has_clock(others):
            said = ""
    return (clock_of(others) if _has_clock(others) else None), said


def _has_clock(words: Words) -> bool:
    clocks = {"CLOCK", "BARE_CLOCK", "LOOSE_CLOCK", "NOON", "NUMBER", "NUMBER_WORD", "HAN_NUMBER"}
    return pick(words, clocks) is not None


def _time_alone(pieces: Sequence[DatePiece], frame: Frame) -> NamedPeriod:
    """At 5pm: the nearest one."""
    clock, part = _time_said(pieces, None)
    if clock is None:
        raise ValueError("no time is said")
    return _near(_on(clock, period("day", frame.local), part, frame), frame)


def _near(found: NamedPeriod, frame: Frame) -> NamedPeriod:
    """The same stretch of today, tomorrow or yesterday, as the direction wants."""
    days = 0
    if frame.direction == "past" and found.start > frame.local:
        days = -1
    elif frame.direction == "future" and found.end <= frame.local:
        days = 1
    elif frame.direction == "future" and found.start - timedelta(days=1) >= frame.local:
        days = -1  # midnight of the day that has just begun
    move = timedelta(days=days)
    return NamedPeriod(found.start + move, found.end + move, found.grain)


def _hours(pieces: Sequence[DatePiece], frame: Frame) -> NamedPeriod:
    """Tomorrow from 2pm to 4pm, from 3 to 5pm on Friday."""
    dated = next((piece for piece in pieces if piece.resolve), None)
    day = _resolved(dated, frame) if dated else period("day", frame.local)
    if dated and not day.is_day:
        return day
    timed = [piece for piece in pieces if piece is not dated and _has_clock(piece.words)]
    first, last = _hours_alike(*(clock_of(piece.words) for piece in timed))
    begins, over = _on(first, day, "", frame), _on(last, day, "", frame).start
    if begins.start >= over and last.said and last.minutes <= _SMALL_HOURS:
        over += timedelta(days=1)
    if begins.start >= over:
        if dated:  # "moved from 3pm to 11am on Friday"
            return day
        raise ValueError("it ends before it begins")
    found = NamedPeriod(begins.start, over, begins.grain)
    return found if dated else _near(found, frame)


def _hours_alike(first: Clock, last: Clock) -> tuple[Clock, Clock]:
    """Two times, of which what is said of the second holds for the first: 3 to 5pm, 9am to 5pm UTC."""
    if first.ahead is None:
        first = first._replace(ahead=last.ahead)
    if last.said and first.twelve and not first.said:
        early = first.minutes % _HALF_DAY
        late = early + (_HALF_DAY if last.minutes >= _HALF_DAY else 0)
        first = first._replace(minutes=late if late < last.minutes else early, said=True)
    return first, last


def _week_of(pieces: Sequence[DatePiece], frame: Frame) -> NamedPeriod:
    """The week of May 4: the running one too, while it lasts."""
    monday = period("week", frame.local).start
    here = replace(frame, local=monday) if frame.direction == "future" else frame
    return period("week", _resolved(pieces[-1], here).start)


def _is_week_of(pieces: Sequence[DatePiece], frame: Frame) -> bool:
    unit = next(piece for piece in pieces if piece.words[0].kind == "UNIT")
    found = _resolved(pieces[-1], frame)
    return unit.words[0].name == "week" and found.is_day


def _resolved(piece: DatePiece, frame: Frame) -> NamedPeriod:
    if piece.resolve is None:
        raise ValueError("no date")
    return piece.resolve(piece.words, frame)


def _bounds(found: NamedPeriod, relation: DateRelation, frame: Frame) -> tuple[datetime, datetime]:
    start, end = frame.utc(found.start), frame.utc(found.end)
    end = max(end, start + _MINUTE)  # an hour that the clocks skip
    if relation == "since" and start < frame.now and frame.direction == "past":  # not "not before"
        return start, frame.now
    if relation == "until" and end > frame.now:
        return frame.now, end
    return start, end
