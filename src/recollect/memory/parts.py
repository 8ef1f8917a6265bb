"""What every part of ``Memory`` stands on: the open store and what reads and writes it."""

from collections.abc import Callable, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, TypeVar

from recollect.checks import check_id, check_scope
from recollect.errors import ClosedError, NotFoundError
from recollect.ingest.add import Indexer
from recollect.ingest.labels import Labeller
from recollect.ingest.messages import Screen
from recollect.learning.learner import Learner
from recollect.memory.changes.revise import Reviser
from recollect.protocols import Clock, Embedder, Entry, JobsOf, Store, no_jobs
from recollect.retrieval.search import Recall
from recollect.text.analyse import Analyser
from recollect.types import ChangeAction, MemoryRecord, Scope
from recollect.types.filters import Filter

if TYPE_CHECKING:
    from recollect.models.routing import ModelRouter


_Value = TypeVar("_Value")


class Opened:
    """The inside of ``Memory``: what its parts share."""

    _store: Store
    _clock: Clock
    _closed: bool
    _timezone: tzinfo
    _embedder: Embedder
    _analyser: Analyser
    _indexer: Indexer
    _labeller: Labeller
    _screen: Screen
    _recall: Recall
    _reviser: Reviser
    _learner: Learner
    models: "ModelRouter | None"

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("this memory was closed; open a new one")

    def _scope(self, user_id: str, agent_id: str | None = None, session_id: str | None = None) -> Scope:
        self._check_open()
        return check_scope(user_id, agent_id, session_id)

    def _known_users(self) -> list[str]:
        """Every user of whom anything is kept."""
        self._check_open()
        return self._store.known_users()

    def _change(
        self,
        memory_id: str,
        user_id: str,
        change: Callable[[MemoryRecord], Entry],
        *,
        reason: str | None,
        action: ChangeAction = "update",
        jobs: JobsOf = no_jobs,
    ) -> MemoryRecord:
        scope = self._scope(user_id)
        (changed,) = self._store.update(
            scope,
            [check_id("memory_id", memory_id)],
            change,
            action=action,
            reason=reason,
            jobs=jobs,
        )
        return existing(changed, memory_id)

    def _delete(
        self, scope: Scope, where: Filter, *, reason: str | None, unlearned: Sequence[MemoryRecord] = ()
    ) -> int:
        """Delete what matches, and what was learned from that alone."""
        jobs = self._learner.after(scope, "delete", unlearned=unlearned)
        deleted = self._store.delete(scope, where, reason=reason, jobs=jobs)
        if deleted:
            self._learner.settle(scope)
        return deleted


def existing(record: _Value | None, memory_id: str) -> _Value:
    """A record that must be there."""
    if record is None:
        raise missing(memory_id)
    return record


def missing(memory_id: str) -> NotFoundError:
    """The error for a memory that is not there."""
    return NotFoundError(f"no memory {memory_id!r} for this user")
