"""Writes as plain JSON values, so that they can be stored and replayed."""

from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, Literal

from recollect.protocols import Features
from recollect.protocols.queue import held_from_json, held_to_json
from recollect.stores.reference.rows import Row
from recollect.stores.reference.tables import Kept
from recollect.types import Change
from recollect.types.codec import record_from_json, record_to_json

Write = dict[str, list[tuple[Any, Any]]]
"""By table (see ``tables.Kept``) the changed keys, each with its value; None for a removed key.

The value of a memory is its record with ``key``, ``version`` and ``outline``, ``deleted`` when it is, its
``features`` when they changed, in ``history`` the changes that are new, and their number in ``changes``. With
``rewritten`` it is the whole history, in place of the one before.
"""

MemoryType = Literal["short-term", "long-term"]
"""Semem's two memories."""
_Codec = Callable[[Any, Any], Any]
"""Takes a value and the former value of its key."""
_OWN: Final = ("key", "version", "outline", "deleted", "features", "history", "changes", "rewritten")
"""The fields in the value of a memory that are not fields of its record."""


def write_of(kept: Kept) -> Write:
    """The changes since ``Kept.settle``; empty when there are none."""
    write: Write = {}
    for name, table in kept.tables().items():
        encode = _codec(_ENCODE, name)
        changed = [(key, encode(table.get(key), before)) for key, before in table.before.items()]
        if changed:
            write[name] = changed
    return write


def everything(kept: Kept) -> Write:
    """The whole state, as one write."""
    return {
        name: [(key, _codec(_ENCODE, name)(value, None)) for key, value in table.items()]
        for name, table in kept.tables().items()
    }


def forgets(write: Write) -> bool:
    """Whether a write purges memories or words, so that earlier writes must be removed, too."""
    return any(value is None or "rewritten" in value for _, value in write.get("memories", ()))


def apply(kept: Kept, write: Write) -> None:
    """Replay a write.

    Raises:
        KeyError, TypeError, ValueError and others (``UNSOUND``): It is not one, or does not fit what is kept.
    """
    tables = kept.tables()
    for name, changed in write.items():
        table, decode = tables[name], _codec(_DECODE, name)
        for key, value in changed:
            place = tuple(key) if isinstance(key, list) else key
            if value is None:
                table.drop(place)
            else:
                table.put(place, decode(value, table.get(place)))


def memory_type(tier: str) -> MemoryType:
    """The one of Semem's two memories that a tier belongs to.

    >>> memory_type("working"), memory_type("archived")
    ('short-term', 'long-term')
    """
    return "short-term" if tier in ("working", "short-term") else "long-term"


def memory_to_json(row: Row | None, before: Row | None) -> dict[str, Any] | None:
    """The value of a memory: what differs from its former state."""
    if row is None:
        return None
    known = 0 if before is None else len(before.history)
    rewritten = before is not None and row.history[:known] != before.history
    known = 0 if rewritten else known
    item: dict[str, Any] = _told(record_to_json(row.record)) | {
        "key": row.key,
        "version": row.version,
        "outline": _text(row.outline),
        "changes": len(row.history),
        "history": [_change_to_json(change) for change in row.history[known:]],
    }
    if row.deleted:
        item["deleted"] = True
    if rewritten:
        item["rewritten"] = True
    if before is None or row.features is not before.features:
        item["features"] = {
            "vector": _text(row.features.vector),
            "terms": _text(row.features.terms),
            "counts": _text(row.features.counts),
            "stems": row.features.stems,
            "traits": row.features.traits,
        }
    return item


def memory_from_json(item: Mapping[str, Any], before: Row | None) -> Row:
    """The memory that a value and its former state describe.

    Raises:
        KeyError, TypeError, ValueError: The value is not one, or changes are missing.
    """
    own = dict(item)
    for name in _OWN:
        own.pop(name, None)
    record = record_from_json(own)
    known = () if before is None or item.get("rewritten") else before.history
    history = known + tuple([_change_from_json(record.id, change) for change in item["history"]])
    if len(history) != item["changes"]:
        raise ValueError(f"{len(history)} of {item['changes']} changes of the memory {record.id!r} are there")
    row = Row(
        key=item["key"],
        record=record,
        features=_features_from_json(item["features"]) if before is None else before.features,
        outline=_bytes(item["outline"]),
        version=item["version"],
        deleted=item.get("deleted", False),
        history=history,
    )
    if before is not None and "features" in item:
        return replace(row, features=_features_from_json(item["features"]))
    return row


def _told(data: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON of a record without defaults."""
    told = {
        name: _differing(value, _DEFAULTS[name]) if name in _DEFAULTS else value
        for name, value in data.items()
    }
    return {name: value for name, value in told.items() if name not in _DEFAULTS or value}


def _differing(group: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are not defaults; 1, 1.0 and true differ."""
    return {
        name: value
        for name, value in group.items()
        if name not in defaults or value != defaults[name] or type(value) is not type(defaults[name])
    }


def _features_from_json(data: Mapping[str, Any]) -> Features:
    return Features(
        vector=_bytes(data["vector"]),
        terms=_bytes(data["terms"]),
        counts=_bytes(data["counts"]),
        stems=data["stems"],
        traits=data["traits"],
    )


def _change_to_json(change: Change) -> dict[str, Any]:
    data: dict[str, Any] = {"at": change.at.isoformat(), "action": change.action}
    if change.before or change.after:
        data |= {"before": change.before, "after": change.after}
    return data if change.reason is None else data | {"reason": change.reason}


def _change_from_json(memory_id: str, data: Mapping[str, Any]) -> Change:
    at = datetime.fromisoformat(data["at"])
    return Change(
        at=at,
        action=data["action"],
        memory_id=memory_id,
        before=data.get("before", {}),
        after=data.get("after", {}),
        reason=data.get("reason"),
    )


def _text(data: bytes) -> str:
    return b2a_base64(data, newline=False).decode()


def _bytes(text: str) -> bytes:
    return a2b_base64(text, strict_mode=True)


def _codec(table: Mapping[str, _Codec], name: str) -> _Codec:
    return table.get(name, _same)


def _same(value: Any, _before: object) -> Any:
    return value


_DEFAULTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "labels": {"tags": [], "concepts": [], "entities": [], "dates": [], "parameters": []},
    "worth": {"confidence": 1.0, "critical": False, "factors": {}},
    "use": dict.fromkeys(
        ("access_count", "usage_count", "reinforced_count", "useful_count", "unhelpful_count"), 0
    )
    | {"reinforcements": [], "decay_factor": 1.0},
    "origin": {"sources": [], "turn": 0, "thread": ""},
    "metadata": {},
}
"""Values that are left out: the defaults of the types. Changing a default there changes the format."""
_ENCODE: Final[Mapping[str, _Codec]] = {
    "memories": memory_to_json,
    "jobs": lambda held, _: None if held is None else held_to_json(held),
    "staged": lambda vector, _: None if vector is None else _text(vector),
}
_DECODE: Final[Mapping[str, _Codec]] = {
    "memories": memory_from_json,
    "jobs": lambda data, _: held_from_json(data),
    "staged": lambda text, _: _bytes(text),
}
