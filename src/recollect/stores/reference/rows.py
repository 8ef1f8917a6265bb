"""The reference store's rows, and what it works out from many: names taken, columns, BM25 scores."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInputError
from recollect.protocols import Entry, Features, Profile, ShadowRows
from recollect.types import Change, MemoryRecord, Scope
from recollect.types.codec import record_from_json, record_to_json, to_micros

BM25_K1: Final = 1.2
"""How soon a repeated word stops counting; the usual value (Robertson and Zaragoza, 2009)."""
BM25_B: Final = 0.75
"""How much long texts are held back, 0 to 1; the usual value (Robertson and Zaragoza, 2009)."""

_FOREVER: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A memory with its features, the version that changed it last, and its history."""

    key: int
    record: MemoryRecord
    features: Features
    outline: bytes
    version: int = 0
    deleted: bool = False
    history: tuple[Change, ...] = ()


def within(scope: Scope, record: MemoryRecord) -> bool:
    """Whether a memory is in a scope."""
    own = record.scope
    return (
        own.user_id == scope.user_id
        and scope.agent_id in (None, own.agent_id)
        and scope.session_id in (None, own.session_id)
    )


def is_after(memory_id: str, other: str, *, newest_first: bool) -> bool:
    """Whether an id comes after another one in the order that is asked for, see ``Store.find``."""
    return memory_id < other if newest_first else memory_id > other


def as_stored(record: MemoryRecord) -> MemoryRecord:
    """The record as JSON holds it, sharing nothing that its owner could change."""
    return record_from_json(record_to_json(record))


def copy_of(stored: MemoryRecord) -> MemoryRecord:
    """The same of a record that is as stored already: all but its two mappings nobody can change."""
    worth = replace(stored.worth, factors=dict(stored.worth.factors))
    return replace(stored, metadata=_copied(stored.metadata), worth=worth)


def _copied(value: Any) -> Any:
    """A value as JSON holds it; ``copy.deepcopy`` takes five times as long."""
    if type(value) is dict:
        return {name: _copied(one) for name, one in value.items()}
    return [_copied(one) for one in value] if type(value) is list else value


class Taken:
    """The ids, idempotency keys and turns in use, while ``add`` places its entries among the rows.

    Attributes:
        fresh: The entries that are new, with their turns.
    """

    def __init__(self, rows: Iterable[Row], entries: Sequence[Entry]) -> None:
        self.fresh: list[tuple[MemoryRecord, Features, bytes]] = []
        self._ids: set[tuple[str, str]] = set()
        self._keys: dict[tuple[str, str], str] = {}
        self._keys_of_deleted: dict[tuple[str, str], str] = {}
        self._next_turn: dict[tuple[str, str], int] = {}
        wanted = [entry.record for entry in entries]
        ids = {record.id for record in wanted}
        threads = {record.origin.thread for record in wanted} - {""}
        keys = {record.idempotency_key for record in wanted} - {None}
        for row in rows:
            record = row.record
            if record.id in ids or record.origin.thread in threads or record.idempotency_key in keys:
                self._take(record, deleted=row.deleted)

    def place(self, scope: Scope, entry: Entry) -> str:
        """The id under which an entry stands: the one already there, or its own as it joins ``fresh``."""
        record = entry.record
        if not within(scope, record):
            raise InvalidInputError(f"the memory {record.id!r} lies outside the scope it is added to")
        key = (record.scope.user_id, record.idempotency_key or "")
        if record.idempotency_key is not None and (known := self._known(key)) is not None:
            return known
        if (record.scope.user_id, record.id) in self._ids:
            raise InvalidInputError(f"the id {record.id!r} is already used")
        if entry.features is None:
            raise InvalidInputError(f"the memory {record.id!r} comes without features")
        self._join(record, entry.features, entry.outline)
        return record.id

    def _known(self, key: tuple[str, str]) -> str | None:
        """The id of the memory with an idempotency key; of a deleted one where none lives."""
        return self._keys.get(key, self._keys_of_deleted.get(key))

    def _join(self, record: MemoryRecord, features: Features, outline: bytes) -> None:
        turn = self._next_turn.get((record.scope.user_id, record.origin.thread), 0)
        numbered = as_stored(replace(record, origin=replace(record.origin, turn=turn)))
        self._take(numbered, deleted=False)
        self.fresh.append((numbered, features, outline))

    def _take(self, record: MemoryRecord, *, deleted: bool) -> None:
        user, thread = record.scope.user_id, record.origin.thread
        self._ids.add((user, record.id))
        if thread:
            self._next_turn[user, thread] = max(
                self._next_turn.get((user, thread), 0), record.origin.turn + 1
            )
        if record.idempotency_key is not None and not (deleted and record.kind == "document"):
            keys = self._keys_of_deleted if deleted else self._keys
            keys.setdefault((user, record.idempotency_key), record.id)


