"""What Qdrant can leave out of a filter's answer.

The conditions are necessary, not sufficient: whoever matches the filter meets them. The rest is
decided by ``filters.matches`` alone, so that no difference between the two can be seen.
"""

from datetime import datetime
from typing import Any, Final

from qdrant_client import models

from recollect.filters import AllOf, AnyOf, Filter, Test
from recollect.stores.qdrant.points import MAX_INDEXED, tenant_of, to_seconds
from recollect.stores.qdrant.schema import INDEXED
from recollect.types import Scope

_MOST_OPTIONS: Final = 256
"""Values of one condition; a filter that lists more is decided here. Chosen by hand."""
_DEEPEST: Final = 8
"""Conditions inside conditions; a server's JSON reader ends at 128. Chosen by hand."""


def within(scope: Scope, where: Filter) -> models.Filter:
    """The condition for the live memories of a scope, narrowed by what a filter makes necessary."""
    conditions = [field("tenant", tenant_of(scope.user_id)), field("live", value=True)]
    for name, value in (("agent_id", scope.agent_id), ("session_id", scope.session_id)):
        if value is not None and len(value) <= MAX_INDEXED:
            conditions.append(field(name, value))
    return models.Filter(must=[*conditions, *necessary(where)])


def field(name: str, value: bool | str) -> Any:  # noqa: FBT001 (the value to look for)
    """The condition that a payload field is, or holds, a value."""
    return models.FieldCondition(key=name, match=models.MatchValue(value=value))


def necessary(where: Filter, *, depth: int = 0) -> list[Any]:
    """Conditions that every memory meets that passes the filter; none when there is nothing to say."""
    match where:
        case AllOf(parts):
            return [condition for part in parts for condition in necessary(part, depth=depth)]
        case AnyOf(parts) if parts and depth < _DEEPEST:
            options = [necessary(part, depth=depth + 1) for part in parts]
            if all(options):
                return [models.Filter(should=[models.Filter(must=option) for option in options])]
        case Test() if not where.in_metadata and where.key in INDEXED:
            return _of_test(where)
    return []


def _of_test(test: Test) -> list[Any]:
    value = test.value
    match INDEXED[test.key]:
        case "text" if test.operator == "eq" and _short(value):
            return [field(test.key, str(value))]
        case "text" if test.operator == "in" and isinstance(value, tuple):
            if 0 < len(value) <= _MOST_OPTIONS and all(map(_short, value)):
                options = [str(option) for option in value]
                return [models.FieldCondition(key=test.key, match=models.MatchAny(any=options))]
        case "list" if _short(value):
            return [field(test.key, str(value))]
        case "bool" if test.operator == "eq" and isinstance(value, bool):
            return [field(test.key, value)]
        case "number" if isinstance(value, (int, float)) and not isinstance(value, bool):
            return _range(test, float(value))
        case "time" if isinstance(value, datetime):
            return _range(test, to_seconds(value))
    return []


def _short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_INDEXED


def _range(test: Test, bound: float) -> list[Any]:
    """The range with its bound: seconds and floats are rounded, so the bound itself may still pass."""
    ranges = {
        "eq": models.Range(gte=bound, lte=bound),
        "gt": models.Range(gte=bound),
        "gte": models.Range(gte=bound),
        "lt": models.Range(lte=bound),
        "lte": models.Range(lte=bound),
    }
    found = ranges.get(test.operator)
    return [models.FieldCondition(key=test.key, range=found)] if found else []
