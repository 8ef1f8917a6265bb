"""Trying again what may succeed the second time, waiting longer each time."""

import logging
import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from recollect.errors import ModelError

_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")

_FIRST_WAIT_S: Final = 0.5
_LONGEST_WAIT_S: Final = 8.0
_JITTER: Final = 0.25
"""The part of a wait that chance may take away; these three as the openai SDK has them."""
_LONGEST_ASKED_S: Final = 60.0
"""Longest ``Retry-After`` that is waited for: rates are counted by the minute. Chosen by hand."""


class Retrying:
    """Calls something until it succeeds, fails for good, or was tried often enough."""

    def __init__(
        self,
        retries: int,
        *,
        sleep: Callable[[float], None] = time.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self._retries, self._sleep, self._draw = retries, sleep, draw

    def __call__(self, attempt: Callable[[], _Answer]) -> _Answer:
        """What ``attempt`` returns, as soon as it returns.

        Raises:
            ModelError: It is not transient, the server asks to wait for more than a minute, or no
                tries are left.
        """
        for tried in range(self._retries):
            try:
                return attempt()
            except ModelError as error:
                if not error.transient or (error.retry_after_s or 0.0) > _LONGEST_ASKED_S:
                    raise
                wait_s = self._wait_s(error.retry_after_s, tried)
                _log.info("trying again in %.1f s: %s", wait_s, error)
            self._sleep(wait_s)
        return attempt()

    def _wait_s(self, asked_s: float | None, tried: int) -> float:
        if asked_s is not None:
            return asked_s
        longest: float = min(_FIRST_WAIT_S * 2**tried, _LONGEST_WAIT_S)
        return longest * (1 - _JITTER * self._draw())
