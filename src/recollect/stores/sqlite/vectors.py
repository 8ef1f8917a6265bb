"""New vectors by another embedder, set aside until they are complete."""

from collections.abc import Sequence

import apsw

from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.stores.sqlite.statistics import recount
from recollect.stores.sqlite.where import fetch, fetch_value
from recollect.stores.sqlite.writing import drop_setting, log_rows, put_setting, setting

_STAGED = "staged_embedder"
_LIVE = "FROM memories AS m WHERE m.deleted_at IS NULL"
_UNSTAGED = f"{_LIVE} AND NOT EXISTS (SELECT 1 FROM staged AS s WHERE s.key = m.key)"


class SQLiteVectorTable:
    """The part of the store that exchanges vectors while it is in use."""

    def __init__(self, db: SQLiteDatabase) -> None:
        self._db = db

    def unstaged(self, name: str, *, limit: int, after: int = 0) -> list[tuple[int, str]]:
        with self._db.read() as db:
            wanted = _UNSTAGED if setting(db, _STAGED) == name else _LIVE
            sql = f"SELECT m.key, m.content {wanted} AND m.key > ? ORDER BY m.key LIMIT ?"
            return [(key, content) for key, content in fetch(db, sql, (after, limit))]

    def stage_vectors(self, name: str, vectors: Sequence[tuple[int, str, bytes]]) -> None:
        with self._db.write() as db:
            if setting(db, _STAGED) != name:
                db.execute("DELETE FROM staged")
                put_setting(db, _STAGED, name)
            kept = fetch_value(db, "SELECT length(vector) FROM staged LIMIT 1")  # all have one size
            if any(len(vector) != kept for _, _, vector in vectors):
                db.execute("DELETE FROM staged")
            db.executemany(
                "INSERT OR REPLACE INTO staged (key, vector) "
                "SELECT key, ? FROM memories WHERE key = ? AND content = ?",
                ((vector, key, words) for key, words, vector in vectors),
            )

    def promote_vectors(self, name: str, *, dim: int) -> bool:
        with self._db.write() as db:
            others = setting(db, _STAGED) != name and fetch_value(db, f"SELECT 1 {_LIVE} LIMIT 1")
            other_sizes = fetch_value(db, "SELECT 1 FROM staged WHERE length(vector) <> ?", (dim,))
            if others or other_sizes or fetch_value(db, f"SELECT 1 {_UNSTAGED} LIMIT 1"):
                return False
            db.execute("UPDATE features SET vector = s.vector FROM staged AS s WHERE s.key = features.key")
            db.execute(
                "UPDATE features SET vector = zeroblob(?) "
                "WHERE key IN (SELECT key FROM memories WHERE deleted_at IS NOT NULL)",
                (dim,),
            )
            db.execute("DELETE FROM staged")
            drop_setting(db, _STAGED)
            put_setting(db, "embedder", name)
            put_setting(db, "dimensions", str(dim))
            recount(db)
            _tell_everyone(db)
        return True

    def vector_progress(self, name: str) -> tuple[int, int]:
        with self._db.read() as db:
            staged = fetch_value(db, f"SELECT count(*) {_LIVE} AND key IN (SELECT key FROM staged)")
            needed = fetch_value(db, f"SELECT count(*) {_LIVE}")
            return (staged if setting(db, _STAGED) == name else 0), needed


def _tell_everyone(db: apsw.Connection) -> None:
    """Raise every user's version, so that shadows in other processes are read again."""
    last = fetch_value(db, "SELECT ifnull(max(version), 0) FROM changes")
    put_setting(db, "promoted_at_version", str(last))
    sql = "SELECT key, 0, unixepoch() * 1000000, 'reembed', NULL, NULL, NULL FROM users"
    log_rows(db, fetch(db, sql))
