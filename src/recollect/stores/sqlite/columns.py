"""Reads the columns that recall needs, thousands of rows at a time."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

import apsw
import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Profile, ShadowRows
from recollect.stores.sqlite.rows import dump
from recollect.types import Scope

_ROWS_AT_ONCE: Final = 8_192
"""Rows held as Python objects at a time: bounds the memory of a load. Chosen by hand."""

_COLUMNS: Final = 15
_SELECT: Final = """
SELECT m.key, m.id, m.turn,
    json_array(m.thread, m.agent_id, m.session_id, m.kind, m.role, m.speaker),
    m.happened_at, ifnull(m.valid_from, m.happened_at),
    ifnull(m.valid_until, 9223372036854775807), m.importance, m.confidence, m.useful_count,
    m.unhelpful_count, f.traits, f.vector, f.terms, f.counts
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
    """The live rows of a user changed after a version, and the keys of those removed since.

    Args:
        db: A connection inside a transaction.
        scope: Whose rows; agent and session are not applied.
        since: The version; 0 means every row.
        keys: Only these rows, and their neighbours, instead of the changed ones.
        around: How many neighbours on each side to read with ``keys``.
    """
    if keys is None and since == 0:
        return _build(db.execute(f"{_SELECT} ORDER BY m.key", (scope.user_id,))), np.empty(0, np.int64)
    wanted = _changed(db, scope, since) if keys is None else _with_neighbours(db, scope, keys, around)
    sql = f"{_SELECT} AND m.key IN (SELECT value FROM json_each(?)) ORDER BY m.key"
    rows = _build(db.execute(sql, (scope.user_id, dump(wanted))))
    return rows, np.setdiff1d(np.array(wanted, np.int64), rows.keys)


def _changed(db: apsw.Connection, scope: Scope, since: int) -> list[int]:
    sql = (
        "SELECT DISTINCT key FROM changes WHERE key > 0 AND version > ? "
        "AND user = (SELECT key FROM users WHERE user_id = ?) ORDER BY key"
    )
    return [key for (key,) in db.execute(sql, (since, scope.user_id))]


def _with_neighbours(db: apsw.Connection, scope: Scope, keys: Sequence[int], around: int) -> list[int]:
    sql = (
        "SELECT n.key FROM json_each(?) AS wanted JOIN memories AS m ON m.key = wanted.value "
        "JOIN memories AS n ON n.user = m.user AND n.thread = m.thread AND n.thread <> '' "
        "AND n.turn BETWEEN m.turn - ? AND m.turn + ? "
        "WHERE m.user = (SELECT key FROM users WHERE user_id = ?)"
    )
    rows = db.execute(sql, (dump(list(keys)), around, around, scope.user_id))
    return sorted({*keys, *(key for (key,) in rows)})


def _build(rows: Iterator[Any]) -> ShadowRows:
    known: dict[str, int] = {}
    chunks = []
    while chunk := list(islice(rows, _ROWS_AT_ONCE)):
        chunks.append(_chunk(list(zip(*chunk, strict=True)), known))
    profiles = [Profile(*(value or "" for value in json.loads(text))) for text in known]
    return replace(_joined(chunks or [_chunk([()] * _COLUMNS, known)]), profiles=profiles)


def _chunk(columns: list[tuple[Any, ...]], known: dict[str, int]) -> ShadowRows:
    (
        keys, ids, turns, profiles, happened, valid_from, valid_until, importance, confidence, useful,
        unhelpful, traits, vectors, terms, counts,
    ) = columns  # fmt: skip
    n = len(keys)
    return ShadowRows(
        keys=np.array(keys, np.int64),
        ids=list(ids),
        profiles=[],
        profile_of=np.fromiter((known.setdefault(text, len(known)) for text in profiles), np.int32, n),
        turns=np.array(turns, np.int32),
        happened=np.array(happened, np.int64),
        valid_from=np.array(valid_from, np.int64),
        valid_until=np.array(valid_until, np.int64),
        importance=np.array(importance, np.float32),
        confidence=np.array(confidence, np.float32),
        useful=np.array(useful, np.float32),
        unhelpful=np.array(unhelpful, np.float32),
        vectors=np.frombuffer(b"".join(vectors), np.int8).reshape(n, -1 if n else 0),
        terms=np.frombuffer(b"".join(terms), "<u4"),
        counts=np.frombuffer(b"".join(counts), np.uint8),
        lengths=np.fromiter(map(len, counts), np.int32, n),
        traits=np.array(traits, np.int32),
    )


def _joined(chunks: list[ShadowRows]) -> ShadowRows:
    if len(chunks) == 1:
        return chunks[0]
    columns: dict[str, Any] = {}
    for name in ShadowRows.__slots__:
        parts = [getattr(chunk, name) for chunk in chunks]
        is_list = isinstance(parts[0], list)
        columns[name] = [item for part in parts for item in part] if is_list else np.concatenate(parts)
    return ShadowRows(**columns)
