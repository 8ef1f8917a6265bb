"""Undoing a deletion: the memory, and what was deleted with it, are restored."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from recollect.learning.marks import LEFT_OUT
from recollect.learning.retraction import LEARNED, SOURCE_DELETED
from recollect.memory.parts import Parts
from recollect.protocols import Entry, Features
from recollect.types import MemoryRecord
from recollect.types.filters import EVERYTHING, AllOf, Filter, Test, by_ids, parse_filter

_UNDONE: Final = "its deletion was taken back"


class Undoer:
    """Restores deleted memories of one user; see ``Memory.undelete``."""

    def __init__(self, parts: Parts, user_id: str) -> None:
        self._scope = parts.scope(user_id)
        self._store = parts.store
        self._indexer = parts.indexer
        self._learner = parts.learner
        self._clock = parts.clock

    def deleted(self, *, limit: int | None, before: str | None = None) -> list[MemoryRecord]:
        """What was deleted and not yet purged, by id; with ``before`` only earlier ids."""
        where: Filter = EVERYTHING
        if before is not None:
            where = Test("id", in_metadata=False, operator="lt", value=before)
        return self._store.deleted(self._scope, where, limit=limit)

    def undelete(self, memory_id: str) -> MemoryRecord | None:
        """Bring a memory back with what went with it; None when it is not there, one that lives as it is."""
        found = self._store.deleted(self._scope, by_ids([memory_id]))
        if found:
            records = [*found, *self._gone_with(memory_id)]
            self._recover(records)
            self._learner.settle(self._scope)
        (now,) = self._store.get(self._scope, [memory_id])
        return now

    def _gone_with(self, memory_id: str) -> list[MemoryRecord]:
        """What was learned from a memory, and deleted because that was."""
        derived = parse_filter({"or": [{field: {"contains": memory_id}} for field in ("sources", LEFT_OUT)]})
        return [
            record
            for record in self._store.deleted(self._scope, AllOf((LEARNED, derived)))
            if self._store.history(self._scope, record.id)[-1].reason == SOURCE_DELETED
        ]

    def _recover(self, records: Sequence[MemoryRecord]) -> None:
        made = dict(zip((one.id for one in records), self._indexer.features(records), strict=True))
        self._indexer.remember_ourselves(made[records[0].id])

        def back(before: MemoryRecord) -> Entry:
            return self._as_now(before, made[before.id])

        jobs = self._learner.after(self._scope, "undelete")
        self._store.recover(self._scope, list(made), back, reason=_UNDONE, jobs=jobs)

    def _as_now(self, before: MemoryRecord, features: Features) -> Entry:
        times = replace(before.times, updated_at=self._clock())
        return self._indexer.entry(replace(before, times=times), features)
