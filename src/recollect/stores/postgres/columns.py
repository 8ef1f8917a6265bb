"""Reads the columns that recall needs: of all memories, of some, or of candidates for a question."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import psycopg
from numpy.typing import NDArray

from recollect.protocols import ShadowRows
from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.index import BM25_KEYS, BM25_PARTS, bm25_values
from recollect.stores.postgres.nearest import NEAR, VECTORS, literal, look_far, unless_dropped
from recollect.stores.postgres.sql import Values, fetch, setting, tenant_of
from recollect.stores.postgres.where import narrowed
from recollect.stores.sql.columns import columns_of
from recollect.types import Scope
from recollect.types.filters import EVERYTHING, Filter

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
_WITH_NEIGHBOURS: Final = f"""
, places AS MATERIALIZED (
    SELECT m.thread, m.turn + step AS turn FROM memories AS m
    CROSS JOIN generate_series(-%(around)s::bigint, %(around)s::bigint) AS step
    WHERE m.tenant = %(tenant)s AND m.key IN (SELECT key FROM found) AND m.thread <> ''
), wanted_rows AS MATERIALIZED (
    SELECT key FROM found UNION
    SELECT m.key FROM places AS p JOIN memories AS m
    ON m.tenant = %(tenant)s AND m.thread = p.thread AND m.turn = p.turn AND m.thread <> ''
)
{COLUMNS} AND m.key IN (SELECT key FROM wanted_rows) ORDER BY m.key
"""
"""Places are made beforehand: under row-level security an index is not used for arithmetic."""


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


class CandidateTable:
    """The part of the store that proposes candidates for a question."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    def search_candidates(
        self,
        scope: Scope,
        stems: Sequence[str],
        vector: NDArray[np.float32],
        *,
        limit: int,
        around: int,
        where: Filter = EVERYTHING,
    ) -> ShadowRows:
        """See ``CandidateSearch.search_candidates``. Without the index over vectors words alone propose."""

        def search() -> ShadowRows:
            with self._db.read(scope) as db:
                asked = vector if vector.any() and setting(db, VECTORS) == "ready" else None
                if asked is not None:
                    look_far(db, limit)
                return _found(db, scope, stems, asked, limit=limit, around=around, where=where)

        return unless_dropped(search)


def _found(
    db: psycopg.Connection,
    scope: Scope,
    stems: Sequence[str],
    vector: NDArray[np.float32] | None,
    *,
    limit: int,
    around: int,
    where: Filter,
) -> ShadowRows:
    worded, bound = narrowed("w", scope, where)
    bound |= {**bm25_values(stems), "limit": limit, "around": around}
    near, found = "", f"({BM25_KEYS.format(inside=worded)})"
    if vector is not None:
        alike, _ = narrowed("v", scope, where)
        near, found = f", {NEAR.format(inside=alike)}", f"{found} UNION SELECT key FROM near"
        bound["vector"] = literal(vector)
    sql = f"WITH {BM25_PARTS}{near}, found AS MATERIALIZED ({found}) {_WITH_NEIGHBOURS}"
    return rows_of(db, sql, bound)
