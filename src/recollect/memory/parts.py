"""What an open memory is made of; its properties, presets and servers share it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from threading import Event
from typing import TYPE_CHECKING, Self, TypeVar

from recollect.checks import check_id, check_scope
from recollect.errors import ClosedError, NotFoundError
from recollect.protocols import (
    Clock,
    Embedder,
    Entry,
    JobsOf,
    Store,
    TokenCounter,
    no_jobs,
)
from recollect.retrieval.request import read_conditions
from recollect.types import ChangeAction, MemoryRecord, Scope, Within
from recollect.types.filters import EVERYTHING, AllOf, Filter, by_ids

if TYPE_CHECKING:
    from recollect.ingest.add import Indexer
    from recollect.ingest.conversations import Conversations
    from recollect.ingest.labels import Labeller
    from recollect.ingest.messages import Screen
    from recollect.learning.learner import Learner
    from recollect.memory.changes.revise import Reviser
    from recollect.memory.projects import Projects
    from recollect.models.routing import ModelRouter
    from recollect.retrieval.scoring import Scoring
    from recollect.retrieval.search import Recall
    from recollect.text.analyse import Analyser

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The opened store and what reads and writes it.

    For presets and servers that stand on a ``Memory``; programs use its methods.

    Attributes:
        timezone: Where the users are.
        reckoning: Whether questions for a time are answered.
        models: Who extracts facts and writes titles; None without a model.
        conversations: Finds the conversation of words that name no session.
        closed: Set once the memory is closed.
    """

    store: Store
    embedder: Embedder
    analyser: "Analyser"
    timezone: tzinfo
    screen: "Screen"
    count_tokens: TokenCounter
    reckoning: bool
    clock: Clock
    models: "ModelRouter | None"
    indexer: "Indexer"
    labeller: "Labeller"
    reviser: "Reviser"
    conversations: "Conversations"
    recall: "Recall"
    learner: "Learner"
    projects: "Projects"
    closed: Event = field(default_factory=Event)

    def ranked_by(self, scoring: "Scoring") -> Self:
        """The same parts, with the same shadows, whose searches are ranked in another way."""
        return replace(self, recall=self.recall.ranked_by(scoring))

    def close(self) -> None:
        """Give back files and memory; again does nothing."""
        self.learner.workers.close()
        self.closed.set()
        self.recall.forget()
        self.store.close()

    def check_open(self) -> None:
        """Check that the memory is open."""
        if self.closed.is_set():
            raise ClosedError("this memory was closed; open a new one")

    def scope(self, user_id: str, agent_id: str | None = None, session_id: str | None = None) -> Scope:
        """A checked scope of an open memory.

        Raises:
            ClosedError: It was closed.
            InvalidInputError: An id cannot be used.
        """
        self.check_open()
        return check_scope(user_id, agent_id, session_id)

    def known_users(self) -> list[str]:
        """Every user of whom anything is kept."""
        self.check_open()
        return self.store.known_users()

    def seen(self, scope: Scope, within: Within | None) -> Filter:
        """What a question about a scope may see, as a filter: everything without a ``within``."""
        if within is None:
            return EVERYTHING
        return read_conditions(None, None, within, seen=self.projects.seen_by(scope))

    def get(self, memory_id: str, *, user_id: str, within: Within | None = None) -> MemoryRecord:
        """One memory.

        Raises:
            NotFoundError: This user has no memory with this id, or it may not be seen.
        """
        scope, wanted = self.scope(user_id), [check_id("memory_id", memory_id)]
        if within is None:
            (found,) = self.store.get(scope, wanted)
        else:
            where = AllOf((by_ids(wanted), self.seen(scope, within)))
            found = next(iter(self.store.find(scope, where, limit=1)), None)
        return existing(found, memory_id)

    def change(
        self,
        memory_id: str,
        user_id: str,
        change: Callable[[MemoryRecord], Entry],
        *,
        reason: str | None,
        action: ChangeAction = "update",
        jobs: JobsOf = no_jobs,
    ) -> MemoryRecord:
        """Change one memory.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        ids = [check_id("memory_id", memory_id)]
        scope = self.scope(user_id)
        (changed,) = self.store.update(scope, ids, change, action=action, reason=reason, jobs=jobs)
        return existing(changed, memory_id)

    def delete(
        self, scope: Scope, where: Filter, *, reason: str | None, unlearned: Sequence[MemoryRecord] = ()
    ) -> int:
        """Delete matching memories, and facts learned from them alone; return how many matched."""
        jobs = self.learner.after(scope, "delete", unlearned=unlearned)
        deleted = self.store.delete(scope, where, reason=reason, jobs=jobs)
        if deleted:
            self.learner.settle(scope)
        return deleted


def existing(record: _Value | None, memory_id: str) -> _Value:
    """A record that must be there."""
    if record is None:
        raise missing(memory_id)
    return record


def missing(memory_id: str) -> NotFoundError:
    """The error for a memory that is not there."""
    return NotFoundError(f"no memory {memory_id!r} for this user")
