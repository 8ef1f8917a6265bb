"""Several stores as one: every user lives whole on one of them."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache, wraps
from hashlib import sha256
from itertools import cycle
from threading import Lock
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.errors import ClosedError, StoreError
from recollect.protocols import (
    Census,
    Copying,
    Entry,
    Jobs,
    ShadowRows,
    Store,
    TextSearch,
    propose,
)
from recollect.protocols.delegation import of_part
from recollect.stores.sharded.members import REST_S, Given, Members, Shard, check_shards, like
from recollect.types import Job, Scope
from recollect.types.filters import EVERYTHING, Filter

_LOG: Final = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")


def _by_user(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """A method that the shard of the scope's user carries out."""

    @wraps(method, updated=())
    def call(self: "ShardedStore", /, *args: P.args, **kwargs: P.kwargs) -> T:
        scope: Any = args[0] if args else kwargs["scope"]
        found: T = getattr(self._of(scope), method.__name__)(*args, **kwargs)
        return found

    return call


class ShardedStore(Store):
    """Spreads users over several stores of the same kind, such as PostgreSQL servers.

    All data of a user is on one shard, which follows from the user's id and the shards' names; no transaction
    spans two. If a shard is down, calls about its users fail, and so do calls about all users (``user_ids``,
    ``jobs``, ``count_jobs``); other users and the workers go on. ``reembed``, ``doctor`` and ``backup`` are
    for each shard by itself.

    A shard is a store, its path or URL, or a function that opens it. One that does not answer is opened
    later: its users get a ``StoreError`` until then, and one caller in ten seconds tries.

    Every store remembers its own name and those of all, and is refused under another name or among others,
    where users would not be found. To change the names, copy into new stores with
    ``recollect.memory.maintenance.copy_store``. Settings that shards must share, such as the embedder, are
    compared when they are opened; a shard that is refused later does not answer.

    Args:
        shards: The stores by name. Keep the names when addresses change: they decide where users are.
        monotonic: Seconds of a clock that never goes back.

    Raises:
        InvalidInputError: There are no stores, a name is invalid or not the store's own, a store is given
            twice or lacks a power that is needed here; nothing was stored.
        EmbedderMismatchError: Two were made with different embedders.
        StoreError: None answers.
    """

    def __init__(
        self, shards: Mapping[str, Given], *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._place = lru_cache(maxsize=65_536)(self._found_place)
        self._names: Final = check_shards(shards)
        self._shards: Final = Members(shards, home=self._found_place, monotonic=monotonic)
        self._turn: Final = cycle(range(len(self._names)))
        self._monotonic = monotonic
        self._lock = Lock()
        self._resting: dict[int, float] = {}

    def __repr__(self) -> str:
        return f"ShardedStore({', '.join(self._names)})"

    def shard_of(self, user_id: str) -> str:
        """The name of the shard on which a user lives.

        Rendezvous hashing: it follows from the user's id and the names of the shards, in whatever order.

        >>> from recollect.stores.reference.store import InMemoryStore
        >>> two = ShardedStore({"a": InMemoryStore(), "b": InMemoryStore()})
        >>> two.shard_of("ada"), two.shard_of("bob")
        ('a', 'b')
        """
        return self._names[self._place(user_id)]

    close = of_part("_shards", Store.close)
    get = _by_user(Store.get)
    summaries = _by_user(Store.summaries)
    find = _by_user(Store.find)
    match = _by_user(Store.match)
    update = _by_user(Store.update)
    delete = _by_user(Store.delete)
    purge = _by_user(Store.purge)
    history = _by_user(Store.history)
    shadow = _by_user(Store.shadow)
    shadow_version = _by_user(Store.shadow_version)
    count = _by_user(Store.count)
    statistics = _by_user(Store.statistics)
    view = _by_user(Store.view)
    deleted = _by_user(Store.deleted)
    recover = _by_user(Store.recover)
    link = _by_user(Store.link)
    links = _by_user(Store.links)
    state = _by_user(Store.state)
    states = _by_user(Store.states)
    change_state = _by_user(Store.change_state)
    search_text = _by_user(TextSearch.search_text)
    shadow_of = _by_user(TextSearch.shadow_of)
    dump = _by_user(Copying.dump)
    restore = _by_user(Copying.restore)

    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Jobs = ()) -> list[str]:
        """See ``Store.add``. The jobs are queued on the shard of the scope, whichever user they are about."""
        return self._of(scope).add(scope, entries, jobs=jobs)

    def user_ids(self) -> list[str]:
        """See ``Store.user_ids``. Asks every shard."""
        return sorted(
            user_id for found in self._of_all(lambda _, shard: shard.user_ids()) for user_id in found
        )

    def census(
        self, scope: Scope | None, where: Filter = EVERYTHING, *, since: Sequence[datetime] = ()
    ) -> Census:
        """See ``Store.census``. Asks every shard where no scope is given."""
        if scope is not None:
            return self._of(scope).census(scope, where, since=since)
        return Census.joined(self._of_all(lambda _, shard: shard.census(None, since=since)))

    def setting(self, name: str) -> str | None:
        """See ``Store.setting``. The first shard says it; while that does not answer, the others.

        Raises:
            StoreError: None answers, or the first does not and the others disagree.
        """
        said: set[str | None] = set()
        for place, value in self._answers(lambda place, _: self._shards[place].setting(name)):
            if place == 0:
                return value
            said.add(value)
        if len(said) > 1:
            raise StoreError(
                f"the shard {self._names[0]!r} does not answer, and the others disagree about the setting "
                f"{name!r}; bring it back"
            )
        return said.pop()

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        """See ``Store.put_setting``. All shards get the value that the first one has in the end.

        Raises:
            StoreError: A shard does not answer; nothing was written. If one fails during the write, those
                before it have the value: call it again.
        """
        why = f"all keep the setting {name!r}, which the first memory makes; nothing was written"
        self._of_all(lambda _, shard: shard.setting(name), why=why)
        first = self._shards[0]
        first.put_setting(name, value, unless_set=unless_set)
        kept = first.setting(name)
        for place in range(1, len(self._names)):
            self._shards[place].put_setting(name, value if kept is None else kept)

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
        """See ``CandidateSearch.search_candidates``. By words alone on a shard that has no vector index."""
        return propose(self._of(scope), scope, stems, vector, limit=limit, around=around, where=where)

    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        """See ``Store.claim_jobs``. Each shard that answers gives its share of its oldest jobs.

        Calls start at a different shard each time, so that no shard's jobs starve.

        Raises:
            StoreError: None answers.
        """
        claimed: list[Job] = []

        def claim(place: int, left: int) -> list[Job]:
            share = -(-(limit - len(claimed)) // left)
            return self._shards[place].claim_jobs(limit=share, lease_s=lease_s, early=early)

        for place, jobs in self._answers(claim, first=next(self._turn)):
            claimed += [self._outside(job, place) for job in jobs]
            if len(claimed) >= limit:
                break
        return sorted(claimed, key=_age)

    def finish_job(self, job_id: int) -> None:
        inside, place = divmod(job_id, len(self._names))
        self._shards[place].finish_job(inside)

    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        inside, place = divmod(job_id, len(self._names))
        self._shards[place].fail_job(inside, error, retry_in_s=retry_in_s)

    def postpone_job(self, job_id: int, *, delay_s: float) -> None:
        inside, place = divmod(job_id, len(self._names))
        self._shards[place].postpone_job(inside, delay_s=delay_s)

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        """See ``Store.jobs``. Asks every shard."""
        count = len(self._names)
        found = self._of_all(
            lambda place, shard: shard.jobs(
                failed=failed, user_id=user_id, after=(after - place) // count, limit=limit
            )
        )
        told = (self._outside(job, place) for place, jobs in enumerate(found) for job in jobs)
        return sorted(told, key=_age)[:limit]

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        """See ``Store.count_jobs``. Asks every shard: a job may lie on another user's."""
        return sum(self._of_all(lambda _, shard: shard.count_jobs(user_id=user_id, failed=failed)))

    def known_users(self) -> list[str]:
        """See ``Store.known_users``. Asks every shard."""
        known = self._of_all(lambda _, shard: shard.known_users())
        return sorted(user_id for users in known for user_id in users)

    def _of_all(
        self,
        ask: Callable[[int, Shard], T],
        *,
        why: str = "without it the answer would be wrong",
    ) -> list[T]:
        """What every shard answers, in order; told its place. The error says why none may be missing."""
        answers = []
        for place, name in enumerate(self._names):
            try:
                answers.append(ask(place, self._shards[place]))
            except StoreError as error:
                raise like(
                    error,
                    f"the shard {name!r} does not answer, and {why}: {error}",
                ) from error
        return answers

    def _answers(self, ask: Callable[[int, int], T], *, first: int = 0) -> Iterator[tuple[int, T]]:
        """Answers in order from the shard ``first`` on; shards that failed a while ago are not asked."""
        answered = False
        failure: StoreError | ClosedError | None = None
        order = [*range(first, len(self._names)), *range(first)]
        for place in self._places(order):
            later = order[order.index(place) + 1 :]
            left = 1 + sum(other not in self._resting for other in later)
            try:
                answer = ask(place, left)
            except (StoreError, ClosedError) as error:
                self._rest(place, error)
                failure = error
            else:
                with self._lock:
                    self._resting.pop(place, None)
                answered = True
                yield place, answer
        if failure is not None and not answered:
            raise failure

    def _places(self, order: Sequence[int]) -> Iterator[int]:
        """The shards to ask: those that do not rest, or all when all do."""
        asked = False
        for place in order:
            if self._is_awake(place):
                asked = True
                yield place
        if not asked:
            yield from order

    def _is_awake(self, place: int) -> bool:
        """Whether to ask a shard. After its rest one caller finds out how it is, and the others go on."""
        now = self._monotonic()
        with self._lock:
            until = self._resting.get(place)
            if until is None:
                return True
            if now >= until:
                self._resting[place] = now + REST_S
            return now >= until

    def _rest(self, place: int, error: Exception) -> None:
        with self._lock:
            known = place in self._resting
            self._resting[place] = self._monotonic() + REST_S
        if not known:
            name = self._names[place]
            _LOG.warning("the shard %r does not answer; the others go on without it: %s", name, error)

    def _of(self, scope: Scope) -> Shard:
        return self._shards[self._place(scope.user_id)]

    def _found_place(self, user_id: str) -> int:
        weights = [sha256(f"{name}\0{user_id}".encode()).digest() for name in self._names]
        return weights.index(max(weights))

    def _outside(self, job: Job, place: int) -> Job:
        """A job under the number by which it is known here."""
        return replace(job, id=job.id * len(self._names) + place)


def _age(job: Job) -> int:
    return job.id
