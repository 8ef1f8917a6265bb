"""Items as records: namespaces and keys in one key, values in metadata, filters on them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from recollect.errors import InvalidInputError
from recollect.integrations.records import Filters
from recollect.types import JSON, MemoryRecord
from recollect.types.extras import package_of

with package_of("langgraph", "langgraph.store.base", feature="RecollectStore"):
    from langgraph.store.base import MatchCondition, get_text_at_path

TTL: Final = "ttl_minutes"
_VALUE: Final = "value."
_END: Final = ".."
"""What ends the namespace in a key: a label is not empty and holds no full stop."""
_OPERATORS: Final = {"$eq": "eq", "$ne": "ne", "$gt": "gt", "$gte": "gte", "$lt": "lt", "$lte": "lte"}
_Rest = tuple[str, bool, object]


def key_of(namespace: Sequence[str], key: str) -> str:
    """The key of an item's record.

    >>> key_of(("notes", "ada"), "/a.md")
    'notes.ada../a.md'
    """
    return f"{'.'.join(namespace)}{_END}{key}"


def prefix_of(namespace: Sequence[str]) -> str:
    """What the keys of a namespace and of those below it begin with, by whole labels."""
    return "".join(f"{label}." for label in namespace)


def namespace_of(key: str) -> tuple[tuple[str, ...], str]:
    """The namespace and the key of an item, from the key of its record."""
    namespace, _, own = key.partition(_END)
    return tuple(namespace.split(".")), own


def parts_of(
    value: Mapping[str, Any], *, fields: Sequence[str] | None, indexed: bool
) -> tuple[str, dict[str, JSON]]:
    """The words that a value is found by, if it is indexed, and the value as metadata."""
    texts = _texts(value) if fields is None else _texts([get_text_at_path(value, path) for path in fields])
    if not all(isinstance(name, str) for name in value):
        raise InvalidInputError("a value must be a mapping with text keys, as JSON has them")
    words = "\n".join(text for text in texts if text.strip()) if indexed else ""
    return words, {f"{_VALUE}{name}": one for name, one in value.items()}


def value_of(record: MemoryRecord) -> dict[str, JSON]:
    """The value of an item."""
    named = record.metadata.items()
    return {name.removeprefix(_VALUE): one for name, one in named if name.startswith(_VALUE)}


def _texts(value: object) -> Iterator[str]:
    """The texts in a value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)


def conditions(wanted: Mapping[str, Any]) -> tuple[list[Filters], list[_Rest]]:
    """A filter as conditions for the store, and what is left: comparisons with lists and mappings.

    Raises:
        ValueError: It has an unknown operator.
    """
    pushed: list[Filters] = []
    rest: list[_Rest] = []
    for name, test in wanted.items():
        operators = test if isinstance(test, Mapping) and any(_is_operator(key) for key in test) else None
        for operator, operand in ({"$eq": test} if operators is None else operators).items():
            if operator not in _OPERATORS:
                raise ValueError(f"unknown operator {operator!r}; known are {', '.join(_OPERATORS)}")
            if not isinstance(operand, (Mapping, list, tuple)):
                pushed.append({f"metadata.{_VALUE}{name}": {_OPERATORS[operator]: operand}})
            elif operator in ("$eq", "$ne"):
                rest.append((name, operator == "$eq", operand))
            else:
                raise ValueError(f"{operator} compares with a number or a text, not with {operand!r}")
    return pushed, rest


def _is_operator(key: object) -> bool:
    return isinstance(key, str) and key.startswith("$")


def holds(record: MemoryRecord, name: str, equal: bool, operand: object) -> bool:  # noqa: FBT001 - a condition
    """Whether the part of a value with this name equals a list or mapping, or does not."""
    return _same(record.metadata.get(f"{_VALUE}{name}"), operand) == equal


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are equal: true is not 1."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def fits(namespace: Sequence[str], condition: MatchCondition) -> bool:
    """Whether a namespace begins or ends with a path, in which ``*`` stands for any label."""
    path = tuple(condition.path)
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"unknown match type {condition.match_type!r}; known are prefix, suffix")
    if len(namespace) < len(path):
        return False
    part = (
        namespace[: len(path)]
        if condition.match_type == "prefix"
        else namespace[len(namespace) - len(path) :]
    )
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))
