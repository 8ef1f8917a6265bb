"""The conditions by which a service narrows a filter's answer.

The conditions are necessary, not sufficient: what matches the filter meets them. The rest is
decided by ``filters.matches`` alone, so that no difference between the two can be seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from recollect.types import Scope
from recollect.types.codec import to_micros
from recollect.types.filters import FIELDS, AllOf, AnyOf, FieldType, Filter, Test

MAX_INDEXED: Final = 256
"""Characters of a text that is indexed; longer ones are not narrowed down there. Chosen by hand."""

_MOST_OPTIONS: Final = 256
"""Values of one condition; a filter that lists more is decided here. Chosen by hand."""
_DEEPEST: Final = 8
"""Conditions inside conditions; a server's JSON reader may end at 128. Chosen by hand."""
_INDEXED_NAMES: Final = (
    "kind", "tier", "agent_id", "session_id", "speaker", "role", "category", "emotion", "language", "tags",
    "concepts", "entities", "importance", "confidence", "priority", "critical", "created_at", "happened_at",
    "updated_at", "valid_from", "valid_until", "accessed_at",
)  # fmt: skip
"""Part of the format: memories written before a name was added here would not be found by it."""

INDEXED: Final[Mapping[str, FieldType]] = {name: FIELDS[name][0] for name in _INDEXED_NAMES}
"""The fields a filter may name that are kept beside a memory's record, and their types."""


@dataclass(frozen=True, slots=True)
class Is:
    """A field is one of some values, or, when it is a list, holds one."""

    field: str
    values: tuple[str, ...] | tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """A number is neither below nor above; None leaves a side open."""

    field: str
    least: float | None
    most: float | None


@dataclass(frozen=True, slots=True)
class Either:
    """All conditions of at least one option are met."""

    options: tuple[tuple["Condition", ...], ...]


Condition = Is | Between | Either


def tenant_of(user_id: str) -> str:
    """The payload field of all a user has: half of the SHA-256 of the id, of one size whatever it is.

    >>> tenant_of("ada")
    'fdee430d40bd57deeac186cd9790033d'
    """
    return sha256(user_id.encode()).hexdigest()[:32]


def to_seconds(moment: datetime) -> int:
    """Whole seconds since 1970 UTC: unlike microseconds, a float holds them exactly."""
    return to_micros(moment) // 1_000_000


def within(scope: Scope, where: Filter) -> list[Condition]:
    """The conditions for the live memories of a scope, narrowed by what a filter makes necessary."""
    conditions: list[Condition] = [Is("tenant", (tenant_of(scope.user_id),)), Is("live", (True,))]
    for name, value in (("agent_id", scope.agent_id), ("session_id", scope.session_id)):
        if value is not None and len(value) <= MAX_INDEXED:
            conditions.append(Is(name, (value,)))
    return [*conditions, *necessary(where)]


def necessary(where: Filter, *, depth: int = 0) -> Sequence[Condition]:
    """Conditions that every memory that passes the filter meets; none if there are none."""
    match where:
        case AllOf(parts):
            return [condition for part in parts for condition in necessary(part, depth=depth)]
        case AnyOf(parts) if parts and depth < _DEEPEST:
            options = tuple(tuple(necessary(part, depth=depth + 1)) for part in parts)
            return [Either(options)] if all(options) else []
        case Test() if not where.in_metadata and where.key in INDEXED:
            return _of_test(where)
    return []


def _of_test(test: Test) -> list[Condition]:
    value = test.value
    match INDEXED[test.key]:
        case "text" if test.operator == "eq" and _short(value):
            return [Is(test.key, (str(value),))]
        case "text" if test.operator == "in" and isinstance(value, tuple):
            if 0 < len(value) <= _MOST_OPTIONS and all(map(_short, value)):
                return [Is(test.key, tuple(str(option) for option in value))]
        case "list" if _short(value):
            return [Is(test.key, (str(value),))]
        case "bool" if test.operator == "eq" and isinstance(value, bool):
            return [Is(test.key, (value,))]
        case "number" if isinstance(value, (int, float)) and not isinstance(value, bool):
            return _range(test, float(value))
        case "time" if isinstance(value, datetime):
            return _range(test, to_seconds(value))
    return []


def _short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_INDEXED


def _range(test: Test, bound: float) -> list[Condition]:
    """The range with its bound: seconds and floats are rounded, so the bound itself may still pass."""
    match test.operator:
        case "eq":
            return [Between(test.key, bound, bound)]
        case "gt" | "gte":
            return [Between(test.key, bound, None)]
        case "lt" | "lte":
            return [Between(test.key, None, bound)]
    return []
