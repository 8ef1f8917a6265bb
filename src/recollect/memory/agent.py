"""A chat agent that remembers: memories go into the prompt, messages into the memory.

A turn goes this way: recall, store the user's message, ask the model, store the answer. Recall comes
before storing because a message would otherwise be a neighbour of its own answers and raise their scores.
Only the plain message and the plain answer are stored, never what was recalled for them. How it recalls,
writes the prompt and learns is up to the preset, see ``recollect.memory.chat``.
"""

import logging
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice, pairwise
from typing import Final

from recollect.checks import check_bool, check_content, check_count, check_text
from recollect.documents.citing import Citation
from recollect.errors import (
    InvalidInputError,
    ModelAnswerError,
    ModelError,
    NotFoundError,
    RecollectError,
    as_given,
)
from recollect.ingest.conversations import thread_of
from recollect.memory.answers import (
    AgentAnswer,
    AnswerStream,
    Recalled,
    Stored,
    StoredTurn,
    source_to_dict,
)
from recollect.memory.changes.archive import Tidied
from recollect.memory.chat import CONTEXT, ChatSetup, ContextOptions, DefaultChat, Preset
from recollect.memory.memory import Memory
from recollect.models.chat import ChatMessage, LanguageModel, Role, Usage
from recollect.models.prompts.chat import INSTRUCTIONS, PROMPT_ID
from recollect.retrieval.core import SIGNAL
from recollect.text.quoting import noted, visible
from recollect.types import JSON, AddResult, MemoryRecord, Recollection
from recollect.types.clock import utc_now
from recollect.types.guesses import corrects_guesses
from recollect.types.ids import new_id

__all__ = ["AgentAnswer", "AnswerStream", "ContextOptions", "MemoryAgent", "StoredTurn"]

_MOST_TURNS: Final = 1_000
"""Turns a prompt may repeat. Chosen by hand."""
_QUOTES: Final = 3
"""Memories quoted when there is no model. Chosen by hand."""
_QUOTE_LENGTH: Final = 300
"""Characters of a memory quoted when there is no model. Chosen by hand."""
_QUOTING: Final = "Without a language model I can only quote what I remember:"
_KEEPING: Final = "What I keep in mind with every question:"
_SILENT: Final = "Without a language model I can only quote what I remember, and nothing I remember fits."
_DAY_S: Final = 86_400.0
_TIDIED_AT_ONCE: Final = 1_000
"""Memories archived after one turn at most: half a second. Chosen by hand."""
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """A turn whose message is stored, and which has no answer yet."""

    message: str
    recalled: Recalled
    before: Sequence[MemoryRecord]
    stored: Stored


