"""The middleware before every handler: checks host, origin, key and the size and time of the body."""

import asyncio
from collections.abc import Callable, Container
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.server.access import Guard
from recollect.server.problems import ProblemError, problem
from recollect.server.settings import ServerSettings

PUBLIC: Final = frozenset({"/api/health", "/ready", "/openapi.json", "/favicon.ico"})
"""Paths that need no key: they return no user's data. Browsers ask for the last by themselves."""
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Gate:
    """Passes a request on to the application, or answers it with a problem.

    On a loopback address the ``Host`` header must name this machine, which stops DNS rebinding. Pages of
    other origins may not write.

    Args:
        app: The application.
        guard: Knows the keys.
        settings: Limits.
        is_page: Whether a path is one of the page's, which need no key to be read.
        signs_in: Paths under which those without a key ask for one.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        guard: Guard,
        settings: ServerSettings,
        is_page: Callable[[str], bool],
        signs_in: Container[str] = (),
    ) -> None:
        self._app = app
        self._guard = guard
        self._settings = settings
        self._is_page = is_page
        self._signs_in = signs_in
        self._hosts = _LOCAL | {settings.host.strip("[]"), *settings.allowed_hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer with a problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = scope.get("state", {}).get("request_id")
        try:
            self._check_host(headers)
            self._check_origin(scope["method"], headers)
            limit = self._settings.max_body_bytes
            if scope["path"] in self._signs_in:
                self._guard.count_stranger()
            elif not self._is_open(scope):
                principal = await self._guard.admit(headers)
                scope.setdefault("state", {})["principal"] = principal
                limit = principal.max_body(self._settings)
            _check_length(headers, limit)
        except ProblemError as error:
            answer = problem(error.status, error.detail, request_id=request_id, headers=error.headers)
            await answer(scope, receive, send)
            return
        body = _Body(scope, receive, send, limit=limit, timeout_s=self._settings.body_timeout_s)
        await self._app(scope, body.receive, body.send)

    def _is_open(self, scope: Scope) -> bool:
        path: str = scope["path"]
        return scope["method"] in _SAFE and (path in PUBLIC or self._is_page(path))

    def _check_host(self, headers: Headers) -> None:
        if self._settings.is_loopback and _name_of(f"//{headers.get('host', '')}") not in self._hosts:
            raise ProblemError(
                HTTPStatus.MISDIRECTED_REQUEST,
                "this server answers only under the name of this machine; start it with --allow-host NAME",
            )

    def _check_origin(self, method: str, headers: Headers) -> None:
        origin = headers.get("origin")
        if method in _SAFE or origin is None or origin in self._settings.cors_origins:
            return
        if urlsplit(origin).netloc != headers.get("host", ""):
            raise ProblemError(HTTPStatus.FORBIDDEN, "pages of another origin may not write")


class _Body:
    """The body of one request, with a limit for its size and a timeout.

    Beyond either, the error is sent at once and the application's own response is dropped.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, *, limit: int, timeout_s: float) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._left = limit
        self._limit = limit
        self._timeout_s = timeout_s
        self._until = asyncio.get_running_loop().time() + timeout_s
        self._whole = self._started = self._refused = False

    async def receive(self) -> Message:
        """Receive the next part of the body; a disconnect once the request was refused."""
        if self._whole or self._refused:
            return {"type": "http.disconnect"} if self._refused else await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            slow = f"the request took longer than {self._timeout_s:g} s to arrive"
            return await self._refuse(HTTPStatus.REQUEST_TIMEOUT, slow)
        self._left -= len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._left < 0:
            return await self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _too_long(self._limit))
        return message

    async def send(self, message: Message) -> None:
        """Send the application's response, unless the request was refused."""
        if not self._refused:
            self._started = True
            await self._send(message)

    async def _refuse(self, status: HTTPStatus, detail: str) -> Message:
        self._refused = True
        if not self._started:
            request_id = self._scope.get("state", {}).get("request_id")
            answer = problem(status, detail, request_id=request_id, headers={"Connection": "close"})
            await answer(self._scope, self._receive, self._send)
        return {"type": "http.disconnect"}


def _check_length(headers: Headers, limit: int) -> None:
    if "content-length" in headers and "transfer-encoding" in headers:
        raise ProblemError(
            HTTPStatus.BAD_REQUEST,
            "a request has a Content-Length or a Transfer-Encoding, not both",
            headers={"Connection": "close"},
        )
    length = headers.get("content-length", "0")
    if length.isdecimal() and int(length[:20]) > limit:
        raise ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _too_long(limit))


def _too_long(limit: int) -> str:
    return f"the body of a request may have {limit:,} bytes; send it in parts"


def _name_of(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
