"""Counts over a tenant's memories, updated with every write.

How many memories there are stands in the tenant's row already (``live``); here are the sum of their
vectors, in the same row, and how many hold each term.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from uuid import UUID

import numpy as np
import psycopg
from numpy.typing import NDArray

from recollect.protocols import Statistics
from recollect.stores.postgres.shards import on_citus
from recollect.stores.postgres.sql import ask, fetch, fetch_value, tenant_of
from recollect.stores.sql.statistics import VECTOR_SUM, Tally, added
from recollect.types import Scope

_COUNT: Final = """
INSERT INTO frequencies (tenant, term, documents) {rows}
ON CONFLICT (tenant, term) DO UPDATE SET documents = frequencies.documents + excluded.documents
"""
_COUNTED: Final = """
SELECT %s::uuid, c.term, c.documents FROM unnest(%s::bigint[], %s::bigint[]) AS c (term, documents)
"""
_ROW: Final = "(%(tenant)s, {}, {})"
"""On Citus rows are written out, each with the tenant: it would copy those of a SELECT from no table of its
own, and row-level security forbids that. It takes a little longer."""
_ROWS: Final = 1_000
"""Rows of one statement. Chosen by hand."""
_DOCUMENTS: Final = "SELECT term, documents FROM frequencies WHERE tenant = %s AND term = ANY(%s)"
_FORGET: Final = "DELETE FROM frequencies WHERE tenant = %s AND term = ANY(%s) AND documents <= 0"
_FEATURES: Final = "SELECT terms, vector FROM features WHERE tenant = %s AND key = ANY(%s)"
_LIVE: Final = """
SELECT f.key, f.terms, f.vector FROM features AS f JOIN memories AS m ON m.tenant = f.tenant AND m.key = f.key
WHERE f.tenant = %s AND m.tenant = %s AND m.deleted_at IS NULL AND f.key > %s ORDER BY f.key LIMIT %s
"""
_BATCH: Final = 1_000
"""Memories counted at once: bounds the memory it takes. Chosen by hand."""


def count_in(db: psycopg.Connection, tenant: UUID, features: Iterable[tuple[bytes, bytes]]) -> None:
    """Count memories into a tenant's counts, each given by its terms and its vector.

    A ``Ledger`` does it for writers, with the rest of what it changes in the tenant's row.
    """
    _count(db, tenant, Tally.of(features))


def tallies_of(db: psycopg.Connection, tenant: UUID, keys: Sequence[int]) -> Iterator[Tally]:
    """What memories hold whose features are there, some of them at a time."""
    for start in range(0, len(keys), _BATCH):
        some = fetch(db, _FEATURES, (tenant, list(keys[start : start + _BATCH])))
        yield Tally.of((bytes(terms), bytes(vector)) for terms, vector in some)


def count_terms(db: psycopg.Connection, tenant: UUID, tally: Tally, sign: int) -> None:
    """Add the documents of each term to a tenant's, or take them away where the sign is -1."""
    if not tally.documents:
        return
    if on_citus(db):
        _count_in_rows(db, tenant, tally, sign)
    else:
        values = (tenant, tally.terms.tolist(), (sign * tally.counts).tolist())
        db.execute(_COUNT.format(rows=_COUNTED).encode(), values)
    if sign < 0:
        db.execute(_FORGET.encode(), (tenant, tally.terms.tolist()))


def to_numbers(total: bytes) -> NDArray[np.int64]:
    """The sum of vectors as it is kept."""
    return np.frombuffer(bytes(total), VECTOR_SUM).astype(np.int64)


def to_bytes(total: NDArray[np.int64]) -> bytes:
    """How the sum of vectors is kept."""
    return total.astype(VECTOR_SUM).tobytes()


def recount_of(db: psycopg.Connection, tenant: UUID) -> None:
    """Recount one tenant, whose row is locked."""
    db.execute("DELETE FROM frequencies WHERE tenant = %s", (tenant,))
    db.execute("UPDATE tenants SET vector_sum = '' WHERE tenant = %s", (tenant,))
    for tally in _tallies(db, tenant):
        _count(db, tenant, tally)


def sum_vectors(db: psycopg.Connection, tenant: UUID) -> None:
    """Sum up the vectors of one tenant again, whose row is locked; the terms stay."""
    vector_sum = np.zeros(0, np.int64)
    for tally in _tallies(db, tenant):
        vector_sum = added(vector_sum, tally.vector_sum)
    _put_sum(db, tenant, vector_sum)


def _tallies(db: psycopg.Connection, tenant: UUID) -> Iterator[Tally]:
    """What a tenant's live memories hold, some of them at a time."""
    last = 0
    while some := fetch(db, _LIVE, (tenant, tenant, last, _BATCH)):
        yield Tally.of((bytes(terms), bytes(vector)) for _, terms, vector in some)
        last = some[-1][0]


def is_miscounted(db: psycopg.Connection, tenant: UUID) -> bool:
    """Whether a tenant's counts disagree with the features."""
    total = fetch_value(db, "SELECT vector_sum FROM tenants WHERE tenant = %s", (tenant,))
    known: dict[int, int] = dict(
        fetch(db, "SELECT term, documents FROM frequencies WHERE tenant = %s", (tenant,))
    )
    counts, vector_sum = Counter[int](), np.zeros(0, np.int64)
    for tally in _tallies(db, tenant):
        counts.update(dict(tally.items()))
        vector_sum = added(vector_sum, tally.vector_sum)
    return known != dict(counts) or bool(added(to_numbers(total or b""), -vector_sum).any())


def read_statistics(db: psycopg.Connection, scope: Scope, terms: Sequence[int]) -> Statistics:
    """See ``Store.statistics``."""
    tenant = tenant_of(scope.user_id)
    with db.pipeline():
        held = ask(db, "SELECT live, vector_sum FROM tenants WHERE tenant = %s", (tenant,))
        counted = ask(db, _DOCUMENTS, (tenant, list(terms)))
        live, total = held.fetchone() or (0, b"")
        frequencies: dict[int, int] = dict(counted.fetchall())
    return Statistics(
        documents=int(live),
        frequencies=frequencies,
        vector_sum=to_numbers(total),
    )


def _count(db: psycopg.Connection, tenant: UUID, tally: Tally) -> None:
    ((total,),) = fetch(db, "SELECT vector_sum FROM tenants WHERE tenant = %s", (tenant,))
    count_terms(db, tenant, tally, 1)
    _put_sum(db, tenant, added(to_numbers(total), tally.vector_sum))


def _put_sum(db: psycopg.Connection, tenant: UUID, vector_sum: NDArray[np.int64]) -> None:
    db.execute("UPDATE tenants SET vector_sum = %s WHERE tenant = %s", (to_bytes(vector_sum), tenant))


def _count_in_rows(db: psycopg.Connection, tenant: UUID, tally: Tally, sign: int) -> None:
    rows = [_ROW.format(term, sign * times) for term, times in tally.items()]
    for start in range(0, len(rows), _ROWS):
        sql = _COUNT.format(rows=f"VALUES {', '.join(rows[start : start + _ROWS])}")
        db.execute(sql.encode(), {"tenant": tenant}, prepare=False)
