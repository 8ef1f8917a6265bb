from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect import InvalidInputError, MemoryRecord, Scope
from recollect.learning.admission import AdmissionCandidate, AdmissionDecision, AdmissionPolicy, refusal
from recollect.learning.gate import told
from recollect.learning.reconcile.decisions import Decision
from recollect.presets.recall.semantic import (
    SEMANTIC_CATEGORIES,
    check_semantic_category,
    importance_of_level,
    level_of_importance,
    semantic_category,
)
from recollect.types import MemoryLabels, Times

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
POLICY = AdmissionPolicy()


def candidate(**given):
    return AdmissionCandidate(
        **{"text": "Ada likes tea.", "role": "user", "confidence": 0.95, "importance": 0.3, **given}
    )


@table(
    "given, criterion, reason",
    [
        ({"unsafe": "it holds personal data (phone)"}, "safety", "personal data"),
        ({"text": "Ada's number is [phone number removed]."}, "safety", "was masked"),
        ({"role": "assistant"}, "attribution", "the user did not say it"),
        ({"role": "tool"}, "attribution", "the user did not say it"),
        ({"confidence": 0.5}, "attribution", "inferred, not stated"),
        ({"importance": 0.1}, "importance", "0.1 is below 0.2"),
    ],
)
def test_what_may_not_become_a_fact_has_a_reason(given, criterion, reason):
    found = refusal(candidate(**given), POLICY)
    assert found is not None
    assert found[0] == criterion
    assert reason in found[1]


def test_what_passes_all_criteria_may_become_a_fact():
    assert refusal(candidate(), POLICY) is None


def test_safety_decides_before_all_else():
    found = refusal(candidate(unsafe="a secret", role="tool", confidence=0, importance=0), POLICY)
    assert found == ("safety", "a secret")


def test_a_policy_may_take_what_the_assistant_says():
    assert refusal(candidate(role="assistant"), AdmissionPolicy(stated_by_user=False)) is None


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_higher_bar_never_lets_more_through(importance, bar):
    passes = refusal(candidate(importance=importance), AdmissionPolicy(min_importance=bar)) is None
    assert passes == (importance >= bar)


@table(
    "wrong",
    [
        {"min_importance": 2},
        {"min_confidence": -1},
        {"stated_by_user": 1},
        {"keep_refused": None},
        {"pii": "mask"},
    ],
)
def test_a_policy_that_cannot_be_is_refused(wrong):
    with pytest.raises(InvalidInputError):
        AdmissionPolicy(**wrong)


@table(
    "action, admission, criterion",
    [
        ("add", "stored", "verification"), ("refine", "stored", "verification"),
        ("supersede", "stored", "verification"), ("conflict", "contested", "verification"),
        ("reinforce", "merged", "news"), ("ignore", "merged", "news"), ("retract", "merged", "news"),
    ],
)  # fmt: skip
def test_every_decision_about_known_facts_becomes_an_admission(action, admission, criterion):
    decision = Decision(action=action, target_id="known", confidence=0.9, reason="because")
    made = told(decision, at=NOON, fact_id="new", source_id="turn")
    assert (made.admission, made.criterion) == (admission, criterion)
    assert made.fact_id == ("known" if admission == "merged" else "new")
    assert made.reason
    assert AdmissionDecision.from_json(made.to_json()) == made


# Recall's fields


@table("level", [1, 2, 3, 4, 5])
def test_an_importance_of_one_to_five_comes_back_as_it_was(level):
    assert level_of_importance(importance_of_level(level)) == level


@given(st.floats(0, 1), st.floats(0, 1))
def test_levels_keep_the_order_of_importances(one, other):
    assert 1 <= level_of_importance(one) <= 5
    assert one > other or level_of_importance(one) <= level_of_importance(other)


@table("level", [0, 6, 2.0, True, "3", None])
def test_a_level_that_is_none_is_refused(level):
    with pytest.raises(InvalidInputError):
        importance_of_level(level)


def fact(category=None, **metadata):
    return MemoryRecord(
        id="f",
        scope=Scope(user_id="ada"),
        content="a fact",
        kind="fact",
        times=Times(created_at=NOON, happened_at=NOON, updated_at=NOON),
        labels=MemoryLabels(category=category),
        metadata=metadata,
    )


@table(
    "record, category",
    [
        (fact("PLACE", subject="User's sister", relation="likes"), "PLACE"),
        (fact("preference", subject="User", relation="likes"), "PREFERENCE"),
        (fact("general", subject="User", relation="favourite band"), "PREFERENCE"),
        (fact("context", subject="User's sister", relation="lives in"), "PERSON"),
        (fact("context", subject="User", relation="lives in"), "PLACE"),
        (fact("general", subject="User", relation="went to"), "EVENT"),
        (fact("context", subject="User", relation="works at"), "BIOGRAPHY"),
        (fact(), "BIOGRAPHY"),
    ],
)
def test_every_fact_has_one_of_the_five_categories(record, category):
    assert semantic_category(record) == category


def test_a_category_that_is_none_is_refused():
    assert [check_semantic_category(one) for one in SEMANTIC_CATEGORIES] == list(SEMANTIC_CATEGORIES)
    with pytest.raises(InvalidInputError, match="known are PERSON"):
        check_semantic_category("person")
