"""Vectors made anew by another embedder, kept aside until they are complete."""

from collections.abc import Sequence
from typing import Final

import psycopg

from recollect.stores.postgres.connection import Database
from recollect.stores.postgres.nearest import forget_all
from recollect.stores.postgres.settings import drop_setting, put_setting, setting
from recollect.stores.postgres.sql import fetch, fetch_value
from recollect.stores.postgres.statistics import recount

_STAGED: Final = "staged_embedder"
_LIVE: Final = "FROM memories AS m WHERE m.deleted_at IS NULL"
_UNSTAGED: Final = (
    f"{_LIVE} AND NOT EXISTS (SELECT 1 FROM staged AS s WHERE s.tenant = m.tenant AND s.key = m.key)"
)
_STAGE: Final = """
INSERT INTO staged (tenant, key, vector)
SELECT m.tenant, m.key, v.vector FROM unnest(%s::bigint[], %s::bytea[]) AS v (key, vector)
JOIN memories AS m ON m.key = v.key AND m.deleted_at IS NULL
ON CONFLICT (tenant, key) DO UPDATE SET vector = excluded.vector
"""


class VectorTable:
    """The part of the store that exchanges vectors while it is in use."""

    _db: Database

    def unstaged(self, name: str, *, limit: int) -> list[tuple[int, str]]:
        """See ``VectorMaintenance.unstaged``."""
        with self._db.read_everyone() as db:
            wanted = _UNSTAGED if setting(db, _STAGED) == name else _LIVE
            sql = f"SELECT m.key, m.content {wanted} ORDER BY m.key LIMIT %s"
            return [(key, content) for key, content in fetch(db, sql, (limit,))]

    def stage_vectors(self, name: str, vectors: Sequence[tuple[int, bytes]]) -> None:
        """See ``VectorMaintenance.stage_vectors``."""
        with self._db.write_everyone() as db:
            if setting(db, _STAGED) != name:
                db.execute("DELETE FROM staged")
                put_setting(db, _STAGED, name)
            latest = dict(vectors)
            for size in {len(vector) for vector in latest.values()}:
                db.execute("DELETE FROM staged WHERE octet_length(vector) <> %s", (size,))
            db.execute(_STAGE.encode(), (list(latest), list(latest.values())))

    def promote_vectors(self, name: str, *, dim: int) -> bool:
        """See ``VectorMaintenance.promote_vectors``. Writers wait until it is done."""
        with self._db.write_everyone() as db:
            db.execute("LOCK TABLE tenants IN EXCLUSIVE MODE")
            if not _is_complete(db, name, dim):
                return False
            db.execute(
                "UPDATE features AS f SET vector = s.vector FROM staged AS s "
                "WHERE s.tenant = f.tenant AND s.key = f.key"
            )
            db.execute(
                "UPDATE features AS f SET vector = %s FROM memories AS m "
                "WHERE m.tenant = f.tenant AND m.key = f.key AND m.deleted_at IS NOT NULL",
                (bytes(dim),),
            )
            db.execute("DELETE FROM staged")
            forget_all(db)
            drop_setting(db, _STAGED)
            put_setting(db, "embedder", name)
            put_setting(db, "dimensions", str(dim))
            recount(db)
            # Shadows held elsewhere are read anew.
            db.execute("UPDATE tenants SET version = version + 1, promoted_at = version + 1")
        return True

    def vector_progress(self, name: str) -> tuple[int, int]:
        """See ``VectorMaintenance.vector_progress``."""
        with self._db.read_everyone() as db:
            needed = int(fetch_value(db, f"SELECT count(*) {_LIVE}"))
            if setting(db, _STAGED) != name:
                return 0, needed
            return needed - int(fetch_value(db, f"SELECT count(*) {_UNSTAGED}")), needed


def _is_complete(db: psycopg.Connection, name: str, dim: int) -> bool:
    missing = _UNSTAGED if setting(db, _STAGED) == name else _LIVE
    other_sizes = "SELECT 1 FROM staged WHERE octet_length(vector) <> %s"
    return not fetch_value(db, f"SELECT EXISTS (SELECT 1 {missing}) OR EXISTS ({other_sizes})", (dim,))
