"""What counts of units mean: "in 3 days", "two weeks ago", "the last 3 days", "in two or three days"."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.text.dates.periods import Frame, NamedPeriod, from_now, from_now_by, period, rolling, shifted
from recollect.text.dates.points import COUNTS, POINTING, Words, needed, pick
from recollect.text.dates.words import DateWord

_SEPT: Final = 7
"""The French number, which in English is short for a month."""


def counted(words: Words, frame: Frame) -> NamedPeriod:
    """In 3 days, two weeks ago, vor drei Tagen, 三天后."""
    unit, count = amount(words)
    parts = list(_amounts(words))
    before = pick(words, {"AGO", "VOR"}) is not None
    lead = pick(words, {"IN"})
    if lead and (lead.name == "de" or (lead.name == "es" and unit.language != "es")):
        raise ValueError("a length of time, not a moment")
    if len(parts) > 1:
        return from_now_by(frame, [(name, -number if before else number) for name, number in parts])
    if words[-1].kind == "DAY":
        return period("day", shifted(frame.local, unit.name, -count), words[-1].number)
    return from_now(frame, unit.name, -count if before else count)


def weeks_from_day(words: Words, frame: Frame) -> NamedPeriod:
    """Heute in einer Woche, Dienstag in zwei Wochen; of other units it is two dates."""
    unit, count = amount(words)
    if unit.name != "week":
        raise ValueError("two dates")
    first = words[0]
    days = first.number if first.kind == "DAY" else (first.number - frame.local.weekday()) % 7
    return period("day", frame.local, days + 7 * count)


def counted_either(words: Words, frame: Frame) -> NamedPeriod:
    """In two or three days, 2-3 weeks ago: from the first to the last."""
    span = pick(words, {"SPAN"})
    numbers = re.split(r"\D", span.name) if span else []
    counts = [DateWord("NUMBER", int(number)) for number in numbers] or [w for w in words if w.kind in COUNTS]
    others = [word for word in words if word.kind not in {*COUNTS, "SPAN", "OR", "TO"}]
    first, last = sorted(counted([*others[:-1], count, *others[-1:]], frame) for count in counts)
    return NamedPeriod(first.start, last.end, first.grain)


def span_from_now(words: Words, frame: Frame) -> NamedPeriod:
    """The last 3 days, the past week, les trois derniers jours, 未来两周."""
    unit = needed(words, {"UNIT", "NIAN"})
    count = pick(words, COUNTS)
    pointing = needed(words, {*POINTING, "ROLLING", "SINCE"})
    behind = pointing.number < 0 if pointing.kind == "ROLLING" else pointing.kind in {"LAST", "PAST", "SINCE"}
    number = count.number if count else 1
    if count is None and unit.language != "en":
        return period(unit.name, frame.local, -1 if behind else 1)
    return rolling(frame, unit.name, -number if behind else number)


def amount(words: Words) -> tuple[DateWord, int]:
    """The unit and the number of "3 days", "half an hour"."""
    length = pick(words, {"LENGTH"})
    if length:
        return length, length.number
    count = needed(words, COUNTS)
    return needed(words, {"UNIT", "NIAN"}), _SEPT if count.kind == "SEPT" else count.number


def _amounts(words: Words) -> Iterator[tuple[str, int]]:
    """The units and numbers of "two years and 3 months"."""
    count: DateWord | None = None
    for word in words:
        if word.kind in COUNTS:
            count = word
        elif word.kind == "LENGTH" or (count and word.kind in {"UNIT", "NIAN"}):
            unit, number = amount([word] if word.kind == "LENGTH" or count is None else [count, word])
            yield unit.name, number
            count = None
