"""The agents of ``recollect chat``: the engine's, or Shadow Memory's."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Protocol, cast

from recollect.checks import CONTEXT_THRESHOLD
from recollect.cli.opening import chosen_language, opened, pii_policy, placed
from recollect.cli.options import pii_said, secrets_said
from recollect.cli.output import line_of, plain
from recollect.memory.agent import AnswerStream, ContextOptions, MemoryAgent
from recollect.types.codec import recollection_to_json

if TYPE_CHECKING:
    from recollect.ingest.messages import SecretsPolicy
    from recollect.models.chat import LanguageModel
    from recollect.presets.shadow import MemoryAugmentedAgent, ResponseStream
    from recollect.presets.shadow.awareness import MemoryAwareness
    from recollect.types import JSON, LeftOut, Recollection

ACTIVATED, CANDIDATE = "✓", "○"


class Talk(Protocol):
    """A conversation on the command line."""

    def stream(self, message: str) -> "AnswerStream | ResponseStream":
        """Stream the answer to a message."""

    def lines(self) -> list[str]:
        """List the memories considered for the last answer: ✓ used, ○ not used."""

    def as_json(self, message: str) -> "dict[str, JSON]":
        """Answer a message; return the answer with all memories considered for it."""


class PlainTalk:
    """A conversation with the engine's agent."""

    def __init__(self, agent: MemoryAgent) -> None:
        self._agent = agent
        self._said: AnswerStream | None = None

    def stream(self, message: str) -> AnswerStream:
        """See ``Talk``."""
        self._said = self._agent.stream(message)
        return self._said

    def lines(self) -> list[str]:
        """See ``Talk``."""
        if self._said is None:
            return []
        answer = self._said.answer
        return [
            *(_line(ACTIVATED, hit) for hit in answer.activated),
            *(_line(CANDIDATE, hit) for hit in answer.candidates),
        ]

    def as_json(self, message: str) -> "dict[str, JSON]":
        """See ``Talk``."""
        answer = self._agent.chat(message)
        context = answer.context
        return {
            "content": answer.content,
            "activated": [recollection_to_json(hit) for hit in answer.activated],
            "candidates": [{**left.to_dict(), "content": left.memory.content} for left in answer.candidates],
            "context": {
                "text": context.text,
                "tokens": context.tokens,
                "budget_tokens": context.budget_tokens,
                "left_out": [left.to_dict() for left in context.left_out],
            },
            "stored": asdict(answer.stored),
            "session_id": self._agent.session_id,
            "average_score": answer.average_score,
            "usage": None if answer.usage is None else asdict(answer.usage),
        }


class ActivationTalk:
    """A conversation with Shadow Memory's agent."""

    def __init__(self, agent: "MemoryAugmentedAgent") -> None:
        self._agent = agent
        self._said: ResponseStream | None = None

    def stream(self, message: str) -> "ResponseStream":
        """See ``Talk``."""
        self._said = self._agent.stream(message)
        return self._said

    def lines(self) -> list[str]:
        """See ``Talk``."""
        if self._said is None:
            return []
        response = self._said.response
        return [
            *(_aware_line(ACTIVATED, one) for one in response.activated_memories),
            *(_aware_line(CANDIDATE, one) for one in response.candidate_memories),
        ]

    def as_json(self, message: str) -> "dict[str, JSON]":
        """See ``Talk``."""
        response = self._agent.chat(message)
        return {
            "content": response.content,
            "activated": [_aware_to_json(one) for one in response.activated_memories],
            "candidates": [_aware_to_json(one) for one in response.candidate_memories],
            "core": [recollection_to_json(hit) for hit in response.core],
            "context": {"text": response.memory_context, "type": response.context.type},
            "stored": asdict(response.stored),
            "session_id": self._agent.session_id,
            "total_memories": response.total_memories,
            "average_score": response.avg_activation_score,
            "usage": None if response.usage is None else asdict(response.usage),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of both kinds of conversation; see the options of ``recollect chat``."""

    user_id: str
    session_id: str | None
    model: "LanguageModel | None"
    budget_tokens: int
    timezone: str
    embedder: str | None


@contextmanager
def plain_talk(
    db: str | None, settings: Settings, *, agent_id: str | None, threshold: float | None
) -> Iterator[PlainTalk]:
    """Open a conversation with the engine's agent."""
    with opened(db, embedder=settings.embedder, timezone=settings.timezone, make=True) as memory:
        yield PlainTalk(
            MemoryAgent(
                memory,
                user_id=settings.user_id,
                agent_id=agent_id,
                session_id=settings.session_id,
                model=settings.model,
                context=ContextOptions(
                    budget_tokens=settings.budget_tokens,
                    threshold=CONTEXT_THRESHOLD if threshold is None else threshold,
                ),
            )
        )


@contextmanager
def activation_talk(db: str | None, settings: Settings) -> Iterator[ActivationTalk]:
    """Open a conversation with Shadow Memory's agent, which archives nothing here."""
    from recollect.presets import shadow

    keeps_all = shadow.ShadowMemorySystemConfig(
        max_memories=None, retention_days=None, archival_threshold=None
    )
    with (
        placed(db, embedder=settings.embedder, make=True) as (store, embedder),
        shadow.ShadowMemorySystem(
            store,
            user_id=settings.user_id,
            config=keeps_all,
            embedder=embedder,
            language=chosen_language(store, None),
            timezone=settings.timezone,
            secrets=cast("SecretsPolicy", secrets_said()),
            pii=pii_policy(pii_said()),
        ) as system,
    ):
        yield ActivationTalk(
            shadow.MemoryAugmentedAgent(
                system,
                model=settings.model,
                session_id=settings.session_id,
                budget_tokens=settings.budget_tokens,
            )
        )


def _line(mark: str, hit: "Recollection | LeftOut") -> str:
    return f"[{mark}] {hit.score:4.0%}  {line_of(hit.memory)}"


def _aware_line(mark: str, one: "MemoryAwareness") -> str:
    return f"[{mark}] {one.activation_score:4.0%}  {one.memory_id}  {plain(one.summary)}"


def _aware_to_json(one: "MemoryAwareness") -> "dict[str, JSON]":
    return {**asdict(one), "reason": one.reason}
