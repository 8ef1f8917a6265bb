"""The row of each tenant that its writers lock: it numbers the changes and counts the memories.

A number from a sequence can become visible after a higher one, and a reader of the higher one would miss it.
Here a writer locks its tenant's row first and takes its numbers from that row, in one transaction: a reader
that sees a version sees every change up to it. Writers of different tenants do not wait for each other.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import psycopg

from recollect.protocols import Clock
from recollect.stores.postgres.sql import fetch, run_many, tenant_of
from recollect.stores.postgres.statistics import count_terms, tallies_of, to_bytes, to_numbers
from recollect.stores.sql.rows import dump
from recollect.stores.sql.statistics import Tally, added
from recollect.types import MemoryRecord, Scope
from recollect.types.codec import changed_fields, to_micros

_LOCK: Final = "SELECT version, vector_sum FROM tenants WHERE tenant = %s FOR UPDATE"
_ENTER: Final = """
UPDATE tenants SET version = %s, live = live + %s, words = words + %s, vector_sum = coalesce(%s, vector_sum)
WHERE tenant = %s
"""
_NEW: Final = "INSERT INTO tenants (tenant, user_id) VALUES (%s, %s) ON CONFLICT DO NOTHING"


class LedgerEntry(NamedTuple):
    """One entry of the change log, still without its number.

    Attributes:
        before, after: The fields that changed, as JSON.
        at: When, in microseconds since 1970 UTC; None means now.
    """

    key: int
    action: str
    before: str | None = None
    after: str | None = None
    reason: str | None = None
    at: int | None = None

    @classmethod
    def between(
        cls, key: int, action: str, before: MemoryRecord, after: MemoryRecord, reason: str | None
    ) -> "LedgerEntry":
        """The change from one version of a record to another."""
        old, new = changed_fields(before, after)
        return cls(key, action, dump(old), dump(new), reason)


def lock_tenant(db: psycopg.Connection, scope: Scope, *, create: bool = False) -> tuple[int, bytes]:
    """Wait for the tenant's other writers, and with ``create`` make the row of a new user.

    Returns:
        The tenant's version and the sum of its vectors; 0 and nothing for one that is not there.
    """
    tenant = tenant_of(scope.user_id)
    found = fetch(db, _LOCK, (tenant,))
    if create and not found:
        db.execute(_NEW.encode(), (tenant, scope.user_id))
        found = fetch(db, _LOCK, (tenant,))
    return found[0] if found else (0, b"")


class PostgresLedger:
    """A tenant's row, locked until the transaction ends; ``create`` makes that of a new user."""

    def __init__(self, db: psycopg.Connection, scope: Scope, *, clock: Clock, create: bool = False) -> None:
        self.tenant = tenant_of(scope.user_id)
        self._db = db
        self._version, kept = lock_tenant(db, scope, create=create)
        self._vector_sum = to_numbers(kept)
        self._has_counted = False
        self.now = to_micros(clock())  # after the wait for the lock, so that no history runs backwards

    def count_in(self, features: Iterable[tuple[bytes, bytes]]) -> None:
        """Count new live memories, each given by its terms and its vector."""
        self._count(Tally.of(features), 1)

    def count_out(self, keys: Sequence[int]) -> None:
        """Remove deleted memories from the counts, while their features are still there."""
        for tally in tallies_of(self._db, self.tenant, keys):
            self._count(tally, -1)

    def enter(self, changes: Sequence[LedgerEntry], *, live: int = 0, words: int = 0) -> None:
        """Log changes, and add to the counts of live memories and indexed words, in one update of the row."""
        numbered = list(enumerate(changes, self._version + 1))
        run_many(
            self._db,
            "INSERT INTO changes (tenant, version, key, at, action, before, after, reason) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
            [(self.tenant, version, *self._values(change)) for version, change in numbered],
        )
        self._version += len(numbered)
        vector_sum = to_bytes(self._vector_sum) if self._has_counted else None
        self._db.execute(_ENTER.encode(), (self._version, live, words, vector_sum, self.tenant))
        self._has_counted = False

    def _count(self, tally: Tally, sign: int) -> None:
        count_terms(self._db, self.tenant, tally, sign)
        self._vector_sum = added(self._vector_sum, sign * tally.vector_sum)
        self._has_counted = True

    def _values(self, change: LedgerEntry) -> tuple[object, ...]:
        at = self.now if change.at is None else change.at
        return change.key, at, change.action, change.before, change.after, change.reason
