"""A worker that is killed again and again, at any moment, loses nothing, halves nothing, doubles nothing.

``RECOLLECT_KILLS=200 pytest tests/learning/test_killed.py`` does so 200 times; ``make test`` fewer.
"""

import multiprocessing
import os
import random
import time
from itertools import count

import pytest
from tests.killing import learn_until_killed, opened

from recollect import Memory
from recollect.testing import FakeClock

KILLS = int(os.environ.get("RECOLLECT_KILLS", "10"))
AT_ONCE = 10
"""Kills of one store; more are more tests."""
CITIES = ("Berlin", "Rome", "Oslo", "Bern", "Paris", "Lima")
LIVES = "lives in"


def said_in(session, *, wordy):
    """What is said in a session: a new home, an old job that ends, likings, some of them again."""
    if wordy:
        return [f"I really like hobby{session}x{part} very much." for part in range(5)]
    city = CITIES[session % len(CITIES)]
    return [
        f"I moved to {city}.",
        f"I work at Company{session % 4}." if session % 3 else "I no longer work at Company1.",
        f"I like hobby{session}.",
        f"I think I like hobby{session // 2}.",
        "I used to like hobby1." if session % 5 == 0 else "I prefer tea.",
    ]


def add(memory, session, *, wordy):
    user = f"user{session % 2}"
    day = f"2025-01-01T{session // 60 % 24:02}:{session % 60:02}:00Z"
    texts = said_in(session, wordy=wordy)
    memory.add(texts, user_id=user, session_id=f"s{session}", timestamp=day)
    return user, texts


def state_of(memory, user):
    """What is learned of a user, in words: ids and times of storing are not compared."""
    every = memory.get_all(user_id=user)
    words = {one.id: one.content for one in every}
    learned = [one for one in every if one.kind != "message"]
    return sorted(
        (
            one.kind,
            one.content,
            round(one.worth.confidence, 9),
            str(one.times.valid_from),
            str(one.times.valid_until),
            sorted(words[source] for source in one.origin.sources),
            sorted(one.metadata),
            sorted(
                (link.type, words[link.source_id], words[link.target_id])
                for link in memory.graph.links(one.id, user_id=user)
            ),
        )
        for one in learned
    )


def homes(memory, user):
    """Where a user lives now."""
    facts = memory.get_all(user_id=user, kinds=["fact"], filters={"relation": LIVES})
    return [one.content for one in facts if one.times.valid_until is None]


def whole_so_far(memory, said):
    """What must hold at any moment, however a worker was stopped."""
    assert memory.maintenance.doctor().problems == ()
    for user, texts in said.items():
        every = memory.get_all(user_id=user)
        assert [one.content for one in every if one.kind == "message"] == texts
        ids = {one.id for one in every}
        assert all(ids.issuperset(one.origin.sources) for one in every)
        moved = [one for one in every if one.metadata.get("relation") == LIVES]
        assert len(homes(memory, user)) == (1 if moved else 0)


def kill_while_learning(context, place, hour, *, wordy, within_s):
    """Start a worker, and kill it at a random moment of its work."""
    ours, theirs = context.Pipe(duplex=False)
    worker = context.Process(target=learn_until_killed, args=(place, hour, wordy, theirs))
    worker.start()
    theirs.close()
    assert ours.recv_bytes() == b"begun"
    time.sleep(random.uniform(0, within_s))  # noqa: S311 - any moment will do
    worker.kill()
    worker.join()
    try:
        return ours.recv_bytes() != b"done"
    except EOFError:
        return True


def learned_whole(place, *, wordy, sessions):
    """What is learned when nobody is stopped, and how long a session takes."""
    memory = opened(place, 0, wordy=wordy)
    begun = time.perf_counter()
    for session in range(sessions):
        add(memory, session, wordy=wordy)
        memory.jobs.drain()
    spent = (time.perf_counter() - begun) / sessions
    states = {user: state_of(memory, user) for user in ("user0", "user1")}
    memory.close()
    return states, spent


