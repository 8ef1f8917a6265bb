from collections import Counter
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import table

from recollect import InvalidInputError, Memory
from recollect.presets.shadow.activation import ActivationWeights, activation_score, time_constant_decay
from recollect.presets.shadow.awareness import (
    SIGNALS,
    UNCALIBRATED,
    ActivationScoring,
    Awareness,
    MemoryAwareness,
)
from recollect.retrieval.calibration import Calibration, for_embedder
from recollect.retrieval.scoring import Retrieval
from recollect.stores.reference.store import InMemoryStore
from recollect.stores.sqlite import SQLiteStore
from recollect.testing.fakes import NOON, FakeClock
from recollect.types import SUMMARY_CHARACTERS, Labels
from recollect.types.codec import from_micros

DAY_S = 86_400
ALL = {"semantic": 0.3, "contextual": 0.3, "temporal": 0.3, "mixed": 0.3}
words = st.sampled_from(["tea", "milk", "garden", "dog", "lamp", "boat", "Ada", "Paris", "winter", "letter"])
texts = st.lists(words, min_size=1, max_size=6).map(" ".join)


def opened(store=":memory:", **settings):
    clock = settings.pop("clock", FakeClock())
    return Memory(
        store, embedder="hashing", clock=clock, retrieval=Retrieval(scoring=ActivationScoring(**settings))
    )


def by_words(memory, query, **more):
    return {one.summary: one for one in memory.lifecycle.candidates(query, user_id="ada", **more)}


def add(memory, *contents, **more):
    results = memory.add([{"content": content, **more} for content in contents], user_id="ada")
    return [result.id for result in results]


@given(st.lists(texts, min_size=1, max_size=8), texts)
@settings(max_examples=30, deadline=None)
def test_the_score_is_the_weighted_sum_of_four_signals_and_the_terms_sum_up_to_it(contents, query):
    with opened() as memory:
        add(memory, *contents)
        found = list(memory.lifecycle.candidates(query, user_id="ada"))
    assert len(found) == len(contents)
    for one in found:
        signals = [one.signals[name] for name in SIGNALS]
        assert all(0 <= signal <= 1 for signal in signals)
        assert (
            one.score
            == pytest.approx(one.signals[UNCALIBRATED])
            == pytest.approx(activation_score(*signals), abs=1e-6)
        )
        assert sum(one.terms.values()) == pytest.approx(one.score, abs=1e-6)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_search_and_candidates_agree():
    with opened() as memory:
        add(memory, "tea with milk", "a garden in winter", "the dog sleeps")
        found = memory.search("tea and a dog", user_id="ada")
        candidates = memory.lifecycle.candidates("tea and a dog", user_id="ada")
    assert [hit.memory.id for hit in found] == candidates.ids()
    assert [hit.score for hit in found] == pytest.approx(candidates.scores.tolist())


def test_metadata_is_the_jaccard_of_topics_and_entities():
    with opened() as memory:
        add(memory, "plain", tags=["garden tools", "winter"])
        found = by_words(memory, "anything", topics=["gardens", "boat"])
    # garden of the four stems garden, tool, winter, boat
    held = found["plain"].signals["metadata"]
    assert held == pytest.approx(1 / 4) or held == pytest.approx(1 / 5)  # "plain" may be a tag of its own


def test_topics_that_are_not_given_are_found_in_the_question():
    with opened() as memory:
        add(memory, "The greenhouse needs glass", "Nothing else")
        found = by_words(memory, "the greenhouse glass")
    assert found["The greenhouse needs glass"].signals["metadata"] > 0
    assert found["Nothing else"].signals["metadata"] == 0


def test_new_tags_count_at_once_and_old_ones_no_longer():
    with opened() as memory:
        (one,) = add(memory, "plain words", tags=["boats"])
        assert by_words(memory, "x", topics=["boat"])["plain words"].signals["metadata"] > 0
        memory.update(one, user_id="ada", labels=Labels(tags=["lamps"]))
        assert by_words(memory, "x", topics=["boat"])["plain words"].signals["metadata"] == 0
        assert by_words(memory, "x", topics=["lamp"])["plain words"].signals["metadata"] > 0


def test_the_words_of_a_short_memory_are_its_summary():
    with opened() as memory:
        add(memory, "tea with milk")
        assert by_words(memory, "milk for the dog")["tea with milk"].signals["summary"] == 0.5


def test_of_a_long_memory_the_summary_counts_and_not_what_it_leaves_out():
    filler = "We talked for a while about nothing in particular. " * 10
    with opened() as memory:
        add(
            memory,
            f"The greenhouse needs new glass. {filler} {'Somebody mentioned a walrus, ' * 10}and left.",
            tags=["greenhouse"],
        )
        (seen,) = memory.lifecycle.candidates("walrus", user_id="ada")
        (told,) = memory.lifecycle.candidates("greenhouse", user_id="ada")
    assert len(seen.summary) <= SUMMARY_CHARACTERS
    assert "walrus" not in seen.summary
    assert (seen.signals["summary"], told.signals["summary"]) == (0, 1)


