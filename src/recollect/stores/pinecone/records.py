"""Points as records of Pinecone, and back: a long one takes several records.

A record holds at most 40 KB beside its vectors. What is longer is cut into parts, each a record of
its own, and put together again when it is read.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, assert_never

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreCorruptError
from recollect.stores.points.conditions import INDEXED, Between, Condition, Either, Is
from recollect.stores.points.connection import Payload, Point
from recollect.stores.points.points import dense_of, words_of

WHOLE: Final = "whole"
"""The field that says whether a record has all fields a filter may name: too many are left out."""
RECORDS: Final = "records"
"""The field that the first record of each point has: how many records the point takes."""


def filter_of(conditions: Sequence[Condition]) -> dict[str, Any]:
    """The filter that lets through the first records of points that meet all of some conditions.

    >>> filter_of([Is("tenant", ("fd",)), Is("kind", ("fact", "task"))])["$and"][1:]
    [{'tenant': {'$eq': 'fd'}}, {'$or': [{'whole': {'$eq': False}}, {'kind': {'$in': ['fact', 'task']}}]}]
    """
    return {"$and": [{RECORDS: {"$gte": 1}}, *map(_excused, conditions)]}


def _excused(condition: Condition) -> dict[str, Any]:
    """A condition that records meet, too, that had to leave fields out."""
    if isinstance(condition, (Is, Between)) and condition.field not in INDEXED:
        return _said(condition)
    return {"$or": [{WHOLE: {"$eq": False}}, _said(condition)]}


def _said(condition: Condition) -> dict[str, Any]:
    match condition:
        case Is(field, values):
            return {field: {"$eq": values[0]} if len(values) == 1 else {"$in": list(values)}}
        case Between(field, least, most):
            bounds = {"$gte": least, "$lte": most}
            return {field: {name: bound for name, bound in bounds.items() if bound is not None}}
        case Either(options):
            return {"$or": [{"$and": [_said(one) for one in option]} for option in options]}
        case _:
            assert_never(condition)


Record = dict[str, Any]
"""A record as the client takes it."""

MOST_BYTES: Final = 36_000
"""Of the fields of a record, as JSON. Pinecone takes 40 KB; the rest is for what the store adds."""
_LONG: Final = 1_000
"""Characters of a text that is moved into parts when a record is too long. Chosen by hand."""
_MOST_WORDS: Final = 1_000
"""Different words of a memory that Pinecone is told of; the limit of a sparse vector."""
_STAND_IN: Final = 1e-6
"""The one number of a vector that would be all zeros, which Pinecone does not take. Chosen by hand."""
_DIGITS: Final = 6
"""After the point, of the numbers of a vector, about what 32 bits hold. The bytes are kept beside it."""

_WRITTEN: Final = 100
"""Records written by one request; what Pinecone advises."""
_BYTES: Final = 1_500_000
"""Of JSON, written by one request: Pinecone takes 2 MB."""
_NUMBER: Final = 20
"""Bytes of a number in JSON, with its comma, at most about."""
LAST: Final = "last"
"""The field that the last record of a writing has: its stamp."""
_STAMP: Final = "stamp"
_TEXT: Final = "text"


class RecordMaker:
    """Makes records of points for one index; shorter dense vectors are filled up with zeros."""

    def __init__(self, dimension: int, *, sparse: bool) -> None:
        self._dimension = dimension
        self._sparse = sparse

    @property
    def stand_in(self) -> list[float]:
        """The vector of a record that has none."""
        return [_STAND_IN, *[0.0] * (self._dimension - 1)]

    def filled(self, vector: NDArray[np.float32]) -> list[float]:
        """A vector with length 1, and with zeros to as many dimensions as the index has."""
        unit = (vector / np.linalg.norm(vector)).round(_DIGITS).tolist()
        return [*unit, *[0.0] * (self._dimension - len(unit))]

    def records_of(self, point: Point, *, stamp: str) -> list[Record]:
        """The records of a point, the first of them last; ``stamp`` is unique to this write."""
        fields, texts = _fitted(point.payload)
        marks = {_STAMP: stamp, RECORDS: len(texts) + 1}
        first = {"id": point.id, "metadata": fields | marks, **self._vectors(point.payload)}
        return [*(self._part(point.id, place, text, stamp) for place, text in enumerate(texts, 1)), first]

    def _part(self, point_id: str, place: int, text: str, stamp: str) -> Record:
        fields = {_TEXT: text, _STAMP: stamp}
        return {"id": part_id(point_id, place), "metadata": fields, "values": self.stand_in}

    def _vectors(self, payload: Payload) -> dict[str, Any]:
        """A memory's vectors; the ledger's points have one that is never searched."""
        if "features" not in payload:
            return {"values": self.stand_in}
        dense = dense_of(payload).astype(np.float32)
        values = self.filled(dense) if dense.any() else self.stand_in
        words = heaviest(words_of(payload)) if self._sparse else {}
        if not words:
            return {"values": values}
        return {
            "values": values,
            "sparse_values": {"indices": list(words), "values": list(words.values())},
        }


def heaviest(words: Mapping[int, float]) -> Mapping[int, float]:
    """The words that say most, as many as a sparse vector takes."""
    if len(words) <= _MOST_WORDS:
        return words
    best = sorted(words, key=lambda word: (-words[word], word))[:_MOST_WORDS]
    return {word: words[word] for word in best}


def part_id(point_id: str, place: int) -> str:
    """The id of a part of a point, from 1."""
    return f"{point_id}.{place}"


def part_ids(point_id: str, fields: Mapping[str, Any], *, beyond: int = 1) -> list[str]:
    """The ids of a point's parts, by the fields of its first record; only those above ``beyond`` records."""
    return [part_id(point_id, place) for place in range(beyond, int(fields[RECORDS]))]


