"""A session of Recall: what is said, what is worked out, the prompt, and what is learned at the end."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from recollect.checks import check_content, check_count, check_name, check_names
from recollect.errors import ClosedError, InvalidInputError
from recollect.learning.admission import AdmissionDecision
from recollect.lifecycle.relationship import Acquaintance
from recollect.presets.recall.entries import EpisodicMemoryEntry, RecalledMemory
from recollect.presets.recall.outcome import Outcome, check_outcome, find_tone, outcome_of
from recollect.presets.recall.prompt.build import ComposedPrompt, PromptSources
from recollect.presets.recall.prompt.history import HistoryTurn
from recollect.presets.recall.rerank import TOP_K
from recollect.presets.recall.semantic import LEVELS
from recollect.presets.recall.short_term import USUAL, ShortTermMemory
from recollect.presets.recall.task_state import Observation, TaskState
from recollect.presets.recall.working import Step
from recollect.text.analyse import Analyser
from recollect.text.tags import extract_tags
from recollect.types import MemoryRecord

if TYPE_CHECKING:
    from recollect.presets.recall.system import RecallSystem

TOPICS: Final = 5
"""Key topics of an episode. Chosen by hand, as many as the engine's episodes have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskReport:
    """What was learned of a task or a session.

    Attributes:
        outcome: How it came out.
        emotional_tone: What the user felt.
        key_topics: What it was about.
        episodes: What was stored of it.
        decisions: What was decided about each of its statements, the latest first.
    """

    outcome: Outcome
    emotional_tone: str
    key_topics: tuple[str, ...]
    episodes: tuple[EpisodicMemoryEntry, ...]
    decisions: tuple[AdmissionDecision, ...]


