"""The role of a store: ten methods that each store writes, and the rest, which follows from them."""

# ruff: noqa: ARG002  (some defaults need no arguments)

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.protocols.queue import JobStore, TextQueue
from recollect.protocols.rows import Entry, Jobs, ShadowDelta, Statistics, jobs_of
from recollect.protocols.states import LinkStore, TextLinks
from recollect.types import Change, ChangeAction, Job, Link, MemoryRecord, Scope
from recollect.types.clock import utc_now
from recollect.types.filters import EVERYTHING, Filter, by_ids

_SETTINGS: Final = Scope(user_id="\x1fsettings")
_USERS: Final = Scope(user_id="\x1fusers")
"""Whose states the settings and the names of users are. Ids of users are printable: nobody has these."""
_LAST: Final = (1 << 63) - 1
"""A version that no store reaches."""


@runtime_checkable
class Store(Protocol):
    """Keeps memories. All methods are safe to call from several threads.

    A store inherits this class and writes the ten abstract methods. All others have a default that uses those
    ten and is right; a store overrides what it can do faster. See ``docs/inside/add-a-store.md``.

    1. Every method that takes a ``Scope`` sees only that user's memories, narrowed to the scope's
       agent and session when given. An unknown scope is an empty one.
    2. A write is durable, and visible to every later read, when its method returns; it happens
       whole or not at all.
    3. Deleted memories are invisible to everything but ``history``, ``purge``, ``deleted`` and ``recover``.
    4. Every write is entered in the change log in the same transaction.
    5. Errors are those of ``recollect.errors``; a driver's own never escape.
    """

    # What each store writes

    @abstractmethod
    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Jobs = ()) -> list[str]:
        """Store entries in order, in one transaction with the jobs.

        An entry whose idempotency key is already there, or came earlier in the same call, is not
        stored again; nor is one whose key a deleted memory has that is not purged, unless that is a document,
        for those are removed and added again. Turns are numbered on from the thread's last.

        Returns:
            For each entry the id under which it now stands: its own, or the one already there.

        Raises:
            EmbedderMismatchError: A vector's embedder is not the setting ``embedder``, or it has not
                as many dimensions as the setting ``dimensions`` says. ``update`` raises it, too.
        """

    @abstractmethod
    def find(
        self,
        scope: Scope,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[MemoryRecord]:
        """Records that match, ordered by id, at most ``limit``, those after id ``after``.

        With ``newest_first`` in the opposite order; those after an id are then those of lower ids.
        """

    @abstractmethod
    def update(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        action: ChangeAction = "update",
        reason: str | None = None,
        jobs: Jobs = (),
    ) -> list[MemoryRecord | None]:
        """Replace records by what ``change`` makes of them, in one transaction with the jobs.

        ``change`` may read the store, and finds there what no other writer of the user can change meanwhile.

        Returns:
            The new records in the order of ``ids``; None for an id that is not in the scope.
        """

    @abstractmethod
    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None, jobs: Jobs = ()) -> int:
        """Delete what matches, softly, in one transaction with the jobs; returns how many.

        ``purge`` removes it for good.
        """

    @abstractmethod
    def purge(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """Remove what is deleted in the scope, and matches, from every table and index; returns how many.

        The histories of live memories that match lose the words that they had before, too: what was changed,
        when and why stays.
        """

    @abstractmethod
    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        """The changes of one memory, oldest first, also when it is deleted; empty if unknown."""

    @abstractmethod
    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        """What changed for ``scope.user_id`` after version ``since`` (0: everything).

        The scope's agent and session are not applied here: they are columns.
        """

    @abstractmethod
    def states(self, scope: Scope) -> dict[str, str]:
        """The named texts kept for ``scope.user_id``, such as what was learned, in the order of the names."""

    @abstractmethod
    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        """Replace a text by what ``change`` makes of it, in one transaction; None removes it.

        Changes of one user come one after the other, so none is lost. ``purge`` of a whole user, with no
        filter, removes all of the user's texts when no live memory is left.
        """

    @abstractmethod
    def close(self) -> None:
        """Give back files and connections. Calling it again does nothing."""

    def _follow_up(self, scope: Scope, ids: Sequence[str], jobs: Jobs) -> None:
        """The end of ``add``, ``update``, ``delete`` and ``recover``, called inside their transaction.

        It queues the jobs that follow from the write, with ``change_state`` in the same thread. This must be
        part of the transaction. A store with its own queue does not call it.

        Args:
            scope: Whose memories were written.
            ids: Which were stored, changed or deleted.
            jobs: As given to the method.
        """
        if ids and self.state(_USERS, scope.user_id) is None:
            self.change_state(_USERS, scope.user_id, lambda _: "")
        TextQueue(self, clock=utc_now).queue(jobs_of(jobs, ids))

    # What follows from that: reading

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        """The records with these ids, in their order; None for one that is not in the scope."""
        found = {record.id: record for record in self.find(scope, by_ids(ids))}
        return [found.get(memory_id) for memory_id in ids]

    def summaries(self, scope: Scope, ids: Sequence[str], *, whole_up_to: int = 0) -> list[str | None]:
        """What memories say in short, in the order of their ids; None for one that is not in the scope.

        Their summary, else the first ``SUMMARY_CHARACTERS`` of their words. The words themselves are not
        read where a store can do without.

        Args:
            scope: Whose.
            ids: Which.
            whole_up_to: Words of at most so many characters are given as they are.
        """
        found = self.get(scope, ids)
        return [None if record is None else record.brief(whole_up_to=whole_up_to) for record in found]

    def match(self, scope: Scope, where: Filter) -> NDArray[np.int64]:
        """The keys (see ``ShadowRows``) of the memories that match, ascending."""
        found = {record.id for record in self.find(scope, where)}
        keys = self._keys(scope)
        return np.array(sorted(key for memory_id, key in keys.items() if memory_id in found), np.int64)

    def _keys(self, scope: Scope) -> dict[str, int]:
        """The keys of the live memories of a scope, by id."""
        rows = self.shadow(scope, 0).rows
        inside = [
            scope.agent_id in (None, profile.agent) and scope.session_id in (None, profile.session)
            for profile in rows.profiles
        ]
        places = zip(rows.ids, rows.keys.tolist(), rows.profile_of.tolist(), strict=True)
        return {memory_id: key for memory_id, key, profile in places if inside[profile]}

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """How many memories of the scope match."""
        return len(self.find(scope, where))

    def shadow_version(self, scope: Scope) -> int:
        """The version ``shadow`` would lead to now; cheap, called before every search."""
        return self.shadow(scope, _LAST).version

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        """What the memories of ``scope.user_id`` have in common.

        The scope's agent and session are not applied.

        Args:
            scope: Whose memories.
            terms: Hashes as in ``Features.terms``.
        """
        rows = self.shadow(scope, 0).rows
        held, counts = np.unique(rows.terms, return_counts=True)
        known = dict(zip(held.tolist(), counts.tolist(), strict=True))
        return Statistics(
            documents=len(rows.ids),
            frequencies={term: known[term] for term in terms if term in known},
            vector_sum=rows.vectors.sum(axis=0, dtype=np.int64),
        )

    def user_ids(self) -> list[str]:
        """Every user with at least one memory, sorted."""
        users = (Scope(user_id=user) for user in self.states(_USERS))
        return sorted(user.user_id for user in users if self.find(user, EVERYTHING, limit=1))

    def known_users(self) -> list[str]:
        """Every user with a live memory, and, if the store can list them, with states alone; sorted."""
        return self.user_ids()

    def view(self, scope: Scope) -> AbstractContextManager[None]:
        """While it is open, what this thread reads of the user may be of one moment, and come cheaper.

        A thread that writes meanwhile may not find what it wrote. The default does nothing.
        """
        return nullcontext()

    # What follows from that: deleted memories

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        """Deleted memories of the scope that match, by id; at most ``limit``, the last ones.

        The default is for a store in which deleted memories cannot be looked at: there are none.
        """
        return []

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
        return [None for _ in ids]

    def residue(self) -> str | None:
        """Where purged words may still stand and why, in one line; None when nowhere.

        Asking tries again to remove them.
        """
        return None

    # What follows from that: settings, states, links and jobs

    def setting(self, name: str) -> str | None:
        """A fact about the store itself, such as who embedded it."""
        return self.state(_SETTINGS, name)

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        """Set a fact about the store itself; with ``unless_set`` only when it is not there yet."""
        self.change_state(_SETTINGS, name, lambda kept: value if kept is None or not unless_set else kept)

    def state(self, scope: Scope, name: str) -> str | None:
        """What is kept under a name for ``scope.user_id``; None when there is nothing."""
        return self.states(scope).get(name)

    @cached_property
    def _link_table(self) -> LinkStore:
        """Keeps the links; a store that has a table for them sets its own."""
        return TextLinks(self, self._keys)

    @cached_property
    def _job_table(self) -> JobStore:
        """Keeps the jobs; a store that has a queue sets its own."""
        return TextQueue(self, clock=utc_now)

    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        """See ``LinkStore.link``."""
        self._link_table.link(scope, links)

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        """See ``LinkStore.links``."""
        return self._link_table.links(scope, memory_id)

    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        """See ``JobStore.claim_jobs``."""
        return self._job_table.claim_jobs(limit=limit, lease_s=lease_s, early=early)

    def finish_job(self, job_id: int) -> None:
        """See ``JobStore.finish_job``."""
        self._job_table.finish_job(job_id)

    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        """See ``JobStore.fail_job``."""
        self._job_table.fail_job(job_id, error, retry_in_s=retry_in_s)

    def postpone_job(self, job_id: int, *, delay_s: float) -> None:
        """See ``JobStore.postpone_job``."""
        self._job_table.postpone_job(job_id, delay_s=delay_s)

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        """See ``JobStore.jobs``."""
        return self._job_table.jobs(failed=failed, user_id=user_id, after=after, limit=limit)

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        """See ``JobStore.count_jobs``."""
        return self._job_table.count_jobs(user_id=user_id, failed=failed)
