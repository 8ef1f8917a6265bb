"""Histories without the former words of a memory, as a purge leaves them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from recollect.stores.sql.rows import dump
from recollect.types import JSON, Change

_TEXTS: Final = frozenset({"content", "summary", "metadata", "origin.sources"})
_LABELS: Final = "labels."


def has_texts(fields: Mapping[str, JSON]) -> bool:
    """Whether the changed fields of a record hold words or the sources of words.

    >>> has_texts({"labels.tags": []}), has_texts({"use.access_count": 3})
    (True, False)
    """
    return any(_is_text(name) for name in fields)


def without_texts(history: Sequence[Change]) -> tuple[Change, ...]:
    """A history without words; times, actions and reasons stay."""
    return tuple([_bare(change) for change in history])


def bare_fields(fields: Mapping[str, JSON]) -> dict[str, JSON]:
    """The changed fields of a record without those that hold words."""
    return {name: value for name, value in fields.items() if not _is_text(name)}


def bare_rows(rows: Iterable[tuple[Any, ...]]) -> list[tuple[str, str, Any]]:
    """Of rows of version, before and after: those that hold words, without them."""
    read = [
        (version, json.loads(before or "{}"), json.loads(after or "{}")) for version, before, after in rows
    ]
    return [
        (dump(bare_fields(before)), dump(bare_fields(after)), version)
        for version, before, after in read
        if has_texts(before) or has_texts(after)
    ]


def _bare(change: Change) -> Change:
    if not (has_texts(change.before) or has_texts(change.after)):
        return change
    return replace(change, before=bare_fields(change.before), after=bare_fields(change.after))


def _is_text(name: str) -> bool:
    return name in _TEXTS or name.startswith(_LABELS)
