"""Memories as JSON and back, without loss: for export, for the change log, for stores of documents."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from recollect.types import (
    JSON,
    Change,
    DateSpan,
    Explanation,
    MemoryLabels,
    MemoryRecord,
    Origin,
    Parameter,
    Recollection,
    Reinforcement,
    Scope,
    Tag,
    Times,
    Use,
    Worth,
)

GROUPS: Final[Mapping[str, type]] = {
    "scope": Scope,
    "times": Times,
    "labels": MemoryLabels,
    "worth": Worth,
    "use": Use,
    "origin": Origin,
}
"""The grouped fields of a record and their classes."""

_PARTS: Final[Mapping[str, type]] = {
    "tags": Tag,
    "dates": DateSpan,
    "parameters": Parameter,
    "reinforcements": Reinforcement,
}
"""The fields that are tuples of a class of ours."""
_PART_FIELDS: Final = {kind: tuple(field.name for field in fields(kind)) for kind in _PARTS.values()}
_RECORD_FIELDS: Final = tuple(
    (field.name, tuple(one.name for one in fields(GROUPS[field.name])) if field.name in GROUPS else ())
    for field in fields(MemoryRecord)
)
"""The fields of a record, and of the group that each is; written down once, for lists are written often."""
_BASIC: Final = frozenset({str, int, float, bool})
"""The types that are in JSON as they are."""
_RICH: Final = (datetime, tuple)
"""The types in those classes that JSON does not have."""
_MOMENTS: Final = frozenset({"start", "end", "at"})
"""The fields of those classes that are moments."""

_PLAIN: Final = frozenset({Worth, Tag})
"""The classes whose fields JSON holds as they are."""
_BARE: Final[Mapping[type, Any]] = {kind: kind() for kind in (MemoryLabels, Use, Origin)}
"""The groups that nobody can change once they are made, as they are when nothing is said."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def record_to_json(record: MemoryRecord) -> dict[str, JSON]:
    """A record as plain JSON values, grouped as in ``MemoryRecord``; times as ISO 8601 UTC."""
    return {
        name: _group_to_json(value, names) if names else _plain(value)
        for name, names in _RECORD_FIELDS
        if (value := getattr(record, name)) is not None
    }


def _group_to_json(group: object, names: tuple[str, ...]) -> dict[str, JSON]:
    return {
        name: value if type(value) in _BASIC else _plain(value)
        for name in names
        if (value := getattr(group, name)) is not None
    }


