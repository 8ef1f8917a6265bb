"""The authorization server behind the SDK's endpoints: requests that wait for a person, codes, tokens.

What waits is in memory and soon over; what a person allowed is in ``Grants``.
"""

import hmac
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from secrets import token_urlsafe
from typing import Any, Final, TypeVar

import anyio.to_thread
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
    construct_redirect_uri,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from recollect.server.keys import Key, digest_of
from recollect.server.oauth.clients import READ, SCOPES, WRITE, Clients
from recollect.server.oauth.grants import ACCESS_S, Access, Grant, Grants

CONSENT_S: Final = 600.0
"""Seconds a person has to answer."""
_CODE_S: Final = 60.0
"""Seconds an app has to fetch its tokens. Both are chosen by hand."""
_MOST_WAITING: Final = 1_000
"""Requests that wait for a person; beyond, the oldest is dropped. Chosen by hand."""
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""SHA-256 in base64url (RFC 7636)."""
_Value = TypeVar("_Value")


@dataclass(slots=True, kw_only=True)
class Waiting:
    """An app's request that waits for a person.

    Attributes:
        client: The app.
        params: What it asked for.
        until: When it is over, on the provider's clock.
        browser: SHA-256 of the cookie of the browser that asks the person; None before it was asked.
    """

    client: OAuthClientInformationFull
    params: AuthorizationParams
    until: float
    browser: str | None = None

    @property
    def wants_to_write(self) -> bool:
        """Whether the app asks to add and change; one that names no scope asks for everything."""
        return not self.params.scopes or WRITE in self.params.scopes


@dataclass(slots=True, kw_only=True)
class _Code:
    """A code that an app was given.

    Attributes:
        code: What it stands for.
        key: The key of the person.
        access: What was allowed.
        spent: Whether it was used, with whatever success.
        copied: Whether it was used again.
        grant_id: The grant that was made of it.
    """

    code: AuthorizationCode
    key: Key
    access: Access
    spent: bool = False
    copied: bool = False
    grant_id: str | None = None


@dataclass(slots=True)
class _Desk:
    """What is under way, by hashes, the oldest first."""

    waiting: dict[str, Waiting] = field(default_factory=dict)
    codes: dict[str, _Code] = field(default_factory=dict)


class Provider(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """See ``OAuthAuthorizationServerProvider``, whose methods these are.

    Args:
        clients: The apps.
        grants: What people allowed.
        issuer: The address of the server, without a path.
        resource: The address of what tokens open.
        clock: Seconds since 1970.
    """

    def __init__(
        self,
        clients: Clients,
        grants: Grants,
        *,
        issuer: str,
        resource: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._clients = clients
        self._grants = grants
        self._issuer = issuer
        self._resource = resource
        self._clock = clock
        self._desk = _Desk()

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """An app by its id."""
        return self._clients.read(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Give an app its id."""
        self._clients.register(client_info)

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Let a request wait for a person; returns where to ask."""
        if _CHALLENGE.fullmatch(params.code_challenge) is None:
            raise AuthorizeError("invalid_request", "code_challenge is no SHA-256 in base64url")
        if params.resource is not None and params.resource.rstrip("/") != self._resource:
            raise AuthorizeError("invalid_target", f"this server gives tokens for {self._resource} alone")
        now, name = self._clock(), token_urlsafe(32)
        kept = {one: it for one, it in self._desk.waiting.items() if it.until > now}
        self._desk.waiting = dict(list(kept.items())[-_MOST_WAITING + 1 :])
        made = Waiting(client=client, params=params, until=now + CONSENT_S)
        self._desk.waiting[digest_of(name)] = made
        return f"{self._issuer}/consent?request={name}"

    def waiting(self, name: str) -> Waiting | None:
        """A request that waits for a person; None for one that is over or unknown."""
        found = self._desk.waiting.get(digest_of(name))
        return found if found is not None and found.until > self._clock() else None

    def deny(self, name: str) -> str:
        """Where to send the browser of a person who denied a request."""
        asked = self._desk.waiting.pop(digest_of(name)).params
        return self._answer(asked, error="access_denied", error_description="the person denied it")

    def allow(self, name: str, key: Key, access: Access) -> str:
        """Where to send the browser of a person who allowed a request: to the app, with a code."""
        asked = self._desk.waiting.pop(digest_of(name))
        code, now = token_urlsafe(32), self._clock()
        self._desk.codes = {one: it for one, it in self._desk.codes.items() if it.code.expires_at > now}
        made = AuthorizationCode(
            code=code,
            scopes=_scopes(access),
            expires_at=now + _CODE_S,
            client_id=asked.client.client_id or "",
            code_challenge=asked.params.code_challenge,
            redirect_uri=asked.params.redirect_uri,
            redirect_uri_provided_explicitly=asked.params.redirect_uri_provided_explicitly,
            resource=self._resource,
            subject=key.owner,
        )
        self._desk.codes[digest_of(code)] = _Code(code=made, key=key, access=access)
        return self._answer(asked.params, code=code)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        """A code, once: one that is used again ends what was granted for it."""
        found = self._desk.codes.get(digest_of(authorization_code))
        if found is None or found.code.client_id != client.client_id:
            return None
        if found.spent:
            found.copied = True
            if found.grant_id is not None:
                await _in_thread(self._grants.end, f"{found.key.id}/{found.grant_id}")
            return None
        found.spent = True
        return found.code if found.code.expires_at > self._clock() else None

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        """The tokens for a code; none for one that was used again meanwhile, or whose key was revoked."""
        found = self._desk.codes[digest_of(authorization_code.code)]
        create = partial(
            self._grants.create,
            found.key,
            client_id=client.client_id or "",
            client_name=client.client_name or "",
            access=found.access,
        )
        made = None if found.copied else await _in_thread(create)
        if made is None:
            raise TokenError("invalid_grant", "authorization code does not exist")
        grant, tokens = made
        found.grant_id = grant.id
        if found.copied:
            await _in_thread(self._grants.end, grant.shown_id)
            raise TokenError("invalid_grant", "authorization code does not exist")
        return _told(grant, tokens.access, tokens.refresh)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        """A refresh token that is not spent."""
        grant = await _in_thread(self._grants.refreshable, refresh_token)
        if grant is None or grant.client_id != client.client_id:
            return None
        return RefreshToken(
            token=refresh_token,
            client_id=grant.client_id,
            scopes=_scopes(grant.access),
            expires_at=grant.refresh_until,
            resource=self._resource,
        )

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        """New tokens for a refresh token. They allow what the first ones did: a grant is not narrowed."""
        del client, scopes
        grant = await _in_thread(self._grants.refreshable, refresh_token.token)
        tokens = await _in_thread(self._grants.renew, refresh_token.token)
        if grant is None or tokens is None:
            raise TokenError("invalid_grant", "refresh token does not exist")
        return _told(grant, tokens.access, tokens.refresh)

    async def load_access_token(self, token: str) -> AccessToken | None:
        """What an access token allows."""
        found = await _in_thread(self._grants.allowed, token)
        if found is None:
            return None
        key, grant = found
        return AccessToken(
            token=token,
            client_id=grant.client_id,
            scopes=_scopes(grant.access),
            expires_at=grant.access_until,
            resource=self._resource,
            subject=key.owner,
        )

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """End the grant of a token, and so all its tokens."""
        _, key_id, grant_id, _ = token.token.split("_", 3)
        await _in_thread(self._grants.end, f"{key_id}/{grant_id}")

    def _answer(self, asked: AuthorizationParams, **said: str) -> str:
        """The app's address with an answer, and who gives it (RFC 9207)."""
        return construct_redirect_uri(str(asked.redirect_uri), **said, state=asked.state, iss=self._issuer)


def is_browser(asked: Waiting, cookie: str) -> bool:
    """Whether a cookie is that of the browser in which a request was opened."""
    return asked.browser is not None and hmac.compare_digest(asked.browser, digest_of(cookie))


def _scopes(access: Access) -> list[str]:
    return [READ] if access == "reader" else list(SCOPES)


def _told(grant: Grant, access: str, refresh: str) -> OAuthToken:
    return OAuthToken(
        access_token=access,
        token_type="Bearer",  # noqa: S106 - no password
        expires_in=ACCESS_S,
        scope=" ".join(_scopes(grant.access)),
        refresh_token=refresh,
    )


async def _in_thread(call: Callable[..., _Value], *given: Any) -> _Value:
    return await anyio.to_thread.run_sync(partial(call, *given))
