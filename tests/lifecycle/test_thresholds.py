import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import table

from recollect.errors import InvalidInputError, StoreCorruptError, StoreFormatError
from recollect.lifecycle.thresholds import MAX_CHANGES, STATE, THRESHOLDS, WINDOW, ThresholdManager
from recollect.stores.reference.store import InMemoryStore
from recollect.testing.fakes import ADA, BOB, NOON, FakeClock
from recollect.text.context_type import CONTEXT_TYPES

HIT = {"activated": True, "relevant": True}
NOISE = {"activated": True, "relevant": False}
MISS = {"activated": False, "relevant": True}
REJECTED = {"activated": False, "relevant": False}
HALF = WINDOW // 2
BOUNDS = {
    "query": (0.5, 0.95),
    "task": (0.55, 0.95),
    "conversation": (0.3, 0.7),
    "document": (0.35, 0.85),
    "mixed": (0.4, 0.9),
}

heard = st.lists(
    st.tuples(
        st.sampled_from(CONTEXT_TYPES), st.sampled_from([HIT, NOISE, MISS, REJECTED]), st.integers(1, 30)
    ),
    max_size=40,
)


def manager(store=None, **rules):
    return ThresholdManager(store or InMemoryStore(), ADA, **{"clock": FakeClock(), **rules})


def told(manager, name, *outcomes):
    """All changes that some outcomes make, each given as (outcome, how often)."""
    return [
        change
        for outcome, count in outcomes
        for _ in range(count)
        for change in manager.record(name, **outcome)
    ]


@table("name, threshold", THRESHOLDS.items())
def test_thresholds_start_at_the_specs(name, threshold):
    one = manager()
    assert one.threshold(name) == threshold
    assert one.state()[name].bounds == pytest.approx(BOUNDS[name])
    assert one.history() == ()


def test_nothing_is_written_by_reading():
    store = InMemoryStore()
    one = manager(store)
    one.threshold("query")
    one.state()
    one.history()
    assert store.states(ADA) == {}


def test_too_much_noise_raises_the_threshold():
    one = manager()
    (change,) = told(one, "document", (HIT, 19), (NOISE, 6))
    assert (change.context_type, change.before, change.after) == ("document", 0.6, 0.7)
    assert change.reason == "false positive rate 0.24 over 0.2 in 25 outcomes"
    assert change.at == NOON
    assert one.threshold("document") == 0.7
    assert one.history() == (change,)


def test_too_much_that_was_not_recalled_lowers_the_threshold():
    one = manager()
    (change,) = told(one, "document", (HIT, 19), (MISS, 6))
    assert (change.before, change.after) == (0.6, 0.5)
    assert change.reason == "false negative rate 0.24 over 0.2 in 25 outcomes"


def test_a_rate_of_exactly_a_fifth_is_bearable():
    one = manager()
    assert told(one, "document", (HIT, 20), (NOISE, 5), (MISS, 5)) == []
    assert one.state()["document"].note == "no rate is high"


def test_fewer_outcomes_than_half_a_window_change_nothing():
    one = manager()
    assert told(one, "document", (NOISE, HALF - 1)) == []
    assert one.state()["document"].note == "waits for more outcomes"
    assert len(told(one, "document", (NOISE, 1))) == 1


def test_the_window_is_empty_after_a_step():
    one = manager()
    told(one, "document", (NOISE, HALF))
    state = one.state()["document"]
    assert (state.threshold, state.start, state.outcomes, state.success_rate) == (0.7, 0.6, 0, None)
    assert told(one, "document", (NOISE, HALF - 1)) == []


def test_where_both_rates_are_high_no_threshold_helps():
    one = manager()
    assert told(one, "document", (HIT, 8), (NOISE, 8), (MISS, 30)) == []
    state = one.state()["document"]
    assert state.note == "both rates are high"
    assert (state.false_positive_rate, state.false_negative_rate) == (0.5, 30 / 38)
    assert state.success_rate == 8 / 46


def test_only_the_latest_outcomes_count():
    one = manager()
    told(one, "document", (NOISE, 5), (HIT, 2 * WINDOW))
    assert one.state()["document"].false_positive_rate == 0
    assert one.state()["document"].outcomes == WINDOW


