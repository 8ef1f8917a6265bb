"""What reading the words costs: that all is counted; how long it takes is nobody's promise here."""

import pytest
from benchmarks.dates import right_by_language
from benchmarks.labels import PARTS, ROUNDS, run_labels, time_turns
from tests.benchmarks.made_up import SUBSTANCE, dataset
from tests.text.date_expressions import rows

from recollect import Memory

UNITS = ("p50_us", "mean_us", "p95_us")


@pytest.fixture(scope="module")
def result():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchmarks.dates.rows", lambda: rows()[:4])
        patch.setattr("benchmarks.dates._CALLS", 2)
        patch.setattr("benchmarks.dates._dateparser", lambda table: None)
        return run_labels([dataset()])


def test_expressions_are_counted_by_language():
    table = rows()
    found = right_by_language(table, lambda row: row.language == "de")
    assert found["de"]["right"] == found["de"]["expressions"] == found["all"]["right"]
    assert found["en"]["right"] == 0
    assert found["all"]["expressions"] == len(table)


def test_the_table_of_expressions_is_read_right(result):
    assert result["dates"]["right"] == {key: {"expressions": 4, "right": 4} for key in ("all", "en")}
    assert result["dates"]["dateparser"] is None


def test_every_turn_is_labelled_once_and_every_part_is_timed(result):
    found = result["datasets"]["made-up"]["turn"]
    assert found["turns"] == 28
    assert tuple(found["parts"]) == PARTS
    for times in (found["whole"], found["rest"], *found["parts"].values()):
        assert tuple(times) == UNITS
        assert times["p50_us"] > 0


def test_of_many_turns_some_are_drawn(monkeypatch):
    monkeypatch.setattr("benchmarks.labels.MOST_TURNS", 5)
    assert time_turns(dataset())["turns"] == 5


def test_adding_is_measured_with_labels_and_without_as_often(result):
    adding = result["datasets"]["made-up"]["adding"]
    assert {len(found) for found in adding["rounds"].values()} == {ROUNDS}
    assert adding["labelled"]["per_second"] in [found["per_second"] for found in adding["rounds"]["labelled"]]


def test_labelling_is_as_it_was_afterwards(result):
    with Memory(":memory:") as memory:
        memory.add(SUBSTANCE[2], user_id="u")
        (record,) = memory.get_all(user_id="u")
    assert record.labels.tags
    assert record.worth.priority == "high"
