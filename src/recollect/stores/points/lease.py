"""Who may use a store on a service: one process at a time, known by a point that it renews."""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from recollect.errors import StoreBusyError
from recollect.protocols import Clock
from recollect.stores.points.connection import Connection, Point
from recollect.stores.points.points import point_id
from recollect.types.codec import from_micros, to_micros

LEASE_S: Final = 30.0
"""How long a process that ended without a word keeps others out. Chosen by hand."""

_POINT: Final = point_id("lease")


class WriteLease:
    """The right to use a store, for a while.

    The services cannot compare and set, so two processes that start within the same few milliseconds may
    both believe to have it until one of them looks again, before its next write.
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