def test_what_was_rightly_left_alone_tells_nothing():
    store = InMemoryStore()
    one = manager(store)
    assert told(one, "query", (REJECTED, 100)) == []
    assert store.states(ADA) == {}


@table("outcome, place", [(NOISE, 1), (MISS, 0)])
@table("name", ["task", "document", "mixed"])
def test_a_threshold_stops_at_its_bound_and_says_so(name, outcome, place):
    one = manager()
    told(one, name, (outcome, 200))
    assert one.threshold(name) == pytest.approx(BOUNDS[name][place])
    assert one.state()[name].note.endswith("but it is at its bound")
    assert len(one.history()) == 3 if (name, outcome) != ("task", NOISE) else 2


def test_a_threshold_that_was_left_is_gone_back_to_only_for_a_worse_rate():
    one = manager()
    told(one, "document", (HIT, 18), (NOISE, 7))  # 0.28
    assert told(one, "document", (HIT, 32), (MISS, 18)) == []  # 0.36
    assert one.state()["document"].note.endswith("but 0.6 was left for 0.28")
    (back,) = told(one, "document", (MISS, 10))
    assert (back.before, back.after) == (0.7, 0.6)


def test_what_a_threshold_was_left_for_is_forgotten_in_time():
    one = manager()
    told(one, "document", (HIT, 15), (NOISE, 10))  # 0.4
    assert told(one, "document", (HIT, 30), (MISS, 20)) == []
    told(one, "document", (HIT, 2_000))
    (back,) = told(one, "document", (MISS, 18))  # 0.36 is now more than 0.25 by a tenth
    assert back.after == 0.6


def test_without_noise_it_comes_to_rest_between_two_that_do_not_satisfy():
    one = manager()
    for _ in range(2_000 // 3):
        wrong = NOISE if one.threshold("document") < 0.65 else MISS
        told(one, "document", (HIT, 2), (wrong, 1))
    assert len(one.history()) <= 2


def test_a_query_takes_a_conversation_along():
    one = manager()
    changes = told(one, "query", (NOISE, HALF))
    assert [(c.context_type, c.before, c.after) for c in changes] == [
        ("query", 0.75, 0.85),
        ("conversation", 0.3, 0.35),
    ]
    assert changes[1].reason == "kept consistent with query"


def test_a_conversation_takes_a_query_along():
    one = manager()
    told(one, "query", (MISS, 2 * HALF))
    assert one.threshold("query") == 0.55
    told(one, "conversation", (NOISE, 3 * HALF))
    assert one.threshold("query") == one.threshold("conversation") == 0.6
    changes = told(one, "conversation", (NOISE, HALF))
    assert [(c.context_type, c.after) for c in changes] == [("conversation", 0.7), ("query", 0.7)]


def test_outcomes_heard_at_another_threshold_are_dropped_when_it_is_taken_along():
    one = manager()
    told(one, "conversation", (NOISE, HALF - 1))
    told(one, "query", (NOISE, HALF))
    assert one.state()["conversation"].outcomes == 0


def test_each_kind_of_context_learns_alone():
    one = manager()
    told(one, "task", (MISS, HALF))
    assert {name: one.threshold(name) for name in CONTEXT_TYPES} == {**THRESHOLDS, "task": 0.7}


@settings(max_examples=60, deadline=None)
@given(heard)
def test_thresholds_stay_inside_their_bounds_and_consistent_whatever_is_recorded(outcomes):
    one = manager()
    for name, outcome, count in outcomes:
        told(one, name, (outcome, count))
        now = {name: one.threshold(name) for name in CONTEXT_TYPES}
        for kind, (low, high) in BOUNDS.items():
            assert low - 1e-9 <= now[kind] <= high + 1e-9
        assert -1e-9 <= now["query"] - now["conversation"] <= 0.5 + 1e-9


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(CONTEXT_TYPES), st.floats(0, 1)), max_size=8),
    st.floats(0, 1),
    st.floats(0, 1),
    heard,
)
def test_thresholds_set_by_hand_stay_in_bounds_and_can_be_made_consistent(
    moves, query, conversation, outcomes
):
    one = manager(thresholds={"query": query, "conversation": conversation})
    bounds = {name: state.bounds for name, state in one.state().items()}
    for place, (name, threshold) in enumerate(moves):
        before = {name: one.threshold(name) for name in CONTEXT_TYPES}
        try:
            one.set(name, threshold)
        except InvalidInputError:
            assert {name: one.threshold(name) for name in CONTEXT_TYPES} == before
        else:
            assert one.threshold(name) == pytest.approx(threshold, abs=2e-6)
        for kind, outcome, count in outcomes[place : place + 1]:
            told(one, kind, (outcome, count))
        for kind, (low, high) in bounds.items():
            assert low - 2e-6 <= one.threshold(kind) <= high + 2e-6
    one.enforce_consistency()
    assert one.inconsistency() == "" or bounds["query"][1] < bounds["conversation"][0]
    one.reset()
    assert {name: one.threshold(name) for name in ("query", "conversation")} == pytest.approx(
        {"query": query, "conversation": conversation}, abs=2e-6
    )


