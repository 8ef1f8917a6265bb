import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import InvalidInputError, Memory
from recollect.lifecycle.retrievals import STATE, factors_at
from recollect.presets.semem.strength import StrengthScoring, log_retrieval_score, retrieval_score
from recollect.retrieval.scoring import Retrieval
from recollect.testing import FakeClock

TOLD = ["green tea in the morning", "tea with milk", "the bicycle has a flat tyre", "tea, tea, green tea"]

cosines = st.floats(-1, 1)
factors = st.floats(1e-3, 1e3)
ages = st.floats(-1e3, 1e6)
counts = st.integers(1, 10**6)


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(tmp_path, clock):
    scoring = StrengthScoring(factors=factors_at, state=STATE)
    with Memory(tmp_path / "brain.db", retrieval=Retrieval(scoring=scoring), clock=clock) as memory:
        yield memory


def test_the_score_is_the_designs():
    score = retrieval_score(0.5, decay_factor=0.9, idle_s=1000, access_count=3)
    assert score == pytest.approx(0.5 * 0.9 * math.exp(-0.1) * math.log(4))


@given(cosines, factors, ages, counts)
def test_the_score_is_never_negative_and_finite(cosine, factor, idle_s, count):
    score = retrieval_score(cosine, decay_factor=factor, idle_s=idle_s, access_count=count)
    assert 0 <= score < math.inf


@given(st.floats(0.01, 1), factors, ages, counts, st.floats(1, 100))
def test_the_score_falls_with_time_and_rises_with_everything_else(cosine, factor, idle_s, count, more):
    def score(**changed):
        given = {"cosine": cosine, "decay_factor": factor, "idle_s": idle_s, "access_count": count, **changed}
        return retrieval_score(given.pop("cosine"), **given)

    assert score(idle_s=max(idle_s, 0) + more) <= score()
    assert score(decay_factor=factor * more) >= score()
    assert score(access_count=count + more) >= score()
    assert score(cosine=min(1, cosine * more)) >= score()


@given(st.lists(st.tuples(cosines, factors, ages, counts), min_size=1, max_size=20))
def test_the_logarithm_ranks_as_the_score(rows):
    cosine, factor, idle_s, count = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    use = {"decay_factor": factor, "idle_s": idle_s, "access_count": count}
    score, strength = retrieval_score(cosine, **use), log_retrieval_score(cosine, **use)
    assert np.exp(strength) == pytest.approx(score, rel=1e-9)


def test_a_hit_says_what_made_its_score(memory, clock):
    (one, *_) = memory.add(TOLD, user_id="ada")
    clock.tick(3600)
    memory.lifecycle.retrievals(user_id="ada").track([one.id])
    clock.tick(3600)
    for hit in memory.search("green tea", user_id="ada"):
        accesses = hit.memory.use.access_count + 1
        factor = 1.1 if hit.memory.id == one.id else 0.9
        idle_s = 3600 if hit.memory.id == one.id else 7200
        cosine = hit.signals["vector"]
        expected = retrieval_score(cosine, decay_factor=factor, idle_s=idle_s, access_count=accesses)
        assert hit.score == pytest.approx(expected, rel=1e-4)
        assert sum(hit.terms.values()) == pytest.approx(hit.score)
        assert hit.terms.keys() == hit.signals.keys()
    assert memory.explain(str(one.id), user_id="ada", query="green tea").rank == 1


def test_what_was_retrieved_overtakes_its_equals(memory, clock):
    first, second = (str(memory.add("green tea", user_id="ada")[0].id) for _ in range(2))
    assert [hit.memory.id for hit in memory.search("green tea", user_id="ada", collapse=False)] == [
        first,
        second,
    ]
    clock.tick()
    memory.lifecycle.retrievals(user_id="ada").track([second])
    assert [hit.memory.id for hit in memory.search("green tea", user_id="ada", collapse=False)] == [
        second,
        first,
    ]


def test_a_search_alone_counts_nothing(memory):
    memory.add(TOLD, user_id="ada")
    before = (
        memory.parts.store.shadow_version(memory.parts.scope("ada")),
        memory.parts.store.states(memory.parts.scope("ada")),
    )
    memory.search("green tea", user_id="ada")
    assert before == (memory.parts.store.shadow_version(memory.parts.scope("ada")), {})


@pytest.mark.parametrize("decay_per_s", [-1, math.inf, math.nan])
def test_a_decay_that_cannot_be_used_says_so(decay_per_s):
    with pytest.raises(InvalidInputError, match="decay_per_s"):
        StrengthScoring(factors=factors_at, state=STATE, decay_per_s=decay_per_s)
