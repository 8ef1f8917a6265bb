"""Words on their way in: stored, queued to be learned, and for ``remember`` judged at once."""

from collections.abc import Sequence

from recollect.ingest.add import add_items
from recollect.ingest.messages import Item
from recollect.learning.admission import AdmissionDecision
from recollect.memory.parts import Parts, existing
from recollect.protocols import JobsOf
from recollect.types import AddResult, Job, MemoryRecord, Scope
from recollect.types.ids import new_id


def store_items(parts: Parts, scope: Scope, items: Sequence[Item]) -> list[AddResult]:
    """Store the items, and wake the workers if a job is due."""
    queued: list[Job] = []

    def jobs_of(records: Sequence[MemoryRecord]) -> JobsOf:
        made = parts.learner.queue.jobs_for(records)

        def jobs(stored: Sequence[str]) -> list[Job]:
            queued[:] = made(stored)
            return queued

        return jobs

    added = add_items(
        parts.store,
        scope,
        items,
        indexer=parts.indexer,
        labeller=parts.labeller,
        now=parts.clock(),
        new_id=new_id,
        conversations=parts.conversations,
        jobs_of=jobs_of,
    )
    if any(not job.delay_s for job in queued):
        parts.learner.workers.wake()
    return added


def decide_on(
    parts: Parts, scope: Scope, result: AddResult, *, importance: float | None
) -> list[AdmissionDecision]:
    """Decide now what of a statement that was just added becomes a fact."""
    if result.id is None:
        return [parts.learner.turn_away(scope, result.reason or "it may not be stored")]
    (turn,) = parts.store.get(scope, [result.id])
    return parts.learner.take_in(existing(turn, result.id), importance=importance)
