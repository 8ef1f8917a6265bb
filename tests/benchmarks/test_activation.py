"""What is activated, on turns whose worth is plain; and what thresholds learn."""

import pytest
from benchmarks.activation import run_activation
from benchmarks.report import summary
from tests.benchmarks.made_up import dataset

from benchmarks import thresholds
from recollect.lifecycle.thresholds import THRESHOLDS


@pytest.fixture(scope="module")
def result():
    return run_activation([dataset()], size=0)


def test_every_kind_of_context_is_measured_before_and_after_calibration(result):
    found = result["datasets"]["made-up"]["static"]
    for when in ("before", "after"):
        assert found[when].keys() >= THRESHOLDS.keys()
        for row in found[when].values():
            assert 0 <= row["precision"] <= 1
            assert 0 <= row["recall"] <= 1


def test_a_higher_threshold_never_activates_more(result):
    rows = list(result["datasets"]["made-up"]["static"]["after"].values())
    assert rows == sorted(rows, key=lambda row: row["threshold"])
    assert [row["activated"] for row in rows] == sorted((row["activated"] for row in rows), reverse=True)


def test_the_page_shows_it(result):
    page = summary(result)
    assert "## Shadow Memory" in page
    assert "conversation 0.3" in page


def test_thresholds_come_near_the_best_and_are_shown(monkeypatch):
    monkeypatch.setattr(thresholds, "SEEDS", 1)
    monkeypatch.setattr(thresholds, "WRONG_FEEDBACK", (0.0, 0.2))
    made = thresholds.run_thresholds()
    assert all(row["near_after"] < 500 for row in made["learned"].values())
    assert "one step from the best after at most" in summary(made)
