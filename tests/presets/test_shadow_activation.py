import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.tables import table

from recollect.errors import InvalidInputError
from recollect.presets.shadow.activation import (
    WEIGHTS,
    ActivationWeights,
    activation_score,
    activation_terms,
    confidence,
    half_life_decay,
    jaccard,
    relevance_type,
    time_constant_decay,
    token_overlap,
)

shares = st.floats(0, 1)
signals = st.tuples(shares, shares, shares, shares)
counts = st.integers(0, 50)
parts = st.lists(st.integers(0, 100), min_size=4, max_size=4).filter(any)
weights = parts.map(
    lambda given: ActivationWeights(
        **{
            name: part / sum(given)
            for name, part in zip(("embedding", "metadata", "summary", "temporal"), given, strict=True)
        }
    )
)


def test_the_weights_are_the_specs():
    assert tuple(WEIGHTS) == (0.6, 0.2, 0.15, 0.05)


@table(
    "given, score",
    [
        ((0, 0, 0, 0), 0.0),
        ((1, 1, 1, 1), 1.0),
        ((1, 0, 0, 0), 0.6),
        ((0, 1, 0, 0), 0.2),
        ((0, 0, 1, 0), 0.15),
        ((0, 0, 0, 1), 0.05),
        ((0.7, 0.25, 0.5, 0.5), 0.57),
    ],
)
def test_the_score_is_the_weighted_sum(given, score):
    assert activation_score(*given) == pytest.approx(score)


def test_in_the_specs_example_two_of_three_memories_pass_the_threshold_of_a_conversation():
    scores = np.array([0.72, 0.45, 0.28])
    assert (scores >= 0.3).tolist() == [True, True, False]
    ones = np.ones(3)
    made = activation_score(np.array([0.9, 0.55, 0.3]), 0.5 * ones, 0.2 * ones, np.array([1, 0.25, 0.0]))
    assert made.tolist() == pytest.approx([0.72, 0.4725, 0.31])


@given(signals, weights)
def test_a_score_lies_in_0_to_1_and_is_the_sum_of_its_terms(given, weights):
    score = activation_score(*given, weights=weights)
    assert 0 <= score <= 1
    assert score == pytest.approx(sum(activation_terms(*given, weights=weights).values()))


@given(st.lists(st.floats(), min_size=4, max_size=4))
def test_signals_out_of_range_are_clamped_and_nan_counts_as_nothing(given):
    clamped = [0.0 if math.isnan(one) else min(max(one, 0.0), 1.0) for one in given]
    assert activation_score(*given) == activation_score(*clamped)
    columns = [np.array([one, 0.5]) for one in given]
    assert activation_score(*columns)[0] == pytest.approx(activation_score(*clamped))
    assert sum(activation_terms(*given).values()) == pytest.approx(activation_score(*clamped))


@given(signals, st.integers(0, 3), shares, weights)
def test_a_higher_signal_never_lowers_the_score(given, place, other, weights):
    less, more = (list(given) for _ in range(2))
    less[place], more[place] = sorted((given[place], other))
    assert activation_score(*less, weights=weights) <= activation_score(*more, weights=weights)


@given(hnp.arrays(np.float32, (4, 7), elements=st.floats(0, 1, width=32)))
def test_arrays_give_what_the_numbers_give_one_by_one(columns):
    scores = activation_score(*columns)
    assert scores.shape == (7,)
    assert scores.dtype == np.float32
    one_by_one = [activation_score(*map(float, row)) for row in columns.T]
    assert scores.tolist() == pytest.approx(one_by_one, abs=1e-6)


@table(
    "changed, message",
    [
        ({"embedding": -0.1, "metadata": 0.9}, "embedding is -0.1; give a number from 0 to 1"),
        ({"temporal": math.nan}, "temporal"),
        ({"temporal": math.inf}, "temporal"),
        ({"summary": "0.15"}, "summary"),
        ({"summary": True}, "summary"),
        ({"embedding": 1.5}, "embedding"),
        ({"embedding": 0.7}, "sum to 1.1 and must sum to 1; in the same proportions"),
        ({"embedding": 0.6 - 2e-6}, "must sum to 1"),
        (dict.fromkeys(("embedding", "metadata", "summary", "temporal"), 0.0), "sum to 0 and must sum to 1"),
    ],
)
def test_unusable_weights_are_an_error_that_says_what_to_do(changed, message):
    with pytest.raises(InvalidInputError, match=message):
        ActivationWeights(**changed)


def test_weights_may_be_off_by_what_rounding_does():
    assert ActivationWeights(embedding=0.6 + 5e-7).embedding > 0.6
    assert ActivationWeights(embedding=1, metadata=0, summary=0, temporal=0).embedding == 1


def test_the_proportions_that_an_error_names_can_be_used():
    with pytest.raises(
        InvalidInputError, match=r"embedding=0\.5, metadata=0\.5, summary=0\.0, temporal=0\.0"
    ):
        ActivationWeights(embedding=0.4, metadata=0.4, summary=0, temporal=0)


@table("days, left", [(0, 1.0), (30, 0.5), (60, 0.25), (90, 0.125), (-5, 1.0)])
def test_half_is_left_after_each_half_life(days, left):
    assert half_life_decay(days) == pytest.approx(left)


