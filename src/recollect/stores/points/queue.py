"""Links between memories, jobs waiting for a worker, and what was learned about a user."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from recollect.errors import NotFoundError, StoreBusyError
from recollect.protocols import Clock, Jobs, jobs_of
from recollect.stores.points.connection import Point
from recollect.stores.points.journal import Write
from recollect.stores.points.ledger import PointLedger
from recollect.stores.points.points import point_id
from recollect.stores.points.user import Ends
from recollect.stores.sql.rows import dump, job_of
from recollect.types import Job, Link, Scope
from recollect.types.codec import to_micros


class PointLinkTable:
    """The part of the store that keeps links."""

    def __init__(self, ledger: PointLedger) -> None:
        self._ledger = ledger

    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            keys = {row.id: row.key for row in user.live(scope)}
            for end in (end for link in links for end in (link.source_id, link.target_id)):
                if end not in keys:
                    raise NotFoundError(f"no memory {end!r} in this scope; nothing was linked")
            wanted = {(keys[link.source_id], keys[link.target_id], link.type) for link in links}
            fresh = sorted(wanted - user.links)
            if not fresh:
                return
            write = Write()
            write.put(self._ledger.layout.ledger, *(_link_point(user.tenant, ends) for ends in fresh))
            self._ledger.commit(write, head)
            user.links.update(fresh)

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            row = user.named(memory_id)
            if row is None:
                return []
            ids = {row.key: row.id for row in user.live(scope)}
            ends = sorted(
                (ids[source], ids[target], kind)
                for source, target, kind in user.links
                if row.key in (source, target) and source in ids and target in ids
            )
            return [Link(source_id=source, target_id=target, type=kind) for source, target, kind in ends]


class PointJobTable:
    """The part of the store that queues jobs."""

    def __init__(self, ledger: PointLedger, *, clock: Clock) -> None:
        self._ledger = ledger
        self._clock = clock

    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        with self._ledger.held():
            now = to_micros(self._clock())
            waiting = (job for job in self._ledger.jobs.values() if job["due"] is not None)
            free = (job for job in waiting if job["due"] <= now or (early and not job["attempts"]))
            due = now + round(lease_s * 1_000_000)
            claimed = [job | {"due": due, "attempts": job["attempts"] + 1} for job in islice(free, limit)]
            self._put_jobs(claimed)
            return [_job(job) for job in claimed]

    def finish_job(self, job_id: int) -> None:
        with self._ledger.held() as head:
            if job_id in self._ledger.jobs:
                write = Write()
                write.drop(self._ledger.layout.ledger, point_id("job", job_id))
                self._ledger.commit(write, head)
                del self._ledger.jobs[job_id]

    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        with self._ledger.held():
            if job := self._ledger.jobs.get(job_id):
                now = to_micros(self._clock())
                due = None if retry_in_s is None else now + round(retry_in_s * 1_000_000)
                self._put_jobs([job | {"due": due, "error": error}])

    def postpone_job(self, job_id: int, *, delay_s: float) -> None:
        with self._ledger.held():
            if job := self._ledger.jobs.get(job_id):
                due = to_micros(self._clock()) + round(delay_s * 1_000_000)
                self._put_jobs([job | {"due": due, "attempts": 0, "error": None}])

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        with self._ledger.held():
            found = (
                _job(job)
                for number, job in self._ledger.jobs.items()
                if (job["due"] is None) == failed and number > after and user_id in (None, job["scope"][0])
            )
            return list(islice(found, limit))

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        with self._ledger.held():
            return sum(
                (job["due"] is None) == failed and user_id in (None, job["scope"][0])
                for job in self._ledger.jobs.values()
            )

    def _put_jobs(self, jobs: Sequence[dict[str, Any]]) -> None:
        if jobs:
            write = Write()
            write.put(self._ledger.layout.ledger, *map(job_point, jobs))
            self._ledger.commit(write, self._ledger.head)
            self._ledger.jobs |= {job["id"]: job for job in jobs}


class PointStateTable:
    """The part of the store that keeps what was learned."""

    def __init__(self, ledger: PointLedger) -> None:
        self._ledger = ledger

    def states(self, scope: Scope) -> dict[str, str]:
        with self._ledger.held():
            return dict(sorted(self._ledger.user(scope.user_id).states.items()))

    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            before = user.states.get(name)
            value = change(before)
            unchanged(self._ledger, head.number)
            if value == before:
                return
            write, ledger = Write(), self._ledger.layout.ledger
            if value is None:
                write.drop(ledger, point_id("state", user.tenant, name))
            else:
                payload = {"type": "state", "tenant": user.tenant, "name": name, "text": value}
                write.put(ledger, Point(point_id("state", user.tenant, name), payload))
                self._ledger.know(write, scope.user_id, live=user.documents > 0)
            self._ledger.commit(write, head)
            self._ledger.keep(scope.user_id, user)
            if value is None:
                del user.states[name]
            else:
                user.states[name] = value


def unchanged(ledger: PointLedger, number: int) -> None:
    """Refuse a callback that has written to the store."""
    if ledger.head.number != number:
        raise StoreBusyError("the change wrote to the store itself; it may only read")


class Queue:
    """The jobs of one write.

    Attributes:
        last: The last number given to a job.
    """

    def __init__(self, ledger: PointLedger, jobs: Jobs, ids: Sequence[str], *, now: int) -> None:
        number = ledger.head.number
        made = jobs_of(jobs, ids)
        unchanged(ledger, number)
        self._ledger = ledger
        self._jobs: dict[int, dict[str, Any]] = {}
        self.last = ledger.head.last_job
        waiting = {_what(job): job for job in ledger.jobs.values() if _waits(job)} if made else {}
        for job in made:
            one = _kept(job, number=self.last + 1, due=now + round(job.delay_s * 1_000_000))
            there = waiting.get(_what(one)) if job.once else None
            if there is None:
                self.last += 1
            elif one["due"] < there["due"]:
                one["id"] = there["id"]
            else:
                continue
            self._jobs[int(one["id"])] = waiting[_what(one)] = one

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def put(self, write: Write) -> None:
        """Add them to the write."""
        write.put(self._ledger.layout.ledger, *map(job_point, self._jobs.values()))

    def enter(self) -> None:
        """Cache them, once the write is done."""
        self._ledger.jobs |= self._jobs


def _kept(job: Job, *, number: int, due: int) -> dict[str, Any]:
    """A job as it is kept."""
    return {
        "id": number,
        "task": job.task,
        "scope": [job.scope.user_id, job.scope.agent_id, job.scope.session_id],
        "payload": dump(job.payload),
        "attempts": job.attempts,
        "error": job.error,
        "due": due,
    }


def _waits(job: dict[str, Any]) -> bool:
    """Whether no worker has taken it yet."""
    return job["due"] is not None and not job["attempts"]


def _what(job: dict[str, Any]) -> tuple[object, ...]:
    """What two jobs share of which one is enough."""
    return (job["task"], *job["scope"])


def job_point(job: dict[str, Any]) -> Point:
    """The point of a job in the ledger."""
    return Point(point_id("job", job["id"]), {"type": "job", "job": dump(job)})


def link_id(tenant: str, ends: Ends) -> str:
    """The id of a link's point."""
    return point_id("link", tenant, *ends)


def _link_point(tenant: str, ends: Ends) -> Point:
    source, target, kind = ends
    payload = {"type": "link", "tenant": tenant, "source": source, "target": target, "kind": kind}
    return Point(link_id(tenant, ends), payload)


def _job(job: dict[str, Any]) -> Job:
    return job_of([job["id"], job["task"], *job["scope"], job["payload"], job["attempts"], job["error"]])
