"""Reads the columns that recall needs, thousands of rows at a time."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import psycopg
from numpy.typing import NDArray

from recollect.protocols import ShadowRows
from recollect.stores.postgres.sql import Values, fetch, tenant_of
from recollect.stores.sql.columns import columns_of
from recollect.types import Scope

COLUMNS: Final = """
SELECT m.key, m.id,
    json_build_array(m.thread, m.agent_id, m.session_id, m.kind, m.role, m.speaker, m.tier)::text,
    m.packed, f.traits, f.vector, f.terms, f.counts
FROM memories AS m JOIN features AS f ON f.tenant = m.tenant AND f.key = m.key
WHERE m.tenant = %(tenant)s AND f.tenant = %(tenant)s AND m.deleted_at IS NULL
"""
"""The rows that ``columns_of`` reads, of a user; more conditions may follow."""
_CHANGED: Final = "SELECT DISTINCT key FROM changes WHERE tenant = %s AND version > %s"
_PLACES: Final = "SELECT thread, turn FROM memories WHERE tenant = %s AND key = ANY(%s) AND thread <> ''"
_STANDING_AT: Final = """
SELECT m.key FROM unnest(%s::text[], %s::bigint[]) AS place (thread, turn)
JOIN memories AS m ON m.tenant = %s AND m.thread = place.thread AND m.turn = place.turn AND m.thread <> ''
"""
"""Places are compared by ``=`` alone: under row-level security the index is not used for arithmetic."""


def read_columns(db: psycopg.Connection, scope: Scope, since: int) -> tuple[ShadowRows, NDArray[np.int64]]:
    """The live rows of a user changed after a version (0: all), and the keys of those removed since."""
    tenant = tenant_of(scope.user_id)
    if since == 0:
        return _read(db, scope), np.empty(0, np.int64)
    changed = sorted(key for (key,) in fetch(db, _CHANGED, (tenant, since)))
    rows = _read(db, scope, changed)
    return rows, np.setdiff1d(np.array(changed, np.int64), rows.keys)


def read_around(db: psycopg.Connection, scope: Scope, keys: Sequence[int], *, around: int) -> ShadowRows:
    """The rows of some memories of a user and of their neighbours on each side in their threads."""
    tenant = tenant_of(scope.user_id)
    places = {
        (thread, turn + step)
        for thread, turn in fetch(db, _PLACES, (tenant, list(keys)))
        for step in range(-around, around + 1)
    }
    threads, turns = [thread for thread, _ in places], [turn for _, turn in places]
    near = fetch(db, _STANDING_AT, (threads, turns, tenant))
    return _read(db, scope, sorted({*keys, *(key for (key,) in near)}))


def _read(db: psycopg.Connection, scope: Scope, keys: Sequence[int] | None = None) -> ShadowRows:
    chosen = "" if keys is None else "AND m.key = ANY(%(keys)s)"
    values = {"tenant": tenant_of(scope.user_id), "keys": None if keys is None else list(keys)}
    return rows_of(db, f"{COLUMNS} {chosen} ORDER BY m.key", values)


def rows_of(db: psycopg.Connection, sql: str, values: Values) -> ShadowRows:
    """The rows of a query whose columns are ``COLUMNS``."""
    with db.cursor(binary=True) as cursor:
        cursor.execute(sql.encode(), values)
        return columns_of(iter(cursor))
