"""Commands that read memories: search, context, get, list, why, timeline."""

from typing import Annotated

import typer

from recollect.checks import CONTEXT_THRESHOLD, CORE_SHARE, check_kinds, check_tiers
from recollect.cli.command import command
from recollect.cli.opening import QueryOptions, StoreOptions, opened, whole_of
from recollect.cli.options import (
    DEFAULT_USER,
    AgentId,
    AsOf,
    CoreShare,
    Filters,
    Kinds,
    MemoryId,
    SessionId,
    Since,
    Threshold,
    Tiers,
    Until,
    UserId,
    Words,
    mapping_of,
    text_of,
)
from recollect.cli.output import (
    hint_on,
    lines_of,
    lines_of_hits,
    lines_of_importance,
    lines_of_memories,
)
from recollect.cli.projects import ProjectName, project_of, within_project
from recollect.types import Within
from recollect.types.clock import utc_now
from recollect.types.codec import explanation_to_json, recollection_to_json, record_to_json

Collapse = Annotated[
    bool,
    typer.Option("--collapse/--no-collapse", help="Show repeated words of one speaker once, or every time."),
]


@command(
    "search",
    example="""\
recollect search which language for my project
recollect search "where did we meet" --top-k 3 --explain
recollect search oslo --since 2026-05-01 --filters '{"speaker": "Ada"}' --json""",
)
def search(
    query: Words,
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    top_k: Annotated[int, typer.Option("--top-k", "-k", help="How many at most.")] = 10,
    threshold: Threshold = 0.0,
    kind: Kinds = None,
    tier: Tiers = None,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    filters: Filters = None,
    project: ProjectName = None,
    collapse: Collapse = True,
    explain: Annotated[bool, typer.Option("--explain", help="Show the terms of each score.")] = False,
    at: QueryOptions,
) -> None:
    """Find the memories that answer a query, best first. Shows score, date, id, speaker and words."""
    with opened(at) as memory:
        hits = memory.search(
            text_of(query),
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            top_k=top_k,
            threshold=threshold,
            filters=mapping_of("--filters", filters),
            kinds=check_kinds(kind or None),
            within=Within(
                tiers=check_tiers(tier or None),
                since=since,
                until=until,
                as_of=as_of,
                project=project_of(memory, project, user_id=user_id),
            ),
            collapse=collapse,
        )
        hint = hint_on(memory, "search", hits, user_id=user_id)
    lines = lines_of_hits(hits, explain=explain)
    at.show([recollection_to_json(hit) for hit in hits], lines=lines, hint=hint)


@command(
    "context",
    example="""\
recollect context which language for my project --budget-tokens 500""",
)
def context(
    query: Words,
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    budget_tokens: Annotated[int, typer.Option(help="Maximum tokens of the text.")] = 1_500,
    threshold: Threshold = CONTEXT_THRESHOLD,
    core_share: CoreShare = CORE_SHARE,
    kind: Kinds = None,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    filters: Filters = None,
    project: ProjectName = None,
    at: QueryOptions,
) -> None:
    """Print what is known about a query as text for a prompt. It stays within a token budget."""
    with opened(at) as memory:
        made = memory.context(
            text_of(query),
            user_id=user_id,
            budget_tokens=budget_tokens,
            agent_id=agent_id,
            session_id=session_id,
            threshold=threshold,
            core_share=core_share,
            filters=mapping_of("--filters", filters),
            kinds=check_kinds(kind or None),
            within=Within(
                since=since, until=until, as_of=as_of, project=project_of(memory, project, user_id=user_id)
            ),
        )
        hint = hint_on(memory, "context", made.text, user_id=user_id)
    included = [{"id": hit.memory.id, "score": hit.score} for hit in made.included]
    at.show({**made.to_dict(), "included": included}, lines=made.text, hint=hint)
    if made.text and made.notes and not at.as_json:
        typer.echo("; ".join(made.notes), err=True)


@command("get", example="recollect get 019a7c1e-...")
def get(
    memory_id: MemoryId, *, user_id: UserId = DEFAULT_USER, project: ProjectName = None, at: StoreOptions
) -> None:
    """Show one memory."""
    with opened(at) as memory:
        whole = whole_of(memory, memory_id, user_id=user_id)
        within = within_project(memory, project, user_id=user_id)
        record = memory.get(whole, user_id=user_id, within=within)
    at.show(record_to_json(record), lines=lines_of(record))


