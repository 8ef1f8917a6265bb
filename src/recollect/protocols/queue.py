"""Queues of jobs: the role, its rules, and a queue kept as one text for stores without one of their own."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from recollect.protocols.roles import Clock
from recollect.protocols.states import StateStore
from recollect.types import Job, Scope

T = TypeVar("T")

_OWNER: Final = Scope(user_id="\x1fjobs")
"""Whose state the text is. Ids of users are printable, so nobody has this one."""


@runtime_checkable
class JobStore(Protocol):
    """A queue of jobs."""

    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        """Claim up to ``limit`` due jobs that nobody holds, oldest first, for ``lease_s`` seconds.

        A job whose lease ran out may be claimed again by anyone. With ``early`` also jobs that are not due
        yet are claimed, if nobody claimed them before.
        """

    def finish_job(self, job_id: int) -> None:
        """Remove a job that is done."""

    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        """Give a failed job back: to be tried again after ``retry_in_s`` seconds, or never (None).

        A job that is given up stays in the list of failed jobs.
        """

    def postpone_job(self, job_id: int, *, delay_s: float) -> None:
        """Give a job back as if nobody had taken it: no attempts, no error, due after ``delay_s`` seconds."""

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        """The jobs that wait or are held, oldest first; with ``failed`` those given up.

        Only those of ``user_id``, with numbers above ``after``, at most ``limit`` (None: all).
        """

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        """How many jobs ``jobs`` would give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldJob:
    """A job with the moment from which it may be claimed; None when it was given up."""

    job: Job
    free_from: datetime | None

    def is_free(self, now: datetime, *, early: bool) -> bool:
        """Whether it may be claimed; with ``early`` also before it is due, if nobody took it yet."""
        return self.free_from is not None and (self.free_from <= now or (early and not self.job.attempts))

    def waits_as(self, job: Job) -> bool:
        """Whether it has the task and scope of a job that is to be queued, and nobody took it yet."""
        same = (self.job.task, self.job.scope) == (job.task, job.scope)
        return same and self.free_from is not None and not self.job.attempts


class HeldTable(Protocol):
    """Jobs by their numbers, in that order."""

    def get(self, key: int, /) -> HeldJob | None:
        """The job of a number."""

    def values(self) -> Any:
        """All jobs."""

    def put(self, key: int, value: HeldJob) -> None:
        """Set the job of a number."""

    def drop(self, key: int) -> None:
        """Remove a job; one that is gone already stays gone."""


