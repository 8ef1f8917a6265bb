"""Filters as SQL, with the same meaning as ``filters.matches``."""

from datetime import datetime
from typing import Any, Final, Literal

from recollect.stores.postgres.rows import idempotency_of, scalar
from recollect.stores.postgres.sql import tenant_of
from recollect.stores.sql.rows import dump
from recollect.types import Scope
from recollect.types.codec import to_micros
from recollect.types.filters import EVERYTHING, FIELDS, AllOf, AnyOf, FieldType, Filter, Not, Scalar, Test

Condition = tuple[str, list[Any]]
"""SQL that is true or false and never NULL, and the values of its placeholders."""

_COMPARISONS: Final = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_ARRAYS: Final = {"text": "text[]", "number": "float8[]", "bool": "boolean[]", "time": "bigint[]"}
_NEVER: Final[Condition] = ("false", [])
_STATES: Final = {
    "live": " AND m.deleted_at IS NULL",
    "deleted": " AND m.deleted_at IS NOT NULL",
    "any": "",
}


def scope_sql(scope: Scope, state: Literal["live", "deleted", "any"] = "live") -> Condition:
    """The condition for the memories of a scope, in a query over ``memories AS m``."""
    sql, values = f"m.tenant = %s{_STATES[state]}", [tenant_of(scope.user_id)]
    return _narrowed(scope, sql, values)


def _narrowed(scope: Scope, sql: str, values: list[Any]) -> Condition:
    for column, value in (("agent_id", scope.agent_id), ("session_id", scope.session_id)):
        if value is not None:
            sql += f" AND m.{column} = %s"
            values.append(value)
    return sql, values


def condition(scope: Scope, where: Filter, state: Literal["live", "deleted"] = "live") -> Condition:
    """The condition for the live, or the deleted, memories of a scope that match."""
    scoped, scope_values = scope_sql(scope, state)
    filtered, filter_values = where_sql(where)
    return f"{scoped} AND {filtered}", [*scope_values, *filter_values]


def narrowed(table: str, scope: Scope, where: Filter) -> tuple[str, dict[str, Any]]:
    """A join that leaves of a table's keys those of live memories of a scope that match.

    Placeholders are named, because a statement may hold it twice; ``tenant`` is always among them. Nothing
    is joined when all live memories of a user are meant: the indexes hold those alone.
    """
    tenant = tenant_of(scope.user_id)
    if scope == Scope(user_id=scope.user_id) and where == EVERYTHING:
        return "", {"tenant": tenant}
    sql, values = condition(scope, where)
    bound = {f"scope{place}": value for place, value in enumerate(values)}
    inside = sql % tuple(f"%({name})s" for name in bound)
    joined = f"JOIN memories AS m ON m.tenant = %(tenant)s AND m.key = {table}.key AND {inside}"
    return joined, {"tenant": tenant, **bound}


def where_sql(where: Filter) -> Condition:
    """The condition for a filter, in a query over ``memories AS m``."""
    match where:
        case AllOf(parts):
            return _joined(parts, " AND ", empty="true")
        case AnyOf(parts):
            return _joined(parts, " OR ", empty="false")
        case Not(part):
            sql, values = where_sql(part)
            return f"NOT {sql}", values
        case Test():
            return _test_sql(where)


def _joined(parts: tuple[Filter, ...], word: str, *, empty: str) -> Condition:
    pieces = [where_sql(part) for part in parts]
    sql = word.join(sql for sql, _ in pieces) or empty
    return f"({sql})", [value for _, values in pieces for value in values]


def _test_sql(test: Test) -> Condition:
    operator = test.operator
    if operator in ("ne", "nin"):
        opposite = Test(test.key, test.in_metadata, "eq" if operator == "ne" else "in", test.value)
        return where_sql(Not(opposite))
    if isinstance(test.value, tuple):
        return _in_sql(test, test.value)
    return _metadata_sql(test, test.value) if test.in_metadata else _field_sql(test, test.value)


