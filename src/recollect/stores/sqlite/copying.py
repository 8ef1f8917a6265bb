"""Memories as they are, out of a file and into one: with turn, times, features, history and links."""

from collections.abc import Sequence
from typing import Final

import apsw

from recollect.errors import InvalidInputError
from recollect.protocols import Copied
from recollect.stores.sql.copies import CopyRows, change_row, check_copies
from recollect.stores.sql.rows import SELECT, dump
from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.stores.sqlite.statistics import count_in
from recollect.stores.sqlite.where import fetch, fetch_value, scope_sql
from recollect.stores.sqlite.writing import INSERT, index, log, sealed, setting, user_key
from recollect.types import Scope

_USERS: Final = """
SELECT user_id FROM users AS u WHERE EXISTS (SELECT 1 FROM states AS s WHERE s.user = u.key)
OR EXISTS (SELECT 1 FROM memories AS m WHERE m.user = u.key AND m.deleted_at IS NULL) ORDER BY user_id
"""
_LISTED: Final = "IN (SELECT value FROM json_each(?))"
_MEMORIES: Final = f"""
SELECT m.key, m.packed, f.vector, f.terms, f.counts, f.traits, {SELECT}
FROM memories AS m LEFT JOIN features AS f ON f.key = m.key
WHERE {{scoped}} AND m.key > ? ORDER BY m.key LIMIT ?
"""
_CHANGES: Final = (
    f"SELECT key, at, action, before, after, reason FROM changes WHERE key {_LISTED} ORDER BY key, version"
)
_LINKS: Final = (
    "SELECT l.source, m.id, l.type FROM links AS l CROSS JOIN memories AS m ON m.key = l.target "
    f"WHERE l.source {_LISTED} AND {{scoped}} ORDER BY l.source, m.id, l.type"
)


class SQLiteCopyTable:
    """The part of the store that exports and imports memories unchanged."""

    def __init__(self, db: SQLiteDatabase) -> None:
        self._db = db

    def known_users(self) -> list[str]:
        with self._db.read() as db:
            return [user_id for (user_id,) in fetch(db, _USERS)]

    def dump(self, scope: Scope, *, after: int, limit: int) -> list[Copied]:
        """See ``Copying.dump``. Stems stay behind: the text index keeps no words."""
        scoped, values = scope_sql(scope)
        with self._db.read() as db:
            memories = fetch(db, _MEMORIES.format(scoped=scoped), (*values, after, limit))
            keys = dump([row[0] for row in memories])
            rows = CopyRows(
                memories=memories,
                changes=fetch(db, _CHANGES, (keys,)),
                links=fetch(db, _LINKS.format(scoped=scoped), (keys, *values)),
                embedder=setting(db, "embedder") or "",
            )
        return rows.copies(scope)

    def restore(self, scope: Scope, copies: Sequence[Copied]) -> int:
        with self._db.write() as db:
            fresh = check_copies(scope, copies, known=_known(db, scope, copies))
            if fresh:
                _insert(db, scope, fresh)
        return len(fresh)


def _insert(db: apsw.Connection, scope: Scope, fresh: Sequence[Copied]) -> None:
    db.execute("INSERT OR IGNORE INTO users (user_id) VALUES (?)", (scope.user_id,))
    user = user_key(db, scope)
    last = fetch_value(db, "SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'memories'")
    keyed = list(enumerate(fresh, int(last) + 1))
    try:
        db.executemany(
            INSERT,
            (
                (key, user, *sealed(key, one.record, turn=one.record.origin.turn, outline=one.outline))
                for key, one in keyed
            ),
        )
    except apsw.ConstraintError as error:
        raise InvalidInputError("a copy cannot take the idempotency key of another memory") from error
    index(db, user, [(key, copied.features) for key, copied in keyed])
    count_in(db, user, ((one.features.terms, one.features.vector) for one in fresh))
    log(db, user, [(key, *change_row(change)) for key, copied in keyed for change in copied.history])


def _known(db: apsw.Connection, scope: Scope, copies: Sequence[Copied]) -> set[str]:
    sql = f"SELECT id FROM memories WHERE user = (SELECT key FROM users WHERE user_id = ?) AND id {_LISTED}"
    ids = dump([copied.record.id for copied in copies])
    return {memory_id for (memory_id,) in fetch(db, sql, (scope.user_id, ids))}
