"""Shadows of several users: how much they may take, and what a search asks of the store."""

import threading
import tracemalloc

import numpy as np
import pytest

from recollect import Memory
from recollect.retrieval.shadow import Shadow
from recollect.retrieval.shadows import Shadows
from recollect.stores.reference.store import InMemoryStore
from recollect.text.analyse import Analyser
from recollect.types import Scope

USERS = ("ada", "bob", "cleo")


@pytest.fixture
def store():
    return InMemoryStore()


@pytest.fixture(autouse=True)
def memory(store):
    with Memory(store, embedder="hashing") as memory:
        for user in USERS:
            memory.add([f"note {i} of {user}" for i in range(50)], user_id=user)
        yield memory


def shadows_of(store, *, limit_bytes=10**9):
    return Shadows(store, analyser=Analyser(), limit_bytes=limit_bytes, check_embedder=lambda: None)


def ask(shadows, store, user):
    scope = Scope(user_id=user)
    with shadows.ranker(scope, store.shadow_version(scope)) as ranker:
        return ranker.shadow


def test_the_users_asked_last_are_kept_within_the_limit(store):
    size = ask(shadows_of(store), store, "ada").nbytes
    shadows = shadows_of(store, limit_bytes=int(2.5 * size))
    for user in (*USERS, "bob", "ada"):
        ask(shadows, store, user)
    assert shadows.users() == ["bob", "ada"]


def test_a_shadow_that_has_grown_makes_others_go(store, memory):
    size = ask(shadows_of(store), store, "ada").nbytes
    shadows = shadows_of(store, limit_bytes=int(3.5 * size))
    for user in USERS:
        ask(shadows, store, user)
    assert shadows.users() == list(USERS)
    memory.add([f"another note {i}" for i in range(200)], user_id="cleo")
    ask(shadows, store, "cleo")
    assert shadows.users() == ["cleo"]


def test_a_shadow_counts_what_it_really_holds(store, memory):
    few, many = [f"user{number}" for number in range(30)], ["zoe", "yann"]
    for user in few:
        memory.add(["I like tea", "I live in Rome"], user_id=user)
    for user in many:
        memory.add([f"note {number} of {user}" for number in range(2_000)], user_id=user)
    for users in (few, many):
        shadows = shadows_of(store)
        ask(shadows, store, "ada")  # what is made once for all
        tracemalloc.start()
        counted = sum(ask(shadows, store, user).nbytes for user in users)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert 0.5 * held < counted < 2 * held


def test_what_was_forgotten_takes_no_room(store):
    size = ask(shadows_of(store), store, "ada").nbytes
    shadows = shadows_of(store, limit_bytes=int(3.5 * size))
    for _ in range(3):
        for user in USERS:
            ask(shadows, store, user)
        assert shadows.users() == list(USERS)
        shadows.forget()
        assert shadows.users() == []


def check_two_away(shadow):
    for name in ("before", "after"):
        step = shadow[name]
        assert shadow[f"{name}_2"].tolist() == np.where(step >= 0, step[step], -1).tolist()


def test_neighbours_two_places_away_follow_what_is_added_rewritten_and_deleted(store, memory):
    drawn, shadows = np.random.default_rng(3), shadows_of(store)
    for what in drawn.integers(3, size=60).tolist():
        ids = [one.id for one in memory.get_all(user_id="ada", limit=300)]
        turn = ids[int(drawn.integers(len(ids)))]
        if what == 0:
            memory.add(["first", "second"], user_id="ada", session_id=f"session {len(ids) % 2}")
        elif what == 1:
            memory.update(turn, content="other words", user_id="ada")
        else:
            memory.delete(turn, user_id="ada")
        check_two_away(ask(shadows, store, "ada"))


def test_neighbours_two_places_away_follow_when_most_of_a_few_are_rewritten_at_once(store, memory):
    ids = [one.id for one in memory.add(["one", "two", "three", "four"], user_id="dan")]
    shadows = shadows_of(store)
    ask(shadows, store, "dan")
    for turn in ids[2:]:
        memory.update(turn, content="other words", user_id="dan")
    check_two_away(ask(shadows, store, "dan"))


def test_a_shadow_dropped_while_it_is_asked_is_not_counted(store):
    size = ask(shadows_of(store), store, "ada").nbytes
    shadows = shadows_of(store, limit_bytes=int(2.5 * size))
    scope = Scope(user_id="ada")
    with shadows.ranker(scope, store.shadow_version(scope)):
        shadows.forget()
    for user in ("bob", "cleo"):
        ask(shadows, store, user)
    assert shadows.users() == ["bob", "cleo"]


def test_many_threads_leave_the_count_right(store):
    size = ask(shadows_of(store), store, "ada").nbytes
    shadows = shadows_of(store, limit_bytes=int(1.5 * size))
    threads = [
        threading.Thread(target=lambda: [ask(shadows, store, user) for _ in range(20) for user in USERS])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shadows.limit_bytes = int(3.5 * size)
    for user in USERS:
        ask(shadows, store, user)
    assert shadows.users() == list(USERS)


def test_a_search_measures_one_shadow_and_asks_for_the_version_once(memory, monkeypatch):
    measured, asked = [], []
    nbytes, version = Shadow.nbytes, InMemoryStore.shadow_version
    for user in USERS:
        memory.search("note", user_id=user)
    monkeypatch.setattr(Shadow, "nbytes", property(lambda it: measured.append(it) or nbytes.fget(it)))
    monkeypatch.setattr(
        InMemoryStore, "shadow_version", lambda it, scope: asked.append(scope) or version(it, scope)
    )
    memory.search("note", user_id="ada")
    assert len(measured) == 1
    assert len(asked) == 1