def test_recency_halves_in_thirty_days():
    clock = FakeClock()
    with opened(clock=clock) as memory:
        add(memory, "new")
        add(memory, "old", timestamp=NOON - timedelta(days=30))
        found = by_words(memory, "x")
    assert found["new"].signals["temporal"] == pytest.approx(1)
    assert found["old"].signals["temporal"] == pytest.approx(0.5)


def test_the_other_decay_of_the_design_can_be_chosen():
    with opened(decay=time_constant_decay) as memory:
        add(memory, "old", timestamp=NOON - timedelta(days=30))
        assert by_words(memory, "x")["old"].signals["temporal"] == pytest.approx(1 / np.e, rel=1e-5)


def test_weights_weigh():
    with opened(weights=ActivationWeights(embedding=0, metadata=0, summary=1, temporal=0)) as memory:
        add(memory, "tea with milk")
        assert by_words(memory, "milk dog")["tea with milk"].score == 0.5


def test_a_calibration_maps_the_score_and_keeps_the_order():
    calibration = for_embedder("mock-semantic-model-v1")
    with opened(calibration=calibration) as memory:
        add(memory, "tea with milk", "a garden", "the dog")
        found = list(memory.lifecycle.candidates("milk tea dog", user_id="ada"))
    assert [one.score for one in found] == pytest.approx(
        [calibration.apply(one.signals[UNCALIBRATED]) for one in found]
    )
    assert [one.signals[UNCALIBRATED] for one in found] == sorted(
        (one.signals[UNCALIBRATED] for one in found), reverse=True
    )
    assert all(sum(one.terms.values()) == pytest.approx(one.score) for one in found)


def test_in_a_scope_of_many_memories_their_scores_move_the_calibration():
    calibration = Calibration(midpoint=0.5, step=0.1)
    with opened(calibration=calibration) as memory:
        add(memory, *(f"tea number {n}" for n in range(300)))
        best = memory.lifecycle.candidates("tea", user_id="ada")[0]
    assert best.score != pytest.approx(calibration.apply(best.signals[UNCALIBRATED]), abs=0.01)


def test_what_is_deleted_or_archived_or_expired_is_no_candidate():
    with opened() as memory:
        gone, away, over, kept = add(memory, "gone", "away", "over", "kept")
        memory.delete(gone, user_id="ada")
        memory.archive(away, user_id="ada")
        memory.update(over, user_id="ada", valid_until=NOON - timedelta(days=1))
        assert memory.lifecycle.candidates("x", user_id="ada").ids() == [kept]


def test_a_user_without_memories_has_no_candidates():
    with opened() as memory:
        add(memory, "tea")
        none = memory.lifecycle.candidates("tea", user_id="bob")
    assert (len(none), list(none), none.ids(), list(none.above(0))) == (0, [], [], [])


def test_an_embedding_of_another_size_is_refused():
    with opened() as memory:
        add(memory, "tea")
        with pytest.raises(InvalidInputError, match="3 dimensions"):
            memory.lifecycle.candidates("tea", user_id="ada", embedding=[1, 2, 3])


@table(
    "wrong, said",
    [
        ([], "one list"),
        ([[1.0]], "one list"),
        (["a"], "list of numbers"),
        ("text", "list of numbers"),
        ([1.0, float("nan")], "not finite"),
        ([float("inf")], "not finite"),
    ],
)
def test_an_embedding_that_is_none_is_refused(wrong, said):
    with opened() as memory, pytest.raises(InvalidInputError, match=f"embedding .*{said}"):
        memory.lifecycle.candidates("tea", user_id="ada", embedding=wrong)


# Awareness without loading


class Counting(SQLiteStore):
    """A store that counts what is read of it."""

    def __init__(self, path):
        super().__init__(path)
        self.reads = Counter()

    def get(self, scope, ids):
        self.reads["contents"] += len(ids)
        return super().get(scope, ids)

    def find(self, scope, where, **more):
        found = super().find(scope, where, **more)
        self.reads["contents"] += len(found)
        return found

    def summaries(self, scope, ids, **more):
        self.reads["summaries"] += len(ids)
        return super().summaries(scope, ids, **more)


@pytest.fixture
def counted(tmp_path):
    store = Counting(tmp_path / "brain.db")
    with opened(store) as memory:
        add(memory, *(f"memory {n} about tea" for n in range(50)))
        store.reads.clear()
        yield memory, store.reads


def test_candidates_read_no_content_and_summaries_only_when_they_are_looked_at(counted):
    memory, reads = counted
    found = memory.lifecycle.candidates("tea", user_id="ada")
    assert (len(found), dict(reads)) == (50, {})
    assert found[3].summary
    assert [one.summary for one in found[:5]]
    assert dict(reads) == {"summaries": 6}


