"""``AsyncMemory``: the same memory for ``async`` code, each call in a bounded pool of threads."""

import asyncio
from collections.abc import Callable
from datetime import tzinfo
from functools import cached_property, partial
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, TypeVar

from recollect.errors import ClosedError
from recollect.ingest.messages import SecretsPolicy
from recollect.learning.admission import LEARNING, Learning
from recollect.memory.memory import Memory
from recollect.memory.threads import (
    AsyncAgenda,
    AsyncDocuments,
    AsyncFacts,
    AsyncJobs,
    AsyncLifecycle,
    AsyncMemoryGraph,
    AsyncSessions,
    AsyncStoreUpkeep,
    Awaited,
    awaited,
)
from recollect.memory.turns import SharedThreads
from recollect.protocols import Clock, Embedder, EmbedFunction, Store
from recollect.retrieval.scoring import RETRIEVAL, Retrieval
from recollect.text.pii import PiiPolicy
from recollect.types.clock import utc_now
from recollect.types.guesses import Guided, corrects_guesses

if TYPE_CHECKING:
    from recollect.models.chat import LanguageModel
    from recollect.models.routing import ModelRouter

THREADS: Final = 16
EACH: Final = 2
"""Calls that run at a time, of all users and of one; more wait their turn. With four of one user others
waited twice as long, and the user got no more done: they share the interpreter."""

_T = TypeVar("_T")


@corrects_guesses
class AsyncMemory(Awaited[Memory], metaclass=Guided):
    """A ``Memory`` whose methods are awaited; arguments, results and errors are the same.

    Opening one reads the file and may take a moment: use ``await asyncio.to_thread(AsyncMemory, …)`` where
    that matters. Cancelling a call does not stop what its thread has begun: an ``add`` may still be stored.
    Methods of what ``lifecycle`` and ``graph`` return (``intents``, ``clusters`` ...) are those of
    ``Memory``: run them in a thread. A worker is ``async with await memory.jobs.worker(): ...``.
    """

    def __init__(
        self,
        store: str | PathLike[str] | Store | None = None,
        *,
        embedder: str | Embedder | EmbedFunction | None = None,
        language: str = "en",
        timezone: str | tzinfo | None = None,
        secrets: SecretsPolicy = "redact",
        pii: PiiPolicy | None = None,
        clock: Clock = utc_now,
        models: "ModelRouter | LanguageModel | None" = None,
        retrieval: Retrieval = RETRIEVAL,
        learning: Learning = LEARNING,
    ) -> None:
        memory = Memory(
            store,
            embedder=embedder,
            language=language,
            timezone=timezone,
            secrets=secrets,
            pii=pii,
            clock=clock,
            models=models,
            retrieval=retrieval,
            learning=learning,
        )
        self._begin(memory)

    @classmethod
    def over(cls, memory: Memory) -> Self:
        """A memory that is open already, for ``async`` code; closing one closes the other."""
        made = cls.__new__(cls)
        made._begin(memory)  # noqa: SLF001 - in place of __init__, which would open another
        return made

    def _begin(self, memory: Memory) -> None:
        super().__init__(memory, self._in_thread)
        self.models = memory.models
        self.threads = SharedThreads(THREADS, each=EACH)
        self._closed = False

    def __repr__(self) -> str:
        return f"Async{self._part!r}"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def _in_thread(self, call: Callable[[], _T]) -> _T:
        if self._closed:
            raise ClosedError("this memory was closed; open a new one")
        user = call.keywords.get("user_id") if isinstance(call, partial) else None
        return await asyncio.wrap_future(self.threads.submit(user if isinstance(user, str) else None, call))

    @cached_property
    def agenda(self) -> AsyncAgenda:
        """See ``Memory.agenda``."""
        return AsyncAgenda(self._part.agenda, self._run)

    @cached_property
    def facts(self) -> AsyncFacts:
        """See ``Memory.facts``."""
        return AsyncFacts(self._part.facts, self._run)

    @cached_property
    def jobs(self) -> AsyncJobs:
        """See ``Memory.jobs``."""
        return AsyncJobs(self._part.jobs, self._run)

    @cached_property
    def sessions(self) -> AsyncSessions:
        """See ``Memory.sessions``."""
        return AsyncSessions(self._part.sessions, self._run)

    @cached_property
    def documents(self) -> AsyncDocuments:
        """See ``Memory.documents``."""
        return AsyncDocuments(self._part.documents, self._run)

    @cached_property
    def graph(self) -> AsyncMemoryGraph:
        """See ``Memory.graph``."""
        return AsyncMemoryGraph(self._part.graph, self._run)

    @cached_property
    def lifecycle(self) -> AsyncLifecycle:
        """See ``Memory.lifecycle``."""
        return AsyncLifecycle(self._part.lifecycle, self._run)

    @cached_property
    def maintenance(self) -> AsyncStoreUpkeep:
        """See ``Memory.maintenance``."""
        return AsyncStoreUpkeep(self._part.maintenance, self._run)

    add = awaited(Memory.add)
    remember = awaited(Memory.remember)
    search = awaited(Memory.search)
    context = awaited(Memory.context)
    core = awaited(Memory.core)
    explain = awaited(Memory.explain)
    get = awaited(Memory.get)
    get_all = awaited(Memory.get_all)
    update = awaited(Memory.update)
    delete = awaited(Memory.delete)
    delete_all = awaited(Memory.delete_all)
    undelete = awaited(Memory.undelete)
    deleted = awaited(Memory.deleted)
    purge = awaited(Memory.purge)
    history = awaited(Memory.history)
    archive = awaited(Memory.archive)
    unarchive = awaited(Memory.unarchive)
    use = awaited(Memory.use)
    profile = awaited(Memory.profile)
    timeline = awaited(Memory.timeline)
    users = awaited(Memory.users)
    stats = awaited(Memory.stats)
    export = awaited(Memory.export)
    load = awaited(Memory.load)
    import_file = awaited(Memory.import_file)

    async def close(self) -> None:
        """See ``Memory.close``. Calls under way are finished first."""
        self._closed = True
        await asyncio.to_thread(self.threads.close)
        self._part.close()
