from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import EmbedderMismatchError, Memory, reembed
from recollect.retrieval import rank, signals
from recollect.retrieval.scoring import Retrieval
from recollect.stores.reference.store import InMemoryStore
from recollect.stores.sqlite import SQLiteStore
from recollect.types import Labels, Within

WORDS = ["tea", "coffee", "garden", "violin", "Paris", "chess", "cats", "rain", "Monday", "seven"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
TURNS = st.lists(st.tuples(TEXTS, st.sampled_from(["a", "b", None])), min_size=1, max_size=8)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from(["a", "b", None])),
        st.tuples(st.just("update"), st.integers(0, 99), TEXTS),
        st.tuples(st.just("tag"), st.integers(0, 99), TEXTS),
        st.tuples(st.just("delete"), st.integers(0, 99), st.none()),
        st.tuples(st.just("purge"), st.none(), st.none()),
        st.tuples(st.just("search"), TEXTS, st.none()),
    ),
    max_size=25,
)


def take_step(memory, ids, step, first, second):
    if step == "add":
        ids += [result.id for result in memory.add(first, user_id="u", session_id=second)]
    elif step == "purge":
        memory.purge(user_id="u")
    elif step == "search":
        memory.search(first, user_id="u")
    elif ids:
        chosen = ids[first % len(ids)]
        if step == "delete":
            memory.delete(chosen, user_id="u")
            ids.remove(chosen)
        elif step == "update":
            memory.update(chosen, user_id="u", content=second)
        else:
            memory.update(chosen, user_id="u", labels=Labels(tags=[second]))


def found(memory, query, **options):
    hits = memory.search(query, user_id="u", top_k=50, **options)
    return [(hit.memory.id, pytest.approx(hit.score, abs=1e-5)) for hit in hits]


@given(STEPS, TEXTS)
@settings(max_examples=60, deadline=None)
def test_a_shadow_kept_up_to_date_finds_what_a_fresh_one_finds(steps, query):
    store = InMemoryStore()
    memory, ids = Memory(store, embedder="hashing"), []
    for step in steps:
        take_step(memory, ids, *step)
    fresh = Memory(store, embedder="hashing")
    assert sorted(found(memory, query), key=str) == sorted(found(fresh, query), key=str)


