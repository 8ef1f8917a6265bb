"""Memories as points, and back without loss.

Values that must come back exactly are stored as text, since a service changes some numbers and knows no
bytes. What a service searches is stored beside it, as payload fields and vectors.
"""

import json
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreCorruptError
from recollect.protocols import Features
from recollect.stores.points.conditions import INDEXED, MAX_INDEXED, tenant_of, to_seconds
from recollect.stores.points.connection import FAMILY_OF, Family, Payload, Point
from recollect.stores.reference.rows import BM25_B, BM25_K1, profile_of
from recollect.stores.sql.rows import PACKED_BYTES, dump, pack
from recollect.types import MemoryRecord
from recollect.types.codec import record_from_json, record_to_json
from recollect.types.filters import FIELDS

_STEMS_REMEMBERED: Final = 65_536
"""Stems whose numbers are kept in memory: more than a language's usual words. Chosen by hand."""
_USUAL_WORDS: Final = 16
"""Words of a usual memory, for weights that must not change with the others. Chosen by hand."""
_TEXT: Final[Mapping[str, Any]] = {"ensure_ascii": False, "separators": (",", ":")}


def point_id(*parts: str | int) -> str:
    """The id of a point: a UUID that follows from what the point is, so that it is written over itself.

    >>> point_id("memory", "fd", 1) == point_id("memory", "fd", 1) != point_id("memory", "fd", 2)
    True
    """
    return str(UUID(bytes=sha256(json.dumps(parts).encode()).digest()[:16]))


def staged_id(key: int) -> str:
    """The id of the point of a vector set aside for a memory."""
    return point_id("staged", key)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointRow:
    """What is cached of a memory.

    Attributes:
        family: Which collection it is in.
        version: The store's version when it last changed.
        added_at: When it was added, in microseconds; None when the change log has its adding, too.
        changes: How many entries the change log has of it.
    """

    key: int
    id: str
    family: Family
    agent: str | None
    session: str | None
    thread: str
    turn: int
    idempotency: str | None
    version: int
    added_at: int | None
    changes: int = 0
    live: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPoint:
    """A memory as the store holds it."""

    row: PointRow
    record: MemoryRecord
    features: Features
    outline: bytes


STORED: Final = ("record", "features", "packed")
"""The payload fields that ``read_stored_point`` reads."""


def row_of(
    record: MemoryRecord, *, key: int, version: int, added_at: int | None, changes: int = 0
) -> PointRow:
    """What is cached of a live memory."""
    return PointRow(
        key=key,
        id=record.id,
        family=FAMILY_OF[record.kind],
        agent=record.scope.agent_id,
        session=record.scope.session_id,
        thread=record.origin.thread,
        turn=record.origin.turn,
        idempotency=record.idempotency_key,
        version=version,
        added_at=added_at,
        changes=changes,
    )


def memory_point(stored: StoredPoint) -> Point:
    """The point of a memory."""
    row, record, features = stored.row, stored.record, stored.features
    tenant = tenant_of(record.scope.user_id)
    payload = {
        "tenant": tenant,
        "key": row.key,
        "live": row.live,
        "row": json.dumps([getattr(row, name) for name in PointRow.__slots__], **_TEXT),
        "record": json.dumps(record_to_json(record), **_TEXT),
        "profile": dump(profile_of(record)),
        "packed": b64encode(pack(record, turn=row.turn, outline=stored.outline)).decode(),
        "features": json.dumps(_features_to_json(features), **_TEXT),
        **_indexed(record),
    }
    return Point(point_id("memory", tenant, row.key), payload)


def read_row(payload: Payload) -> PointRow:
    """The row of a point."""
    return PointRow(**dict(zip(PointRow.__slots__, json.loads(payload["row"]), strict=True)))


def read_record(payload: Payload) -> MemoryRecord:
    """The record of a point.

    Raises:
        StoreCorruptError: It cannot be read.
    """
    try:
        return record_from_json(json.loads(payload["record"]))
    except (KeyError, TypeError, ValueError) as error:
        raise StoreCorruptError(f"a memory cannot be read ({error}); restore a backup") from error


def read_features(payload: Payload) -> Features:
    """The features of a point."""
    data = json.loads(payload["features"])
    return Features(**data | {name: b64decode(data[name]) for name in ("vector", "terms", "counts")})


def read_stored_point(row: PointRow, payload: Payload) -> StoredPoint:
    """The memory of a point, given its fields ``STORED``.

    Raises:
        StoreCorruptError: It cannot be read.
    """
    return StoredPoint(
        row=row,
        record=read_record(payload),
        features=read_features(payload),
        outline=b64decode(payload["packed"])[PACKED_BYTES:],
    )


def read_columns(row: PointRow, payload: Payload) -> tuple[Any, ...]:
    """What recall reads of a memory, in the order of ``columns_of``."""
    features = read_features(payload)
    made = (features.traits, features.vector, features.terms, features.counts)
    return (row.key, row.id, payload["profile"], b64decode(payload["packed"]), *made)


def dense_of(payload: Payload) -> NDArray[np.int8]:
    """The embedding of a memory's point."""
    return np.frombuffer(read_features(payload).vector, np.int8)


def words_of(payload: Payload) -> dict[int, float]:
    """How much each word of a memory's point says about it, by ``stem_number``."""
    return _weights(read_features(payload).stems.split())


@lru_cache(_STEMS_REMEMBERED)
def stem_number(stem: str) -> int:
    """The index of a stem in sparse vectors: 32 bits of BLAKE2b; exact scoring resolves collisions."""
    return int.from_bytes(blake2b(stem.encode(), digest_size=4).digest(), "little")


def _weights(words: Sequence[str]) -> dict[int, float]:
    """How much each word says about a text, as BM25 has it for texts of a usual length."""
    held_back = BM25_K1 * (1 - BM25_B + BM25_B * len(words) / _USUAL_WORDS)
    weights: dict[int, float] = {}
    for stem, count in Counter(words).items():
        number = stem_number(stem)
        weights[number] = weights.get(number, 0.0) + count * (BM25_K1 + 1) / (count + held_back)
    return weights


def _features_to_json(features: Features) -> dict[str, Any]:
    return {
        "vector": b64encode(features.vector).decode(),
        "terms": b64encode(features.terms).decode(),
        "counts": b64encode(features.counts).decode(),
        "stems": features.stems,
        "traits": features.traits,
        "embedder": features.embedder,
    }


def _indexed(record: MemoryRecord) -> dict[str, Any]:
    """The fields that narrow a filter down, without those that are None or too long."""
    values = {name: _indexable(FIELDS[name][1](record)) for name in INDEXED}
    return {name: value for name, value in values.items() if value is not None}


def _indexable(value: object) -> object:
    if isinstance(value, datetime):
        return to_seconds(value)
    if isinstance(value, str):
        return value if len(value) <= MAX_INDEXED else None
    if isinstance(value, (tuple, list)):
        return [item for item in value if len(item) <= MAX_INDEXED]
    return value
