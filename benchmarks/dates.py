"""Dates in text: how many expressions of the table are read right, and how long a text takes.

A part of ``python -m benchmarks labels``; ``python -m benchmarks.dates`` prints it alone. dateparser, when
it is installed, is given the words of each date alone, its language and the same moment; it counts as right
when the moment it names lies in the stretch that is meant, since it knows neither stretches nor grains.
"""

import json
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final

from tests.text.date_expressions import Row, rows

from recollect.text.dates import DateSpan, find_dates

_NOW: Final = datetime(2024, 5, 15, 10, 30, tzinfo=UTC)
TEXTS: Final = {
    "no date": "I really like the way the garden looks now, with those roses near the old wooden fence.",
    "no date, digits": "I like the way the 2 gardens look, with 12 roses near the old wooden fence.",
    "a day": "I went to the lake with my sister and her kids yesterday, we had a good time there.",
    "a day and a time": "Could you remind me to send the report to Sarah by Friday at 5pm? She needs it.",
    "a full date": "It was great to see you all on 8 May, 2023 in the new house; the food was lovely.",
}
_ROUNDS: Final = 25
_CALLS: Final = 400


def run_dates() -> dict[str, Any]:
    """Measure the table and the texts; times are microseconds of the processor."""
    table = rows()
    return {
        "right": right_by_language(table, _is_right),
        "us_per_expression": _per_row(table, _found),
        "us_per_text": {name: _best(text) for name, text in TEXTS.items()},
        "dateparser": _dateparser(table),
    }


def right_by_language(table: Sequence[Row], is_right: Callable[[Row], bool]) -> dict[str, dict[str, int]]:
    """How many rows there are and how many are right: of all, and of each language."""
    asked = Counter(row.language for row in table)
    right = Counter(row.language for row in table if is_right(row))
    counted = {language: {"expressions": n, "right": right[language]} for language, n in asked.items()}
    return {"all": {"expressions": asked.total(), "right": right.total()}, **counted}


def _found(row: Row) -> tuple[DateSpan, ...]:
    return find_dates(row.text, now=row.now, timezone=row.zone, prefer=row.prefer)


def _is_right(row: Row) -> bool:
    found = [(span.text, span.start, span.end, span.grain, span.relation) for span in _found(row)]
    return found == [(row.span, row.start, row.end, row.grain, row.relation)]


def _best(text: str) -> float:
    """The best of many rounds."""
    best = float("inf")
    for _ in range(_ROUNDS):
        started = time.process_time()
        for _ in range(_CALLS):
            find_dates(text, now=_NOW)
        best = min(best, time.process_time() - started)
    return round(best / _CALLS * 1e6, 1)


def _per_row(table: Sequence[Row], call: Callable[[Row], object]) -> float:
    started = time.process_time()
    for row in table:
        call(row)
    return round((time.process_time() - started) / len(table) * 1e6, 1)


def _dateparser(table: Sequence[Row]) -> dict[str, Any] | None:
    """The same of dateparser, which is loaded before it is timed; None when it is not installed."""
    try:
        import dateparser  # type: ignore[import-untyped]
    except ImportError:
        return None

    def parsed(row: Row) -> datetime | None:
        found: datetime | None = dateparser.parse(
            row.span,
            languages=[row.language],
            settings={
                "RELATIVE_BASE": row.now.astimezone(row.zone).replace(tzinfo=None),
                "PREFER_DATES_FROM": "current_period" if row.prefer == "auto" else row.prefer,
                "DATE_ORDER": "DMY",
            },
        )
        if found is None:
            return None
        return (found if found.tzinfo else found.replace(tzinfo=row.zone)).astimezone(UTC)

    def is_right(row: Row) -> bool:
        found = parsed(row)
        return found is not None and row.start <= found < row.end

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "version": version("dateparser"),
            "right": right_by_language(table, is_right),
            "us_per_expression": _per_row(table, parsed),
        }


if __name__ == "__main__":
    print(json.dumps(run_dates(), indent=1))
