"""Every metric on rankings whose figures can be worked out by hand."""

import pytest

from recollect_bench.metrics import (
    MRR_DEPTH,
    all_at_k,
    answer_in_context,
    answer_words,
    any_at_k,
    by_category,
    context_faults,
    mean,
    measure,
    recall_at_k,
    reciprocal_rank,
)

RANKING = ["n1", "g1", "n2", "n3", "g2", "n4", "n5", "n6", "n7", "g3", "g4"]


@pytest.mark.parametrize(
    ("k", "expected"),
    [(1, 0.0), (2, 0.25), (5, 0.5), (10, 0.75), (11, 1.0), (50, 1.0)],
)
def test_recall_is_the_share_of_the_gold_turns_among_the_first_k(k, expected):
    assert recall_at_k(RANKING, ["g1", "g2", "g3", "g4"], k) == expected


def test_a_gold_turn_that_was_never_ranked_counts_as_missed():
    assert recall_at_k(RANKING, ["g1", "absent"], 10) == 0.5


def test_a_turn_ranked_twice_counts_once():
    assert recall_at_k(["g1", "g1"], ["g1", "g2"], 10) == 0.5


def test_any_and_all_ask_for_one_and_for_every_gold_turn():
    assert any_at_k(RANKING, ["g1", "g4"], 10) == 1
    assert all_at_k(RANKING, ["g1", "g4"], 10) == 0
    assert all_at_k(RANKING, ["g1", "g3"], 10) == 1
    assert any_at_k(RANKING, ["g4"], 10) == 0


def test_the_reciprocal_rank_is_of_the_first_gold_turn():
    assert reciprocal_rank(RANKING, ["g2", "g1"]) == 1 / 2
    assert reciprocal_rank(RANKING, ["g2"]) == 1 / 5
    assert reciprocal_rank(RANKING, ["absent"]) == 0


def test_the_reciprocal_rank_looks_no_deeper_than_it_says():
    ranking = [f"n{i}" for i in range(MRR_DEPTH - 1)] + ["g1", "g2"]
    assert reciprocal_rank(ranking, ["g1"]) == 1 / MRR_DEPTH
    assert reciprocal_rank(ranking, ["g2"]) == 0


def test_measure_names_every_metric():
    assert measure(RANKING, ["g2", "g4"]) == {
        "recall_at_5": 0.5,
        "recall_at_10": 0.5,
        "any_at_10": 1.0,
        "all_at_10": 0.0,
        "mrr": 0.2,
    }


def test_an_empty_ranking_measures_zero():
    assert set(measure([], ["g1"]).values()) == {0.0}


def test_means_count_their_questions():
    assert mean([{"mrr": 1.0}, {"mrr": 0.5}, {"mrr": 0.0}]) == {"questions": 3, "mrr": 0.5}
    assert mean([]) == {"questions": 0}


def test_questions_weigh_the_same_overall_and_not_their_categories():
    found = by_category([("a", {"mrr": 1.0}), ("b", {"mrr": 0.0}), ("b", {"mrr": 0.5})])
    assert found["overall"]["all"] == {"questions": 3, "mrr": 0.5}
    assert found["categories"] == {"a": {"questions": 1, "mrr": 1.0}, "b": {"questions": 2, "mrr": 0.25}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The sunrise.", {"sunrise"}),
        ("a 7 May, 2023", {"7", "may", "2023"}),
        ("Melanie's and melanies'", {"melanies", "and"}),
        ("self-care", {"self", "care"}),
        ("…", set()),
    ],
)
def test_answers_are_compared_by_plain_words(text, expected):
    assert answer_words(text) == expected


def test_an_answer_is_in_a_context_when_all_its_words_are():
    context = "[Sun 7 May 2023]\nCaroline: I went to the LGBTQ group."
    assert answer_in_context("7 May 2023", context) == {"content": 1.0, "answer": 1.0, "words": 1.0}
    assert answer_in_context("8 May 2023", context) == {"content": 0.0, "answer": 0.0, "words": 2 / 3}
    assert answer_in_context("An LGBTQ group", context) == {"content": 1.0, "answer": 1.0, "words": 1.0}


def test_endings_and_function_words_are_not_asked_of_content_words():
    context = "Caroline: I joined two groups."
    found = answer_in_context("She was joining the group", context)
    assert found == {"content": 1.0, "answer": 0.0, "words": 0.0}
    assert answer_in_context("yes", "no")["content"] == 0


def test_words_are_not_found_inside_other_words():
    assert answer_in_context("art", "Ana started") == {"content": 0.0, "answer": 0.0, "words": 0.0}


def test_a_joke_may_be_quoted_and_not_stated():
    judged = {"must": [["Graz"]], "order": [["Graz", "Oslo"]], "quoted": ["sure, I'll move to Oslo /s"]}
    assert not context_faults("[May] Sure, I'll move to Oslo /s\n[April] I live in Graz", **judged)
    assert not context_faults("sure, I'll move [June] to Oslo [2026] /s\n[April] I live in Graz", **judged)
    assert context_faults("lives in Oslo\n[April] I live in Graz", **judged) == ["names Oslo before Graz"]
