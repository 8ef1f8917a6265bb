"""``MemoryAugmentedAgent``: a chat whose answers use the memories that a message activates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from recollect.agent import AgentAnswer, AnswerStream, MemoryAgent, StoredTurn
from recollect.checks import check_count
from recollect.context.awareness import format_memory_context
from recollect.models.chat import LanguageModel, Usage
from recollect.models.prompts.chat import INSTRUCTIONS
from recollect.protocols import TokenCounter
from recollect.retrieval.awareness import MemoryAwareness
from recollect.systems.shadow.system import Context, ShadowMemorySystem
from recollect.text.tokens import estimate_tokens
from recollect.types import Context as PromptContext
from recollect.types import MemoryRecord, Recollection

POTENTIALLY: Final = 3
"""Candidates that a prompt names as potentially relevant. Chosen by hand."""
NEAR: Final = 0.5
"""The share of the weakest activated score that such a candidate must have. Chosen by hand."""
LONGEST_SHARE: Final = 4
"""A memory longer than a fourth of the budget goes into a prompt as its summary."""
_SHORTEST_LINE: Final = 10
"""Tokens of the shortest line, to know how many memories can fit at all. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResponse:
    """An answer, and what Shadow Memory was aware of for it.

    Attributes:
        content: The words of the answer.
        activated_memories: Those whose score reaches the threshold, best first.
        candidate_memories: The best of the others.
        total_memories: How many memories were scored.
        avg_activation_score: Mean score of the activated ones, 0 to 1; 0 when there are none.
        context: What was compared with them: the message, its topics, entities, kind.
        memory_context: What was said of them to the model.
        stored: What is now stored of the turn.
        usage: What the model used; None without a model and for a streamed answer.
    """

    content: str
    activated_memories: tuple[MemoryAwareness, ...]
    candidate_memories: tuple[MemoryAwareness, ...]
    total_memories: int
    avg_activation_score: float
    context: Context
    memory_context: str
    stored: StoredTurn
    usage: Usage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Aware:
    """What was found for a message."""

    context: Context
    activated: tuple[MemoryAwareness, ...]
    candidates: tuple[MemoryAwareness, ...]
    total: int


class ResponseStream(Iterator[str]):
    """An answer in pieces, as they come; afterwards ``response`` is the whole.

    Close it, or leave its ``with`` block, to stop early: then the answer is not stored.

    Args:
        pieces: The pieces.
        aware: What was found for the message.
    """

    def __init__(self, pieces: AnswerStream, aware: _Aware) -> None:
        self._pieces = pieces
        self._aware = aware

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __next__(self) -> str:
        return next(self._pieces)

    @property
    def response(self) -> AgentResponse:
        """The whole answer.

        Raises:
            InvalidInputError: The stream did not end, or did not end well.
        """
        return _response(self._pieces.answer, self._aware)

    def close(self) -> None:
        """Stop listening."""
        self._pieces.close()


