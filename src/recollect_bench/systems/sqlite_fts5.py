"""SQLite's FTS5, from Python's standard library.

In its favour: Porter's stems, any word of the query may match, stop words (stopwords-iso) are left out of
it, and the speaker's name is a word of each turn.
"""

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import stopwordsiso

from recollect_bench.worker import Turn, Vectors

STOP = stopwordsiso.stopwords("en")


class System:
    """One table for all users."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        self._db = sqlite3.connect(Path(folder) / "turns.db")
        columns = "id UNINDEXED, user UNINDEXED, line, tokenize = 'porter unicode61'"
        self._db.execute(f"CREATE VIRTUAL TABLE turns USING fts5({columns})")

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        rows = [(turn.id, user, turn.line) for turn in turns]
        self._db.executemany("INSERT INTO turns VALUES (?, ?, ?)", rows)
        self._db.commit()

    def delete(self, user: str, name: str) -> None:
        self._db.execute("DELETE FROM turns WHERE user = ? AND id = ?", (user, name))
        self._db.commit()

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        words = [word for word in re.findall(r"\w+", query.lower()) if word not in STOP]
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        found = "SELECT id, -rank FROM turns WHERE line MATCH ? AND user = ? ORDER BY rank LIMIT ?"
        return self._db.execute(found, (asked, user, limit)).fetchall()

    def close(self) -> None:
        self._db.close()