@corrects_guesses
class MemoryAgent:
    """A conversation with a model that remembers.

    One agent is one conversation: for several at once make several, over one ``Memory``. A new agent with the
    id of an earlier session resumes it: the last turns of the session go into its prompts.

    Args:
        memory: Where it remembers. It is not closed by the agent.
        user_id: With whom it talks.
        session_id: The conversation its turns belong to; a new one when None. Recall is over all sessions of
            the user.
        agent_id: Which agent it is, if you have several; then it recalls only that agent's memories.
        model: Who answers. Without one, the answers quote memories.
        preset: How it recalls, writes its prompt and learns: such as ``open_preset("shadow")`` of
            ``recollect.presets``. By default what ``Memory.context`` finds.
        context: How much of a prompt memories may take, and which.
        history_turns: How many turns of this conversation go into a prompt, word for word; at least 0.
        instructions: Who the model is and how it shall answer.
        lifecycle: Whether a turn runs the lifecycle: what went into the prompt counts as used, where the
            preset counts that, and memories are archived by the preset's policy, once a day.
            ``AgentAnswer.tidied`` says which, and ``memory.lifecycle.untidy`` brings them back. By default a
            turn changes no memory.

    Attributes:
        session_id: The conversation.
        preset: The preset's name.

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
        preset: Preset = DefaultChat,
        context: ContextOptions = CONTEXT,
        history_turns: int = 10,
        instructions: str = INSTRUCTIONS,
        lifecycle: bool = False,
    ) -> None:
        if history_turns != 0:
            check_count("history_turns", history_turns, most=_MOST_TURNS)
        check_text("instructions", instructions)
        if model is not None and not isinstance(model, LanguageModel):
            raise InvalidInputError(
                f"model must be a LanguageModel such as OpenAIModel(...), not {as_given(model)}"
            )
        if not callable(preset):
            raise InvalidInputError(
                f"preset must be one such as recollect.presets.open_preset('shadow'), not {as_given(preset)}"
            )
        if not isinstance(context, ContextOptions):
            raise InvalidInputError(f"context must be ContextOptions, not {as_given(context)}")
        self._memory, self._model = memory, model
        self._user_id, self._agent_id = user_id, agent_id
        self.session_id = new_id() if session_id is None else session_id
        self._candidates, self._project = context.candidates, context.project
        self._turns = history_turns
        self._lifecycle = check_bool("lifecycle", lifecycle)
        self._cleared_to = -1
        self._parts = preset(
            ChatSetup(
                memory=memory,
                user_id=user_id,
                session_id=self.session_id,
                agent_id=agent_id,
                context=context,
                instructions=instructions,
                lifecycle=lifecycle,
            )
        )
        self.preset: Final = self._parts.name

    def chat(self, message: str, *, speaker: str | None = None) -> AgentAnswer:
        """The answer to a message; both are stored.

        Args:
            message: What the user says.
            speaker: The name of who says it, where several people share the memory.

        Raises:
            InvalidInputError: The message is blank or cannot be stored; nothing was stored.
            ModelError: The model gave no answer (see its subclasses). The message is stored. Questions about
                the memory itself are answered without one.
            StoreError: The store failed.
        """
        turn = self._begun(message, speaker)
        if self._model is None:
            return self._quoted(turn)
        try:
            completion = self._model.complete(self._prompt(turn))
        except ModelError as error:
            return self._without_model(turn, error)
        return self._finished(turn, completion.text, by=self._model, usage=completion.usage)

    def stream(self, message: str, *, speaker: str | None = None) -> AnswerStream:
        """The same in pieces, as they come.

        The message is stored when this returns, the answer when the last piece was read. When the model fails
        in the middle, its words so far are stored and marked ``cut_off``. An answer that nobody reads to its
        end is not stored.

        Args:
            message: What the user says.
            speaker: The name of who says it, where several people share the memory.

        Raises:
            InvalidInputError: As in ``chat``.
            ModelError: As in ``chat``; raised while iterating.
            StoreError: As in ``chat``.
        """
        turn = self._begun(message, speaker)
        pieces = self._quotes(turn) if self._model is None else self._streamed(turn, by=self._model)
        return AnswerStream(pieces, stored=turn.stored)

    def feedback(self, memory_id: str, *, useful: bool, message: str) -> None:
        """Say whether a memory helped with a message; the preset learns from it.

        Args:
            memory_id: A memory that an answer used or considered.
            useful: Whether it helped.
            message: The message that was answered.

        Raises:
            NotFoundError: There is no memory with this id.
            InvalidInputError: An argument cannot be used.
        """
        check_bool("useful", useful)
        self._parts.feedback(memory_id, useful=useful, message=check_content("message", message))

    def clear_history(self) -> None:
        """Forget the turns kept for the prompt. The memories stay."""
        said = self._said(most=1)
        self._cleared_to = said[-1].origin.turn if said else self._cleared_to

    def _begun(self, message: str, speaker: str | None) -> _Turn:
        """Recall what fits a message, and store it: even when recalling fails.

        What may not be stored is refused first: no embedder and no model sees it.
        """
        words = check_content("message", message)
        screened = self._memory.maintenance.screen(words)
        if screened.refused:
            raise InvalidInputError(f"the message was refused: {screened.refused}")
        before = self._history()
        try:
            recalled = self._parts.recall(screened.text, repeated=[one.id for one in before])
        finally:
            message_id = self._stored_message(words, speaker)
        stored = Stored(StoredTurn(message_id=message_id))
        return _Turn(message=screened.text, recalled=recalled, before=before, stored=stored)

    def _history(self) -> list[MemoryRecord]:
        """The last turns of the session that have an answer: the user's message, then the answer."""
        said = self._said(most=2 * self._turns) if self._turns else []
        kept: list[MemoryRecord] = []
        for one, following in pairwise(said):
            if (one.origin.role, following.origin.role) == ("user", "assistant"):
                kept += (one, following)
        return kept

    def _said(self, *, most: int) -> list[MemoryRecord]:
        """The last messages of the session since the history was cleared, oldest first."""
        scope = self._memory.parts.scope(self._user_id, self._agent_id, self.session_id)
        last = self._memory.get_all(
            user_id=self._user_id,
            kinds=["message"],
            filters={"thread": thread_of(scope), "turn": {"gt": self._cleared_to}},  # stores index threads
            limit=most,
            newest_first=True,
        )
        return sorted(last, key=lambda one: one.origin.turn)

    def _stored_message(self, message: str, speaker: str | None) -> str:
        (result,) = self._memory.add(
            {"role": "user", "content": message, "name": speaker},
            user_id=self._user_id,
            agent_id=self._agent_id,
            session_id=self.session_id,
            metadata=self._placed({}),
        )
        if result.id is None:
            raise InvalidInputError(f"the message was refused: {result.reason}")
        return result.id

    def _prompt(self, turn: _Turn) -> list[ChatMessage]:
        """What the model is asked: who it is and what it remembers, the turns before, the message."""
        system = self._parts.compose(turn.recalled, now=self._said_at(turn))
        roles: tuple[Role, Role] = ("user", "assistant")
        before = [
            ChatMessage(role=roles[place % 2], content=visible(one.content))
            for place, one in enumerate(turn.before)
        ]
        message = ChatMessage(role="user", content=visible(turn.message))
        return [ChatMessage(role="system", content=system), *before, message]

    def _said_at(self, turn: _Turn) -> datetime:
        """When the message was said, by the memory's clock; now if it was deleted meanwhile."""
        try:
            message_id = turn.stored.turn.message_id
            return self._memory.get(message_id, user_id=self._user_id).times.happened_at
        except NotFoundError:
            return utc_now()

    def _streamed(self, turn: _Turn, *, by: LanguageModel) -> Generator[str, None, AgentAnswer]:
        said: list[str] = []
        pieces = by.stream(self._prompt(turn))
        try:
            for piece in pieces:
                said.append(piece)
                yield piece
        except Exception as error:
            if "".join(said).strip():
                self._store_answer(turn, "".join(said), by=by, cut_off=True)
                raise
            answer = self._without_model(turn, error)
            yield answer.content
            return answer
        finally:
            if isinstance(pieces, Generator):
                pieces.close()  # lets go of the connection at once
        return self._finished(turn, "".join(said), by=by)

    def _without_model(self, turn: _Turn, error: Exception) -> AgentAnswer:
        """What memory says of itself needs no model: it answers where one cannot be reached.

        Raises:
            ModelError: The message asks for something else, or the model was reached.
        """
        if turn.recalled.answer and isinstance(error, ModelError) and not isinstance(error, ModelAnswerError):
            _LOG.warning("the memory answered without a model: %s", error)
            return self._quoted(turn)
        raise error

    def _quotes(self, turn: _Turn) -> Generator[str, None, AgentAnswer]:
        answer = self._quoted(turn)
        yield answer.content
        return answer

    def _quoted(self, turn: _Turn) -> AgentAnswer:
        """An answer without a model. It is not stored: quotes would be learned back as memories."""
        return self._answered(turn, _quoting(turn))

    def _finished(
        self, turn: _Turn, text: str, *, by: LanguageModel, usage: Usage | None = None
    ) -> AgentAnswer:
        """Store an answer."""
        if not text.strip():
            raise ModelAnswerError(f"{by.name} gave an empty answer")
        self._store_answer(turn, text, by=by)
        return replace(self._answered(turn, text), usage=usage, model=by.name)

    def _answered(self, turn: _Turn, content: str) -> AgentAnswer:
        """The answer, with what it was made of; the preset learns from the turn."""
        self._parts.learn(turn.recalled)
        return AgentAnswer(
            content=content,
            activated=turn.recalled.included,
            candidates=turn.recalled.left_out[: self._candidates],
            context=turn.recalled,
            stored=turn.stored.turn,
            preset=self.preset,
            session_id=self.session_id,
            tidied=self._tidied() if self._lifecycle else None,
        )

    def _tidied(self) -> Tidied:
        """Archive by the preset's policy. The answer is there already: a failure is only logged."""
        try:
            return self._memory.lifecycle.tidy(
                user_id=self._user_id,
                policy=replace(self._parts.policy, delete_after_days=None),
                not_within_s=_DAY_S,
                most=_TIDIED_AT_ONCE,
            )
        except RecollectError as error:
            _LOG.warning("memories were not tidied: %s", error)
            return Tidied(archived={}, deleted=0)

    def _store_answer(self, turn: _Turn, text: str, *, by: LanguageModel, cut_off: bool = False) -> None:
        """Store an answer; one that cannot be stored is refused, and still an answer."""
        about: dict[str, JSON] = {"model": by.name, "prompt_id": PROMPT_ID}
        if turn.recalled.sources:
            about["sources"] = [_kept_source(one) for one in turn.recalled.sources]
        if cut_off:
            about["cut_off"] = True
        result = self._added(text, about)
        turn.stored.turn = replace(turn.stored.turn, answer_id=result.id, reason=result.reason)

    def _added(self, text: str, about: dict[str, JSON]) -> AddResult:
        (result,) = self._memory.add(
            [{"role": "assistant", "content": text}],
            user_id=self._user_id,
            agent_id=self._agent_id,
            session_id=self.session_id,
            metadata=self._placed(about),
        )
        return result

    def _placed(self, about: dict[str, JSON]) -> dict[str, JSON]:
        """Metadata with the project that the conversation belongs to."""
        return about if self._project is None else {**about, "project": self._project}


