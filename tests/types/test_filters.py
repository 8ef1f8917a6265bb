from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from enum import IntEnum, StrEnum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.testing import NOON, filters_strategy, make_entry
from recollect.testing.strategies import METADATA_KEYS, records
from recollect.types import MemoryLabels, MemoryRecord, Tag
from recollect.types.filters import (
    EVERYTHING,
    FIELDS,
    AllOf,
    AnyOf,
    Filter,
    Not,
    Test,
    by_ids,
    matches,
    parse_filter,
)

RECORD = make_entry(
    "Red Fox", memory_id="m1", metadata={"n": 1, "flag": True, "text": "Hi", "list": ["a", 2]}
).record


def found(where: Mapping[str, object]) -> bool:
    return matches(parse_filter(where), RECORD)


@table(
    "filters, message",
    [
        ([("kind", "fact")], "filters must be a mapping, not list"),
        ("kind", "filters must be a mapping, not str"),
        ({1: "x"}, "a filter's keys are strings, not 1"),
        ({"user_id": "ada"}, "user_id is not a filter; pass it as the argument user_id="),
        ({"and": {"kind": "fact"}}, "the filter 'and' takes a list of filters"),
        ({"or": "kind"}, "the filter 'or' takes a list of filters"),
        ({"or": ["kind"]}, "a part of a filter must be a mapping, not 'kind'"),
        ({"not": [{"kind": "fact"}]}, "a part of a filter must be a mapping"),
        ({"kind": {}}, "the filter on 'kind' names no operator; use eq, ne, in"),
        ({"kind": {"like": "f%"}}, "unknown operator 'like' in the filter on 'kind'; use eq, ne, in"),
        ({"kind": {1: "f"}}, "unknown operator 1 in the filter on 'kind'"),
        ({"kind": {"in": "fact"}}, "'in' on 'kind' takes a list of values, not 'fact'"),
        ({"kind": {"nin": None}}, "'nin' on 'kind' takes a list of values, not None"),
        ({"kind": 1}, "the filter on 'kind' cannot compare with 1"),
        ({"kind": ["fact"]}, "the filter on 'kind' cannot compare with ['fact']"),
        ({"importance": "high"}, "the filter on 'importance' cannot compare with 'high'"),
        ({"importance": True}, "the filter on 'importance' cannot compare with True"),
        ({"importance": float("nan")}, "the filter on 'importance' cannot compare with nan"),
        ({"importance": {"lt": float("inf")}}, "the filter on 'importance' cannot compare with inf"),
        ({"turn": 2**63}, "the filter on 'turn' cannot compare with 9223372036854775808"),
        ({"critical": 1}, "the filter on 'critical' cannot compare with 1"),
        ({"tags": "space"}, "'tags' is a list; its only operator is 'contains'"),
        ({"tags": {"in": ["space"]}}, "'tags' is a list; its only operator is 'contains'"),
        ({"tags": {"contains": 1}}, "the filter on 'tags' cannot compare with 1"),
        ({"created_at": "yesterday"}, "the filter on 'created_at' needs a time such as 2026-05-01T10:00:00Z"),
        ({"created_at": {"in": ["2026-05-01", "?"]}}, "needs a time such as"),
        ({"project": object}, "the filter on 'project' cannot compare with <class 'object'>"),
        ({"project": {"in": [["nested"]]}}, "the filter on 'project' cannot compare with ['nested']"),
        ({"project": "a\0b"}, "the filter on 'project' contains a NUL or a lone surrogate"),
        ({"content": "\ud83e"}, "the filter on 'content' contains a NUL or a lone surrogate"),
    ],
)
def test_a_filter_that_cannot_be_meant_is_refused_with_a_reason(filters: object, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_filter(filters)  # type: ignore[arg-type]
    assert message in str(caught.value)


@pytest.mark.parametrize("value", [10**400, -(10**400)], ids=["positive", "negative"])
def test_a_number_too_large_for_a_float_is_refused_too(value: int) -> None:
    with pytest.raises(InvalidInputError):
        parse_filter({"importance": value})


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_outside_the_calendar_is_refused(moment: str) -> None:
    with pytest.raises(InvalidInputError):
        parse_filter({"created_at": moment})


@pytest.mark.parametrize("key", ["a\0b", "\ud83e"])
def test_a_metadata_key_that_no_store_can_hold_is_refused(key: str) -> None:
    with pytest.raises(InvalidInputError):
        parse_filter({key: 1})


@table(
    "filters, parsed",
    [
        (None, EVERYTHING),
        ({}, AllOf()),
        ({"or": []}, AllOf((AnyOf(),))),
        ({"kind": "fact"}, AllOf((Test("kind", in_metadata=False, operator="eq", value="fact"),))),
        ({"metadata.kind": 1}, AllOf((Test("kind", in_metadata=True, operator="eq", value=1),))),
        ({"metadata.": 1}, AllOf((Test("", in_metadata=True, operator="eq", value=1),))),
        ({"metadata.and": 1}, AllOf((Test("and", in_metadata=True, operator="eq", value=1),))),
        ({"": None}, AllOf((Test("", in_metadata=True, operator="eq", value=None),))),
        ({"n": {"in": (1, 2)}}, AllOf((Test("n", in_metadata=True, operator="in", value=(1, 2)),))),
        ({"not": {}}, AllOf((Not(AllOf()),))),
    ],
)
def test_a_filter_is_read_as(filters: Mapping[str, object] | None, parsed: Filter) -> None:
    assert parse_filter(filters) == parsed


@table(
    "value",
    [
        "2026-05-01T12:00:00Z",
        "2026-05-01T14:00:00+02:00",
        "2026-05-01T12:00:00",
        datetime(2026, 5, 1, 12),  # noqa: DTZ001
        datetime(2026, 5, 1, 5, tzinfo=timezone(timedelta(hours=-7))),
    ],
)
def test_times_are_read_in_any_zone_and_as_utc_without_one(value: object) -> None:
    assert found({"created_at": value})


@table(
    "where, expected",
    [
        ({"content": "Red Fox"}, True),
        ({"content": "red fox"}, False),
        ({"content": {"contains": "red f"}}, True),
        ({"content": {"gt": "Red"}}, True),
        ({"kind": {"in": ["fact", "message"]}}, True),
        ({"kind": {"in": []}}, False),
        ({"kind": {"nin": []}}, True),
        ({"speaker": None}, True),
        ({"speaker": {"ne": "Ada"}}, True),
        ({"speaker": {"lt": "Ada"}}, False),
        ({"missing": None}, True),
        ({"missing": {"ne": 1}}, True),
        ({"missing": {"gt": 0}}, False),
        ({"missing": {"in": [None]}}, True),
        ({"n": 1.0}, True),
        ({"n": True}, False),
        ({"n": "1"}, False),
        ({"n": {"ne": "1"}}, True),
        ({"n": {"gte": 1, "lt": 2}}, True),
        ({"n": {"gt": "0"}}, False),
        ({"n": {"contains": 1}}, False),
        ({"flag": True}, True),
        ({"flag": 1}, False),
        ({"flag": {"gt": False}}, False),
        ({"text": {"contains": "I"}}, True),
        ({"text": {"contains": 1}}, False),
        ({"list": {"contains": "a"}}, True),
        ({"list": {"contains": "A"}}, False),
        ({"list": {"contains": 2.0}}, True),
        ({"list": {"ne": "a"}}, True),
        ({"created_at": {"contains": "2026-05-01"}}, False),
        ({"and": []}, True),
        ({"or": []}, False),
        ({"not": {"or": []}}, True),
        ({"content": "Red Fox", "n": 2}, False),
    ],
)
def test_a_filter_means(where: dict[str, object], expected: bool) -> None:
    assert found(where) is expected


def test_only_ascii_letters_lose_their_case() -> None:
    upper = replace(RECORD, content="ÄRGER")
    assert matches(parse_filter({"content": {"contains": "rger"}}), upper)
    assert not matches(parse_filter({"content": {"contains": "ä"}}), upper)


def test_tags_are_compared_by_their_text() -> None:
    tagged = replace(RECORD, labels=MemoryLabels(tags=(Tag(text="space", confidence=0.1),)))
    assert matches(parse_filter({"tags": {"contains": "space"}}), tagged)
    assert not matches(parse_filter({"tags": {"contains": "spa"}}), tagged)


@pytest.mark.parametrize("year", [1, 1970, 2026, 9999])
def test_a_microsecond_decides_in_any_year(year: int) -> None:
    moment = datetime(year, 6, 1, 12, 0, 0, 1, tzinfo=UTC)
    record = replace(RECORD, times=replace(RECORD.times, happened_at=moment))
    assert matches(parse_filter({"happened_at": {"gt": moment - timedelta(microseconds=1)}}), record)
    assert matches(parse_filter({"happened_at": {"lt": moment + timedelta(microseconds=1)}}), record)


def test_by_ids_finds_exactly_these() -> None:
    assert matches(by_ids(["m0", "m1"]), RECORD)
    assert not matches(by_ids(["m0"]), RECORD)
    assert not matches(by_ids([]), RECORD)


def test_every_field_can_be_read_from_a_record() -> None:
    assert all(FIELDS[name][1](RECORD) is not NotImplemented for name in FIELDS)


scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "1"])


