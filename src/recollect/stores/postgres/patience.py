"""Retrying what others blocked, without making them wait long."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Final, TypeVar

import psycopg

from recollect.stores.postgres.sql import fetch_value

T = TypeVar("T")

_LOCK_MS: Final = 500
"""How long one attempt waits for a table, and lets others wait behind it: less than the second after which a
server looks for deadlocks, so that this one gives way and never they. Chosen by hand."""
_PAUSE_S: Final = 0.5
"""How long others have the tables between two attempts: as long as they waited. Chosen by hand."""


def lock_briefly(db: psycopg.Connection, *tables: str) -> None:
    """Lock some tables until the transaction ends.

    Raises:
        psycopg.errors.LockNotAvailable: Somebody has one of them for longer; try again, in another
            transaction.
    """
    with briefly(db):
        for table in tables:
            db.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())


@contextmanager
def briefly(db: psycopg.Connection) -> Iterator[None]:
    """Give up soon where a table is in use, within a block of a transaction; see ``lock_briefly``."""
    before = fetch_value(db, "SELECT current_setting('lock_timeout')")
    db.execute(f"SET LOCAL lock_timeout = {_LOCK_MS}".encode())
    yield
    db.execute(f"SET LOCAL lock_timeout = '{before}'".encode())


def retried(
    attempt: Callable[[], T], *, of: tuple[type[Exception], ...], patience_s: float = float("inf")
) -> T:
    """Retry a transaction after some errors, for ``patience_s`` seconds."""
    end = monotonic() + patience_s
    while True:
        try:
            return attempt()
        except of:
            if monotonic() >= end:
                raise
        sleep(_PAUSE_S)
