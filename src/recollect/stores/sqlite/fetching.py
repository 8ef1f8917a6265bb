"""Reading rows."""

from collections.abc import Sequence
from typing import Any

import apsw

Row = tuple[Any, ...]
"""A row as apsw gives it; each query knows its own columns."""


def fetch(db: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> list[Row]:
    """All rows of a query."""
    return db.execute(sql, tuple(values)).fetchall()


def fetch_value(db: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> Any:
    """The first column of a query's first row; None when there is no row."""
    row = db.execute(sql, tuple(values)).fetchone()
    return None if row is None else row[0]