@given(records(), st.sampled_from(METADATA_KEYS), scalars)
def test_ne_is_the_opposite_of_eq(record: MemoryRecord, key: str, value: bool | int | str | None) -> None:
    equal, unequal = ({f"metadata.{key}": {operator: value}} for operator in ("eq", "ne"))
    assert matches(parse_filter(equal), record) is not matches(parse_filter(unequal), record)


@given(records(), st.sampled_from(METADATA_KEYS), st.lists(scalars, max_size=3))
def test_nin_is_the_opposite_of_in(record: MemoryRecord, key: str, values: list[object]) -> None:
    inside, outside = ({f"metadata.{key}": {operator: values}} for operator in ("in", "nin"))
    assert matches(parse_filter(inside), record) is not matches(parse_filter(outside), record)


@given(records(), filters_strategy(), filters_strategy())
def test_de_morgan_holds(record: MemoryRecord, one: Filter, other: Filter) -> None:
    assert matches(Not(AllOf((one, other))), record) is matches(AnyOf((Not(one), Not(other))), record)
    assert matches(Not(AnyOf((one, other))), record) is matches(AllOf((Not(one), Not(other))), record)


@given(records(), filters_strategy())
def test_two_nots_are_none(record: MemoryRecord, where: Filter) -> None:
    assert matches(Not(Not(where)), record) is matches(where, record)


