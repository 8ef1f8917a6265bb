"""Random and hostile input for every HTTP route, by keys of each role, and for every MCP tool."""

import asyncio
import json
from random import Random
from typing import Any, NamedTuple

from fastapi.testclient import TestClient
from mcp import Client, MCPError

from benchmarks.torture.figures import Figures, Ground
from recollect import Memory
from recollect.server import KeyRing, ServerSettings, create_app
from recollect.server.keys import ROLES
from recollect.server.mcp import Held, make_mcp
from recollect.types import Scope

_LOCAL = "http://127.0.0.1:8377"
_CALLS = 100
_SECRET = "zqsecretzq"  # noqa: S105 - a word that nobody else may see
_SCALARS: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 1e308, 0.5, "", " ", "x", "ada", "*", "space:x",
    "\x00", "\ud800", "é" * 300, "." * 20_000, "“" * 5_000, "<a b='" * 3_000, "2026-13-45",
    "2026-02-30T25:00", "9999-12-31T23:59:59Z", "../../etc/passwd", "'; DROP TABLE memories; --", "{}", "[]",
    "\u202e\u00ad\u2800",
)  # fmt: skip


def drawn(chance: Random, names: list[str], depth: int = 0) -> Any:
    """A random value, sometimes a list or an object with known names."""
    kind = chance.random()
    if depth < 4 and kind < 0.15:
        return [drawn(chance, names, depth + 1) for _ in range(chance.choice((0, 1, 2, 40)))]
    if depth < 4 and kind < 0.35:
        some = chance.sample(names, min(len(names), chance.randint(0, 4))) or ["or"]
        return {name: drawn(chance, names, depth + 1) for name in some}
    return chance.choice(_SCALARS)


def http_routes(ground: Ground, chance: Random) -> Figures:
    """Send requests to every route: no error that is not documented, no word of another user."""
    figures = Figures(name="fuzzed HTTP")
    place = ground.new_store()
    with Memory(place, embedder="hashing") as memory:
        memory.add(f"The code is {_SECRET}", user_id="other")
        memory.add(["I like tea", "I live in Rome"], user_id="ada", session_id="s")
        memory.jobs.drain()
        ids = [one.id for user in ("ada", "other") for one in memory.get_all(user_id=user)]
        ring = KeyRing(memory.parts.store)
        keys = [ring.create(owner="ada", role=role)[1] for role in ROLES]
        app = create_app(memory, settings=ServerSettings(learn=False, rate_per_minute=10**6), keys=ring)
        with TestClient(app, base_url=_LOCAL, raise_server_exceptions=False) as client:
            document = app.openapi()
            target = _Target(client, _operations(document), document["components"]["schemas"], ids)
            for operation in target.operations:
                for key in [*keys, "wrong"]:
                    _ask(target, chance, figures, operation, key)
            figures.counts["routes"] += len(target.operations)
    _check_store(place, figures)
    return figures


def _check_store(place: str, figures: Figures) -> None:
    with Memory(place, embedder="hashing") as memory:
        problems = memory.maintenance.doctor().problems
        others = [one.content for one in memory.get_all(user_id="other", kinds=["message"])]
    figures.check(problems == (), problems)
    figures.check(others == [f"The code is {_SECRET}"], f"another user's memory was changed: {others}")


def _operations(document: Any) -> list[tuple[str, str, Any]]:
    return [(path, method, one) for path, every in document["paths"].items() for method, one in every.items()]


class _Target(NamedTuple):
    """A server and what is known of it: its operations, its schemas by name, ids of memories."""

    client: TestClient
    operations: list[tuple[str, str, Any]]
    schemas: Any
    ids: list[str]


