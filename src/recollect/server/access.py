"""Authentication: the principal of each request and its rights, found by its key."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, NamedTuple, Protocol

import anyio.to_thread

from recollect.server.keys import ANY_USER, ROLES, Key, Role
from recollect.server.problems import ProblemError
from recollect.server.settings import ServerSettings

_REMEMBERED: Final = 1_024
_REMEMBERED_S: Final = 2.0
"""Size of the key cache, and seconds an entry lives: a revoked key works that much longer. Chosen by hand."""
_THREADS: Final = 8
"""Keys looked up at a time. Chosen by hand."""
_MINUTE_S: Final = 60.0
_STRANGERS: Final = "-"
_NO_KEYS: Final = frozenset({"", "basic"})
"""Schemes of ``Authorization`` that carry no key: none, and that of a proxy's passwords."""
_NAMELESS: Final = (
    "this key is for any user, so the request must name one: user_id, in /api/chat userId; "
    "over MCP use the key of one user"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """The authenticated sender of a request.

    Attributes:
        key_id: The id of its key; ``-`` for a request without one.
        owner: The only user it may access; None for any user.
        default_user: The user of a request that names none and sends no key.
        key: The key; None where none is required and none was sent: everything is allowed.
        spaces: The team spaces of its owner, and the owner's role in each.
    """

    key_id: str
    owner: str | None
    default_user: str
    key: Key | None = None
    spaces: Mapping[str, Role] = field(default_factory=dict)

    def may(self, role: Role) -> bool:
        """Whether it has the rights of a role."""
        return self.key is None or self.key.may(role)

    def role(self, user: str) -> Role:
        """What it may do with the memories of a user or a space that it opens."""
        own = "admin" if self.key is None else self.key.role
        return min(own, self.spaces.get(user, own), key=ROLES.index)

    def max_body(self, settings: ServerSettings, *, is_file: bool = False) -> int:
        """The maximum size of a request's body, or of a file that an admin sends, in bytes."""
        own = None if self.key is None else self.key.max_body_bytes
        most = settings.max_import_bytes if is_file and self.may("admin") else settings.max_body_bytes
        return most if own is None else own

    def user(self, named: str | None, *, role: Role = "reader") -> str:
        """Return the user or the space a request is about, which needs a role there.

        Raises:
            ProblemError: The key does not give access to the named user, or not in this role; or it is for
                any user, and none is named.
        """
        if self.owner is None:
            return self._any_user(named)
        if named is None or named == self.owner:
            return self.owner
        if named not in self.spaces:
            raise ProblemError(HTTPStatus.FORBIDDEN, "this key belongs to another user")
        if ROLES.index(self.spaces[named]) < ROLES.index(role):
            raise ProblemError(HTTPStatus.FORBIDDEN, f"a {self.spaces[named]} of this space may not do that")
        return named

    def _any_user(self, named: str | None) -> str:
        """The named user; without a key, by default the server's default user."""
        if named is None and self.key is not None:
            raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, _NAMELESS)
        return self.default_user if named is None else named

    def users(self, named: str | None) -> tuple[str, ...]:
        """Return whose memories a question is about that names nobody: the owner's and its spaces'.

        Raises:
            ProblemError: The key does not give access to the named user.
        """
        own = self.user(named)
        return (own, *self.spaces) if named is None and self.owner is not None else (own,)

    def signs(self, user: str) -> str | None:
        """Return who stores something for a user: its owner in a team space, None in its own memory."""
        return self.owner if user in self.spaces else None

    def must_have_said(self, user: str) -> str | None:
        """Return who may change only what it said: a member that is no admin of the space; None otherwise."""
        runs = self.may("admin") and self.spaces.get(user) == "admin"
        return None if runs else self.signs(user)


class KeyFinder(Protocol):
    """Finds keys by their texts."""

    def find(self, text: str, /) -> Key | None:
        """The key whose text this is; None for one that is unknown or revoked."""


class _Known(NamedTuple):
    """A key, and the spaces of its owner."""

    key: Key
    spaces: Mapping[str, Role]


class Guard:
    """Authenticates requests and enforces rate limits.

    Args:
        keys: Finds the key whose text is sent.
        settings: The limits.
        is_required: Whether each request needs a key. One that is sent counts in any case.
        spaces_of: The team spaces of a user, with the role in each.
        challenge: What a request without a valid key is told to send.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        keys: KeyFinder,
        *,
        settings: ServerSettings,
        is_required: bool = True,
        spaces_of: Callable[[str], Mapping[str, Role]] = lambda _: {},
        challenge: str = "Bearer",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keys = keys
        self._is_required = is_required
        self._spaces_of = spaces_of
        self._challenge = challenge
        self._settings = settings
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, _Known]] = OrderedDict()
        self._threads = anyio.CapacityLimiter(_THREADS)
        self._buckets: dict[str, tuple[float, float]] = {}

    async def admit(self, headers: Mapping[str, str]) -> Principal:
        """Authenticate a request by its headers, and count it against the rate limit of its key.

        The store is asked in a thread: while it is locked, what needs no key is still answered.

        Raises:
            ProblemError: 401: the key is missing or unknown; 429: the key made too many requests.
        """
        text = self._text_of(headers)
        if text is None:
            return Principal(key_id="-", owner=None, default_user=self._settings.default_user)
        known = self._remembered(text)
        if known is None:
            known = await anyio.to_thread.run_sync(self._find, text, limiter=self._threads)
        key = known.key
        self._count(key.id, key.rate_per_minute)
        return Principal(
            key_id=key.id,
            owner=None if key.owner == ANY_USER else key.owner,
            default_user=self._settings.default_user,
            key=key,
            spaces=known.spaces,
        )

    def count_stranger(self) -> None:
        """Count a request of somebody without a key against the limit that all of them share.

        Raises:
            ProblemError: 429: too many requests.
        """
        self._count(_STRANGERS, None)

    def _remembered(self, text: str) -> _Known | None:
        known = self._known.get(text)
        return known[1] if known is not None and self._clock() - known[0] < _REMEMBERED_S else None

    def _find(self, text: str) -> _Known:
        now = self._clock()
        key = self._keys.find(text)
        if key is None:
            self._known.pop(text, None)
            raise self._unauthorised("this key is unknown, or was revoked")
        known = _Known(key, self._spaces_of(key.owner))
        self._known[text] = (now, known)
        while len(self._known) > _REMEMBERED:
            with suppress(KeyError):  # another thread may have dropped it
                self._known.popitem(last=False)
        return known

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

    def _text_of(self, headers: Mapping[str, str]) -> str | None:
        """The key that was sent; None where none was, and none is required."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        bearer = token.strip() if scheme.lower() == "bearer" else ""
        text = bearer or headers.get("x-api-key", "").strip()
        if not text and not self._is_required and scheme.lower() in _NO_KEYS:
            return None
        if not text:
            raise self._unauthorised("a key is needed: send Authorization: Bearer KEY, or X-API-Key: KEY")
        return text

    def _unauthorised(self, detail: str) -> ProblemError:
        return ProblemError(HTTPStatus.UNAUTHORIZED, detail, headers={"WWW-Authenticate": self._challenge})
