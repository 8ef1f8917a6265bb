"""Methods that are awaited: each is made from the one that is not, and has its signature."""

import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from recollect.documents import Documents
from recollect.memory.agenda import Agenda
from recollect.memory.facts import Facts
from recollect.memory.graph import MemoryGraph
from recollect.memory.jobs import Jobs
from recollect.memory.lifecycle import Lifecycle
from recollect.memory.maintenance.upkeep import StoreUpkeep
from recollect.sessions.sessions import Sessions
from recollect.types.guesses import corrects_guesses

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Part_co = TypeVar("_Part_co", covariant=True)


class Run(Protocol):
    """Runs a call in a thread."""

    async def __call__(self, call: Callable[[], _T], /) -> _T:
        """What the call returns."""
        ...


class Awaited(Generic[_Part_co]):
    """What has awaited methods."""

    def __init__(self, part: _Part_co, run: Run) -> None:
        self._part = part
        self._run = run


def awaited(
    method: Callable[Concatenate[_Part_co, _P], _T],
) -> Callable[Concatenate[Awaited[_Part_co], _P], Coroutine[Any, Any, _T]]:
    """The same method, awaited: arguments, result, errors and docstring are those of ``method``."""
    name = method.__name__

    @functools.wraps(method)
    async def call(self: Awaited[_Part_co], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        inner: Callable[_P, _T] = getattr(self._part, name)
        return await self._run(functools.partial(inner, *args, **kwargs))

    return call


@corrects_guesses
class AsyncAgenda(Awaited[Agenda]):
    """See ``Agenda``."""

    items = awaited(Agenda.items)
    mention = awaited(Agenda.mention)
    dismiss = awaited(Agenda.dismiss)
    answer = awaited(Agenda.answer)


@corrects_guesses
class AsyncFacts(Awaited[Facts]):
    """See ``Facts``."""

    answer = awaited(Facts.answer)
    conflicts = awaited(Facts.conflicts)
    resolve = awaited(Facts.resolve)
    reopen = awaited(Facts.reopen)
    decisions = awaited(Facts.decisions)
    learned = awaited(Facts.learned)


@corrects_guesses
class AsyncJobs(Awaited[Jobs]):
    """See ``Jobs``."""

    drain = awaited(Jobs.drain)
    worker = awaited(Jobs.worker)
    list = awaited(Jobs.list)
    count = awaited(Jobs.count)


@corrects_guesses
class AsyncSessions(Awaited[Sessions]):
    """See ``Sessions``."""

    start = awaited(Sessions.start)
    rename = awaited(Sessions.rename)
    get = awaited(Sessions.get)
    turns = awaited(Sessions.turns)
    list = awaited(Sessions.list)
    end = awaited(Sessions.end)
    entitle = awaited(Sessions.entitle)
    summarise = awaited(Sessions.summarise)
    end_idle = awaited(Sessions.end_idle)
    forget_empty = awaited(Sessions.forget_empty)


@corrects_guesses
class AsyncDocuments(Awaited[Documents]):
    """See ``Documents``."""

    add = awaited(Documents.add)
    add_text = awaited(Documents.add_text)
    add_bytes = awaited(Documents.add_bytes)
    list = awaited(Documents.list)
    get = awaited(Documents.get)
    text = awaited(Documents.text)
    parent = awaited(Documents.parent)
    search = awaited(Documents.search)
    remove = awaited(Documents.remove)


@corrects_guesses
class AsyncMemoryGraph(Awaited[MemoryGraph]):
    """See ``MemoryGraph``."""

    concepts = awaited(MemoryGraph.concepts)
    facts = awaited(MemoryGraph.facts)
    link = awaited(MemoryGraph.link)
    links = awaited(MemoryGraph.links)
    clusters = awaited(MemoryGraph.clusters)
    acquaintance = awaited(MemoryGraph.acquaintance)


@corrects_guesses
class AsyncLifecycle(Awaited[Lifecycle]):
    """See ``Lifecycle``."""

    tidy = awaited(Lifecycle.tidy)
    untidy = awaited(Lifecycle.untidy)
    relabel = awaited(Lifecycle.relabel)
    thresholds = awaited(Lifecycle.thresholds)
    retrievals = awaited(Lifecycle.retrievals)
    intents = awaited(Lifecycle.intents)
    candidates = awaited(Lifecycle.candidates)


@corrects_guesses
class AsyncStoreUpkeep(Awaited[StoreUpkeep]):
    """See ``StoreUpkeep``."""

    doctor = awaited(StoreUpkeep.doctor)
    backup = awaited(StoreUpkeep.backup)
    residue = awaited(StoreUpkeep.residue)
    screen = awaited(StoreUpkeep.screen)