def payload_of(fields: Mapping[str, Any], parts: Sequence[Mapping[str, Any]]) -> Payload:
    """The payload of a point, from the fields of its first record and its parts in order.

    Raises:
        StoreCorruptError: The parts are not those of the record.
    """
    if any(part.get(_STAMP) != fields[_STAMP] for part in parts):
        raise StoreCorruptError("parts of a long record are missing or do not fit; restore a backup")
    payload = {name: _whole(value) for name, value in fields.items()}
    if parts:
        payload |= json.loads("".join(part[_TEXT] for part in parts))
    return payload


def _whole(value: object) -> object:
    """Pinecone gives whole numbers back as floats."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _fitted(payload: Payload) -> tuple[dict[str, Any], list[str]]:
    """The fields of the first record, and the texts of the parts."""
    fields = {name: value for name, value in payload.items() if value is not None and value != []}
    if "features" in payload:
        fields[WHOLE] = True
    if _size(fields) <= MOST_BYTES:
        return fields, []
    long = _taken(fields, [name for name, value in fields.items() if _is_long(value)])
    if _size(fields) > MOST_BYTES:  # what the filters may name is too much
        _taken(fields, [name for name, value in fields.items() if isinstance(value, list)])
        fields[WHOLE] = False
    return fields, list(_cut(json.dumps(long, ensure_ascii=False)))


def _is_long(value: object) -> bool:
    return isinstance(value, str) and len(value) > _LONG


def _taken(fields: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Remove some fields."""
    return {name: fields.pop(name) for name in names}


def _cut(text: str) -> Iterator[str]:
    """Slices that a record holds."""
    for start in range(0, len(text), MOST_BYTES):
        yield from _halved(text[start : start + MOST_BYTES])


def _halved(text: str) -> Iterator[str]:
    if _size(text) <= MOST_BYTES:
        yield text
    else:
        middle = len(text) // 2
        yield from _halved(text[:middle])
        yield from _halved(text[middle:])


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())


def portions_of(records: Sequence[Record]) -> Iterator[list[Record]]:
    """The records in portions that one request holds."""
    portion: list[Record] = []
    size = 0
    for record in records:
        weight = _weight(record)
        if portion and (size + weight > _BYTES or len(portion) == _WRITTEN):
            yield portion
            portion, size = [], 0
        portion.append(record)
        size += weight
    if portion:
        yield portion


def _weight(record: Record) -> int:
    """About how many bytes of JSON a record is."""
    sparse = record.get("sparse_values", {"values": []})
    numbers = len(record["values"]) + 2 * len(sparse["values"])
    return len(json.dumps(record["metadata"], ensure_ascii=False).encode()) + _NUMBER * numbers
