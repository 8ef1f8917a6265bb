"""``AsyncMemory``: the same memory for ``async`` code, each call in a bounded pool of threads."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, tzinfo
from functools import partial
from os import PathLike
from types import TracebackType
from typing import IO, Final, ParamSpec, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.aio_rooms import AsyncDocuments, AsyncSessions
from recollect.archiving import Tidied
from recollect.checks import CONTEXT_THRESHOLD
from recollect.clock import utc_now
from recollect.clustering import Clusters
from recollect.errors import ClosedError
from recollect.intake import Message, Screened, SecretsPolicy
from recollect.learning.admission import Admission, AdmissionDecision, AdmissionPolicy
from recollect.learning.intents import THRESHOLD as INTENT_THRESHOLD
from recollect.learning.intents import Intents
from recollect.learning.outcomes import Conflict, Learned
from recollect.learning.records import LearningRecord
from recollect.learning.worker import POLL_S, Worker
from recollect.lifecycle.archival import DEFAULT_POLICY, ArchivalPolicy
from recollect.lifecycle.reinforcement import COOL_DOWN_S
from recollect.lifecycle.relationship import Acquaintance
from recollect.lifecycle.retrievals import PROMOTED_AFTER
from recollect.lifecycle.thresholds import ThresholdManager
from recollect.memory import DEFAULT_SCORING, LEARN_AFTER, SHADOW_LIMIT_MB, Memory
from recollect.models.routing import ModelRouter
from recollect.profiling import UserProfile
from recollect.protocols import Clock, Embedder, Health, Store, TokenCounter
from recollect.retrieval.candidates import Candidates
from recollect.retrieval.graph.named import ConceptGraph
from recollect.retrieval.scoring import Scoring
from recollect.retrieving import RetrievalLog
from recollect.text.context_type import ContextType
from recollect.text.pii import PiiPolicy
from recollect.text.tokens import estimate_tokens
from recollect.timeline import PeriodGrain, Timeline
from recollect.types import (
    JSON,
    AddResult,
    Change,
    Context,
    Explanation,
    Job,
    Kind,
    Link,
    LinkType,
    LoadResult,
    MemoryRecord,
    Priority,
    Recollection,
    Stats,
    Tier,
)

THREADS: Final = 8
"""Calls that run at a time; more wait their turn. Chosen by hand."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


