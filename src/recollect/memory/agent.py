"""A chat agent that remembers: what it knows goes into the prompt, what was said into the memory.

A turn goes this way: recall, store the user's message, ask the model, store the answer. Recall comes
before storing because a message would otherwise be a neighbour of its own answers and raise their scores.
Only the plain message and the plain answer are stored, never what was recalled for them.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Final

from recollect.checks import (
    CONTEXT_THRESHOLD,
    CORE_SHARE,
    MAX_TOP_K,
    check_content,
    check_count,
    check_share,
    check_text,
)
from recollect.errors import InvalidInputError, ModelAnswerError, NotFoundError, as_given
from recollect.memory.memory import Memory
from recollect.models.chat import ChatMessage, LanguageModel, Usage
from recollect.models.prompts.chat import INSTRUCTIONS, PROMPT_ID, chat_system
from recollect.retrieval.core import SIGNAL
from recollect.text.quoting import visible
from recollect.types import AddResult, Context, LeftOut, MemoryRecord, Recollection, Within
from recollect.types.clock import utc_now
from recollect.types.closing import Closing
from recollect.types.ids import new_id

__all__ = ["AgentAnswer", "AnswerStream", "ContextOptions", "MemoryAgent", "StoredTurn"]

_MOST_TURNS: Final = 1_000
"""Turns a prompt may repeat. Chosen by hand."""
_QUOTES: Final = 3
"""Memories quoted when there is no model. Chosen by hand."""
_QUOTE_LENGTH: Final = 300
"""Characters of a memory quoted when there is no model. Chosen by hand."""
_QUOTING: Final = "Without a language model I can only quote what I remember:"
_SILENT: Final = "Without a language model I can only quote what I remember, and nothing I remember fits."


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurn:
    """What a turn left in the memory.

    Attributes:
        message_id: The user's message.
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
    """

    content: str
    activated: Sequence[Recollection]
    candidates: tuple[LeftOut, ...]
    context: Context
    stored: StoredTurn
    usage: Usage | None = None

    @property
    def average_score(self) -> float:
        """The mean score of the activated memories that the message found, 0 to 1; 0 when there are none."""
        found = [hit.score for hit in self.activated if SIGNAL not in hit.signals]
        return sum(found) / max(len(found), 1)


class AnswerStream(Iterator[str], Closing):
    """An answer in pieces, as they come; afterwards ``answer`` is the whole.

    Close it, or leave its ``with`` block, to stop early: then the answer is not stored.

    Args:
        pieces: The pieces; returns the answer.
        message_id: The message that is answered; it is stored already.
    """

    def __init__(self, pieces: Generator[str, None, AgentAnswer], *, message_id: str) -> None:
        self.message_id: Final = message_id
        self._pieces = pieces
        self._answer: AgentAnswer | None = None

    def __next__(self) -> str:
        try:
            return next(self._pieces)
        except StopIteration as end:
            self._answer = end.value or self._answer
            raise

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """A turn whose message is stored, and which has no answer yet.

    Attributes:
        message: The message as it was stored, with secrets masked.
        message_id: Its id.
        recalled: What is remembered about it.
        candidates: How many of the others are named.
    """

    message: str
    message_id: str
    recalled: Context
    candidates: int

    def answered(self, content: str, *, stored: StoredTurn, usage: Usage | None = None) -> AgentAnswer:
        """The answer, with what it was made of."""
        return AgentAnswer(
            content=content,
            activated=self.recalled.included,
            candidates=self.recalled.left_out[: self.candidates],
            context=self.recalled,
            stored=stored,
            usage=usage,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A finished turn, kept for the next prompts."""

    message: ChatMessage
    answer: ChatMessage
    ids: tuple[str, ...]

    def in_words(self, words: Mapping[str, str]) -> "_Said":
        """The turn in the words that its memories have."""
        message_id, *answer_id = self.ids
        answer = words[answer_id[0]] if answer_id else self.answer.content
        return replace(
            self,
            message=ChatMessage(role="user", content=words[message_id]),
            answer=ChatMessage(role="assistant", content=answer),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextOptions:
    """What a ``MemoryAgent`` asks ``Memory.context`` for.

    Attributes:
        budget_tokens: The most tokens that memories may take in a prompt.
        threshold: The least score, 0 to 1, of a memory that goes into a prompt.
        core_share: The part of the budget for what must be known whatever is said, see ``Memory.context``.

    Raises:
        InvalidInputError: A value cannot be used.
    """

    budget_tokens: int = 1_500
    threshold: float = CONTEXT_THRESHOLD
    core_share: float = CORE_SHARE

    def __post_init__(self) -> None:
        check_count("budget_tokens", self.budget_tokens, most=10_000_000)
        check_share("threshold", self.threshold)
        check_share("core_share", self.core_share)


_CONTEXT: Final = ContextOptions()


class MemoryAgent:
    """A conversation with a model that remembers.

    One agent is one conversation: for several at once make several, over one ``Memory``.

    Args:
        memory: Where it remembers. It is not closed by the agent.
        user_id: With whom it talks.
        session_id: The conversation its turns belong to; made anew when None. Recall is over all
            sessions of the user.
        agent_id: Which agent it is, if you have several; then it recalls only that agent's memories.
        model: Who answers. Without one, the answers quote memories.
        context: How much of a prompt memories may take, and which.
        candidates: How many memories that did not go into the prompt an answer names, at most.
        history_turns: How many turns of this conversation go into a prompt, word for word; at least 0.
        instructions: Who the model is and how it shall answer.
        recall: Another way to recall what fits a message, given the ids of memories that the prompt repeats
            anyway; ``context`` is then not used.

    Attributes:
        session_id: The conversation.

    Raises:
        InvalidInputError: An argument cannot be used.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str,
        session_id: str | None = None,
        agent_id: str | None = None,
        model: LanguageModel | None = None,
        context: ContextOptions = _CONTEXT,
        candidates: int = 20,
        history_turns: int = 10,
        instructions: str = INSTRUCTIONS,
        recall: Callable[[str, Sequence[str]], Context] | None = None,
    ) -> None:
        if history_turns != 0:
            check_count("history_turns", history_turns, most=_MOST_TURNS)
        check_text("instructions", instructions)
        if model is not None and not isinstance(model, LanguageModel):
            raise InvalidInputError(
                f"model must be a LanguageModel such as OpenAIModel(...), not {as_given(model)}"
            )
        self._memory, self._model, self._instructions = memory, model, instructions
        self._user_id, self._agent_id = user_id, agent_id
        self.session_id = new_id() if session_id is None else session_id
        if not isinstance(context, ContextOptions):
            raise InvalidInputError(f"context must be ContextOptions, not {as_given(context)}")
        self._context = context
        self._candidates = check_count("candidates", candidates, most=MAX_TOP_K)
        self._recall = self._recalled if recall is None else recall
        self._history: deque[_Said] = deque(maxlen=history_turns)

    def chat(self, message: str) -> AgentAnswer:
        """The answer to a message; both are stored.

        Args:
            message: What the user says.

        Raises:
            InvalidInputError: The message is blank or cannot be stored; nothing was stored.
            ModelError: The model gave no answer (see its subclasses). The message is stored.
            StoreError: The store failed.
        """
        turn = self._begun(message)
        if self._model is None:
            return _quoting(turn)
        completion = self._model.complete(self._prompt(turn))
        return self._finished(turn, completion.text, by=self._model, usage=completion.usage)

    def stream(self, message: str) -> AnswerStream:
        """The same in pieces, as they come.

        The message is stored when this returns, the answer when the last piece was read: an answer that
        breaks off, or that nobody reads to its end, is not stored.

        Args:
            message: What the user says.

        Raises:
            InvalidInputError: As in ``chat``.
            ModelError: As in ``chat``; raised while iterating.
            StoreError: As in ``chat``.
        """
        turn = self._begun(message)
        pieces = _quoted(turn) if self._model is None else self._streamed(turn, by=self._model)
        return AnswerStream(pieces, message_id=turn.message_id)

    def clear_history(self) -> None:
        """Forget the turns kept for the prompt. The memories stay."""
        self._history.clear()

    def _begun(self, message: str) -> _Turn:
        """Recall what fits a message, and store it: even when recalling fails.

        What may not be stored is refused first: no embedder and no model sees it.
        """
        self._follow_the_memory()
        words = check_content("message", message)
        screened = self._memory.maintenance.screen(words)
        if screened.refused:
            raise InvalidInputError(f"the message was refused: {screened.refused}")
        try:
            recalled = self._recall(
                screened.text, [said_id for said in self._history for said_id in said.ids]
            )
        finally:
            message_id = self._stored_message(words)
        return _Turn(
            message=screened.text,
            message_id=message_id,
            recalled=recalled,
            candidates=self._candidates,
        )

    def _follow_the_memory(self) -> None:
        """Let go of turns of which a part was deleted, and repeat others in the words they have now."""
        ids = [said_id for said in self._history for said_id in said.ids]
        found = self._memory.get_all(user_id=self._user_id, filters={"id": {"in": ids}}) if ids else []
        words = {one.id: visible(one.content) for one in found}
        kept = [said.in_words(words) for said in self._history if words.keys() >= set(said.ids)]
        self._history = deque(kept, maxlen=self._history.maxlen)

    def _recalled(self, message: str, repeated: Sequence[str]) -> Context:
        return self._memory.context(
            message,
            user_id=self._user_id,
            agent_id=self._agent_id,
            budget_tokens=self._context.budget_tokens,
            threshold=self._context.threshold,
            core_share=self._context.core_share,
            within=Within(exclude_ids=repeated),
        )

    def _stored_message(self, message: str) -> str:
        (result,) = self._memory.add(
            {"role": "user", "content": message},
            user_id=self._user_id,
            agent_id=self._agent_id,
            session_id=self.session_id,
        )
        if result.id is None:
            raise InvalidInputError(f"the message was refused: {result.reason}")
        return result.id

    def _prompt(self, turn: _Turn) -> list[ChatMessage]:
        """What the model is asked: who it is and what it remembers, the turns before, the message."""
        system = chat_system(
            instructions=self._instructions, memories=turn.recalled.text, now=self._said_at(turn)
        )
        turns = [message for said in self._history for message in (said.message, said.answer)]
        message = ChatMessage(role="user", content=visible(turn.message))
        return [ChatMessage(role="system", content=system), *turns, message]

    def _said_at(self, turn: _Turn) -> datetime:
        """When the message was said, by the memory's clock; now if it was deleted meanwhile."""
        try:
            return self._memory.get(turn.message_id, user_id=self._user_id).times.happened_at
        except NotFoundError:
            return utc_now()

    def _streamed(self, turn: _Turn, *, by: LanguageModel) -> Generator[str, None, AgentAnswer]:
        said: list[str] = []
        pieces = by.stream(self._prompt(turn))
        try:
            for piece in pieces:
                said.append(piece)
                yield piece
        finally:
            if isinstance(pieces, Generator):
                pieces.close()  # lets go of the connection at once
        return self._finished(turn, "".join(said), by=by)

    def _finished(
        self, turn: _Turn, text: str, *, by: LanguageModel, usage: Usage | None = None
    ) -> AgentAnswer:
        """Store an answer and keep the turn for the next prompts."""
        if not text.strip():
            raise ModelAnswerError(f"{by.name} answered nothing")
        result = self._stored_answer(text, by=by)
        ids = (turn.message_id,) if result.id is None else (turn.message_id, result.id)
        message = ChatMessage(role="user", content=visible(turn.message))
        self._history.append(
            _Said(message=message, answer=ChatMessage(role="assistant", content=visible(text)), ids=ids)
        )
        stored = StoredTurn(message_id=turn.message_id, answer_id=result.id, reason=result.reason)
        return turn.answered(text, stored=stored, usage=usage)

    def _stored_answer(self, text: str, *, by: LanguageModel) -> AddResult:
        """Store an answer; one that cannot be stored is refused, and still an answer."""
        (result,) = self._memory.add(
            [{"role": "assistant", "content": text}],
            user_id=self._user_id,
            agent_id=self._agent_id,
            session_id=self.session_id,
            metadata={"model": by.name, "prompt_id": PROMPT_ID},
        )
        return result


def _quoted(turn: _Turn) -> Generator[str, None, AgentAnswer]:
    answer = _quoting(turn)
    yield answer.content
    return answer


def _quoting(turn: _Turn) -> AgentAnswer:
    """An answer without a model. It is not stored: quotes would be learned back as memories."""
    asked = _one_line(turn.message).casefold()
    fitting = (
        hit.memory
        for hit in turn.recalled.included
        if SIGNAL not in hit.signals and _one_line(hit.memory.content).casefold() != asked  # asked before
    )
    quotes = [_quote(memory) for memory in islice(fitting, _QUOTES)]
    content = "\n".join([_QUOTING, *quotes]) if quotes else _SILENT
    return turn.answered(content, stored=StoredTurn(message_id=turn.message_id))


def _quote(memory: MemoryRecord) -> str:
    who = _one_line(memory.origin.speaker or memory.origin.role)
    words = _one_line(memory.content)
    short = words if len(words) <= _QUOTE_LENGTH else f"{words[:_QUOTE_LENGTH]}…"
    return f"- {memory.times.happened_at:%Y-%m-%d}, {who}: “{short}”"


def _one_line(text: str) -> str:
    return " ".join(text.split())
