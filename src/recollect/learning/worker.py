"""A thread that learns what is queued, while the program goes on."""

import logging
import threading
from collections.abc import Callable
from typing import Final, Protocol, Self

from recollect.errors import ClosedError
from recollect.learning.outcomes import Learned
from recollect.types.closing import Closing

POLL_S: Final = 2.0
"""Seconds between two looks at the queue when nothing is queued here: another process may. Chosen by hand."""
STOP_S: Final = 30.0
"""How long a worker that is closed may take to finish what it began. Chosen by hand."""

_LOG: Final = logging.getLogger("recollect.worker")


class Drain(Protocol):
    """Learns what is queued."""

    def __call__(self, *, stopping: Callable[[], bool]) -> Learned:
        """Do the jobs that are due, until there are none; ``stopping`` is asked before more are taken."""


class Worker(Closing):
    """Learns what is queued until it is closed; what it began is finished first. See ``Memory.jobs.worker``.

    It looks at the queue soon after this memory queued something, and every ``poll_s`` seconds. It raises
    nothing: a job that fails says so in ``Memory.jobs``, and a store that fails is looked at again later.

    Args:
        drain: Learns what is queued.
        poll_s: Seconds between two looks.
        tell: Told what was learned, in the thread.
    """

    def __init__(
        self, drain: Drain, *, poll_s: float = POLL_S, tell: Callable[[Learned], object] | None = None
    ) -> None:
        self._drain = drain
        self._poll_s = poll_s
        self._tell = tell
        self._stopping = threading.Event()
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recollect-worker", daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether it is at work."""
        return self._thread.is_alive()

    @property
    def is_closed(self) -> bool:
        """Whether it was asked to stop."""
        return self._stopping.is_set()

    def wake(self) -> None:
        """Have it look at the queue now."""
        self._woken.set()

    def close(self, *, timeout_s: float = STOP_S) -> bool:
        """End after the jobs under way; returns whether it did in time. What is left waits for its lease."""
        self._stopping.set()
        self._woken.set()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        import asyncio

        await asyncio.to_thread(self.close)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._woken.clear()
            try:
                learned = self._drain(stopping=self._stopping.is_set)
                if self._tell is not None and learned != Learned():
                    self._tell(learned)
            except ClosedError:
                return
            except Exception as error:  # noqa: BLE001 - nobody would catch it here; the next look tries again
                _LOG.warning("learning failed, and is tried again: %s", type(error).__name__)
            if not self._stopping.is_set():
                self._woken.wait(self._poll_s)


class Workers:
    """The workers of one memory."""

    def __init__(self) -> None:
        self._all: list[Worker] = []
        self._lock = threading.Lock()

    def keep(self, worker: Worker) -> Worker:
        """Wake and close it with the others."""
        with self._lock:
            self._all = [*(one for one in self._all if one.is_alive), worker]
        return worker

    def wake(self) -> None:
        """Something was queued."""
        for worker in self._all:
            worker.wake()

    def close(self) -> None:
        """Stop those that still run."""
        with self._lock:
            workers, self._all = self._all, []
        for worker in workers:
            if not worker.is_closed:
                worker.close()
