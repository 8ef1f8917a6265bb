"""Threads that several users share: each has some at a time, and waits for its own calls, not for others'."""

import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, TypeAlias, TypeVar

_T = TypeVar("_T")
_Call: TypeAlias = tuple["Future[Any]", Callable[[], Any]]


class SharedThreads:
    """Runs calls in threads, at most ``each`` of one user at a time; more wait in their order.

    Args:
        threads: Calls that run at a time.
        each: How many of them may be one user's.
    """

    def __init__(self, threads: int, *, each: int) -> None:
        self._pool: Final = ThreadPoolExecutor(threads, thread_name_prefix="recollect")
        self._each = each
        self._running: Counter[str | None] = Counter()
        self._waiting: dict[str | None, deque[_Call]] = {}
        self._lock = threading.Lock()

    def submit(self, user: str | None, call: Callable[[], _T]) -> "Future[_T]":
        """Run a call as soon as it is its turn; calls for no user in particular share as one user."""
        future: Future[_T] = Future()
        with self._lock:
            if self._running[user] >= self._each:
                self._waiting.setdefault(user, deque()).append((future, call))
                return future
            self._pool.submit(self._work, user, (future, call))
            self._running[user] += 1
        return future

    def close(self) -> None:
        """Finish the calls that run and wait, and take no more."""
        self._pool.shutdown()

    def _work(self, user: str | None, job: _Call) -> None:
        """Do a call, then have the user's next one wait for a thread behind the calls of others."""
        following: _Call | None = job
        while following is not None:
            _do(*following)
            following = self._next(user)
            if following is not None and self._hand_over(user, following):
                return

    def _hand_over(self, user: str | None, job: _Call) -> bool:
        """Give a call to another thread; False when the pool is closing, and this one does it."""
        try:
            self._pool.submit(self._work, user, job)
        except RuntimeError:
            return False
        return True

    def _next(self, user: str | None) -> _Call | None:
        with self._lock:
            if waiting := self._waiting.get(user):
                return waiting.popleft()
            self._waiting.pop(user, None)
            self._running[user] -= 1
            if not self._running[user]:
                del self._running[user]
            return None


def _do(future: "Future[Any]", call: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call()
    except BaseException as error:  # noqa: BLE001 - it is raised where the call is awaited
        future.set_exception(error)
    else:
        future.set_result(result)