@pytest.mark.parametrize("days", [0, 1, 30, 400])
def test_the_two_decays_of_the_spec_are_different_functions(days):
    assert half_life_decay(days) == pytest.approx(math.exp(-math.log(2) * days / 30))
    assert time_constant_decay(days) == pytest.approx(math.exp(-days / 30))
    assert time_constant_decay(days, 30 / math.log(2)) == pytest.approx(half_life_decay(days))


@pytest.mark.parametrize("decay", [half_life_decay, time_constant_decay])
@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0.1, 1e4))
def test_a_decay_lies_in_0_to_1_and_never_rises_with_age(decay, one, other, scale):
    newer, older = (decay(age, scale) for age in sorted((one, other)))
    assert 0 <= older <= newer <= 1


def test_a_decay_takes_arrays():
    assert half_life_decay(np.array([0.0, 30.0, 90.0])).tolist() == [1.0, 0.5, 0.125]
    assert time_constant_decay(np.array([0.0, -3.0], np.float32)).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("days", [0, -1, math.nan, math.inf])
def test_a_scale_that_is_no_length_of_time_is_an_error_that_names_it(days):
    with pytest.raises(InvalidInputError, match="half_life_days"):
        half_life_decay(1.0, days)
    with pytest.raises(InvalidInputError, match="time_constant_days"):
        time_constant_decay(1.0, days)


@table(
    "shared, one, other, tanimoto, overlap",
    [
        (0, 0, 0, 0.0, 0.0),
        (0, 3, 0, 0.0, 0.0),
        (0, 0, 3, 0.0, 0.0),
        (0, 3, 4, 0.0, 0.0),
        (2, 3, 4, 0.4, 2 / 3),
        (3, 3, 30, 0.1, 1.0),
        (3, 3, 3, 1.0, 1.0),
    ],
)
def test_jaccard_and_overlap_of_counts(shared, one, other, tanimoto, overlap):
    assert jaccard(shared, one, other) == pytest.approx(tanimoto)
    assert token_overlap(shared, one, other) == pytest.approx(overlap)


@given(st.sets(counts), st.lists(st.sets(counts), max_size=6))
def test_counts_of_many_memories_give_what_the_sets_give(asked, memories):
    shared = np.array([len(asked & held) for held in memories], np.int32)
    sizes = np.array([len(held) for held in memories], np.int32)
    tanimoto = [len(asked & held) / len(asked | held) if asked | held else 0 for held in memories]
    assert jaccard(shared, len(asked), sizes).tolist() == pytest.approx(tanimoto)
    overlap = [token_overlap(len(asked & held), len(asked), len(held)) for held in memories]
    assert token_overlap(shared, len(asked), sizes).tolist() == pytest.approx(overlap)
    assert all(0 <= less <= more <= 1 for less, more in zip(tanimoto, overlap, strict=True))


@table(
    "given, kind",
    [
        ((0.5, 0, 0, 0), "semantic"),
        ((0, 0.5, 0.1, 0), "contextual"),
        ((0, 0, 0.3, 0.5), "contextual"),
        ((0, 0, 0, 0.5), "temporal"),
        ((0, 0, 0, 0), "mixed"),
        ((0.2, 0.6, 0, 0), "mixed"),
        ((0.5, 0.3, 0.1, 1.0), "semantic"),
        ((0.1, 0.2, 0.1, 0.9), "mixed"),
    ],
)
def test_the_relevance_type_is_the_signal_that_makes_more_than_half_of_the_score(given, kind):
    assert relevance_type(given) == kind


def test_what_is_usual_in_a_scope_does_not_make_a_type():
    assert relevance_type((0.6, 0.2, 0.5, 0.3)) == "semantic"
    assert relevance_type((0.6, 0.2, 0.5, 0.3), usual=(0.5, 0.0, 0.0, 0.3)) == "contextual"
    assert relevance_type((0.6, 0.2, 0.5, 0.3), usual=(1, 1, 1, 1)) == "mixed"


@given(signals, signals, weights)
def test_every_memory_has_a_relevance_type(given, usual, weights):
    assert relevance_type(given, usual=usual, weights=weights) in {
        "semantic",
        "contextual",
        "temporal",
        "mixed",
    }


def test_a_relevance_type_needs_four_signals():
    with pytest.raises(InvalidInputError, match="embedding, metadata, summary and temporal"):
        relevance_type((0.5, 0.5, 0.5))


@table(
    "given, sure",
    [((1, 1, 1), 1.0), ((0, 1, 1), 0.0), ((1, 0, 0), 0.0), ((0.8, 0.4, 0.6), 0.4**0.5), ((0.5, 1, 0), 0.5)],
)
def test_confidence_is_how_far_meaning_and_words_agree(given, sure):
    assert confidence(*given) == pytest.approx(sure)


@given(shares, shares, shares, st.integers(0, 2), shares)
def test_confidence_lies_in_0_to_1_and_never_falls_when_a_signal_rises(one, two, three, place, other):
    less, more = [one, two, three], [one, two, three]
    less[place], more[place] = sorted((less[place], other))
    assert 0 <= confidence(*less) <= confidence(*more) <= 1


def test_confidence_takes_arrays():
    found = confidence(np.array([0.8, 0.9]), np.array([0.4, 0.0]), np.array([0.6, 0.0]))
    assert found.tolist() == pytest.approx([0.4**0.5, 0.0])
