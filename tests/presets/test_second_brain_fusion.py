import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import InvalidInputError
from recollect.presets.second_brain.fusion import SECOND_BRAIN_K, K, reciprocal_rank_fusion

RANKINGS = st.lists(st.lists(st.integers(0, 20), unique=True, max_size=15), max_size=4)


def as_the_design_writes_it(fts_results, vec_results, limit):
    """``hybrid_search`` of the specification, word for word."""
    scores = {}
    for rank, result in enumerate(fts_results):
        scores[result] = 1.0 / (rank + 1)
    for rank, result in enumerate(vec_results):
        scores[result] = scores.get(result, 0) + 1.0 / (rank + 1)
    ranked = sorted(scores.items(), key=lambda x: x[1], reverse=True)
    return ranked[:limit]


@given(st.lists(st.integers(), unique=True), st.lists(st.integers(), unique=True), st.integers(0, 60))
def test_with_k_0_it_is_what_the_design_writes(fts, vectors, limit):
    expected = as_the_design_writes_it(fts, vectors, limit)
    assert reciprocal_rank_fusion([fts, vectors], k=SECOND_BRAIN_K, limit=limit) == expected


@given(RANKINGS)
def test_with_k_60_scores_are_sums_of_reciprocal_ranks(rankings):
    fused = reciprocal_rank_fusion(rankings)
    assert {item for item, _ in fused} == {item for ranking in rankings for item in ranking}
    assert [score for _, score in fused] == sorted((score for _, score in fused), reverse=True)
    for item, score in fused:
        wanted = sum(1 / (K + 1 + ranking.index(item)) for ranking in rankings if item in ranking)
        assert score == pytest.approx(wanted)


@given(RANKINGS)
def test_what_every_ranking_puts_first_comes_first(rankings):
    fused = reciprocal_rank_fusion([["x", *ranking] for ranking in rankings])
    assert not rankings or fused[0][0] == "x"


def test_what_is_named_twice_counts_where_it_stands_first():
    assert reciprocal_rank_fusion([["a", "b", "a"]], k=0) == [("a", 1.0), ("b", 0.5)]


@pytest.mark.parametrize("bad", [{"k": -1}, {"limit": -1}, {"k": float("nan")}])
def test_bad_arguments_are_refused(bad):
    with pytest.raises(InvalidInputError):
        reciprocal_rank_fusion([["a"]], **bad)
