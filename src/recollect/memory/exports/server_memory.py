"""Facts in the shape of MCP's server-memory: JSON Lines of entities with observations, and of relations.

It knows no times: only facts that hold now are written. Words of conversations have no place in it.
"""

import json
from typing import IO

from recollect.learning.profile import FACTS, holds
from recollect.memory.exports.pages import USER, names_in, subject_of
from recollect.memory.parts import Parts
from recollect.retrieval.graph.facts import FactGraph
from recollect.types import MemoryRecord, Scope


def write_server_memory(parts: Parts, scopes: list[Scope], out: IO[str]) -> int:
    """Write the facts of one user that hold now; returns how many. The user's entity is named by the id."""
    (scope,) = scopes
    now = parts.clock()
    facts = [record for record in parts.store.find(scope, FACTS) if holds(record, now)]
    graph = FactGraph(facts)
    observed = _observations(facts)
    types = {node.name: node.type for node in graph.nodes()}
    for name in dict.fromkeys([*observed, *types]):
        entity = {
            "type": "entity",
            "name": _named(name, scope),
            "entityType": types.get(name, "person"),
            "observations": observed.get(name, []),
        }
        out.write(json.dumps(entity, ensure_ascii=False) + "\n")
    for edge in graph.edges(types):
        relation = {
            "type": "relation",
            "from": _named(edge.source, scope),
            "to": _named(edge.target, scope),
            "relationType": edge.name,
        }
        out.write(json.dumps(relation, ensure_ascii=False) + "\n")
    return len(facts)


def _observations(facts: list[MemoryRecord]) -> dict[str, list[str]]:
    """By who they are about, what facts say, first to last."""
    names = names_in(facts)
    observed: dict[str, list[str]] = {}
    for fact in sorted(facts, key=lambda one: (one.times.happened_at, one.id)):
        observed.setdefault(subject_of(fact, names), []).append(fact.content)
    return observed


def _named(name: str, scope: Scope) -> str:
    return scope.user_id if name == USER else name
