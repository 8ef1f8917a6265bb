"""The middleware before every handler: checks host, origin, key and the size and time of the body.

A file that an admin sends may be larger than other bodies. Its route writes it to a temporary file as it
arrives; only some are taken at a time, and each must keep up a rate.
"""

import asyncio
from collections.abc import Callable, Container
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.server.access import Guard
from recollect.server.problems import ProblemError, problem
from recollect.server.settings import ServerSettings

PUBLIC: Final = frozenset({"/api/health", "/ready", "/openapi.json", "/favicon.ico"})
"""Paths that need no key: they return no user's data. Browsers ask for the last by themselves."""
FILES: Final = frozenset({"/uploads", "/import", "/apply"})
"""Paths that take a large file as their body."""
LARGE_AT_ONCE: Final = 4
"""Bodies above the usual limit that are taken at a time; each is a temporary file. Chosen by hand."""
LEAST_RATE: Final = 1 << 18
"""Bytes a second that give a large body more time than others have: 256 kB, a slow line. Chosen by hand."""
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_FULL: Final = f"{LARGE_AT_ONCE} large files are being read already; send it again in a while"
_RETRY_S: Final = "60"
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
        self._large = _Large()
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
            usual = limit = self._settings.max_body_bytes
            if scope["path"] in self._signs_in:
                self._guard.count_stranger()
            elif not self._is_open(scope):
                principal = await self._guard.admit(headers)
                scope.setdefault("state", {})["principal"] = principal
                usual = principal.max_body(self._settings)
                limit = principal.max_body(self._settings, is_file=scope["path"] in FILES)
            _check_length(headers, limit)
        except ProblemError as error:
            answer = problem(error.status, error.detail, request_id=request_id, headers=error.headers)
            await answer(scope, receive, send)
            return
        timeout_s = self._settings.body_timeout_s
        body = _Body(scope, receive, send, limit=limit, timeout_s=timeout_s, usual=usual, large=self._large)
        try:
            await self._app(scope, body.receive, body.send)
        finally:
            body.close()

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


class Turns:
    """Begins requests of one address one after the other: a crowd of them keeps nobody else waiting.

    Each is let in when the event loop has looked after everybody once.

    Args:
        app: The application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._of_address: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on when it is its turn."""
        if scope["type"] == "http" and (client := scope.get("client")):
            turn = self._of_address.setdefault(client[0], asyncio.Lock())
            async with turn:
                await asyncio.sleep(0)
        await self._app(scope, receive, send)


class _Large:
    """How many large bodies are under way."""

    def __init__(self) -> None:
        self.count = 0


class _Body:
    """The body of one request, with a limit for its size and a timeout.

    Beyond either, or for one large body too many, the error is sent at once and the application's own
    response is dropped.
    """

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        limit: int,
        timeout_s: float,
        usual: int,
        large: _Large,
    ) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._size = 0
        self._usual = usual
        self._large = large
        self._is_large = False
        self._limit = limit
        self._timeout_s = timeout_s
        self._begun = asyncio.get_running_loop().time()
        self._whole = self._started = self._refused = False

    async def receive(self) -> Message:
        """Receive the next part of the body; a disconnect once the request was refused."""
        if self._whole or self._refused:
            return {"type": "http.disconnect"} if self._refused else await self._receive()
        try:
            async with asyncio.timeout_at(self._begun + self._may_take_s()):
                message = await self._receive()
        except TimeoutError:
            slow = f"the request took longer than {self._may_take_s():.0f} s to arrive"
            return await self._refuse(HTTPStatus.REQUEST_TIMEOUT, slow)
        self._size += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._size > self._limit:
            return await self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _too_long(self._limit))
        if self._size > self._usual and not self._takes_room():
            return await self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, _FULL)
        return message

    def _may_take_s(self) -> float:
        return max(self._timeout_s, self._size / LEAST_RATE if self._limit > self._usual else 0.0)

    def _takes_room(self) -> bool:
        """Whether there is room for another large body, which this one then is."""
        if not self._is_large and self._large.count < LARGE_AT_ONCE:
            self._is_large = True
            self._large.count += 1
        return self._is_large

    def close(self) -> None:
        """Make room for another large body."""
        if self._is_large:
            self._is_large = False
            self._large.count -= 1

    async def send(self, message: Message) -> None:
        """Send the application's response, unless the request was refused."""
        if not self._refused:
            self._started = True
            await self._send(message)

    async def _refuse(self, status: HTTPStatus, detail: str) -> Message:
        self._refused = True
        if not self._started:
            request_id = self._scope.get("state", {}).get("request_id")
            headers = {"Connection": "close"}
            if status is HTTPStatus.SERVICE_UNAVAILABLE:
                headers["Retry-After"] = _RETRY_S
            answer = problem(status, detail, request_id=request_id, headers=headers)
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
