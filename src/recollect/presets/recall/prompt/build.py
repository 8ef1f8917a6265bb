"""Recall's ``ContextBudgetManager``: a prompt out of six sources, never over its budget.

====  =======================  ==========  ========================================================
rank  source                   pruned      how
====  =======================  ==========  ========================================================
1     blueprint                never
2     boundaries               never
3     augmentations            rarely      the last ones left out, when all below is gone
4     memories                 yes         the least relevant left out
5     history                  yes         first two and last three turns kept, others summed up
6     task state               yes         tools' outputs dropped, observations shortened
====  =======================  ==========  ========================================================

What is injected (the time, the user) and the message that is to be answered are never pruned either.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import Final, Literal, NamedTuple

from recollect.checks import (
    check_all,
    check_content,
    check_share,
    check_text,
    check_timezone,
    check_token_counter,
)
from recollect.context.compose import OVER_BUDGET, compose, lower_words
from recollect.context.core import NO_CORE
from recollect.errors import ContextOverflowError, InvalidInputError, as_given
from recollect.models.chat import ChatMessage, Role
from recollect.presets.recall.prompt.budget import Adaptive, ContextBudget, allot
from recollect.presets.recall.prompt.history import History, HistoryTurn, PrunedHistory, Summarise
from recollect.presets.recall.task_state import PrunedTask, Task, TaskState
from recollect.protocols import TokenCounter
from recollect.text.quoting import indented, visible
from recollect.text.tokens import estimate_tokens
from recollect.types import Context, Core, LeftOut, Recollection

Source = Literal[
    "blueprint", "boundaries", "augmentations", "injected", "memories", "history", "task_state", "message"
]
"""Where a part of a prompt comes from."""

SUMMARY_SHARE: Final = 0.25
"""What a summary may take of the tokens of its history. Chosen by hand."""
_BOUNDARIES: Final = "Boundaries, which hold whatever else is said:\n"
_AUGMENTATIONS: Final = "Instructions:\n"
_IN_HISTORY: Final = "it stands in the history"
_AROUND: Final = 12
"""What chat formats add around the system message and the last one, and lines between the parts."""
_A_MESSAGE: Final = 4
"""What chat formats add to a message."""
_NO_TASK: Final = TaskState()
_BUDGET: Final = ContextBudget()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSources:
    """What a prompt is made of, the most important first.

    Attributes:
        blueprint: The system's personality and rules; never pruned.
        boundaries: Safety filters that are active; never pruned.
        augmentations: Instructions for a role, the most important first; rarely pruned, and then whole.
        injected: The time and the user, see ``recollect.presets.recall.prompt.injection``; never pruned.
        memories: What was recalled, the most relevant first.
        core: What must be known whatever is asked, see ``Memory.core``: it stands before the memories, in a
            quarter of their room at most.
        history: The turns of this conversation, oldest first.
        task_state: What an agent is at.
        message: What is to be answered; never pruned. Empty when the last turn of ``history`` is that.
    """

    blueprint: str
    boundaries: Sequence[str] = ()
    augmentations: Sequence[str] = ()
    injected: str = ""
    memories: Sequence[Recollection] = ()
    core: Core = NO_CORE
    history: Sequence[HistoryTurn] = ()
    task_state: TaskState = _NO_TASK
    message: str = ""

    def __post_init__(self) -> None:
        for name in ("boundaries", "augmentations"):
            texts = getattr(self, name)
            if isinstance(texts, str) or not isinstance(texts, Sequence):
                raise InvalidInputError(f"{name} must be a list of texts, not {type(texts).__name__}")
        check_all("memories", self.memories, kind=Recollection)
        check_all("history", self.history, kind=HistoryTurn)
        if not isinstance(self.core, Core):
            raise InvalidInputError(f"core must be a Core, not {type(self.core).__name__}")
        if not isinstance(self.task_state, TaskState):
            raise InvalidInputError(f"task_state must be a TaskState, not {type(self.task_state).__name__}")
        given = {"blueprint": [self.blueprint], "injected": [self.injected], "message": [self.message]}
        for name, texts in {
            **given,
            "boundaries": self.boundaries,
            "augmentations": self.augmentations,
        }.items():
            for text in texts:
                if not isinstance(text, str):
                    raise InvalidInputError(f"{name} must be text, not {type(text).__name__}")
                check_text(name, text)
        check_content("blueprint", self.blueprint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """Something that is not in a prompt as it was given.

    Attributes:
        source: Whose.
        what: What became of it, in words: "190 turns summed up".
    """

    source: Source
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposedPrompt:
    """A prompt within its budget.

    Attributes:
        text: All of it as one text.
        messages: The same for a chat model: the system message, the turns, the message to answer. In turns
            blank lines and blanks at the ends of lines are left out, as they are in ``text``.
        tokens: What ``text`` and ``messages`` count at the most; never more than ``budget.available``.
        budget: Whose limits it keeps.
        granted: What the adaptive sources were allowed.
        memories: The recalled part: what is in it, and what is not and why.
        pruned: What was shortened or left out, the least important source first; empty when all is whole.
    """

    text: str
    messages: tuple[ChatMessage, ...]
    tokens: int
    budget: ContextBudget
    granted: Adaptive
    memories: Context
    pruned: tuple[Pruned, ...]


class _Parts(NamedTuple):
    """The adaptive sources, as they go into a prompt."""

    memories: Context
    history: PrunedHistory
    task: PrunedTask


class ContextBudgetManager:
    """Recall's: makes prompts that never pass a budget and never lose what must not be lost.

    It keeps nothing between calls; several threads may use one.

    Args:
        budget: How many tokens there are, and for what.
        count_tokens: Counts the tokens of a text as the model does.
        summary_share: How wordy summaries of turns are: what they may take of the history's tokens, 0 to 1.
        summarise: Sums up turns, such as a language model; by default their most telling sentences do.
        terms_of: The terms of a text, by which long memories are cut to what the message asks for.
        timezone: The reader's, for the days of memories.

    Raises:
        InvalidInputError: ``summary_share`` is not 0 to 1, the time zone is unknown, or the budget or the
            counter is none.
    """

    def __init__(
        self,
        budget: ContextBudget = _BUDGET,
        *,
        count_tokens: TokenCounter = estimate_tokens,
        summary_share: float = SUMMARY_SHARE,
        summarise: Summarise | None = None,
        terms_of: Callable[[str], Iterable[str]] = lower_words,
        timezone: str | tzinfo = UTC,
    ) -> None:
        if not isinstance(budget, ContextBudget):
            raise InvalidInputError(f"budget must be a ContextBudget, not {as_given(budget)}")
        self.budget: Final = budget
        self._count = check_token_counter(count_tokens)
        self._share = check_share("summary_share", summary_share)
        self._summarise = summarise
        self._terms_of = terms_of
        self._timezone = check_timezone(timezone)

    def preflight(self, sources: PromptSources) -> int:
        """How many tokens may never be pruned: blueprint, boundaries, what is injected, the message.

        Raises:
            ContextOverflowError: They do not fit; it says which number is too small.
        """
        fixed = self._count(_system(sources, ()))
        if fixed > self.budget.allocations.system_prompt:
            raise ContextOverflowError(
                f"blueprint, boundaries, time and user take {fixed:,} tokens, which may not be left out, and "
                f"of total_tokens, {self.budget.total_tokens:,}, the system_prompt has "
                f"{self.budget.allocations.system_prompt:,}: raise total_tokens, or shorten them"
            )
        return self._least(sources, fixed)

    def _least(self, sources: PromptSources, fixed: int) -> int:
        whole = self._tokens(_text(sources, (), _NOTHING), _messages(sources, (), _NOTHING))
        if whole > self.budget.available:
            raise ContextOverflowError(
                f"blueprint, boundaries and message have {whole:,} tokens ({fixed:,} without the message), "
                f"which may not be left out, and a prompt may have {self.budget.available:,}: raise "
                "total_tokens, or shorten the message"
            )
        return whole

    def compose(self, sources: PromptSources) -> ComposedPrompt:
        """The prompt.

        Raises:
            ContextOverflowError: What may never be pruned does not fit. Nothing was made.
        """
        least = self.preflight(sources)
        room = self.budget.available - least
        history = History(
            sources.history,
            most=room,
            count_tokens=self._count,
            summary_share=self._share,
            summarise=self._summarise,
        )
        task = Task(sources.task_state, count_tokens=self._count)
        while True:
            made = self._made(sources, (history, task), least=least, room=room)
            if made.tokens <= self.budget.available or not room:
                return made
            room //= 2  # a counter whose parts are less than the whole

    def _made(
        self, sources: PromptSources, told: tuple[History, Task], *, least: int, room: int
    ) -> ComposedPrompt:
        history, task = told
        augmentations = self._augmentations(sources.augmentations, room)
        instructed = self._cost_of(augmentations)
        room -= instructed
        given = self.budget.allocations
        promised = Adaptive(given.memories, given.history, given.task_state)
        most = allot(Adaptive(room, history.tokens, task.tokens), room=room, promised=promised).memories
        recalled = self._memories(sources, sources.memories, sources.core, most)
        needs = Adaptive(recalled.tokens, history.tokens, task.tokens)
        granted = allot(needs, room=room, promised=promised)
        left_by_task = granted.task_state - task.within(granted.task_state).tokens
        parts = self._filled(sources, history.within(granted.history + left_by_task), recalled, most)
        recalled_and_said = parts.memories.tokens + parts.history.tokens
        parts = parts._replace(task=task.within(room - recalled_and_said))
        text, messages = _text(sources, augmentations, parts), _messages(sources, augmentations, parts)
        used = least + instructed + recalled_and_said + parts.task.tokens
        return ComposedPrompt(
            text=text,
            messages=messages,
            tokens=used if self._count is estimate_tokens else self._tokens(text, messages),
            budget=self.budget,
            granted=granted,
            memories=parts.memories,
            pruned=tuple(_told(sources, augmentations, parts)),
        )

    def _tokens(self, text: str, messages: Sequence[ChatMessage]) -> int:
        """What a prompt counts as one text or as messages, whichever is more.

        By the estimate neither has more than its parts: no need to count again.
        """
        as_messages = sum(self._count(message.content) + _A_MESSAGE for message in messages)
        return max(self._count(text) + _AROUND, as_messages)

    def _filled(self, sources: PromptSources, turns: PrunedHistory, recalled: Context, most: int) -> _Parts:
        """History and memories, of which none repeats a turn that is there."""
        shown = frozenset(one.turn.id for one in (*turns.first, *turns.last) if one.turn.id)
        repeated = [hit for hit in sources.memories if hit.memory.id in shown]
        core = tuple(one for one in sources.core.memories if one.found.memory.id not in shown)
        if repeated or len(core) < len(sources.core.memories):
            fresh = [hit for hit in sources.memories if hit.memory.id not in shown]
            recalled = self._memories(sources, fresh, replace(sources.core, memories=core), most)
            left_out = (LeftOut(memory=hit.memory, score=hit.score, reason=_IN_HISTORY) for hit in repeated)
            recalled = replace(recalled, left_out=(*recalled.left_out, *left_out))
        return _Parts(recalled, turns, PrunedTask())

    def _memories(
        self, sources: PromptSources, hits: Sequence[Recollection], core: Core, limit: int
    ) -> Context:
        """The most relevant memories that fit; none is passed over for one that is less relevant."""
        asked = frozenset(self._terms_of(sources.message)) if sources.message else frozenset()
        made = self._composed(hits, core, limit, asked)
        dropped = {left.memory.id for left in made.left_out if left.reason == OVER_BUDGET}
        first = next((place for place, hit in enumerate(hits) if hit.memory.id in dropped), len(hits))
        behind = {hit.memory.id for hit in hits[first:]}
        if not any(hit.memory.id in behind for hit in made.included):
            return made
        kept = self._composed(hits[:first], core, limit, asked)
        over = (LeftOut(memory=hit.memory, score=hit.score, reason=OVER_BUDGET) for hit in hits[first:])
        return replace(kept, left_out=(*kept.left_out, *over))

    def _composed(
        self, hits: Sequence[Recollection], core: Core, limit: int, asked: frozenset[str]
    ) -> Context:
        return compose(
            hits,
            budget_tokens=max(limit - 1, 0),
            count_tokens=self._count,
            query_terms=asked,
            terms_of=self._terms_of,
            timezone=self._timezone,
            core=core,
        )

    def _augmentations(self, given: Sequence[str], room: int) -> tuple[str, ...]:
        """As many as fit, whole: half an instruction may say the opposite."""
        kept: list[str] = []
        for text in given:
            if self._cost_of([*kept, text]) > room:
                break
            kept.append(text)
        return tuple(kept)

    def _cost_of(self, augmentations: Sequence[str]) -> int:
        return self._count(_listed(_AUGMENTATIONS, augmentations)) + 1 if augmentations else 0


_NOTHING: Final = _Parts(
    Context(text="", tokens=0, budget_tokens=0, included=(), left_out=()), PrunedHistory(), PrunedTask()
)


def _listed(heading: str, texts: Iterable[str]) -> str:
    lines = ["- " + "\n  ".join(text.strip().splitlines()) + "\n" for text in texts if text.strip()]
    return "".join([heading, *lines]) if lines else ""


def _system(sources: PromptSources, augmentations: Sequence[str]) -> str:
    """The parts that the application writes itself."""
    parts = [
        sources.blueprint.strip() + "\n",
        _listed(_BOUNDARIES, sources.boundaries),
        _listed(_AUGMENTATIONS, augmentations),
        sources.injected.strip() + "\n" if sources.injected.strip() else "",
    ]
    return "\n".join(part for part in parts if part)


def _text(sources: PromptSources, augmentations: Sequence[str], parts: _Parts) -> str:
    memories = f"{parts.memories.text}\n" if parts.memories.text else ""
    message = f"user: {indented(sources.message.strip())}\n" if sources.message.strip() else ""
    system = _system(sources, augmentations)
    return "\n".join(
        part for part in (system, memories, parts.history.text, parts.task.text, message) if part
    )


def _messages(sources: PromptSources, augmentations: Sequence[str], parts: _Parts) -> tuple[ChatMessage, ...]:
    memories = f"{parts.memories.text}\n" if parts.memories.text else ""
    summary = f"<history>\n{parts.history.summary}</history>\n" if parts.history.summary else ""
    system = [_system(sources, augmentations), memories, summary, parts.task.text]
    said = [(one.turn.role, one.words) for one in (*parts.history.first, *parts.history.last)]
    messages = [ChatMessage(role="system", content="\n".join(part for part in system if part).strip())]
    messages += [ChatMessage(role=_role(role), content=words) for role, words in said if words]
    if sources.message.strip():
        messages.append(ChatMessage(role="user", content=visible(sources.message.strip())))
    return tuple(messages)


def _role(role: str) -> Role:
    return "assistant" if role == "assistant" else "user"


def _told(sources: PromptSources, augmentations: Sequence[str], parts: _Parts) -> Iterable[Pruned]:
    """What is missing, in the order in which it is pruned."""
    task, history = parts.task, parts.history
    counts: list[tuple[Source, int, str]] = [
        ("task_state", int(task.cut_plan), "steps of the plan left out"),
        ("task_state", task.shortened, f"{task.shortened} observations shortened"),
        ("task_state", task.left_out, f"{task.left_out} observations left out"),
        (
            "history",
            history.left_out,
            f"{history.left_out} turns {'summed up' if history.summary else 'left out'}",
        ),
        ("history", history.shortened, f"{history.shortened} turns shortened"),
    ]
    over = sum(left.reason == OVER_BUDGET for left in parts.memories.left_out)
    missing = sum(bool(text.strip()) for text in sources.augmentations) - len(augmentations)
    counts += [
        ("memories", over, f"{over} of the least relevant left out"),
        ("augmentations", missing, f"{missing} of the last left out"),
    ]
    return [Pruned(source=source, what=what) for source, count, what in counts if count]
