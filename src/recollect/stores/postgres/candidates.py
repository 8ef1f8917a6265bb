"""Candidates for a question in one statement: by words and by vector, with their neighbours."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import psycopg
from numpy.typing import NDArray

from recollect.protocols import ShadowRows
from recollect.stores.postgres.columns import COLUMNS, rows_of
from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.index import BM25_KEYS, BM25_PARTS, bm25_values
from recollect.stores.postgres.nearest import NEAR, VECTORS, literal, look_far, unless_dropped
from recollect.stores.postgres.sql import setting
from recollect.stores.postgres.where import narrowed
from recollect.types import Scope
from recollect.types.filters import EVERYTHING, Filter

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