def columns(rows: Sequence[Row]) -> ShadowRows:
    """The shadow of some memories, in the order given."""
    records = [row.record for row in rows]
    features = [row.features for row in rows]
    dim = len(features[0].vector) if features else 0
    vectors = np.frombuffer(b"".join(one.vector for one in features), dtype=np.int8)
    profiles = [profile_of(record) for record in records]
    different = {profile: place for place, profile in enumerate(dict.fromkeys(profiles))}
    return ShadowRows(
        keys=np.array([row.key for row in rows], dtype=np.int64),
        ids=[record.id for record in records],
        profiles=list(different),
        profile_of=np.array([different[profile] for profile in profiles], dtype=np.int32),
        turns=np.array([record.origin.turn for record in records], dtype=np.int32),
        happened=_micros([record.times.happened_at for record in records]),
        valid_from=_micros([record.times.valid_from or record.times.happened_at for record in records]),
        valid_until=_micros([record.times.valid_until for record in records]),
        accessed=_micros([record.times.accessed_at or record.times.created_at for record in records]),
        importance=np.array([record.worth.importance for record in records], dtype=np.float32),
        confidence=np.array([record.worth.confidence for record in records], dtype=np.float32),
        useful=np.array([record.use.useful_count for record in records], dtype=np.float32),
        unhelpful=np.array([record.use.unhelpful_count for record in records], dtype=np.float32),
        usage=np.array([record.use.usage_count for record in records], dtype=np.float32),
        access=np.array([record.use.access_count for record in records], dtype=np.float32),
        decay=np.array([record.use.decay_factor for record in records], dtype=np.float32),
        vectors=vectors.reshape(len(rows), dim),
        terms=np.frombuffer(b"".join(one.terms for one in features), dtype="<u4").astype(np.uint32),
        counts=np.frombuffer(b"".join(one.counts for one in features), dtype=np.uint8),
        lengths=np.array([len(one.counts) for one in features], dtype=np.int32),
        traits=np.array([one.traits for one in features], dtype=np.int32),
        outlines=np.frombuffer(b"".join(row.outline for row in rows), dtype="<u4").astype(np.uint32),
        outline_lengths=np.array([len(row.outline) // 4 for row in rows], dtype=np.int32),
    )


def profile_of(record: MemoryRecord) -> Profile:
    """Where a memory stands and who said it."""
    return Profile(
        thread=record.origin.thread,
        agent=record.scope.agent_id or "",
        session=record.scope.session_id or "",
        kind=record.kind,
        role=record.origin.role,
        speaker=record.origin.speaker or "",
        tier=record.tier,
    )


def _micros(moments: Sequence[datetime | None]) -> NDArray[np.int64]:
    known = [_FOREVER if moment is None else to_micros(moment) for moment in moments]
    return np.array(known, dtype=np.int64)


def bm25(texts: dict[int, Counter[str]], stems: set[str]) -> dict[int, float]:
    """BM25 scores, above 0, of the texts that hold any of the stems.

    With n texts of which d hold a stem, it weighs ln(1 + (n - d + 0.5) / (d + 0.5)), which is never
    negative (as in Lucene).

    >>> {key: round(score, 3) for key, score in bm25({1: Counter(["tea"]), 2: Counter()}, {"tea"}).items()}
    {1: 0.492}
    """
    mean = sum(text.total() for text in texts.values()) / max(1, len(texts))
    rarity = {stem: _idf(sum(stem in text for text in texts.values()), len(texts)) for stem in sorted(stems)}
    return {
        key: sum(weight * _saturated(text[stem], text.total() / mean) for stem, weight in rarity.items())
        for key, text in texts.items()
        if any(stem in text for stem in stems)
    }


def _idf(found_in: int, texts: int) -> float:
    return math.log1p((texts - found_in + 0.5) / (found_in + 0.5))


def _saturated(count: int, length: float) -> float:
    return count * (BM25_K1 + 1) / (count + BM25_K1 * (1 - BM25_B + BM25_B * length))
