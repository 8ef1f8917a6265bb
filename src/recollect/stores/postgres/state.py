"""What was learned about a user, beside the memories."""

from collections.abc import Callable
from typing import Final

from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.ledger import lock_tenant
from recollect.stores.postgres.sql import fetch, fetch_value, tenant_of
from recollect.types import Scope

_ONE: Final = "SELECT value FROM states WHERE tenant = %s AND name = %s"
_PUT: Final = """
INSERT INTO states (tenant, name, value) VALUES (%s, %s, %s)
ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value
"""


class PostgresStateTable:
    """The part of the store that keeps states."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    def state(self, scope: Scope, name: str) -> str | None:
        with self._db.read(scope) as db:
            value: str | None = fetch_value(db, _ONE, (tenant_of(scope.user_id), name))
            return value

    def states(self, scope: Scope) -> dict[str, str]:
        sql = "SELECT name, value FROM states WHERE tenant = %s ORDER BY name"
        with self._db.read(scope) as db:
            return dict(fetch(db, sql, (tenant_of(scope.user_id),)))

    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        mine = (tenant_of(scope.user_id), name)
        with self._db.write(scope) as db:
            lock_tenant(db, scope, create=True)
            value = change(fetch_value(db, _ONE, mine))
            if value is None:
                db.execute("DELETE FROM states WHERE tenant = %s AND name = %s", mine)
            else:
                db.execute(_PUT.encode(), (*mine, value))
