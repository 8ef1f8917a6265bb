"""Counting that memories were retrieved: what a retrieval returns is strengthened, and promoted in time."""

from collections.abc import Sequence
from typing import Final

from recollect.checks import check_ids
from recollect.ingest.add import Indexer
from recollect.lifecycle.retrievals import (
    PROMOTED_AFTER,
    SHORT_TERM,
    STATE,
    Retrievals,
    counted_from,
    factor_of,
    promoted,
    retrieved,
)
from recollect.lifecycle.use import anchored
from recollect.protocols import Clock, Entry, Store
from recollect.types import MemoryRecord, Scope
from recollect.types.codec import from_micros, to_micros
from recollect.types.filters import EVERYTHING, parse_filter

_AT_ONCE: Final = 500
"""Memories promoted in one transaction. Chosen by hand."""


class RetrievalLog:
    """What retrievals make of one user's memories; see ``Memory.lifecycle.retrievals``.

    Nothing is kept in this object: several may count in one store, from several threads and processes.

    Args:
        store: Where the memories and the retrievals are.
        scope: Whose; agent and session are not looked at.
        indexer: Makes entries of records.
        clock: What time it is.
        promote_after: A short-term memory accessed more often than this becomes long-term.
    """

    def __init__(
        self,
        store: Store,
        scope: Scope,
        *,
        indexer: Indexer,
        clock: Clock,
        promote_after: int = PROMOTED_AFTER,
    ) -> None:
        self._store = store
        self._scope = scope
        self._indexer = indexer
        self._clock = clock
        self._promote_after = promote_after

    @property
    def count(self) -> int:
        """How many retrievals there were."""
        return self._read().count

    def factors(self, records: Sequence[MemoryRecord]) -> list[float]:
        """The decay factors of some memories as they are now, see ``recollect.lifecycle.retrievals``."""
        retrievals = self._read()
        return [factor_of(record, retrievals) for record in records]

    def begin(self, ids: Sequence[str]) -> None:
        """Say that memories were just added, so that the retrievals before pass none of them over.

        While a clock goes forward this changes nothing, and need not be called. Where it stood still or ran
        back, they count as accessed at the last retrieval, or when the memory before them was added.

        Args:
            ids: Theirs; unknown ones are skipped.
        """
        new = check_ids("ids", ids)
        newest = self._store.find(self._scope, EVERYTHING, limit=len(new) + 1, newest_first=True)
        added = [record for record in self._store.get(self._scope, new) if record is not None]
        floor = max([*self._read().moments[-1:], *map(counted_from, [*newest, *added])], default=0)
        late = [record.id for record in added if counted_from(record) < floor]

        def change(before: MemoryRecord) -> Entry:
            return self._indexer.entry(anchored(before, from_micros(floor)))

        if late:
            self._store.update(self._scope, late, change, action="use")

    def track(self, ids: Sequence[str]) -> list[MemoryRecord]:
        """Enter a retrieval that returned some memories; returns them as they are now, unknown ones left out.

        Only these and one state of the user are written. It counts as later than the retrievals before and
        than the user's newest memory, even where the clock stands or runs back. The retrieval is entered
        first: should the process die before the memories are changed, they count as skipped by it, and
        nothing else is lost.
        """
        found = dict.fromkeys(check_ids("ids", ids))
        entered: list[Retrievals] = []
        newest = self._store.find(self._scope, EVERYTHING, limit=1, newest_first=True)
        now = max([to_micros(self._clock()), *(counted_from(record) + 1 for record in newest)])

        def enter(kept: str | None) -> str:
            entered[:] = [Retrievals.read(kept).followed_by(now)]
            return entered[0].written()

        def change(before: MemoryRecord) -> Entry:
            return self._indexer.entry(retrieved(before, entered[0], promote_after=self._promote_after))

        self._store.change_state(self._scope, STATE, enter)
        changed = self._store.update(self._scope, list(found), change, action="use")
        return [record for record in changed if record is not None]

    def promote(self) -> int:
        """Make every short-term memory long-term that was accessed often enough; returns how many.

        ``track`` does so with what it returns. This finds those whose accesses something else counted.
        """
        where = parse_filter({"tier": SHORT_TERM, "access_count": {"gte": self._promote_after}})
        due = [record.id for record in self._store.find(self._scope, where)]

        def change(before: MemoryRecord) -> Entry:
            return self._indexer.entry(promoted(before, promote_after=self._promote_after))

        for start in range(0, len(due), _AT_ONCE):
            self._store.update(self._scope, due[start : start + _AT_ONCE], change)
        return len(due)

    def _read(self) -> Retrievals:
        return Retrievals.read(self._store.state(self._scope, STATE))
