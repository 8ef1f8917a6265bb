import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import table

from recollect import InvalidInputError, Memory
from recollect.retrieval.graph.index import ConceptIndex, rarity
from recollect.retrieval.graph.spreading import (
    DEFAULT,
    MOST_ROWS,
    Spreading,
    memory_activation,
    neighbours,
    spread,
)
from recollect.retrieval.rank import DefaultScoring
from recollect.retrieval.scoring import Retrieval
from recollect.text.analyse import Analyser

HELD = st.lists(st.lists(st.integers(0, 8).map(lambda n: 2 * n), max_size=5, unique=True), max_size=25)


def indexed(held, alive=None, *, parts=1):
    index = ConceptIndex()
    for part in np.array_split(np.arange(len(held)), parts):
        numbers = list(itertools.chain.from_iterable(held[row] for row in part))
        lengths = [len(held[row]) for row in part]
        index.add(part.astype(np.int64), np.array(lengths, np.int32), np.array(numbers, np.uint32))
        if parts > 1:
            index.refresh(np.ones(len(held), bool))
    index.refresh(np.array(alive if alive is not None else [True] * len(held), bool))
    return index


def active(index, numbers, **rules):
    found = spread(index, index.places(numbers), rules=Spreading(**rules))
    return dict(zip(index.numbers[found.concepts].tolist(), found.strength.tolist(), strict=True))


# The index


@given(HELD, st.data())
def test_the_index_knows_who_holds_what_after_any_additions_and_deletions(held, data):
    alive = data.draw(st.lists(st.booleans(), min_size=len(held), max_size=len(held)))
    index = indexed(held, alive, parts=data.draw(st.integers(1, 4)))
    live = [set(concepts) for concepts, lives in zip(held, alive, strict=True) if lives]
    degrees = Counter(itertools.chain.from_iterable(live))
    assert index.memories == len(live)
    for number in range(0, 20, 2):
        (place,) = index.places([number]) or (None,)
        assert (degrees[number] > 0) == (place is not None)
        if place is not None:
            assert index.degrees[place] == degrees[number]
            rows = index.rows(place)
            assert rows.tolist() == [
                row
                for row, (concepts, lives) in enumerate(zip(held, alive, strict=True))
                if lives and number in concepts
            ]
            weights = together(index, place)
            for other in degrees:
                both = sum({number, other} <= concepts for concepts in live)
                expected = (
                    both / math.sqrt(degrees[number] * degrees[other]) if other != number and both else None
                )
                assert weights.get(other) == (None if expected is None else pytest.approx(expected, rel=1e-5))


def together(index, place):
    beside, weight = neighbours(index, place, most=100)
    return dict(zip(index.numbers[beside].tolist(), weight.tolist(), strict=True))


def test_odd_numbers_are_no_concepts():
    assert indexed([[2, 3, 5, 4]]).numbers.tolist() == [2, 4]


def test_an_empty_index_has_nothing():
    index = indexed([])
    assert (index.memories, index.places([2])) == (0, [])
    assert active(index, [2]) == {}
    assert memory_activation(index, spread(index, []), 0).tolist() == []


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=20), st.integers(0, 10**6))
def test_rarity_lies_between_none_and_all(degrees, memories):
    rare = rarity(np.array(degrees, np.int32), memories)
    assert ((rare >= 0) & (rare <= 1)).all()


# Spreading


def test_activation_halves_with_every_hop_and_ends():
    chain = [[2, 4], [4, 6], [6, 8], [8, 10]]
    index = indexed(chain)
    found = active(index, [2], hops=2)
    assert list(found) == [2, 4, 6]
    assert found[4] == pytest.approx(0.5 * found[2] / math.sqrt(2))
    assert found[6] == pytest.approx(0.5 * found[4] / 2)
    assert list(active(index, [2], hops=0)) == [2]
    assert list(active(index, [2], hops=10)) == [2, 4, 6, 8, 10]
    assert list(active(index, [2], decay=0)) == [2]


def test_a_concept_passes_on_to_its_strongest_neighbours_only():
    held = [[2, 4]] * 3 + [[2, 6]] * 2 + [[2, 8], [2, 10]]
    assert list(active(indexed(held), [2], hops=1, fan_out=2)) == [2, 4, 6]
    assert list(active(indexed(held), [2], hops=1, fan_out=3)) == [2, 4, 6, 8]


