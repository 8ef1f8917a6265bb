"""Middleware that gives each request an id, a log line, metrics and security headers.

The log never contains the text of a memory or query: it has the pattern of the route, and no bodies.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.learning.outcomes import Learned
from recollect.types.ids import new_id

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
_COUNTED: Final = (
    "sessions", "facts", "episodes", "reinforced", "ended", "conflicts", "forgotten", "failed",
)  # fmt: skip
"""What learning did that is counted."""
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})


class Metrics:
    """The counters of one application, and what its process takes, where the system tells it."""

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
        ProcessCollector(registry=self.registry)

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
        for what in (
            "sessions",
            "facts",
            "episodes",
            "reinforced",
            "ended",
            "conflicts",
            "forgotten",
            "failed",
        ):
            self._learned.labels(what).inc(getattr(learned, what))

    def watch_jobs(self, waiting: Callable[[], int], failed: Callable[[], int]) -> None:
        """Ask the queue at each look."""
        self._jobs.labels("waiting").set_function(waiting)
        self._jobs.labels("failed").set_function(failed)

    def told(self) -> bytes:
        """Everything, in the text format of Prometheus."""
        return generate_latest(self.registry)


_LOG: Final = logging.getLogger("recollect.server")
_AUDIT: Final = logging.getLogger("recollect.server.audit")
_LONGEST_ID: Final = 64
AUDITED: Final = 100
"""Ids that an audit line lists at most; its count covers all. Chosen by hand."""

_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_API_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"


class Observer:
    """The outermost middleware: logs, counts and protects every request."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _id_of(Headers(scope=scope))
        scope.setdefault("state", {})["request_id"] = request_id
        begun, status = time.perf_counter(), 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _protect(MutableHeaders(scope=message), request_id)
            await send(message)

        try:
            with self._metrics.in_progress():
                await self._app(scope, receive, answer)
        except Exception:
            _LOG.exception("a request failed", extra={"request_id": request_id})
            raise
        finally:
            self._record(scope, status, time.perf_counter() - begun)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        route = _route_of(scope)
        self._metrics.count(scope["method"], route, status, seconds)
        state: dict[str, Any] = scope["state"]
        principal = state.get("principal")
        told = {
            "request_id": state["request_id"],
            "method": scope["method"],
            "route": route,
            "status": status,
            "ms": round(seconds * 1_000, 1),
            "key": getattr(principal, "key_id", None),
        }
        _LOG.info("request", extra=told)
        ids = state.get("touched", [])
        if ids or state.get("count") or (state.get("writes") and status < HTTPStatus.BAD_REQUEST):
            written = {"user": state.get("user"), "ids": ids[:AUDITED], "count": state.get("count", 0)}
            _AUDIT.info("write", extra=told | written)


def _id_of(headers: Headers) -> str:
    """Return the client's request id if it is safe to log, else a new id."""
    given = headers.get("x-request-id", "")
    fitting = 0 < len(given) <= _LONGEST_ID and given.isascii() and given.replace("-", "").isalnum()
    return given if fitting else new_id()


def _route_of(scope: Scope) -> str:
    """Return the pattern of the route, which keeps ids and names out of the metrics."""
    return str(getattr(scope.get("route"), "path", "") or "unmatched")


def _protect(headers: MutableHeaders, request_id: str) -> None:
    headers["X-Request-Id"] = request_id
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Content-Security-Policy", _API_POLICY)
    headers.setdefault("Cache-Control", "no-store")
