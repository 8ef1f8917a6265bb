"""One sentence for what was reckoned: the answer, the times it follows from, and the days they were told.

::

    2 years and 2 months: from 30 January 2021 to 1 April 2023. Reckoned from what was said on 3 February 2021
    and 2 April 2023.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Final

from recollect.context.core import day_of
from recollect.context.dating import MONTHS
from recollect.memory.reckoning import Reckoned
from recollect.text.quoting import MARK, on_one_line, reads_like_an_instruction
from recollect.types import Grain, MemoryRecord

_MOST_DAYS: Final = 6
"""Days that one sentence names; of more the first and the last. Chosen by hand."""
_DAYS_IN_A_MONTH: Final = 365.25 / 12
_NAMED: Final = 200
"""Characters of a memory or a question that a sentence quotes. Chosen by hand."""
_LONG_GRAINS: Final = frozenset({"week", "month", "year"})
_NUMBERS: Final = (
    "No time", "Once", "Two times", "Three times", "Four times", "Five times", "Six times", "Seven times",
    "Eight times", "Nine times", "Ten times",
)  # fmt: skip
_SHORT: Final = timedelta(days=60)
"""Up to so long a length is told in days. Chosen by hand."""


def sentence_of(found: Reckoned, timezone: tzinfo) -> str:
    """What was reckoned, as a sentence, and from what."""
    days = list(dict.fromkeys(day_of(one.times.happened_at, timezone) for one in found.sources))
    return f"{_answer(found, timezone)} Reckoned from what was said on {_listed(days)}."


def _answer(found: Reckoned, timezone: tzinfo) -> str:
    asked, start, end = found.asked, found.start, found.end
    if found.told is not None:
        return f"{_told_when(found, timezone)}: {_quoted(found.told)}."
    if found.count is not None:
        return f"{_times(found.count)}, as far as it was told."
    if start is None or end is None:
        return ""
    begun, on = time_of(start, found.grain, timezone), when_of(start, found.grain, timezone)
    match asked.kind:
        case "since":
            return f"Since {begun}, {length_of(start, end, timezone)} {_until(found, timezone)}."
        case "length" if found.open:
            return f"{length_of(start, end, timezone)} so far, since {begun}."
        case "length" | "between":
            ended = day_of(end, timezone)
            first, last = (begun, ended) if start <= end else (ended, begun)
            return f"{length_of(start, end, timezone)}: from {first} to {last}."
        case "ago":
            return f"{length_of(start, end, timezone)} ago, {on}."
        case "order" | "yes":
            both = _event(asked.about, start, timezone), _event(asked.other, end, timezone)
            return f"{_order(found)}: {', '.join(both)}."
    if asked.nth is None:
        return f"{on[:1].upper()}{on[1:]}."
    return f"{'First' if asked.nth == 0 else 'Last'} {on}, as far as it was told."


def _told_when(found: Reckoned, timezone: tzinfo) -> str:
    day = when_of(found.start or found.sources[-1].times.happened_at, found.grain, timezone)
    if found.asked.kind in {"next", "prior"}:
        return f"{'Next' if found.asked.kind == 'next' else 'Before that'}, {day}"
    return f"Last told of it by then, {day}"


def _until(found: Reckoned, timezone: tzinfo) -> str:
    return "so far" if found.open or found.end is None else f"until {day_of(found.end, timezone)}"


def _order(found: Reckoned) -> str:
    """What the order says: which came first, or yes or no."""
    if found.asked.kind == "order":
        return f"First came {_cut(found.asked.about if found.first else found.asked.other)}"
    if found.asked.way == "before or after":
        return "Before" if found.first else "After"
    return "Yes" if found.first == (found.asked.way == "before") else "No"


def _event(words: str, moment: datetime, timezone: tzinfo) -> str:
    return f"\u201c{_cut(words)}\u201d on {day_of(moment, timezone)}"


def time_of(moment: datetime, grain: Grain, timezone: tzinfo) -> str:
    """A time as exactly as it is known: "3 May 2024", "the week of 6 May 2024", "May 2024", "2024"."""
    there = moment.astimezone(timezone)
    if grain == "year":
        return f"{there.year}"
    if grain == "month":
        return f"{MONTHS[there.month - 1]} {there.year}"
    return f"the week of {day_of(moment, timezone)}" if grain == "week" else day_of(moment, timezone)


def when_of(moment: datetime, grain: Grain, timezone: tzinfo) -> str:
    """The same with its preposition: "on 3 May 2024", "in May 2024"."""
    return f"{'in' if grain in _LONG_GRAINS else 'on'} {time_of(moment, grain, timezone)}"


def length_of(start: datetime, end: datetime, timezone: tzinfo) -> str:
    """A length of time in the units a person counts in, to the nearest of them.

    >>> from datetime import UTC
    >>> length_of(datetime(2021, 1, 30, tzinfo=UTC), datetime(2023, 4, 1, tzinfo=UTC), UTC)
    '2 years and 2 months'
    >>> length_of(datetime(2026, 3, 15, tzinfo=UTC), datetime(2026, 4, 5, tzinfo=UTC), UTC)
    '21 days'
    """
    first, last = (one.astimezone(timezone) for one in sorted((start, end)))
    days = (last.date() - first.date()).days
    if last - first <= _SHORT:
        return _many(days, "day")
    years, rest = divmod(round(days / _DAYS_IN_A_MONTH), 12)
    return " and ".join(_many(number, unit) for number, unit in ((years, "year"), (rest, "month")) if number)


def _times(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,} times"


def _many(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"


def _quoted(memory: MemoryRecord) -> str:
    mark = f"({MARK}) " if reads_like_an_instruction(memory.content) else ""
    return f"{mark}\u201c{_cut(on_one_line(memory.content))}\u201d"


def _cut(words: str) -> str:
    plain = on_one_line(words)
    return plain if len(plain) <= _NAMED else f"{plain[:_NAMED].rstrip()}\u2026"


def _listed(days: Sequence[str]) -> str:
    if len(days) > _MOST_DAYS:
        return f"{len(days):,} days, the first {days[0]} and the last {days[-1]}"
    return " and ".join(filter(None, (", ".join(days[:-1]), days[-1])))
