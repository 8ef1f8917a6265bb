"""What the web page needs of the server's OpenAPI: its routes and what goes over them, without the prose.

Prints it as JSON, from which ``make web-types`` makes the page's types; ``tests/web/test_types.py`` compares.
Routes that the page does not ask for may come and change without it. With ``all`` it prints every route, for
the types of ``clients/typescript`` (``make client-types``).
"""

import json
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from recollect import Memory
from recollect.server import create_app

USED = (
    "/api/chat",
    "/api/chat/models/override",
    "/api/config/apikey",
    "/api/stats",
    "/apply",
    "/conflicts",
    "/conflicts/reopen",
    "/conflicts/resolve",
    "/feedback",
    "/graph/facts",
    "/import",
    "/memories",
    "/memories/{memory_id}",
    "/memories/{memory_id}/archive",
    "/memories/{memory_id}/reinforce",
    "/memories/{memory_id}/restore",
    "/memories/{memory_id}/unarchive",
    "/memories/{memory_id}/why",
    "/projects",
    "/projects/rename",
    "/purge",
    "/search",
    "/sessions",
    "/sessions/{session_id}/end",
    "/sessions/{session_id}/turns",
    "/thresholds",
    "/timeline",
    "/uploads",
    "/users",
)
"""The routes that the page asks for."""
PROSE = frozenset({"description", "summary", "examples", "title", "operationId", "tags", "security"})
NAMES = frozenset({"properties", "schemas", "paths"})
"""Under these stand names that somebody chose, and a name may be one of the words above."""
SCHEMAS = "#/components/schemas/"


def wanted(*, every_route: bool = False) -> str:
    """The document as JSON; the same one gives the same text."""
    with Memory(":memory:", embedder="hashing") as memory:
        document = _bare(create_app(memory).openapi())
    paths = {path: document["paths"][path] for path in (document["paths"] if every_route else USED)}
    schemas = _named_in(paths, document["components"]["schemas"])
    kept = {"openapi": document["openapi"], "info": {"title": "Recollect", "version": "1"}, "paths": paths}
    return json.dumps({**kept, "components": {"schemas": schemas}}, indent=1, sort_keys=True)


def sum_of(document: str) -> str:
    """What the generated types note down."""
    return sha256(document.encode()).hexdigest()


def _bare(node: Any, under: str = "") -> Any:
    if isinstance(node, list):
        # The order of a Literal's values depends on which equal Literal was imported first.
        return [_bare(one) for one in (sorted(node) if under == "enum" else node)]
    if not isinstance(node, Mapping):
        return node
    if under == "responses":
        node = {status: answer for status, answer in node.items() if status.startswith("2")}
    return {name: _bare(one, name) for name, one in node.items() if under in NAMES or name not in PROSE}


def _named_in(paths: Any, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """The schemas that some paths name, and those that these name."""
    found: dict[str, Any] = {}
    waiting = list(_references(paths))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = schemas[name]
            waiting += _references(schemas[name])
    return found


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for one in node:
            yield from _references(one)
    elif isinstance(node, Mapping):
        for name, one in node.items():
            if name == "$ref":
                yield one.removeprefix(SCHEMAS)
            else:
                yield from _references(one)


if __name__ == "__main__":
    sys.stdout.write(wanted(every_route="all" in sys.argv))
