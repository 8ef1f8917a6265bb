"""MCP over streamable HTTP for one user, with the access checks of the HTTP server."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.server.access import Guard, Principal
from recollect.server.gate import Gate
from recollect.server.keys import KeyRing
from recollect.server.mcp import Held
from recollect.server.observing import Metrics, Observer
from recollect.server.problems import ProblemError, problem
from recollect.server.running import configure_logs, make_server
from recollect.server.settings import MEGABYTE, ServerSettings, check_bind

_MOST_BYTES = 2 * MEGABYTE


class _OneUser:
    """Middleware that accepts only keys for the served user, with ``read_only`` also a reader's."""

    def __init__(self, app: ASGIApp, *, user_id: str, read_only: bool) -> None:
        self._app = app
        self._user_id = user_id
        self._read_only = read_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer with a problem."""
        principal: Principal | None = scope.get("state", {}).get("principal")
        try:
            self._check(principal)
        except ProblemError as error:
            await problem(error.status, error.detail)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _check(self, principal: Principal | None) -> None:
        if principal is None:  # the application starts or stops
            return
        principal.user(self._user_id)
        if not (self._read_only or principal.may("writer")):
            raise ProblemError(HTTPStatus.FORBIDDEN, "this key may not write; start with --read-only")


class _Closing:
    """Middleware that closes the memory on shutdown, since uvicorn exits by re-raising the stop signal."""

    def __init__(self, app: ASGIApp, held: Held) -> None:
        self._app = app
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on; close the memory before shutdown is reported complete."""

        async def answer(message: Message) -> None:
            if message["type"].startswith("lifespan.shutdown"):
                await anyio.to_thread.run_sync(self._held.close)
            await send(message)

        await self._app(scope, receive, answer)


def mcp_app(
    server: MCPServer[Any],
    *,
    settings: ServerSettings,
    keys: KeyRing | None,
    user_id: str,
    read_only: bool,
) -> ASGIApp:
    """Make the ASGI application that serves MCP at ``/mcp``; no session is kept between requests."""
    inner: ASGIApp = server.streamable_http_app(
        host=settings.host, max_request_body_size=_MOST_BYTES, stateless_http=True
    )
    guarded = _OneUser(inner, user_id=user_id, read_only=read_only)
    gate = Gate(guarded, guard=Guard(keys, settings=settings), settings=settings, is_page=lambda _: False)
    return Observer(gate, metrics=Metrics())


def serve_mcp(
    server: MCPServer[Any],
    held: Held,
    *,
    user_id: str,
    host: str,
    port: int,
    read_only: bool,
    begins: Callable[[], None],
) -> None:
    """Serve until stopped, then close the memory; ``begins`` is called once all checks have passed.

    Raises:
        InvalidInputError: The address is not a loopback address and no key exists.
    """
    settings = ServerSettings(host=host, port=port, default_user=user_id, max_body_bytes=_MOST_BYTES)
    ring = None
    if not settings.is_loopback:
        ring = KeyRing(held.get().parts.store)
        check_bind(host, has_keys=any(key.revoked_at is None for key in ring.all()))
    app = mcp_app(server, settings=settings, keys=ring, user_id=user_id, read_only=read_only)
    configure_logs()
    begins()
    make_server(_Closing(app, held), settings).run()
