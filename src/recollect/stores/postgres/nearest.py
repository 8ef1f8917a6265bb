"""An index over vectors, for users too large to hold a shadow of: pgvector's HNSW at half precision.

The table ``vectors`` holds the live memories alone and is there only when it was asked for: keeping it makes
every write dearer, and users with a shadow never need it.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

import numpy as np
import psycopg
from numpy.typing import NDArray

from recollect.errors import InvalidInputError, StoreError
from recollect.filters import EVERYTHING, Filter
from recollect.stores.postgres.connection import Database
from recollect.stores.postgres.ledger import lock_tenant
from recollect.stores.postgres.settings import drop_setting, put_setting, setting
from recollect.stores.postgres.shards import distributed_tables, one_after_another, spread
from recollect.stores.postgres.sql import fetch, fetch_value, run_many, tenant_of
from recollect.stores.postgres.where import narrowed
from recollect.types import Scope

VECTORS: Final = "vector_index"
"""The setting that says whether vectors are kept in it: ``filling`` or ``ready``."""
_BATCH: Final = 2_000
"""Vectors that enter it in a transaction. Chosen by hand."""
_EFFORT: Final = 400
"""How many neighbours a search of the graph keeps in view; pgvector's 40 finds fewer. Chosen by hand."""

_TABLE: Final = """
CREATE TABLE vectors (
    tenant uuid NOT NULL,
    key bigint NOT NULL,
    embedding halfvec({dim}) NOT NULL,
    PRIMARY KEY (tenant, key)
);
ALTER TABLE vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE vectors FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON vectors USING (
    tenant = nullif(current_setting('recollect.tenant', true), '')::uuid
    OR current_setting('recollect.everyone', true) = 'on'
);
"""
_BELONG: Final = b"""
ALTER TABLE vectors ADD CONSTRAINT vectors_of_memories
FOREIGN KEY (tenant, key) REFERENCES memories (tenant, key) ON DELETE CASCADE
"""
_INDEX: Final = b"""
CREATE INDEX CONCURRENTLY IF NOT EXISTS vectors_nearest ON vectors USING hnsw (embedding halfvec_cosine_ops)
"""
_INSERT: Final = """
INSERT INTO vectors (tenant, key, embedding) VALUES (%s, %s, %s::halfvec)
ON CONFLICT (tenant, key) DO UPDATE SET embedding = excluded.embedding
"""
_SIZE: Final = "SELECT max(octet_length(vector)) FROM features"
_MISSING: Final = """
SELECT f.key, f.vector FROM features AS f JOIN memories AS m ON m.tenant = f.tenant AND m.key = f.key
WHERE f.tenant = %(tenant)s AND m.tenant = %(tenant)s AND m.deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.tenant = %(tenant)s AND v.key = f.key)
ORDER BY f.key LIMIT %(limit)s
"""
NEAR: Final = """near AS MATERIALIZED (
    SELECT v.key, v.embedding <=> %(vector)s::halfvec AS distance FROM vectors AS v {inside}
    WHERE v.tenant = %(tenant)s ORDER BY v.embedding <=> %(vector)s::halfvec LIMIT %(limit)s
)"""
"""A part of a statement: the nearest, with their distances."""


class VectorIndex:
    """The part of the store that finds the nearest vectors."""

    _db: Database

    def search_vector(
        self, scope: Scope, vector: NDArray[np.float32], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """See ``VectorSearch.search_vector``. Without the index nothing is found."""
        with self._db.read(scope) as db:
            if setting(db, VECTORS) != "ready" or not vector.any():
                return np.empty(0, np.int64)
            return np.array(_nearest(db, scope, vector, limit=limit, where=where), np.int64)

    def make_vector_index(self) -> int:
        """Make the index, while the store is in use; returns how many vectors entered it.

        Called again it goes on where it stopped, and does nothing when all is there. Each user's writers
        wait while vectors of that user enter it.

        Raises:
            StoreError: The server has no pgvector, or the role may not create it; nothing was made.
            InvalidInputError: Nothing is stored yet, so that nobody knows how many dimensions there are.
        """
        with self._db.read_everyone() as db:
            dim = int(setting(db, "dimensions") or fetch_value(db, _SIZE) or 0)
            shards = bool(distributed_tables(db))
        if not dim:
            raise InvalidInputError("store a memory before you make an index: its vector says the size")
        with self._db.write_everyone() as db:
            if shards:
                one_after_another(db)
            if setting(db, VECTORS) is None:
                _make_table(db, dim, shards=shards)
                put_setting(db, VECTORS, "filling")
        with self._db.read_everyone() as db:
            users = [user_id for (user_id,) in fetch(db, "SELECT user_id FROM tenants ORDER BY user_id")]
        entered = sum(self._fill(Scope(user_id=user_id)) for user_id in users)
        with self._db.alone() as db:
            db.execute(_INDEX)
        with self._db.write_everyone() as db:
            put_setting(db, VECTORS, "ready")
        return entered

    def drop_vector_index(self) -> None:
        """Do without the index from now on."""
        with self._db.write_everyone() as db:
            if distributed_tables(db):
                one_after_another(db)
            forget_all(db)

    def _fill(self, scope: Scope) -> int:
        entered = 0
        while True:
            with self._db.write(scope) as db:
                lock_tenant(db, scope)  # so that no writer is under way that does not know of the table
                tenant = tenant_of(scope.user_id)
                found = fetch(db, _MISSING, {"tenant": tenant, "limit": _BATCH})
                enter(db, tenant, found)
            entered += len(found)
            if len(found) < _BATCH:
                return entered


def enter(db: psycopg.Connection, tenant: UUID, vectors: Iterable[tuple[int, bytes]]) -> None:
    """Put vectors of live memories in, by their keys."""
    rows = [(tenant, key, literal(np.frombuffer(vector, np.int8))) for key, vector in vectors if any(vector)]
    run_many(db, _INSERT, rows)


def leave(db: psycopg.Connection, tenant: UUID, keys: Sequence[int]) -> None:
    """Take vectors out, if there is an index."""
    if setting(db, VECTORS) is not None:
        db.execute("DELETE FROM vectors WHERE tenant = %s AND key = ANY(%s)", (tenant, list(keys)))


def forget_all(db: psycopg.Connection) -> None:
    """Drop the index, if there is one: its vectors are no longer the store's."""
    if setting(db, VECTORS) is not None:
        db.execute("DROP TABLE vectors")
        drop_setting(db, VECTORS)


def _make_table(db: psycopg.Connection, dim: int, *, shards: bool) -> None:
    # Looked for first: where it is, Citus lets nobody but its owner say IF NOT EXISTS.
    there = fetch_value(db, "SELECT 1 FROM pg_extension WHERE extname = 'vector'")
    try:
        if not there:
            db.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except (psycopg.errors.FeatureNotSupported, psycopg.errors.UndefinedFile) as error:
        raise StoreError(
            "the server has no pgvector: install it there (its package is called pgvector), then try again"
        ) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise StoreError(
            "the role may not create pgvector: run CREATE EXTENSION vector as a superuser, then try again"
        ) from error
    try:
        db.execute(_TABLE.format(dim=dim).encode())
    except psycopg.errors.UndefinedObject as error:
        raise StoreError(
            "pgvector is in a schema that the URL does not name: add it to its search_path, then try again"
        ) from error
    if shards:
        spread(db, "vectors")
    db.execute(_BELONG)


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
