"""``SecondBrain``: the design's services over one memory."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from os import PathLike
from typing import Final, Literal, Self

from recollect.checks import CORE_SHARE, check_share
from recollect.context.core import WrittenCore, core_within
from recollect.context.excerpts import Excerpts
from recollect.documents import Citation
from recollect.documents.citing import cite
from recollect.errors import InvalidInputError
from recollect.ingest.messages import SecretsPolicy
from recollect.learning.admission import Learning
from recollect.lifecycle.archival import retention
from recollect.lifecycle.use import importance_at
from recollect.memory.agent import AgentAnswer, MemoryAgent
from recollect.memory.answering import marked
from recollect.memory.changes.archive import Tidied
from recollect.memory.memory import Memory
from recollect.models.routing import ModelRouter, ModelTask
from recollect.presets.second_brain.config import SecondBrainConfig
from recollect.presets.second_brain.episodes import rated
from recollect.presets.second_brain.fusion import CANDIDATES, reciprocal_rank, reciprocal_rank_fusion
from recollect.presets.second_brain.limits import DESIGNED, MOST, fitting_limits
from recollect.presets.second_brain.summary import build_context_summary, build_prompt
from recollect.protocols import Clock, Embedder, Store
from recollect.sessions.sessions import Session, SessionList
from recollect.text.pii import PiiPolicy
from recollect.text.tokens import estimate_tokens
from recollect.types import JSON, Kind, Labels, MemoryRecord, Recollection, Within
from recollect.types.clock import utc_now
from recollect.types.closing import Closing

_CONFIG: Final = SecondBrainConfig()
_ARTICLES: Final = frozenset(["a", "an", "the"])
"""What facts may differ in and be the same. The design compares an FTS5 rank with -10, which depends on how
much is stored, and holds "prefers" and "does not prefer" for alike."""
_NO_CORE: Final = WrittenCore()
_BUDGET: Final = 1_500
"""Tokens of which the core may fill its share, as in ``Memory.context``; the design names no limit."""
_TRIVIAL_ONES: Final = 4
"""Times as many episodes are looked at as are wanted, for the trivial among them. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What goes with a question.

    Attributes:
        documents: Sources to cite, [1] first.
        episodic: Past interactions, best first.
        semantic: Facts, best first.
        core: What must be known whatever is asked, see ``Memory.core``.
    """

    documents: tuple[Citation, ...]
    episodic: tuple[Recollection, ...]
    semantic: tuple[Recollection, ...]
    core: WrittenCore = _NO_CORE

    @property
    def hits(self) -> tuple[Recollection, ...]:
        """What was found by the question: facts, episodes, then parts of documents."""
        return (*self.semantic, *self.episodic, *(one.hit for one in self.documents))

    @property
    def summary(self) -> str:
        """See ``build_context_summary``."""
        known = {hit.memory.id for hit in self.core.found}
        episodic, semantic = (
            [hit for hit in hits if hit.memory.id not in known] for hits in (self.episodic, self.semantic)
        )
        return build_context_summary(self.documents, episodic, semantic, self.core.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrainTurn:
    """A message that was stored, and what is known for it.

    Attributes:
        session: Its session, with the message in it.
        message_id: The message.
        found: What goes with it.
        prompt: What a model would be asked.
    """

    session: Session
    message_id: str
    found: Found
    prompt: str


class SecondBrain(Closing):
    """Second Brain for any number of users; ``memory`` is the engine under it.

    Args:
        store: As for ``Memory``; so are the others but ``config``, and the errors.
        config: How much is learned, found and kept.
        models: Who answers (``CHAT``) and extracts (``MEMORY_EXTRACTION``); without it rules extract, and
            answers show what is known.
    """

    def __init__(
        self,
        store: str | PathLike[str] | Store = "second_brain.db",
        *,
        config: SecondBrainConfig = _CONFIG,
        embedder: str | Embedder | None = None,
        language: str = "en",
        secrets: SecretsPolicy = "redact",
        pii: PiiPolicy | None = None,
        clock: Clock = utc_now,
        models: ModelRouter | None = None,
    ) -> None:
        memory = Memory(
            store,
            embedder=embedder,
            language=language,
            secrets=secrets,
            pii=pii,
            clock=clock,
            models=models,
            learning=Learning(after=config.extraction_threshold, enabled=config.extraction_enabled),
        )
        self._begin(memory, config)

    @classmethod
    def over(cls, memory: Memory, *, config: SecondBrainConfig = _CONFIG) -> Self:
        """Second Brain over a memory that is open; closing one closes the other.

        Whether and when conversations are learned is as the memory was opened.

        Args:
            memory: The memory.
            config: What is found and kept; its ``extraction_`` fields are for a memory of its own.
        """
        made = cls.__new__(cls)
        made._begin(memory, config)  # noqa: SLF001 - in place of __init__
        return made

    def _begin(self, memory: Memory, config: SecondBrainConfig) -> None:
        self.config = config
        self.memory = memory
        self._analyser = memory.parts.analyser
        self._clock = memory.parts.clock

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(3, thread_name_prefix="second-brain")

    # Sessions

    def start_session(
        self, user_id: str, *, session_id: str | None = None, title: str | None = None
    ) -> Session:
        """Start a session, or go on with one; see ``Memory.sessions``."""
        return self.memory.sessions.start(user_id=user_id, session_id=session_id, title=title)

    def get_session(self, session_id: str, *, user_id: str) -> Session:
        """One session; it is over when nobody spoke for ``session_timeout_s``.

        Raises:
            NotFoundError: There is none.
        """
        timeout_s = self.config.session_timeout_s
        return self.memory.sessions.get(session_id, user_id=user_id, timeout_s=timeout_s)

    def list_sessions(self, user_id: str, *, limit: int | None = None) -> SessionList:
        """The sessions of a user, the last active first."""
        timeout_s = self.config.session_timeout_s
        return self.memory.sessions.list(user_id=user_id, limit=limit, timeout_s=timeout_s)

    def end_session(self, session_id: str, *, user_id: str) -> Session:
        """End a session: what was said in it is queued to be learned, unless learning is off."""
        sessions = self.memory.sessions
        return sessions.end(session_id, user_id=user_id, learn=self.config.extraction_enabled)

    def end_idle_sessions(self, user_id: str) -> SessionList:
        """End the sessions that timed out; see ``Memory.sessions``."""
        return self.memory.sessions.end_idle(
            user_id=user_id,
            timeout_s=self.config.session_timeout_s,
            learn=self.config.extraction_enabled,
        )

    def add_message(self, user_id: str, session_id: str, role: str, content: str) -> str:
        """Store a message of a session; returns its id. At the threshold the session is queued."""
        message = {"role": role, "content": content}
        (result,) = self.memory.add(message, user_id=user_id, session_id=session_id)
        if result.id is None:
            raise InvalidInputError(f"the message cannot be stored: {result.reason}")
        return result.id

    # Memories

    def add_semantic_memory(
        self,
        user_id: str,
        fact: str,
        category: str = "general",
        confidence: float = 1.0,
        *,
        source: str = "given",
    ) -> MemoryRecord:
        """Store a fact; one that says the same is there already grows as sure instead ("Deduplication").

        Args:
            user_id: Whose.
            fact: One statement.
            category: ``preference``, ``knowledge``, ``context``, ``skill``, ``general`` or another.
            confidence: 0 to 1.
            source: Where it was learned.

        Returns:
            The fact as it is stored now.
        """
        sure = check_share("confidence", confidence)
        for known in self.search_semantic(user_id, fact, limit=1):
            if self._is_same(known.memory.content, fact):
                grown = max(known.memory.worth.confidence, sure)
                if grown == known.memory.worth.confidence:
                    return known.memory
                return self.memory.update(
                    known.memory.id, user_id=user_id, labels=Labels(confidence=grown), reason="said again"
                )
        given: Mapping[str, object] = {
            "content": fact,
            "kind": "fact",
            "category": category,
            "confidence": sure,
            "metadata": {"source": source},
        }
        (result,) = self.memory.add(given, user_id=user_id)
        if result.id is None:
            raise InvalidInputError(f"the fact cannot be stored: {result.reason}")
        return self.memory.get(result.id, user_id=user_id)

    def add_episodic_memory(
        self, user_id: str, summary: str, importance: float = 0.5, context: str | None = None
    ) -> MemoryRecord:
        """Store an episode: what happened in one line, how important it was, and what it was about."""
        given: dict[str, object] = {
            "content": summary,
            "kind": "episode",
            "importance": check_share("importance", importance),
            "metadata": {} if context is None else {"context": context},
        }
        (result,) = self.memory.add(given, user_id=user_id)
        if result.id is None:
            raise InvalidInputError(f"the episode cannot be stored: {result.reason}")
        return self.memory.get(result.id, user_id=user_id)

    def search_semantic(
        self, user_id: str, query: str, limit: int | None = None, *, project: str | None = None
    ) -> list[Recollection]:
        """The facts that hold and have to do with a question; by default as many as it needs.

        With a ``project`` only those that may be seen in it, see ``Within``; so it is with the others.
        """
        most = self._most("fact", user_id, query, limit, project=project)
        return self._fused(user_id, query, "fact", most, project=project)

    def search_episodic(
        self,
        user_id: str,
        query: str,
        limit: int | None = None,
        min_importance: float | None = None,
        *,
        project: str | None = None,
    ) -> list[Recollection]:
        """The episodes that have to do with a question; by default as many as it needs.

        Args:
            user_id: Whose.
            query: The question.
            limit: How many at most.
            min_importance: Only episodes of at least this importance, see ``episodes.rated``; 0.3 by default.
                Without one, a question that shares no word with any episode ("What's next?") gets those that
                matter most now.
            project: Only what may be seen in it.
        """
        most = self._most("episode", user_id, query, limit, project=project)
        given = self.config.importance_threshold if min_importance is None else min_importance
        least, now = check_share("min_importance", given), self._clock()
        found = self._fused(user_id, query, "episode", most * _TRIVIAL_ONES, project=project)
        telling = [hit for hit in found if rated(hit.memory).worth.importance >= least]
        if min_importance is None and not any(hit.signals["words"] for hit in telling):
            telling.sort(key=lambda hit: importance_at(rated(hit.memory), now), reverse=True)
        return telling[:most]

    def search_documents(
        self, user_id: str, query: str, limit: int | None = None, *, project: str | None = None
    ) -> list[Citation]:
        """The parts of documents that have to do with a question, as sources to cite; likewise."""
        most = self._most("document", user_id, query, limit, project=project)
        hits = self._fused(user_id, query, "document", most, project=project)
        return cite(hits, query_terms=self._analyser.query_stems(query), terms_of=self._analyser.stems)

    def hybrid_search(self, query: str, user_id: str, limit: int = 5) -> list[Recollection]:
        """Facts, episodes and documents together: the top 50 by words and by vectors, fused by rank."""
        return self._fused(user_id, query, None, limit)

    def search(
        self,
        user_id: str,
        query: str,
        *,
        core: float = CORE_SHARE,
        project: str | None = None,
        budget_tokens: int = _BUDGET,
    ) -> Found:
        """Documents, episodes and facts for a question, looked for concurrently ("Step 1").

        Args:
            user_id: Whose.
            query: The question.
            core: The part of the budget that the core may fill, 0 to 1.
            project: Only what may be seen in this project.
            budget_tokens: What the memories and the core may have together, where no number is set.
        """
        share = check_share("core", core)
        known = self._core(user_id, query, share=share, project=project, budget_tokens=budget_tokens)
        left = budget_tokens - estimate_tokens(known.text)
        most = self._limits(user_id, query, project=project, budget_tokens=left)
        ask = self._pool.submit
        documents = ask(self.search_documents, user_id, query, most["document"], project=project)
        episodic = ask(self.search_episodic, user_id, query, most["episode"], project=project)
        semantic = ask(self.search_semantic, user_id, query, most["fact"], project=project)
        scope, within = self.memory.parts.scope(user_id), Within(project=project)

        def read(found: Future[list[Recollection]]) -> tuple[Recollection, ...]:
            return tuple(marked(self.memory.parts, scope, found.result(), query, within=within))

        return Found(
            documents=tuple(documents.result()),
            episodic=read(episodic),
            semantic=read(semantic),
            core=known,
        )

    def _most(self, kind: Kind, user_id: str, query: str, limit: int | None, *, project: str | None) -> int:
        """How many of a kind go with a question where no number is given."""
        if limit is not None:
            return limit
        return self._limits(user_id, query, project=project, budget_tokens=_BUDGET)[kind]

    def _limits(
        self, user_id: str, query: str, *, project: str | None, budget_tokens: int
    ) -> Mapping[Kind, int]:
        """How many of each kind go with a question: the number that was set, or as many as it needs.

        Where nothing stands out ("What's next?") there is no telling, and the design's numbers are taken.
        """
        config = self.config
        given: dict[Kind, int | None] = {
            "fact": config.max_semantic,
            "episode": config.max_episodic,
            "document": config.max_documents,
        }
        wanted = [kind for kind, most in given.items() if most is None]
        fitting: Mapping[Kind, int] = {}
        if wanted:
            within = Within(project=project)
            hits = self.memory.search(
                query, user_id=user_id, kinds=wanted, top_k=MOST, within=within, collapse=False
            )
            unclear = not hits or self.memory.parts.recall.fits_by_chance(hits)
            fitting = (
                DESIGNED
                if unclear
                else fitting_limits(hits, budget_tokens=budget_tokens, count_tokens=estimate_tokens)
            )
        return {kind: fitting.get(kind, 0) if most is None else most for kind, most in given.items()}

    def _core(
        self, user_id: str, query: str, *, share: float, project: str | None, budget_tokens: int
    ) -> WrittenCore:
        """What must be known whatever is asked; nothing where no facts are wanted."""
        if self.config.max_semantic == 0 or not share:
            return _NO_CORE
        return core_within(
            self.memory.core(query, user_id=user_id, within=Within(project=project)),
            budget_tokens=budget_tokens,
            core_share=share,
            count_tokens=estimate_tokens,
            excerpts=Excerpts(
                frozenset(self._analyser.query_stems(query)),
                terms_of=self._analyser.stems,
                count_tokens=estimate_tokens,
            ),
        )

    def build_context_summary(self, user_id: str, query: str) -> str:
        """What is known for a question, in the design's three sections."""
        return self.search(user_id, query).summary

    def forget(self, memory_id: str, *, user_id: str) -> None:
        """Delete a wrong fact; words that were said before do not bring it back."""
        self.memory.delete(memory_id, user_id=user_id, reason="wrong")

    # The flow of a request

    def receive(self, user_id: str, message: str, *, session_id: str | None = None) -> BrainTurn:
        """Store a user's message, then find what is known for it: the flow of a request up to the model.

        A secret that is masked in the message is masked for the search and for the model, too.

        Raises:
            InvalidInputError: The message cannot be stored; nothing was, and no session begins.
        """
        screened = self.memory.maintenance.screen(message)
        if screened.refused:
            raise InvalidInputError(f"the message was refused: {screened.refused}")
        current = session_id or self.start_session(user_id).id
        message_id = self.add_message(user_id, current, "user", message)
        found = self.search(user_id, screened.text)
        return BrainTurn(
            session=self.get_session(current, user_id=user_id),
            message_id=message_id,
            found=found,
            prompt=build_prompt(found.summary, screened.text),
        )

    def chat(self, user_id: str, message: str, *, session_id: str | None = None) -> AgentAnswer:
        """The answer to a message; both are stored, and learning waits for a worker.

        It is ``MemoryAgent`` with the preset ``second_brain``: an answer that cannot be stored is an answer
        all the same, and without a model memories are quoted.

        Raises:
            InvalidInputError: As in ``receive``.
            ModelError: The model gave no answer. The message is stored.
        """
        from recollect.presets.second_brain.chat import SecondBrainChat

        models = self.memory.models
        agent = MemoryAgent(
            self.memory,
            user_id=user_id,
            session_id=session_id,
            model=None if models is None else models.model(ModelTask.CHAT),
            preset=partial(SecondBrainChat, brain=self),
        )
        return agent.chat(message)

    def consolidate(self) -> int:
        """Learn what is queued, as ``recollect worker`` does; returns how many facts and episodes are new."""
        learned = self.memory.jobs.drain()
        return learned.facts + learned.episodes

    def cleanup(self, user_id: str) -> Tidied:
        """Archive conversations and episodes that nobody used for ``retention_days``; facts stay."""
        if self.config.retention_days is None:
            return Tidied(archived={}, deleted=0)
        return self.memory.lifecycle.tidy(user_id=user_id, policy=retention(self.config.retention_days))

    def close(self) -> None:
        """Close the engine."""
        self._pool.shutdown()
        self.memory.close()

    def _fused(
        self,
        user_id: str,
        query: str,
        kind: Literal["fact", "episode", "document"] | None,
        limit: int,
        *,
        project: str | None = None,
    ) -> list[Recollection]:
        """Memories of a kind by words and, unless that is off, by vectors, fused by rank."""
        if limit <= 0:
            return []
        kinds: Sequence[Kind] = ("fact", "episode", "document") if kind is None else (kind,)
        everything = self.memory.lifecycle.candidates(
            query, user_id=user_id, kinds=kinds, within=Within(project=project)
        )
        signals = ("words", "meaning") if self.config.vector_enabled else ("words",)
        most, k = max(CANDIDATES, limit), self.config.rrf_k
        rankings = {signal: everything.ranked_by(signal, limit=most) for signal in signals}
        fused = reciprocal_rank_fusion(list(rankings.values()), k=k, limit=limit)
        chosen = list(everything.chosen([place for place, _ in fused]))
        records = self._records(user_id, [one.memory_id for one in chosen])
        return [
            Recollection(
                memory=records[one.memory_id],
                score=score,
                signals=one.signals,
                terms={
                    signal: reciprocal_rank(ranking.index(place), k=k)
                    for signal, ranking in rankings.items()
                    if place in ranking
                },
            )
            for one, (place, score) in zip(chosen, fused, strict=True)
            if one.memory_id in records
        ]

    def _records(self, user_id: str, ids: Sequence[str]) -> dict[str, MemoryRecord]:
        where: Mapping[str, JSON] = {"id": {"in": list(ids)}}
        return {one.id: one for one in self.memory.get_all(user_id=user_id, filters=where)} if ids else {}

    def _is_same(self, known: str, fact: str) -> bool:
        one, other = (set(self._analyser.stems(text)) - _ARTICLES for text in (known, fact))
        return one == other
