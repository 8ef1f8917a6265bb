"""``RecallSystem``: Recall's memory of many users, each apart from the others."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from os import PathLike
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_content, check_id, check_scope, check_timezone
from recollect.errors import InvalidInputError, NotFoundError, as_given
from recollect.learning.admission import Admission, AdmissionDecision, AdmissionPolicy, Learning
from recollect.lifecycle.archival import ARCHIVED
from recollect.lifecycle.relationship import Acquaintance
from recollect.memory.memory import Memory
from recollect.models.routing import ModelRouter
from recollect.presets.recall.entries import (
    STORY,
    TURN,
    Entry,
    EpisodicMemoryEntry,
    RecalledMemory,
    SemanticMemoryEntry,
    episodic_entry,
    joined,
    parts_of,
    semantic_entry,
    words_entry,
)
from recollect.presets.recall.prompt.budget import ContextBudget
from recollect.presets.recall.prompt.build import SUMMARY_SHARE, ContextBudgetManager
from recollect.presets.recall.prompt.history import Summarise
from recollect.presets.recall.prompt.injection import time_lines, user_lines
from recollect.presets.recall.rerank import (
    SIMILARITY_THRESHOLD,
    TOP_K,
    RecallScoring,
    faded_importance,
    similarity_calibration,
)
from recollect.presets.recall.semantic import SemanticCategory, check_semantic_category, importance_of_level
from recollect.presets.recall.session import RecallSession
from recollect.protocols import Clock, Embedder, Store, TokenCounter
from recollect.retrieval.scoring import Retrieval
from recollect.text.analyse import Analyser
from recollect.text.chunks import MAX_TOKENS
from recollect.text.pii import PiiPolicy
from recollect.text.tokens import estimate_tokens
from recollect.types import JSON, TIERS, Kind, MemoryRecord, Within
from recollect.types.clock import utc_now
from recollect.types.closing import Closing
from recollect.types.ids import new_id

SEMANTIC: Final[Kind] = "fact"
EPISODIC: Final[Kind] = "episode"
STORIES: Final[Kind] = "document"
"""The kinds of memory that Recall retrieves; messages are the words they were learned from."""
PII: Final = PiiPolicy(
    default="keep",
    secret="mask",  # noqa: S106 - an action
    card="mask",
    iban="mask",
    national_id="mask",
)
"""What should not be stored: what money, an account or an identity can be stolen with. A companion
may know a telephone number and an address."""
_LOOKS, _LOOK_S = 200, 0.02
"""How often and how long a session that ends waits for another worker that learns from it. Chosen by hand."""
_BUDGET: Final = ContextBudget()
_ADMISSION: Final = AdmissionPolicy()
_NAMED: Final = {"relation": "is named", "subject": "User"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallConfig:
    """How Recall makes prompts and retrieves memories.

    Attributes:
        budget: How many tokens a prompt may have, and for what.
        summary_share: How wordy summaries of turns are, see ``ContextBudgetManager``.
        summarise: Sums up turns, such as a language model.
        threshold: The least similarity of a memory that is retrieved, 0 to 1, calibrated.
        calibrate: Whether similarities are mapped so that the threshold means what the design says it does.
    """

    budget: ContextBudget = _BUDGET
    summary_share: float = SUMMARY_SHARE
    summarise: Summarise | None = None
    threshold: float = SIMILARITY_THRESHOLD
    calibrate: bool = True


_CONFIG: Final = RecallConfig()


class RecallSystem(Closing):
    """Recall; ``memory`` is the engine under it, with everything else it can do.

    Args:
        store: As for ``Memory``; so are the following but those named here, and the errors.
        config: How prompts are made and memories retrieved.
        admission: What may become a fact.
        pii: What to do with personal data, passwords and keys in anything that is stored.
    """

    def __init__(
        self,
        store: str | PathLike[str] | Store = "recall.db",
        *,
        config: RecallConfig = _CONFIG,
        admission: AdmissionPolicy = _ADMISSION,
        pii: PiiPolicy | None = PII,
        embedder: str | Embedder = "static",
        language: str = "en",
        token_counter: TokenCounter = estimate_tokens,
        models: ModelRouter | None = None,
        clock: Clock = utc_now,
    ) -> None:
        _check(config)
        if not isinstance(admission, AdmissionPolicy):
            raise InvalidInputError(f"admission must be an AdmissionPolicy, not {as_given(admission)}")
        _manager_of(config, token_counter, language)()  # it checks its arguments
        memory = Memory(
            store,
            embedder=embedder,
            language=language,
            pii=pii,
            clock=clock,
            retrieval=Retrieval(token_counter=token_counter),
            models=models,
            learning=Learning(admission=admission),
        )
        self._begin(memory, config)

    @classmethod
    def over(cls, memory: Memory, *, config: RecallConfig = _CONFIG) -> Self:
        """Recall over a memory that is open; closing one closes the other.

        What may become a fact and what is done with personal data is as the memory was opened.

        Args:
            memory: The memory; its searches keep their ranking.
            config: As for ``RecallSystem``.
        """
        _check(config)
        made = cls.__new__(cls)
        made._begin(memory, config)  # noqa: SLF001 - in place of __init__
        return made

    def _begin(self, memory: Memory, config: RecallConfig) -> None:
        parts = memory.parts
        self._embedder = parts.embedder
        self._clock = parts.clock
        self.language = parts.analyser.language
        self.count_tokens = parts.count_tokens
        self._managed = _manager_of(config, self.count_tokens, self.language)
        scoring = RecallScoring(
            calibration=similarity_calibration(self._embedder.name) if config.calibrate else None,
            threshold=config.threshold,
            importance=faded_importance,
            language=self.language,
        )
        self.memory = Memory.over(parts.ranked_by(scoring))

    def start_session(
        self,
        user_id: str,
        session_id: str | None = None,
        *,
        timezone: str = "UTC",
        name: str | None = None,
    ) -> RecallSession:
        """Begin a conversation, or go on with one.

        Going on, its turns are in the short-term memory again. Those of tasks that were completed keep their
        outcome: the next task is what was said after them.

        Args:
            user_id: With whom.
            session_id: The conversation; made anew when None.
            timezone: Where the user is.
            name: What the user likes to be called; by default what the facts say.

        Raises:
            InvalidInputError: The time zone is unknown, or an id cannot be used.
        """
        check_scope(user_id, session_id=session_id)
        time_lines(self._clock(), timezone=timezone)
        chosen = new_id() if session_id is None else session_id
        session = RecallSession(
            self,
            user_id=user_id,
            session_id=chosen,
            timezone=timezone,
            name=name,
            acquaintance=self.memory.graph.acquaintance(user_id=user_id, without_session=chosen),
            opening=self.opening_memories(user_id),
        )
        if session_id is not None:
            said = self.memory.get_all(user_id=user_id, session_id=chosen, kinds=["message"])
            session.resume(
                sorted(said, key=lambda record: record.origin.turn),
                completed=self._completed(user_id, chosen),
            )
        return session

    def opening_memories(
        self, user_id: str, limit: int = TOP_K, *, project: str | None = None
    ) -> tuple[RecalledMemory, ...]:
        """What a session begins with: the last episode, and what is retrieved for it; nothing is counted.

        "RAG is executed at the start of every session": there is no message yet, so the query is what was
        last talked about.

        Args:
            user_id: Whose memories.
            limit: How many at most.
            project: Only what may be seen in it, see ``Within``.
        """
        last = self.memory.get_all(
            user_id=user_id, kinds=[EPISODIC], within=Within(project=project), limit=1, newest_first=True
        )
        if not last:
            return ()
        return tuple(self.retrieve_memories(last[0].content, user_id, limit, project=project, count=False))

    def retrieve_memories(
        self,
        query: str,
        user_id: str,
        limit: int = TOP_K,
        *,
        words: bool = False,
        parts: bool = False,
        filters: Mapping[str, object] | None = None,
        project: str | None = None,
        count: bool = True,
    ) -> list[RecalledMemory]:
        """Recall's retrieval: facts, episodes and stories of one user that are similar enough, best first.

        Args:
            query: The question.
            user_id: Whose memories.
            limit: How many at most.
            words: Whether turns count, too. They tell more than what was learned of them, and may be out of
                date; a fact whose turn is found is left out.
            parts: Whether the parts of the assistant's long turns count, too, see ``parent``.
            filters: Only memories that match, see ``recollect.types.filters``. A filter cannot name a user.
            project: Only what may be seen in it, see ``Within``.
            count: Whether what is found counts as used, once a day.

        Returns:
            None when nothing is similar enough.

        Raises:
            InvalidInputError: The question is blank, or a filter cannot be used.
        """
        kinds = None if words else (SEMANTIC, EPISODIC, STORIES)
        if parts:
            both = [{"tier": {"ne": ARCHIVED}}, {f"metadata.{TURN}": {"ne": None}}]
            filters = {"and": [{"or": both}, *([filters] if filters else [])]}
        if words:
            filters = {"and": [{"kind": {"ne": STORIES}}, *([filters] if filters else [])]}
        hits = self.memory.search(
            query,
            user_id=user_id,
            top_k=limit,
            kinds=kinds,
            within=Within(tiers=TIERS if parts else None, project=project),
            filters=filters,
        )
        if count:
            self.memory.use([hit.memory.id for hit in hits], user_id=user_id, how="shown")
        entries = self._entries([hit.memory for hit in hits])
        return [
            RecalledMemory(entry=entry, score=hit.score, recollection=hit)
            for entry, hit in zip(entries, hits, strict=True)
        ]

    def remember(
        self,
        statement: str,
        user_id: str,
        *,
        category: SemanticCategory | None = None,
        importance: int | None = None,
        role: str = "user",
        session_id: str | None = None,
    ) -> list[AdmissionDecision]:
        """Store a statement, and decide at once what of it becomes a fact; see ``Memory.remember``.

        Args:
            statement: What was said.
            user_id: Whose memory it is.
            category: What its facts are about, in place of what their words tell.
            importance: 1 to 5, likewise.
            role: Who said it.
            session_id: In which conversation.

        Raises:
            InvalidInputError: Something cannot be used; nothing was stored.
        """
        return self.memory.remember(
            statement,
            user_id=user_id,
            session_id=session_id,
            role=role,
            category=None if category is None else check_semantic_category(category),
            importance=None if importance is None else importance_of_level(importance),
        )

    def capture_story(
        self, text: str, user_id: str, *, title: str | None = None, session_id: str | None = None
    ) -> str:
        """Store a story that the user told, a paragraph of at most 500 tokens at a time; returns its id.

        Args:
            text: The story.
            user_id: Whose.
            title: What it is called.
            session_id: In which conversation it was told.

        Raises:
            InvalidInputError: It is blank, or holds what may not be stored; nothing was stored.
        """
        shown = self.memory.maintenance.screen(check_content("text", text))
        if shown.refused:
            raise InvalidInputError(f"the story cannot be stored: {shown.refused}")
        story = new_id()
        self.memory.add(
            parts_of(shown.text, by="story", parent={STORY: story}, count_tokens=self.count_tokens),
            user_id=user_id,
            session_id=session_id,
            metadata={} if title is None else {"title": title},
        )
        return story

    def story(self, story_id: str, user_id: str) -> str:
        """A story as it was told.

        Raises:
            NotFoundError: This user has no such story.
        """
        found = self.memory.get_all(user_id=user_id, kinds=[STORIES], filters=_parts_of(STORY, story_id))
        if not found:
            raise NotFoundError(f"no story {check_id('story_id', story_id)!r} for this user")
        return joined(found)

    def parent(self, memory_id: str, user_id: str) -> str:
        """The words of what a part belongs to: the whole turn, story or document.

        Raises:
            NotFoundError: This user has no memory with this id, or it is not part of a longer text.
        """
        told = self.memory.get(memory_id, user_id=user_id).metadata
        if isinstance(turn := told.get(TURN), str):
            return self.memory.get(turn, user_id=user_id).content
        if isinstance(story := told.get(STORY), str):
            return self.story(story, user_id)
        if isinstance(document := told.get("document"), str):
            return self.memory.documents.text(document, user_id=user_id)
        raise NotFoundError(f"the memory {memory_id!r} is not part of a longer text")

    def keep_parts(self, turn: MemoryRecord) -> int:
        """Keep a turn in parts, too, each with its place, if it has more than 500 tokens; returns how many.

        They are stored out of sight, in the archive: ``retrieve_memories(parts=True)`` finds them. Those that
        are there already are not stored twice.
        """
        if self.count_tokens(turn.content) <= MAX_TOKENS:
            return 0
        parts = parts_of(turn.content, by="turn", parent={TURN: turn.id}, count_tokens=self.count_tokens)
        about = {"role": turn.origin.role, "timestamp": turn.times.happened_at, "tier": ARCHIVED}
        said = {**about, "name": turn.origin.speaker} if turn.origin.speaker else about
        self.memory.add(
            [{**part, **said, "idempotency_key": f"{turn.id} {number}"} for number, part in enumerate(parts)],
            user_id=turn.scope.user_id,
            agent_id=turn.scope.agent_id,
            session_id=turn.scope.session_id,
        )
        return len(parts)

    def semantic_memories(
        self, user_id: str, *, category: SemanticCategory | None = None
    ) -> list[SemanticMemoryEntry]:
        """The facts about a user that hold, in the order in which they were learned."""
        wanted = None if category is None else check_semantic_category(category)
        now = self._clock()
        records = [
            record
            for record in self.memory.get_all(user_id=user_id, kinds=[SEMANTIC])
            if record.times.valid_until is None or record.times.valid_until > now
        ]
        entries = [one for one in self._entries(records) if isinstance(one, SemanticMemoryEntry)]
        return [one for one in entries if wanted is None or one.category == wanted]

    def episodic_memories(self, user_id: str, *, session_id: str | None = None) -> list[EpisodicMemoryEntry]:
        """What happened in the sessions of a user, in the order in which it was learned."""
        records = self._episodes(user_id, session_id)
        return [one for one in self._entries(records) if isinstance(one, EpisodicMemoryEntry)]

    def _episodes(self, user_id: str, session_id: str | None) -> list[MemoryRecord]:
        filters = None if session_id is None else {"metadata.session_id": session_id}
        return self.memory.get_all(user_id=user_id, kinds=[EPISODIC], filters=filters)

    def _completed(self, user_id: str, session_id: str) -> frozenset[str]:
        """The messages of a session of whose episodes it was said how they came out."""
        told = (one for one in self._episodes(user_id, session_id) if "outcome" in one.metadata)
        return frozenset(source for one in told for source in one.origin.sources)

    def admissions(
        self, user_id: str, *, admission: Admission | None = None, limit: int | None = None
    ) -> list[AdmissionDecision]:
        """What was decided about a user's statements, and why; see ``Memory.facts.decisions``."""
        return self.memory.facts.decisions(user_id=user_id, admission=admission, limit=limit)

    def preferred_name(self, user_id: str) -> str | None:
        """What the user said to be called, the latest that holds; None when it is not known."""
        now = self._clock()
        found = [
            record
            for record in self.memory.get_all(user_id=user_id, kinds=[SEMANTIC], filters=_NAMED)
            if record.times.valid_until is None or record.times.valid_until > now
        ]
        latest = max(found, key=lambda record: record.times.happened_at, default=None)
        return None if latest is None else str(latest.metadata.get("object") or "") or None

    def injection(
        self,
        user_id: str,
        *,
        acquaintance: Acquaintance,
        timezone: str | tzinfo = "UTC",
        name: str | None = None,
    ) -> str:
        """What every prompt says of the time and the user.

        Args:
            user_id: The user.
            acquaintance: The earlier sessions, see ``memory.graph.acquaintance``.
            timezone: Where the user is.
            name: What the user likes to be called; by default what the facts say.
        """
        now = self._clock()
        about_user = user_lines(
            name=name or self.preferred_name(user_id),
            stage=acquaintance.stage,
            last_session_at=acquaintance.last_at,
            now=now,
        )
        return f"{time_lines(now, timezone=timezone)}\n{about_user}"

    def manager(self, timezone: str = "UTC") -> ContextBudgetManager:
        """What composes prompts within the budget, for a user's time zone."""
        return self._managed(timezone=check_timezone(timezone))

    def learn(
        self, user_id: str, session_id: str, *, sources: Sequence[str], told: Mapping[str, JSON]
    ) -> tuple[tuple[EpisodicMemoryEntry, ...], tuple[AdmissionDecision, ...]]:
        """Learn from a session what was not learned yet, and write down how it came out.

        Args:
            user_id: Whose.
            session_id: Which.
            sources: The messages it is about.
            told: ``outcome``, ``emotional_tone`` and ``key_topics`` of its episodes.

        Returns:
            Its episodes, and the decisions about its statements, the latest first.
        """
        about = frozenset(sources)
        self.memory.parts.learner.end(self.memory.parts.scope(user_id, None, session_id))
        for _ in range(_LOOKS):
            self.memory.jobs.drain(due_only=True)  # conversations that go on are left whole
            if not self._waits(user_id, about):
                break
            time.sleep(_LOOK_S)  # another worker has the job
        changed = [
            self.memory.update(record.id, user_id=user_id, metadata={**record.metadata, **told})
            for record in self._episodes(user_id, session_id)
            if not about.isdisjoint(record.origin.sources)
        ]
        episodes = tuple(one for one in self._entries(changed) if isinstance(one, EpisodicMemoryEntry))
        decisions = tuple(one for one in self.admissions(user_id) if one.source_id in about)
        return episodes, decisions

    def _waits(self, user_id: str, sources: frozenset[str]) -> bool:
        """Whether some messages of a user are still to be learned."""
        return any(job.payload.get("turn") in sources for job in self.memory.jobs.list(user_id=user_id))

    def forget(self, memory_id: str, user_id: str) -> None:
        """Delete a memory, see ``Memory.delete``: a turn with its parts, or a whole story by its id.

        Raises:
            NotFoundError: This user has neither a memory nor a story with this id.
        """
        parts = {"or": [_parts_of(STORY, memory_id), _parts_of(TURN, memory_id)]}
        deleted = self.memory.delete_all(user_id=user_id, filters=parts)
        try:
            self.memory.delete(memory_id, user_id=user_id)
        except NotFoundError:
            if not deleted:
                raise

    def close(self) -> None:
        """Close the engine."""
        self.memory.close()

    def _entries(self, records: Sequence[MemoryRecord]) -> list[Entry]:
        if not records:
            return []
        vectors = self._embedder.embed_documents([record.content for record in records])
        return [_entry(record, vector) for record, vector in zip(records, vectors, strict=True)]


def _check(config: object) -> None:
    if not isinstance(config, RecallConfig):
        raise InvalidInputError(f"config must be a RecallConfig, not {as_given(config)}")


def _manager_of(
    config: RecallConfig, count_tokens: TokenCounter, language: str
) -> "partial[ContextBudgetManager]":
    """What makes managers of prompts for the time zones of users."""
    return partial(
        ContextBudgetManager,
        config.budget,
        count_tokens=count_tokens,
        summary_share=config.summary_share,
        summarise=config.summarise,
        terms_of=Analyser(language).stems,
    )


def _parts_of(name: str, parent: str) -> dict[str, object]:
    return {f"metadata.{name}": check_id("id", parent)}


def _entry(record: MemoryRecord, vector: NDArray[np.float32]) -> Entry:
    if record.kind == SEMANTIC:
        return semantic_entry(record, vector)
    return episodic_entry(record, vector) if record.kind == EPISODIC else words_entry(record)
