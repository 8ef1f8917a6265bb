import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import table

from recollect import InvalidInputError, Memory
from recollect.embedders.hashing import HashingEmbedder
from recollect.errors import StoreCorruptError, StoreFormatError
from recollect.lifecycle.retrievals import (
    KEPT_MOMENTS,
    LEAST_FACTOR,
    MOST_FACTOR,
    STATE,
    Retrievals,
    decay_factor,
    factors_at,
    promoted,
    raised_factor,
    retrieved,
)
from recollect.presets.semem.strength import StrengthScoring
from recollect.retrieval.scoring import Retrieval
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import FakeClock
from recollect.testing.fakes import ADA, make_entry
from recollect.types import Use

USERS = ("ada", "bob")


def remember(clock=None, store=":memory:"):
    scoring = StrengthScoring(factors=factors_at, state=STATE)
    return Memory(
        store, embedder=HashingEmbedder(), clock=clock or FakeClock(), retrieval=Retrieval(scoring=scoring)
    )


# The factor


@given(st.lists(st.booleans(), max_size=400))
def test_a_factor_worked_out_late_is_the_one_multiplied_at_every_retrieval(hits):
    naive = late = 1.0
    missed = 0
    for hit in hits:
        naive = min(naive * 1.1, MOST_FACTOR) if hit else max(naive * 0.9, LEAST_FACTOR)
        late, missed = (raised_factor(decay_factor(late, missed)), 0) if hit else (late, missed + 1)
        assert decay_factor(late, missed) == pytest.approx(naive, rel=1e-9)


@given(st.floats(allow_nan=False, allow_infinity=True, width=32), st.integers(0, 10**12))
def test_a_factor_neither_overflows_nor_reaches_zero(factor, missed):
    assert LEAST_FACTOR <= decay_factor(factor, missed) <= MOST_FACTOR
    assert LEAST_FACTOR <= raised_factor(decay_factor(factor, missed)) <= MOST_FACTOR


def test_what_is_kept_reaches_from_the_most_to_the_least():
    assert (
        decay_factor(MOST_FACTOR, KEPT_MOMENTS - 1)
        == LEAST_FACTOR
        < decay_factor(MOST_FACTOR, KEPT_MOMENTS - 2)
    )


def test_a_retrieval_is_later_than_those_before_even_where_the_clock_runs_back():
    log = Retrievals().followed_by(100).followed_by(100).followed_by(50)
    assert (log.count, log.moments) == (3, (100, 101, 102))


def test_only_the_latest_moments_are_kept_and_all_are_counted():
    log = Retrievals()
    for moment in range(1_000):
        log = log.followed_by(moment)
    assert (log.count, len(log.moments)) == (1_000, KEPT_MOMENTS)
    assert Retrievals.read(log.written()) == log


@table(
    "kept",
    ["", "{", "[]", "null", "{}", '{"version":1,"count":1}', '{"version":0,"count":1,"moments":[]}',
     '{"version":1,"count":"1","moments":[]}', '{"version":1,"count":2,"moments":[2,1]}',
     '{"version":1,"count":2,"moments":[1,1]}', '{"version":1,"count":2,"moments":["1"]}',
     '{"version":1,"count":2,"moments":{"1":2}}'],
)  # fmt: skip
def test_damaged_moments_say_so(kept):
    with pytest.raises(StoreCorruptError, match="retrievals are damaged"):
        Retrievals.read(kept)


def test_moments_of_a_newer_version_say_so():
    with pytest.raises(StoreFormatError, match="newer version"):
        Retrievals.read('{"version":2}')


# Promotion


def test_a_memory_is_promoted_with_its_eleventh_access_and_once():
    record = replace(make_entry("tea").record, tier="short-term")
    log, tiers = Retrievals(), []
    for moment in range(1, 16):
        log = log.followed_by(moment * 10**15)
        record = retrieved(record, log)
        tiers.append(record.tier)
    assert tiers == ["short-term"] * 9 + ["long-term"] * 6
    assert record.use.access_count == 15


@pytest.mark.parametrize("tier", ["working", "long-term", "archived"])
def test_only_short_term_memories_are_promoted(tier):
    record = replace(make_entry("tea").record, tier=tier, use=Use(access_count=100))
    assert promoted(record) is record


def test_what_something_else_counted_is_promoted_by_the_sweep():
    with remember(clock := FakeClock()) as memory:
        (one,) = memory.add({"content": "tea at four", "tier": "short-term"}, user_id="ada")
        memory.add({"content": "seldom", "tier": "short-term"}, user_id="ada")
        for _ in range(10):
            clock.tick()
            memory.use([one.id], user_id="ada", every_s=0, how="shown")
        log = memory.lifecycle.retrievals(user_id="ada")
        assert (log.promote(), log.promote()) == (1, 0)
        assert memory.stats(user_id="ada").tiers == {"short-term": 1, "long-term": 1}
        changes = memory.history(str(one.id), user_id="ada")
        assert sum(change.after.get("tier") == "long-term" for change in changes) == 1


def test_a_number_of_accesses_that_cannot_be_used_says_so():
    with remember() as memory, pytest.raises(InvalidInputError, match="promote_after"):
        memory.lifecycle.retrievals(user_id="ada", promote_after=0)


# The engine against the naive version, which touches every memory at every retrieval


