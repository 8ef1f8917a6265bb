"""Records as rows of the ``memories`` table, and JSON as ``jsonb`` can hold it without loss."""

import re
from typing import Any, Final
from uuid import UUID

from recollect.stores.postgres.sql import tenant_of
from recollect.stores.sql.rows import COLUMNS as RECORD_COLUMNS
from recollect.stores.sql.rows import SKETCHED, WRITTEN, dump, to_written
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

COLUMNS: Final = (*WRITTEN, "metadata_as_given", "idempotency")
"""The columns of a record, in the order of ``to_values``."""

_AS_TEXT: Final = {
    **{name: f"m.{name}::text" for name in ("sources", "tags", "concepts", "entities")},
    "metadata": "coalesce(m.metadata_as_given, m.metadata::text)",
}
SELECT: Final = ", ".join(_AS_TEXT.get(name, f"m.{name}") for name in RECORD_COLUMNS)
"""The columns in the order of ``from_row``, lists and metadata as JSON text."""

SKETCH: Final = ", ".join(_AS_TEXT.get(name, f"m.{name}") for name in SKETCHED)
"""The same of ``sketch_from_row``."""

_CRITICAL: Final = RECORD_COLUMNS.index("critical")
_METADATA: Final = RECORD_COLUMNS.index("metadata")
_SPECIAL: Final = lazy_regex(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?e\+\d+|-0\.0(?!\d)')
"""Strings, which are skipped, and the floats that ``jsonb`` would change."""


def to_values(record: MemoryRecord, *, turn: int, outline: bytes) -> tuple[Any, ...]:
    """The values of a record in the order of ``COLUMNS``."""
    values = list(to_written(record, turn=turn, outline=outline))
    given = values[_METADATA]
    values[_CRITICAL] = record.worth.critical
    values[_METADATA] = as_jsonb(given)
    exact = given if "-0.0" in given else None
    return (*values, exact, idempotency_of(record.idempotency_key))


def idempotency_of(key: str | None) -> UUID | None:
    """A key of any length in the one size that an index takes; None stays None."""
    return None if key is None else tenant_of(key)


def as_jsonb(text: str) -> str:
    """JSON text with its numbers written so that ``jsonb`` keeps their types and values.

    ``jsonb`` holds decimal numbers: without this a large float may change in its last digits.

    >>> as_jsonb('{"n":[1e+16,-0.0,1.5],"s":"1e+16"}')
    '{"n":[10000000000000000.0,0.0,1.5],"s":"1e+16"}'
    """
    if "e+" not in text and "-0.0" not in text:
        return text
    return _SPECIAL.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    token = found.group()
    return token if token.startswith('"') else f"{int(float(token))}.0"


def scalar(value: float | str | None) -> str:
    """A filter's value as ``jsonb`` text (a bool is a number to Python, and true or false here)."""
    return as_jsonb(dump(value))
