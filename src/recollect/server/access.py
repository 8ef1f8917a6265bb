"""Authentication: the principal of each request and its rights, found by its key."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Protocol

import anyio.to_thread

from recollect.server.keys import ANY_USER, Key, Role
from recollect.server.problems import ProblemError
from recollect.server.settings import ServerSettings

_REMEMBERED: Final = 1_024
_REMEMBERED_S: Final = 2.0
"""Size of the key cache, and seconds an entry lives: a revoked key works that much longer. Chosen by hand."""
_THREADS: Final = 8
"""Keys looked up at a time. Chosen by hand."""
_MINUTE_S: Final = 60.0
_STRANGERS: Final = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """The authenticated sender of a request.

    Attributes:
        key_id: The id of its key; ``-`` on a server without keys.
        owner: The only user it may access; None for any user.
        default_user: The user of a request that names none.
        key: The key; None on a server without keys, where everything is allowed.
    """

    key_id: str
    owner: str | None
    default_user: str
    key: Key | None = None

    def may(self, role: Role) -> bool:
        """Whether it has the rights of a role."""
        return self.key is None or self.key.may(role)

    def max_body(self, settings: ServerSettings) -> int:
        """The maximum size of a request's body, in bytes."""
        own = None if self.key is None else self.key.max_body_bytes
        return settings.max_body_bytes if own is None else own

    def user(self, named: str | None) -> str:
        """Return the user a request is about.

        Raises:
            ProblemError: The key does not give access to the named user.
        """
        if self.owner is None:
            return self.default_user if named is None else named
        if named is not None and named != self.owner:
            raise ProblemError(HTTPStatus.FORBIDDEN, "this key belongs to another user")
        return self.owner


class KeyFinder(Protocol):
    """Finds keys by their texts."""

    def find(self, text: str, /) -> Key | None:
        """The key whose text this is; None for one that is unknown or revoked."""


class Guard:
    """Authenticates requests and enforces rate limits.

    Args:
        keys: Finds the key whose text is sent; None where none is needed.
        settings: The limits.
        challenge: What a request without a valid key is told to send.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        keys: KeyFinder | None,
        *,
        settings: ServerSettings,
        challenge: str = "Bearer",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keys = keys
        self._challenge = challenge
        self._settings = settings
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, Key]] = OrderedDict()
        self._threads = anyio.CapacityLimiter(_THREADS)
        self._buckets: dict[str, tuple[float, float]] = {}

    async def admit(self, headers: Mapping[str, str]) -> Principal:
        """Authenticate a request by its headers, and count it against the rate limit of its key.

        The store is asked in a thread: while it is locked, what needs no key is still answered.

        Raises:
            ProblemError: 401: the key is missing or unknown; 429: the key made too many requests.
        """
        if self._keys is None:
            return Principal(key_id="-", owner=None, default_user=self._settings.default_user)
        text = self._text_of(headers)
        key = self._remembered(text)
        if key is None:
            key = await anyio.to_thread.run_sync(self._find, text, limiter=self._threads)
        self._count(key.id, key.rate_per_minute)
        return Principal(
            key_id=key.id,
            owner=None if key.owner == ANY_USER else key.owner,
            default_user=self._settings.default_user,
            key=key,
        )

    def count_stranger(self) -> None:
        """Count a request of somebody without a key against the limit that all of them share.

        Raises:
            ProblemError: 429: too many requests.
        """
        self._count(_STRANGERS, None)

    def _remembered(self, text: str) -> Key | None:
        known = self._known.get(text)
        return known[1] if known is not None and self._clock() - known[0] < _REMEMBERED_S else None

    def _find(self, text: str) -> Key:
        now = self._clock()
        assert self._keys is not None  # noqa: S101 - admit looked
        key = self._keys.find(text)
        if key is None:
            self._known.pop(text, None)
            raise self._unauthorised("this key is unknown, or was revoked")
        self._known[text] = (now, key)
        while len(self._known) > _REMEMBERED:
            with suppress(KeyError):  # another thread may have dropped it
                self._known.popitem(last=False)
        return key

    def _count(self, key_id: str, own_rate: int | None) -> None:
        """Take a token from the key's bucket, which refills evenly and holds the requests of a minute."""
        rate = self._settings.rate_per_minute if own_rate is None else own_rate
        now = self._clock()
        left, at = self._buckets.get(key_id, (float(rate), now))
        left = min(float(rate), left + (now - at) * rate / _MINUTE_S)
        if left < 1:
            self._buckets[key_id] = (left, now)
            wait = max(1, round((1 - left) * _MINUTE_S / rate))
            raise ProblemError(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"this key may make {rate:,} requests a minute; wait {wait} s",
                headers={"Retry-After": str(wait)},
            )
        self._buckets[key_id] = (left - 1, now)

    def _text_of(self, headers: Mapping[str, str]) -> str:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        bearer = token.strip() if scheme.lower() == "bearer" else ""
        text = bearer or headers.get("x-api-key", "").strip()
        if not text:
            raise self._unauthorised("a key is needed: send Authorization: Bearer KEY, or X-API-Key: KEY")
        return text

    def _unauthorised(self, detail: str) -> ProblemError:
        return ProblemError(HTTPStatus.UNAUTHORIZED, detail, headers={"WWW-Authenticate": self._challenge})
