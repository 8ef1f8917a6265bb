import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.errors import InvalidInputError
from recollect.lifecycle.use import FLOOR, decayed_importance

shares = st.floats(0, 1)
days = st.floats(-1e6, 1e6)


@table(
    "importance, idle_days, left",
    [
        (0.8, 0, 0.8),
        (0.8, 6.99, 0.8),
        (0.8, 7, 0.76),
        (0.8, 13.99, 0.76),
        (0.8, 14, 0.722),
        (1.0, 70, 0.95**10),
        (0.8, 10_000, FLOOR),
        (0.05, 10_000, 0.05),
        (0.0, 10_000, 0.0),
    ],
)
def test_five_percent_are_lost_in_each_full_week(importance, idle_days, left):
    assert decayed_importance(importance, idle_days=idle_days) == pytest.approx(left)


@given(shares, days)
def test_a_critical_memory_keeps_its_importance(importance, idle_days):
    assert decayed_importance(importance, idle_days=idle_days, critical=True) == importance


@given(shares, st.floats(-1e6, 7, exclude_max=True))
def test_what_was_used_in_the_last_week_has_not_decayed(importance, idle_days):
    assert decayed_importance(importance, idle_days=idle_days) == importance


@given(shares, days, shares, shares)
def test_it_stays_between_the_floor_and_what_it_was(importance, idle_days, weekly_decay, floor):
    left = decayed_importance(importance, idle_days=idle_days, weekly_decay=weekly_decay, floor=floor)
    assert min(importance, floor) <= left <= importance


@given(shares, days, days, shares)
def test_a_longer_wait_never_leaves_more(importance, one, other, weekly_decay):
    sooner, later = (
        decayed_importance(importance, idle_days=idle, weekly_decay=weekly_decay)
        for idle in sorted((one, other))
    )
    assert later <= sooner


@given(shares, shares, days)
def test_time_does_not_change_which_of_two_matters_more(one, other, idle_days):
    less, more = sorted((one, other))
    assert decayed_importance(less, idle_days=idle_days) <= decayed_importance(more, idle_days=idle_days)


@given(shares, days)
def test_reading_twice_changes_nothing(importance, idle_days):
    read = decayed_importance(importance, idle_days=idle_days)
    assert decayed_importance(importance, idle_days=idle_days) == read
    assert decayed_importance(read, idle_days=0) == read


@given(shares, st.integers(0, 300), st.integers(0, 300))
def test_so_many_weeks_at_once_are_the_same_as_one_after_the_other(importance, first, then):
    at_once = decayed_importance(importance, idle_days=7 * (first + then))
    halfway = decayed_importance(importance, idle_days=7 * first)
    assert decayed_importance(halfway, idle_days=7 * then) == pytest.approx(at_once)


@table("name", ["weekly_decay", "floor"])
@table("share", [-0.1, 1.1, float("nan")])
def test_a_share_outside_0_to_1_is_an_error_that_names_it(name, share):
    with pytest.raises(InvalidInputError, match=name):
        decayed_importance(0.5, idle_days=1, **{name: share})


@pytest.mark.parametrize("idle_days", [float("nan"), float("inf"), -float("inf")])
def test_days_that_are_no_number_are_an_error(idle_days):
    with pytest.raises(InvalidInputError, match="idle_days"):
        decayed_importance(0.5, idle_days=idle_days)
