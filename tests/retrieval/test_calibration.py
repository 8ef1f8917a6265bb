import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.tables import table

from recollect.embedders import open_embedder
from recollect.errors import InvalidInputError
from recollect.retrieval.calibration import MIN_SCORES, MIN_STEP, Calibration, estimate, for_embedder

KNOWN = ["recollect-static-v2", "mock-semantic-model-v1", "recollect-contextual-v2"]
shares = st.floats(0, 1)
some_calibrations = st.just(Calibration()) | st.builds(
    Calibration, midpoint=st.floats(-1, 2), step=st.floats(0.001, 1)
)
many_scores = hnp.arrays(np.float64, st.integers(MIN_SCORES, 400), elements=shares)


@table("steps, share", [(-2, 0.1), (-1, 0.25), (0, 0.5), (1, 0.75), (math.log(4, 3), 0.8), (2, 0.9)])
def test_the_odds_triple_with_every_step(steps, share):
    mapped = Calibration(midpoint=0.4, step=0.1).apply(0.4 + steps * 0.1)
    assert mapped == pytest.approx(share)


@given(some_calibrations, shares, shares)
def test_calibrated_scores_lie_in_0_to_1_and_keep_their_order(calibration, one, other):
    less, more = (calibration.apply(score) for score in sorted((one, other)))
    assert 0 <= less <= more <= 1


@pytest.mark.parametrize("name", KNOWN)
def test_no_two_scores_that_can_be_told_apart_become_one(name):
    mapped = for_embedder(name).apply(np.linspace(0, 1, 1_001))
    assert (np.diff(mapped) > 0).all()


@given(some_calibrations, hnp.arrays(np.float32, 9, elements=st.floats(0, 1, width=32)))
def test_an_array_gives_what_its_numbers_give(calibration, scores):
    mapped = calibration.apply(scores)
    assert mapped.dtype == np.float32
    assert mapped.tolist() == pytest.approx([calibration.apply(float(score)) for score in scores], abs=1e-6)


@pytest.mark.parametrize("name", ["openai:text-embedding-3-small", "", "no such thing"])
def test_scores_of_an_unknown_embedder_stay_as_they_are(name):
    calibration = for_embedder(name)
    assert calibration.is_identity
    assert calibration.apply(0.37) == 0.37
    assert calibration.apply(1.5) == 1.0


@pytest.mark.parametrize(("spec", "name"), [*zip(("static", "hashing", "contextual"), KNOWN, strict=True)])
def test_the_embedders_that_come_with_recollect_are_known(spec, name):
    assert open_embedder(spec).name == name
    assert not for_embedder(name).is_identity


@table(
    "given",
    [
        {"midpoint": 0.5},
        {"step": 0.1},
        {"midpoint": 0.5, "step": 0.0},
        {"midpoint": 0.5, "step": -0.1},
        {"midpoint": math.nan, "step": 0.1},
        {"midpoint": 0.5, "step": math.inf},
    ],
)
def test_a_calibration_that_cannot_be_is_an_error(given):
    with pytest.raises(InvalidInputError, match="midpoint and step"):
        Calibration(**given)


def test_an_estimate_puts_one_half_two_spreads_above_the_middle():
    found = estimate(np.linspace(0.2, 0.4, 101))
    assert found.midpoint == pytest.approx(0.3 + 2 * 0.08)
    assert found.step == pytest.approx(0.08)


@pytest.mark.parametrize(
    ("tail", "at_half", "at_three_quarters"), [("normal", 0.005, 0.0001), ("exponential", 0.02, 0.004)]
)
def test_estimated_scores_say_how_seldom_they_are(tail, at_half, at_three_quarters):
    scores = 0.3 + 0.05 * getattr(np.random.default_rng(5), f"standard_{tail}")(200_000)
    mapped = estimate(scores).apply(scores)
    assert (mapped >= 0.5).mean() == pytest.approx(at_half, rel=0.1)
    assert (mapped >= 0.75).mean() == pytest.approx(at_three_quarters, abs=0.0004)


@given(many_scores)
def test_an_estimate_leaves_the_middle_below_every_threshold(scores):
    mapped = estimate(scores).apply(scores)
    assert np.median(mapped) < 0.11


@given(st.floats(0, 0.9), st.integers(MIN_SCORES, 300))
def test_where_nothing_fits_being_recent_alone_activates_nothing(score, count):
    temporal = 0.05 * 0.5 ** (np.arange(count) / 30)
    scores = score + temporal
    assert estimate(scores).apply(scores).max() < 0.3


@given(many_scores, st.floats(-0.5, 0.5))
def test_an_estimate_moves_with_its_scores(scores, shift):
    one, other = estimate(scores), estimate(scores + shift)
    assert other.midpoint == pytest.approx(one.midpoint + shift)
    assert other.step == pytest.approx(one.step)
    assert one.step >= MIN_STEP


@pytest.mark.parametrize("scores", [[], [0.5] * (MIN_SCORES - 1), [0.5] * MIN_SCORES + [math.nan]])
def test_an_estimate_needs_enough_numbers(scores):
    with pytest.raises(InvalidInputError, match="at least 100 scores"):
        estimate(scores)


def test_few_scores_change_nothing():
    known = Calibration(midpoint=0.5, step=0.08)
    assert known.adapted([0.9] * (MIN_SCORES - 1)) == known
    assert Calibration().adapted([]).is_identity


def test_where_nothing_is_known_the_scores_at_hand_decide_alone_from_four_hundred_on():
    scores = np.linspace(0.2, 0.4, 400)
    assert Calibration().adapted(scores) == estimate(scores)


def test_no_memory_that_is_added_makes_a_jump():
    for known in (Calibration(), Calibration(midpoint=0.5, step=0.08)):
        found = [known.adapted(np.linspace(0.1, 0.4, count)).apply(0.39) for count in range(90, 450)]
        assert max(abs(one - other) for one, other in pairwise(found)) < 0.01


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_mapping_that_counts_in_part_keeps_the_order(one, other, share):
    part = Calibration(midpoint=0.3, step=0.1, share=share)
    low, high = sorted((one, other))
    assert 0 <= part.apply(low) <= part.apply(high) <= 1


@given(many_scores)
def test_scores_at_hand_move_what_is_known_by_half_at_most(scores):
    known, found = Calibration(midpoint=0.5, step=0.08), estimate(scores)
    moved = known.adapted(scores)
    for before, after, there in (
        (known.midpoint, moved.midpoint, found.midpoint),
        (known.step, moved.step, found.step),
    ):
        low, high = sorted((before, (before + there) / 2))
        assert low - 1e-9 <= after <= high + 1e-9


def test_more_scores_weigh_more():
    known = Calibration(midpoint=0.5, step=0.08)
    few, many = (known.adapted(np.linspace(0.2, 0.3, count)) for count in (200, 10_000))
    assert many.midpoint < few.midpoint < known.midpoint
