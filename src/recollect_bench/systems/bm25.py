# /// script
# dependencies = ["bm25s==0.3.16", "PyStemmer==3.0.0"]
# ///
"""BM25 by bm25s.

In its favour: English stems, the longer of its lists of stop words (six points better on LoCoMo than the
shorter), and the speaker's name as a word of each turn.
"""

from collections.abc import Sequence
from typing import Any

import bm25s
import Stemmer

from recollect_bench.worker import Turn, Vectors


class System:
    """An index of words for each user, made anew when something was added since the last search."""

    def __init__(self, folder: str, vectors: Vectors) -> None:
        self._stemmer = Stemmer.Stemmer("english")
        self._turns: dict[str, dict[str, str]] = {}
        self._index: dict[str, Any] = {}

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        self._turns.setdefault(user, {}).update({turn.id: turn.line for turn in turns})
        self._index.pop(user, None)

    def delete(self, user: str, name: str) -> None:
        del self._turns[user][name]
        self._index.pop(user, None)

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        turns = self._turns.get(user, {})
        if not turns:
            return []
        if user not in self._index:
            self._index[user] = bm25s.BM25()
            self._index[user].index(self._words(list(turns.values())), show_progress=False)
        asked, most = self._words([query]), min(limit, len(turns))
        ids, scores = self._index[user].retrieve(asked, corpus=list(turns), k=most, show_progress=False)
        return [(name, score) for name, score in zip(ids[0], scores[0], strict=True) if score > 0]

    def close(self) -> None:
        self._index.clear()

    def _words(self, texts: list[str]) -> Any:
        return bm25s.tokenize(texts, stopwords="en_plus", stemmer=self._stemmer, show_progress=False)
