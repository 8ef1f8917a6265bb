"""One worker at a time learns from a user, over all processes that use a store."""

import threading

import pytest

from recollect import Memory
from recollect.learning import leases
from recollect.learning.leases import BusyError, Lease
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import ADA, BOB, FakeClock


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def store(clock, monkeypatch):
    monkeypatch.setattr(leases, "_LOOK_S", 0)
    return InMemoryStore(clock=clock)


@pytest.fixture
def lease_of(store, clock):
    return lambda scope=ADA: Lease(store, scope, clock=clock, lease_s=60)


def test_another_one_waits_and_gives_up_while_it_is_held(store, lease_of):
    with lease_of():
        held = store.states(ADA)
        with pytest.raises(BusyError), lease_of():
            pass
        assert store.states(ADA) == held
        with lease_of(BOB):
            assert store.states(BOB)
    assert store.states(ADA) == store.states(BOB) == {}


def test_it_is_given_back_when_the_work_fails(store, lease_of):
    with pytest.raises(ZeroDivisionError), lease_of():
        _ = 1 / 0
    assert store.states(ADA) == {}


def test_one_that_ran_out_is_anybodys_and_is_then_no_longer_ours(store, clock, lease_of):
    with lease_of() as late:
        clock.tick(59)
        with pytest.raises(BusyError), lease_of():
            pass
        clock.tick(1)
        with lease_of():
            taken = store.states(ADA)
            assert not late.renew()
            assert store.states(ADA) == taken
        assert late.renew()


def test_renewing_it_holds_it_on(clock, lease_of):
    with lease_of() as held:
        for _ in range(3):
            clock.tick(59)
            assert held.renew()
        with pytest.raises(BusyError), lease_of():
            pass


def test_what_another_one_took_meanwhile_is_left_to_it(store, clock, lease_of):
    with lease_of():
        clock.tick(60)
        other = lease_of().__enter__()
    assert other.renew()
    assert store.states(ADA)


def test_waiting_for_another_worker_is_no_try_of_a_job(store, clock, lease_of):
    with Memory(store, embedder="hashing", clock=clock) as memory:
        memory.add("I live in Oslo.", user_id=ADA.user_id, session_id="s")
        memory.sessions.end("s", user_id=ADA.user_id)
        for _ in range(20):
            with lease_of():
                memory.jobs.drain(due_only=True)
            clock.tick(3_600)
        (job,) = memory.jobs.list()
        assert (job.attempts, job.error) == (0, None)
        memory.jobs.drain(due_only=True)
        assert [one.content for one in memory.get_all(user_id=ADA.user_id, kinds=["fact"])] == [
            "User lives in Oslo."
        ]


def test_workers_of_several_threads_are_never_at_it_together(lease_of, monkeypatch):
    monkeypatch.setattr(leases, "_LOOKS", 1_000_000)
    at_it, seen = [], []

    def work():
        for _ in range(20):
            with lease_of():
                at_it.append(1)
                seen.append(len(at_it))
                at_it.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 80
