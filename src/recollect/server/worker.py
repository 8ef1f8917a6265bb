"""The thread of a server that learns what is queued."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from recollect.errors import RecollectError
from recollect.learning.outcomes import Learned
from recollect.memory import Memory

_LOG: Final = logging.getLogger("recollect.server")


class Worker:
    """Looks at the queue again and again until it is stopped; what it began is finished first.

    Args:
        memory: Whose queue.
        poll_s: Seconds between two looks.
        tell: Told what was learned.
    """

    def __init__(self, memory: Memory, *, poll_s: float, tell: Callable[[Learned], None]) -> None:
        self._memory = memory
        self._poll_s = poll_s
        self._tell = tell
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recollect-worker", daemon=True)

    @property
    def is_alive(self) -> bool:
        """Whether it is at work."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, *, timeout_s: float) -> bool:
        """End after the jobs under way; returns whether it did in time. What is left waits for its lease."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                learned = self._memory.drain()
            except RecollectError as error:
                _LOG.warning("learning failed, and is tried again: %s", type(error).__name__)
            else:
                if learned != Learned():
                    self._tell(learned)
            self._stopping.wait(self._poll_s)
