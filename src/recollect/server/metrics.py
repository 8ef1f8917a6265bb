"""Prometheus metrics."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from recollect.learning.outcomes import Learned

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})


class Metrics:
    """The counters of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = Counter(
            "recollect_http_requests", "Requests answered.", labels, registry=self.registry
        )
        self._seconds = Histogram(
            "recollect_http_request_seconds",
            "How long requests took.",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._progress = Gauge(
            "recollect_http_requests_in_progress", "Requests under way.", registry=self.registry
        )
        self._learned = Counter("recollect_learned", "What was learned.", ("what",), registry=self.registry)
        self._jobs = Gauge("recollect_jobs", "Jobs in the queue.", ("state",), registry=self.registry)

    @contextmanager
    def in_progress(self) -> Iterator[None]:
        """Count a request as in progress for the duration of the ``with`` block."""
        with self._progress.track_inprogress():
            yield

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        known = method if method in _METHODS else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(known, route).observe(seconds)

    def learned(self, learned: Learned) -> None:
        """Add the results of a learning job to the counters."""
        for what in ("sessions", "facts", "episodes", "reinforced", "ended", "conflicts", "failed"):
            self._learned.labels(what).inc(getattr(learned, what))

    def watch_jobs(self, waiting: Callable[[], int], failed: Callable[[], int]) -> None:
        """Ask the queue at each look."""
        self._jobs.labels("waiting").set_function(waiting)
        self._jobs.labels("failed").set_function(failed)

    def told(self) -> bytes:
        """Everything, in the text format of Prometheus."""
        return generate_latest(self.registry)
