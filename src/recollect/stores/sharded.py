"""Several stores as one: every user lives whole on one of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInputError
from recollect.filters import EVERYTHING, Filter
from recollect.protocols import (
    Entry,
    JobCounts,
    JobStore,
    LinkStore,
    Recovery,
    ShadowDelta,
    ShadowRows,
    StateStore,
    Statistics,
    Store,
    TextSearch,
)
from recollect.types import Change, ChangeAction, Job, Link, MemoryRecord, Scope


@runtime_checkable
class Shard(Store, Recovery, LinkStore, JobStore, JobCounts, StateStore, TextSearch, Protocol):
    """What a store must be able to do to be one of several."""


class ShardedStore:
    """Spreads users over several stores of the same kind, such as PostgreSQL servers.

    A user's memories, links, jobs and states all lie on one shard, so that every promise of ``Store`` holds;
    no transaction spans two. Which one follows from the user's id and the shards' names alone. A shard that
    is down fails its own users; the others go on. Long work (``reembed``, ``doctor``, ``backup``) is done on
    each shard by itself.

    Args:
        shards: The stores by name. Names are part of the users' places: keep them when addresses change.

    Raises:
        InvalidInputError: There are none, or one lacks a power that it needs here.
    """

    def __init__(self, shards: Mapping[str, Store]) -> None:
        if not shards:
            raise InvalidInputError("give at least one shard")
        self._names: Final = tuple(sorted(shards))
        self._shards: Final = tuple(_able(name, shards[name]) for name in self._names)
        self._place = lru_cache(maxsize=65_536)(self._found_place)

    def __repr__(self) -> str:
        return f"ShardedStore({', '.join(self._names)})"

    def shard_of(self, user_id: str) -> str:
        """The name of the shard on which a user lives.

        Rendezvous hashing: with another shard, one user in so many moves there, and nobody else moves. Users
        that move are copied before (``recollect copy``).

        >>> from recollect.stores.memory import InMemoryStore
        >>> two = ShardedStore({"a": InMemoryStore(), "b": InMemoryStore()})
        >>> two.shard_of("ada"), two.shard_of("bob")
        ('a', 'b')
        """
        return self._names[self._place(user_id)]

    def close(self) -> None:
        """See ``Store.close``."""
        for shard in self._shards:
            shard.close()

    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Sequence[Job] = ()) -> list[str]:
        """See ``Store.add``. The jobs are queued on the shard of the scope, whoever they are about."""
        return self._of(scope).add(scope, entries, jobs=jobs)

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        """See ``Store.get``."""
        return self._of(scope).get(scope, ids)

    def summaries(self, scope: Scope, ids: Sequence[str]) -> list[str | None]:
        """See ``Store.summaries``."""
        return self._of(scope).summaries(scope, ids)

    def find(
        self,
        scope: Scope,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[MemoryRecord]:
        """See ``Store.find``."""
        return self._of(scope).find(scope, where, limit=limit, after=after, newest_first=newest_first)

    def match(self, scope: Scope, where: Filter) -> NDArray[np.int64]:
        """See ``Store.match``."""
        return self._of(scope).match(scope, where)

    def update(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        action: ChangeAction = "update",
        reason: str | None = None,
    ) -> list[MemoryRecord | None]:
        """See ``Store.update``."""
        return self._of(scope).update(scope, ids, change, action=action, reason=reason)

    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None) -> int:
        """See ``Store.delete``."""
        return self._of(scope).delete(scope, where, reason=reason)

    def purge(self, scope: Scope) -> int:
        """See ``Store.purge``."""
        return self._of(scope).purge(scope)

    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        """See ``Store.history``."""
        return self._of(scope).history(scope, memory_id)

    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        """See ``Store.shadow``."""
        return self._of(scope).shadow(scope, since)

    def shadow_version(self, scope: Scope) -> int:
        """See ``Store.shadow_version``."""
        return self._of(scope).shadow_version(scope)

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """See ``Store.count``."""
        return self._of(scope).count(scope, where)

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        """See ``Store.statistics``."""
        return self._of(scope).statistics(scope, terms)

    def user_ids(self) -> list[str]:
        """See ``Store.user_ids``. Asks every shard."""
        return sorted(user_id for shard in self._shards for user_id in shard.user_ids())

    def setting(self, name: str) -> str | None:
        """See ``Store.setting``."""
        return self._shards[0].setting(name)

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        """See ``Store.put_setting``. What the first shard has in the end, all have."""
        first, *others = self._shards
        first.put_setting(name, value, unless_set=unless_set)
        kept = first.setting(name)
        for shard in others:
            shard.put_setting(name, value if kept is None else kept)

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        """See ``Recovery.deleted``."""
        return self._of(scope).deleted(scope, where, limit=limit)

    def recover(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        reason: str | None = None,
    ) -> list[MemoryRecord | None]:
        """See ``Recovery.recover``."""
        return self._of(scope).recover(scope, ids, change, reason=reason)

    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        """See ``LinkStore.link``."""
        self._of(scope).link(scope, links)

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        """See ``LinkStore.links``."""
        return self._of(scope).links(scope, memory_id)

    def state(self, scope: Scope, name: str) -> str | None:
        """See ``StateStore.state``."""
        return self._of(scope).state(scope, name)

    def states(self, scope: Scope) -> dict[str, str]:
        """See ``StateStore.states``."""
        return self._of(scope).states(scope)

    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        """See ``StateStore.change_state``."""
        self._of(scope).change_state(scope, name, change)

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """See ``TextSearch.search_text``."""
        return self._of(scope).search_text(scope, stems, limit=limit, where=where)

    def shadow_of(self, scope: Scope, keys: NDArray[np.int64], *, around: int) -> ShadowRows:
        """See ``TextSearch.shadow_of``."""
        return self._of(scope).shadow_of(scope, keys, around=around)

    def claim_jobs(self, *, limit: int, lease_s: float) -> list[Job]:
        """See ``JobStore.claim_jobs``. Each shard gives its oldest, and has its share."""
        claimed: list[Job] = []
        for place, shard in enumerate(self._shards):
            share = -(-(limit - len(claimed)) // (len(self._shards) - place))
            claimed += [self._outside(job, place) for job in shard.claim_jobs(limit=share, lease_s=lease_s)]
        return sorted(claimed, key=_age)

    def finish_job(self, job_id: int) -> None:
        """See ``JobStore.finish_job``."""
        inside, place = divmod(job_id, len(self._shards))
        self._shards[place].finish_job(inside)

    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        """See ``JobStore.fail_job``."""
        inside, place = divmod(job_id, len(self._shards))
        self._shards[place].fail_job(inside, error, retry_in_s=retry_in_s)

    def jobs(self, *, failed: bool = False) -> list[Job]:
        """See ``JobStore.jobs``."""
        found = [
            self._outside(job, place)
            for place, shard in enumerate(self._shards)
            for job in shard.jobs(failed=failed)
        ]
        return sorted(found, key=_age)

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        """See ``JobCounts.count_jobs``."""
        return sum(shard.count_jobs(user_id=user_id, failed=failed) for shard in self._shards)

    def _of(self, scope: Scope) -> Shard:
        return self._shards[self._place(scope.user_id)]

    def _found_place(self, user_id: str) -> int:
        weights = [sha256(f"{name}\0{user_id}".encode()).digest() for name in self._names]
        return weights.index(max(weights))

    def _outside(self, job: Job, place: int) -> Job:
        """A job under the number by which it is known here."""
        return replace(job, id=job.id * len(self._shards) + place)


def _age(job: Job) -> int:
    return job.id


def _able(name: str, store: Store) -> Shard:
    if not isinstance(store, Shard):
        raise InvalidInputError(
            f"the shard {name!r} is no store that keeps jobs, links, states and a text index"
        )
    return store
