"""``AsyncMemory``: the same memory for ``async`` code, each call in a bounded pool of threads."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import tzinfo
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Final, NoReturn, Self, TypeVar

from recollect.errors import ClosedError
from recollect.ingest.messages import SecretsPolicy
from recollect.learning.admission import AdmissionPolicy
from recollect.memory.memory import DEFAULT_SCORING, LEARN_AFTER, SHADOW_LIMIT_MB, Memory
from recollect.memory.threads import AsyncDocuments, AsyncSessions, Awaited, awaited
from recollect.protocols import Clock, Embedder, EmbedFunction, Store, TokenCounter
from recollect.retrieval.scoring import Scoring
from recollect.text.pii import PiiPolicy
from recollect.text.tokens import estimate_tokens
from recollect.types.clock import utc_now
from recollect.types.guesses import corrects_guesses, no_method

if TYPE_CHECKING:
    from recollect.models.chat import LanguageModel
    from recollect.models.routing import ModelRouter


THREADS: Final = 8
"""Calls that run at a time; more wait their turn. Chosen by hand."""

_T = TypeVar("_T")


@corrects_guesses
class AsyncMemory(Awaited[Memory]):
    """A ``Memory`` whose methods are awaited; arguments, results and errors are the same.

    Opening one reads the file and may take a moment: use ``await asyncio.to_thread(AsyncMemory, …)`` where
    that matters. Cancelling a call does not stop what its thread has begun: an ``add`` may still be stored.
    Methods of what ``intents``, ``thresholds``, ``retrievals``, ``clusters`` and ``candidates`` return are
    those of ``Memory``: run them in a thread. A worker is ``async with await memory.worker(): ...``.
    """

    def __init__(
        self,
        store: str | PathLike[str] | Store | None = None,
        *,
        embedder: str | Embedder | EmbedFunction = "static",
        language: str = "en",
        timezone: str | tzinfo = "UTC",
        secrets: SecretsPolicy = "redact",
        pii: PiiPolicy | None = None,
        token_counter: TokenCounter = estimate_tokens,
        clock: Clock = utc_now,
        shadow_limit_mb: int = SHADOW_LIMIT_MB,
        scoring: Scoring = DEFAULT_SCORING,
        models: "ModelRouter | LanguageModel | None" = None,
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
        super().__init__(memory, self._in_thread)
        self.models = memory.models
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="recollect")
        self._closed = False

    def __repr__(self) -> str:
        return f"Async{self._part!r}"

    if not TYPE_CHECKING:  # as in Memory

        def __getattr__(self, name: str) -> NoReturn:
            no_method("AsyncMemory", name)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def _in_thread(self, call: Callable[[], _T]) -> _T:
        if self._closed:
            raise ClosedError("this memory was closed; open a new one")
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    @property
    def documents(self) -> AsyncDocuments:
        """See ``Memory.documents``."""
        return AsyncDocuments(self._part.documents, self._run)

    @property
    def sessions(self) -> AsyncSessions:
        """See ``Memory.sessions``."""
        return AsyncSessions(self._part.sessions, self._run)

    profile = awaited(Memory.profile)
    core = awaited(Memory.core)
    add = awaited(Memory.add)
    search = awaited(Memory.search)
    candidates = awaited(Memory.candidates)
    context = awaited(Memory.context)
    remember = awaited(Memory.remember)
    get = awaited(Memory.get)
    get_all = awaited(Memory.get_all)
    update = awaited(Memory.update)
    relabel = awaited(Memory.relabel)
    end_session = awaited(Memory.end_session)
    acquaintance = awaited(Memory.acquaintance)
    drain = awaited(Memory.drain)
    worker = awaited(Memory.worker)
    jobs = awaited(Memory.jobs)
    count_jobs = awaited(Memory.count_jobs)
    learning_records = awaited(Memory.learning_records)
    admissions = awaited(Memory.admissions)
    conflicts = awaited(Memory.conflicts)
    resolve = awaited(Memory.resolve)
    archive = awaited(Memory.archive)
    unarchive = awaited(Memory.unarchive)
    deleted = awaited(Memory.deleted)
    undelete = awaited(Memory.undelete)
    tidy = awaited(Memory.tidy)
    track_access = awaited(Memory.track_access)
    screen = awaited(Memory.screen)
    delete = awaited(Memory.delete)
    delete_all = awaited(Memory.delete_all)
    purge = awaited(Memory.purge)
    residue = awaited(Memory.residue)
    history = awaited(Memory.history)
    feedback = awaited(Memory.feedback)
    track_usage = awaited(Memory.track_usage)
    reinforce = awaited(Memory.reinforce)
    intents = awaited(Memory.intents)
    thresholds = awaited(Memory.thresholds)
    retrievals = awaited(Memory.retrievals)
    clusters = awaited(Memory.clusters)
    graph = awaited(Memory.graph)
    timeline = awaited(Memory.timeline)
    link = awaited(Memory.link)
    links = awaited(Memory.links)
    explain = awaited(Memory.explain)
    stats = awaited(Memory.stats)
    users = awaited(Memory.users)
    export = awaited(Memory.export)
    load = awaited(Memory.load)
    doctor = awaited(Memory.doctor)
    backup = awaited(Memory.backup)

    async def close(self) -> None:
        """See ``Memory.close``. Calls under way are finished first."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown)
        self._part.close()


def over(memory: Memory) -> AsyncMemory:
    """A memory that is open already, for ``async`` code; closing one closes the other."""
    made = AsyncMemory.__new__(AsyncMemory)
    made._begin(memory)  # noqa: SLF001 - in place of __init__, which would open another
    return made
