"""What some stores can do beside what every store must, and how to ask them for it."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.protocols.rows import Copied, Entry, Features, Health, Jobs, ShadowRows
from recollect.protocols.store import Store
from recollect.types import Job, Link, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, Filter


@runtime_checkable
class Recovery(Protocol):
    """A store whose deleted memories can be looked at and brought back, until they are purged."""

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        """Deleted memories of the scope that match, by id; at most ``limit``, the last ones."""

    def recover(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        reason: str | None = None,
        jobs: Jobs = (),
    ) -> list[MemoryRecord | None]:
        """Bring deleted memories back as ``change`` makes them, with new features.

        It is one transaction with the jobs. They keep their keys and turns. The change log calls it
        ``recover``.

        Returns:
            The records in the order of ``ids``; None for an id that is not among the deleted of the scope.

        Raises:
            InvalidInputError: ``change`` gave another id or scope or no features, or another memory has the
                idempotency key now; nothing was brought back.
        """


@runtime_checkable
class LinkStore(Protocol):
    """A store that keeps links between memories."""

    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        """Add links; one that is there already stays. Both ends must be in the scope.

        Raises:
            NotFoundError: An end is not in the scope; nothing was linked.
        """

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        """The links from and to a memory, by source, target and type; to deleted ones excluded."""


@runtime_checkable
class JobStore(Protocol):
    """A store that keeps a queue of jobs, so that they are queued with the words they are about."""

    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        """Take up to ``limit`` due jobs, oldest first, that nobody holds; they are ours for a while.

        A job whose lease ran out may be claimed again by anyone.

        Args:
            limit: How many at most.
            lease_s: How long they are ours, in seconds.
            early: Whether to take jobs before they are due, too, if nobody took them yet.
        """

    def finish_job(self, job_id: int) -> None:
        """The job is done; it is removed."""

    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        """The job failed: try again after ``retry_in_s``, or never (None) and keep it to be seen."""

    def postpone_job(self, job_id: int, *, delay_s: float) -> None:
        """Give a job back as if nobody had taken it: no attempts, no error, due after ``delay_s`` seconds."""

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        """The jobs waiting or held, oldest first; with ``failed`` those given up.

        Args:
            failed: Which of both.
            user_id: Only those about this user.
            after: Only those with a higher number than this.
            limit: The first so many of them; None for all.
        """


@runtime_checkable
class JobCounts(Protocol):
    """A store that counts its jobs without reading them, for whoever looks often."""

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        """How many jobs ``JobStore.jobs`` would give; with ``user_id`` only those about that user."""


@runtime_checkable
class StateStore(Protocol):
    """A store that keeps what was learned about a user beside the memories, as named texts."""

    def state(self, scope: Scope, name: str) -> str | None:
        """What is kept under a name for ``scope.user_id``; None when there is nothing."""

    def states(self, scope: Scope) -> dict[str, str]:
        """Everything kept for ``scope.user_id``, by name."""

    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        """Replace what is kept by what ``change`` makes of it, inside one transaction; None removes it.

        Changes of one user come one after the other, so none is lost. ``purge`` of a whole user, with no
        filter, removes all of it when no live memory is left.
        """


@runtime_checkable
class TextSearch(Protocol):
    """A store with a text index of its own, for scopes too large to hold a shadow of."""

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """Keys of the memories that hold any stem and match the filter, best first by BM25."""

    def shadow_of(self, scope: Scope, keys: NDArray[np.int64], *, around: int) -> ShadowRows:
        """The columns of these memories and of ``around`` neighbours on each side in their threads."""


@runtime_checkable
class CandidateSearch(Protocol):
    """A store that finds by words and by vector at once, and the neighbours with them, in one trip."""

    def search_candidates(
        self,
        scope: Scope,
        stems: Sequence[str],
        vector: NDArray[np.float32],
        *,
        limit: int,
        around: int,
        where: Filter = EVERYTHING,
    ) -> ShadowRows:
        """What ``shadow_of`` gives of all that ``search_text`` and ``search_vector`` find, ``limit`` each."""


@runtime_checkable
class VectorSearch(Protocol):
    """A store with a vector index of its own, beside a text index, for scopes too large to shadow."""

    def search_vector(
        self, scope: Scope, vector: NDArray[np.float32], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """Keys of the memories that match the filter, most alike by cosine first; an index may miss some.

        Args:
            scope: Whose.
            vector: ``float32`` of shape ``(dim,)``; there is nothing like zeros.
            limit: How many.
            where: What they match.
        """


@runtime_checkable
class VectorMaintenance(Protocol):
    """A store whose vectors can be made anew while it is in use."""

    def unstaged(self, name: str, *, limit: int, after: int = 0) -> list[tuple[int, str]]:
        """Keys and contents that have no staged vector of embedder ``name`` yet, by key.

        At most ``limit``, of keys above ``after``: whoever gives the last key he got reads no memory twice.
        """

    def stage_vectors(self, name: str, vectors: Sequence[tuple[int, str, bytes]]) -> None:
        """Keep new vectors aside, each given by its key, the words it was made of, and its bytes.

        One is passed over when its memory is gone, or has other words by now. Those staged for another name,
        or of another size, are dropped.
        """

    def promote_vectors(self, name: str, *, dim: int) -> bool:
        """Make the staged vectors the store's own, at once; False when some are still missing."""

    def vector_progress(self, name: str) -> tuple[int, int]:
        """How many vectors are staged for ``name``, and how many are needed."""


