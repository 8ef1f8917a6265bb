"""Middleware that gives each request an id, a log line, metrics and security headers.

The log never contains the text of a memory or query: it has the pattern of the route, and no bodies.
"""

import logging
import time
from http import HTTPStatus
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.server.metrics import Metrics
from recollect.types.ids import new_id

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
        if ids or (state.get("writes") and status < HTTPStatus.BAD_REQUEST):
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
