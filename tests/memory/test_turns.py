"""Users share the threads of a memory: one with many calls takes no more than its part."""

import threading
from contextlib import closing

import pytest

from recollect.memory.turns import SharedThreads

PATIENCE_S = 60


@pytest.fixture
def released():
    return threading.Event()


def occupy(threads, released, done):
    """Many calls of one user, which wait until they are released."""

    def call(number):
        assert released.wait(PATIENCE_S)
        done.append(number)
        return number

    return [threads.submit("ada", lambda number=number: call(number)) for number in range(10)]


def test_a_user_with_many_calls_leaves_threads_to_others(released):
    done = []
    with closing(SharedThreads(4, each=2)) as threads:
        futures = occupy(threads, released, done)
        assert threads.submit("bob", lambda: "tea").result(PATIENCE_S) == "tea"
        assert threads.submit(None, lambda: "coffee").result(PATIENCE_S) == "coffee"
        assert done == []
        released.set()
        assert [one.result(PATIENCE_S) for one in futures] == list(range(10))


def test_calls_that_wait_are_finished_when_it_is_closed(released):
    done = []
    threads = SharedThreads(4, each=1)
    futures = occupy(threads, released, done)
    released.set()
    threads.close()
    assert done == list(range(10))
    assert all(one.done() for one in futures)
    with pytest.raises(RuntimeError):
        threads.submit("ada", lambda: None)


def test_a_call_that_was_cancelled_while_it_waited_is_not_done(released):
    done = []
    with closing(SharedThreads(4, each=1)) as threads:
        futures = occupy(threads, released, done)
        assert futures[5].cancel()
        released.set()
    assert done == [0, 1, 2, 3, 4, 6, 7, 8, 9]


def test_an_error_is_raised_where_the_result_is_asked_for_and_stops_no_other_call():
    with closing(SharedThreads(1, each=1)) as threads:
        failed, fine = threads.submit("ada", lambda: 1 / 0), threads.submit("ada", lambda: 1)
        with pytest.raises(ZeroDivisionError):
            failed.result(PATIENCE_S)
        assert fine.result(PATIENCE_S) == 1
