"""What a process caches of a store beside its memories, and the only place that writes.

The process that has a store open is its only writer. So it keeps counters, settings, jobs and a mirror of
each user's rows in memory. After an error it is unknown how far a write came: the cache is dropped, the
journal carried out, and everything read again.
"""

import json
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from threading import RLock
from typing import Any, Final
from uuid import uuid4

from recollect.errors import ClosedError, StoreBusyError, StoreError
from recollect.protocols import Clock
from recollect.stores.points.conditions import Condition, Is, tenant_of
from recollect.stores.points.connection import Collections, Connection, Layout, Payload, Point
from recollect.stores.points.journal import Journal, Write
from recollect.stores.points.points import point_id, read_features, read_row
from recollect.stores.points.user import User
from recollect.stores.sql.rows import dump
from recollect.types.codec import from_micros, to_micros

LEASE_S: Final = 30.0
"""How long a process that ended without a word keeps others out. Chosen by hand."""

_POINT: Final = point_id("lease")


class WriteLease:
    """The right to use a store, for a while.

    The services cannot compare and set: two processes that start within a few milliseconds may both believe
    to have it until one of them checks again before its next write.
    """

    def __init__(self, connection: Connection, ledger: str, *, clock: Clock) -> None:
        self._connection = connection
        self._ledger = ledger
        self._clock = clock
        self._owner = str(uuid4())
        self._until: datetime | None = None

    def is_sure(self) -> bool:
        """Whether no other process can have taken it meanwhile."""
        return self._until is not None and self._clock() < self._until

    def hold(self) -> bool:
        """Take or renew it; return False if it was not held continuously since the last call.

        Raises:
            StoreBusyError: Another process has it.
        """
        now = self._clock()
        owner, until = self._read()
        if owner not in ("", self._owner) and now < until:
            raise StoreBusyError(
                f"{self._connection.name} is in use by another process; close it there, or wait "
                f"{LEASE_S:g} s if it was killed: one process at a time uses such a store"
            )
        unbroken = owner == self._owner and self._until is not None
        if not unbroken or until - now < timedelta(seconds=LEASE_S / 2):
            self._write(now + timedelta(seconds=LEASE_S))
        return unbroken

    def release(self) -> None:
        """Release it, if it is still held."""
        if self._until is not None and self._read()[0] == self._owner:
            self._connection.drop(self._ledger, [_POINT])
            self._connection.settle()
        self._until = None

    def _read(self) -> tuple[str, datetime]:
        found = self._connection.fetch(self._ledger, [_POINT], ["owner", "until"])
        values: dict[str, Any] = dict(found[0]) if found else {"owner": "", "until": 0}
        return values["owner"], from_micros(values["until"])

    def _write(self, until: datetime) -> None:
        payload = {"type": "lease", "owner": self._owner, "until": to_micros(until)}
        self._connection.put(self._ledger, [Point(_POINT, payload)])
        self._connection.settle()
        if self._read()[0] != self._owner:
            raise StoreBusyError(f"{self._connection.name} was just opened by another process; try again")
        self._until = until


_USERS_AT_HAND: Final = 512
"""Users whose rows are kept in memory; the one not asked for longest goes first. Chosen by hand."""
_BESIDE: Final = ["link", "state", "gone"]
"""The types of a user's points in the ledger that are kept in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The store's own state: one point, so that it changes at once.

    Attributes:
        number: How many writes there were.
        version: How many entries the change log has had.
        promoted_at: The version at which the vectors were last exchanged.
        epoch: How often they were.
        last_key: The highest key ever given.
        last_job: The highest number of a job ever given.
        staging: The embedder whose vectors are set aside.
        settings: Facts about the store by name.
    """

    number: int = 0
    version: int = 0
    promoted_at: int = 0
    epoch: int = 0
    last_key: int = 0
    last_job: int = 0
    staging: str = ""
    settings: dict[str, str] = field(default_factory=dict)


