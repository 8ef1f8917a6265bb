"""Whether importance tells what matters, on turns whose worth is plain."""

import pytest
from benchmarks.importance import roc_auc, run_importance
from tests.benchmarks.made_up import dataset

from recollect.lifecycle.importance import FACTORS


@pytest.fixture(scope="module")
def result():
    return run_importance([dataset(), dataset(assistant=True)])["datasets"]


@pytest.mark.parametrize(
    ("scores", "gold", "area"),
    [
        ([3, 2, 1], [True, False, False], 1.0),
        ([1, 2, 3], [True, False, False], 0.0),
        ([1, 1, 1], [True, False, True], 0.5),
        ([1, 2], [True, True], 0.5),
        ([], [], 0.5),
    ],
)
def test_the_area_is_the_share_of_pairs_in_the_right_order(scores, gold, area):
    assert roc_auc(scores, gold) == area


def test_turns_with_substance_are_above_small_talk(result):
    assert result["made-up"]["counts"] == {"all": {"turns": 28, "gold": 4}}
    assert result["made-up"]["roc_auc"]["all"]["score"] == 1.0
    assert result["made-up"]["roc_auc"]["all"]["source alone"] == 0.5


def test_every_factor_is_measured_alone_and_left_out(result):
    areas = result["made-up"]["roc_auc"]["all"]
    assert set(areas) == {
        "score",
        "length in characters",
        *(f"{factor} alone" for factor in FACTORS),
        *(f"without {factor}" for factor in FACTORS),
    }


def test_what_people_said_is_measured_apart_where_an_assistant_took_part(result):
    assert result["beam"]["counts"]["user"] == {"turns": 14, "gold": 2}
    assert set(result["beam"]["roc_auc"]) == {"all", "user"}


def test_every_turn_has_a_level(result):
    levels = result["made-up"]["levels"]
    assert sum(level["turns"] for level in levels.values()) == 28
    assert levels["LOW"]["gold_share"] == 0.0