def test_memories_are_read_a_few_at_a_time_when_they_are_looked_at(counted):
    memory, reads = counted
    found = memory.lifecycle.candidates("tea", user_id="ada")[:10]

    def read(ids):
        return [one for one in memory.get_all(user_id="ada") if one.id in ids]

    unread = found.unread(read)
    assert dict(reads) == {}
    hits = iter(unread)
    best = next(hits)
    assert (best.memory.id, best.score, best.signals) == (
        found[0].memory_id,
        found.scores[0],
        found[0].signals,
    )
    assert sum(best.terms.values()) == pytest.approx(best.score, abs=1e-6)
    once = reads["contents"]
    assert [best, *hits] == list(unread) == [unread[place] for place in range(10)] == list(unread[:])
    assert 0 < once < reads["contents"]
    memory.delete(found[1].memory_id, user_id="ada")
    left = found.unread(read)
    assert found[1].memory_id not in {hit.memory.id for hit in left}
    assert len(left) == 9
    assert found.texts(whole_up_to=100)[:2] == [best.memory.content, None]
    stored = {one.id: one.times.created_at for one in memory.get_all(user_id="ada")}
    for memory_id, at in zip(found.ids(), found.accessed, strict=True):
        assert from_micros(at) == stored.get(memory_id, NOON)


@pytest.mark.parametrize("made", [list, tuple, len, lambda unread: unread[-1]])
def test_all_memories_are_read_once_and_together(counted, made):
    memory, _ = counted
    read = []

    def reading(ids):
        read.append(ids)
        return memory.get_all(user_id="ada", filters={"id": {"in": list(ids)}})

    found = memory.lifecycle.candidates("tea", user_id="ada")[:10]
    unread = found.unread(reading)
    made(unread)
    assert [hit.memory.id for hit in unread] == found.ids()
    assert read == [found.ids()]


def test_awareness_reads_summaries_of_what_is_activated_and_nothing_else(counted):
    memory, reads = counted
    awareness = Awareness(memory.lifecycle.candidates("memory 7 about tea", user_id="ada"), thresholds=ALL)
    activated = awareness.activated()
    assert all(one.activated and one.activation_score >= 0.3 for one in activated)
    assert reads["contents"] == 0
    assert reads["summaries"] == len(activated) > 0


def test_awareness_says_what_lifted_a_memory_and_why_it_is_activated(counted):
    memory, _ = counted
    thresholds = {**ALL, "contextual": 1.0}
    aware = Awareness(memory.lifecycle.candidates("memory 7 about tea", user_id="ada"), thresholds=thresholds)
    assert len(aware) == len(list(aware)) == len(aware[:]) == 50
    for one in aware:
        assert one.activated == (one.activation_score >= thresholds[one.relevance_type])
        assert 0 <= one.confidence <= 1
        assert ("reaches" in one.reason) == one.activated


@pytest.mark.parametrize(("score", "said"), [(0.2999, "0.29 is below 0.3:"), (0.3, "0.30 reaches 0.3:")])
def test_a_score_just_below_the_threshold_is_not_called_as_high(score, said):
    aware = MemoryAwareness(
        memory_id="m",
        activation_score=score,
        relevance_type="semantic",
        summary="tea",
        confidence=0.5,
        activated=score >= 0.3,
        threshold=0.3,
        signals={},
        terms=dict.fromkeys(SIGNALS, 0.1),
    )
    assert aware.reason.startswith(said)


def test_places_before_the_first_and_behind_the_last_are_errors():
    with opened(InMemoryStore()) as memory:
        add(memory, "tea")
        found = memory.lifecycle.candidates("tea", user_id="ada")
        assert found[-1] == found[0]
        for place in (1, -2):
            with pytest.raises(IndexError):
                found[place]


def test_the_best_alone_say_how_many_there_were():
    with opened() as memory:
        add(memory, *(f"Note {number} about tea" for number in range(50)))
        everything = memory.lifecycle.candidates("tea notes", user_id="ada")
        best = memory.lifecycle.candidates("tea notes", user_id="ada", top_k=5)
    assert (best.total, everything.total, len(best)) == (50, 50, 5)
    assert best.ids() == everything.ids(5)
    assert best.usual == everything.usual
    assert best[2:].total == 50


def test_the_best_are_enough_unless_others_may_be_activated_or_wanted():
    with opened() as memory:
        add(
            memory,
            "tea",
            "tea and milk",
            "a garden",
            *(f"Note {number} about winter" for number in range(50)),
        )
        found = memory.lifecycle.candidates("tea with milk", user_id="ada", top_k=5)
        between = float(found.scores[1] + found.scores[2]) / 2
        two = Awareness(found, thresholds=dict.fromkeys(ALL, between))
        every = Awareness(found, thresholds=dict.fromkeys(ALL, 0.0))
    assert [two.is_short_of(rest) for rest in (1, 3, 4)] == [False, False, True]
    assert every.is_short_of(1)
