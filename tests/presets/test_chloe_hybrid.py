import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import InvalidInputError, Memory
from recollect.presets.chloe.hybrid import CANDIDATES, HybridScoring, hybrid_score, usage_boost
from recollect.retrieval.scoring import Retrieval


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "brain.db", retrieval=Retrieval(scoring=HybridScoring())) as memory:
        yield memory


def found(memory: Memory, query: str, **options):
    return {hit.memory.content: hit for hit in memory.search(query, user_id="ada", **options)}


def test_the_score_is_seven_tenths_meaning_and_three_tenths_tags(memory: Memory) -> None:
    memory.add(["the garden shed leaks", "tax returns are due"], user_id="ada")
    hits = found(memory, "garden shed")
    hit = hits["the garden shed leaks"]
    assert hit.signals["tags"] == 1
    assert hit.score == pytest.approx(0.7 * hit.signals["vector"] + 0.3)
    assert hit.terms["vector"] + hit.terms["tags"] + hit.terms["usage"] == pytest.approx(hit.score)
    other = hits["tax returns are due"]
    assert (other.signals["tags"], other.matched_tags) == (0, ())


def test_the_tags_that_matched_are_named(memory: Memory) -> None:
    memory.add({"content": "the shed leaks", "tags": ["garden work"]}, user_id="ada")
    [hit] = memory.search("garden", user_id="ada")
    assert hit.matched_tags == ("garden work",)
    assert "shared tags: garden work" in hit.explain()


def test_use_raises_a_memory_by_the_logarithm_of_its_count(memory: Memory) -> None:
    [one] = memory.add("the garden shed leaks", user_id="ada")
    before = found(memory, "garden shed")["the garden shed leaks"].score
    for count, boost in ((1, 1.0), (2, 1 + math.log(2)), (3, 1 + math.log(3))):
        memory.use(str(one.id), user_id="ada")
        hit = found(memory, "garden shed")["the garden shed leaks"]
        assert hit.signals["usage"] == pytest.approx(boost), count
        assert hit.score == pytest.approx(before * boost)
        assert sum(hit.terms.values()) == pytest.approx(hit.score)


def test_a_used_memory_overtakes_one_that_is_a_little_nearer(memory: Memory) -> None:
    near, used = (str(one.id) for one in memory.add(["garden shed", "garden hedge and shed"], user_id="ada"))
    assert memory.search("garden shed", user_id="ada")[0].memory.id == near
    for _ in range(5):
        memory.use(used, user_id="ada")
    assert memory.search("garden shed", user_id="ada")[0].memory.id == used


def test_only_the_twenty_nearest_are_weighed(memory: Memory) -> None:
    memory.add([f"garden shed number {n}" for n in range(40)], user_id="ada")
    assert len(memory.search("garden shed", user_id="ada", top_k=5)) == 5
    assert len(memory.search("garden shed", user_id="ada", top_k=30)) == 30
    [first] = memory.search("garden shed", user_id="ada", top_k=1)
    explained = memory.explain(first.memory.id, user_id="ada", query="garden shed")
    assert (explained.rank, explained.ranked) == (1, CANDIDATES)


def test_a_memory_beyond_the_nearest_is_explained_as_not_ranked(memory: Memory) -> None:
    memory.add([f"garden shed number {n}" for n in range(40)], user_id="ada")
    [far] = memory.add("tax returns are due", user_id="ada")
    explained = memory.explain(str(far.id), user_id="ada", query="garden shed")
    assert (explained.rank, explained.ranked) == (None, CANDIDATES)
    assert explained.reason == "it is not among the best 20 memories, which alone are ranked"


def test_kinds_filters_and_threshold_hold(memory: Memory) -> None:
    memory.add("garden shed", user_id="ada", kind="task", metadata={"n": 1})
    memory.add("garden shed too", user_id="ada", kind="thought")
    memory.add("garden shed of another", user_id="bob")
    assert found(memory, "garden shed", kinds=["task"]).keys() == {"garden shed"}
    assert found(memory, "garden shed", filters={"n": 1}).keys() == {"garden shed"}
    assert found(memory, "garden shed", threshold=0.99).keys() <= {"garden shed"}
    assert len(found(memory, "garden shed")) == 2


def test_nobody_unknown_has_anything(memory: Memory) -> None:
    assert memory.search("garden", user_id="nobody") == []


@pytest.mark.parametrize(
    "wrong", [{"tag_weight": -0.1}, {"tag_weight": 1.1}, {"candidates": 0}, {"language": "xx"}]
)
def test_numbers_out_of_range_are_refused(wrong) -> None:
    with pytest.raises(InvalidInputError):
        HybridScoring(**wrong)


def test_the_formulas_are_those_of_the_design() -> None:
    assert hybrid_score(1, 1) == 1
    assert hybrid_score(0.5, 0) == pytest.approx(0.35)
    assert [usage_boost(count) for count in (0, 1)] == [1, 1]
    assert usage_boost(7) == pytest.approx(1 + math.log(7))