class QueueRules:
    """What the methods of a queue do to a table of jobs at the moment ``now``."""

    def __init__(self, table: HeldTable, now: datetime) -> None:
        self._table = table
        self._now = now

    def queue(self, jobs: Sequence[Job], *, number: Callable[[], int]) -> None:
        """Add jobs; ``number`` gives each a number that no job had before."""
        for job in jobs:
            due = self._in(job.delay_s)
            known = next((held for held in self._table.values() if job.once and held.waits_as(job)), None)
            if known is None or (known.free_from and due < known.free_from):
                place = number() if known is None else known.job.id
                queued = replace(job, id=place, delay_s=0.0, once=False)
                self._table.put(place, HeldJob(job=queued, free_from=due))

    def claim(self, *, limit: int, lease_s: float, early: bool) -> list[Job]:
        """See ``JobStore.claim_jobs``."""
        free = (held.job for held in self._table.values() if held.is_free(self._now, early=early))
        claimed = [replace(job, attempts=job.attempts + 1) for job in islice(free, limit)]
        for job in claimed:
            self._table.put(job.id, HeldJob(job=job, free_from=self._in(lease_s)))
        return claimed

    def fail(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        """See ``JobStore.fail_job``."""
        if held := self._table.get(job_id):
            later = None if retry_in_s is None else self._in(retry_in_s)
            self._table.put(job_id, HeldJob(job=replace(held.job, error=error), free_from=later))

    def postpone(self, job_id: int, *, delay_s: float) -> None:
        """See ``JobStore.postpone_job``."""
        if held := self._table.get(job_id):
            fresh = replace(held.job, attempts=0, error=None)
            self._table.put(job_id, HeldJob(job=fresh, free_from=self._in(delay_s)))

    def listed(self, *, failed: bool, user_id: str | None, after: int, limit: int | None) -> list[Job]:
        """See ``JobStore.jobs``."""
        found = (
            held.job
            for held in self._table.values()
            if (held.free_from is None) == failed
            and held.job.id > after
            and user_id in (None, held.job.scope.user_id)
        )
        return list(islice(found, limit))

    def _in(self, seconds: float) -> datetime:
        return self._now + timedelta(seconds=seconds)


class TextQueue:
    """A queue kept as one text among the states of a store. Every change writes all waiting jobs."""

    def __init__(self, states: StateStore, *, clock: Clock) -> None:
        self._states = states
        self._clock = clock

    def queue(self, jobs: Sequence[Job]) -> None:
        """Add jobs; called inside the transaction of the write that they belong to."""
        if jobs:
            self._change(lambda table: self._rules(table).queue(jobs, number=table.next))

    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        """See ``JobStore.claim_jobs``."""
        return self._change(lambda table: self._rules(table).claim(limit=limit, lease_s=lease_s, early=early))

    def finish_job(self, job_id: int) -> None:
        """See ``JobStore.finish_job``."""
        self._change(lambda table: table.drop(job_id))

    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        """See ``JobStore.fail_job``."""
        self._change(lambda table: self._rules(table).fail(job_id, error, retry_in_s=retry_in_s))

    def postpone_job(self, job_id: int, *, delay_s: float) -> None:
        """See ``JobStore.postpone_job``."""
        self._change(lambda table: self._rules(table).postpone(job_id, delay_s=delay_s))

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        """See ``JobStore.jobs``."""
        table = _Table.read(self._states.state(_OWNER, "queue"))
        return self._rules(table).listed(failed=failed, user_id=user_id, after=after, limit=limit)

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        """See ``JobStore.count_jobs``."""
        return len(self.jobs(user_id=user_id, failed=failed))

    def _rules(self, table: "_Table") -> QueueRules:
        return QueueRules(table, self._clock())

    def _change(self, step: Callable[["_Table"], T]) -> T:
        done: list[T] = []

        def change(text: str | None) -> str:
            table = _Table.read(text)
            done.append(step(table))
            return table.written()

        self._states.change_state(_OWNER, "queue", change)
        return done[-1]


class _Table(dict[int, HeldJob]):
    """The jobs of a text, and the number given last."""

    last = 0

    @classmethod
    def read(cls, text: str | None) -> "_Table":
        table = cls()
        if text is not None:
            data = json.loads(text)
            table.last = data["last"]
            table.update({item["id"]: held_from_json(item) for item in data["jobs"]})
        return table

    def written(self) -> str:
        return json.dumps({"last": self.last, "jobs": [held_to_json(held) for held in self.values()]})

    def next(self) -> int:
        self.last += 1
        return self.last

    def put(self, key: int, value: HeldJob) -> None:
        self[key] = value

    def drop(self, key: int) -> None:
        self.pop(key, None)


def held_to_json(held: HeldJob) -> dict[str, Any]:
    """A job as plain JSON values."""
    job, free = held.job, held.free_from
    return {
        "task": job.task,
        "scope": [job.scope.user_id, job.scope.agent_id, job.scope.session_id],
        "payload": job.payload,
        "id": job.id,
        "attempts": job.attempts,
        "error": job.error,
        "free_from": None if free is None else free.isoformat(),
    }


def held_from_json(data: Mapping[str, Any]) -> HeldJob:
    """The job that ``held_to_json`` wrote.

    Raises:
        KeyError, TypeError, ValueError: The mapping is not such a job.
    """
    user_id, agent_id, session_id = data["scope"]
    scope = Scope(user_id=user_id, agent_id=agent_id, session_id=session_id)
    free = data["free_from"]
    job = Job(**{name: value for name, value in data.items() if name != "free_from"} | {"scope": scope})
    return HeldJob(job=job, free_from=None if free is None else datetime.fromisoformat(free))
