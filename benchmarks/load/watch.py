"""What a server's process takes while it works, where it tells that: ``GET /metrics``."""

import http.client
import re
import threading
import time
from http import HTTPStatus
from typing import Final, NamedTuple, Self

import numpy as np

from benchmarks.client import Client
from benchmarks.load.target import Target

_METRIC: Final = re.compile(r"^process_(resident_memory_bytes|cpu_seconds_total) ([0-9.e+]+)$", re.MULTILINE)
_FORBIDDEN: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_SLOPE_S: Final = 60.0
"""From how many seconds on a slope means something. Chosen by hand."""


class _Look(NamedTuple):
    at_s: float
    megabytes: float
    cpu_s: float


class ProcessWatch:
    """Asks a server again and again what it takes, in a thread.

    Args:
        target: The server.
        every_s: How often.
    """

    def __init__(self, target: Target, *, every_s: float) -> None:
        self._target = target
        self._every_s = every_s
        self._stop = threading.Event()
        self._looks: list[_Look] = []
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        self._thread.join()

    def begin(self) -> None:
        """Leave out what was found before now."""
        self._looks[:] = self._looks[-1:]

    def figures(self) -> dict[str, float] | None:
        """Megabytes of 1,000,000 bytes at first, at last and at most, and the cores that were busy.

        Where the looks span a minute also the slope of a straight line through them, in megabytes an hour.
        None where the server told nothing, or once only.
        """
        if len(self._looks) < 2:
            return None
        at_s, megabytes, cpu_s = np.array(self._looks).T
        span_s = at_s[-1] - at_s[0]
        found = {"first_mb": megabytes[0], "last_mb": megabytes[-1], "most_mb": megabytes.max()}
        if span_s >= _SLOPE_S:
            found["mb_an_hour"] = 3_600 * np.polyfit(at_s - at_s[0], megabytes, 1)[0]
        rounded = {name: round(float(value), 1) for name, value in found.items()}
        return {**rounded, "cores": round(float((cpu_s[-1] - cpu_s[0]) / span_s), 3)}

    def _watch(self) -> None:
        with self._target.connect() as client:
            while self._look(client) and not self._stop.is_set():
                self._stop.wait(self._every_s)

    def _look(self, client: Client) -> bool:
        """Note what the server tells now; returns whether it may tell more later."""
        try:
            answer = client.ask("GET", "/metrics")
        except (OSError, http.client.HTTPException):
            return True
        found = dict(_METRIC.findall(str(answer.body)))
        if len(found) == 2:
            size, spent = float(found["resident_memory_bytes"]), float(found["cpu_seconds_total"])
            self._looks.append(_Look(time.monotonic(), size / 1e6, spent))
        return answer.status not in _FORBIDDEN
