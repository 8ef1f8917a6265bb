"""A small plot of a number over time, in text."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

ROWS: Final = 11
COLUMNS: Final = 48
"""Size of the plot; with its labels it is narrower than 60 characters."""
_BEFORE, _AFTER = "*", "."


def plot_over_time(moments: Sequence[datetime], values: Sequence[float], *, now: datetime) -> str:
    """Plot values from 0 to 1 over time: ``*`` for the past, ``.`` for the future.

    Args:
        moments: One per column, ascending.
        values: One per moment, 0 to 1.
        now: Where the future begins.
    """
    rows = [[" "] * len(moments) for _ in range(ROWS)]
    for column, (moment, value) in enumerate(zip(moments, values, strict=True)):
        rows[round((1 - value) * (ROWS - 1))][column] = _BEFORE if moment <= now else _AFTER
    lines = [f"{1 - row / (ROWS - 1):.1f} |{''.join(cells)}".rstrip() for row, cells in enumerate(rows)]
    ends = f"{moments[0]:%Y-%m-%d}", f"{moments[-1]:%Y-%m-%d}"
    return "\n".join(
        [*lines, "    +" + "-" * len(moments), " " * 5 + ends[0].ljust(len(moments) - 10) + ends[1]]
    )


def columns_between(start: datetime, end: datetime) -> list[datetime]:
    """Spread one moment per column of the plot evenly from ``start`` to ``end``."""
    step: timedelta = (end - start) / (COLUMNS - 1)
    return [start + column * step for column in range(COLUMNS)]
