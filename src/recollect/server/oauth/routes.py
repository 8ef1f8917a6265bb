"""The paths under which apps register, ask for access and fetch tokens; and what their tokens open."""

import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from mcp.server.auth.handlers.metadata import MetadataHandler
from mcp.server.auth.routes import (
    build_metadata,
    build_resource_metadata_url,
    cors_middleware,
    create_auth_routes,
    create_protected_resource_routes,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from pydantic import AnyHttpUrl
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.errors import InvalidInputError, as_given
from recollect.protocols import Store
from recollect.server.keys import Key, KeyRing
from recollect.server.oauth.clients import SCOPES, Clients
from recollect.server.oauth.consent import Consent
from recollect.server.oauth.grants import Grants
from recollect.server.oauth.provider import Provider
from recollect.server.settings import is_loopback

_METADATA: Final = "/.well-known/oauth-authorization-server"
_REVOKE: Final = "/revoke"
_NO_STORE: Final = {"Cache-Control": "no-store"}


class SignIn:
    """How people let apps in: the routes for it, and the tokens beside the keys.

    Args:
        store: Keeps what people allowed.
        ring: The keys with which they allow it.
        public_url: The address under which apps reach this server, see ``checked_url``.
        path: What tokens open there.
        now: Seconds since 1970.
    """

    def __init__(
        self,
        store: Store,
        ring: KeyRing,
        *,
        public_url: str,
        path: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        resource = public_url + path
        self._ring = ring
        self._grants = Grants(store, ring, now=now)
        provider = Provider(Clients(store), self._grants, issuer=public_url, resource=resource, clock=now)
        routes = _routes(provider, ring, issuer=public_url, resource=resource)
        self._router = Router(routes)
        self.paths = frozenset(route.path for route in routes)
        self.challenge = f'Bearer resource_metadata="{build_resource_metadata_url(AnyHttpUrl(resource))}"'

    def find(self, text: str) -> Key | None:
        """The key of a text, or what a token opens, as a key."""
        return self._ring.find(text) or self._grants.find(text)

    def beside(self, app: ASGIApp) -> ASGIApp:
        """An application with these routes, too. Their pages may be opened in a window of the app's page."""

        async def both(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or scope["path"] not in self.paths:
                await app(scope, receive, send)
                return

            async def answer(message: Message) -> None:
                if message["type"] == "http.response.start":
                    MutableHeaders(scope=message)["Cross-Origin-Opener-Policy"] = "unsafe-none"
                await send(message)

            await self._router(scope, receive, answer)

        return both


def checked_url(public_url: str) -> str:
    """An address under which apps reach a server, without a slash at its end.

    Raises:
        InvalidInputError: It is neither one of https nor one of this machine, or has a path.
    """
    parts = urlsplit(public_url.rstrip("/"))
    known = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))
    if not known or not parts.hostname or parts.username or parts.path or parts.query or parts.fragment:
        raise InvalidInputError(
            f"the public address {as_given(public_url)} must be one of https and have no path, such as "
            "https://memory.example.org"
        )
    return f"{parts.scheme}://{parts.netloc}"


def _routes(provider: Provider, ring: KeyRing, *, issuer: str, resource: str) -> list[Route]:
    """The SDK's routes, the consent page, and revocation.

    The SDK's own metadata and revocation know apps with secrets alone, and here no app has one.
    """
    options = ClientRegistrationOptions(enabled=True, valid_scopes=list(SCOPES), default_scopes=list(SCOPES))
    url = AuthSettings.model_validate({"issuer_url": issuer, "resource_server_url": None}).issuer_url
    described = build_metadata(url, None, options, RevocationOptions(enabled=True))
    described.token_endpoint_auth_methods_supported = ["none"]
    described.revocation_endpoint_auth_methods_supported = ["none"]
    described.authorization_response_iss_parameter_supported = True
    consent = Consent(provider, ring, is_secure=issuer.startswith("https:"))
    theirs = create_auth_routes(provider, url, client_registration_options=options)
    return [
        Route(_METADATA, cors_middleware(MetadataHandler(described).handle, ["GET"]), methods=["GET"]),
        *(route for route in theirs if route.path != _METADATA),
        *create_protected_resource_routes(AnyHttpUrl(resource), [url], list(SCOPES), "Recollect"),
        Route(_REVOKE, _Revocation(provider).answer, methods=["POST"]),
        Route("/consent", consent.ask, methods=["GET"]),
        Route("/consent", consent.answer, methods=["POST"]),
    ]


class _Revocation:
    """Ends what a token belongs to (RFC 7009). Who has a token may end it, whatever it is good for."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    async def answer(self, request: Request) -> Response:
        """200, also for a token that is unknown; 400 where none was sent."""
        form = await request.form(max_files=0)
        token, client_id = str(form.get("token") or ""), str(form.get("client_id") or "")
        client = await self._provider.get_client(client_id)
        if not token or client is None:
            told = {"error": "invalid_request" if client else "invalid_client"}
            return JSONResponse(told, 400 if client else 401, headers=_NO_STORE)
        for load in (
            self._provider.load_access_token(token),
            self._provider.load_refresh_token(client, token),
        ):
            found = await load
            if found is not None and found.client_id == client_id:
                await self._provider.revoke_token(found)
        return Response(headers=_NO_STORE)