@command(
    "list",
    example="""\
recollect list --session-id trip --limit 20
recollect list --kind fact --json""",
)
def list_(
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    kind: Kinds = None,
    tier: Tiers = None,
    since: Since = None,
    until: Until = None,
    filters: Filters = None,
    project: ProjectName = None,
    limit: Annotated[int, typer.Option(help="How many at most.")] = 100,
    after: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Continue after this memory, the last of the previous page."),
    ] = None,
    newest: Annotated[bool, typer.Option("--newest", help="List the newest first.")] = False,
    deleted: Annotated[
        bool, typer.Option("--deleted", help="List the latest deleted memories that can be restored.")
    ] = False,
    at: StoreOptions,
) -> None:
    """List memories in the order they were stored."""
    narrower = (agent_id, session_id, kind, tier, since, until, filters, project, after)
    if deleted and any(narrower):
        raise typer.BadParameter("--deleted can be combined only with --user-id and --limit")
    with opened(at) as memory:
        records = (
            memory.deleted(user_id=user_id, limit=limit)
            if deleted
            else memory.get_all(
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
                kinds=check_kinds(kind or None),
                filters=mapping_of("--filters", filters),
                within=Within(
                    tiers=check_tiers(tier or None),
                    since=since,
                    until=until,
                    project=project_of(memory, project, user_id=user_id),
                ),
                limit=limit,
                after=after,
                newest_first=newest,
            )
        )
        hint = hint_on(memory, "deleted" if deleted else "list", records, user_id=user_id)
    lines = lines_of_memories(records)
    at.show([record_to_json(record) for record in records], lines=lines, hint=hint)


@command("why", example='recollect why 019a7c1e-... --query "which language for my project"')
def why(
    memory_id: MemoryId,
    *,
    query: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Explain the score for this query.")
    ] = None,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    threshold: Threshold = 0.0,
    kind: Kinds = None,
    tier: Tiers = None,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    filters: Filters = None,
    project: ProjectName = None,
    collapse: Collapse = True,
    at: QueryOptions,
) -> None:
    """Show a memory's sources and, for a query, its rank and score.

    Score and rank are those of a search with the same options.
    """
    with opened(at) as memory:
        explanation = memory.explain(
            whole_of(memory, memory_id, user_id=user_id),
            user_id=user_id,
            query=query,
            agent_id=agent_id,
            session_id=session_id,
            threshold=threshold,
            filters=mapping_of("--filters", filters),
            kinds=check_kinds(kind or None),
            within=Within(
                tiers=check_tiers(tier or None),
                since=since,
                until=until,
                as_of=as_of,
                project=project_of(memory, project, user_id=user_id),
            ),
            collapse=collapse,
        )
    lines = f"{_printable(str(explanation))}\n{lines_of_importance(explanation, now=utc_now())}"
    at.show(explanation_to_json(explanation), lines=lines)


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)


@command("timeline", example="recollect timeline --since 2026-01-01 --grain month")
def timeline(
    *,
    user_id: UserId = DEFAULT_USER,
    since: Since = None,
    until: Until = None,
    kind: Kinds = None,
    project: ProjectName = None,
    grain: Annotated[
        str | None,
        typer.Option(metavar="GRAIN", help="hour, day, week, month or year; by default automatic."),
    ] = None,
    limit: Annotated[int, typer.Option(help="How many memories at most, the latest.")] = 100,
    at: StoreOptions,
) -> None:
    """Show what happened when. Lists episodes, or memories of other kinds, with their number per period."""
    from recollect.sessions.timeline import check_grain, timeline_to_json

    with opened(at) as memory:
        found = memory.timeline(
            user_id=user_id,
            within=Within(since=since, until=until, project=project_of(memory, project, user_id=user_id)),
            kinds=check_kinds(kind or ["episode"]) or (),
            grain=check_grain(grain),
            limit=limit,
        )
        hint = hint_on(memory, "timeline", found.memories, user_id=user_id)
    periods = [f"{one.start:%Y-%m-%d %H:%M}  {sum(one.counts.values()):,}" for one in found.periods]
    lines = "\n".join([lines_of_memories(found.memories), f"each {found.grain}:", *periods])
    at.show(timeline_to_json(found), lines=lines if found.memories else "", hint=hint)
