"""Apps that registered themselves. None is stored: an app's id holds what it said, signed by the server.

Anybody may register, so nothing that is registered may fill the store, and nothing is allowed by it.
"""

import hmac
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from secrets import token_hex
from typing import Final
from urllib.parse import urlsplit

from mcp.server.auth.provider import RegistrationError
from mcp.shared.auth import OAuthClientInformationFull

from recollect.protocols import Store
from recollect.text.quoting import seen

READ: Final = "memory:read"
WRITE: Final = "memory:write"
SCOPES: Final = (READ, WRITE)
_SECRET: Final = "oauth-client-secret"  # noqa: S105 - the name of a setting
_PREFIX: Final = "rca_"
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_NEVER: Final = re.compile(
    r"about|blob|chrome|chrome-extension|data|edge|facetime|feed|file|filesystem|ftp|help|intent|jar|javascript"
    r"|ldap|mailto|moz-extension|resource|search|search-ms|sftp|shell|sms|smb|ssh|tel|telnet|vbscript"
    r"|view-source|wais|ws|wss|(?:ms-|x-apple|itms|com\.apple\.|android-app).*"
)
"""Schemes of addresses that are no app's, but the browser's and the system's: what handles these takes
commands. Chosen by hand."""
_PLACE: Final = re.compile(r"[A-Za-z0-9.:\[\]-]*")
"""A host and a port, which also stand in a content security policy."""
_MOST_CHARACTERS: Final = 2_000
_LONGEST_NAME: Final = 80
"""Characters of all addresses of an app, and of the name that is shown. Chosen by hand."""


class Clients:
    """Makes and reads the ids of apps."""

    def __init__(self, store: Store) -> None:
        store.put_setting(_SECRET, token_hex(32), unless_set=True)
        self._secret = (store.setting(_SECRET) or "").encode()

    def register(self, info: OAuthClientInformationFull) -> None:
        """Give an app its id. It gets no secret: what it is allowed is bound to its proof key (PKCE).

        Raises:
            RegistrationError: An answer cannot be sent to one of its addresses.
        """
        addresses = [str(one) for one in info.redirect_uris or ()]
        if not addresses or sum(map(len, addresses)) > _MOST_CHARACTERS:
            raise RegistrationError("invalid_redirect_uri", "1 to 2,000 characters of addresses are needed")
        for address in addresses:
            _check(address)
        info.client_id = self._signed({"name": _name(info.client_name, addresses[0]), "to": addresses})
        info.client_secret = info.client_secret_expires_at = None
        info.token_endpoint_auth_method = "none"  # noqa: S105 - no password
        info.scope = " ".join(SCOPES)

    def read(self, client_id: str) -> OAuthClientInformationFull | None:
        """What an app said when it registered; None for an id that this server did not give."""
        payload, _, mac = client_id.removeprefix(_PREFIX).rpartition(".")
        if not client_id.startswith(_PREFIX) or not hmac.compare_digest(mac.encode(), self._mac(payload)):
            return None
        said = json.loads(urlsafe_b64decode(payload))
        return OAuthClientInformationFull(
            client_id=client_id,
            client_name=said["name"],
            redirect_uris=said["to"],
            token_endpoint_auth_method="none",  # noqa: S106 - no password
            grant_types=["authorization_code", "refresh_token"],
            scope=" ".join(SCOPES),
        )

    def _signed(self, said: dict[str, object]) -> str:
        payload = urlsafe_b64encode(json.dumps(said, separators=(",", ":")).encode()).decode()
        return f"{_PREFIX}{payload}.{self._mac(payload).decode()}"

    def _mac(self, payload: str) -> bytes:
        return hmac.new(self._secret, payload.encode(), sha256).hexdigest().encode()


def _name(given: str | None, address: str) -> str:
    """What an app calls itself, cut, with signs that nobody sees written out."""
    name = " ".join((given or "").split())
    return seen(name[:_LONGEST_NAME]) or shown_address(address)


def shown_address(address: str) -> str:
    """Where an address leads: its host, or the scheme of an app on the person's own machine.

    >>> shown_address("https://claude.ai/api/callback"), shown_address("cursor://oauth")
    ('claude.ai', 'cursor: on this machine')
    """
    parts = urlsplit(address)
    return parts.netloc if parts.scheme in {"http", "https"} else f"{parts.scheme}: on this machine"


def _check(address: str) -> None:
    parts = urlsplit(address)
    is_web = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    is_own = parts.scheme not in {"http", "https"} and _NEVER.fullmatch(parts.scheme) is None
    if not (is_web or is_own):
        raise RegistrationError(
            "invalid_redirect_uri", "an answer is sent over https, to this machine, or to an app's own scheme"
        )
    if "#" in address or _PLACE.fullmatch(parts.netloc) is None:
        raise RegistrationError("invalid_redirect_uri", "an address has a plain host and no fragment")
