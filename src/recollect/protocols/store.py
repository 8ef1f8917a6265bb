"""The role of a store: ten methods that each store writes, and the rest, which follows from them."""

# ruff: noqa: ARG002  (some defaults need no arguments)

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from functools import cached_property
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.protocols.queue import JobStore, TextQueue
from recollect.protocols.rows import Census, Entry, Jobs, Moment, ShadowDelta, Statistics, jobs_of
from recollect.protocols.states import LinkStore, TextLinks
from recollect.types import KINDS, TIERS, Change, ChangeAction, Job, Link, MemoryRecord, Scope
from recollect.types.clock import utc_now
from recollect.types.filters import EVERYTHING, AllOf, Filter, Operator, Test, by_ids

_SETTINGS: Final = Scope(user_id="\x1fsettings")
_USERS: Final = Scope(user_id="\x1fusers")
"""Whose states the settings and the names of users are. Ids of users are printable: nobody has these."""
_LAST: Final = (1 << 63) - 1
"""A version that no store reaches."""


@runtime_checkable
class Store(Protocol):
    """Keeps memories. All methods are safe to call from several threads.

    A store inherits this class and writes the ten abstract methods. Every other method has a correct default
    that uses those ten; a store overrides what it can do faster. See ``docs/inside/add-a-store.md``.

    1. Every method that takes a ``Scope`` sees only that user's memories, narrowed to the scope's
       agent and session when given. An unknown scope is empty.
    2. When a write returns, it is durable and visible to every later read. It happens completely or not
       at all.
    3. Deleted memories are invisible to everything but ``history``, ``purge``, ``deleted`` and ``recover``.
    4. Every write is entered in the change log in the same transaction.
    5. Methods raise errors of ``recollect.errors`` only, never those of a driver.
    """

    # What each store writes

    @abstractmethod
    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Jobs = ()) -> list[str]:
        """Store entries in order, and queue the jobs, in one transaction.

        An entry is not stored again when its idempotency key belongs to a stored memory, to an earlier entry
        of the call, or to a deleted memory that is not purged. Deleted documents do not count: they are
        removed and added again. Turns continue the numbers of their thread.

        Returns:
            For each entry its id, or the id of the memory that has its idempotency key.

        Raises:
            EmbedderMismatchError: A vector is not by the embedder in the setting ``embedder``, or has other
                dimensions than the setting ``dimensions`` says. ``update`` raises it, too.
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
        """Records that match, ascending by id, or descending with ``newest_first``.

        At most ``limit`` (None: all), and only those after the id ``after`` in that order.
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
        """Replace records by what ``change`` makes of them, and queue the jobs, in one transaction.

        ``change`` may read the store. No other writer changes the user's memories meanwhile.

        Returns:
            The new records in the order of ``ids``; None for an id that is not in the scope.
        """

    @abstractmethod
    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None, jobs: Jobs = ()) -> int:
        """Mark what matches as deleted, and queue the jobs, in one transaction; returns how many.

        ``purge`` removes it for good.
        """

    @abstractmethod
    def purge(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """Remove deleted memories that match from every table and index; returns how many.

        Live memories that match lose the former words in their histories; what, when and why stays.
        """

    @abstractmethod
    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        """The changes of a memory, deleted or not, oldest first; empty for an unknown one."""

    @abstractmethod
    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        """What changed for ``scope.user_id`` after version ``since`` (0: everything).

        The scope's agent and session are not applied: they are columns.
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
        """Close files and connections. Calling it again does nothing."""

    def _follow_up(self, scope: Scope, ids: Sequence[str], jobs: Jobs) -> None:
        """The end of ``add``, ``update``, ``delete`` and ``recover`` of ``ids``, in their transaction.

        It queues the jobs that follow from the write, with ``change_state`` in the same thread. A store with
        its own queue does not call it.
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
        """Short texts of memories, in the order of ``ids``; None for one that is not in the scope.

        A short text is the summary, else the first ``SUMMARY_CHARACTERS`` of the words; words of at most
        ``whole_up_to`` characters are returned whole.
        """
        found = self.get(scope, ids)
        return [None if record is None else record.brief(whole_up_to=whole_up_to) for record in found]

    def moments(self, scope: Scope, where: Filter) -> list[Moment]:
        """When the memories that match happened, in any order."""
        found = self.find(scope, where)
        return [Moment(record.times.happened_at, record.id, record.kind) for record in found]

    def sketches(self, scope: Scope, where: Filter) -> list[MemoryRecord]:
        """Records that match, in any order, of which only some fields are meant; a store may read no others.

        They are ``id``, ``kind``, ``content``, ``metadata``, ``origin.role``, ``origin.sources`` and
        ``labels.category``.
        """
        return self.find(scope, where)

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

    def census(
        self, scope: Scope | None, where: Filter = EVERYTHING, *, since: Sequence[datetime] = ()
    ) -> Census:
        """The memories that match, counted by kind and tier, and those stored since some moments.

        Of a scope, or with None of everyone.
        """
        scopes = [Scope(user_id=one) for one in self.user_ids()] if scope is None else [scope]
        nothing = Census(users=0, kinds={}, tiers={}, since=[0] * len(since))
        return Census.joined([nothing, *(self._census(one, where, since) for one in scopes)])

    def _census(self, scope: Scope, where: Filter, since: Sequence[datetime]) -> Census:
        def counted(field: str, operator: Operator, value: str | datetime) -> int:
            test = Test(field, in_metadata=False, operator=operator, value=value)
            return self.count(scope, AllOf((where, test)))

        kinds: dict[str, int] = {kind: counted("kind", "eq", kind) for kind in KINDS}
        return Census(
            users=int(any(kinds.values())),
            kinds=kinds,
            tiers={tier: counted("tier", "eq", tier) for tier in TIERS},
            since=[counted("created_at", "gte", moment) for moment in since],
        )

    def shadow_version(self, scope: Scope) -> int:
        """The version that ``shadow`` would return now. Called before every search, so it should be cheap."""
        return self.shadow(scope, _LAST).version

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        """Counts over all memories of ``scope.user_id``, whatever their agent and session.

        ``terms`` are hashes as in ``Features.terms``.
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
        """Every user with a live memory, sorted; also users with states alone if the store can list them."""
        return self.user_ids()

    def view(self, scope: Scope) -> AbstractContextManager[None]:
        """A context in which the reads of this thread see one moment, and may be cheaper.

        Do not write in it: such writes may not be visible to its reads. The default does nothing.
        """
        return nullcontext()

    # What follows from that: deleted memories

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        """Deleted memories of the scope that match, ascending by id; with ``limit`` only the last ones.

        The default returns none: such a store does not bring deleted memories back.
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
        """Bring deleted memories back as ``change`` makes them, and queue the jobs, in one transaction.

        They keep their keys and turns. ``change`` gives them new features. The change log says ``recover``.

        Returns:
            The records in the order of ``ids``; None for an id that is not among the deleted of the scope.

        Raises:
            InvalidInputError: ``change`` gave another id or scope or no features, or another memory has the
                idempotency key now; nothing was brought back.
        """
        return [None for _ in ids]

    def residue(self) -> str | None:
        """Where purged words may still be on disk and why, in one line; None when nowhere.

        The call first tries again to remove them.
        """
        return None

    # What follows from that: settings, states, links and jobs

    def setting(self, name: str) -> str | None:
        """A setting of the store itself, such as the name of its embedder."""
        return self.state(_SETTINGS, name)

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        """Set a setting of the store itself; with ``unless_set`` only when it has no value yet."""
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
