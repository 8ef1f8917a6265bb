"""Filters: what they look like, and what they mean.

A filter is a mapping. Keys are fields of a memory or keys of its metadata; values are a plain value
(equals) or a mapping of operators::

    {"kind": "fact", "importance": {"gte": 0.5}}          # both must hold
    {"or": [{"project": "apollo"}, {"tags": {"contains": "space"}}]}
    {"not": {"metadata.kind": "draft"}}                   # metadata named like a field

Operators: ``eq ne in nin gt gte lt lte contains``. A missing key counts as None. ``ne`` and ``nin``
are the exact opposites of ``eq`` and ``in``. Values of different types are unequal and have no
order (a bool is not a number). A text of metadata that is a time, such as ``2026-05-01``, is compared as
one. ``contains`` looks for a substring in a text, ASCII case ignored, or
for an element in a list.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any, Final, Literal, TypeAlias, get_args

from recollect.errors import InvalidInputError, as_given
from recollect.types import MemoryRecord
from recollect.types.iso import Written, iso_text, written
from recollect.types.regex import lazy_regex

_INT64: Final = 2**63
_UNCLEAN: Final = lazy_regex("[\0\ud800-\udfff]")
_DEEPEST: Final = 160
"""Filters inside filters; more is a mistake, or an attack on the stack. Chosen by hand."""

Operator = Literal["eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "contains"]
OPERATORS: Final[tuple[Operator, ...]] = get_args(Operator)
FieldType = Literal["text", "number", "bool", "time", "list"]
Scalar: TypeAlias = bool | int | float | str | datetime | None

FIELDS: Final[Mapping[str, tuple[FieldType, Callable[[MemoryRecord], object]]]] = {
    "id": ("text", lambda m: m.id),
    "idempotency_key": ("text", lambda m: m.idempotency_key),
    "kind": ("text", lambda m: m.kind),
    "tier": ("text", lambda m: m.tier),
    "content": ("text", lambda m: m.content),
    "summary": ("text", lambda m: m.summary),
    "agent_id": ("text", lambda m: m.scope.agent_id),
    "session_id": ("text", lambda m: m.scope.session_id),
    "speaker": ("text", lambda m: m.origin.speaker),
    "role": ("text", lambda m: m.origin.role),
    "thread": ("text", lambda m: m.origin.thread),
    "turn": ("number", lambda m: m.origin.turn),
    "sources": ("list", lambda m: m.origin.sources),
    "category": ("text", lambda m: m.labels.category),
    "emotion": ("text", lambda m: m.labels.emotion),
    "language": ("text", lambda m: m.labels.language),
    "tags": ("list", lambda m: tuple(tag.text for tag in m.labels.tags)),
    "concepts": ("list", lambda m: m.labels.concepts),
    "entities": ("list", lambda m: m.labels.entities),
    "importance": ("number", lambda m: m.worth.importance),
    "confidence": ("number", lambda m: m.worth.confidence),
    "priority": ("text", lambda m: m.worth.priority),
    "critical": ("bool", lambda m: m.worth.critical),
    "access_count": ("number", lambda m: m.use.access_count),
    "usage_count": ("number", lambda m: m.use.usage_count),
    "reinforced_count": ("number", lambda m: m.use.reinforced_count),
    "useful_count": ("number", lambda m: m.use.useful_count),
    "unhelpful_count": ("number", lambda m: m.use.unhelpful_count),
    "decay_factor": ("number", lambda m: m.use.decay_factor),
    "created_at": ("time", lambda m: m.times.created_at),
    "happened_at": ("time", lambda m: m.times.happened_at),
    "updated_at": ("time", lambda m: m.times.updated_at),
    "valid_from": ("time", lambda m: m.times.valid_from),
    "valid_until": ("time", lambda m: m.times.valid_until),
    "accessed_at": ("time", lambda m: m.times.accessed_at),
}
"""The fields a filter may name: their type, and how the reference store reads them."""


_FITTING: Final[Mapping[FieldType | None, tuple[type, ...]]] = {
    "number": (int, float),
    "bool": (bool,),
    "text": (str,),
    "list": (str,),
    None: (bool, int, float, str),
}
"""What a value that a field is compared with may be; None is metadata."""
_MISNAMED: Final = {
    "name": "speaker",
    "timestamp": "happened_at",
    "tag": "tags",
    "run_id": "session_id",
}
"""What ``add`` and others call a field; as filters these would silently match nothing."""


_SPELLED: Final = {
    ">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "=": "eq", "==": "eq", "!=": "ne", "not_in": "nin",
    "icontains": "contains",
}  # fmt: skip
"""How other libraries spell operators, beside a ``$`` before ours."""


@dataclass(frozen=True, slots=True)
class Test:
    """One comparison. ``value`` is a tuple for ``in`` and ``nin``, else one value."""

    __test__ = False
    key: str
    in_metadata: bool
    operator: Operator
    value: Scalar | tuple[Scalar, ...]

    def __post_init__(self) -> None:
        """Make an enum's member, or a number or text of NumPy, a plain value: stores go by its type."""
        value = self.value
        plain = tuple(map(_plain, value)) if isinstance(value, tuple) else _plain(value)
        object.__setattr__(self, "value", plain)


