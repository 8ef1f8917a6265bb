import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect import InvalidInputError
from recollect.presets.recall.prompt.budget import Adaptive, ContextAllocations, ContextBudget, allot

counts = st.integers(0, 10_000)
sources = st.builds(Adaptive, memories=counts, history=counts, task_state=counts)


def test_the_defaults_are_those_of_the_design():
    budget = ContextBudget()
    assert (budget.total_tokens, budget.reserved_for_output, budget.available) == (8_000, 1_000, 7_000)
    assert budget.allocations == ContextAllocations(
        system_prompt=1_000, memories=2_000, history=3_000, task_state=1_000
    )


@given(st.integers(2, 10_000_000))
def test_a_budget_of_any_size_promises_no_more_than_there_is(total):
    budget = ContextBudget.of(total)
    assert budget.allocations.total <= budget.available < total or budget.reserved_for_output == 0
    assert budget.total_tokens == total


@table(
    "given, complaint",
    [
        ({"total_tokens": 900}, "nothing is left"),
        ({"total_tokens": 4_000}, "come to 7,000 tokens, and a prompt may have 3,000"),
        ({"total_tokens": -1}, "total_tokens must be a whole number"),
        ({"total_tokens": 8_000.0}, "total_tokens must be a whole number"),
        ({"total_tokens": True}, "total_tokens must be a whole number"),
        ({"reserved_for_output": -5}, "reserved_for_output must be a whole number"),
        ({"allocations": {"memories": -1}}, "memories must be a whole number"),
        ({"allocations": {"history": None}}, "history must be a whole number"),
        ({"allocations": {"tools": 5}}, "unknown allocation 'tools'; known are system_prompt"),
        ({"allocations": 5}, "allocations must be ContextAllocations"),
    ],
)
def test_a_budget_that_cannot_be_is_refused(given, complaint):
    with pytest.raises(InvalidInputError, match=complaint):
        ContextBudget(**given)


@given(sources, st.integers(-5, 20_000), sources)
def test_no_source_gets_more_than_it_needs_and_all_of_them_no_more_than_there_is(needs, room, promised):
    granted = allot(needs, room=room, promised=promised)
    assert all(0 <= got <= need for got, need in zip(granted, needs, strict=True))
    assert sum(granted) == min(sum(needs), max(room, 0))


@given(sources, st.integers(0, 20_000), sources)
def test_each_gets_what_it_was_promised_where_there_is_room_for_all_promises(needs, more, promised):
    granted = allot(needs, room=sum(promised) + more, promised=promised)
    for got, need, promise in zip(granted, needs, promised, strict=True):
        assert got >= min(need, promise)


@given(sources, st.integers(0, 20_000), sources)
def test_a_source_is_short_of_more_than_its_promise_only_when_no_lower_one_has_more_than_its_own(
    needs, room, promised
):
    granted = allot(needs, room=room, promised=promised)
    for higher in range(3):
        if granted[higher] < needs[higher] and granted[higher] >= promised[higher]:
            assert all(granted[lower] <= promised[lower] for lower in range(higher + 1, 3))


def test_what_one_source_leaves_another_uses():
    granted = allot(Adaptive(0, 9_000, 0), room=6_000, promised=Adaptive(2_000, 3_000, 1_000))
    assert granted == Adaptive(0, 6_000, 0)


def test_where_promises_cannot_be_kept_the_task_gives_way_first():
    granted = allot(Adaptive(9, 9, 9), room=20, promised=Adaptive(9, 9, 9))
    assert granted == Adaptive(9, 9, 2)
