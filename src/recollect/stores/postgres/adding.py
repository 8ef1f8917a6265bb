"""Adds entries inside a transaction: each finds its key, its turn, and whether it is there already."""

from collections.abc import Sequence
from typing import Final

import psycopg

from recollect.errors import InvalidInputError
from recollect.protocols import Entry, Features
from recollect.stores.postgres.index import index
from recollect.stores.postgres.ledger import LedgerEntry, PostgresLedger
from recollect.stores.postgres.rows import COLUMNS, idempotency_of, to_values
from recollect.stores.postgres.sql import ask, fetch, run_many
from recollect.stores.reference.rows import within
from recollect.types import Scope

INSERT: Final = (
    f"INSERT INTO memories (tenant, key, {', '.join(COLUMNS)}) VALUES (%s, %s{', %s' * len(COLUMNS)})"
)
"""A tenant, a key, and ``rows.to_values``."""
_KNOWN: Final = (
    "SELECT idempotency_key, id FROM memories "
    "WHERE tenant = %s AND idempotency = ANY(%s) AND (deleted_at IS NULL OR kind <> 'document') "
    "ORDER BY deleted_at IS NULL"
)
_LAST_TURN: Final = (
    "SELECT turn FROM memories WHERE tenant = %s AND thread = %s AND thread <> '' ORDER BY turn DESC LIMIT 1"
)
NEW_KEYS: Final = "SELECT nextval('memory_keys') FROM generate_series(1, %s)"
"""Keys for so many new memories, ascending; the tenant's row is locked before, so that they come in order."""


class PostgresAdder:
    """Adds entries of one user."""

    def __init__(self, db: psycopg.Connection, ledger: PostgresLedger, scope: Scope) -> None:
        self._db = db
        self._ledger = ledger
        self._scope = scope

    def add(self, entries: Sequence[Entry]) -> list[str]:
        """Store what is new; return the id of each entry."""
        for entry in entries:
            self._check(entry)
        known = self._known(entries)
        ids, fresh = [], []
        for entry in entries:
            key = entry.record.idempotency_key
            if key is None or key not in known:
                fresh.append(entry)
            if key is not None:
                known.setdefault(key, entry.record.id)
            ids.append(entry.record.id if key is None else known[key])
        self._insert(fresh)
        return ids

    def _check(self, entry: Entry) -> None:
        if not within(self._scope, entry.record):
            raise InvalidInputError(f"the memory {entry.record.id!r} lies outside the scope it is added to")

    def _known(self, entries: Sequence[Entry]) -> dict[str, str]:
        keys = [key for entry in entries if (key := entry.record.idempotency_key) is not None]
        if not keys:
            return {}
        return dict(fetch(self._db, _KNOWN, (self._ledger.tenant, list(map(idempotency_of, keys)))))

    def _insert(self, fresh: Sequence[Entry]) -> None:
        if not fresh:
            return
        try:
            with self._db.pipeline():
                self._write(fresh)
        except psycopg.errors.UniqueViolation as error:
            raise InvalidInputError("an id given to add is in use already; leave it out") from error

    def _write(self, fresh: Sequence[Entry]) -> None:
        """Send everything; in a pipeline only reads are waited for."""
        keys, turns = self._places(fresh)
        tenant = self._ledger.tenant
        rows = [
            (tenant, key, *to_values(entry.record, turn=turn, outline=entry.outline))
            for key, turn, entry in zip(keys, turns, fresh, strict=True)
        ]
        features = [(key, _required(entry)) for key, entry in zip(keys, fresh, strict=True)]
        run_many(self._db, INSERT, rows)
        words = index(self._db, tenant, features)
        self._ledger.count_in((made.terms, made.vector) for _, made in features)
        self._ledger.enter([LedgerEntry(key, "add") for key in keys], live=len(fresh), words=words)

    def _places(self, fresh: Sequence[Entry]) -> tuple[list[int], list[int]]:
        """The key of each entry, and its place in its thread; 0 outside threads."""
        threads = [entry.record.origin.thread for entry in fresh]
        drawn = ask(self._db, NEW_KEYS, (len(fresh),))
        asked = {
            thread: ask(self._db, _LAST_TURN, (self._ledger.tenant, thread))
            for thread in dict.fromkeys(threads)
            if thread
        }
        last = {thread: turn for thread, held in asked.items() for (turn,) in held}
        turns = []
        for thread in threads:
            last[thread] = last.get(thread, -1) + 1 if thread else 0
            turns.append(last[thread])
        return [key for (key,) in drawn.fetchall()], turns


def _required(entry: Entry) -> Features:
    if entry.features is None:
        raise InvalidInputError("an added entry needs its features")
    return entry.features
