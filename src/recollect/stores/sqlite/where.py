"""Filters as SQL, with the same meaning as ``filters.matches``, and reading the rows of a query."""

import json
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import apsw

from recollect.types import Scope
from recollect.types.codec import to_micros
from recollect.types.filters import EVERYTHING, FIELDS, AllOf, AnyOf, Filter, Not, Scalar, Test

Row = tuple[Any, ...]
"""A row as apsw gives it; each query knows its own columns."""
Binding = None | bool | int | float | str
_COMPARISONS: Final = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_TYPES: Final = {
    bool: "('true', 'false')",
    int: "('integer', 'real')",
    float: "('integer', 'real')",
    str: "('text')",
}
_FOUND: Final = "EXISTS (SELECT 1 FROM json_each(m.metadata) AS j WHERE j.key = ? AND {})"
_LISTED: Final = "(SELECT value FROM json_each(?))"
_MANY: Final = 100
"""More options or parts than this are written another way. Chosen by hand."""
_OF_THREAD: Final = "(m.thread = ? AND m.thread <> '')"
"""The index of threads leaves out memories that stand alone; it is used when a query says so, too."""
FILTER_S: Final = 30.0
"""Seconds that a query with a filter may take: as long as a writer waits for another. Chosen by hand; 5,000
conditions over 2,000 memories take up to 8."""
_STEPS: Final = 10_000
"""Steps of SQLite between two looks at the clock, less than a millisecond. Chosen by hand."""
_LISTS: Final = {name for name, (kind, _) in FIELDS.items() if kind == "list"}


def scope_sql(scope: Scope, *, dead: bool = False) -> tuple[str, list[Binding]]:
    """The condition for the live, or the deleted, memories of a scope, over ``memories AS m``."""
    state = "NOT NULL" if dead else "NULL"
    sql = f"m.user = (SELECT key FROM users WHERE user_id = ?) AND m.deleted_at IS {state}"
    values: list[Binding] = [scope.user_id]
    for column, value in (("agent_id", scope.agent_id), ("session_id", scope.session_id)):
        if value is not None:
            sql += f" AND m.{column} = ?"
            values.append(value)
    return sql, values


def where_sql(where: Filter) -> tuple[str, list[Binding]]:
    """The condition for a filter, in a query over ``memories AS m``; never NULL."""
    match where:
        case AllOf(parts):
            return _joined(parts, " AND ", empty="1")
        case AnyOf(parts):
            return _joined(parts, " OR ", empty="0")
        case Not(part):
            sql, values = where_sql(part)
            return f"NOT {sql}", values
        case Test():
            return _test_sql(where)


def ordered_by(where: Filter, *, limit: int | None) -> str:
    """What to order rows by: the id, from its index or, with ``+``, sorted after the filter's own index.

    A page is read fastest along the index of ids; everything that matches, or one thread, is not.
    """
    is_narrow = _names_thread(where) or (limit is None and where != EVERYTHING)
    return "+m.id" if is_narrow else "m.id"


def _names_thread(where: Filter) -> bool:
    match where:
        case AllOf(parts):
            return any(map(_names_thread, parts))
        case Test():
            return (where.key, where.operator, where.in_metadata) == ("thread", "eq", False)
    return False


def _joined(parts: tuple[Filter, ...], word: str, *, empty: str) -> tuple[str, list[Binding]]:
    pieces = [where_sql(part) for part in parts]
    sql = _tree([sql for sql, _ in pieces], word) or empty
    return f"({sql})", [value for _, values in pieces for value in values]


def _tree(pieces: list[str], word: str) -> str:
    """The conditions joined as a balanced tree: SQLite allows a depth of 1,000."""
    if len(pieces) <= _MANY:
        return word.join(pieces)
    half = len(pieces) // 2
    return f"({_tree(pieces[:half], word)}){word}({_tree(pieces[half:], word)})"


def _test_sql(test: Test) -> tuple[str, list[Binding]]:
    operator = test.operator
    if operator in ("ne", "nin"):
        opposite = Test(test.key, test.in_metadata, "eq" if operator == "ne" else "in", test.value)
        return where_sql(Not(opposite))
    if isinstance(test.value, tuple):
        return _in_sql(test, test.value)
    return _metadata_sql(test, test.value) if test.in_metadata else _field_sql(test, test.value)


def _in_sql(test: Test, options: tuple[Scalar, ...]) -> tuple[str, list[Binding]]:
    if len(options) > _MANY:
        return _in_many_sql(test, options)
    if not test.in_metadata and None not in options:
        marks = ", ".join("?" * len(options))
        sql = f"(m.{test.key} IS NOT NULL AND m.{test.key} IN ({marks}){_not_said(test.key, options)})"
        return sql, [_bound(option) for option in options]
    return where_sql(AnyOf(tuple(Test(test.key, test.in_metadata, "eq", option) for option in options)))


