"""``MemoryAugmentedAgent``: a chat whose answers use the memories that a message activates."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from recollect.checks import CORE_SHARE, check_token_counter
from recollect.errors import InvalidInputError, as_given
from recollect.memory.agent import MemoryAgent
from recollect.memory.answers import AgentAnswer, AnswerStream, StoredTurn
from recollect.memory.changes.archive import Tidied
from recollect.memory.chat import ContextOptions
from recollect.models.chat import LanguageModel, Usage
from recollect.models.prompts.chat import INSTRUCTIONS
from recollect.presets.shadow.awareness import MemoryAwareness
from recollect.presets.shadow.chat import Aware, ShadowChat
from recollect.presets.shadow.context import ShadowContext
from recollect.presets.shadow.system import ShadowMemorySystem
from recollect.protocols import TokenCounter
from recollect.text.context_type import ContextType, check_context_type
from recollect.text.tokens import estimate_tokens
from recollect.types import Recollection
from recollect.types.closing import Closing


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResponse:
    """An answer, and what Shadow Memory was aware of for it.

    Attributes:
        content: The words of the answer.
        activated_memories: Those whose score reaches the threshold, best first; made as they are looked at.
        candidate_memories: The best of the others, the same way.
        total_memories: How many memories were scored.
        avg_activation_score: Mean score of the activated ones, 0 to 1; 0 when there are none.
        context: What was compared with them: the message, its topics, entities, kind.
        memory_context: What was said of them to the model.
        core: The memories that stand in it whatever the message is, see ``Memory.core``.
        stored: What is now stored of the turn.
        usage: What the model used; None without a model and for a streamed answer.
        tidied: What was archived after the answer; None unless the configuration has ``lifecycle``.
    """

    content: str
    activated_memories: Sequence[MemoryAwareness]
    candidate_memories: Sequence[MemoryAwareness]
    total_memories: int
    avg_activation_score: float
    context: ShadowContext
    memory_context: str
    core: tuple[Recollection, ...]
    stored: StoredTurn
    usage: Usage | None = None
    tidied: Tidied | None = None


class ResponseStream(Iterator[str], Closing):
    """An answer in pieces, as they come; afterwards ``response`` is the whole.

    Close it, or leave its ``with`` block, to stop early: then the answer is not stored.

    Args:
        pieces: The pieces; returns the response.
        message_id: The message that is answered; it is stored already.
    """

    def __init__(self, pieces: Generator[str, None, AgentResponse], *, message_id: str) -> None:
        self.message_id: Final = message_id
        self._pieces = pieces
        self._response: AgentResponse | None = None

    def __next__(self) -> str:
        try:
            return next(self._pieces)
        except StopIteration as end:
            self._response = end.value or self._response
            raise

    @property
    def response(self) -> AgentResponse:
        """The whole answer.

        Raises:
            InvalidInputError: The stream did not end, or did not end well.
        """
        if self._response is None:
            raise InvalidInputError("there is no answer yet: read the stream to its end")
        return self._response

    def close(self) -> None:
        """Stop listening."""
        self._pieces.close()


class MemoryAugmentedAgent:
    """A conversation with a model that is aware of its memories. One agent is one conversation.

    Memories that go into a prompt count as used, once a day (``Memory.use(how="shown")``).

    Args:
        system: Where it remembers; it is not closed by the agent.
        model: Who answers. Without one, the answers quote activated memories, and say so.
        session_id: The conversation; made anew when None.
        budget_tokens: The most tokens that memories may take in a prompt.
        core_share: The part of them for what must be known whatever is said; see ``Memory.context``.
        candidates: How many memories that were not activated a response names.
        history_turns: How many turns of this conversation go into a prompt, word for word.
        instructions: Who the model is and how it shall answer.
        token_counter: Counts the tokens of a text as the model does.
        context_type: The kind of context that messages are, which chooses the threshold: the design's chat
            activates from 0.3 on. None tells it of each message by its words.

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
        core_share: float = CORE_SHARE,
        candidates: int = 20,
        history_turns: int = 10,
        instructions: str = INSTRUCTIONS,
        token_counter: TokenCounter = estimate_tokens,
        context_type: ContextType | None = "conversation",
    ) -> None:
        if not isinstance(system, ShadowMemorySystem):
            raise InvalidInputError(f"system must be a ShadowMemorySystem, not {as_given(system)}")
        self._system = system
        parts = partial(
            ShadowChat,
            system=system,
            count_tokens=check_token_counter(token_counter),
            context_type=None if context_type is None else check_context_type(context_type),
        )
        self._agent = MemoryAgent(
            system.memory,
            user_id=system.user_id,
            session_id=session_id,
            model=model,
            preset=parts,
            context=ContextOptions(budget_tokens=budget_tokens, core_share=core_share, candidates=candidates),
            history_turns=history_turns,
            instructions=instructions,
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
        return self._finished(self._agent.chat(message))

    def stream(self, message: str) -> ResponseStream:
        """The same in pieces, as they come; see ``MemoryAgent.stream``."""
        pieces = self._agent.stream(message)
        return ResponseStream(self._streamed(pieces), message_id=pieces.message_id)

    def clear_history(self) -> None:
        """Forget the turns kept for the prompt. The memories stay."""
        self._agent.clear_history()

    def _streamed(self, pieces: AnswerStream) -> Generator[str, None, AgentResponse]:
        with pieces:
            yield from pieces
        return self._finished(pieces.answer)

    def _finished(self, answer: AgentAnswer) -> AgentResponse:
        aware = answer.context
        assert isinstance(aware, Aware)  # noqa: S101 - ShadowChat made it
        return AgentResponse(
            content=answer.content,
            activated_memories=aware.active,
            candidate_memories=aware.others,
            total_memories=aware.total,
            avg_activation_score=aware.average_score,
            context=aware.compared,
            memory_context=aware.text,
            core=aware.written.found,
            stored=answer.stored,
            usage=answer.usage,
            tidied=self._system.cleanup_if_due(),
        )
