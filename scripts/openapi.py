"""What the web page needs of the server's OpenAPI: paths, parameters, bodies and answers, without the prose.

Prints it as JSON, from which ``make web-types`` makes the page's types; ``tests/web/test_types.py`` compares.
"""

import json
import sys
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from recollect import Memory
from recollect.server import create_app

PROSE = frozenset({"description", "summary", "examples", "title", "operationId", "tags"})
NAMES = frozenset({"properties", "schemas", "paths"})
"""Under these stand names that somebody chose, and a name may be one of the words above."""


def wanted() -> str:
    """The document as JSON; the same one gives the same text."""
    with Memory(":memory:", embedder="hashing") as memory:
        document = create_app(memory).openapi()
    return json.dumps(_bare(document), indent=1, sort_keys=True)


def sum_of(document: str) -> str:
    """What the generated types note down."""
    return sha256(document.encode()).hexdigest()


def _bare(node: Any, under: str = "") -> Any:
    if isinstance(node, list):
        return [_bare(one) for one in node]
    if not isinstance(node, Mapping):
        return node
    if under == "responses":
        node = {status: answer for status, answer in node.items() if status.startswith("2")}
    return {name: _bare(one, name) for name, one in node.items() if under in NAMES or name not in PROSE}


if __name__ == "__main__":
    sys.stdout.write(wanted())
