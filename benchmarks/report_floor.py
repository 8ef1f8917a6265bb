"""The page's section that puts Recollect beside FTS5 and NumPy."""

from typing import Final

from benchmarks.markdown import table
from benchmarks.targets import Result, number

_HOW: Final = """\
## Beside FTS5 and NumPy

The floor (`benchmarks/floor.py`) is SQLite's FTS5, a NumPy product over vectors by the same embedder and the
sum of two ranks. It has no labels, history, filters, facts or checks. Both on
the same texts in one run, each in a process of its own, on one thread; every call is durable. In brackets:
how many times the floor's time it is.
"""
_MEASURES: Final = (
    "search, ms",
    "search and add, ms",
    "one add, ms",
    "batches, /s",
    "long messages, /s",
)


def floor_section(result: Result) -> str:
    """Every measure at every size."""
    rows = result["rows"]
    header = ["", *(_shape(row) for row in rows)]
    return "\n".join(
        [_HOW, table(header, [[name, *(_cell(row, name) for row in rows)] for name in _MEASURES])]
    )


def _shape(row: Result) -> str:
    return (
        f"{row['users']} users x {row['size'] // row['users']:,}" if row["users"] > 1 else f"{row['size']:,}"
    )


def _cell(row: Result, name: str) -> str:
    """The figure, and its time as a multiple of the floor's."""
    ours, floor = row["recollect"][name], row["floor"][name]
    times = floor / ours if name.endswith("/s") else ours / floor
    return f"{number(ours)} ({times:.1f}x)"