class AsyncMemory:
    """A ``Memory`` whose methods are awaited; arguments, results and errors are the same.

    Opening one reads the file and may take a moment: use ``await asyncio.to_thread(AsyncMemory, …)`` where
    that matters. Cancelling a call does not stop what its thread has begun: an ``add`` may still be stored.
    """

    def __init__(
        self,
        store: str | PathLike[str] | Store,
        *,
        embedder: str | Embedder = "static",
        language: str = "en",
        timezone: str | tzinfo = "UTC",
        secrets: SecretsPolicy = "redact",
        pii: PiiPolicy | None = None,
        token_counter: TokenCounter = estimate_tokens,
        clock: Clock = utc_now,
        shadow_limit_mb: int = SHADOW_LIMIT_MB,
        scoring: Scoring = DEFAULT_SCORING,
        models: ModelRouter | None = None,
        admission: AdmissionPolicy | None = None,
        learn_after: int | None = LEARN_AFTER,
    ) -> None:
        memory = Memory(
            store,
            embedder=embedder,
            language=language,
            timezone=timezone,
            secrets=secrets,
            pii=pii,
            token_counter=token_counter,
            clock=clock,
            shadow_limit_mb=shadow_limit_mb,
            scoring=scoring,
            models=models,
            admission=admission,
            learn_after=learn_after,
        )
        self._begin(memory)

    def _begin(self, memory: Memory) -> None:
        self._memory = memory
        self.models = memory.models
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="recollect")
        self._closed = False

    def __repr__(self) -> str:
        return f"Async{self._memory!r}"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        if self._closed:
            raise ClosedError("this memory was closed; open a new one")
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(call, *args, **kwargs))

    @property
    def documents(self) -> AsyncDocuments:
        """See ``Memory.documents``."""
        return AsyncDocuments(self._memory.documents, self._run)

    @property
    def sessions(self) -> AsyncSessions:
        """See ``Memory.sessions``."""
        return AsyncSessions(self._memory.sessions, self._run)

    async def profile(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        as_of: datetime | str | float | None = None,
    ) -> UserProfile:
        """See ``Memory.profile``."""
        return await self._run(
            self._memory.profile, user_id=user_id, agent_id=agent_id, session_id=session_id, as_of=as_of
        )

    async def add(
        self,
        messages: Message | Sequence[Message],
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        metadata: Mapping[str, JSON] | None = None,
        kind: Kind = "message",
        timestamp: datetime | str | float | None = None,
        idempotency_key: str | None = None,
    ) -> list[AddResult]:
        """See ``Memory.add``."""
        return await self._run(
            self._memory.add,
            messages,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            metadata=metadata,
            kind=kind,
            timestamp=timestamp,
            idempotency_key=idempotency_key,
        )

    async def search(
        self,
        query: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        top_k: int = 10,
        threshold: float = 0.0,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        tiers: Sequence[Tier] | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        as_of: datetime | str | float | None = None,
        exclude_ids: Sequence[str] = (),
    ) -> list[Recollection]:
        """See ``Memory.search``."""
        return await self._run(
            self._memory.search,
            query,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            top_k=top_k,
            threshold=threshold,
            filters=filters,
            kinds=kinds,
            tiers=tiers,
            since=since,
            until=until,
            as_of=as_of,
            exclude_ids=exclude_ids,
        )

    async def candidates(
        self,
        query: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        top_k: int | None = None,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        tiers: Sequence[Tier] | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        as_of: datetime | str | float | None = None,
        embedding: Sequence[float] | NDArray[np.float32] | None = None,
        topics: Sequence[str] | None = None,
    ) -> Candidates:
        """See ``Memory.candidates``. Looking at one reads its summary: do that in a thread."""
        return await self._run(
            self._memory.candidates,
            query,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            top_k=top_k,
            filters=filters,
            kinds=kinds,
            tiers=tiers,
            since=since,
            until=until,
            as_of=as_of,
            embedding=embedding,
            topics=topics,
        )

    async def context(
        self,
        query: str,
        *,
        user_id: str,
        budget_tokens: int = 1500,
        agent_id: str | None = None,
        session_id: str | None = None,
        threshold: float = CONTEXT_THRESHOLD,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        tiers: Sequence[Tier] | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        as_of: datetime | str | float | None = None,
        exclude_ids: Sequence[str] = (),
    ) -> Context:
        """See ``Memory.context``."""
        return await self._run(
            self._memory.context,
            query,
            user_id=user_id,
            budget_tokens=budget_tokens,
            agent_id=agent_id,
            session_id=session_id,
            threshold=threshold,
            filters=filters,
            kinds=kinds,
            tiers=tiers,
            since=since,
            until=until,
            as_of=as_of,
            exclude_ids=exclude_ids,
        )

    async def remember(
        self,
        statement: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        role: str = "user",
        category: str | None = None,
        importance: float | None = None,
        timestamp: datetime | str | float | None = None,
    ) -> list[AdmissionDecision]:
        """See ``Memory.remember``."""
        return await self._run(
            self._memory.remember,
            statement,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            role=role,
            category=category,
            importance=importance,
            timestamp=timestamp,
        )

    async def get(self, memory_id: str, *, user_id: str) -> MemoryRecord:
        """See ``Memory.get``."""
        return await self._run(self._memory.get, memory_id, user_id=user_id)

    async def get_all(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        kinds: Sequence[Kind] | None = None,
        filters: Mapping[str, object] | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[MemoryRecord]:
        """See ``Memory.get_all``."""
        return await self._run(
            self._memory.get_all,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            kinds=kinds,
            filters=filters,
            since=since,
            until=until,
            limit=limit,
            after=after,
            newest_first=newest_first,
        )

    async def update(
        self,
        memory_id: str,
        *,
        user_id: str,
        content: str | None = None,
        metadata: Mapping[str, JSON] | None = None,
        tags: Sequence[str] | None = None,
        concepts: Sequence[str] | None = None,
        category: str | None = None,
        priority: Priority | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        critical: bool | None = None,
        tier: Tier | None = None,
        timestamp: datetime | str | float | None = None,
        valid_until: datetime | str | float | None = None,
        reason: str | None = None,
    ) -> MemoryRecord:
        """See ``Memory.update``."""
        return await self._run(
            self._memory.update,
            memory_id,
            user_id=user_id,
            content=content,
            metadata=metadata,
            tags=tags,
            concepts=concepts,
            category=category,
            priority=priority,
            importance=importance,
            confidence=confidence,
            critical=critical,
            tier=tier,
            timestamp=timestamp,
            valid_until=valid_until,
            reason=reason,
        )

    async def relabel(self, *, user_id: str | None = None) -> int:
        """See ``Memory.relabel``."""
        return await self._run(self._memory.relabel, user_id=user_id)

    async def end_session(self, session_id: str, *, user_id: str, agent_id: str | None = None) -> bool:
        """See ``Memory.end_session``."""
        return await self._run(self._memory.end_session, session_id, user_id=user_id, agent_id=agent_id)

    async def acquaintance(self, *, user_id: str, without_session: str | None = None) -> Acquaintance:
        """See ``Memory.acquaintance``."""
        return await self._run(self._memory.acquaintance, user_id=user_id, without_session=without_session)

    async def drain(self) -> Learned:
        """See ``Memory.drain``."""
        return await self._run(self._memory.drain)

    async def worker(
        self, *, poll_s: float = POLL_S, tell: Callable[[Learned], object] | None = None
    ) -> Worker:
        """See ``Memory.worker``: ``async with await memory.worker(): ...``."""
        return await self._run(self._memory.worker, poll_s=poll_s, tell=tell)

    async def jobs(self, *, failed: bool = False) -> list[Job]:
        """See ``Memory.jobs``."""
        return await self._run(self._memory.jobs, failed=failed)

    async def learning_records(self, *, user_id: str) -> list[LearningRecord]:
        """See ``Memory.learning_records``."""
        return await self._run(self._memory.learning_records, user_id=user_id)

    async def admissions(
        self, *, user_id: str, admission: Admission | None = None, limit: int | None = None
    ) -> list[AdmissionDecision]:
        """See ``Memory.admissions``."""
        return await self._run(self._memory.admissions, user_id=user_id, admission=admission, limit=limit)

    async def conflicts(self, *, user_id: str) -> list[Conflict]:
        """See ``Memory.conflicts``."""
        return await self._run(self._memory.conflicts, user_id=user_id)

    async def resolve(self, keep: str, drop: str | None = None, *, user_id: str) -> None:
        """See ``Memory.resolve``."""
        return await self._run(self._memory.resolve, keep, drop, user_id=user_id)

    async def archive(self, memory_id: str, *, user_id: str, reason: str | None = None) -> MemoryRecord:
        """See ``Memory.archive``."""
        return await self._run(self._memory.archive, memory_id, user_id=user_id, reason=reason)

    async def unarchive(self, memory_id: str, *, user_id: str) -> MemoryRecord:
        """See ``Memory.unarchive``."""
        return await self._run(self._memory.unarchive, memory_id, user_id=user_id)

    async def deleted(self, *, user_id: str, limit: int | None = None) -> list[MemoryRecord]:
        """See ``Memory.deleted``."""
        return await self._run(self._memory.deleted, user_id=user_id, limit=limit)

    async def undelete(self, memory_id: str, *, user_id: str) -> MemoryRecord:
        """See ``Memory.undelete``."""
        return await self._run(self._memory.undelete, memory_id, user_id=user_id)

    async def tidy(
        self,
        *,
        user_id: str,
        policy: ArchivalPolicy = DEFAULT_POLICY,
        not_within_s: float = 0.0,
        most: int | None = None,
    ) -> Tidied:
        """See ``Memory.tidy``."""
        return await self._run(
            self._memory.tidy, user_id=user_id, policy=policy, not_within_s=not_within_s, most=most
        )

    async def track_access(
        self, memory_ids: Sequence[str], *, user_id: str, not_within_s: float = 86_400.0
    ) -> int:
        """See ``Memory.track_access``."""
        return await self._run(
            self._memory.track_access, memory_ids, user_id=user_id, not_within_s=not_within_s
        )

    async def screen(self, text: str) -> Screened:
        """See ``Memory.screen``."""
        return await self._run(self._memory.screen, text)

    async def delete(self, memory_id: str, *, user_id: str, reason: str | None = None) -> None:
        """See ``Memory.delete``."""
        return await self._run(self._memory.delete, memory_id, user_id=user_id, reason=reason)

    async def delete_all(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        filters: Mapping[str, object] | None = None,
        reason: str | None = None,
    ) -> int:
        """See ``Memory.delete_all``."""
        return await self._run(
            self._memory.delete_all,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            filters=filters,
            reason=reason,
        )

    async def purge(self, *, user_id: str, agent_id: str | None = None, session_id: str | None = None) -> int:
        """See ``Memory.purge``."""
        return await self._run(self._memory.purge, user_id=user_id, agent_id=agent_id, session_id=session_id)

    async def history(self, memory_id: str, *, user_id: str) -> list[Change]:
        """See ``Memory.history``."""
        return await self._run(self._memory.history, memory_id, user_id=user_id)

    async def feedback(
        self, memory_id: str, *, user_id: str, useful: bool, reason: str | None = None
    ) -> MemoryRecord:
        """See ``Memory.feedback``."""
        return await self._run(
            self._memory.feedback, memory_id, user_id=user_id, useful=useful, reason=reason
        )

    async def track_usage(self, memory_id: str, *, user_id: str, reason: str | None = None) -> MemoryRecord:
        """See ``Memory.track_usage``."""
        return await self._run(self._memory.track_usage, memory_id, user_id=user_id, reason=reason)

    async def reinforce(
        self, memory_id: str, *, user_id: str, reason: str | None = None, cool_down_s: float = COOL_DOWN_S
    ) -> MemoryRecord:
        """See ``Memory.reinforce``."""
        return await self._run(
            self._memory.reinforce, memory_id, user_id=user_id, reason=reason, cool_down_s=cool_down_s
        )

    async def intents(self, *, user_id: str, threshold: float = INTENT_THRESHOLD) -> Intents:
        """See ``Memory.intents``. Methods of the object are not awaited: run them in a thread."""
        return await self._run(self._memory.intents, user_id=user_id, threshold=threshold)

    async def thresholds(
        self, *, user_id: str, thresholds: Mapping[ContextType, float] | None = None
    ) -> ThresholdManager:
        """See ``Memory.thresholds``. Methods of the object are not awaited: run them in a thread."""
        return await self._run(self._memory.thresholds, user_id=user_id, thresholds=thresholds)

    async def retrievals(self, *, user_id: str, promote_after: int = PROMOTED_AFTER) -> RetrievalLog:
        """See ``Memory.retrievals``. Methods of the object are not awaited: run them in a thread."""
        return await self._run(self._memory.retrievals, user_id=user_id, promote_after=promote_after)

    async def clusters(self, *, user_id: str) -> Clusters:
        """See ``Memory.clusters``. Methods of the object are not awaited: run them in a thread."""
        return await self._run(self._memory.clusters, user_id=user_id)

    async def graph(self, *, user_id: str) -> ConceptGraph:
        """See ``Memory.graph``."""
        return await self._run(self._memory.graph, user_id=user_id)

    async def timeline(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        kinds: Sequence[Kind] = ("episode",),
        grain: PeriodGrain | None = None,
        limit: int = 200,
    ) -> Timeline:
        """See ``Memory.timeline``."""
        return await self._run(
            self._memory.timeline,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            since=since,
            until=until,
            kinds=kinds,
            grain=grain,
            limit=limit,
        )

    async def link(
        self,
        source_id: str,
        target_id: str,
        *,
        user_id: str,
        type: LinkType = "related",  # noqa: A002 - as in Link
    ) -> None:
        """See ``Memory.link``."""
        return await self._run(self._memory.link, source_id, target_id, user_id=user_id, type=type)

    async def links(self, memory_id: str, *, user_id: str) -> list[Link]:
        """See ``Memory.links``."""
        return await self._run(self._memory.links, memory_id, user_id=user_id)

    async def explain(self, memory_id: str, *, user_id: str, query: str | None = None) -> Explanation:
        """See ``Memory.explain``."""
        return await self._run(self._memory.explain, memory_id, user_id=user_id, query=query)

    async def stats(self, *, user_id: str | None = None) -> Stats:
        """See ``Memory.stats``."""
        return await self._run(self._memory.stats, user_id=user_id)

    async def export(self, target: str | PathLike[str] | IO[str], *, user_id: str | None = None) -> int:
        """See ``Memory.export``."""
        return await self._run(self._memory.export, target, user_id=user_id)

    async def load(self, source: str | PathLike[str] | IO[str], *, user_id: str | None = None) -> LoadResult:
        """See ``Memory.load``."""
        return await self._run(self._memory.load, source, user_id=user_id)

    async def doctor(self, *, rebuild: bool = False) -> Health:
        """See ``Memory.doctor``."""
        return await self._run(self._memory.doctor, rebuild=rebuild)

    async def backup(self, path: str | PathLike[str]) -> None:
        """See ``Memory.backup``."""
        return await self._run(self._memory.backup, path)

    async def close(self) -> None:
        """See ``Memory.close``. Calls under way are finished first."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown)
        self._memory.close()


def over(memory: Memory) -> AsyncMemory:
    """A memory that is open already, for ``async`` code; closing one closes the other."""
    made = AsyncMemory.__new__(AsyncMemory)
    made._begin(memory)  # noqa: SLF001 - in place of __init__, which would open another
    return made