def _kept_source(source: Citation) -> dict[str, JSON]:
    """A source as it is stored with an answer: without words, which are deleted with the document."""
    return {name: value for name, value in source_to_dict(source).items() if name != "snippet"}


def _quoting(turn: _Turn) -> str:
    """What memory says of itself, where that is asked for; else the memories that fit best, quoted.

    Then comes what matters always. Questions asked before answer nothing.
    """
    if turn.recalled.answer:
        return turn.recalled.answer
    recalled = turn.recalled.included
    found = (hit for hit in recalled if SIGNAL not in hit.signals and not _is_question(hit.memory))
    fitting = list(islice(found, _QUOTES))
    kept = (hit for hit in recalled if SIGNAL in hit.signals)
    core = list(islice(kept, _QUOTES - len(fitting)))
    lines = [_QUOTING if fitting else _SILENT, *map(_quote, fitting)]
    return "\n".join([*lines, _KEEPING, *map(_quote, core)] if core else lines)


def _is_question(memory: MemoryRecord) -> bool:
    return memory.origin.role == "user" and memory.content.rstrip().endswith("?")


def _quote(hit: Recollection) -> str:
    memory = hit.memory
    said = memory.origin.speaker or memory.origin.role if memory.kind == "message" else memory.kind
    who = _one_line(memory.citation or said)
    words = _one_line(memory.content)
    short = words if len(words) <= _QUOTE_LENGTH else f"{words[:_QUOTE_LENGTH]}…"
    return noted(f"- {memory.times.happened_at:%Y-%m-%d}, {who}: “{short}”", hit.notes())


def _one_line(text: str) -> str:
    return " ".join(text.split())
