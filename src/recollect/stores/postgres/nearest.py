"""The nearest vectors of a user who is too large for a shadow: pgvector's HNSW at half precision.

The table ``vectors`` holds live memories and exists only on request (see ``making``): it makes every write
slower, and users with a shadow do not need it.

One graph serves all users, and a scan of it ends after some thousands of vectors, whoever they belong to. If
it finds too few, the same statement reads the user's matching vectors one by one: slower, but exact.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar
from uuid import UUID

import numpy as np
import psycopg
from numpy.typing import NDArray

from recollect.errors import StoreFormatError
from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.sql import fetch, run_many, setting
from recollect.stores.postgres.where import narrowed
from recollect.types import Scope
from recollect.types.filters import EVERYTHING, Filter

T = TypeVar("T")

VECTORS: Final = "vector_index"
"""The setting that says whether vectors are kept: ``filling``, ``ready``, or ``outdated`` where the table
holds those of another embedder until it is dropped."""
KEPT: Final = ("filling", "ready")
"""Its values while every write enters its vectors."""
_EFFORT: Final = 400
"""How many neighbours a search of the graph keeps in view; pgvector's 40 finds fewer. Chosen by hand."""

_INSERT: Final = """
INSERT INTO vectors (tenant, key, embedding) VALUES (%s, %s, %s::halfvec)
ON CONFLICT (tenant, key) DO UPDATE SET embedding = excluded.embedding
"""
NEAR: Final = """graph AS MATERIALIZED (
    SELECT v.key, v.embedding <=> %(vector)s::halfvec AS distance FROM vectors AS v {inside}
    WHERE v.tenant = %(tenant)s ORDER BY v.embedding <=> %(vector)s::halfvec LIMIT %(limit)s
), near AS MATERIALIZED (
    SELECT key, distance FROM graph WHERE (SELECT count(*) FROM graph) >= %(limit)s
    UNION ALL (
        SELECT v.key, (v.embedding <=> %(vector)s::halfvec) + 0 AS distance FROM vectors AS v {inside}
        WHERE v.tenant = %(tenant)s AND (SELECT count(*) FROM graph) < %(limit)s
        ORDER BY distance LIMIT %(limit)s
    )
)"""
"""Parts of a statement: the nearest, with their distances. No index gives an order by a sum, so that the
second half reads every vector of the user that passes; it is run only when the first found too few."""


class NearestTable:
    """The part of the store that finds the nearest vectors."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    def search_vector(
        self, scope: Scope, vector: NDArray[np.float32], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """See ``VectorSearch.search_vector``. Without the index nothing is found."""

        def search() -> NDArray[np.int64]:
            with self._db.read(scope) as db:
                if setting(db, VECTORS) != "ready" or not vector.any():
                    return np.empty(0, np.int64)
                return np.array(_nearest(db, scope, vector, limit=limit, where=where), np.int64)

        return unless_dropped(search)


def unless_dropped(search: Callable[[], T]) -> T:
    """Search again when the index was dropped after the search had seen it."""
    try:
        return search()
    except StoreFormatError:
        return search()


def enter(db: psycopg.Connection, tenant: UUID, vectors: Iterable[tuple[int, bytes]]) -> None:
    """Put vectors of live memories in, by their keys."""
    rows = [(tenant, key, literal(np.frombuffer(vector, np.int8))) for key, vector in vectors if any(vector)]
    run_many(db, _INSERT, rows)


def leave(db: psycopg.Connection, tenant: UUID, keys: Sequence[int]) -> None:
    """Take vectors out, if they are kept."""
    if setting(db, VECTORS) in KEPT:
        db.execute("DELETE FROM vectors WHERE tenant = %s AND key = ANY(%s)", (tenant, list(keys)))


def _nearest(
    db: psycopg.Connection, scope: Scope, vector: NDArray[np.float32], *, limit: int, where: Filter
) -> list[int]:
    """Keys, nearest first."""
    look_far(db, limit)
    joined, bound = narrowed("v", scope, where)
    sql = f"WITH {NEAR.format(inside=joined)} SELECT key FROM near ORDER BY distance, key"
    return [key for (key,) in fetch(db, sql, {**bound, "vector": literal(vector), "limit": limit})]


def look_far(db: psycopg.Connection, limit: int) -> None:
    """Let the rest of a transaction search the graph widely, and on until enough pass a filter."""
    db.execute("SET LOCAL hnsw.iterative_scan = relaxed_order")
    db.execute(f"SET LOCAL hnsw.ef_search = {max(_EFFORT, min(limit, 1_000))}".encode())


def literal(vector: NDArray[np.int8] | NDArray[np.float32]) -> str:
    """A vector as pgvector reads it."""
    return f"[{','.join(map(str, vector.tolist()))}]"