def killed_again_and_again(place, *, wordy, kills):
    """Kill workers until so many were stopped in their work; returns how many sessions were added."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.killing"])
    said = {"user0": [], "user1": []}
    within_s, killed, hours = 0.3, 0, count()
    for session in count():
        with opened(place, next(hours), wordy=wordy) as memory:
            whole_so_far(memory, said)
            user, texts = add(memory, session, wordy=wordy)
            said[user] += texts
            if session % 4 == 3:
                memory.jobs.drain()
        stopped = kill_while_learning(context, place, next(hours), wordy=wordy, within_s=within_s)
        killed += stopped
        within_s *= 1.1 if stopped else 0.9  # about half of them are stopped in their work
        if killed >= kills:
            break
    with opened(place, next(hours), wordy=wordy) as memory:
        while memory.jobs.list():
            whole_so_far(memory, said)
            memory.jobs.drain()
        assert memory.jobs.list(failed=True) == []
        whole_so_far(memory, said)
        states = {user: state_of(memory, user) for user in said}
        kept = {name for user in said for name in memory.parts.store.states(memory.parts.scope(user))}
    assert not {"answer", "learning"} & kept
    return states, session + 1


class StoppedError(BaseException):
    """The process ends here: nothing may catch it."""


def stopped_after(store, writes, monkeypatch):
    """Let a store do so many writes of a worker, and stop it after the last."""
    left = [writes]

    def counted(write):
        def stopping(*args, **options):
            result = write(*args, **options)
            left[0] -= 1
            if not left[0]:
                raise StoppedError
            return result

        return stopping

    for name in ("add", "update", "link"):
        monkeypatch.setattr(store, name, counted(getattr(store, name)))


def learned_when_stopped_after(writes, monkeypatch):
    """What is learned of a job that is said to have ended twice, and whether its worker was stopped."""
    clock = FakeClock()
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        for text in ("I work at Company2.", "I no longer work at Company1.", "I work at Company0."):
            memory.add(text, user_id="ada", session_id=text, timestamp=clock())
            memory.jobs.drain()
            clock.tick(3_600)
        memory.add("I no longer work at Company1.", user_id="ada", session_id="again", timestamp=clock())
        clock.tick(3_600)
        with monkeypatch.context() as patch:
            stopped_after(memory.parts.store, writes, patch)
            try:
                memory.jobs.drain()
            except StoppedError:
                stopped = True
            else:
                stopped = False
        clock.tick(3_600)
        memory.jobs.drain()
        return state_of(memory, "ada"), stopped


def test_a_worker_that_is_stopped_after_any_write_leaves_what_one_leaves_that_is_not(monkeypatch):
    whole, _ = learned_when_stopped_after(10_000, monkeypatch)
    for writes in count(1):
        learned, stopped = learned_when_stopped_after(writes, monkeypatch)
        assert learned == whole, writes
        if not stopped:
            assert writes > 3
            break


@pytest.mark.parametrize("kills", [AT_ONCE] * (KILLS // AT_ONCE))
def test_a_worker_that_is_killed_at_any_moment_leaves_what_one_leaves_that_is_not(tmp_path, kills):
    states, sessions = killed_again_and_again(tmp_path / "killed.db", wordy=False, kills=kills)
    whole, _ = learned_whole(tmp_path / "whole.db", wordy=False, sessions=sessions)
    assert states == whole


@pytest.mark.parametrize("kills", [5] * (KILLS // AT_ONCE))
def test_a_model_that_words_things_anew_each_time_doubles_nothing(tmp_path, kills):
    states, sessions = killed_again_and_again(tmp_path / "killed.db", wordy=True, kills=kills)
    hobbies = [
        fact[1].split("hobby")[1].split(" ")[0].strip(".")
        for state in states.values()
        for fact in state
        if fact[0] == "fact"
    ]
    assert len(hobbies) == len(set(hobbies)) == 5 * sessions


def test_so_it_is_in_postgresql(postgres_url, tmp_path):
    states, sessions = killed_again_and_again(postgres_url, wordy=False, kills=5)
    whole, _ = learned_whole(tmp_path / "whole.db", wordy=False, sessions=sessions)
    assert states == whole
