"""What people allowed to apps: an app acts for a key's owner until it, or the key, is revoked.

The grants of an owner are one text in the store, so a purge of the owner removes them. A token names its key
and its grant; of its secret the store keeps a hash.
"""

import hmac
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from secrets import token_hex, token_urlsafe
from typing import Any, Final, Literal, NamedTuple

from recollect.errors import NotFoundError, as_given
from recollect.protocols import Store
from recollect.server.keys import Key, KeyRing, Role, digest_of
from recollect.types import Scope

Access = Literal["reader", "writer"]
"""What an app may do, as with a key of that role."""
ACCESS_S: Final = 3_600
"""Seconds an access token is valid. Chosen by hand."""
REFRESH_S: Final = 90 * 86_400
"""Seconds a refresh token is valid: an app that nobody uses for so long asks again. Chosen by hand."""
_STATE: Final = "oauth grants"
_ACCESS: Final = "rct"
_REFRESH: Final = "rcr"
_SECRET_BYTES: Final = 32
_ID_BYTES: Final = 8
_LOGGED: Final = 6
"""Characters of a grant's id that stand in logs. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a person allowed to an app.

    Attributes:
        id: Its id, hard to guess.
        key_id: The key with which it was allowed.
        client_id: The app.
        client_name: What the app calls itself.
        access: What it may do, at most what the key may.
        created_at: When it was allowed, in seconds since 1970.
        access_digest: SHA-256 of the access token's secret.
        access_until: When that ends.
        refresh_digest: SHA-256 of the refresh token's secret.
        refresh_until: When that ends.
    """

    id: str
    key_id: str
    client_id: str
    client_name: str
    access: Access
    created_at: int
    access_digest: str = ""
    access_until: int = 0
    refresh_digest: str = ""
    refresh_until: int = 0

    @property
    def shown_id(self) -> str:
        """The id by which it is listed and revoked."""
        return f"{self.key_id}/{self.id}"


class TokenPair(NamedTuple):
    """The tokens of a grant, which cannot be shown again."""

    access: str
    refresh: str