def _plain(value: Scalar) -> Scalar:
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, float):
        return float.__float__(value)
    return int.__int__(value) if isinstance(value, int) and not isinstance(value, bool) else value


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds; without parts, always true."""

    parts: "tuple[Filter, ...]" = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds; without parts, never true."""

    parts: "tuple[Filter, ...]" = ()


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: "Filter"


Filter: TypeAlias = Test | AllOf | AnyOf | Not
EVERYTHING: Final = AllOf()


def by_ids(ids: Sequence[str]) -> Filter:
    """The filter for exactly these memories."""
    return Test("id", in_metadata=False, operator="in", value=tuple(ids))


def narrowing(
    kinds: Sequence[str] | None,
    *,
    tiers: Sequence[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Filter:
    """The filter for some kinds and tiers (None for all) and a time in which memories happened.

    ``until`` is excluded.
    """
    parts: list[Filter] = []
    if tiers is not None:
        parts.append(Test("tier", in_metadata=False, operator="in", value=tuple(tiers)))
    if kinds is not None:
        parts.append(Test("kind", in_metadata=False, operator="in", value=tuple(kinds)))
    if since is not None:
        parts.append(Test("happened_at", in_metadata=False, operator="gte", value=since))
    if until is not None:
        parts.append(Test("happened_at", in_metadata=False, operator="lt", value=until))
    return AllOf(tuple(parts))


def parse_filter(filters: Mapping[str, object] | None) -> Filter:
    """Read a filter as users write it.

    Raises:
        InvalidInputError: It names an unknown operator, or a value that does not fit its field.
    """
    if filters is None:
        return EVERYTHING
    if not isinstance(filters, Mapping):
        raise InvalidInputError(f"filters must be a mapping, not {type(filters).__name__}")
    return _parse_part(filters, depth=0)


def decides(where: Filter) -> bool | None:
    """What a filter says of every memory, if that follows from its parts alone; None if a memory is needed.

    >>> decides(parse_filter({"not": {"or": []}})), decides(parse_filter({"or": []}))
    (True, False)
    >>> decides(parse_filter({"kind": "fact"})) is None
    True
    """
    if isinstance(where, Test):
        return None
    if isinstance(where, Not):
        inner = decides(where.part)
        return None if inner is None else not inner
    said = [decides(part) for part in where.parts]
    settles = isinstance(where, AnyOf)
    if settles in said:
        return settles
    return None if None in said else not settles


def _parse_item(key: object, value: object, *, depth: int) -> Filter:
    if not isinstance(key, str):
        raise InvalidInputError(f"a filter's keys are strings, not {as_given(key)}")
    if key in ("and", "or"):
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise InvalidInputError(f"the filter {as_given(key)} takes a list of filters")
        parts = tuple(_parse_part(part, depth=depth + 1) for part in value)
        return AllOf(parts) if key == "and" else AnyOf(parts)
    if key == "not":
        return Not(_parse_part(value, depth=depth + 1))
    if (ours := key.lstrip("$").lower()) in ("and", "or", "not"):
        raise InvalidInputError(
            f"{key!r} is written {ours!r} here, or 'metadata.{key}' for metadata of that name"
        )
    if key == "user_id":
        raise InvalidInputError("user_id is not a filter; pass it as the argument user_id=")
    if key in _MISNAMED:
        raise InvalidInputError(
            f"{key!r} is not a field; use {_MISNAMED[key]!r}, or 'metadata.{key}' for metadata of that name"
        )
    if "." in key and not key.startswith("metadata."):
        raise InvalidInputError(
            f"{as_given(key)} is no field, and what lies inside a value of the metadata cannot be compared; "
            "write 'metadata.' before a key of that name"
        )
    return _parse_key(key, value)


def _parse_part(part: object, *, depth: int) -> Filter:
    if not isinstance(part, Mapping):
        raise InvalidInputError(f"a part of a filter must be a mapping, not {as_given(part)}")
    if depth > _DEEPEST:
        raise InvalidInputError(f"the filter is nested more than {_DEEPEST} deep; make it flatter")
    return AllOf(tuple(_parse_item(key, value, depth=depth) for key, value in part.items()))


def _parse_key(key: str, value: object) -> Filter:
    if not _clean(key):
        raise InvalidInputError(f"the filter key {as_given(key)} contains a NUL or a lone surrogate")
    if not isinstance(value, Mapping):
        return _parse_test(key, "eq", value)
    if not value:
        raise InvalidInputError(f"the filter on {as_given(key)} names no operator; use {_known()}")
    tests = tuple(_parse_test(key, operator, operand) for operator, operand in value.items())
    return tests[0] if len(tests) == 1 else AllOf(tests)


def _known() -> str:
    return ", ".join(OPERATORS)


def _ours(operator: object) -> str:
    """How an operator of other libraries is spelled here; else all of them."""
    if not isinstance(operator, str):
        return _known()
    plain = operator.lstrip("$").lower()
    return repr(plain) if plain in OPERATORS else repr(_SPELLED[plain]) if plain in _SPELLED else _known()


def _parse_test(key: str, operator: object, value: object) -> Filter:
    if operator not in OPERATORS:
        raise InvalidInputError(
            f"unknown operator {as_given(operator)} in the filter on {as_given(key)}; use {_ours(operator)}"
        )
    name: Operator = operator
    field = FIELDS.get(key)
    kind = field[0] if field else None
    bare = key if field else key.removeprefix("metadata.")
    if kind == "list" and name != "contains":
        raise InvalidInputError(f"{as_given(key)} is a list; its only operator is 'contains'")
    if name in ("in", "nin"):
        if not isinstance(value, (list, tuple, set, frozenset)):
            raise InvalidInputError(
                f"{as_given(name)} on {as_given(key)} takes a list of values, not {as_given(value)}"
            )
        several = Test(bare, field is None, name, tuple(_scalar(key, kind, item) for item in value))
        return several if field else _by_time(several)
    one = Test(bare, field is None, name, _scalar(key, kind, value))
    return one if field else _by_time(one)


_SEVERAL: Final[Mapping[Operator, Operator]] = {"eq": "in", "ne": "nin", "in": "in", "nin": "nin"}


def _by_time(test: Test) -> Filter:
    """A comparison of metadata, in which a text that is a time equals all texts of that time."""
    given = test.value if isinstance(test.value, tuple) else (test.value,)
    times: dict[Scalar, Written] = {
        one: found for one in given if isinstance(one, str) and (found := written(one))
    }
    if not times or test.operator == "contains":
        return test
    same = tuple(text for one in given for text in (times[one].texts if one in times else (one,)))
    if test.operator in _SEVERAL:
        return replace(test, operator=_SEVERAL[test.operator], value=same)
    (time,) = times.values()
    value = time.first if test.operator in ("gte", "lt") else time.last
    ordered, equal = replace(test, value=value), replace(test, operator="in", value=same)
    return AnyOf((ordered, equal)) if test.operator in ("gte", "lte") else AllOf((ordered, Not(equal)))


def _scalar(key: str, kind: FieldType | None, value: object) -> Scalar:
    if kind == "time" and value is not None:
        return _moment(key, value)
    if value is None:
        return None
    if kind is None and isinstance(value, date):
        return iso_text(value)
    right = isinstance(value, _FITTING[kind]) and not (kind == "number" and isinstance(value, bool))
    if not right or not isinstance(value, (bool, int, float, str)):
        several = "; write {'in': [...]} for one of several" if isinstance(value, (list, tuple, set)) else ""
        raise InvalidInputError(
            f"the filter on {as_given(key)} cannot compare with {as_given(value)}{several}"
        )
    if isinstance(value, str) and not _clean(value):
        raise InvalidInputError(f"the filter on {as_given(key)} contains a NUL or a lone surrogate")
    if isinstance(value, (int, float)) and not abs(value) < _INT64:
        raise InvalidInputError(f"the filter on {as_given(key)} cannot compare with {as_given(value)}")
    return value


def _clean(text: str) -> bool:
    return not _UNCLEAN.search(text)


def _moment(key: str, value: Any) -> datetime:
    try:
        moment = datetime.fromisoformat(iso_text(value) if isinstance(value, date) else value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInputError(
            f"the filter on {as_given(key)} needs a time such as 2026-05-01T10:00:00Z, not {as_given(value)}"
        ) from None


def matches(where: Filter, record: MemoryRecord) -> bool:
    """Whether a memory passes a filter. Every store must agree with this function."""
    match where:
        case AllOf(parts):
            return all(matches(part, record) for part in parts)
        case AnyOf(parts):
            return any(matches(part, record) for part in parts)
        case Not(part):
            return not matches(part, record)
        case Test(key, in_metadata, operator, value):
            actual = record.metadata.get(key) if in_metadata else FIELDS[key][1](record)
            return _holds(operator, actual, value)


def _holds(operator: Operator, actual: object, value: Scalar | tuple[Scalar, ...]) -> bool:
    if isinstance(value, tuple):
        found = any(_equal(actual, item) for item in value)
        return found if operator == "in" else not found
    match operator:
        case "eq":
            return _equal(actual, value)
        case "ne":
            return not _equal(actual, value)
        case "contains":
            return _contains(actual, value)
        case _:
            return _ordered(operator, actual, value)


def _rank(value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def _equal(actual: object, value: Scalar) -> bool:
    return _rank(actual) == _rank(value) and actual == value


def _ordered(operator: Operator, actual: Any, value: Any) -> bool:
    if _rank(actual) != _rank(value) or _rank(value) not in ("number", "str", "datetime"):
        return False
    sign = int(actual > value) - int(actual < value)
    return {"gt": sign > 0, "gte": sign >= 0, "lt": sign < 0, "lte": sign <= 0}[operator]


def _contains(actual: object, value: Scalar) -> bool:
    if isinstance(actual, str):
        return isinstance(value, str) and _fold(value) in _fold(actual)
    if isinstance(actual, (list, tuple)):
        return any(_equal(item, value) for item in actual)
    return False


def _fold(text: str) -> str:
    return text.translate(_ASCII_LOWER)


_ASCII_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
