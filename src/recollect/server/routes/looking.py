"""Looking at many memories at once: what happened when, what they are about."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import Path, Query
from pydantic import BaseModel, Field

from recollect.checks import MAX_ID_CHARS, MAX_NAME_CHARS
from recollect.errors import NotFoundError, as_given
from recollect.learning.profile import KnownFact, UserProfile
from recollect.memory.memory import Memory
from recollect.retrieval.graph.facts import NodeType
from recollect.server.calling import InProject, JSONAnswer, Reader, UserId, new_router, within_project
from recollect.server.cursors import Cursor, no_cursor, read_cursor, write_cursor
from recollect.server.schemas.memories import Hinted, MemoryOut
from recollect.sessions.timeline import PeriodGrain, timeline_to_json
from recollect.types import JSON, Kind, MemoryRecord, Within
from recollect.types.codec import from_micros, to_micros


def _profile_to_json(found: UserProfile) -> dict[str, JSON]:
    return {
        "user_id": found.user_id,
        "facts": {
            category: [_fact_to_json(fact, category) for fact in facts]
            for category, facts in found.facts.items()
        },
        "total": sum(map(len, found.facts.values())),
    }


def _fact_to_json(known: KnownFact, category: str) -> dict[str, JSON]:
    fact, times = known.memory, known.memory.times
    return {
        "fact_id": fact.id,
        "fact": fact.content,
        "category": category,
        "confidence": fact.worth.confidence,
        "confidence_now": known.aged.value,
        "confidence_reason": known.aged.reason,
        "contested": known.contested,
        "source": fact.origin.extractor or "told",
        "sources": [turn.id for turn in known.sources],
        "created_at": times.created_at.isoformat(),
        "updated_at": times.updated_at.isoformat(),
        "valid_from": (times.valid_from or times.happened_at).isoformat(),
        "valid_until": times.valid_until.isoformat() if times.valid_until else None,
    }


router = new_router("looking")
_TIMELINE: Final = "timeline"
_NAMED: Final = 5
"""Unknown concepts an error names. Chosen by hand."""


class PeriodOut(BaseModel):
    """A stretch of time in which something happened."""

    start: str
    end: str
    counts: dict[str, int]


class TimelineOut(Hinted):
    """What happened when."""

    grain: PeriodGrain
    total: int
    periods: list[PeriodOut]
    memories: list[MemoryOut] = Field(description="Oldest first.")
    next_cursor: str | None = Field(default=None, description="To what happened before; null at the first.")


class FactOut(BaseModel):
    """A fact, in the fields of Second Brain's design."""

    fact_id: str
    fact: str
    category: str
    confidence: float = Field(description="As it was said.")
    confidence_now: float = Field(description="What time has left of it.")
    confidence_reason: str
    contested: bool
    source: str
    sources: list[str]
    created_at: str
    updated_at: str
    valid_from: str
    valid_until: str | None


class ProfileOut(Hinted):
    """What is known about a user."""

    user_id: str
    facts: dict[str, list[FactOut]]
    total: int


class ConceptOut(BaseModel):
    """What memories are about."""

    name: str
    memories: int
    strength: float | None = None


class EdgeOut(BaseModel):
    """Two concepts that stand together."""

    source: str
    target: str
    weight: int


class GraphOut(Hinted):
    """Concepts and what stands together."""

    total: int
    concepts: list[ConceptOut]
    edges: list[EdgeOut]


class FactNodeOut(BaseModel):
    """Somebody or something that facts are about."""

    name: str = Field(description='"User" is the user.')
    type: NodeType
    facts: int = Field(description="How many facts name it.")


class FactEdgeOut(BaseModel):
    """What facts say one node is to another."""

    source: str
    target: str
    name: str = Field(description='The relation: "lives in", "sister".')
    facts: int


class FactGraphOut(Hinted):
    """Who and what facts are about."""

    total: int = Field(description="Nodes there are.")
    nodes: list[FactNodeOut] = Field(description="Those that most facts name first.")
    edges: list[FactEdgeOut]