@settings(deadline=None)
@given(HELD, st.lists(st.integers(0, 8).map(lambda n: 2 * n), max_size=3, unique=True), st.randoms())
def test_activation_does_not_depend_on_the_order_of_memories(held, asked, random):
    shuffled = [random.sample(concepts, len(concepts)) for concepts in held]
    random.shuffle(shuffled)
    one, other = active(indexed(held), asked), active(indexed(shuffled, parts=3), asked)
    assert one == pytest.approx(other, abs=1e-6)
    assert all(0 < strength <= 1 for strength in one.values())


@given(HELD, st.lists(st.integers(0, 8).map(lambda n: 2 * n), max_size=3, unique=True), st.booleans())
def test_a_memorys_activation_lies_between_none_and_one(held, asked, with_given):
    index = indexed(held)
    found = memory_activation(index, spread(index, index.places(asked)), len(held), with_given=with_given)
    assert found.shape == (len(held),)
    assert ((found >= 0) & (found <= 1)).all()


def test_of_a_concept_that_everyone_holds_the_newest_memories_count():
    held = [[2, 4]] * MOST_ROWS + [[2, 6]] * MOST_ROWS
    assert list(active(indexed(held), [2], hops=1)) == [2, 6]


@table("rules", [{"hops": -1}, {"hops": 11}, {"decay": 1.1}, {"decay": -0.1}, {"fan_out": 0}])
def test_rules_that_cannot_be_used_say_so(rules):
    with pytest.raises(InvalidInputError, match="hops must be"):
        Spreading(**rules)


# Recall

DIARY = [
    "Whiskers is my cat",
    "Whiskers prefers the blue sofa",
    "My bicycle has a flat tyre",
    "The office moved to Lisbon",
    "I paid the rent in March",
    "Ada plays chess on Sundays",
]
QUESTION = "What about my cat?"


def remembered(path, **options):
    memory = Memory(path, retrieval=Retrieval(scoring=DefaultScoring(**options)))
    for place, line in enumerate(DIARY):
        memory.add(line, user_id="ada", session_id=f"day {place}")
    return memory


def test_a_related_memory_that_shares_no_word_with_the_question_is_found(tmp_path):
    stems = Analyser().query_stems
    assert not {*stems(QUESTION)} & {*stems(DIARY[1])}
    with remembered(tmp_path / "with.db", concepts=0.3) as memory:
        hits = memory.search(QUESTION, user_id="ada")
        assert [hit.memory.content for hit in hits[:2]] == DIARY[:2]
        assert hits[1].signals["concepts"] > 0
        assert hits[1].terms["concepts"] == pytest.approx(0.3 * hits[1].signals["concepts"])
        assert "concepts" in hits[1].explain()
        assert all(sum(hit.terms.values()) == pytest.approx(hit.score, abs=1e-6) for hit in hits)
        unrelated = [hit for hit in hits if hit.memory.content not in DIARY[:2]]
        assert all(hit.signals["concepts"] == 0 for hit in unrelated)


def test_the_graph_follows_updates_and_deletions(tmp_path):
    with remembered(tmp_path / "brain.db", concepts=0.3) as memory:

        def signals():
            hits = memory.search(QUESTION, user_id="ada")
            return {hit.memory.content: hit.signals["concepts"] for hit in hits}

        assert signals()[DIARY[1]] > 0
        cat = next(one for one in memory.get_all(user_id="ada") if one.content == DIARY[0])
        memory.update(cat.id, user_id="ada", content="Whiskers is my neighbour")
        assert signals()[DIARY[1]] == 0
        memory.update(cat.id, user_id="ada", content=DIARY[0])
        assert signals()[DIARY[1]] > 0
        memory.delete(cat.id, user_id="ada")
        assert signals()[DIARY[1]] == 0


def test_what_one_user_knows_activates_nothing_for_another(tmp_path):
    with Memory(tmp_path / "brain.db", retrieval=Retrieval(scoring=DefaultScoring(concepts=0.3))) as memory:
        memory.add(DIARY[0], user_id="bob")
        memory.add(DIARY[1], user_id="ada")
        (hit,) = memory.search(QUESTION, user_id="ada")
        assert hit.signals["concepts"] == 0


def test_a_weight_that_cannot_be_used_says_so():
    with pytest.raises(InvalidInputError, match="concepts"):
        DefaultScoring(concepts=1.5)
    assert DEFAULT.hops == 2