def _plain(value: Any) -> JSON:
    if type(value) in _BASIC:
        basic: JSON = value
        return basic
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, (list, tuple)):
        return [item if type(item) in _BASIC else _plain(item) for item in value]
    if type(value) in _PART_FIELDS:
        return _part_to_json(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if is_dataclass(value):
        return fields_to_json(value)
    plain: JSON = value
    return plain


def fields_to_json(value: Any, *, without: Collection[str] = ()) -> dict[str, JSON]:
    """The fields of a dataclass as plain JSON values, those of dataclasses in it too; times in UTC.

    Args:
        value: An instance of a dataclass.
        without: Names of fields that are left out.
    """
    names = (one.name for one in fields(value) if one.name not in without)
    return {name: _plain(getattr(value, name)) for name in names}


def record_from_json(data: Mapping[str, Any]) -> MemoryRecord:
    """The record that ``record_to_json`` wrote.

    Raises:
        KeyError, TypeError, ValueError: The mapping is not such a record.
    """
    groups = {
        name: _group_from_json(kind, data[name]) if name in data else _BARE.get(kind) or kind()
        for name, kind in GROUPS.items()
    }
    return MemoryRecord(**{**data, **groups})


def _group_from_json(kind: type, data: Mapping[str, Any]) -> Any:
    if kind is Scope:
        return _scope(**data)
    if kind in _PLAIN:
        return kind(**data)
    if kind is Times:
        return Times(**{name: _moment(value) for name, value in data.items()})
    return kind(
        **{name: _items(name, value) if type(value) is list else value for name, value in data.items()}
    )


@lru_cache(maxsize=1024, typed=True)
def _scope(**data: Any) -> Scope:
    """Many memories share a scope, and nobody can change one."""
    return Scope(**data)


def _moment(value: Any) -> Any:
    return datetime.fromisoformat(value).astimezone(UTC) if isinstance(value, str) else value


def _items(name: str, values: list[Any]) -> tuple[Any, ...]:
    return parts_from_json(name, values) if name in _PARTS else tuple(values)


def parts_to_json(parts: Sequence[object]) -> list[dict[str, JSON]]:
    """Tags, dates, parameters or reinforcements as plain JSON values."""
    return [_part_to_json(part) for part in parts]


def _part_to_json(part: object) -> dict[str, JSON]:
    return {
        name: _plain(value) if type(value) in _RICH else value
        for name in _PART_FIELDS[type(part)]
        if (value := getattr(part, name)) is not None
    }


def parts_from_json(name: str, values: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    """What ``parts_to_json`` wrote of the field ``name``.

    Raises:
        TypeError, ValueError: The values are not such parts.
    """
    kind = _PARTS[name]
    if kind in _PLAIN:
        return tuple([kind(**part) for part in values])
    return tuple(
        [kind(**{field: _rich_part(field, value) for field, value in part.items()}) for part in values]
    )


def _rich_part(field: str, value: Any) -> Any:
    if field in _MOMENTS:
        return datetime.fromisoformat(value).astimezone(UTC)
    return tuple(value) if field == "place" else value


def recollection_to_json(hit: Recollection) -> dict[str, JSON]:
    """A recollection as plain JSON values."""
    return {
        "score": hit.score,
        "memory": record_to_json(hit.memory),
        "signals": dict(hit.signals),
        "terms": dict(hit.terms),
        "matched_tags": list(hit.matched_tags),
        "citation": hit.memory.citation,
        "via": None if hit.via is None else record_to_json(hit.via),
        "superseded": None if hit.superseded is None else fields_to_json(hit.superseded, without=("what",)),
        "repeats": [fields_to_json(one) for one in hit.repeats],
    }


def change_to_json(change: Change) -> dict[str, JSON]:
    """An entry of a history as plain JSON values, without the memory's id."""
    return fields_to_json(change, without=("memory_id",))


def explanation_to_json(explanation: Explanation) -> dict[str, JSON]:
    """An explanation as plain JSON values."""
    hit = explanation.recollection
    return {
        "memory": record_to_json(explanation.memory),
        "recollection": None if hit is None else recollection_to_json(hit),
        "rank": explanation.rank,
        "ranked": explanation.ranked,
        "reason": explanation.reason,
        "importance": explanation.importance,
        "confidence": None if explanation.confidence is None else explanation.confidence.to_dict(),
        "sources": [record_to_json(source) for source in explanation.sources],
        "history": [change_to_json(change) for change in explanation.history],
    }


def changed_fields(before: MemoryRecord, after: MemoryRecord) -> tuple[dict[str, JSON], dict[str, JSON]]:
    """What differs between two versions of a record: as it was, and as it became.

    Fields inside a group are named ``group.field``; a field that is None is given as None.
    """
    old, new = _flat(before), _flat(after)
    names = [name for name in old | new if _written(old.get(name)) != _written(new.get(name))]
    return {name: old.get(name) for name in names}, {name: new.get(name) for name in names}


def with_fields(record: MemoryRecord, values: Mapping[str, JSON]) -> MemoryRecord:
    """A record with some fields as ``changed_fields`` names and gives them."""
    data: dict[str, Any] = record_to_json(record)
    for name, value in values.items():
        group, _, inner = name.partition(".")
        part = data.setdefault(group, {}) if inner else data
        if value is None:
            part.pop(inner or group, None)
        else:
            part[inner or group] = value
    return record_from_json(data)


def _written(value: JSON) -> str:
    """The value as text: unlike the values, the texts of 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


def _flat(record: MemoryRecord) -> dict[str, JSON]:
    flat: dict[str, JSON] = {}
    for name, value in record_to_json(record).items():
        if name in GROUPS and isinstance(value, Mapping):
            flat |= {f"{name}.{inner}": item for inner, item in value.items()}
        else:
            flat[name] = value
    return flat


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC, exact."""
    delta = moment - _EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def from_micros(micros: int) -> datetime:
    """The moment that many microseconds after 1970 UTC."""
    return _EPOCH + timedelta(microseconds=micros)
