from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import InvalidInputError, Memory
from recollect.presets.recall.rerank import (
    RecallScoring,
    hybrid_similarity,
    importance_boost,
    recall_score,
    recency_boost,
    similarity_calibration,
)
from recollect.retrieval.scoring import Retrieval
from recollect.testing import FakeClock

shares = st.floats(0, 1)
ages = st.floats(-10, 1_000)


@given(shares, ages, shares)
def test_a_score_is_never_below_the_similarity_nor_above_it_times_both_boosts(similarity, age, importance):
    assert (
        similarity
        <= recall_score(similarity, age_days=age, importance=importance)
        <= similarity * 1.44 + 1e-9
    )


@given(shares, shares)
def test_what_is_more_important_is_boosted_more(one, other):
    assert (importance_boost(one) <= importance_boost(other)) == (one <= other) or np.isclose(one, other)


def test_what_happened_less_than_a_week_ago_counts_a_fifth_more():
    assert [recency_boost(age) for age in (-1, 0, 6.99, 7, 400)] == [1.2, 1.2, 1.2, 1.0, 1.0]


@given(shares, shares)
def test_meaning_counts_more_than_words(cosine, words):
    assert 0 <= hybrid_similarity(cosine, words) <= 1
    assert hybrid_similarity(1, 0) > hybrid_similarity(0, 1)


def test_an_embedder_that_nobody_measured_is_not_calibrated():
    assert similarity_calibration("openai:large").is_identity


@pytest.fixture
def memory():
    clock = FakeClock(datetime(2026, 5, 20, tzinfo=UTC))
    scoring = RecallScoring(calibration=similarity_calibration("recollect-static-v2"))
    with Memory(":memory:", retrieval=Retrieval(scoring=scoring), clock=clock) as made:
        yield made


TOLD = ["My sister Mary lives in Lisbon", "I like green tea", "I work at Siemens", "My dog is called Rex"]


def told(memory, *texts, user="ada", days=30, **more):
    at = datetime(2026, 5, 20, tzinfo=UTC) - timedelta(days=days)
    results = memory.add([{"content": text, **more} for text in texts], user_id=user, timestamp=at)
    return [result.id for result in results]


def test_what_is_similar_enough_is_found_and_the_rest_is_not(memory):
    told(memory, *TOLD)
    (hit,) = memory.search("Where does my sister live?", user_id="ada")
    assert hit.memory.content == TOLD[0]
    assert hit.signals["similarity"] >= 0.7
    assert hit.score == pytest.approx(sum(hit.terms.values()))
    assert "recency" not in hit.explain()


@pytest.mark.parametrize(
    "question", ["Who won the world cup in 1954?", "What is the capital of Peru?", "xyzzy"]
)
def test_a_question_about_nothing_that_is_known_finds_nothing(memory, question):
    told(memory, *TOLD)
    assert memory.search(question, user_id="ada") == []


def test_recent_and_important_memories_come_first_among_equals(memory):
    old, new = told(memory, "I like green tea", days=30)[0], told(memory, "I like green tea", days=2)[0]
    vital = told(memory, "I like green tea", days=40, importance=1.0)[0]
    hits = memory.search("What tea do I like?", user_id="ada", collapse=False)
    assert [hit.memory.id for hit in hits][:1] == [new]
    assert {hit.memory.id for hit in hits} == {old, new, vital}
    by_id = {hit.memory.id: hit for hit in hits}
    assert by_id[vital].score > by_id[old].score
    assert by_id[new].signals["recency"] == 1.2
    assert by_id[vital].signals["importance"] == pytest.approx(1.2)


def test_the_boosts_never_lift_what_is_below_the_threshold(memory):
    told(memory, "I like green tea", days=0, importance=1.0)
    assert memory.search("Where does my sister live?", user_id="ada") == []


def test_a_memory_below_the_threshold_is_explained_all_the_same(memory):
    tea = told(memory, *TOLD)[1]
    explained = memory.explain(tea, user_id="ada", query="Where does my sister live?")
    assert explained.recollection.signals["similarity"] < 0.7


def test_importance_may_be_worked_out_when_asked():
    scoring = RecallScoring(importance=lambda record, now: 0.0, threshold=0.0)
    with Memory(":memory:", retrieval=Retrieval(scoring=scoring)) as memory:
        memory.add({"content": "I like tea", "importance": 1.0}, user_id="ada")
        (hit,) = memory.search("tea", user_id="ada")
    assert hit.signals["importance"] == 1.0


@pytest.mark.parametrize("wrong", [{"threshold": 1.1}, {"threshold": -0.1}, {"candidates": 0}])
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(InvalidInputError):
        RecallScoring(**wrong)


def test_another_users_memories_are_never_found(memory):
    told(memory, *TOLD, user="bob")
    told(memory, "I like coffee")
    assert memory.search("Where does my sister live?", user_id="ada") == []