def _in_sql(test: Test, options: tuple[Scalar, ...]) -> Condition:
    """One value bound for all options: a statement takes at most 65,535."""
    if test.in_metadata:
        texts = [scalar(option) for option in options if not isinstance(option, datetime)]
        return "(coalesce(m.metadata -> %s, 'null') = ANY(%s::jsonb[]))", [test.key, texts]
    column, kind = f"m.{test.key}", FIELDS[test.key][0]
    if test.key == "idempotency_key" and None not in options:
        return _keys_sql([str(option) for option in options])
    sql = f"({column} IS NOT NULL AND {column} = ANY(%s::{_ARRAYS[kind]}))"
    if None in options:
        sql = f"({column} IS NULL OR {sql})"
    return sql, [[_option(kind, option) for option in options if option is not None]]


def _keys_sql(keys: list[str]) -> Condition:
    """The condition for some idempotency keys: the index is over their hashes."""
    hashes = [idempotency_of(key) for key in keys]
    hashed = "m.idempotency IS NOT NULL AND m.idempotency = ANY(%s::uuid[])"
    return f"({hashed} AND m.idempotency_key = ANY(%s::text[]))", [hashes, keys]


def _field_sql(test: Test, value: Scalar) -> Condition:
    column = f"m.{test.key}"
    if test.operator == "contains":
        return _field_contains(test.key, value)
    if value is None:
        return (f"({column} IS NULL)", []) if test.operator == "eq" else _NEVER
    if isinstance(value, bool) and test.operator != "eq":
        return _NEVER
    if test.key == "thread" and test.operator == "eq" and value:
        return "(m.thread = %s AND m.thread <> '')", [_bound(value)]
    sign = _COMPARISONS.get(test.operator, "=")
    return f"({column} IS NOT NULL AND {column} {sign} %s)", [_bound(value)]


def _field_contains(key: str, value: Scalar) -> Condition:
    kind = FIELDS[key][0]
    if not isinstance(value, str) or kind not in ("list", "text"):
        return _NEVER
    if kind == "list":
        element = [{"text": value}] if key == "tags" else [value]
        return f"(m.{key} @> %s::jsonb)", [dump(element)]
    return f"(m.{key} IS NOT NULL AND {_substring(f'm.{key}')})", [value]


def _substring(text: str) -> str:
    """Whether a text holds another, ASCII case ignored: ``lower`` knows no other letters in "C"."""
    return f"""strpos(lower({text} COLLATE "C"), lower(%s::text COLLATE "C")) > 0"""


def _metadata_sql(test: Test, value: Scalar) -> Condition:
    if test.operator == "eq":
        return _metadata_eq(test.key, value)
    if test.operator == "contains":
        return _metadata_contains(test.key, value)
    if isinstance(value, str):
        sign = _COMPARISONS[test.operator]
        sql = f"""(m.metadata ->> %s) COLLATE "C" {sign} %s"""
        return _typed("string", sql, test.key, [test.key, value])
    if value is None or isinstance(value, (bool, datetime)):
        return _NEVER
    sql = f"m.metadata -> %s {_COMPARISONS[test.operator]} %s::jsonb"
    return _typed("number", sql, test.key, [test.key, scalar(value)])


def _metadata_eq(key: str, value: Scalar) -> Condition:
    if isinstance(value, datetime):
        return _NEVER
    return "(coalesce(m.metadata -> %s, 'null') = %s::jsonb)", [key, scalar(value)]


def _metadata_contains(key: str, value: Scalar) -> Condition:
    if isinstance(value, datetime):
        return _NEVER
    sql, values = _typed("array", "m.metadata -> %s @> %s::jsonb", key, [key, scalar(value)])
    if isinstance(value, str):
        text, text_values = _typed("string", _substring("(m.metadata ->> %s)"), key, [key, value])
        return f"({sql} OR {text})", [*values, *text_values]
    return sql, values


def _typed(kind: str, sql: str, key: str, values: list[Any]) -> Condition:
    """The condition, for metadata whose value under the key is of a JSON type; else false."""
    return f"(coalesce(jsonb_typeof(m.metadata -> %s) = '{kind}', false) AND ({sql}))", [key, *values]


def _bound(value: Scalar) -> Scalar:
    return to_micros(value) if isinstance(value, datetime) else value


def _option(kind: FieldType, value: Scalar) -> Scalar:
    """A value of an array: numbers in one type, as the driver asks."""
    return float(value) if kind == "number" and isinstance(value, (int, float)) else _bound(value)