class PointLedger:
    """The state of an open store, under one lock.

    Raises:
        StoreBusyError: Another process has it open.
        StoreFormatError: A newer Recollect wrote it, or it is another program's.
    """

    def __init__(self, connection: Connection, layout: Layout, *, clock: Clock, shared: bool) -> None:
        self.connection = connection
        self.layout = layout
        self.clock = clock
        self.jobs: dict[int, dict[str, Any]] = {}
        self._journal = Journal(connection, layout.ledger)
        self._lease = WriteLease(connection, layout.ledger, clock=clock) if shared else None
        self._lock = RLock()
        self._depth = 0
        self._closed = False
        self._written = False
        self._users: OrderedDict[str, User] = OrderedDict()
        self._staged: dict[int, int] | None = None
        self._head: Head | None = None
        layout.make_ledger()
        with self.held():
            pass

    @property
    def head(self) -> Head:
        """The store's state; inside ``held`` only."""
        if self._head is None:
            raise StoreError(f"a write to {self.connection.name} failed meanwhile; try again")
        return self._head

    @property
    def collections(self) -> Collections:
        """The collections of memories; inside ``held`` only."""
        return self._collections

    @contextmanager
    def held(self) -> Iterator[Head]:
        """A context in which no other thread reads or writes, and cached values are current."""
        with self._lock:
            if self._closed:
                raise ClosedError(f"the store {self.connection.name} was closed; open it again")
            if self._depth == 0:
                self._make_sure()
            self._depth += 1
            try:
                yield self.head
                self._written = False
            except BaseException:
                if self._written:  # and perhaps not yet in what is at hand
                    self._head = None
                raise
            finally:
                self._depth -= 1

    def user(self, user_id: str) -> User:
        """The rows of a user; an unknown one has none, and is not kept."""
        if user_id in self._users:
            self._users.move_to_end(user_id)
            return self._users[user_id]
        user = User(user_id)
        if self.connection.fetch(self.layout.ledger, [point_id("user", user.tenant)], ["live"]):
            self._load(user)
            self._users[user_id] = user
        return user

    def keep(self, user_id: str, user: User) -> None:
        """Cache a user who was unknown before."""
        self._users[user_id] = user

    def know(self, write: Write, user_id: str, *, live: bool) -> None:
        """Store that a user exists, and whether with live memories."""
        tenant = tenant_of(user_id)
        payload = {"type": "user", "tenant": tenant, "user_id": user_id, "live": live}
        write.put(self.layout.ledger, Point(point_id("user", tenant), payload))

    def commit(self, write: Write, head: Head) -> None:
        """Carry out a write, with the store's new state.

        Raises:
            StoreError: It is unknown whether it happened; the next call finds out.
        """
        before, number, self._head = self.head, self.head.number + 1, None
        head = replace(head, number=number)
        if self._lease is not None and not self._lease.hold():
            raise StoreBusyError(
                f"{self.connection.name} was used by another process meanwhile; "
                "nothing was written, try again"
            )
        self._journal.carry_out(write, number=number, before=dump(asdict(before)), state=dump(asdict(head)))
        self._head, self._written = head, True

    def adopt(self, collections: Collections) -> None:
        """Switch to other collections, and remove the old ones."""
        self._collections = collections
        self._users.clear()
        self.layout.clear(self.head.epoch - 1)

    def staged(self) -> dict[int, int]:
        """The sizes of the vectors set aside, by key."""
        if self._staged is None:
            found = self.walk(["staged"], ["key", "size"])
            self._staged = {payload["key"]: payload["size"] for payload in found}
        return self._staged

    def unstage(self, key: int) -> None:
        """Forget the staged vector of a memory."""
        if self._staged is not None:
            self._staged.pop(key, None)

    def walk(self, types: list[str], fields: list[str], *, tenant: str | None = None) -> Iterator[Payload]:
        """Some fields of the ledger's points of some types, of one user or of all."""
        where: list[Condition] = [] if tenant is None else [Is("tenant", (tenant,))]
        return self.connection.walk(self.layout.ledger, [*where, Is("type", tuple(types))], fields)

    def close(self) -> None:
        """Close the store. Calling it again does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._users.clear()
            try:
                if self._lease is not None:
                    self._lease.release()
            finally:
                self.connection.close()

    # Reading everything again

    def _make_sure(self) -> None:
        while len(self._users) > _USERS_AT_HAND:
            self._users.popitem(last=False)
        if self._lease is not None and not self._lease.is_sure() and not self._lease.hold():
            self._head = None
        if self._head is None:
            self._open()

    def _open(self) -> None:
        self._users.clear()
        self._staged = None
        state = self._journal.recover()
        head = Head() if state is None else Head(**json.loads(state))
        self._collections = self.layout.at(head.epoch)
        if head.epoch:
            self.layout.clear(head.epoch - 1)
        self.layout.clear(head.epoch + 1)
        jobs = self.walk(["job"], ["job"])
        self.jobs = dict(sorted((job["id"], job) for job in (json.loads(found["job"]) for found in jobs)))
        self._head = head

    def _load(self, user: User) -> None:
        of_user = [Is("tenant", (user.tenant,))]
        found = [
            (read_row(payload), read_features(payload))
            for collection in self.collections.of(user.tenant)
            for payload in self.connection.walk(collection, of_user, ["row", "features"])
        ]
        for row, features in sorted(found, key=lambda pair: pair[0].key):
            user.enter(row, features)
        fields = ["type", "source", "target", "kind", "name", "text", "keys"]
        for payload in self.walk(_BESIDE, fields, tenant=user.tenant):
            match payload["type"]:
                case "link":
                    user.links.add((payload["source"], payload["target"], payload["kind"]))
                case "state":
                    user.states[payload["name"]] = payload["text"]
                case _:
                    user.purged += [(version, key) for version, key in json.loads(payload["keys"])]
