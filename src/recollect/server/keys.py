"""Keys: who may do what, and with whose memories. The store keeps their hashes, never the keys.

Each key has a slot of its own among the store's settings, so that two that are made at once both stay, in
every kind of store. A slot is written when its key is made and when it is revoked.
"""

import hmac
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Final, Literal, get_args

from recollect.checks import check_count, check_id, check_name, check_one_of
from recollect.errors import InvalidInputError, NotFoundError, as_given
from recollect.types.clock import utc_now
from recollect.types.spaces import SPACE

if TYPE_CHECKING:
    from recollect.protocols import Clock, Store

Role = Literal["reader", "writer", "admin"]
"""What a key may do: read; write, too; export, import, purge and configure, too."""
ROLES: Final[tuple[Role, ...]] = get_args(Role)

ANY_USER: Final = "*"
"""The owner of a key for a back end that serves many users and names one in each request."""
_PREFIX: Final = "rcl"
_SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key, without its secret.

    Attributes:
        owner: Whose memories it opens: a user, ``space:NAME``, or ``*`` for any user.
        digest: SHA-256 of its secret, which has 256 random bits.
        created_at: When it was made, ISO 8601.
        revoked_at: When it was revoked; None while it opens.
        rate_per_minute: Its own limit; None for the server's.
        max_body_bytes: Its own limit; None for the server's.
    """

    id: str
    owner: str
    role: Role
    label: str | None
    digest: str
    created_at: str
    revoked_at: str | None = None
    rate_per_minute: int | None = None
    max_body_bytes: int | None = None

    def may(self, role: Role) -> bool:
        """Whether it may do what a role may."""
        return ROLES.index(self.role) >= ROLES.index(role)


class KeyRing:
    """The keys of a store."""

    def __init__(self, store: "Store", *, clock: "Clock" = utc_now) -> None:
        self._store = store
        self._clock = clock

    def create(
        self,
        *,
        owner: str,
        role: Role,
        label: str | None = None,
        rate_per_minute: int | None = None,
        max_body_bytes: int | None = None,
    ) -> tuple[Key, str]:
        """Make a key; returns it with its text, which cannot be shown again."""
        check_one_of("role", role, ROLES)
        secret = token_urlsafe(_SECRET_BYTES)
        key = Key(
            id="",
            owner=check_id("owner", owner),
            role=role,
            label=check_name("label", label),
            digest=digest_of(secret),
            created_at=_written(self._clock()),
            rate_per_minute=_limit("rate_per_minute", rate_per_minute),
            max_body_bytes=_limit("max_body_bytes", max_body_bytes),
        )
        kept = self._put(key)
        return kept, f"{_PREFIX}_{kept.id}_{secret}"

    def all(self) -> list[Key]:
        """Every key that was made, also revoked ones, in the order in which they were made."""
        return list(self._kept())

    def count(self) -> int:
        """How many keys open something: those that were not revoked."""
        return sum(key.revoked_at is None for key in self._kept())

    def get(self, key_id: str) -> Key | None:
        """The key of an id, also a revoked one; None where there is none."""
        return self._read(key_id)

    def revoke(self, key_id: str) -> Key:
        """Let a key open nothing any more.

        Raises:
            NotFoundError: There is none with this id.
        """
        key = self._read(key_id)
        if key is None:
            raise NotFoundError(f"no key {as_given(key_id)}")
        if key.revoked_at is None:
            key = replace(key, revoked_at=_written(self._clock()))
            self._store.put_setting(_slot(key.id), json.dumps(asdict(key)))
        return key

    def find(self, text: str) -> Key | None:
        """The key whose text this is; None for one that is unknown or revoked."""
        prefix, _, rest = text.partition("_")
        key_id, _, secret = rest.partition("_")
        key = self._read(key_id) if prefix == _PREFIX else None
        known = key.digest if key is not None else digest_of("")
        same = hmac.compare_digest(known, digest_of(secret))
        return key if key is not None and same and key.revoked_at is None else None

    def _put(self, key: Key) -> Key:
        """Write a key into the first free slot."""
        number = sum(1 for _ in self._kept()) + 1
        while True:
            named = replace(key, id=str(number))
            written = json.dumps(asdict(named))
            self._store.put_setting(_slot(named.id), written, unless_set=True)
            if self._store.setting(_slot(named.id)) == written:
                return named
            number += 1

    def _kept(self) -> Iterator[Key]:
        number = 1
        while key := self._read(str(number)):
            yield key
            number += 1

    def _read(self, key_id: str) -> Key | None:
        if not (key_id.isascii() and key_id.isdecimal()) or len(key_id) > len(str(1 << 32)):
            return None
        kept = self._store.setting(_slot(str(int(key_id))))
        return None if kept is None else Key(**json.loads(kept))


def owner_of(*, user: str | None, space: str | None, any_user: bool) -> str:
    """The owner of a key for a user, a team space or any user; exactly one must be given."""
    if sum((user is not None, space is not None, any_user)) != 1:
        raise InvalidInputError("say whom the key is for: a user, a team space, or any user")
    if any_user:
        return ANY_USER
    if space is not None:
        return check_id("space", f"{SPACE}{space}")
    name = check_id("user", user)
    if name == ANY_USER or name.startswith(SPACE):
        raise InvalidInputError(f"the user {as_given(name)} would be read as something else; name another")
    return name


def _limit(name: str, value: int | None) -> int | None:
    return None if value is None else check_count(name, value, most=1 << 40)


def _slot(key_id: str) -> str:
    return f"server-key-{key_id}"


def digest_of(secret: str) -> str:
    """What the store keeps of a secret with 256 random bits: its SHA-256."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
