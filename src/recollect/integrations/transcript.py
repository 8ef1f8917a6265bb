"""Transcripts that must come back equal: JSON in archived records, which no search finds."""

import json
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote
from uuid import uuid4

from recollect import Memory
from recollect.integrations.records import Keyed, KeyedRecords

PIECE_CHARACTERS: Final = 400_000
"""Of an entry in one record: JSON that is escaped twice stays below what metadata may have."""


def path_of(*names: str) -> str:
    """A path of names, in which each may hold any characters.

    >>> path_of("a/b", "c")
    'a%2Fb/c/'
    """
    return "".join(f"{quote(name, safe='')}/" for name in names)


class Transcripts:
    """Lists of entries of one user, each under a path that ends with a slash.

    Args:
        memory: Where they are kept.
        user_id: Whose they are.
        space: What all their idempotency keys begin with.
    """

    def __init__(self, memory: Memory, *, user_id: str, space: str) -> None:
        self._records = KeyedRecords(memory, user_id=user_id, space=space)

    def append(self, path: str, entries: Sequence[object]) -> list[str]:
        """Store entries in order, in one transaction; returns a new name for each."""
        named = [(uuid4().hex, json.dumps(entry)) for entry in entries]
        self._records.put(
            [
                Keyed(
                    key=f"{path}{name}.{start}",
                    words="",
                    marks={"entry": name, "json": text[start : start + PIECE_CHARACTERS]},
                )
                for name, text in named
                for start in range(0, len(text), PIECE_CHARACTERS)
            ]
        )
        return [name for name, _ in named]

    def load(self, path: str) -> dict[str, Any]:
        """The entries of a list by their names, in order."""
        pieces: dict[str, list[str]] = {}
        for record in reversed(self._records.find(path)):
            pieces.setdefault(str(record.metadata["entry"]), []).append(str(record.metadata["json"]))
        return {name: json.loads("".join(texts)) for name, texts in pieces.items()}

    def delete(self, path: str) -> None:
        """Delete what is under a path, or one entry under ``path`` and its name."""
        self._records.delete_all(path)
