"""Facts in the shape of MCP's server-memory: JSON Lines of entities with observations, and of relations.

It knows no times: only facts that hold now are written. Words of conversations have no place in it.
"""

import json
from collections.abc import Callable
from functools import cache
from typing import IO

from recollect.learning.persons import Persons
from recollect.learning.profile import FACTS, holds
from recollect.memory.exports.pages import names_in, subject_of
from recollect.memory.parts import Parts
from recollect.retrieval.graph.facts import FactGraph
from recollect.types import MemoryRecord, Scope


def write_server_memory(parts: Parts, scopes: list[Scope], out: IO[str]) -> int:
    """Write the facts of one user that hold now; returns how many.

    The user's entity is named by the id, whatever facts call them.
    """
    (scope,) = scopes
    now = parts.clock()
    facts = [record for record in parts.store.find(scope, FACTS) if holds(record, now)]
    graph = FactGraph(facts)
    persons = Persons(parts.store)
    named = cache(lambda name: scope.user_id if persons.means_user(scope, name) else name)
    observed = _observations(facts, named)
    types = {named(node.name): node.type for node in reversed(graph.nodes())}
    for name in dict.fromkeys([*observed, *types]):
        entity = {
            "type": "entity",
            "name": name,
            "entityType": "person" if name == scope.user_id else types.get(name, "person"),
            "observations": observed.get(name, []),
        }
        out.write(json.dumps(entity, ensure_ascii=False) + "\n")
    edges = graph.edges(node.name for node in graph.nodes())
    for source, target, kind in dict.fromkeys(
        (named(one.source), named(one.target), one.name) for one in edges
    ):
        relation = {"type": "relation", "from": source, "to": target, "relationType": kind}
        if source != target:
            out.write(json.dumps(relation, ensure_ascii=False) + "\n")
    return len(facts)


def _observations(facts: list[MemoryRecord], named: Callable[[str], str]) -> dict[str, list[str]]:
    """By who they are about, what facts say, first to last."""
    names = names_in(facts)
    observed: dict[str, list[str]] = {}
    for fact in sorted(facts, key=lambda one: (one.times.happened_at, one.id)):
        observed.setdefault(named(subject_of(fact, names)), []).append(fact.content)
    return observed
