"""What was learned about a user, beside the memories."""

from collections.abc import Callable

from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.stores.sqlite.where import fetch, fetch_value
from recollect.types import Scope

_MINE = "user = (SELECT key FROM users WHERE user_id = ?)"


class SQLiteStateTable:
    """The part of the store that keeps states."""

    def __init__(self, db: SQLiteDatabase) -> None:
        self._db = db

    def state(self, scope: Scope, name: str) -> str | None:
        with self._db.read() as db:
            sql = f"SELECT value FROM states WHERE {_MINE} AND name = ?"
            value: str | None = fetch_value(db, sql, (scope.user_id, name))
            return value

    def states(self, scope: Scope) -> dict[str, str]:
        with self._db.read() as db:
            sql = f"SELECT name, value FROM states WHERE {_MINE} ORDER BY name"
            return dict(fetch(db, sql, (scope.user_id,)))

    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        with self._db.write() as db:
            mine = (scope.user_id, name)
            value = change(fetch_value(db, f"SELECT value FROM states WHERE {_MINE} AND name = ?", mine))
            if value is None:
                db.execute(f"DELETE FROM states WHERE {_MINE} AND name = ?", mine)
                return
            db.execute("INSERT OR IGNORE INTO users (user_id) VALUES (?)", (scope.user_id,))
            db.execute(
                "INSERT OR REPLACE INTO states (user, name, value) "
                "VALUES ((SELECT key FROM users WHERE user_id = ?), ?, ?)",
                (*mine, value),
            )
