"""New vectors by another embedder, set aside until they are complete."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import psycopg

from recollect.errors import StoreBusyError
from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.making import drop_vectors, outdate
from recollect.stores.postgres.shards import distributed_tables, one_after_another
from recollect.stores.postgres.sql import (
    drop_setting,
    fetch,
    fetch_value,
    put_setting,
    run_many,
    setting,
    take_time,
    tenants,
)
from recollect.stores.postgres.statistics import sum_vectors

_STAGED: Final = "staged_embedder"
_LIVE: Final = "FROM memories AS m WHERE m.deleted_at IS NULL"
_UNSTAGED: Final = (
    f"{_LIVE} AND NOT EXISTS (SELECT 1 FROM staged AS s WHERE s.tenant = m.tenant AND s.key = m.key)"
)
_OWNERS: Final = f"SELECT m.tenant, array_agg(m.key) {_LIVE} AND m.key = ANY(%s) GROUP BY m.tenant"
_HELD: Final = (
    "SELECT key, content FROM memories WHERE tenant = %s AND deleted_at IS NULL AND key = ANY(%s) "
    "FOR SHARE SKIP LOCKED"
)
"""Locked until their vectors are kept; rows that others are changing come later."""
_STAGE: Final = """
INSERT INTO staged (tenant, key, vector) VALUES (%s, %s, %s)
ON CONFLICT (tenant, key) DO UPDATE SET vector = excluded.vector
"""
_SIZE: Final = "SELECT octet_length(vector) FROM staged LIMIT 1"
"""All have one size, unless two with different ones staged at the same moment: the exchange drops those."""
_OTHER_SIZE: Final = "DELETE FROM staged WHERE octet_length(vector) <> %s"
_EXCHANGE: Final = """
UPDATE features AS f SET vector = s.vector FROM staged AS s
WHERE f.tenant = %s AND s.tenant = %s AND s.key = f.key
"""
_BLANK: Final = """
UPDATE features AS f SET vector = %s FROM memories AS m
WHERE f.tenant = %s AND m.tenant = %s AND m.key = f.key AND m.deleted_at IS NOT NULL
"""
"""The vectors of deleted memories were not made again."""


class PostgresVectorTable:
    """The part of the store that exchanges vectors while it is in use."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    def unstaged(self, name: str, *, limit: int, after: int = 0) -> list[tuple[int, str]]:
        with self._db.read_everyone(unhurried=True) as db:
            wanted = _UNSTAGED if setting(db, _STAGED) == name else _LIVE
            sql = f"SELECT m.key, m.content {wanted} AND m.key > %s ORDER BY m.key LIMIT %s"
            return [(key, content) for key, content in fetch(db, sql, (after, limit))]

    def stage_vectors(self, name: str, vectors: Sequence[tuple[int, str, bytes]]) -> None:
        with self._db.write_everyone() as db:
            take_time(db)
            if setting(db, _STAGED) != name:
                db.execute("DELETE FROM staged")
                put_setting(db, _STAGED, name)
            latest = {(key, words): vector for key, words, vector in vectors}
            kept = fetch_value(db, _SIZE)
            if any(len(vector) != kept for vector in latest.values()):
                db.execute("DELETE FROM staged")
            for tenant, keys in fetch(db, _OWNERS, ([key for key, _ in latest],)):
                held = fetch(db, _HELD, (tenant, keys))
                run_many(db, _STAGE, [(tenant, of[0], latest[of]) for of in held if of in latest])

    def promote_vectors(self, name: str, *, dim: int) -> bool:
        """See ``VectorMaintenance.promote_vectors``. Writers wait until it is done, readers do not."""
        if not self._promoted(name, dim):
            return False
        with suppress(StoreBusyError):  # nobody uses it any more; making it again drops it, too
            drop_vectors(self._db)
        return True

    def _promoted(self, name: str, dim: int) -> bool:
        with self._db.write_everyone() as db:
            if distributed_tables(db):
                one_after_another(db)
            take_time(db)
            db.execute("LOCK TABLE tenants IN EXCLUSIVE MODE")
            if setting(db, _STAGED) == name:
                db.execute(_OTHER_SIZE, (dim,))
            if not _is_complete(db, name):
                return False
            outdate(db)
            for tenant in tenants(db):
                db.execute(_EXCHANGE.encode(), (tenant, tenant))
                db.execute(_BLANK.encode(), (bytes(dim), tenant, tenant))
                sum_vectors(db, tenant)
            db.execute("DELETE FROM staged")
            drop_setting(db, _STAGED)
            put_setting(db, "embedder", name)
            put_setting(db, "dimensions", str(dim))
            # Shadows in other processes are read again.
            db.execute("UPDATE tenants SET version = version + 1, promoted_at = version + 1")
        return True

    def vector_progress(self, name: str) -> tuple[int, int]:
        with self._db.read_everyone(unhurried=True) as db:
            needed = int(fetch_value(db, f"SELECT count(*) {_LIVE}"))
            if setting(db, _STAGED) != name:
                return 0, needed
            return needed - int(fetch_value(db, f"SELECT count(*) {_UNSTAGED}")), needed


def _is_complete(db: psycopg.Connection, name: str) -> bool:
    missing = _UNSTAGED if setting(db, _STAGED) == name else _LIVE
    return fetch_value(db, f"SELECT 1 {missing} LIMIT 1") is None
