"""``MemoryAugmentedAgent``: a chat whose answers use the memories that a message activates."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from recollect.checks import CORE_SHARE, check_count, check_share, check_token_counter
from recollect.context.core import NO_CORE, TOKENS_PER_LINE, WrittenCore, core_within
from recollect.context.excerpts import Excerpts
from recollect.errors import InvalidInputError, as_given
from recollect.memory.agent import AgentAnswer, AnswerStream, MemoryAgent, StoredTurn
from recollect.models.chat import LanguageModel, Usage
from recollect.models.prompts.chat import INSTRUCTIONS
from recollect.presets.shadow.awareness import Awareness, MemoryAwareness
from recollect.presets.shadow.prompt import MemoryLine, format_memory_context, memory_line
from recollect.presets.shadow.system import Context, ShadowMemorySystem
from recollect.protocols import TokenCounter
from recollect.text.context_type import ContextType, check_context_type
from recollect.text.tokens import estimate_tokens
from recollect.types import SUMMARY_CHARACTERS, MemoryRecord, Recollection, Within
from recollect.types import Context as PromptContext
from recollect.types.closing import Closing

POTENTIALLY: Final = 3
"""Candidates that a prompt names as potentially relevant. Chosen by hand."""
NEAR: Final = 0.5
"""The share of the weakest activated score that such a candidate must have. Chosen by hand."""
LONGEST_SHARE: Final = 4
"""A memory longer than a fourth of the budget goes into a prompt as its summary."""
_LONGEST_TOKEN: Final = 5
"""Characters. Prose has fewer to a token: what is longer than that is too long, and is not counted."""
_READ_FIRST: Final = 20
"""Memories read for a prompt before it is known how long they are. Chosen by hand."""
_TOKENS_PER_LINE: Final = 25
"""A short turn with its score: of a small budget no more are read first than have room. Chosen by hand."""
_SHORTEST_LINE: Final = 9
"""One word with its score: a prompt has no more lines than have room if all are as short."""
_FEWEST: Final = 10
_SPARE: Final = 8
"""An eighth of those read is read more than seems to fit, so that two looks mostly do. Chosen by hand."""
_SEEN_FIRST: Final = 5_000
"""The best memories that are looked at: of 100,000 they are found in three quarters of the time of all.
All are when so many are activated; no more of them are read for a prompt."""


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
    """

    content: str
    activated_memories: Sequence[MemoryAwareness]
    candidate_memories: Sequence[MemoryAwareness]
    total_memories: int
    avg_activation_score: float
    context: Context
    memory_context: str
    core: tuple[Recollection, ...]
    stored: StoredTurn
    usage: Usage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Aware(PromptContext):
    """A prompt's context, with what it was made of.

    Attributes:
        context: What memories were compared with.
        activated: Those that are activated.
        others: The best of the others.
        shown: The activated ones that are in the text.
        total: How many were scored.
        core: What stands in the text whatever the message is.
    """

    context: Context
    activated: Awareness
    others: Awareness
    shown: Awareness
    total: int
    core: tuple[Recollection, ...]


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
        self._budget = check_count("budget_tokens", budget_tokens, most=10_000_000)
        self._core_share = check_share("core_share", core_share)
        self._candidates = check_count("candidates", candidates, most=10_000)
        self._count = check_token_counter(token_counter)
        self._type = None if context_type is None else check_context_type(context_type)
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
        assert isinstance(aware, _Aware)  # noqa: S101 - _recall made it
        self._system.track_access(aware.shown)
        self._system.cleanup_if_due()
        return AgentResponse(
            content=answer.content,
            activated_memories=aware.activated,
            candidate_memories=aware.others,
            total_memories=aware.total,
            avg_activation_score=float(aware.activated.scores.mean()) if len(aware.activated) else 0.0,
            context=aware.context,
            memory_context=aware.text,
            core=aware.core,
            stored=answer.stored,
            usage=answer.usage,
        )

    def _recall(self, message: str, repeated: Sequence[str]) -> PromptContext:
        """What a message activates, but for the turns that its prompt repeats anyway."""
        context = self._system.build_context(message, type=self._type)
        wanted = self._candidates + len(repeated)
        seen = self._system.get_all_candidate_memories(context, top_k=_SEEN_FIRST)
        if seen.is_short_of(wanted):
            seen = self._system.get_all_candidate_memories(context)
        activated = self._system.activated_in(seen).without(repeated)
        others = seen.rest(self._candidates, without=repeated)
        core = self._core(message, context, repeated)
        return self._formatted(context, activated, others, core=core, total=seen.total)

    def _core(self, message: str, context: Context, repeated: Sequence[str]) -> WrittenCore:
        """What must be known whatever the message is."""
        memory, most = self._system.memory, int(self._budget * self._core_share) // TOKENS_PER_LINE
        core = NO_CORE
        if self._core_share:
            core = memory.core(
                message,
                user_id=self._system.user_id,
                within=Within(exclude_ids=repeated),
                embedding=context.embedding,
                limit=min(max(most, 1), 1_000),
            )
        return core_within(
            core,
            budget_tokens=self._budget,
            core_share=self._core_share,
            count_tokens=self._count,
            excerpts=Excerpts(frozenset(), terms_of=str.split, count_tokens=self._count),
        )

    def _formatted(
        self, context: Context, activated: Awareness, others: Awareness, *, core: WrittenCore, total: int
    ) -> PromptContext:
        """The core, the activated memories, which are read now, and the candidates that come near them."""
        fresh = activated.first(_SEEN_FIRST).without([hit.memory.id for hit in core.found])
        places, lines = self._read(fresh)
        least = NEAR * float(activated.scores.min(initial=1.0))
        near = [one for one in others[:POTENTIALLY] if one.summary and one.activation_score >= least]
        made = format_memory_context(
            lines,
            [self._line(one.activation_score, one.summary) for one in near],
            budget_tokens=self._budget,
            count_tokens=self._count,
            core=core.text,
        )
        shown = fresh.chosen([places[line] for line in made.activated])
        return _Aware(
            text=made.text,
            tokens=made.tokens,
            budget_tokens=self._budget,
            included=shown.unread(self._records),
            left_out=core.left_out,
            core_left_out=core.left_out_count,
            context=context,
            activated=activated,
            others=others,
            shown=shown,
            total=total,
            core=core.found,
        )

    def _read(self, active: Awareness) -> tuple[list[int], list[MemoryLine]]:
        """Lines of the first of some memories, each text once, and whose: as many as fill a prompt."""
        read: dict[str, tuple[int, MemoryLine]] = {}
        used = looked_at = 0
        most = max(self._budget // _SHORTEST_LINE, _FEWEST)
        wanted = min(_READ_FIRST, max(self._budget // _TOKENS_PER_LINE, _FEWEST))
        while wanted > 0 and looked_at < len(active):
            some = active.first(wanted + looked_at // _SPARE, after=looked_at)
            for place, (score, words) in enumerate(zip(some.scores.tolist(), self._words(some), strict=True)):
                if words is not None and words not in read:
                    read[words] = looked_at + place, self._line(score, words)
                    used += read[words][1].tokens
            looked_at += len(some)
            room = min((self._budget - used) / max(used, 1), (most - len(read)) / max(len(read), 1))
            wanted = int(room * looked_at)
        return [place for place, _ in read.values()], [line for _, line in read.values()]

    def _words(self, some: Awareness) -> Sequence[str | None]:
        """What a prompt says of memories, whole or in short; None of one that was deleted meanwhile."""
        longest = self._budget // LONGEST_SHARE
        words = list(some.texts(whole_up_to=longest * _LONGEST_TOKEN))
        too_long = [place for place, text in enumerate(words) if text and self._is_longer(text, longest)]
        if too_long:
            for place, summary in zip(too_long, some.chosen(too_long).texts(whole_up_to=0), strict=True):
                words[place] = summary
        return words

    def _is_longer(self, text: str, tokens: int) -> bool:
        return len(text) > SUMMARY_CHARACTERS and self._count(text) > tokens

    def _records(self, ids: Sequence[str]) -> Sequence[MemoryRecord]:
        return self._system.memory.get_all(user_id=self._system.user_id, filters={"id": {"in": list(ids)}})

    def _line(self, score: float, words: str) -> MemoryLine:
        return memory_line(score, words, count_tokens=self._count)
