import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.testing import NOON, make_entry
from recollect.testing.contract.adding import complete_record
from recollect.testing.strategies import records
from recollect.types import MemoryLabels, MemoryRecord, Tag
from recollect.types.codec import (
    GROUPS,
    changed_fields,
    from_micros,
    record_from_json,
    record_to_json,
    to_micros,
)

RECORD = make_entry("said", memory_id="m1", metadata={"a": 1}).record

any_moment = st.datetimes(
    datetime(1, 1, 2),  # noqa: DTZ001
    datetime(9999, 12, 30),  # noqa: DTZ001
    timezones=st.sampled_from(
        [UTC, timezone(timedelta(hours=5, minutes=45)), timezone(timedelta(hours=-12))]
    ),
)


@given(records())
def test_a_record_survives_json(record: MemoryRecord) -> None:
    text = json.dumps(record_to_json(record), ensure_ascii=False, allow_nan=False)
    assert record_from_json(json.loads(text)) == record


def test_a_complete_record_survives_json() -> None:
    record = complete_record()
    assert record_from_json(json.loads(json.dumps(record_to_json(record)))) == record


def test_a_complete_record_leaves_out_no_field() -> None:
    written = record_to_json(complete_record())
    assert written.keys() == {field.name for field in fields(MemoryRecord)}
    for name, group in GROUPS.items():
        assert written[name].keys() == {field.name for field in fields(group)}  # type: ignore[union-attr]


def test_what_is_none_is_not_written_except_in_metadata() -> None:
    written = record_to_json(replace(RECORD, metadata={"a": None}))
    assert "summary" not in written
    assert written["scope"] == {"user_id": "ada"}
    assert written["metadata"] == {"a": None}


def test_times_are_written_in_utc_to_the_microsecond() -> None:
    local = datetime(2026, 5, 1, 14, 0, 0, 7, tzinfo=timezone(timedelta(hours=2)))
    written = record_to_json(replace(RECORD, times=replace(RECORD.times, happened_at=local)))
    assert written["times"]["happened_at"] == "2026-05-01T12:00:00.000007+00:00"  # type: ignore[index,call-overload]


def test_a_record_needs_only_what_has_no_default() -> None:
    moment = NOON.isoformat()
    times = {"created_at": moment, "happened_at": moment, "updated_at": moment}
    read = record_from_json({"id": "m1", "scope": {"user_id": "ada"}, "content": "said", "times": times})
    assert read == replace(RECORD, metadata={})


@table(
    "damage",
    [
        {"times": {}},
        {"scope": {}},
        {"colour": "red"},
        {"labels": {"tags": [{"name": "x"}]}},
        {"times": "noon"},
    ],
)
def test_what_is_not_a_record_is_refused(damage: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        record_from_json(record_to_json(RECORD) | damage)


@given(any_moment)
def test_micros_bring_back_the_moment(moment: datetime) -> None:
    assert from_micros(to_micros(moment)) == moment
    assert from_micros(to_micros(moment)).tzinfo is UTC


@given(any_moment, any_moment)
def test_micros_keep_the_order(one: datetime, other: datetime) -> None:
    assert (one < other) is (to_micros(one) < to_micros(other))


@pytest.mark.parametrize(
    ("moment", "micros"),
    [
        (datetime(1970, 1, 1, tzinfo=UTC), 0),
        (datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), -1),
        (datetime(2001, 9, 9, 1, 46, 40, 5, tzinfo=UTC), 1_000_000_000_000_005),
    ],
    ids=str,
)
def test_micros_count_from_1970(moment: datetime, micros: int) -> None:
    assert to_micros(moment) == micros
    assert from_micros(micros) == moment


def test_nothing_changed_is_nothing() -> None:
    assert changed_fields(RECORD, replace(RECORD)) == ({}, {})


def test_changed_fields_are_named_with_their_group() -> None:
    changed = replace(
        RECORD,
        content="heard",
        summary="s",
        labels=MemoryLabels(tags=(Tag(text="t"),), category="c"),
        times=replace(RECORD.times, updated_at=NOON + timedelta(seconds=1)),
        metadata={"a": 2},
    )
    before, after = changed_fields(RECORD, changed)
    assert before == {
        "content": "said",
        "summary": None,
        "labels.tags": [],
        "labels.category": None,
        "times.updated_at": "2026-05-01T12:00:00+00:00",
        "metadata": {"a": 1},
    }
    assert after == {
        "content": "heard",
        "summary": "s",
        "labels.tags": [{"text": "t", "confidence": 1.0, "approved": False}],
        "labels.category": "c",
        "times.updated_at": "2026-05-01T12:00:01+00:00",
        "metadata": {"a": 2},
    }


def test_a_field_that_became_none_is_told_as_none() -> None:
    assert changed_fields(replace(RECORD, summary="s"), RECORD) == ({"summary": "s"}, {"summary": None})


@pytest.mark.parametrize(("old", "new"), [(1, True), (0, False), (1, 1.0)])
def test_a_value_that_changed_its_type_has_changed(old: object, new: object) -> None:
    before, after = (replace(RECORD, metadata={"a": value}) for value in (old, new))
    assert json.dumps(changed_fields(before, after)) == json.dumps(
        ({"metadata": {"a": old}}, {"metadata": {"a": new}})
    )


@given(records(), records())
def test_changed_fields_name_the_same_fields_before_and_after(one: MemoryRecord, other: MemoryRecord) -> None:
    before, after = changed_fields(one, other)
    assert before.keys() == after.keys()
    assert all(before[name] != after[name] for name in before)
