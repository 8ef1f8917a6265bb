"""Conditions in Qdrant's filter language."""

from collections.abc import Sequence
from typing import Any, assert_never

from qdrant_client import models

from recollect.stores.points.conditions import Between, Condition, Either, Is


def condition_of(conditions: Sequence[Condition]) -> models.Filter:
    """The filter that lets through what meets all of some conditions."""
    return models.Filter(must=[_said(condition) for condition in conditions])


def _said(condition: Condition) -> Any:
    match condition:
        case Is(field, values):
            match: Any = (
                models.MatchValue(value=values[0])
                if len(values) == 1
                else models.MatchAny(any=[str(value) for value in values])
            )
            return models.FieldCondition(key=field, match=match)
        case Between(field, least, most):
            return models.FieldCondition(key=field, range=models.Range(gte=least, lte=most))
        case Either(options):
            return models.Filter(should=[condition_of(option) for option in options])
        case _:
            assert_never(condition)