class Naive:
    def __init__(self):
        self.memories = {}

    def add(self, memory_id):
        self.memories[memory_id] = [1.0, 1]

    def retrieve(self, ids):
        for memory_id, kept in self.memories.items():
            if memory_id in ids:
                kept[:] = [min(kept[0] * 1.1, MOST_FACTOR), kept[1] + 1]
            else:
                kept[0] = max(kept[0] * 0.9, LEAST_FACTOR)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sampled_from(USERS), st.integers(1, 3)),
        st.tuples(st.just("retrieve"), st.sampled_from(USERS), st.integers(1, 4)),
        st.tuples(st.just("repeat"), st.sampled_from(USERS), st.integers(1, 90)),
        st.tuples(st.just("clock"), st.sampled_from(USERS), st.sampled_from([-3600, 0, 1])),
        st.tuples(st.just("delete"), st.sampled_from(USERS), st.integers(0, 9)),
    ),
    max_size=25,
)


@settings(deadline=None, max_examples=60)
@given(STEPS)
def test_on_random_histories_the_engine_equals_the_naive_version(steps):
    clock, naive, step = FakeClock(), {user: Naive() for user in USERS}, 1
    store = InMemoryStore(clock=clock)
    with remember(clock, store) as memory:
        for number, (what, user, size) in enumerate(steps):
            clock.tick(step)
            known = naive[user]
            if what == "clock":
                step = size
            elif what == "add":
                texts = [f"tea number {number} {n}" for n in range(size)]
                results = memory.add(texts, user_id=user)
                memory.lifecycle.retrievals(user_id=user).begin([result.id for result in results])
                for result in results:
                    known.add(result.id)
            elif what == "delete" and known.memories:
                gone = sorted(known.memories)[size % len(known.memories)]
                memory.delete(gone, user_id=user)
                del known.memories[gone]
            elif what in ("retrieve", "repeat"):
                for _ in range(size if what == "repeat" else 1):
                    clock.tick(step)
                    ids = [
                        hit.memory.id for hit in memory.search("tea number", user_id=user, top_k=min(size, 4))
                    ]
                    memory.lifecycle.retrievals(user_id=user).track(ids)
                    known.retrieve(ids)
        clock.tick()
        for user in USERS:
            check(memory, naive[user], user)


def check(memory, naive, user):
    records = memory.get_all(user_id=user)
    assert {record.id for record in records} == naive.memories.keys()
    factors = memory.lifecycle.retrievals(user_id=user).factors(records)
    for record, factor in zip(records, factors, strict=True):
        expected, accesses = naive.memories[record.id]
        assert factor == pytest.approx(expected, rel=1e-9)
        assert record.use.access_count + 1 == accesses
    for one in memory.lifecycle.candidates("tea number", user_id=user):
        assert one.signals["decay"] == pytest.approx(naive.memories[one.memory_id][0], rel=1e-6)


def test_a_retrieval_writes_what_it_returns_and_nothing_else(tmp_path):
    with remember(store=tmp_path / "brain.db") as memory:
        results = memory.add([f"tea {n}" for n in range(50)], user_id="ada")
        version = memory.parts.store.shadow_version(ADA)
        memory.lifecycle.retrievals(user_id="ada").track([result.id for result in results[:3]])
        assert len(memory.parts.store.shadow(ADA, version).rows.ids) == 3
        assert list(memory.parts.store.states(ADA)) == [STATE]


def test_a_retrieval_that_returns_nothing_still_passes_everything_over():
    with remember(clock := FakeClock()) as memory:
        memory.add("tea", user_id="ada")
        clock.tick()
        assert memory.lifecycle.retrievals(user_id="ada").track([]) == []
        assert memory.lifecycle.retrievals(user_id="ada").track(["unknown"]) == []
        records = memory.get_all(user_id="ada")
        assert memory.lifecycle.retrievals(user_id="ada").factors(records) == [pytest.approx(0.81)]
        assert memory.lifecycle.retrievals(user_id="ada").count == 2


def test_a_memory_retrieved_twice_at_once_counts_once():
    with remember() as memory:
        (one,) = memory.add("tea", user_id="ada")
        (record,) = memory.lifecycle.retrievals(user_id="ada").track([one.id, one.id])
        assert record.use.access_count == 1


def test_ages_beyond_any_number_are_still_ranked():
    with remember(clock := FakeClock()) as memory:
        old, new = (str(memory.add("green tea", user_id="ada", timestamp=0)[0].id) for _ in range(2))
        clock.tick(400 * 86_400)
        memory.lifecycle.retrievals(user_id="ada").track([new])
        clock.tick(400 * 86_400)
        hits = memory.search("green tea", user_id="ada", collapse=False)
        assert [hit.memory.id for hit in hits] == [new, old]
        assert [hit.score for hit in hits] == [0.0, 0.0]
        assert all(math.isfinite(value) for hit in hits for value in hit.signals.values())


def test_factors_of_a_whole_shadow_are_those_of_its_records():
    kept = Retrievals().followed_by(10).followed_by(20).written()
    factor, since = np.array([1, 1, 2], np.float32), np.array([5, 10, 20], np.int64)
    assert factors_at(kept, factor, since).tolist() == pytest.approx([0.81, 0.9, 2.0])
    assert factors_at(None, factor, since).tolist() == [1.0, 1.0, 2.0]
