"""Digests of memories: equal when all that two stores know of them is equal."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from recollect.protocols import Copied
from recollect.stores.sql.rows import COLUMNS, to_row
from recollect.types import MemoryRecord
from recollect.types.codec import to_micros

_METADATA: Final = COLUMNS.index("metadata")
_FACTORS: Final = COLUMNS.index("factors")
_REALS: Final = tuple(map(COLUMNS.index, ("importance", "confidence", "decay_factor")))


def digest_of_user(copies: Iterable[Copied], states: Mapping[str, str]) -> bytes:
    """The SHA-256 of a user's memories, in the order in which they were stored, and learned states."""
    total = sha256()
    for copied in copies:
        links = [[link.target_id, link.type] for link in copied.links]
        total.update(framed(digest_of_memory(copied), canonical(links).encode()))
    total.update(framed(canonical(states).encode()))
    return total.digest()


def digest_of_memory(copied: Copied) -> bytes:
    """The SHA-256 of a memory: its record, features and history; not of its key, stems and links."""
    features = copied.features
    history = [
        [to_micros(change.at), change.action, change.before, change.after, change.reason]
        for change in copied.history
    ]
    written = canonical([_fields(copied.record), history, features.traits]).encode()
    return sha256(framed(written, features.vector, features.terms, features.counts)).digest()


def _fields(record: MemoryRecord) -> list[object]:
    """A record as SQL stores keep it, which is much faster made than its JSON; its maps in one order."""
    fields: list[object] = list(to_row(record, turn=record.origin.turn))
    for place, value in ((_METADATA, record.metadata), (_FACTORS, record.worth.factors)):
        fields[place] = canonical(value)
    for place, number in zip(_REALS, _reals(record), strict=True):
        fields[place] = float(number)
    return [record.scope.user_id, *fields]


def _reals(record: MemoryRecord) -> tuple[float, float, float]:
    """The numbers that a column of a database makes floats, whatever they were."""
    return record.worth.importance, record.worth.confidence, record.use.decay_factor


def canonical(value: object) -> str:
    """JSON text that is equal for equal values.

    >>> canonical({"b": 1, "a": 1.0})
    '{"a": 1.0, "b": 1}'
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def framed(*parts: bytes) -> bytes:
    """The parts, each after its length, so that no other parts make the same bytes."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)
