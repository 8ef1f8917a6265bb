"""The commands that show what memories are about: graph, clusters."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from recollect.cli.command import command
from recollect.cli.opening import StoreOptions, opened
from recollect.cli.options import DEFAULT_USER, UserId
from recollect.cli.output import hint_on, plain
from recollect.cli.projects import ProjectName, within_project
from recollect.errors import InvalidInputError, NotFoundError, as_given

if TYPE_CHECKING:
    from recollect.retrieval.graph.facts import FactGraph
    from recollect.retrieval.graph.named import ConceptGraph

_FORMATS: Final = (".graphml", ".ttl")


@command(
    "graph",
    example="""\
recollect graph --limit 10
recollect graph --from cat --from sofa
recollect graph --facts
recollect graph --export concepts.graphml
recollect graph --export concepts.ttl""",
)
def graph(
    *,
    user_id: UserId = DEFAULT_USER,
    project: ProjectName = None,
    limit: Annotated[int, typer.Option(min=1, help="How many concepts and edges at most.")] = 20,
    start: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="CONCEPT", help="Show concepts related to this one; repeatable."),
    ] = None,
    facts: Annotated[
        bool, typer.Option("--facts", help="Show people, places and things, and what facts say of them.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the whole graph: GraphML (.graphml) or Turtle (.ttl)."),
    ] = None,
    at: StoreOptions,
) -> None:
    """Show what memories are about. Lists the strongest concepts and the links between them."""
    if export is not None and export.suffix.lower() not in _FORMATS:
        raise InvalidInputError(
            f"--export must end with {' or '.join(_FORMATS)}, not {as_given(export.name)}"
        )
    if facts and (start or export is not None):
        raise InvalidInputError("--facts goes with neither --from nor --export")
    with opened(at) as memory:
        within = within_project(memory, project, user_id=user_id)
        if facts:
            known = memory.graph.facts(user_id=user_id, within=within)
            value, lines = _of_facts(known, limit)
            at.show(value, lines=lines, hint=hint_on(memory, "graph", len(known), user_id=user_id))
            return
        found = memory.graph.concepts(user_id=user_id, within=within)
        hint = hint_on(memory, "graph", len(found), user_id=user_id)
    if unknown := found.unknown(start or []):
        raise NotFoundError(f"there is no concept named {', '.join(map(as_given, unknown))}")
    if export is not None:
        _write(found, export)
    value, lines = _related(found, start, limit) if start else _strongest(found, limit)
    if export is not None:
        value = {**value, "exported": str(export)}
        lines = f"wrote {len(found):,} concepts and {len(found.edges()):,} edges to {export}"
    at.show(value, lines=lines, hint=hint)


@command("clusters", example="recollect clusters --limit 5")
def clusters(
    *,
    user_id: UserId = DEFAULT_USER,
    project: ProjectName = None,
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 20,
    at: StoreOptions,
) -> None:
    """Show groups of memories with similar meaning, largest first. Their tags label them."""
    with opened(at) as memory:
        within = within_project(memory, project, user_id=user_id)
        found = memory.graph.clusters(user_id=user_id, within=within).all()[:limit]
        hint = hint_on(memory, "list", found, user_id=user_id)
    value = [
        {"label": one.label, "cohesion": one.cohesion, "memory_ids": list(one.memory_ids)} for one in found
    ]
    lines = "\n".join(f"{len(one.memory_ids):>6}  {plain(one.label) or '(no tags)'}" for one in found)
    at.show(value, lines=lines, hint=hint)


def _strongest(found: "ConceptGraph", limit: int) -> tuple[Mapping[str, object], str]:
    concepts, edges = found.concepts(limit), found.edges(limit)
    lines = [f"{one.memories:>6}  {plain(one.name)}" for one in concepts]
    lines += [f"{edge.weight:>6}  {plain(edge.source)} - {plain(edge.target)}" for edge in edges]
    value = {
        "concepts": [{"name": one.name, "memories": one.memories} for one in concepts],
        "edges": [{"source": one.source, "target": one.target, "weight": one.weight} for one in edges],
    }
    return value, "\n".join(lines)


def _of_facts(found: "FactGraph", limit: int) -> tuple[Mapping[str, object], str]:
    nodes = found.nodes(limit)
    edges = found.edges(node.name for node in nodes)
    lines = [f"{node.facts:>6}  {node.type:<13} {plain(node.name)}" for node in nodes]
    lines += [f"        {plain(one.source)} - {plain(one.name)} - {plain(one.target)}" for one in edges]
    value = {"nodes": [asdict(node) for node in nodes], "edges": [asdict(edge) for edge in edges]}
    return value, "\n".join(lines)


def _related(found: "ConceptGraph", start: list[str], limit: int) -> tuple[Mapping[str, object], str]:
    related = found.related(start)[:limit]
    lines = "\n".join(f"{strength:>6.3f}  {plain(name)}" for name, strength in related)
    return {"related": [{"name": name, "strength": strength} for name, strength in related]}, lines


def _write(found: "ConceptGraph", target: Path) -> None:
    from recollect.retrieval.graph.export import graphml, turtle

    pieces: Iterator[str] = (graphml if target.suffix.lower() == ".graphml" else turtle)(found)
    try:
        with target.open("x", encoding="utf-8", newline="\n") as out:
            out.writelines(pieces)
    except FileExistsError:
        raise InvalidInputError(f"{target} exists; name a new file for the export") from None
    except OSError as error:
        raise InvalidInputError(f"{target} cannot be written: {error.strerror}") from error
