"""MCP over streamable HTTP, with the access checks of the HTTP server, for the owner of the key sent."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.server.access import Guard, Principal
from recollect.server.gate import Gate
from recollect.server.keys import KeyRing
from recollect.server.mcp import Held
from recollect.server.mcp_tools import CALLER, ToolCaller
from recollect.server.oauth.routes import SignIn, checked_url
from recollect.server.observing import Metrics, Observer
from recollect.server.problems import ProblemError, problem
from recollect.server.running import configure_logs, make_server, tune_process
from recollect.server.settings import MEGABYTE, ServerSettings, check_bind
from recollect.server.teams import Teams

_MOST_BYTES = 2 * MEGABYTE
PATH: Final = "/mcp"
_BY_GATE: Final = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""``Gate`` looks at host names and origins."""


class _AsCaller:
    """Middleware that tells the tools who asks, by the key that was sent."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        principal: Principal | None = scope.get("state", {}).get("principal")
        if principal is None:  # the application starts or stops
            await self._app(scope, receive, send)
            return
        try:
            user_id = principal.user(None)
        except ProblemError as error:  # no tool takes a user
            await problem(error.status, error.detail)(scope, receive, send)
            return
        caller = ToolCaller(
            user_id=user_id,
            role="admin" if principal.key is None else principal.key.role,
            spaces=principal.spaces,
        )
        before = CALLER.set(caller)
        try:
            await self._app(scope, receive, send)
        finally:
            CALLER.reset(before)


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
    keys: KeyRing,
    are_required: bool = True,
    teams: Teams | None = None,
    sign_in: SignIn | None = None,
) -> ASGIApp:
    """Make the ASGI application that serves MCP at ``/mcp``; no session is kept between requests.

    Args:
        server: The tools.
        settings: The limits; ``default_user`` is meant where no key is needed and none is sent.
        keys: The keys.
        are_required: Whether each request needs a key.
        teams: Whose keys read which team spaces, too; None for none.
        sign_in: How people let apps in; None where only keys open.
    """
    inner: ASGIApp = server.streamable_http_app(
        max_request_body_size=_MOST_BYTES, stateless_http=True, transport_security=_BY_GATE
    )
    app, is_page = _AsCaller(inner), lambda _: False
    spaces_of = (lambda _: {}) if teams is None else teams.of
    if sign_in is None:
        guard = Guard(keys, settings=settings, is_required=are_required, spaces_of=spaces_of)
        gate = Gate(app, guard=guard, settings=settings, is_page=is_page)
    else:
        guard = Guard(sign_in, settings=settings, spaces_of=spaces_of, challenge=sign_in.challenge)
        gate = Gate(
            sign_in.beside(app), guard=guard, settings=settings, is_page=is_page, signs_in=sign_in.paths
        )
    return Observer(gate, metrics=Metrics())


def serve_mcp(
    server: MCPServer[Any],
    held: Held,
    *,
    user_id: str,
    host: str,
    port: int,
    public_url: str | None,
    with_keys: bool,
    begins: Callable[[int], None],
) -> None:
    """Serve until stopped, then close the memory.

    Args:
        server: The tools.
        held: The memory.
        user_id: Whose memory is meant where no key says it.
        host: The address to bind.
        port: The port.
        public_url: The address under which apps reach the server, which can then sign in; None for none.
        with_keys: Whether each request needs a key on a loopback address, too.
        begins: Called once all checks have passed, with the number of keys that are not required.

    Raises:
        InvalidInputError: The address is not a loopback address and no key exists; or the public one is not
            one of https, or of this machine, without a path.
    """
    public = None if public_url is None else checked_url(public_url)
    settings = ServerSettings(
        host=host,
        port=port,
        default_user=user_id,
        max_body_bytes=_MOST_BYTES,
        allowed_hosts=() if public is None else (urlsplit(public).hostname or "",),
        cors_origins=() if public is None else (public.lower(),),  # behind a proxy that names another host
    )
    store = held.get().parts.store
    ring = KeyRing(store)
    known = ring.count()
    check_bind(host, keys=known)
    guarded = with_keys or public is not None or not settings.is_loopback
    app = mcp_app(
        server,
        settings=settings,
        keys=ring,
        are_required=guarded,
        teams=Teams(store),
        sign_in=None if public is None else SignIn(store, ring, public_url=public, path=PATH),
    )
    configure_logs()
    tune_process()
    begins(0 if guarded else known)
    make_server(_Closing(app, held), settings).run()