class Grants:
    """The grants of all owners in a store."""

    def __init__(self, store: Store, ring: KeyRing, *, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self._ring = ring
        self._now = now

    def create(
        self, key: Key, *, client_id: str, client_name: str, access: Access
    ) -> tuple[Grant, TokenPair] | None:
        """Allow an app to act for a key's owner; None where the key was revoked meanwhile."""
        current = self._ring.get(key.id)
        if current is None or current.revoked_at is not None:
            return None
        made, tokens = self._renewed(
            Grant(
                id=token_hex(_ID_BYTES),
                key_id=key.id,
                client_id=client_id,
                client_name=client_name,
                access=access,
                created_at=int(self._now()),
            )
        )
        self._change(key, lambda known: {**known, made.id: made})
        return made, tokens

    def renew(self, refresh_token: str) -> TokenPair | None:
        """New tokens for a refresh token, which is spent then; None for one that is not valid.

        Of two that come at once one is renewed: the other is a spent one, which ends the grant.
        """
        found: list[TokenPair] = []
        key, grant_id, secret = self._read(refresh_token, _REFRESH)
        if key is None:
            return None

        def change(known: dict[str, Grant]) -> dict[str, Grant]:
            found.clear()
            grant = known.get(grant_id)
            if grant is None or not _same(grant.refresh_digest, secret):
                return {one: kept for one, kept in known.items() if one != grant_id}
            made, tokens = self._renewed(grant)
            found.append(tokens)
            return {**known, grant_id: made}

        self._change(key, change)
        return found[0] if found else None

    def refreshable(self, refresh_token: str) -> Grant | None:
        """The grant of a refresh token; a spent one, which somebody copied, ends its grant."""
        key, grant_id, secret = self._read(refresh_token, _REFRESH)
        grant = self._of(key).get(grant_id) if key is not None else None
        if key is None or grant is None:
            return None
        if not _same(grant.refresh_digest, secret):
            self._drop(key, grant_id)
            return None
        return grant if grant.refresh_until > self._now() else None

    def find(self, access_token: str) -> Key | None:
        """What an access token opens, as a key; None for one that is unknown, over or revoked."""
        found = self.allowed(access_token)
        if found is None:
            return None
        key, grant = found
        role: Role = "reader" if grant.access == "reader" or key.role == "reader" else "writer"
        logged = f"{key.id}/{grant.id[:_LOGGED]}"  # who knows a whole id can end its grant
        return replace(key, id=logged, role=role, label=grant.client_name)

    def allowed(self, access_token: str) -> tuple[Key, Grant] | None:
        """The key and the grant of an access token; None for one that is unknown, over or revoked."""
        key, grant_id, secret = self._read(access_token, _ACCESS)
        grant = self._of(key).get(grant_id) if key is not None else None
        if key is None or grant is None or not _same(grant.access_digest, secret):
            return None
        return (key, grant) if grant.access_until > self._now() else None

    def all(self) -> list[Grant]:
        """Every grant that a key in use allowed, by key and time."""
        owners = {key.owner: key for key in self._ring.all() if key.revoked_at is None}
        found = [grant for key in owners.values() for grant in self._of(key).values()]
        valid = {key.id for key in self._ring.all() if key.revoked_at is None}
        return sorted(
            (one for one in found if one.key_id in valid), key=lambda one: (int(one.key_id), one.created_at)
        )

    def revoke(self, shown_id: str) -> Grant:
        """End a grant; its tokens open nothing any more.

        Raises:
            NotFoundError: There is none with this id.
        """
        key_id, _, grant_id = shown_id.partition("/")
        key = self._ring.get(key_id)
        grant = self._of(key).get(grant_id) if key is not None else None
        if key is None or grant is None:
            raise NotFoundError(f"no app {as_given(shown_id)}")
        self._drop(key, grant_id)
        return grant

    def end(self, shown_id: str) -> None:
        """End a grant, if it is there."""
        with suppress(NotFoundError):
            self.revoke(shown_id)

    def _renewed(self, grant: Grant) -> tuple[Grant, TokenPair]:
        access, refresh, now = token_urlsafe(_SECRET_BYTES), token_urlsafe(_SECRET_BYTES), int(self._now())
        made = replace(
            grant,
            access_digest=digest_of(access),
            access_until=now + ACCESS_S,
            refresh_digest=digest_of(refresh),
            refresh_until=now + REFRESH_S,
        )
        named = f"{grant.key_id}_{grant.id}"
        return made, TokenPair(f"{_ACCESS}_{named}_{access}", f"{_REFRESH}_{named}_{refresh}")

    def _read(self, token: str, kind: str) -> tuple[Key | None, str, str]:
        """The key that a token names, if it is in use, the id of its grant, and its secret."""
        prefix, key_id, grant_id, secret = (*token.split("_", 3), "", "", "")[:4]
        key = self._ring.get(key_id) if prefix == kind else None
        return (None if key is None or key.revoked_at is not None else key), grant_id, secret

    def _of(self, key: Key) -> dict[str, Grant]:
        return dict(_grants(self._store.state(Scope(user_id=key.owner), _STATE)))

    def _drop(self, key: Key, grant_id: str) -> None:
        self._change(key, lambda known: {one: kept for one, kept in known.items() if one != grant_id})

    def _change(self, key: Key, change: Callable[[dict[str, Grant]], dict[str, Grant]]) -> None:
        """Change the grants of a key's owner; those that are over go."""

        def changed(text: str | None) -> str | None:
            known = change(dict(_grants(text)))
            kept = {one: asdict(grant) for one, grant in known.items() if grant.refresh_until > self._now()}
            return json.dumps(kept) if kept else None

        self._store.change_state(Scope(user_id=key.owner), _STATE, changed)


def _grants(text: str | None) -> Iterator[tuple[str, Grant]]:
    read: dict[str, dict[str, Any]] = json.loads(text) if text else {}
    return ((one, Grant(**kept)) for one, kept in read.items())


def _same(digest: str, secret: str) -> bool:
    return hmac.compare_digest(digest, digest_of(secret))
