"""What Citus asks of a statement, read from the statement alone, and a stand-in for its functions.

The rules are those of its documentation, "SQL Support and Workarounds", and of its planner: a statement that
names its tenant everywhere goes to one server and may be anything; one that does not is run on all shards,
and then a few things are refused. Two are ours: nothing is copied into a table, which row-level security
forbids, and a setting travels alone, because Citus hands on whole the text in which it came.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from pglast import ast, parse_sql
from pglast.enums import A_Expr_Kind, BoolExprType, SetOperation
from pglast.visitors import Visitor

from recollect.stores.postgres.schema import TENANT_TABLES

SHARDED = frozenset({*TENANT_TABLES, "vectors"})
_PLACE = re.compile(r"%(?:\((\w+)\))?s|%%")
_FORBIDDEN = frozenset({"set_config", "pg_advisory_lock"})
_LOCAL_ONLY = (ast.CopyStmt, ast.CreateTrigStmt, ast.RuleStmt, ast.DeclareCursorStmt, ast.DoStmt)

_QUERIES = (ast.SelectStmt, ast.InsertStmt, ast.UpdateStmt, ast.DeleteStmt)
OTHERS = {
    ast.TransactionStmt: "the coordinator opens and ends one on each server as it reaches them",
    ast.VariableSetStmt: "handed on with citus.propagate_set_commands when it is LOCAL and alone in its text",
    ast.LockStmt: "held on every server of the cluster",
    ast.CreateStmt: "a table is made on the coordinator, and gets its shards afterwards",
    ast.AlterTableStmt: "handed on to every shard",
    ast.CreatePolicyStmt: "handed on to every shard",
    ast.IndexStmt: "handed on to every shard, with CONCURRENTLY outside a transaction",
    ast.DropStmt: "handed on to every shard",
    ast.VacuumStmt: "ANALYZE is handed on to every shard",
}
"""What else is sent, and why it may be; anything that is not listed is refused."""


class RefusedError(Exception):
    """Citus would refuse the statement, or answer it wrongly."""


def check(sql: str, values: Any = (), *, volatile: frozenset[str] = frozenset()) -> bool:
    """Raise for a statement that Citus refuses; says whether it goes to one server alone.

    Args:
        sql: As given to psycopg.
        values: What is bound: by place or by name.
        volatile: Functions that do not always answer the same.
    """
    text, bound = _numbered(sql, values)
    parsed = parse_sql(text)
    if len(parsed) > 1 and any(isinstance(one.stmt, ast.VariableSetStmt) for one in parsed):
        raise RefusedError("a setting is not alone in its text")
    routed = [_Statement(one.stmt, bound, volatile).check() for one in parsed]
    return all(routed)


def _numbered(sql: str, values: Any) -> tuple[str, list[Any]]:
    """The statement with numbered placeholders, and what each stands for."""
    bound: list[Any] = []
    if not values:
        return sql, bound

    def number(found: re.Match[str]) -> str:
        if found.group() == "%%":
            return "%"
        bound.append(values[found.group(1)] if found.group(1) else values[len(bound)])
        return f"${len(bound)}"

    return _PLACE.sub(number, sql), bound


@dataclass
class _Query:
    """One SELECT, INSERT, UPDATE or DELETE within a statement."""

    tables: dict[str, str] = field(default_factory=dict)
    """Sharded tables by the name they go by."""
    equal: list[tuple[Any, Any]] = field(default_factory=list)


class _Statement:
    def __init__(self, root: ast.Node, bound: Sequence[Any], volatile: frozenset[str]) -> None:
        self._root = root
        self._bound = bound
        self._volatile = volatile
        self._tenants: set[Any] = set()

    def check(self) -> bool:
        for node in _walk(self._root):
            self._look(node)
        if not isinstance(self._root, _QUERIES):
            if type(self._root) not in OTHERS:
                raise RefusedError(f"nobody has looked up what Citus does with {type(self._root).__name__}")
            return True
        queries = list(_queries(self._root))
        routed = [self._is_routed(query, outer) for query, outer in queries]
        if not all(routed):
            self._check_everywhere()
        if len(self._tenants) > 1:
            raise RefusedError("two tenants in one statement")
        if any(query.tables for query, _ in queries):
            self._check_functions()
        if isinstance(self._root, ast.InsertStmt):
            self._check_insert(self._root)
        if isinstance(self._root, (ast.UpdateStmt, ast.DeleteStmt)):
            self._check_change(self._root)
        return all(routed)

    def _look(self, node: ast.Node) -> None:
        if isinstance(node, _LOCAL_ONLY):
            raise RefusedError(f"{type(node).__name__}")
        if isinstance(node, ast.FuncCall) and _last(node.funcname) in _FORBIDDEN:
            raise RefusedError(f"{_last(node.funcname)} does not reach the other servers")
        if isinstance(node, ast.RangeVar) and node.relpersistence == "t":
            raise RefusedError("a temporary table")

    def _is_routed(self, query: _Query, outer: dict[str, str]) -> bool:
        """Whether every sharded table is held to one tenant; else how they hang together is checked."""
        held = {name for name in query.tables if self._reaches_value(query, name)}
        loose = [name for name in query.tables if name not in held]
        for name in loose:
            others = {*query.tables, *outer} - {name}
            if others and not any(self._linked(query, name, other) for other in others):
                raise RefusedError(f"{name} is joined otherwise than by its tenant")
        return not loose

    def _reaches_value(self, query: _Query, name: str) -> bool:
        seen, todo = set(), [name]
        while todo:
            one = todo.pop()
            seen.add(one)
            for left, right in _both_ways(query.equal):
                if left != one:
                    continue
                if isinstance(right, ast.ParamRef):
                    self._note(right)
                    return True
                if isinstance(right, str) and right not in seen:
                    todo.append(right)
        return False

    def _linked(self, query: _Query, name: str, other: str) -> bool:
        return any(pair == (name, other) for pair in _both_ways(query.equal))

    def _note(self, param: ast.ParamRef) -> None:
        value = self._bound[param.number - 1]
        if value is not None and not isinstance(value, UUID):
            raise RefusedError(f"a tenant is compared with {value!r}")
        self._tenants.add(value)

    def _check_everywhere(self) -> None:
        """What runs on every shard is plain reading, or a plain change of one table."""
        for node in _walk(self._root):
            if isinstance(node, ast.LockingClause):
                raise RefusedError("rows of several servers are locked")
            if isinstance(node, ast.SelectStmt) and node.op != SetOperation.SETOP_NONE:
                raise RefusedError("a set operation over several servers")
            if isinstance(node, (ast.WindowDef, ast.WithClause, ast.GroupingSet)):
                raise RefusedError(f"{type(node).__name__} over several servers")
            if isinstance(node, ast.SelectStmt) and node.distinctClause and node.distinctClause[0]:
                raise RefusedError("DISTINCT ON over several servers")
            if isinstance(node, (ast.RangeFunction, ast.RangeSubselect)):
                raise RefusedError(f"{type(node).__name__} over several servers")

    def _check_functions(self) -> None:
        called = {_last(node.funcname) for node in _walk(self._root) if isinstance(node, ast.FuncCall)}
        if called & self._volatile:
            raise RefusedError(f"{sorted(called & self._volatile)} beside sharded tables")

    def _check_insert(self, node: ast.InsertStmt) -> None:
        if node.relation.relname not in SHARDED:
            return
        columns = [column.name for column in node.cols]
        if "tenant" not in columns:
            raise RefusedError("a row without a tenant")
        source, place = node.selectStmt, columns.index("tenant")
        if source.valuesLists:
            for row in source.valuesLists:
                self._note(row[place])
        else:
            self._check_selected(source, place)
        if node.onConflictClause and node.onConflictClause.infer:
            inferred = [element.name for element in node.onConflictClause.infer.indexElems]
            if "tenant" not in inferred:
                raise RefusedError("a conflict found without the tenant")

    def _check_selected(self, source: ast.SelectStmt, place: int) -> None:
        """Where rows are made of rows, each stays on its server: else they would be copied."""
        [(query, _)] = list(_queries(source))
        value = source.targetList[place].val
        if not isinstance(value, ast.ColumnRef) or _names(value)[-1] != "tenant":
            raise RefusedError("the tenant of a new row is not one of a table")
        if not query.tables:
            raise RefusedError("rows are made of no table, and would be copied")
        if source.limitCount or source.limitOffset or source.withClause:
            raise RefusedError("LIMIT or WITH where rows are made of rows")

    def _check_change(self, node: ast.UpdateStmt | ast.DeleteStmt) -> None:
        if node.relation.relname not in SHARDED:
            return
        if node.withClause or any(isinstance(one, ast.SubLink) for one in _walk(node)):
            raise RefusedError("a subquery in a change")
        if any(isinstance(one, (ast.RangeFunction, ast.RangeSubselect)) for one in _walk(node)):
            raise RefusedError("a function in the FROM of a change")
        if any(isinstance(one, ast.A_Const) and _is_false(one) for one in _walk(node.whereClause or node)):
            raise RefusedError("a change that is false for all rows")
        if None in self._tenants:
            raise RefusedError("a change of nobody's rows")
        if isinstance(node, ast.UpdateStmt) and any(one.name == "tenant" for one in node.targetList):
            raise RefusedError("the tenant of a row is changed")
        others = node.fromClause if isinstance(node, ast.UpdateStmt) else node.usingClause
        alone = not others and not node.returningClause if hasattr(node, "returningClause") else not others
        if not alone and not all(self._is_routed(query, outer) for query, outer in _queries(node)):
            raise RefusedError("a change with a join on several servers")


def _queries(
    node: Any, outer: dict[str, str] | None = None, named: frozenset[str] = frozenset()
) -> Iterator[tuple[_Query, dict[str, str]]]:
    """Each query within, with the sharded tables that it sees of those around it."""
    outer = outer or {}
    with_clause = getattr(node, "withClause", None)
    if with_clause:
        named |= {cte.ctename for cte in with_clause.ctes}
    query = _Query()
    inner: list[Any] = [cte.ctequery for cte in with_clause.ctes] if with_clause else []
    if isinstance(node, ast.InsertStmt):
        yield from _queries(node.selectStmt, outer, named)
        return
    if isinstance(node, ast.SelectStmt) and node.op != SetOperation.SETOP_NONE:
        yield from _queries(node.larg, outer, named)
        yield from _queries(node.rarg, outer, named)
        return
    sources = [getattr(node, "relation", None), *(getattr(node, "fromClause", None) or ())]
    sources += [*(getattr(node, "usingClause", None) or ())]
    conditions: list[Any] = [getattr(node, "whereClause", None)]
    for source in filter(None, sources):
        _collect(source, query, conditions, inner, named)
    seen = {**outer, **query.tables}
    for condition in filter(None, conditions):
        query.equal += _equalities(condition, seen, query)
    rest = [*conditions, getattr(node, "targetList", None), getattr(node, "sortClause", None)]
    inner += [link.subselect for part in rest if part for link in _sublinks(part)]
    yield query, outer
    for one in inner:
        yield from _queries(one, seen, named)


def _collect(
    source: Any, query: _Query, conditions: list[Any], inner: list[Any], named: frozenset[str]
) -> None:
    if isinstance(source, ast.RangeVar):
        if source.relname in SHARDED and source.relname not in named:
            query.tables[source.alias.aliasname if source.alias else source.relname] = source.relname
    elif isinstance(source, ast.JoinExpr):
        if source.usingClause:
            raise RefusedError("USING hides which tenant is meant")
        conditions.append(source.quals)
        _collect(source.larg, query, conditions, inner, named)
        _collect(source.rarg, query, conditions, inner, named)
    elif isinstance(source, ast.RangeSubselect):
        inner.append(source.subquery)


def _equalities(condition: Any, seen: dict[str, str], query: _Query) -> Iterator[tuple[Any, Any]]:
    """The pairs that hold for every row: tables by their names, for their tenants, and placeholders."""
    if isinstance(condition, ast.BoolExpr) and condition.boolop == BoolExprType.AND_EXPR:
        for part in condition.args:
            yield from _equalities(part, seen, query)
    elif (
        isinstance(condition, ast.A_Expr)
        and condition.kind == A_Expr_Kind.AEXPR_OP
        and _last(condition.name) == "="
    ):
        pair = _tenant(condition.lexpr, seen, query), _tenant(condition.rexpr, seen, query)
        if None not in pair and any(isinstance(one, str) for one in pair):
            yield pair


def _tenant(node: Any, seen: dict[str, str], query: _Query) -> Any:
    """The table whose tenant a column is, or the placeholder; None for anything else."""
    if isinstance(node, ast.ParamRef):
        return node
    if not isinstance(node, ast.ColumnRef) or _names(node)[-1] != "tenant":
        return None
    names = _names(node)
    if len(names) == 1:
        return next(iter(query.tables), None) if len(query.tables) == 1 else None
    return names[0] if names[0] in seen else None


def _both_ways(pairs: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    for left, right in pairs:
        yield left, right
        yield right, left


def _is_false(constant: ast.A_Const) -> bool:
    return isinstance(constant.val, ast.Boolean) and not constant.val.boolval


def _names(column: ast.ColumnRef) -> list[str]:
    return [getattr(part, "sval", "*") for part in column.fields]


def _last(names: Sequence[Any]) -> str:
    return str(names[-1].sval)


def _sublinks(part: Any) -> list[ast.SubLink]:
    """The outermost subqueries of an expression."""
    if isinstance(part, ast.SubLink):
        return [part]
    if isinstance(part, ast.SelectStmt):
        return []
    return [link for child in _children(part) for link in _sublinks(child)]


def _children(node: Any) -> list[Any]:
    if isinstance(node, (list, tuple)):
        return list(node)
    return [getattr(node, name) for name in node] if isinstance(node, ast.Node) else []


def _walk(root: ast.Node) -> list[ast.Node]:
    found: list[ast.Node] = []

    class Every(Visitor):  # type: ignore[misc]
        def visit(self, ancestors: Any, node: ast.Node) -> None:
            found.append(node)

    Every()(root)
    return found
