"""Conditions in Pinecone's filter language."""

from collections.abc import Sequence
from typing import Any, Final, assert_never

from recollect.stores.points.conditions import INDEXED, Between, Condition, Either, Is

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