@settings(max_examples=60, deadline=None)
@given(heard)
def test_another_manager_of_the_same_store_knows_the_same(outcomes):
    store = InMemoryStore()
    one = manager(store)
    for name, outcome, count in outcomes:
        told(one, name, (outcome, count))
    again = manager(store)
    assert again.state() == one.state()
    assert again.history() == one.history()
    told(one, "query", (NOISE, HALF))
    replayed = manager()
    for name, outcome, count in [*outcomes, ("query", NOISE, HALF)]:
        told(replayed, name, (outcome, count))
    assert replayed.state() == one.state()


@settings(max_examples=40, deadline=None)
@given(heard)
def test_the_changes_lead_from_the_start_to_where_a_threshold_is(outcomes):
    one = manager()
    for name, outcome, count in outcomes:
        told(one, name, (outcome, count))
    now = dict(THRESHOLDS)
    for change in one.history():
        assert change.before == now[change.context_type]
        assert change.after != change.before
        now[change.context_type] = change.after
    assert now == {name: one.threshold(name) for name in CONTEXT_TYPES}


def test_the_history_is_bounded():
    one = manager(window=4, step=0.001)
    changes = told(one, "document", (NOISE, 2 * MAX_CHANGES + 50))
    assert len(changes) > MAX_CHANGES
    assert one.history() == tuple(changes[-MAX_CHANGES:])


def test_users_learn_apart_from_each_other():
    store = InMemoryStore()
    told(manager(store), "task", (MISS, HALF))
    assert ThresholdManager(store, BOB).threshold("task") == 0.8


def test_a_threshold_that_is_given_replaces_the_specs():
    one = manager(thresholds={"conversation": 0.2, "mixed": 0.5})
    assert one.threshold("conversation") == 0.2
    assert one.state()["conversation"].bounds == (0.2, 0.7)
    assert one.state()["mixed"].bounds == (0.25, 0.75)
    assert one.threshold("query") == 0.75


def test_a_start_that_was_changed_begins_anew_and_leaves_the_others():
    store = InMemoryStore()
    told(manager(store), "task", (MISS, HALF))
    told(manager(store), "document", (MISS, HALF))
    changed = manager(store, thresholds={"task": 0.9})
    assert (changed.threshold("task"), changed.threshold("document")) == (0.9, 0.5)


def test_bounds_that_are_given_hold():
    store = InMemoryStore()
    told(manager(store), "document", (NOISE, 2 * HALF))
    assert manager(store, bounds={"document": (0.6, 0.65)}).threshold("document") == 0.65


def test_a_query_below_a_conversation_by_choice_may_stay_there():
    one = manager(thresholds={"query": 0.2, "conversation": 0.4})
    assert (one.threshold("query"), one.threshold("conversation")) == (0.2, 0.4)
    told(one, "query", (MISS, 300))
    assert one.threshold("conversation") - one.threshold("query") <= 0.2 + 1e-9


def test_no_outcome_of_several_threads_is_lost():
    store = InMemoryStore()
    with ThreadPoolExecutor(4) as pool:
        for _ in range(HALF - 1):
            pool.submit(manager(store).record, "task", **MISS)
    assert manager(store).state()["task"].outcomes == HALF - 1


