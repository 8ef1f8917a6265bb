import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect import ClosedError, InvalidInputError
from recollect.presets.recall.prompt.history import HistoryTurn
from recollect.presets.recall.short_term import ShortTermMemory
from recollect.presets.recall.working import Step


def turn(number):
    return HistoryTurn(content=f"turn {number}")


# Working memory


def test_what_a_step_holds_is_gone_when_it_ends():
    with Step("search") as step:
        step["rows"] = [1, 2]
        assert dict(step) == {"rows": [1, 2]}
    for use in (
        lambda: step["rows"],
        lambda: step.update(a=1),
        lambda: list(step),
        lambda: step.step("inner"),
    ):
        with pytest.raises(ClosedError, match="'search' has ended"):
            use()


def test_a_step_that_fails_is_evicted_as_well():
    step = Step("divide")
    step["secret"] = "x"
    with pytest.raises(ZeroDivisionError), step:
        _ = 1 / 0
    with pytest.raises(ClosedError):
        step["secret"]


def test_an_ended_step_cannot_be_entered_again():
    with Step("once") as step:
        pass
    with pytest.raises(ClosedError), step:
        pass


def test_a_step_inside_reads_what_is_outside_and_changes_only_its_own():
    with Step("outer") as outer:
        outer["a"] = 1
        with outer.step("inner") as inner:
            assert inner["a"] == 1
            inner["a"] = 2
            inner["b"] = 3
        assert dict(outer) == {"a": 1}


def test_a_variable_that_nobody_set_is_a_key_error():
    with Step("outer") as outer, outer.step("inner") as inner, pytest.raises(KeyError):
        inner["nothing"]


def test_what_is_observed_stays():
    kept = []
    with Step("search", observed=kept.append) as step, step.step("fetch") as fetch:
        fetch.observe("Three trains", tool="timetable")
    assert [(one.text, one.tool) for one in kept] == [("Three trains", "timetable")]


@pytest.mark.parametrize("text", ["", "  ", "\x00"])
def test_an_observation_needs_words(text):
    with Step("search", observed=print) as step, pytest.raises(InvalidInputError):
        step.observe(text)


def test_a_step_alone_keeps_no_observations():
    with Step("alone") as step, pytest.raises(InvalidInputError, match="no session"):
        step.observe("Three trains")


# Short-term memory


@given(st.lists(st.integers(1, 5), max_size=60), st.integers(1, 20))
def test_a_window_keeps_its_size_its_ends_its_order_and_what_matters(importances, most):
    window = ShortTermMemory(max_turns=most)
    for number, importance in enumerate(importances):
        window.add(turn(number), importance=importance)
    numbers = [int(one.content.split()[1]) for one in window.turns]
    assert len(numbers) == min(len(importances), max(most, 5)) == len(window)
    assert numbers == sorted(numbers)
    assert numbers[:2] == [0, 1][: len(importances)]
    assert numbers[-3:] == list(range(len(importances)))[-3:]
    assert window.evicted == len(importances) - len(numbers)


def test_the_least_important_turn_goes_first_and_of_equal_ones_the_oldest():
    window = ShortTermMemory(max_turns=6)
    for number, importance in enumerate([3, 3, 5, 1, 3, 3, 3, 3]):
        window.add(turn(number), importance=importance)
    assert [one.content for one in window.turns] == [f"turn {number}" for number in (0, 1, 2, 5, 6, 7)]


def test_a_window_counts_tokens():
    window = ShortTermMemory(max_tokens=10, count_tokens=lambda text: 3)
    for number in range(9):
        window.add(turn(number))
    assert len(window) == 5
    window.clear()
    assert window.turns == ()


@pytest.mark.parametrize("wrong", [{"max_turns": 0}, {"max_tokens": -1}])
def test_a_window_needs_room(wrong):
    with pytest.raises(InvalidInputError):
        ShortTermMemory(**wrong)


@table("importance", [0, 6, 2.5, True, None])
def test_a_turns_importance_is_one_to_five(importance):
    with pytest.raises(InvalidInputError):
        ShortTermMemory().add(turn(1), importance=importance)
