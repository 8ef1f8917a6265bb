"""Intervals and tests on values whose answers are known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect_bench.statistics import auroc, groups_of, holm, interval, paired

SHARES = st.lists(st.floats(0, 1), min_size=8, max_size=40)


@given(SHARES)
def test_an_interval_lies_within_the_values_and_is_the_same_each_time(values):
    low, high = interval(np.array(values), np.arange(len(values)))
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert (low, high) == interval(np.array(values), np.arange(len(values)))


def test_conversations_that_differ_widen_the_interval():
    values = np.repeat([0.0, 1.0], 100)
    alone = interval(values, np.arange(200))
    together = interval(values, np.repeat(np.arange(10), 20))
    assert together[1] - together[0] > 2 * (alone[1] - alone[0])


def test_few_conversations_are_not_resampled():
    assert groups_of(["a", "b", "a"])[1] == "question"
    numbers, unit = groups_of(list("abcdefghijab"))
    assert (unit, numbers.tolist()) == ("conversation", [*range(10), 0, 1])


def test_half_a_point_among_noise_is_no_difference():
    rng = np.random.default_rng(7)
    first = rng.integers(0, 2, 400).astype(float)
    second = rng.integers(0, 2, 400).astype(float)
    found = paired(first, second - (second - first).mean() - 0.005, np.arange(400))
    assert found["difference"] == pytest.approx(0.005)
    assert found["p"] > 0.5
    assert found["low"] < 0 < found["high"]


@given(SHARES)
def test_a_system_does_not_differ_from_itself(values):
    array = np.array(values)
    assert paired(array, array, np.arange(len(values)))["p"] == 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_many_comparisons_never_lower_a_p_value_and_keep_their_order(p_values):
    adjusted = holm(p_values)
    assert all(after >= before for after, before in zip(adjusted, p_values, strict=True))
    assert all(one <= 1 for one in adjusted)
    order = np.argsort(p_values, kind="stable")
    assert list(np.array(adjusted)[order]) == sorted(adjusted)


def test_scores_that_say_nothing_tell_nothing_apart():
    assert auroc([1.0, 1.0], [1.0]) == 0.5
    assert auroc([0.0], [float("-inf")]) == 1