@router.get("/timeline", response_model=TimelineOut, summary="What happened when")
async def timeline(
    *,
    caller: Reader,
    user_id: UserId = None,
    since: Annotated[str | None, Query(description="Only what happened then or later.")] = None,
    until: Annotated[str | None, Query(description="Only what happened before.")] = None,
    kind: Annotated[list[Kind] | None, Query(description="By default episodes.")] = None,
    project: InProject = None,
    grain: Annotated[
        PeriodGrain | None, Query(description="How long a period is; by default as fits.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=1_000, description="Memories at most, the latest.")] = 200,
    cursor: Cursor = None,
) -> JSONAnswer:
    """Memories as they happened, and how many there are of each period. Zoom by ``since`` and ``until``.

    The first page has the latest memories, the next one those before them; the periods always count all.
    """
    found = await caller.memory.timeline(
        user_id=caller.user(user_id),
        within=Within(since=since, until=until, project=project),
        kinds=kind or ["episode"],
        grain=grain,
        limit=limit + 1,
        before=None if cursor is None else _place_of(cursor),
    )
    page = replace(found, memories=found.memories[-limit:])
    told = {**timeline_to_json(page), "next_cursor": _next_cursor(found.memories, limit)}
    return await caller.hinted("timeline", told, found=page.memories)


@router.get(
    "/api/chat/memory/profile/{user_id}", response_model=ProfileOut, summary="What is known about a user"
)
async def profile(
    user_id: Annotated[str, Path(min_length=1, max_length=MAX_ID_CHARS)],
    caller: Reader,
    project: InProject = None,
) -> JSONAnswer:
    """The facts that hold, by category, the surest first, with their times and sources."""
    found = await caller.memory.profile(user_id=caller.user(user_id), within=Within(project=project))
    return await caller.hinted("profile", _profile_to_json(found), found=found.facts)


@router.get("/graph", response_model=GraphOut, summary="What memories are about")
async def graph(
    *,
    caller: Reader,
    user_id: UserId = None,
    project: InProject = None,
    focus: Annotated[
        list[Annotated[str, Query(max_length=MAX_NAME_CHARS)]] | None,
        Query(description="Only concepts that these activate, with how strongly."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=5_000, description="Concepts at most.")] = 200,
    edge_limit: Annotated[int, Query(ge=0, le=50_000, description="Edges at most, the heaviest.")] = 1_000,
) -> JSONAnswer:
    """The strongest concepts and the edges between them; with ``focus`` those near it.

    A ``focus`` that is of no concept is not found (404), and named: an empty answer would look as if
    nothing was near it.
    """
    asked = (caller.service.memory, caller.user(user_id), focus or [], limit, edge_limit)
    told = await caller.in_thread(_graph, *asked, within=within_project(project))
    return await caller.hinted("graph", told, found=told["total"])


@router.get("/graph/facts", response_model=FactGraphOut, summary="Who and what facts are about")
async def fact_graph(
    *,
    caller: Reader,
    user_id: UserId = None,
    project: InProject = None,
    limit: Annotated[int, Query(ge=1, le=5_000, description="Nodes at most.")] = 2_000,
) -> JSONAnswer:
    """People, places, organisations, projects and things of the facts that hold, and their relations."""
    asked = (caller.service.memory, caller.user(user_id), limit)
    told = await caller.in_thread(_fact_graph, *asked, within_project(project))
    return await caller.hinted("graph", told, found=told["total"])


def _place_of(cursor: str) -> tuple[datetime, str]:
    """The place of the earliest memory of the page before."""
    micros, memory_id = read_cursor(_TIMELINE, cursor, int, str)
    try:
        return from_micros(int(micros)), str(memory_id)
    except OverflowError:
        raise no_cursor() from None


def _next_cursor(found: Sequence[MemoryRecord], limit: int) -> str | None:
    """Where to go on to what happened before; ``found`` has one memory more where there is any."""
    if len(found) <= limit:
        return None
    first = found[-limit]
    return write_cursor(_TIMELINE, to_micros(first.times.happened_at), first.id)


def _fact_graph(memory: Memory, user: str, limit: int, within: Within | None) -> dict[str, Any]:
    found = memory.graph.facts(user_id=user, within=within)
    nodes = found.nodes(limit)
    return {
        "total": len(found),
        "nodes": [asdict(node) for node in nodes],
        "edges": [asdict(edge) for edge in found.edges(node.name for node in nodes)],
    }


def _graph(
    memory: Memory, user: str, focus: list[str], limit: int, edge_limit: int, *, within: Within | None
) -> dict[str, Any]:
    found = memory.graph.concepts(user_id=user, within=within)
    if unknown := found.unknown(focus):
        named = ", ".join(as_given(name) for name in unknown[:_NAMED])
        raise NotFoundError(f"there is no concept named {named}")
    held = {one.name: one.memories for one in found.concepts()}
    chosen: dict[str, float | None] = (
        dict(found.related(focus)[:limit]) if focus else dict.fromkeys(list(held)[:limit])
    )
    return {
        "total": len(held),
        "concepts": [
            {"name": name, "memories": held[name], "strength": strength} for name, strength in chosen.items()
        ],
        "edges": [
            {"source": edge.source, "target": edge.target, "weight": edge.weight}
            for edge in (found.edges(edge_limit, among=list(chosen)) if edge_limit else ())
        ],
    }
