"""Learning: facts that contradict each other, thresholds, the queue."""

from dataclasses import asdict
from typing import Final

from pydantic import BaseModel, Field

from recollect.checks import NO_LIMIT
from recollect.lifecycle.thresholds import ThresholdManager
from recollect.server.calling import Admin, InProject, JSONAnswer, Reader, UserId, Writer, new_router
from recollect.server.cursors import Cursor, Limit, no_cursor, read_cursor, write_cursor
from recollect.server.schemas.memories import Hinted, MemoryOut
from recollect.server.schemas.requests import IdsIn, Owned, ResolveIn, ThresholdIn
from recollect.text.context_type import check_context_type
from recollect.types import JSON, Job, Within
from recollect.types.codec import record_to_json

router = new_router("learning")

_UNOWNED: Final = Owned()
"""The body of a request that sends none."""


class ConflictOut(BaseModel):
    """Two facts that cannot both hold."""

    known: MemoryOut
    new: MemoryOut


class ConflictsOut(Hinted):
    """What waits for a person."""

    conflicts: list[ConflictOut]
    next_cursor: str | None = Field(default=None, description="Null on the last page.")


class ResolvedOut(BaseModel):
    """How a conflict was decided."""

    kept: str
    dropped: str | None


class ReopenedOut(BaseModel):
    """About how many facts a decision was taken back."""

    reopened: int


class ThresholdOut(BaseModel):
    """The threshold of a kind of context, and how it does."""

    threshold: float
    start: float
    bounds: list[float]
    outcomes: int
    false_positive_rate: float | None
    false_negative_rate: float | None
    success_rate: float | None
    note: str


class ThresholdChangeOut(BaseModel):
    """A threshold that moved."""

    at: str
    context_type: str
    before: float
    after: float
    reason: str


class ThresholdsOut(BaseModel):
    """Thresholds by kind of context, and how they went."""

    thresholds: dict[str, ThresholdOut]
    history: list[ThresholdChangeOut]


class JobOut(BaseModel):
    """Work in the queue."""

    id: int
    task: str
    user_id: str
    attempts: int
    error: str | None = Field(description="What kind of failure; recollect jobs on the server says more.")


class JobsOut(BaseModel):
    """A page of the queue, oldest first: up to ``limit`` of those waiting, and of those given up."""

    waiting: list[JobOut]
    failed: list[JobOut]
    next_cursor: str | None = Field(default=None, description="Null on the last page.")


@router.get("/conflicts", response_model=ConflictsOut, summary="Facts that contradict each other")
async def conflicts(
    caller: Reader,
    user_id: UserId = None,
    project: InProject = None,
    limit: Limit = 1_000,
    cursor: Cursor = None,
) -> JSONAnswer:
    """Pairs of facts that cannot both hold, and wait for a person to decide, by the newer fact."""
    after = None if cursor is None else str(read_cursor("conflicts", cursor, str)[0])
    found = await caller.memory.facts.conflicts(
        user_id=caller.user(user_id), within=Within(project=project), after=after, limit=limit + 1
    )
    told = [{"known": record_to_json(one.known), "new": record_to_json(one.new)} for one in found[:limit]]
    following = write_cursor("conflicts", found[limit - 1].new.id) if len(found) > limit else None
    return await caller.hinted("conflicts", {"conflicts": told, "next_cursor": following}, found=told)


@router.post("/conflicts/resolve", response_model=ResolvedOut, summary="Decide a conflict")
async def resolve(body: ResolveIn, caller: Writer) -> JSONAnswer:
    """Say which fact holds, or that both do; the history of both says so."""
    user, facts = caller.user(body.user_id), [one for one in (body.keep, body.drop) if one]
    reason = await caller.change(user, facts[-1:])
    await caller.memory.facts.resolve(body.keep, body.drop, user_id=user, reason=reason)
    caller.touched(facts)
    return JSONAnswer({"kept": body.keep, "dropped": body.drop})


@router.post("/conflicts/reopen", response_model=ReopenedOut, summary="Take a decision back")
async def reopen(body: IdsIn, caller: Writer) -> JSONAnswer:
    """The facts of a decided conflict hold again and wait for a person."""
    user = caller.user(body.user_id)
    reason = await caller.change(user, body.ids)
    reopened = await caller.memory.facts.reopen(body.ids, user_id=user, reason=reason)
    caller.touched(body.ids)
    return JSONAnswer({"reopened": reopened})


@router.get("/thresholds", response_model=ThresholdsOut, summary="How high a memory must score")
async def thresholds(caller: Reader, user_id: UserId = None) -> JSONAnswer:
    """The thresholds of activation by kind of context, as feedback moved them, and when it did."""
    manager = await caller.memory.lifecycle.thresholds(user_id=caller.user(user_id))
    return JSONAnswer(await caller.in_thread(_told, manager))


@router.put("/thresholds/{context_type}", response_model=ThresholdsOut, summary="Set a threshold")
async def set_threshold(context_type: str, body: ThresholdIn, caller: Writer) -> JSONAnswer:
    """Set the threshold of a kind of context; learning goes on from there. One beside it may move along."""
    manager = await caller.memory.lifecycle.thresholds(user_id=caller.user(body.user_id))
    await caller.in_thread(manager.set, check_context_type(context_type), body.threshold)
    return JSONAnswer(await caller.in_thread(_told, manager))


@router.post("/thresholds/reset", response_model=ThresholdsOut, summary="Return thresholds to their starts")
async def reset_thresholds(caller: Writer, body: Owned = _UNOWNED) -> JSONAnswer:
    """Forget what feedback taught the thresholds; their history stays."""
    manager = await caller.memory.lifecycle.thresholds(user_id=caller.user(body.user_id))
    await caller.in_thread(manager.reset)
    return JSONAnswer(await caller.in_thread(_told, manager))


@router.get("/jobs", response_model=JobsOut, summary="What waits to be learned")
async def jobs(caller: Admin, limit: Limit = 50, cursor: Cursor = None) -> JSONAnswer:
    """The queue, oldest first. A key for one user sees that user's jobs alone."""
    places = [0, 0] if cursor is None else list(map(int, read_cursor("jobs", cursor, int, int)))
    if not all(0 <= place < NO_LIMIT for place in places):
        raise no_cursor()
    told: dict[str, JSON] = {}
    ends, more = [], False
    for name, place in zip(("waiting", "failed"), places, strict=True):
        found = await caller.memory.jobs.list(
            failed=name == "failed", user_id=caller.principal.owner, after=place or None, limit=limit + 1
        )
        page = found[:limit]
        told[name] = [_job_told(job) for job in page]
        ends.append(page[-1].id if page else place)
        more = more or len(found) > limit
    return JSONAnswer({**told, "next_cursor": write_cursor("jobs", *ends) if more else None})


def _job_told(job: Job) -> dict[str, JSON]:
    return {
        "id": job.id,
        "task": job.task,
        "user_id": job.scope.user_id,
        "attempts": job.attempts,
        "error": _kind_of(job.error),
    }


def _kind_of(error: str | None) -> str | None:
    """What a job failed with, without what a model's server said of it."""
    return None if error is None else error.partition(":")[0]


def _told(manager: ThresholdManager) -> dict[str, JSON]:
    states = {name: asdict(state) for name, state in manager.state().items()}
    changes = [{**asdict(change), "at": change.at.isoformat()} for change in manager.history()]
    return {"thresholds": states, "history": changes}  # type: ignore[dict-item]  # dataclasses of numbers