def _in_many_sql(test: Test, options: tuple[Scalar, ...]) -> tuple[str, list[Binding]]:
    """One value bound for each type of options: SQLite binds at most 32,766 values."""
    pieces: list[str] = []
    values: list[Binding] = []
    for types in dict.fromkeys(_TYPES.get(type(option), "") for option in options if option is not None):
        among = json.dumps([_bound(o) for o in options if o is not None and _TYPES.get(type(o), "") == types])
        if test.in_metadata:
            pieces.append(_FOUND.format(f"j.type IN {types} AND j.value IN {_LISTED}"))
            values += [test.key, among]
        else:
            pieces.append(f"(m.{test.key} IS NOT NULL AND m.{test.key} IN {_LISTED})")
            values.append(among)
    if None in options:
        sql, more = where_sql(Test(test.key, test.in_metadata, "eq", None))
        pieces.append(sql)
        values += more
    return f"({' OR '.join(pieces)})", values


def _field_sql(test: Test, value: Scalar) -> tuple[str, list[Binding]]:
    column = f"m.{test.key}"
    if test.key == "thread" and test.operator == "eq" and value:
        return _OF_THREAD, [_bound(value)]
    if test.operator == "eq":
        return f"({column} IS ?{_not_said(test.key, (value,))})", [_bound(value)]
    if value is None:
        return "0", []
    if test.operator == "contains":
        return _contains_field(test.key, value)
    if isinstance(value, bool):
        return "0", []
    return f"ifnull({column} {_COMPARISONS[test.operator]} ?, 0)", [_bound(value)]


def _not_said(key: str, options: tuple[Scalar, ...]) -> str:
    """What shows SQLite that a test of kinds may use the index of everything but messages."""
    return " AND m.kind <> 'message'" if key == "kind" and "message" not in options else ""


def _contains_field(key: str, value: Scalar) -> tuple[str, list[Binding]]:
    if key in _LISTS:
        item = "json_extract(value, '$.text')" if key == "tags" else "value"
        return f"EXISTS (SELECT 1 FROM json_each(m.{key}) WHERE {item} = ?)", [_bound(value)]
    if FIELDS[key][0] != "text":
        return "0", []
    return f"ifnull(instr(lower(m.{key}), lower(?)) > 0, 0)", [_bound(value)]


def _metadata_sql(test: Test, value: Scalar) -> tuple[str, list[Binding]]:
    found, key = _FOUND, test.key
    if test.operator == "eq" and value is None:
        return "NOT " + found.format("j.type <> 'null'"), [key]
    if test.operator == "contains":
        return _contains_metadata(found, key, value)
    if value is None or isinstance(value, datetime):
        return "0", []
    if test.operator == "eq":
        return found.format(f"j.type IN {_TYPES[type(value)]} AND j.value = ?"), [key, value]
    if isinstance(value, bool):
        return "0", []
    sign = _COMPARISONS[test.operator]
    return found.format(f"j.type IN {_TYPES[type(value)]} AND j.value {sign} ?"), [key, value]


def _contains_metadata(found: str, key: str, value: Scalar) -> tuple[str, list[Binding]]:
    if value is None:
        element, element_values = "i.type = 'null'", []
    else:
        element = f"i.type IN {_TYPES[type(value)]} AND i.value = ?"
        element_values = [_bound(value)]
    sql = found.format(f"j.type = 'array' AND EXISTS (SELECT 1 FROM json_each(j.value) AS i WHERE {element})")
    values = [key, *element_values]
    if isinstance(value, str):
        text = found.format("j.type = 'text' AND instr(lower(j.value), lower(?)) > 0")
        return f"({sql} OR {text})", [*values, key, value]
    return sql, values


def _bound(value: Scalar) -> Binding:
    return to_micros(value) if isinstance(value, datetime) else value


def fetch_matching(db: apsw.Connection, where: Filter, sql: str, values: Sequence[Binding]) -> list[Row]:
    """All rows of a query with a filter, which anybody may have sent.

    Raises:
        apsw.InterruptError: It took longer than ``FILTER_S``.
    """
    if where == EVERYTHING:
        return fetch(db, sql, values)
    until = time.monotonic() + FILTER_S
    db.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    try:
        return fetch(db, sql, values)
    finally:
        db.set_progress_handler(None)


def fetch(db: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> list[Row]:
    """All rows of a query."""
    return db.execute(sql, tuple(values)).fetchall()


def fetch_value(db: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> Any:
    """The first column of a query's first row; None when there is no row."""
    row = db.execute(sql, tuple(values)).fetchone()
    return None if row is None else row[0]