def _ask(target: _Target, chance: Random, figures: Figures, route: tuple[str, str, Any], key: str) -> None:
    """Ask a route for something with a key: any of the roles, or a wrong one."""
    path, method, operation = route
    parameters = operation.get("parameters", [])
    for one in parameters:
        if one["in"] == "path":
            value = chance.choice([*target.ids, "x", "%00", "..", "é" * 50])
            path = path.replace("{" + one["name"] + "}", value)
    query = {
        one["name"]: _text(drawn(chance, ["x"], 9))
        for one in parameters
        if one["in"] == "query" and chance.random() < 0.4
    }
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    names = [
        *target.schemas.get(schema.get("$ref", "").rpartition("/")[2], {}).get("properties", {}),
        "user_id",
    ]
    body = chance.choice((None, b"\xff\xfe", json.dumps(drawn(chance, names)).encode()))
    if schema and chance.random() < 0.8:
        body = json.dumps(_arguments(chance, target.schemas, schema, target.ids)).encode()
    headers = {
        "Authorization": f"Bearer {key}",
        "Content-Type": "application/json",
    }
    answer = target.client.request(method, path, params=query, content=body, headers=headers)
    figures.counts["requests"] += 1
    figures.counts[f"answers {answer.status_code // 100}xx"] += 1
    where = f"{method} {path} {query} {(body or b'')[:300]!r}"
    is_documented = answer.status_code < 500 or str(answer.status_code) in operation["responses"]
    figures.check(is_documented, f"{answer.status_code}: {where}")
    figures.check(_SECRET not in answer.text, f"another user's words: {where}")
    figures.check("Traceback" not in answer.text, f"a traceback: {where}")


def _arguments(chance: Random, definitions: Any, schema: Any, ids: list[str]) -> Any:
    """What a schema asks for, with some values that it does not."""
    schema = definitions.get(schema.get("$ref", "").rpartition("/")[2], schema)
    if "anyOf" in schema or "oneOf" in schema:
        schema = chance.choice(schema.get("anyOf") or schema["oneOf"])
        return _arguments(chance, definitions, schema, ids)
    if chance.random() < 0.1:
        return drawn(chance, list(schema.get("properties", {"x": {}})), 2)
    match schema.get("type"):
        case "object":
            needed = schema.get("required", [])
            some = [name for name in schema.get("properties", {}) if name in needed or chance.random() < 0.3]
            return {name: _arguments(chance, definitions, schema["properties"][name], ids) for name in some}
        case "array":
            number = chance.choice((1, 1, 2))
            return [_arguments(chance, definitions, schema.get("items", {}), ids) for _ in range(number)]
        case "string":
            return chance.choice([*schema.get("enum", []), "I like tea", "s", *ids])
        case "integer" | "number":
            return chance.choice((1, 2, 10))
        case "boolean":
            return chance.random() < 0.5
    return None


def _text(value: Any) -> str:
    return str(value).encode("utf-8", "ignore").decode()[:2_000]


def mcp_tools(ground: Ground, chance: Random) -> Figures:
    """Call every tool with random arguments: an answer or one error of a line, no word of another user."""
    figures = Figures(name="fuzzed MCP")
    place = ground.new_store()
    with Memory(place, embedder="hashing") as memory:
        memory.add(f"The code is {_SECRET}", user_id="other")
        ids = [one.id for one in memory.get_all(user_id="other")]
        ids += [one.id or "" for one in memory.add(["I like tea", "I live in Rome"], user_id="ada")]
    held = Held(lambda: Memory(place, embedder="hashing"), learn=False)
    try:
        asyncio.run(_call_tools(held, chance, ids, figures))
    finally:
        held.close()
    _check_store(place, figures)
    return figures


async def _call_tools(held: Held, chance: Random, ids: list[str], figures: Figures) -> None:
    async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
        tools = (await client.list_tools()).tools
        for _ in range(_CALLS):
            tool = chance.choice(tools)
            given = _arguments(chance, tool.input_schema.get("$defs", {}), tool.input_schema, ids)
            given = given if isinstance(given, dict) else {"user_id": given}
            given = json.loads(json.dumps(given).replace("\\ud800", "?"))
            figures.counts["calls"] += 1
            try:
                result = await client.call_tool(tool.name, given)
                shown, is_error = str(result.content), bool(result.is_error)
            except MCPError as error:
                shown, is_error = str(error), True
            figures.counts["refused"] += is_error
            where = f"{tool.name} {str(given)[:300]}"
            figures.check(_SECRET not in shown, f"another user's words: {where}")
            figures.check("Traceback" not in shown, f"a traceback: {where}")
            figures.check(not is_error or len(shown) < 3_000, f"an endless error: {where}")
            figures.check("Error executing tool" not in shown, f"a raw error: {where}: {shown[:200]}")
