"""Counts over a user's memories, updated with every write."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import apsw
import numpy as np

from recollect.protocols import Statistics
from recollect.stores.sql.statistics import VECTOR_SUM, Tally, added
from recollect.stores.sqlite.where import fetch, fetch_value
from recollect.types import Scope

_COUNT: Final = """
INSERT INTO frequencies (user, term, documents) VALUES (?, ?, ?)
ON CONFLICT (user, term) DO UPDATE SET documents = documents + excluded.documents
"""
_LIVE_FEATURES: Final = """
SELECT f.terms, f.vector FROM memories AS m JOIN features AS f USING (key)
WHERE m.user = ? AND m.deleted_at IS NULL
"""
_BATCH: Final = 1_000
"""Memories counted at once: bounds the memory it takes. Chosen by hand."""


def count_in(db: apsw.Connection, user: int | None, features: Iterable[tuple[bytes, bytes]]) -> None:
    """Count new live memories, each given by its terms and its vector."""
    _count(db, user, Tally.of(features), 1)


def count_out(db: apsw.Connection, user: int | None, keys: Sequence[int]) -> None:
    """Remove deleted memories from the counts, while their features are still there."""
    for start in range(0, len(keys), _BATCH):
        some = [
            pair
            for key in keys[start : start + _BATCH]
            for pair in fetch(db, "SELECT terms, vector FROM features WHERE key = ?", (key,))
        ]
        _count(db, user, Tally.of(some), -1)


def recount(db: apsw.Connection) -> None:
    """Recount every user from the features."""
    db.execute("DELETE FROM frequencies; DELETE FROM corpora")
    for (user,) in fetch(db, "SELECT key FROM users"):
        cursor = db.execute(_LIVE_FEATURES, (user,))
        for some in _in_batches(cursor):
            _count(db, user, Tally.of(some), 1)


def read_statistics(db: apsw.Connection, scope: Scope, terms: Sequence[int]) -> Statistics:
    """See ``Store.statistics``."""
    user = fetch_value(db, "SELECT key FROM users WHERE user_id = ?", (scope.user_id,))
    rows = fetch(db, "SELECT documents, vector_sum FROM corpora WHERE user = ?", (user,))
    documents, total = rows[0] if rows else (0, b"")
    sql = (
        "SELECT term, documents FROM frequencies WHERE user = ? AND term IN (SELECT value FROM json_each(?))"
    )
    return Statistics(
        documents=documents,
        frequencies=dict(fetch(db, sql, (user, json.dumps(list(terms))))) if terms else {},
        vector_sum=np.frombuffer(total, VECTOR_SUM).astype(np.int64),
    )


def _count(db: apsw.Connection, user: int | None, tally: Tally, sign: int) -> None:
    if not tally.documents:
        return
    db.executemany(_COUNT, ((user, term, sign * count) for term, count in tally.items()))
    if sign < 0:
        gone = ((user, term) for term in tally.terms.tolist())
        db.executemany("DELETE FROM frequencies WHERE user = ? AND term = ? AND documents <= 0", gone)
    known = fetch(db, "SELECT documents, vector_sum FROM corpora WHERE user = ?", (user,))
    documents, total = known[0] if known else (0, b"")
    vector_sum = added(np.frombuffer(total, VECTOR_SUM).astype(np.int64), sign * tally.vector_sum)
    db.execute(
        "INSERT OR REPLACE INTO corpora (user, documents, vector_sum) VALUES (?, ?, ?)",
        (user, documents + sign * tally.documents, vector_sum.astype(VECTOR_SUM).tobytes()),
    )


def _in_batches(cursor: apsw.Cursor) -> Iterator[list[tuple[bytes, bytes]]]:
    while some := [(bytes(terms), bytes(vector)) for terms, vector in islice(cursor, _BATCH)]:
        yield some