@pytest.mark.parametrize("name", ["chat", "", None, 3])
def test_an_unknown_kind_of_context_is_an_error_that_lists_the_known(name):
    one = manager()
    for call in (
        lambda: one.threshold(name),
        lambda: one.record(name, **HIT),
        lambda: manager(thresholds={name: 0.5}),
        lambda: manager(bounds={name: (0, 1)}),
    ):
        with pytest.raises(InvalidInputError, match="query, task, conversation"):
            call()


@table(
    "rules, message",
    [
        ({"thresholds": {"query": 1.5}}, "the threshold of query"),
        ({"thresholds": {"query": "high"}}, "the threshold of query"),
        ({"thresholds": 0.5}, "thresholds must be a mapping"),
        ({"bounds": [0.5]}, "bounds must be a mapping"),
        ({"bounds": {"query": (0.8, 0.9)}}, "must hold its threshold"),
        ({"bounds": {"query": (0.9, 0.5)}}, "must hold its threshold"),
        ({"bounds": {"query": (-1, 1)}}, "a bound of query"),
        ({"bounds": {"query": 0.5}}, "two numbers"),
        ({"bounds": {"query": (0, 0.5, 1)}}, "two numbers"),
        ({"window": 3}, "at least 4"),
        ({"window": 0}, "window"),
        ({"window": 2.5}, "window"),
        ({"step": 0}, "above 0"),
        ({"step": -0.1}, "step"),
        ({"rate": 2}, "rate"),
    ],
)
def test_rules_that_cannot_be_are_errors_that_name_them(rules, message):
    with pytest.raises(InvalidInputError, match=message):
        manager(**rules)


@pytest.mark.parametrize(
    "outcome", [{"activated": 1, "relevant": True}, {"activated": True, "relevant": None}]
)
def test_an_outcome_is_true_or_false(outcome):
    with pytest.raises(InvalidInputError, match="must be True or False"):
        manager().record("query", **outcome)


GOOD = {"start": 0.8, "threshold": 0.7, "outcomes": "hnm", "seen": 3, "left": [[0.8, 0.3, 1]]}


def kept(**changed):
    return json.dumps({"version": 1, "types": {"task": {**GOOD, **changed}}, "changes": []})


def test_what_is_kept_is_read():
    store = InMemoryStore()
    store.change_state(ADA, STATE, lambda _: kept())
    assert manager(store).threshold("task") == 0.7


@table(
    "state",
    [
        "",
        "[]",
        "3",
        "{}",
        "not JSON",
        json.dumps({"version": 0, "types": {}, "changes": []}),
        json.dumps({"version": 1, "types": []}),
        json.dumps({"version": 1, "types": {"chat": GOOD}, "changes": []}),
        json.dumps({"version": 1, "types": {}, "changes": [{"at": "now"}]}),
        kept(threshold=7),
        kept(threshold="x"),
        kept(outcomes="xyz"),
        kept(outcomes=3),
        kept(seen="3"),
        kept(left=[3]),
        kept(other=1),
    ],
)
def test_what_is_damaged_is_an_error_and_stays(state):
    store = InMemoryStore()
    store.change_state(ADA, STATE, lambda _: state)
    with pytest.raises(StoreCorruptError):
        manager(store).threshold("query")
    with pytest.raises(StoreCorruptError):
        manager(store).record("query", **HIT)
    assert store.state(ADA, STATE) == state


def test_what_a_newer_version_wrote_is_not_touched():
    store = InMemoryStore()
    store.change_state(ADA, STATE, lambda _: json.dumps({"version": 2}))
    with pytest.raises(StoreFormatError, match="newer version"):
        manager(store).record("query", **HIT)


def test_no_threshold_rises_so_high_that_an_identical_text_is_not_activated():
    store = InMemoryStore()
    for name in THRESHOLDS:
        told(manager(store), name, (NOISE, 10 * WINDOW))
    assert max(manager(store).threshold(name) for name in THRESHOLDS) <= 0.95
    assert manager(store, thresholds={"task": 0.99}).threshold("task") == 0.99
