"""The result of a chat turn: recalled memories, the answer, and what was stored."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Final

from recollect.documents.citing import Citation
from recollect.errors import InvalidInputError
from recollect.memory.changes.archive import Tidied
from recollect.models.chat import Usage
from recollect.retrieval.core import SIGNAL
from recollect.types import JSON, Context, LeftOut, Recollection
from recollect.types.closing import Closing
from recollect.types.codec import fields_to_json

__all__ = ["AgentAnswer", "AnswerStream", "Considered", "Recalled", "StoredTurn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Considered:
    """A memory that was considered for an answer.

    Attributes:
        memory_id: Its id.
        summary: Its words in short.
        score: What the preset scored it.
        activated: Whether it reached the threshold.
        reason: Why, in words.
        signals: What was measured, by name; empty where the preset does not say.
        terms: What each signal added to the score, by the same names.
        confidence: 0 to 1.
        relevance_type: Shadow Memory's kind of relevance; None with other presets.
        threshold: The score that activates it, where that is not the context's threshold.
    """

    memory_id: str
    summary: str
    score: float
    activated: bool
    reason: str
    signals: Mapping[str, float] = field(default_factory=dict)
    terms: Mapping[str, float] = field(default_factory=dict)
    confidence: float = 1.0
    relevance_type: str | None = None
    threshold: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Recalled(Context):
    """What a preset recalled for a message: a context, and what it was made of.

    Attributes:
        threshold: The least score of an activated memory; None where the preset has none.
        total: How many memories there were to recall.
        context_type: The kind of message, where the preset tells kinds apart.
        sources: The documents in the text, by the numbers they are cited with.
        answer: What memory says of itself, where the message asks for that; it stands first in the text.
    """

    threshold: float | None = None
    total: int = 0
    context_type: str | None = None
    sources: tuple[Citation, ...] = ()
    answer: str = ""

    @property
    def core(self) -> list[Recollection]:
        """The memories that are in the text whatever the message is."""
        return [hit for hit in self.included if SIGNAL in hit.signals]

    @property
    def activated_count(self) -> int:
        """How many memories the message activated."""
        return sum(SIGNAL not in hit.signals for hit in self.included)

    @property
    def average_score(self) -> float:
        """The mean score of the activated memories; 0 without any."""
        found = [hit.score for hit in self.included if SIGNAL not in hit.signals]
        return sum(found) / max(len(found), 1)

    def activated(self, *, limit: int) -> list[Considered]:
        """The activated memories, best first, at most ``limit``."""
        found = (hit for hit in self.included if SIGNAL not in hit.signals)
        return [_activated(hit) for hit in islice(found, limit)]

    def candidates(self, *, limit: int) -> list[Considered]:
        """The best of the others, at most ``limit``."""
        return [_candidate(left) for left in self.left_out[:limit]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurn:
    """What a turn left in the memory.

    Attributes:
        answer_id: The answer; None when it was not stored.
        reason: Why the answer was not stored, or what was masked in it; None when there is nothing to say.
    """

    message_id: str
    answer_id: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAnswer:
    """An answer, and what it was made of.

    Attributes:
        content: Its words.
        activated: The memories that went into the prompt, highest score first; last those that stand in its
            core and have nothing to do with the message.
        candidates: Those considered that did not, highest score first, each with its reason.
        context: What was recalled as the model read it.
        stored: What is now in the memory.
        usage: What the model used; None without a model, and for a streamed answer (its model's own
            counter has that).
        model: The name of the model; None when memories were quoted.
        preset: The name of the preset that recalled.
        session_id: The session.
        tidied: What the turn archived; None unless the agent runs the lifecycle.
    """

    content: str
    activated: Sequence[Recollection]
    candidates: tuple[LeftOut, ...]
    context: Recalled
    stored: StoredTurn
    usage: Usage | None = None
    model: str | None = None
    preset: str = "default"
    session_id: str = ""
    tidied: Tidied | None = None

    @property
    def sources(self) -> tuple[Citation, ...]:
        """The documents that the answer may cite, [1] first."""
        return self.context.sources

    @property
    def average_score(self) -> float:
        """The mean score of the memories that the message activated; 0 when there are none."""
        return self.context.average_score

    def to_dict(self, *, limit: int = 100) -> dict[str, JSON]:
        """The answer as JSON values.

        Args:
            limit: Activated memories and candidates listed at most, of each.
        """
        return {
            "content": self.content,
            "activated": [_listed(one) for one in self.context.activated(limit=limit)],
            "candidates": [_listed(one) for one in self.context.candidates(limit=limit)],
            "core": [hit.to_dict() for hit in self.context.core],
            "sources": [source_to_dict(one) for one in self.sources],
            "context": {
                "text": self.context.text,
                "tokens": self.context.tokens,
                "budget_tokens": self.context.budget_tokens,
                "type": self.context.context_type,
                "threshold": self.context.threshold,
                "notes": list(self.context.notes),
            },
            "stored": asdict(self.stored),
            "session_id": self.session_id,
            "preset": self.preset,
            "model": self.model,
            "total_memories": self.context.total,
            "average_score": self.average_score,
            "usage": None if self.usage is None else asdict(self.usage),
            "tidied": None if self.tidied is None else self.tidied.to_dict(),
        }


class AnswerStream(Iterator[str], Closing):
    """An answer in pieces, as they come; afterwards ``answer`` is the whole.

    Close it, or leave its ``with`` block, to stop early: then the answer is not stored. When the model fails
    in the middle, its words so far are stored with ``cut_off`` in their metadata, and ``stored`` names them.

    Args:
        pieces: The pieces; returns the answer.
        stored: What is stored of the turn; the pieces change it.
    """

    def __init__(self, pieces: Generator[str, None, AgentAnswer], *, stored: "Stored") -> None:
        self._pieces = pieces
        self._stored: Final = stored
        self._answer: AgentAnswer | None = None

    def __next__(self) -> str:
        try:
            return next(self._pieces)
        except StopIteration as end:
            self._answer = end.value or self._answer
            raise

    @property
    def message_id(self) -> str:
        """The message that is answered; it is stored already."""
        return self.stored.message_id

    @property
    def stored(self) -> StoredTurn:
        """What is stored of the turn now."""
        return self._stored.turn

    @property
    def answer(self) -> AgentAnswer:
        """The whole answer.

        Raises:
            InvalidInputError: The stream did not end, or did not end well.
        """
        if self._answer is None:
            raise InvalidInputError("there is no answer yet: read the stream to its end")
        return self._answer

    def close(self) -> None:
        """Stop listening."""
        self._pieces.close()


@dataclass(slots=True)
class Stored:
    """What is stored of a turn, as it grows."""

    turn: StoredTurn


def source_to_dict(source: Citation) -> dict[str, JSON]:
    """A source of an answer: what a page needs to show and to open it."""
    return {**fields_to_json(source, without=("hit",)), "memory_id": source.hit.memory.id}


def _activated(hit: Recollection) -> Considered:
    return Considered(
        memory_id=hit.memory.id,
        summary=hit.memory.brief(),
        score=hit.score,
        activated=True,
        reason="its words went into the prompt",
        signals=dict(hit.signals),
        terms=dict(hit.terms),
        confidence=hit.memory.worth.confidence,
    )


def _candidate(left: LeftOut) -> Considered:
    return Considered(
        memory_id=left.memory.id,
        summary=left.memory.brief(),
        score=left.score,
        activated=False,
        reason=left.reason,
        signals=dict(left.signals),
        terms=dict(left.terms),
        confidence=left.memory.worth.confidence,
    )


def _listed(one: Considered) -> dict[str, JSON]:
    return {**asdict(one)}
