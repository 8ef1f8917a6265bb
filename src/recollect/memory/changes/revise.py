"""Changing a memory: everything derived from the changed fields is computed again."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import numpy as np

from recollect.ingest.add import Indexer
from recollect.ingest.labels import Labeller
from recollect.learning.marks import ended_by_hand, reworded
from recollect.lifecycle.use import anchored
from recollect.protocols import Entry, Features, ShadowRows
from recollect.types import JSON, MemoryRecord, Priority, Tag, Tier
from recollect.types.spaces import metadata_changed_by

_UNRATED: Final = 0.5
"""The importance of a memory whose importance nobody gave and nothing has worked out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What is to change, checked; None stays as it is. See ``Memory.update``."""

    content: str | None = None
    metadata: Mapping[str, JSON] | None = None
    tags: tuple[Tag, ...] | None = None
    concepts: tuple[str, ...] | None = None
    category: str | None = None
    priority: Priority | None = None
    importance: float | None = None
    confidence: float | None = None
    critical: bool | None = None
    tier: Tier | None = None
    happened_at: datetime | None = None
    valid_until: datetime | None = None
    speaker: str | None = None
    role: str | None = None
    changed_by: str | None = None
    """Which member of a team space changes it, for its metadata."""


class Reviser:
    """Changes memories."""

    def __init__(self, *, indexer: Indexer, labeller: Labeller) -> None:
        self._indexer = indexer
        self._labeller = labeller

    def revise(self, before: MemoryRecord, changes: Changes, now: datetime) -> Entry:
        """A memory with its changes.

        A memory that is marked as critical, or no longer, keeps what time has left of its importance.
        """
        turned = changes.critical is not None and changes.critical != before.worth.critical
        record = _set(anchored(before, now) if turned else before, changes, now)
        if record.kind == "fact" and changes.valid_until is not None:
            record = ended_by_hand(record)
        if changes.content is not None and changes.content != before.content:
            labels = replace(record.labels, concepts=changes.concepts or ())
            said = replace(record, content=changes.content, labels=labels)
            if record.kind == "fact" and changes.metadata is None:
                said = reworded(said, before=before.content)
            return self._reworded(said, changes, now)
        if record.origin != before.origin:
            return self._reworded(record, changes, now)
        if changes.happened_at is not None:
            record = self._labeller.dated(record)
        return self._indexer.entry(record)

    def relabel(self, record: MemoryRecord, features: Features, now: datetime) -> Entry:
        """A memory as if its words were read today; approved tags and an importance that was given stay."""
        return self._indexer.entry(self._read_anew(record, features, Changes(), now))

    def _reworded(self, record: MemoryRecord, changes: Changes, now: datetime) -> Entry:
        self._indexer.check_embedder()
        (features,) = self._indexer.features([record])
        return self._indexer.entry(self._read_anew(record, features, changes, now), features)

    def _read_anew(
        self, record: MemoryRecord, features: Features, changes: Changes, now: datetime
    ) -> MemoryRecord:
        """The record with labels of its words.

        What use and time made of a worked-out importance stays: the new one is as much raised or faded.
        """
        given = changes.importance is not None or _is_given(record)
        plain = replace(record, worth=replace(record.worth, priority=changes.priority))
        (labelled,) = self._labeller.label(record.scope, [plain], [features], rated=[given], now=now)
        if given:
            return labelled
        held = anchored(record, now)
        first = sum(record.worth.factors.values())
        kept = held.worth.importance / first if first else 1.0
        importance = min(1.0, labelled.worth.importance * kept)
        worth = replace(labelled.worth, importance=importance)
        times = held.times if first else record.times
        return replace(labelled, worth=worth, times=times)


def features_in(rows: ShadowRows) -> dict[str, Features]:
    """By id, what a store holds of the words of memories: vector, terms and traits alone."""
    ends = np.cumsum(rows.lengths)
    starts = ends - rows.lengths
    return {
        memory_id: Features(
            vector=vector.tobytes(),
            terms=rows.terms[start:end].astype("<u4").tobytes(),
            counts=b"",
            stems="",
            traits=traits,
        )
        for memory_id, vector, start, end, traits in zip(
            rows.ids, rows.vectors, starts.tolist(), ends.tolist(), rows.traits.tolist(), strict=True
        )
    }


def _is_given(record: MemoryRecord) -> bool:
    worth = record.worth
    return not worth.factors and (worth.importance != _UNRATED or record.times.accessed_at is not None)


def _set(before: MemoryRecord, changes: Changes, now: datetime) -> MemoryRecord:
    """The record with the plain changes, in whichever group they belong."""
    worth = _given(importance=changes.importance, confidence=changes.confidence, critical=changes.critical)
    worth |= _given(priority=changes.priority)
    times = _given(happened_at=changes.happened_at, valid_until=changes.valid_until)
    if changes.importance is not None:
        worth, times = {**worth, "factors": {}}, {**times, "accessed_at": now}
    metadata = changes.metadata
    if changes.changed_by is not None:
        metadata = metadata_changed_by(changes.changed_by, before.metadata, metadata)
    return replace(
        before,
        times=replace(before.times, updated_at=now, **times),
        labels=replace(
            before.labels,
            **_given(tags=changes.tags, concepts=changes.concepts, category=changes.category),
        ),
        worth=replace(before.worth, **worth),
        origin=replace(before.origin, **_given(speaker=changes.speaker, role=changes.role)),
        **_given(metadata=metadata, tier=changes.tier),
    )


def _given(**changes: object) -> dict[str, Any]:
    return {name: value for name, value in changes.items() if value is not None}
