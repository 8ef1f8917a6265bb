"""Reads the columns that recall needs, thousands of rows at a time."""

from collections.abc import Sequence
from typing import Final

import apsw
import numpy as np
from numpy.typing import NDArray

from recollect.protocols import ShadowRows
from recollect.stores.sql.columns import columns_of
from recollect.stores.sql.rows import dump
from recollect.types import Scope

_SELECT: Final = """
SELECT m.key, m.id, json_array(m.thread, m.agent_id, m.session_id, m.kind, m.role, m.speaker, m.tier),
    m.packed, f.traits, f.vector, f.terms, f.counts
FROM memories AS m CROSS JOIN features AS f ON f.key = m.key
WHERE m.user = (SELECT key FROM users WHERE user_id = ?) AND m.deleted_at IS NULL
"""


def read_columns(
    db: apsw.Connection,
    scope: Scope,
    since: int,
    *,
    keys: Sequence[int] | None = None,
    around: int = 0,
) -> tuple[ShadowRows, NDArray[np.int64]]:
    """The live rows of a user changed after a version (0: all), and the keys of those removed since.

    With ``keys`` only these rows, and ``around`` neighbours on each side.
    """
    if keys is None and since == 0:
        return columns_of(db.execute(f"{_SELECT} ORDER BY m.key", (scope.user_id,))), np.empty(0, np.int64)
    wanted = _changed(db, scope, since) if keys is None else _with_neighbours(db, scope, keys, around)
    sql = f"{_SELECT} AND m.key IN (SELECT value FROM json_each(?)) ORDER BY m.key"
    rows = columns_of(db.execute(sql, (scope.user_id, dump(wanted))))
    return rows, np.setdiff1d(np.array(wanted, np.int64), rows.keys)


def _changed(db: apsw.Connection, scope: Scope, since: int) -> list[int]:
    sql = (
        "SELECT DISTINCT key FROM changes WHERE key > 0 AND version > ? "
        "AND user = (SELECT key FROM users WHERE user_id = ?) ORDER BY key"
    )
    return [key for (key,) in db.execute(sql, (since, scope.user_id))]


def _with_neighbours(db: apsw.Connection, scope: Scope, keys: Sequence[int], around: int) -> list[int]:
    sql = (
        "SELECT n.key FROM json_each(?) AS wanted CROSS JOIN memories AS m ON m.key = wanted.value "
        "CROSS JOIN memories AS n INDEXED BY memories_by_thread "
        "ON n.user = m.user AND n.thread = m.thread AND n.thread <> '' "
        "AND n.turn BETWEEN m.turn - ? AND m.turn + ? "
        "WHERE m.user = (SELECT key FROM users WHERE user_id = ?)"
    )
    rows = db.execute(sql, (dump(list(keys)), around, around, scope.user_id))
    return sorted({*keys, *(key for (key,) in rows)})
