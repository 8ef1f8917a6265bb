"""Ids that sort by when they were made: UUIDv7 (RFC 9562)."""

import os
import threading
import time
import uuid
from collections.abc import Callable
from typing import Final

IdFactory = Callable[[], str]
"""Makes a new id at each call; ids made later in one process sort later."""

_SUB_MS: Final = 4096
_SHORT: Final = 18
"""Characters of a UUIDv7 before the random ones: milliseconds, version, fraction of a millisecond."""
_RANDOM_MASK: Final = (1 << 62) - 1


class UUID7Factory:
    """Makes UUIDv7 strings in strictly ascending order, from any thread.

    The 12 bits after the milliseconds count 1/4096 ms (RFC 9562, method 3); when ids are made
    faster than that, the clock runs ahead.
    """

    def __init__(self, *, now_ns: Callable[[], int] = time.time_ns) -> None:
        self._now_ns = now_ns
        self._last = 0
        self._lock = threading.Lock()

    def __call__(self) -> str:
        """The next id."""
        with self._lock:
            tick = max(self._now_ns() * _SUB_MS // 1_000_000, self._last + 1)
            self._last = tick
        millis, fraction = divmod(tick, _SUB_MS)
        random = int.from_bytes(os.urandom(8)) & _RANDOM_MASK
        value = (millis << 80) | (0x7 << 76) | (fraction << 64) | (0x2 << 62) | random
        return str(uuid.UUID(int=value))


def short_id(memory_id: str) -> str:
    """The first characters of an id, as many as tell ids of one process apart: time and counter.

    >>> short_id("019a7c1e-52a3-7c3e-8d59-0f6d1f8f2a11")
    '019a7c1e-52a3-7c3e'
    """
    return memory_id[:_SHORT]


new_id: Final[IdFactory] = UUID7Factory()
"""The process's own id factory."""