class MemoryAugmentedAgent:
    """A conversation with a model that is aware of its memories. One agent is one conversation.

    Args:
        system: Where it remembers; it is not closed by the agent.
        model: Who answers. Without one, the answers quote activated memories, and say so.
        session_id: The conversation; made anew when None.
        budget_tokens: The most tokens that memories may take in a prompt.
        candidates: How many memories that were not activated a response names.
        history_turns: How many turns of this conversation go into a prompt, word for word.
        instructions: Who the model is and how it shall answer.
        token_counter: Counts the tokens of a text as the model does.

    Raises:
        InvalidInputError: An argument cannot be used.
    """

    def __init__(
        self,
        system: ShadowMemorySystem,
        *,
        model: LanguageModel | None = None,
        session_id: str | None = None,
        budget_tokens: int = 1_500,
        candidates: int = 20,
        history_turns: int = 10,
        instructions: str = INSTRUCTIONS,
        token_counter: TokenCounter = estimate_tokens,
    ) -> None:
        self._system = system
        self._budget = check_count("budget_tokens", budget_tokens, most=10_000_000)
        self._candidates = check_count("candidates", candidates, most=10_000)
        self._count = token_counter
        self._aware: _Aware | None = None
        self._agent = MemoryAgent(
            system.memory,
            user_id=system.user_id,
            session_id=session_id,
            model=model,
            history_turns=history_turns,
            instructions=instructions,
            recall=self._recall,
        )

    @property
    def session_id(self) -> str:
        """The conversation."""
        return self._agent.session_id

    def chat(self, message: str) -> AgentResponse:
        """The answer to a message; both are stored.

        Raises:
            InvalidInputError: The message is blank or cannot be stored; nothing was stored.
            ModelError: The model gave no answer. The message is stored.
            StoreError: The store failed.
        """
        self._tidy()
        answer = self._agent.chat(message)
        return _response(answer, self._found())

    def stream(self, message: str) -> ResponseStream:
        """The same in pieces, as they come; see ``MemoryAgent.stream``."""
        self._tidy()
        pieces = self._agent.stream(message)
        return ResponseStream(pieces, self._found())

    def clear_history(self) -> None:
        """Forget the turns kept for the prompt. The memories stay."""
        self._agent.clear_history()

    def _tidy(self) -> None:
        self._system.cleanup(not_within_s=self._system.config.cleanup_interval_s)

    def _found(self) -> _Aware:
        assert self._aware is not None  # noqa: S101 - the agent recalls before it answers
        return self._aware

    def _recall(self, message: str, repeated: Sequence[str]) -> PromptContext:
        """What a message activates, but for the turns that its prompt repeats anyway."""
        context = self._system.build_context(message)
        awareness = self._system.get_all_candidate_memories(context)
        active = [one for one in self._system.activated_in(awareness) if one.memory_id not in repeated]
        known = {*repeated, *(one.memory_id for one in active)}
        best = awareness[: self._candidates + len(known)]
        others = [one for one in best if one.memory_id not in known][: self._candidates]
        self._aware = _Aware(
            context=context, activated=tuple(active), candidates=tuple(others), total=len(awareness)
        )
        return self._formatted(active[: self._budget // _SHORTEST_LINE], others)

    def _formatted(
        self, active: Sequence[MemoryAwareness], others: Sequence[MemoryAwareness]
    ) -> PromptContext:
        """The activated memories, which are read now, and the candidates that come near them."""
        records = self._read([one.memory_id for one in active])
        read = [(one, records[one.memory_id]) for one in active if one.memory_id in records]
        least = NEAR * min((one.activation_score for one in active), default=1.0)
        near = [one for one in others[:POTENTIALLY] if one.activation_score >= least]
        made = format_memory_context(
            [(one.activation_score, self._words(one, record)) for one, record in read],
            [(one.activation_score, one.summary) for one in near],
            budget_tokens=self._budget,
            count_tokens=self._count,
        )
        return PromptContext(
            text=made.text,
            tokens=self._count(made.text) if made.text else 0,
            budget_tokens=self._budget,
            included=tuple(_recollection(one, record) for one, record in read[: made.activated]),
            left_out=(),
        )

    def _read(self, ids: Sequence[str]) -> dict[str, MemoryRecord]:
        if not ids:
            return {}
        found = self._system.memory.get_all(user_id=self._system.user_id, filters={"id": {"in": list(ids)}})
        return {record.id: record for record in found}

    def _words(self, one: MemoryAwareness, record: MemoryRecord) -> str:
        short_enough = self._count(record.content) <= self._budget // LONGEST_SHARE
        return record.content if short_enough else one.summary


def _recollection(one: MemoryAwareness, record: MemoryRecord) -> Recollection:
    return Recollection(memory=record, score=one.activation_score, signals=one.signals, terms=one.terms)


def _response(answer: AgentAnswer, aware: _Aware) -> AgentResponse:
    scores = [one.activation_score for one in aware.activated]
    return AgentResponse(
        content=answer.content,
        activated_memories=aware.activated,
        candidate_memories=aware.candidates,
        total_memories=aware.total,
        avg_activation_score=sum(scores) / max(len(scores), 1),
        context=aware.context,
        memory_context=answer.context.text,
        stored=answer.stored,
        usage=answer.usage,
    )
