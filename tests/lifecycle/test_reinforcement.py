from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.errors import InvalidInputError
from recollect.lifecycle.use import decayed_importance, may_reinforce, reinforced_importance

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
shares = st.floats(0, 1)
boosts = st.floats(0, 10)


@table("before, after", [(0.0, 0.0), (0.5, 0.6), (0.8, 0.96), (0.9, 1.0), (1.0, 1.0)])
def test_a_fifth_is_added_up_to_1(before, after):
    assert reinforced_importance(before) == pytest.approx(after)


def test_the_boost_can_be_set():
    assert reinforced_importance(0.5, boost=0.5) == 0.75


@given(shares, boosts)
def test_it_never_falls_and_never_exceeds_1(importance, boost):
    assert importance <= reinforced_importance(importance, boost=boost) <= 1


@given(shares, shares, boosts)
def test_what_mattered_more_does_so_afterwards(one, other, boost):
    less, more = sorted((one, other))
    assert reinforced_importance(less, boost=boost) <= reinforced_importance(more, boost=boost)


@given(shares, st.floats(0, 1e4))
def test_what_is_reinforced_when_read_is_at_least_what_was_read(importance, idle_days):
    read = decayed_importance(importance, idle_days=idle_days)
    assert read <= reinforced_importance(read) <= 1


@pytest.mark.parametrize("boost", [-0.1, float("nan"), float("inf")])
def test_a_boost_that_takes_away_or_is_no_number_is_an_error(boost):
    with pytest.raises(InvalidInputError, match="boost"):
        reinforced_importance(0.5, boost=boost)


@table(
    "last, allowed",
    [
        (None, True),
        (NOON, False),
        (NOON - timedelta(minutes=59), False),
        (NOON - timedelta(hours=1), True),
        (NOON - timedelta(days=400), True),
        (NOON + timedelta(minutes=5), False),
    ],
)
def test_a_memory_is_reinforced_at_most_once_an_hour(last, allowed):
    assert may_reinforce(last, NOON) is allowed


def test_the_cool_down_can_be_set():
    assert may_reinforce(NOON - timedelta(seconds=10), NOON, cool_down_s=10)
    assert may_reinforce(NOON, NOON, cool_down_s=0)


@given(st.timedeltas(timedelta(0), timedelta(days=30)), st.floats(0, 1e6))
def test_once_allowed_it_stays_allowed(waited, cool_down_s):
    allowed = may_reinforce(NOON, NOON + waited, cool_down_s=cool_down_s)
    later = may_reinforce(NOON, NOON + waited + timedelta(seconds=1), cool_down_s=cool_down_s)
    assert later >= allowed


@pytest.mark.parametrize("cool_down_s", [-1.0, float("nan")])
def test_a_cool_down_below_0_is_an_error(cool_down_s):
    with pytest.raises(InvalidInputError, match="cool_down_s"):
        may_reinforce(NOON, NOON, cool_down_s=cool_down_s)
