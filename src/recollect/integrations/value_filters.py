"""Filters on values as LangGraph and MongoDB write them: ``{"age": {"$gte": 18}, "tags": ["a"]}``."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from recollect.errors import InvalidInputError, as_given
from recollect.types import MemoryRecord
from recollect.types.iso import written

VALUE: Final = "value."
"""What the names of a value's parts begin with in the metadata of its record."""
_BIG: Final = 2**63
"""From here on whole numbers are too large for the stores to compare."""
_OPERATORS: Final = {"$eq": "eq", "$ne": "ne", "$gt": "gt", "$gte": "gte", "$lt": "lt", "$lte": "lte"}


class Comparison(NamedTuple):
    """That a part of a value equals a list, a mapping, the text of a time or a huge number, or does not."""

    name: str
    equal: bool
    operand: object

    def holds(self, record: MemoryRecord) -> bool:
        """Whether it is so of a record."""
        return _same(record.metadata.get(f"{VALUE}{self.name}"), self.operand) == self.equal


def read_value_filter(where: Mapping[str, Any]) -> tuple[list[Mapping[str, object]], list[Comparison]]:
    """A filter as conditions for ``Memory.search``, and what is left to compare exactly.

    Raises:
        InvalidInputError: It is no mapping, or has an unknown operator.
    """
    if not isinstance(where, Mapping):
        raise InvalidInputError(
            f"a filter must be a mapping such as {{'topic': 'dogs'}}, not {as_given(where)}"
        )
    conditions: list[Mapping[str, object]] = []
    left: list[Comparison] = []
    for name, test in where.items():
        plain = not isinstance(test, Mapping) or not any(str(key).startswith("$") for key in test)
        for operator, operand in ({"$eq": test} if plain else test).items():
            if operator not in _OPERATORS:
                raise InvalidInputError(f"unknown operator {operator!r}; known are {', '.join(_OPERATORS)}")
            exact = _is_exact(operand) and operator in ("$eq", "$ne")
            if not (exact or isinstance(operand, (Mapping, list, tuple))):
                conditions.append({f"metadata.{VALUE}{name}": {_OPERATORS[operator]: operand}})
            elif operator in ("$eq", "$ne"):
                left.append(Comparison(name, operator == "$eq", operand))
            else:
                raise InvalidInputError(f"{operator} compares with a number or a text, not with {operand!r}")
    return conditions, left


def _is_exact(operand: object) -> bool:
    """Whether it is the text of a time, which a search reads as one, or a number that it cannot compare."""
    if isinstance(operand, str):
        return bool(written(operand))
    return isinstance(operand, int) and abs(operand) >= _BIG


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are equal: true is not 1."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other