class RecallSession:
    """A conversation with one user; see ``RecallSystem.start_session``.

    Use it with ``with``: the session ends with the block, and the task at hand as ``INTERRUPTED`` when an
    error leaves it. One thread uses it.

    Args:
        system: Where it remembers.
        user_id: With whom.
        session_id: The conversation.
        timezone: Where the user is.
        name: What the user likes to be called; None looks it up among the facts.
        acquaintance: What lies behind.
        opening: What was retrieved as it began; the first prompt has it after what fits the message.
    """

    def __init__(
        self,
        system: "RecallSystem",
        *,
        user_id: str,
        session_id: str,
        timezone: str,
        name: str | None,
        acquaintance: Acquaintance,
        opening: Sequence[RecalledMemory] = (),
    ) -> None:
        self.user_id: Final = user_id
        self.session_id: Final = session_id
        self.acquaintance: Final = acquaintance
        self.opening: Final = tuple(opening)
        self.short_term: Final = ShortTermMemory(count_tokens=system.count_tokens)
        self._system = system
        self._timezone = timezone
        self._name = name
        self._plan: tuple[str, ...] = ()
        self._observations: list[Observation] = []
        self._said: list[tuple[str, str, str]] = []
        self._ended = False

    def __enter__(self) -> Self:
        self._check_open()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if not self._ended:
            self.end(outcome="INTERRUPTED" if kind is not None else None)

    @property
    def task_state(self) -> TaskState:
        """The plan, and what was observed so far."""
        return TaskState(plan=self._plan, observations=tuple(self._observations))

    def say(
        self, content: str, *, role: str = "user", speaker: str | None = None, importance: int = USUAL
    ) -> str:
        """Store what was said, and keep it in the short-term memory; returns its id.

        What an assistant says in more than 500 tokens is kept in parts as well, see ``RecallSystem.parent``.

        Args:
            content: The words.
            role: Who said it: ``user``, ``assistant``, …
            speaker: By name.
            importance: 1 to 5: how long it stays in the window.

        Raises:
            InvalidInputError: It cannot be stored.
            ClosedError: The session has ended.
        """
        self._check_open()
        check_count("importance", importance, most=LEVELS)
        message = {"role": role, "content": content, **({"name": speaker} if speaker else {})}
        (result,) = self._system.memory.add(message, user_id=self.user_id, session_id=self.session_id)
        if result.id is None:
            raise InvalidInputError(f"it was not stored: {result.reason}")
        stored = self._system.memory.get(result.id, user_id=self.user_id)
        self._keep(stored, speaker=speaker, importance=importance)
        if stored.origin.role == "assistant":
            self._system.keep_parts(stored)
        return stored.id

    def _keep(self, record: MemoryRecord, *, speaker: str | None, importance: int) -> None:
        turn = HistoryTurn(content=record.content, role=record.origin.role, speaker=speaker, id=record.id)
        self.short_term.add(turn, importance=importance)
        self._said.append((record.id, record.origin.role, record.content))

    def resume(self, records: Sequence[MemoryRecord], *, completed: Collection[str]) -> None:
        """Take in what was said in this conversation before.

        Args:
            records: Its messages, oldest first.
            completed: Ids of messages whose task was completed; those before them belong to it, too.
        """
        for record in records:
            self._keep(record, speaker=record.origin.speaker, importance=USUAL)
        last = max((place for place, record in enumerate(records, 1) if record.id in completed), default=0)
        del self._said[:last]

    def plan(self, steps: Sequence[str]) -> None:
        """Set the plan of the task at hand."""
        self._check_open()
        self._plan = check_names("steps", steps)

    def step(self, name: str) -> Step:
        """A step of the task: a ``with`` block whose variables are gone at its end.

        What it observes stays in the task state.
        """
        self._check_open()
        return Step(check_name("step", name) or "", observed=self._observations.append)

    def compose(
        self,
        message: str,
        *,
        blueprint: str,
        boundaries: Sequence[str] = (),
        augmentations: Sequence[str] = (),
        limit: int = TOP_K,
        words: bool = False,
    ) -> ComposedPrompt:
        """The prompt for the answer to a message: memories, turns and task state within the budget.

        Nothing is stored; ``say`` the message and the answer.

        Args:
            message: What the user says now.
            blueprint: The system's personality and rules.
            boundaries: Safety filters that are active.
            augmentations: Instructions for a role.
            limit: How many memories at most.
            words: Whether turns of earlier sessions count, too, see ``RecallSystem.retrieve_memories``.

        Raises:
            ContextOverflowError: What may not be left out does not fit.
            InvalidInputError: The message is blank, or holds what may not be stored.
            ClosedError: The session has ended.
        """
        self._check_open()
        screened = self._system.memory.maintenance.screen(check_content("message", message))
        if screened.refused:
            raise InvalidInputError(f"the message cannot be used: {screened.refused}")
        shown = screened.text
        found = self._system.retrieve_memories(shown, self.user_id, limit, words=words)
        self._refresh()
        begun = () if self.short_term.turns else self._still_there(self.opening)
        known = {one.recollection.memory.id for one in found}
        found += [one for one in begun if one.recollection.memory.id not in known]
        return self._system.manager(self._timezone).compose(
            PromptSources(
                blueprint=blueprint,
                boundaries=boundaries,
                augmentations=augmentations,
                injected=self.injection(),
                memories=[one.recollection for one in found],
                core=self._system.memory.core(shown, user_id=self.user_id),
                history=self.short_term.turns,
                task_state=self.task_state,
                message=shown,
            )
        )

    def _refresh(self) -> None:
        """Drop what was deleted from the turns kept here, and take over what was changed."""
        ids = [*(one.id for one in self.short_term.turns if one.id), *(one[0] for one in self._said)]
        words = {one.id: one.content for one in self._live(ids)}
        self.short_term.refresh(words)
        self._said = [(one, role, words[one]) for one, role, _ in self._said if one in words]

    def _still_there(self, some: Sequence[RecalledMemory]) -> list[RecalledMemory]:
        words = {(one.id, one.content) for one in self._live([one.recollection.memory.id for one in some])}
        memories = [(one, one.recollection.memory) for one in some]
        return [one for one, memory in memories if (memory.id, memory.content) in words]

    def _live(self, ids: Sequence[str]) -> list[MemoryRecord]:
        parts = self._system.memory.parts
        return [one for one in parts.store.get(parts.scope(self.user_id), ids) if one is not None]

    def injection(self) -> str:
        """What every prompt says of the time and the user."""
        return self._system.injection(
            self.user_id, acquaintance=self.acquaintance, timezone=self._timezone, name=self._name
        )

    def complete_task(
        self,
        outcome: Outcome | None = None,
        *,
        emotional_tone: str | None = None,
        key_topics: Sequence[str] | None = None,
    ) -> TaskReport:
        """Learn from what was said since the last task: facts, and what happened as an episode.

        It is available to the next question when this returns. The task state is cleared. What is given
        holds for the episodes of this task alone; earlier ones keep theirs. When nothing was said since the
        last task, nothing is learned, and what is given is only reported.

        Args:
            outcome: How it came out; by default told from the last turns, see ``learning.outcome``.
            emotional_tone: What the user felt; by default found in the words.
            key_topics: What it was about; by default its tags.

        Raises:
            InvalidInputError: The outcome is unknown.
            ClosedError: The session has ended.
        """
        self._check_open()
        self._refresh()
        told = [(role, words) for _, role, words in self._said]
        came_out = outcome_of(told) if outcome is None else check_outcome(outcome)
        own_words = [words for role, words in told if role == "user"]
        tone = check_name("emotional_tone", emotional_tone) or find_tone(own_words)
        topics = self._topics(own_words) if key_topics is None else check_names("key_topics", key_topics)
        report = self._system.learn(
            self.user_id,
            self.session_id,
            sources=[memory_id for memory_id, _, _ in self._said],
            told={"outcome": came_out, "emotional_tone": tone, "key_topics": list(topics)},
        )
        self._plan, self._observations = (), []
        self._said.clear()
        return TaskReport(
            outcome=came_out,
            emotional_tone=tone,
            key_topics=tuple(topics),
            episodes=report[0],
            decisions=report[1],
        )

    def end(
        self,
        outcome: Outcome | None = None,
        *,
        emotional_tone: str | None = None,
        key_topics: Sequence[str] | None = None,
    ) -> TaskReport:
        """Complete the last task, and forget the short-term memory; see ``complete_task``."""
        report = self.complete_task(outcome, emotional_tone=emotional_tone, key_topics=key_topics)
        self.short_term.clear()
        self._ended = True
        return report

    def _topics(self, texts: Sequence[str]) -> list[str]:
        analyser = Analyser(self._system.language)
        return [tag.text for tag in extract_tags("\n".join(texts), analyser=analyser, max_tags=TOPICS)]

    def _check_open(self) -> None:
        if self._ended:
            raise ClosedError(f"the session {self.session_id!r} has ended; start a new one")