@runtime_checkable
class Viewing(Protocol):
    """A store to which several reads together come cheaper than one by one."""

    def view(self, scope: Scope) -> AbstractContextManager[None]:
        """While it is open, what this thread reads of the user is of one moment.

        Not for a thread that writes meanwhile: it would not find what it wrote.
        """


def viewing(store: Store, scope: Scope) -> AbstractContextManager[None]:
    """A view of a store that has views; else nothing."""
    return store.view(scope) if _views(type(store)) else nullcontext()  # type: ignore[attr-defined]


@cache
def _views(kind: type) -> bool:
    """Whether stores of a type have views: asked with every ``add`` and search, and 24 us to find out."""
    return issubclass(kind, Viewing)


@runtime_checkable
class Residue(Protocol):
    """A store from whose files purged words cannot always be removed at once."""

    def residue(self) -> str | None:
        """Where purged words may still stand and why, in one line; None when nowhere.

        Asking tries again to remove them.
        """


@runtime_checkable
class Maintenance(Protocol):
    """A store that can be checked, mended and copied."""

    def check(self) -> Health:
        """Look for damage and for indexes that disagree with the memories; changes nothing."""

    def rebuild(self, make: Callable[[Sequence[MemoryRecord]], Sequence[Features]]) -> int:
        """Make every index anew from the words; returns how many memories were indexed."""

    def compact(self) -> None:
        """Make the indexes small and fast again; changes nothing that is found."""

    def backup(self, path: Path) -> None:
        """Copy the whole store to a new file while it is in use."""


@runtime_checkable
class Copying(Protocol):
    """A store whose memories can be moved into another store, and that takes them, as they are."""

    def known_users(self) -> list[str]:
        """Every user of whom a memory lives or something learned is kept, sorted."""

    def dump(self, scope: Scope, *, after: int, limit: int) -> list[Copied]:
        """The live memories of the scope in the order of their keys, at most ``limit``.

        Args:
            scope: Whose.
            after: Only keys above this one; 0 for all.
            limit: How many.

        Raises:
            StoreCorruptError: A memory has no features; nothing is left out in silence.
        """

    def restore(self, scope: Scope, copies: Sequence[Copied]) -> int:
        """Store memories as they are, with turn, times, features and history, in one transaction.

        One whose id is there already, even deleted, is passed over. Keys are given anew, in the order
        of ``copies``. Links are left to ``LinkStore.link``: their other ends may come later.

        Returns:
            How many were new.

        Raises:
            InvalidInputError: One lies outside the scope, has no history, or has the idempotency key of
                another memory; nothing was stored.
            EmbedderMismatchError: As in ``Store.add``.
        """


def propose(
    store: TextSearch,
    scope: Scope,
    stems: Sequence[str],
    vector: NDArray[np.float32],
    *,
    limit: int,
    around: int,
    where: Filter,
) -> ShadowRows:
    """What a store finds by words, and by vector if it can, with neighbours; in one trip if it can.

    Arguments as in ``CandidateSearch.search_candidates``.
    """
    if isinstance(store, CandidateSearch):
        return store.search_candidates(scope, stems, vector, limit=limit, around=around, where=where)
    keys = store.search_text(scope, stems, limit=limit, where=where)
    if isinstance(store, VectorSearch):
        keys = np.union1d(keys, store.search_vector(scope, vector, limit=limit, where=where))
    return store.shadow_of(scope, keys, around=around)