@given(records(), st.sampled_from(["importance", "confidence", "access_count"]), st.integers(-1, 2))
def test_a_number_is_less_equal_or_greater(record: MemoryRecord, name: str, value: int) -> None:
    holds = [matches(parse_filter({name: {operator: value}}), record) for operator in ("lt", "eq", "gt")]
    assert sum(holds) == 1


def test_the_times_of_the_tests_are_noon() -> None:
    assert RECORD.times.created_at == NOON


class Kind(StrEnum):
    MESSAGE = "message"


class Level(IntEnum):
    LOW = 1


@pytest.mark.parametrize(
    "where",
    [
        {"kind": Kind.MESSAGE},
        {"kind": {"in": [Kind.MESSAGE]}},
        {"level": Level.LOW},
        {"level": np.float64(1)},
        {"share": {"gt": np.float64(0.1)}},
        {"word": np.str_("tea")},
        {"word": {"contains": np.str_("te")}},
        {"words": {"contains": Kind.MESSAGE}},
    ],
    ids=str,
)
@pytest.mark.parametrize("path", [":memory:", "brain.db"])
def test_members_of_enums_and_values_of_numpy_are_compared_as_plain_ones(where, path, tmp_path) -> None:
    metadata = {"level": 1, "share": 0.5, "word": "tea", "words": ["message"]}
    with Memory(path if path == ":memory:" else tmp_path / path, embedder="hashing") as memory:
        memory.add({"content": "Tea at five.", "metadata": metadata}, user_id="ada")
        assert len(memory.get_all(user_id="ada", filters=where)) == 1
        assert len(memory.get_all(user_id="ada", filters={"not": where})) == 0


def test_a_date_in_a_filter_finds_a_datetime_in_metadata() -> None:
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add("I bought a red bike", user_id="ada", metadata={"when": datetime(2026, 1, 1)})  # noqa: DTZ001
        for moment in ("2026-01-01", date(2026, 1, 1), datetime(2026, 1, 1), "2026-01-01T00:00:00Z"):  # noqa: DTZ001
            for where in ({"lte": moment}, {"gte": moment}, moment, {"in": [moment]}):
                assert memory.search("bike", user_id="ada", filters={"when": where})
            for where in ({"lt": moment}, {"gt": moment}, {"ne": moment}):
                assert not memory.search("bike", user_id="ada", filters={"when": where})


@pytest.mark.parametrize("text", ["20260101", "2026-13-01", "2026-01-01x", "2026"])
def test_a_text_that_is_no_time_is_compared_as_it_is(text: str) -> None:
    assert parse_filter({"v": text}) == AllOf((Test("v", in_metadata=True, operator="eq", value=text),))
