"""The two sides of a sync: an open store each, what is known of it, and what both had in common before."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from os import PathLike
from typing import Final, NamedTuple
from uuid import uuid4

from recollect.errors import StoreError
from recollect.memory.maintenance.copying import able
from recollect.memory.memory import Memory
from recollect.protocols import Copied, Store
from recollect.stores import open_store
from recollect.stores.copy.moving import PAGE, Writable, canonical, pages_of
from recollect.types import Link, MemoryRecord, Scope
from recollect.types.clock import utc_now
from recollect.types.codec import record_to_json
from recollect.types.filters import by_ids

_STORE_ID: Final = "store id"
_MARK: Final = "store mark"
_SYNCED: Final = "synced"


@dataclass(slots=True, kw_only=True)
class SyncSide:
    """What a sync changed in one store: how many memories."""

    added: int = 0
    changed: int = 0
    deleted: int = 0


class PastClock:
    """The present, or the moment at which a change that arrives was made."""

    def __init__(self) -> None:
        self.moment: datetime | None = None

    def __call__(self) -> datetime:
        """The moment that counts now."""
        return self.moment or utc_now()

    @contextmanager
    def at(self, moment: datetime | None) -> Iterator[None]:
        """A context in which it is another moment; None for the present."""
        self.moment = moment
        try:
            yield
        finally:
            self.moment = None


class Counted(NamedTuple):
    """What of a live memory is compared."""

    key: int
    digest: bytes
    idempotency_key: str | None
    links: tuple[Link, ...]


@dataclass(slots=True, kw_only=True, eq=False)
class StoreSide:
    """One of the two stores.

    Attributes:
        turns: By the name of a session's state, the turns of messages that came from the other side.
    """

    store: Writable
    clock: PastClock
    done: SyncSide = field(default_factory=SyncSide)
    turns: dict[str, list[int]] = field(default_factory=dict)
    _memory: Memory | None = None

    @property
    def memory(self) -> Memory:
        """The store as a memory, whose deletions reach what was learned."""
        if self._memory is None:
            self._memory = Memory(self.store, clock=self.clock)
        return self._memory

    def close(self) -> None:
        """Close the store, with the memory over it."""
        if self._memory is not None:
            self._memory.close()

    @property
    def id(self) -> str:
        """What the store is called in the notes of others."""
        self.store.put_setting(_STORE_ID, uuid4().hex, unless_set=True)
        return str(self.store.setting(_STORE_ID))

    def known(self, user: Scope) -> dict[str, Counted]:
        """The live memories of a user, by id."""
        return {
            one.record.id: Counted(one.key, _digest(one.record), one.record.idempotency_key, one.links)
            for page in pages_of(self.store, user)
            for one in page
        }

    def copies(
        self, user: Scope, known: Mapping[str, Counted], ids: Collection[str]
    ) -> Iterator[list[Copied]]:
        """Some of a user's memories with all that belongs to them, in pages."""
        if ids:
            first = min(known[one].key for one in ids) - 1
            for page in pages_of(self.store, user, after=first):
                if some := [one for one in page if one.record.id in ids]:
                    yield some

    def dead(self, user: Scope, ids: Iterable[str]) -> dict[str, MemoryRecord]:
        """Those of some memories that were deleted and not purged."""
        every, found = list(ids), dict[str, MemoryRecord]()
        for start in range(0, len(every), PAGE):
            some = self.store.deleted(user, by_ids(every[start : start + PAGE]))
            found |= {one.id: one for one in some}
        return found


def _digest(record: MemoryRecord) -> bytes:
    return sha256(canonical(record_to_json(record)).encode()).digest()


@contextmanager
def opened_side(place: str | PathLike[str]) -> Iterator[StoreSide]:
    """Open a store for a sync; it is made when missing.

    Raises:
        StoreError: It cannot be opened, copied from or into, or does not tell what was deleted.
    """
    clock = PastClock()
    with closing(open_store(place, clock=clock)) as store:
        if type(store).deleted is Store.deleted:
            raise StoreError(f"{store!r} does not tell what was deleted, so it cannot be synced; copy it")
        side = StoreSide(store=able(store), clock=clock)
        try:
            yield side
        finally:
            side.close()


def is_one(one: StoreSide, other: StoreSide) -> bool:
    """Whether two sides are one store, which two URLs may mean; a copied file has the id of the other."""
    if one.id != other.id:
        return False
    mark = uuid4().hex
    one.store.put_setting(_MARK, mark)
    return other.store.setting(_MARK) == mark


class SyncBase(NamedTuple):
    """What two stores had in common when they were last synced.

    Attributes:
        token: Made by that sync, and noted on both sides: an older copy of a store has another one.
        key: The highest key of this side then.
        at: When it began.
    """

    token: str
    key: int
    at: datetime


NO_BASE: Final = SyncBase("", 0, datetime.fromisoformat("1970-01-01T00:00:00+00:00"))


def base_of(here: StoreSide, there: StoreSide, user: Scope) -> SyncBase:
    """What one side noted when it was last synced with the other."""
    text = here.store.setting(note_name(there, user))
    if text is None:
        return NO_BASE
    kept = json.loads(text)
    return SyncBase(kept["token"], kept["key"], datetime.fromisoformat(kept["at"]))


def note_name(there: StoreSide, user: Scope) -> str:
    """The setting under which a side notes what it has in common with the other."""
    return f"{_SYNCED} {there.id} {user.user_id}"
