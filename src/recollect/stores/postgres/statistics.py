"""What a tenant's memories have in common, counted with every write.

How many memories there are stands in the tenant's row already (``live``); here are the sum of their
vectors, in the same row, and how many hold each term.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final
from uuid import UUID

import numpy as np
import psycopg
from numpy.typing import NDArray

from recollect.protocols import Statistics
from recollect.stores.postgres.sql import fetch, fetch_value, tenant_of
from recollect.stores.statistics import VECTOR_SUM, Tally, added
from recollect.types import Scope

_COUNT: Final = """
INSERT INTO frequencies (tenant, term, documents) SELECT %s, t.term, t.documents
FROM unnest(%s::bigint[], %s::bigint[]) AS t (term, documents)
ON CONFLICT (tenant, term) DO UPDATE SET documents = frequencies.documents + excluded.documents
"""
_FORGET: Final = "DELETE FROM frequencies WHERE tenant = %s AND term = ANY(%s) AND documents <= 0"
_FEATURES: Final = "SELECT terms, vector FROM features WHERE tenant = %s AND key = ANY(%s)"
_LIVE: Final = """
SELECT f.tenant, f.terms, f.vector FROM features AS f JOIN memories AS m USING (tenant, key)
WHERE m.deleted_at IS NULL ORDER BY f.tenant
"""
_LIVE_OF: Final = """
SELECT f.terms, f.vector FROM features AS f JOIN memories AS m USING (tenant, key)
WHERE f.tenant = %s AND m.deleted_at IS NULL
"""
_COUNTED: Final = "SELECT tenant FROM tenants UNION SELECT tenant FROM frequencies"
_BATCH: Final = 1_000
"""Memories counted at once: bounds the memory it takes. Chosen by hand."""


def count_in(db: psycopg.Connection, tenant: UUID, features: Iterable[tuple[bytes, bytes]]) -> None:
    """Count memories that have come to live, each given by its terms and its vector."""
    _count(db, tenant, Tally.of(features), 1)


def count_out(db: psycopg.Connection, tenant: UUID, keys: Sequence[int]) -> None:
    """Take memories that live no longer out of the counts, while their features are still there."""
    for start in range(0, len(keys), _BATCH):
        some = fetch(db, _FEATURES, (tenant, list(keys[start : start + _BATCH])))
        _count(db, tenant, Tally.of((bytes(terms), bytes(vector)) for terms, vector in some), -1)


def recount(db: psycopg.Connection) -> None:
    """Make the counts of every tenant anew from the features, in a transaction that sees everyone."""
    db.execute("DELETE FROM frequencies")
    db.execute("UPDATE tenants SET vector_sum = ''")
    with db.cursor(name="recount") as rows:
        rows.itersize = _BATCH
        rows.execute(_LIVE.encode())
        while some := rows.fetchmany(_BATCH):
            for tenant, mine in groupby(some, key=lambda row: row[0]):
                _count(db, tenant, Tally.of((bytes(row[1]), bytes(row[2])) for row in mine), 1)


def miscounted(db: psycopg.Connection) -> int:
    """How many tenants' counts disagree with their features, in a transaction that sees everyone."""
    return sum(_is_miscounted(db, tenant) for (tenant,) in fetch(db, _COUNTED))


def _is_miscounted(db: psycopg.Connection, tenant: UUID) -> bool:
    total = fetch_value(db, "SELECT vector_sum FROM tenants WHERE tenant = %s", (tenant,))
    known: dict[int, int] = dict(
        fetch(db, "SELECT term, documents FROM frequencies WHERE tenant = %s", (tenant,))
    )
    counts, vector_sum = Counter[int](), np.zeros(0, np.int64)
    with db.cursor(name="miscounted") as rows:
        rows.itersize = _BATCH
        rows.execute(_LIVE_OF.encode(), (tenant,))
        while some := rows.fetchmany(_BATCH):
            tally = Tally.of((bytes(terms), bytes(vector)) for terms, vector in some)
            counts.update(dict(tally.items()))
            vector_sum = added(vector_sum, tally.vector_sum)
    return known != dict(counts) or bool(added(_numbers(total or b""), -vector_sum).any())


def read_statistics(db: psycopg.Connection, scope: Scope, terms: Sequence[int]) -> Statistics:
    """See ``Store.statistics``."""
    tenant = tenant_of(scope.user_id)
    found = fetch(db, "SELECT live, vector_sum FROM tenants WHERE tenant = %s", (tenant,))
    live, total = found[0] if found else (0, b"")
    sql = "SELECT term, documents FROM frequencies WHERE tenant = %s AND term = ANY(%s)"
    return Statistics(
        documents=int(live),
        frequencies=dict(fetch(db, sql, (tenant, list(terms)))) if terms else {},
        vector_sum=_numbers(total),
    )


def _count(db: psycopg.Connection, tenant: UUID, tally: Tally, sign: int) -> None:
    if not tally.documents:
        return
    db.execute(_COUNT.encode(), (tenant, tally.terms.tolist(), (sign * tally.counts).tolist()))
    if sign < 0:
        db.execute(_FORGET.encode(), (tenant, tally.terms.tolist()))
    ((total,),) = fetch(db, "SELECT vector_sum FROM tenants WHERE tenant = %s", (tenant,))
    vector_sum = added(_numbers(total), sign * tally.vector_sum).astype(VECTOR_SUM).tobytes()
    db.execute("UPDATE tenants SET vector_sum = %s WHERE tenant = %s", (vector_sum, tenant))


def _numbers(total: bytes) -> NDArray[np.int64]:
    return np.frombuffer(bytes(total), VECTOR_SUM).astype(np.int64)
