"""Random filters, metadata and words for Hypothesis: small pools, so that things meet, and odd ones."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from hypothesis import strategies as st

from recollect.testing.fakes import NOON
from recollect.types import (
    JSON,
    KINDS,
    TIERS,
    DateSpan,
    MemoryLabels,
    MemoryRecord,
    Origin,
    Parameter,
    Reinforcement,
    Scope,
    Tag,
    Times,
    Use,
    Worth,
)
from recollect.types.filters import FIELDS, OPERATORS, AllOf, AnyOf, Filter, Not, Operator, Scalar, Test

_CHARACTERS: Final = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
USERS: Final = ("ada", "bob")
_INT64: Final = 2**63 - 1

ODD_TEXTS: Final = (
    "",
    "a",
    "A",
    "tea",
    "TEA time",
    "ä",
    "Ä",
    "'",
    '"',
    "%",
    "_",
    "\\",
    "$",
    "1",
    "🦊",
    "e\u0301",
)
METADATA_KEYS: Final = (
    "",
    "a",
    "b",
    "kind",
    "and",
    "a.b",
    "$",
    "$.a",
    '"',
    'a"b',
    "'",
    "\\",
    "[0]",
    "ключ",
    "\n",
)

texts: Final = st.sampled_from(ODD_TEXTS) | st.text(_CHARACTERS, max_size=8)
"""Texts without NUL and lone surrogates."""

integers: Final = st.sampled_from([0, 1, -1, 2, 2**53, 2**53 + 1, _INT64, -_INT64]) | st.integers(
    -_INT64, _INT64
)
"""Whole numbers that 64 bits hold."""

fractions: Final = st.sampled_from([0.0, 0.1, 0.5, 1.0, 1.5, -2.25]) | st.floats(
    allow_nan=False, allow_infinity=False, width=32, max_value=2.0**62, min_value=-(2.0**62)
)
"""Finite floats."""

units: Final = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0])
"""Numbers for importance and confidence."""

moments: Final = st.sampled_from([NOON, NOON + timedelta(microseconds=1), NOON - timedelta(days=1)]) | (
    st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001
)
"""Moments in UTC."""

_scalars: Final = st.none() | st.booleans() | integers | fractions | texts
_values: Final[st.SearchStrategy[JSON]] = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(METADATA_KEYS), inner, max_size=2)
    ),
    max_leaves=4,
)


def metadata() -> st.SearchStrategy[Mapping[str, JSON]]:
    """Metadata of every type under keys of every kind."""
    keys = st.sampled_from(METADATA_KEYS) | st.text(_CHARACTERS, max_size=4)
    return st.dictionaries(keys, _values, max_size=4)


def filters_strategy() -> st.SearchStrategy[Filter]:
    """Filters over all fields and over metadata, up to a few levels deep."""
    leaves = _field_tests() | _metadata_tests()
    return st.recursive(leaves, _combined, max_leaves=5)


def _combined(parts: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    several = st.lists(parts, max_size=3).map(tuple)
    return several.map(AllOf) | several.map(AnyOf) | parts.map(Not)


def _metadata_tests() -> st.SearchStrategy[Filter]:
    return _tests(st.sampled_from(METADATA_KEYS), OPERATORS, _scalars, in_metadata=True)


def _field_tests() -> st.SearchStrategy[Filter]:
    return st.one_of([_tests_of(name) for name in FIELDS])


def _tests_of(name: str) -> st.SearchStrategy[Filter]:
    kind = FIELDS[name][0]
    values: dict[str, st.SearchStrategy[Scalar]] = {
        "text": st.none() | texts | st.sampled_from([*KINDS, *TIERS]),
        "number": st.none() | units | st.integers(-1, 3) | fractions,
        "bool": st.none() | st.booleans(),
        "time": st.none() | moments,
        "list": st.none() | texts,
    }
    operators: tuple[Operator, ...] = ("contains",) if kind == "list" else OPERATORS
    return _tests(st.just(name), operators, values[kind], in_metadata=False)


@st.composite
def _tests(
    draw: st.DrawFn,
    keys: st.SearchStrategy[str],
    operators: tuple[Operator, ...],
    values: st.SearchStrategy[Scalar],
    *,
    in_metadata: bool,
) -> Filter:
    operator = draw(st.sampled_from(operators))
    several = operator in ("in", "nin")
    value = tuple(draw(st.lists(values, max_size=3))) if several else draw(values)
    return Test(draw(keys), in_metadata, operator, value)


def scopes() -> st.SearchStrategy[Scope]:
    """Scopes of two users, wide and narrow."""
    return st.builds(
        Scope,
        user_id=st.sampled_from(USERS),
        agent_id=st.sampled_from([None, None, "tutor", "coach"]),
        session_id=st.sampled_from([None, None, "mon", "tue"]),
    )


@st.composite
def records(draw: st.DrawFn) -> MemoryRecord:
    """Records of every kind; the id is left empty."""
    return MemoryRecord(
        id="",
        scope=draw(scopes()),
        content=draw(texts),
        times=draw(_times()),
        kind=draw(st.sampled_from(KINDS)),
        tier=draw(st.sampled_from(TIERS)),
        summary=draw(_maybe_text),
        labels=draw(_labels()),
        worth=draw(_worth()),
        use=draw(_use()),
        origin=draw(_origins()),
        metadata=draw(metadata()),
        idempotency_key=draw(st.sampled_from([None, None, None, "k1", "k2", ""])),
    )


_maybe_text: Final = st.none() | texts
_maybe_moment: Final = st.none() | moments
_some_texts: Final = st.lists(texts, max_size=2).map(tuple)


def _times() -> st.SearchStrategy[Times]:
    return st.builds(
        Times,
        created_at=moments,
        happened_at=moments,
        updated_at=moments,
        valid_from=_maybe_moment,
        valid_until=_maybe_moment,
        accessed_at=_maybe_moment,
    )


def _worth() -> st.SearchStrategy[Worth]:
    return st.builds(
        Worth,
        importance=units,
        confidence=units,
        critical=st.booleans(),
        factors=st.dictionaries(st.sampled_from(["length", "tags"]), units, max_size=2),
    )


def _use() -> st.SearchStrategy[Use]:
    reinforcements = st.builds(Reinforcement, at=moments, reason=_maybe_text)
    return st.builds(
        Use,
        access_count=st.integers(0, 3),
        usage_count=st.integers(0, 3),
        reinforced_count=st.integers(0, 3),
        reinforcements=st.lists(reinforcements, max_size=2).map(tuple),
        decay_factor=units,
    )


def _labels() -> st.SearchStrategy[MemoryLabels]:
    tags = st.builds(Tag, text=texts, confidence=units, approved=st.booleans())
    dates = st.builds(
        DateSpan,
        text=texts,
        place=st.tuples(st.integers(0, 9), st.integers(0, 9)),
        start=moments,
        end=moments,
        grain=st.sampled_from(["day", "year"]),
        relation=st.sampled_from(["at", "by"]),
    )
    parameters = st.builds(
        Parameter,
        kind=st.sampled_from(["email", "pair"]),
        text=texts,
        place=st.just((0, 1)),
        name=_maybe_text,
        value=st.none() | fractions,
    )
    return st.builds(
        MemoryLabels,
        tags=st.lists(tags, max_size=2).map(tuple),
        concepts=_some_texts,
        entities=_some_texts,
        category=_maybe_text,
        dates=st.lists(dates, max_size=2).map(tuple),
        parameters=st.lists(parameters, max_size=2).map(tuple),
    )


def _origins() -> st.SearchStrategy[Origin]:
    return st.builds(
        Origin,
        speaker=_maybe_text,
        role=st.sampled_from(["user", "assistant"]),
        thread=st.sampled_from(["", "t1", "t2"]),
        sources=_some_texts,
    )