@given(STEPS, TEXTS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_common_and_rare_words_add_the_same_to_the_score(steps, query, talk):
    with Memory(":memory:", embedder="hashing") as memory:
        ids = []
        if talk:
            roles = [{"role": role, "content": "tea in Paris"} for role in ("assistant", "user")]
            ids += [result.id for result in memory.add(roles, user_id="u", session_id="a")]
        for step in steps:
            take_step(memory, ids, *step)
        ways = []
        for few in (0, len(ids) + 1000):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(signals, "PICKED_OUT", few)
                ways.append(memory.search(query, user_id="u", top_k=100))
    picked_out, gone_through = ways
    assert [hit.memory.id for hit in picked_out] == [hit.memory.id for hit in gone_through]
    for one, other in zip(*ways, strict=True):
        assert one.signals == pytest.approx(other.signals, abs=1e-6)


LEARNED = st.lists(st.tuples(TEXTS, st.sampled_from(["fact", "episode"])), min_size=1, max_size=12)


@given(TURNS, LEARNED, TEXTS)
@settings(max_examples=60, deadline=None)
def test_what_was_learned_changes_no_score_of_what_was_said(turns, learned, query):
    with Memory(":memory:", embedder="hashing") as memory:
        for text, session in [*turns, (" ".join(WORDS), "a")] + [(" ".join(WORDS), "b")] * len(learned):
            memory.add(text, user_id="u", session_id=session)
        before = found(memory, query, kinds=["message"])
        for text, kind in learned:
            memory.add(text, user_id="u", kind=kind)
        after = found(memory, query, kinds=["message"])
        assert sorted(after, key=str) == sorted(before, key=str)  # equal words may differ in a last digit


def test_words_are_as_rare_as_among_what_there_is_more_of():
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add("Hello.", user_id="u", session_id="s")
        for thing in ("tea", "chess", "violins", "rain"):
            memory.add(f"Ada likes {thing}.", user_id="u", kind="fact")
        hits = memory.search("likes rain", user_id="u", kinds=["fact"])
    signals = {hit.memory.content: hit.signals["words"] for hit in hits}
    assert signals["Ada likes rain."] > 3 * signals["Ada likes tea."] > 0


def test_a_word_that_only_facts_have_is_as_common_as_among_them():
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add([f"I went there on day {day}." for day in range(20)] + ["I moved."], user_id="u")
        facts = [f"User likes {thing}." for thing in ("tea", "chess", "rain", "cats")]
        memory.add([*facts, "User moved to Rome."], user_id="u", kind="fact")
        best, *others = memory.search("Where did the user move?", user_id="u", kinds=["fact"])
    assert best.memory.content == "User moved to Rome."
    assert best.signals["words"] > 3 * max(hit.signals["words"] for hit in others)


def test_many_deletions_lead_to_the_same_answers_as_never_having_added():
    texts = [f"{WORDS[i % 10]} {WORDS[i // 10 % 10]} number {i}" for i in range(3_000)]
    store = InMemoryStore()
    memory = Memory(store, embedder="hashing")
    ids = [result.id for result in memory.add(texts, user_id="u")]
    memory.search("tea", user_id="u")
    store.delete(memory.get(ids[0], user_id="u").scope, _first(ids[:2_000]))
    assert found(memory, "tea in Paris") == found(Memory(store, embedder="hashing"), "tea in Paris")


def _first(ids):
    from recollect.types.filters import by_ids

    return by_ids(ids)


@pytest.fixture
def filled(tmp_path):
    memory = Memory(tmp_path / "brain.db", embedder="hashing")
    for session in range(40):
        turns = [
            f"{WORDS[(session * 7 + i) % 10]} and {WORDS[(session + i * 3) % 10]} {session}-{i}"
            for i in range(10)
        ]
        memory.add(
            [*turns, f"the secret of session {session} is stone{session}"],
            user_id="u",
            session_id=f"s{session}",
        )
    yield memory
    memory.close()


def test_a_large_scope_finds_the_best_like_a_small_one(filled, monkeypatch):
    def best():
        (hit,) = filled.search("what is the secret of session 7, stone7?", user_id="u", top_k=1)
        return hit.memory.content

    whole = best()
    monkeypatch.setattr(rank, "ALL_ROWS", 10)
    monkeypatch.setattr(rank, "CANDIDATES", 100)
    assert best() == whole == "the secret of session 7 is stone7"


def test_a_filter_never_starves_a_large_scope(filled, monkeypatch):
    monkeypatch.setattr(rank, "ALL_ROWS", 10)
    monkeypatch.setattr(rank, "CANDIDATES", 20)
    hits = filled.search("tea", user_id="u", session_id="s31", top_k=10)
    assert len(hits) == 10
    assert {hit.memory.scope.session_id for hit in hits} == {"s31"}


def test_words_nobody_knows_do_not_push_out_the_common_ones_in_a_large_scope(filled, monkeypatch):
    monkeypatch.setattr(rank, "ALL_ROWS", 10)
    best = filled.search("xyzzy plugh tea", user_id="u")[0]
    assert best.signals["words"] > 0


def test_a_user_too_large_to_shadow_is_searched_through_the_text_index(tmp_path):
    with Memory(tmp_path / "brain.db", embedder="hashing", retrieval=Retrieval(shadow_limit_mb=1)) as memory:
        texts = [f"note {i} about {WORDS[i % 10]}" for i in range(2_000)]
        memory.add([*texts, "the spare key lies under the blue pot", "so now you know"], user_id="u")
        hits = memory.search("where is the spare key?", user_id="u", top_k=3)
        assert hits[0].memory.content == "the spare key lies under the blue pot"
        assert "so now you know" in {hit.memory.content for hit in memory.search("spare key", user_id="u")}
        assert memory.search("spare key", user_id="somebody else") == []


def test_filters_hold_for_a_user_too_large_to_shadow(tmp_path):
    with Memory(tmp_path / "brain.db", embedder="hashing", retrieval=Retrieval(shadow_limit_mb=1)) as memory:
        memory.add([f"the cat number {i} sat on the mat" for i in range(3_000)], user_id="u")
        memory.add(
            "a cat of the third kind once sat on a very long mat", user_id="u", metadata={"rare": True}
        )
        assert len(memory.search("cat mat", user_id="u", filters={"rare": True})) == 1


def test_equal_scores_are_in_the_order_of_their_ids():
    with Memory(":memory:", embedder="hashing") as memory:
        for _ in range(30):
            memory.add("the same words", user_id="u")
        ids = [
            hit.memory.id for hit in memory.search("the same words", user_id="u", top_k=20, collapse=False)
        ]
    assert ids == sorted(ids)


def test_the_shadow_of_the_user_asked_last_is_kept_when_memory_is_short(tmp_path):
    with Memory(tmp_path / "brain.db", embedder="hashing", retrieval=Retrieval(shadow_limit_mb=1)) as memory:
        for user in "abcdef":
            memory.add([f"note {i}" for i in range(900)], user_id=user)
            memory.search("note", user_id=user)
        held = memory.parts.recall._shadows.users()
        assert held[-1] == "f"
        assert len(held) < 6


def test_a_memory_opened_before_a_reembed_says_so_at_its_next_search(tmp_path):
    path = tmp_path / "brain.db"
    with Memory(path, embedder="hashing") as memory:
        memory.add("tea at four", user_id="u")
        assert memory.search("tea", user_id="u")
        reembed(path, embedder="static")
        with pytest.raises(EmbedderMismatchError, match="reembed"):
            memory.search("tea", user_id="u")
        with pytest.raises(EmbedderMismatchError, match="reembed"):
            memory.add("more tea", user_id="u")
    with Memory(path) as memory:
        assert memory.search("tea", user_id="u")[0].memory.content == "tea at four"


def test_what_no_longer_holds_is_left_out_unless_asked_as_of_then():
    with Memory(":memory:", embedder="hashing") as memory:
        old = {"content": "Ada lives in Paris", "timestamp": "2024-01-01", "valid_until": "2025-01-01"}
        memory.add([old, {"content": "Ada lives in Rome", "timestamp": "2025-01-01"}], user_id="u")
        now = [hit.memory.content for hit in memory.search("where does Ada live", user_id="u")]
        then = [
            hit.memory.content
            for hit in memory.search("where does Ada live", user_id="u", within=Within(as_of="2024-06-01"))
        ]
    assert (now, then) == (["Ada lives in Rome"], ["Ada lives in Paris"])


def test_a_store_of_ones_own_can_be_passed(tmp_path):
    store = SQLiteStore(tmp_path / "brain.db")
    with Memory(store, embedder="hashing") as memory:
        (result,) = memory.add("tea", user_id="u")
        record = memory.get(result.id, user_id="u")
    assert replace(record, content="tea") == record


@given(
    st.lists(st.floats(-2, 2, width=32) | st.just(float("-inf")), min_size=1, max_size=300),
    st.integers(1, 40),
)
def test_the_largest_values_are_found_through_a_sample(values, count):
    array = np.array(values, np.float32)
    found = rank._largest(array, count)
    assert sorted(array[found].tolist()) == sorted(values)[-count:]
