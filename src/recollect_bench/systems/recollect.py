"""Recollect with its default settings: words and meaning, no language model.

One user per conversation, one `add` per session, with names, roles and times; asked as on the day after the
last turn.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ClassVar

from recollect import Memory
from recollect.embedders import DEFAULT_EMBEDDER
from recollect_bench.worker import Turn, Vectors


class System:
    """A memory in a file."""

    embedder: ClassVar = DEFAULT_EMBEDDER

    def __init__(self, folder: str, vectors: Vectors) -> None:
        self._now = datetime.now(UTC)
        self._memory = Memory(Path(folder) / "memory.db", embedder=self.embedder, clock=lambda: self._now)
        self._turn_of: dict[str, str] = {}

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        """Add a session in one call."""
        messages = [_message(turn) for turn in turns]
        results = self._memory.add(messages, user_id=user, session_id=turns[0].session)
        self._turn_of |= {str(one.id): turn.id for one, turn in zip(results, turns, strict=True)}
        self._now = max([turn.time + timedelta(days=1) for turn in turns if turn.time], default=self._now)

    def replace(self, user: str, name: str, turn: Turn) -> None:
        """Update the memory, which keeps the words before as history."""
        memory = self._memory_of(name)
        self._memory.update(memory, user_id=user, content=turn.text)
        self._turn_of[memory] = turn.id

    def delete(self, user: str, name: str) -> None:
        """Delete the memory."""
        self._memory.delete(self._memory_of(name), user_id=user)

    def search(self, user: str, query: str, limit: int) -> list[tuple[str, float]]:
        """Search with the default settings."""
        hits = self._memory.search(query, user_id=user, top_k=limit)
        return [(self._turn_of[hit.memory.id], hit.score) for hit in hits if hit.memory.id in self._turn_of]

    def context(self, user: str, query: str, tokens: int) -> str:
        """Compose a context, after everything said so far is learned."""
        self._memory.jobs.drain()
        return self._memory.context(query, user_id=user, budget_tokens=tokens).text

    def close(self) -> None:
        """Close the file."""
        self._memory.close()

    def _memory_of(self, name: str) -> str:
        return next(memory for memory, turn in self._turn_of.items() if turn == name)


def _message(turn: Turn) -> dict[str, object]:
    optional = {"name": turn.speaker, "timestamp": turn.time}
    known = {key: value for key, value in optional.items() if value is not None}
    return {"role": turn.role, "content": turn.text, **known}
