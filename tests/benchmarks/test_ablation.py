"""The ablation, on a small conversation, with two of its changes."""

import pytest
from benchmarks.ablation import CHANGES, DATELESS, SHIPPED, by_date, run_ablation
from tests.benchmarks.made_up import dataset

from recollect.retrieval.score import WEIGHTS


@pytest.fixture(scope="module")
def result():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchmarks.ablation.CHANGES", {name: CHANGES[name] for name in (SHIPPED, DATELESS)})
        return run_ablation([dataset()])


def test_every_change_is_measured_on_every_data_set(result):
    assert list(result["rows"]) == [SHIPPED, DATELESS]
    assert result["rows"][SHIPPED]["made-up"]["questions"] == 3
    assert result["rows"][SHIPPED]["made-up"]["recall_at_10"] > 0


def test_questions_that_name_a_date_are_counted_by_category(result):
    found = result["dates"]["made-up"]
    assert list(found) == ["all", "dated", "plain"]
    assert {name: (row["questions"], row["with_a_date"]) for name, row in found.items()} == {
        "all": (3, 1),
        "dated": (1, 1),
        "plain": (2, 0),
    }


def test_what_dates_do_is_compared_question_by_question():
    shipped = [{"recall_at_10": share} for share in (1.0, 0.5, 0.25, 1.0)]
    dateless = [{"recall_at_10": share} for share in (0.5, 1.0, 0.25, 0.0)]
    asked = [("b", True), ("a", True), ("a", False), ("b", True)]
    found = by_date(asked, shipped, dateless)
    assert found["all"] == {
        "questions": 4,
        "with_a_date": 3,
        "shipped": 0.6875,
        "dateless": 0.4375,
        "better": 2,
        "worse": 1,
    }
    assert (found["a"]["better"], found["a"]["worse"], found["b"]["better"]) == (0, 1, 2)


def test_without_dates_means_one_weight_less_and_nothing_else():
    (changed,) = CHANGES[DATELESS].values()
    assert changed == {**WEIGHTS, "time_match": 0.0}


def test_constants_are_as_they_were_afterwards(result):
    assert WEIGHTS["time_match"] > 0
