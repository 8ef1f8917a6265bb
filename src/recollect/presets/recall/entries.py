"""Recall's entries: what it keeps for good, with the fields of the design."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from recollect.presets.recall.outcome import OUTCOMES, Outcome
from recollect.presets.recall.semantic import SemanticCategory, level_of_importance, semantic_category
from recollect.protocols import TokenCounter
from recollect.text.chunks import ChunkBy, chunks_of
from recollect.types import MemoryRecord, Recollection

UNTOLD: Final[Outcome] = "INTERRUPTED"
"""The outcome of a session of which nobody said that it ended."""
STORY: Final = "story"
"""Under it metadata keep which story a paragraph is a part of."""
TURN: Final = "turn"
"""Under it metadata keep which turn a chunk is a part of."""
SPACES: Final = "spaces"
"""Under it metadata keep the white space before and after a paragraph of a story."""
_AROUND: Final = 2
Part: TypeAlias = dict[str, object]
"""An item for ``Memory.add``."""
_TONE: Final = "neutral"


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticMemoryEntry:
    """A fact about a user.

    Attributes:
        id: Its id.
        user_id: Whose.
        content: One statement.
        embedding: Its vector, ``float32`` of shape ``(dim,)``.
        category: What it is about.
        importance: 1 to 5.
        created_at: When it was learned.
        last_accessed_at: When it was last retrieved; when it was learned if it never was.
    """

    id: str
    user_id: str
    content: str
    embedding: NDArray[np.float32] = field(compare=False, repr=False)
    category: SemanticCategory
    importance: int
    created_at: datetime
    last_accessed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodicMemoryEntry:
    """What happened in a session.

    Attributes:
        id: Its id.
        user_id: Whose.
        summary: One line.
        embedding: Its vector, ``float32`` of shape ``(dim,)``.
        session_id: Of the session.
        outcome: How it came out; ``INTERRUPTED`` for one that nobody ended.
        emotional_tone: What the user felt; ``neutral`` when no words say.
        key_topics: What it was about.
        created_at: When it was learned.
    """

    id: str
    user_id: str
    summary: str
    embedding: NDArray[np.float32] = field(compare=False, repr=False)
    session_id: str
    outcome: Outcome
    emotional_tone: str
    key_topics: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsEntry:
    """Words as they were said or written: a turn, or a part of a long one, of a story or of a document.

    Attributes:
        id: Its id.
        user_id: Whose.
        content: The words.
        speaker: Who said them, by name or role.
        parent_id: The turn, story or document it is a part of; None for a turn.
        place: Which part it is, from 0, and of how many.
        created_at: When it was stored.
    """

    id: str
    user_id: str
    content: str
    speaker: str
    parent_id: str | None
    place: tuple[int, int]
    created_at: datetime


Entry: TypeAlias = SemanticMemoryEntry | EpisodicMemoryEntry | WordsEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledMemory:
    """An entry that a question found.

    Attributes:
        entry: The entry.
        score: Its similarity times the boosts, 0 to 1.44.
        recollection: The same as the engine has it, with what made the score.
    """

    entry: Entry
    score: float
    recollection: Recollection


def semantic_entry(record: MemoryRecord, embedding: NDArray[np.float32]) -> SemanticMemoryEntry:
    """A stored fact with Recall's fields."""
    return SemanticMemoryEntry(
        id=record.id,
        user_id=record.scope.user_id,
        content=record.content,
        embedding=embedding,
        category=semantic_category(record),
        importance=level_of_importance(record.worth.importance),
        created_at=record.times.created_at,
        last_accessed_at=record.times.accessed_at or record.times.created_at,
    )


def episodic_entry(record: MemoryRecord, embedding: NDArray[np.float32]) -> EpisodicMemoryEntry:
    """A stored episode with Recall's fields."""
    told = record.metadata
    topics = told.get("key_topics")
    label = str(told.get("context") or "")
    outcome = next((one for one in OUTCOMES if one == told.get("outcome")), UNTOLD)
    return EpisodicMemoryEntry(
        id=record.id,
        user_id=record.scope.user_id,
        summary=record.content,
        embedding=embedding,
        session_id=str(told.get("session_id") or record.scope.session_id or ""),
        outcome=outcome,
        emotional_tone=str(told.get("emotional_tone") or _TONE),
        key_topics=tuple(
            map(str, topics)
            if isinstance(topics, (list, tuple))
            else (part for part in label.split(", ") if part)
        ),
        created_at=record.times.created_at,
    )


def words_entry(record: MemoryRecord) -> WordsEntry:
    """A stored turn, or a part of a turn, a story or a document."""
    told = record.metadata
    parent = told.get(STORY) or told.get(TURN) or told.get("document")
    number, count = told.get("chunk"), told.get("chunks")
    return WordsEntry(
        id=record.id,
        user_id=record.scope.user_id,
        content=record.content,
        speaker=record.origin.speaker or record.origin.role,
        parent_id=parent if isinstance(parent, str) else None,
        place=(number, count) if isinstance(number, int) and isinstance(count, int) else (0, 1),
        created_at=record.times.created_at,
    )


def parts_of(text: str, *, by: ChunkBy, parent: Mapping[str, str], count_tokens: TokenCounter) -> list[Part]:
    """A text in chunks of at most 500 tokens, as items to be stored, each with its parent and its place.

    Args:
        text: The text.
        by: How it is cut, see ``recollect.text.chunks``.
        parent: Its parent's id, under ``STORY`` or ``TURN``.
        count_tokens: Counts the tokens of a text.
    """
    return [
        {
            "content": chunk.text.strip(),
            "kind": "document",
            "metadata": {
                **parent,
                "chunk": chunk.number,
                "chunks": chunk.count,
                SPACES: list(_spaces_of(chunk.text)),
            },
        }
        for chunk in chunks_of(text, by=by, count_tokens=count_tokens)
    ]


def joined(records: Sequence[MemoryRecord]) -> str:
    """The text whose parts these are, as it was before it was cut."""
    in_order = sorted(records, key=lambda record: words_entry(record).place)
    return "".join(_with_spaces(record) for record in in_order).rstrip("\n")


def _spaces_of(text: str) -> tuple[str, str]:
    """The white space before and after the words of a text."""
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def _with_spaces(record: MemoryRecord) -> str:
    """The words of a part, with the white space that stood around it; a blank line where none was kept."""
    kept = record.metadata.get(SPACES)
    before, after = kept if isinstance(kept, (list, tuple)) and len(kept) == _AROUND else ("", "\n\n")
    return f"{before}{record.content}{after}"
