"""Commands that change memories: add, update, use, relabel, delete, undelete, purge."""

from contextlib import closing
from typing import Annotated

import typer

from recollect.checks import check_kind, check_tier, check_timezone
from recollect.cli.command import FAILED, command
from recollect.cli.opening import EmbedderOptions, QueryOptions, StoreOptions, open_place, opened, whole_of
from recollect.cli.options import (
    DEFAULT_USER,
    AgentId,
    Language,
    MemoryId,
    Metadata,
    OnlyUser,
    Pii,
    Reason,
    Secrets,
    SessionId,
    Tags,
    Time,
    UserId,
    ValidUntil,
    Words,
    Yes,
    mapping_of,
    text_of,
)
from recollect.cli.output import (
    confirm,
    found_in_words,
    hint_on,
    line_of_result,
    lines_of,
    plain,
    progress,
)
from recollect.cli.projects import ProjectName, placed_in
from recollect.types import HowUsed, Labels
from recollect.types.codec import record_to_json


@command(
    "add",
    example="""\
recollect add I prefer Python for data analysis
recollect add "We met in Oslo" --name Ada --timestamp 2026-05-01T10:00:00Z
cat note.txt | recollect add - --kind document""",
)
def add(
    text: Words,
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    name: Annotated[str | None, typer.Option(help="Who said it.")] = None,
    role: Annotated[str, typer.Option(help="user, assistant, system, tool, or what you use.")] = "user",
    kind: Annotated[str, typer.Option(help="What it is: message, fact, document, ...")] = "message",
    importance: Annotated[
        float | None, typer.Option(help="0 to 1; by default computed from the text.")
    ] = None,
    critical: Annotated[bool, typer.Option("--critical", help="It must never fade.")] = False,
    timestamp: Time = None,
    valid_until: ValidUntil = None,
    tag: Tags = None,
    metadata: Metadata = None,
    project: ProjectName = None,
    idempotency_key: Annotated[
        str | None, typer.Option(help="Adding again under the same key stores nothing.")
    ] = None,
    secrets: Secrets = "redact",
    pii: Pii = None,
    language: Language = None,
    at: QueryOptions,
) -> None:
    """Store a text durably, and show its labels."""
    message: dict[str, object] = {"content": text_of(text), "role": role, "name": name}
    message |= {"tags": tag or [], "critical": critical}
    if importance is not None:
        message["importance"] = importance
    with opened(at, language=language, secrets=secrets, pii=pii, make=True) as memory:
        (result,) = memory.add(
            message,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            metadata=placed_in(memory, metadata, project, user_id=user_id),
            kind=check_kind("kind", kind),
            timestamp=timestamp,
            valid_until=valid_until,
            idempotency_key=idempotency_key,
        )
        record = None if result.id is None else memory.get(result.id, user_id=user_id)
    found = {} if record is None else found_in_words(record)
    lines = [f"  {name}: {plain(text)}" for name, text in found.items() if text]
    at.show(
        {**result.to_dict(), "memory": record and record_to_json(record)},
        lines="\n".join([line_of_result(result), *lines]),
    )
    if result.id is None:
        raise typer.Exit(FAILED)


@command(
    "update",
    example="""\
recollect update 019a7c1e-... --content "I prefer Rust" --reason "she said so today"
recollect update 019a7c1e-... --tag work --tag language --importance 0.9""",
)
def update(
    memory_id: MemoryId,
    *,
    user_id: UserId = DEFAULT_USER,
    content: Annotated[str | None, typer.Option(metavar="TEXT", help="New words.")] = None,
    tag: Tags = None,
    metadata: Metadata = None,
    importance: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    confidence: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    critical: Annotated[bool | None, typer.Option(help="Whether it must never fade.")] = None,
    tier: Annotated[
        str | None, typer.Option(help="archived hides it from searches; long-term brings it back.")
    ] = None,
    timestamp: Time = None,
    valid_until: ValidUntil = None,
    reason: Reason = None,
    secrets: Secrets = "redact",
    pii: Pii = None,
    at: QueryOptions,
) -> None:
    """Change the given fields of a memory. Its history keeps the old version."""
    with opened(at, secrets=secrets, pii=pii) as memory:
        record = memory.update(
            whole_of(memory, memory_id, user_id=user_id),
            user_id=user_id,
            content=content,
            metadata=mapping_of("--metadata", metadata),
            labels=Labels(
                tags=tag or None,
                importance=importance,
                confidence=confidence,
                critical=critical,
                tier=None if tier is None else check_tier("tier", tier),
            ),
            timestamp=timestamp,
            valid_until=valid_until,
            reason=reason,
        )
    at.show(record_to_json(record), lines=lines_of(record))


@command(
    "use",
    example="""\
recollect use 019a7c1e-...
recollect use 019a7c1e-... --reinforce --reason "it answered the question\"""",
)
def use(
    memory_id: MemoryId,
    *,
    reinforce: Annotated[
        bool, typer.Option("--reinforce", help="Instead raise its importance by 20%, at most once an hour.")
    ] = False,
    user_id: UserId = DEFAULT_USER,
    reason: Reason = None,
    at: EmbedderOptions,
) -> None:
    """Record that a memory helped to answer. This counts as a use and resets its fading."""
    with opened(at) as memory:
        whole = whole_of(memory, memory_id, user_id=user_id)
        before = memory.get(whole, user_id=user_id).use.reinforced_count
        how: HowUsed = "reinforced" if reinforce else "helped"
        record = memory.use(whole, user_id=user_id, reason=reason, how=how)[0]
    unchanged = reinforce and record.use.reinforced_count == before
    told = ["not reinforced: it was less than an hour ago"] if unchanged else []
    at.show(record_to_json(record), lines="\n".join([*told, lines_of(record)]))


@command(
    "relabel",
    example="""\
recollect relabel
recollect relabel --timezone Europe/Berlin""",
)
def relabel(*, user_id: OnlyUser = None, at: QueryOptions) -> None:
    """Recompute the labels of all memories.

    These are dates, details, tags and importance. Useful after an upgrade. --timezone changes the zone of
    the memory, in which dates are then read; facts keep their words.
    """
    if at.timezone is not None:
        zone = str(check_timezone(at.timezone))
        with closing(open_place(at.db, make=False)) as store:
            store.put_setting("timezone", zone)
    with (
        opened(at) as memory,
        progress("relabelling", as_json=at.as_json),
    ):
        done = memory.lifecycle.relabel(user_id=user_id)
    at.show({"relabelled": done}, lines=f"{done:,} memories relabelled")


@command(
    "delete",
    example="""\
recollect delete 019a7c1e-... --reason "no longer true"
recollect delete --all --session-id trip --yes""",
)
def delete(
    memory_ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="The ids of memories.")] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every memory of the user, agent or session.")] = False,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    reason: Reason = None,
    yes: Yes = False,
    at: StoreOptions,
) -> None:
    """Delete memories, so that nothing finds them. purge removes their words for good."""
    ids = list(dict.fromkeys(memory_ids or ()))
    if every == bool(ids):
        raise typer.BadParameter("name the ids of memories, or --all of them")
    if ids and (agent_id or session_id):
        raise typer.BadParameter("--agent-id and --session-id need --all")
    with opened(at) as memory:
        if every:
            confirm(f"Delete every memory of {session_id or agent_id or user_id}?", yes=yes)
            count = memory.delete_all(
                user_id=user_id, agent_id=agent_id, session_id=session_id, reason=reason
            )
            hint = hint_on(memory, "list", count, user_id=user_id)
        else:
            ids = [whole_of(memory, one, user_id=user_id) for one in ids]
            memory.delete(ids, user_id=user_id, reason=reason)
            count, hint = len(ids), ""
    at.show({"deleted": count}, lines=f"deleted {count:,}" if count else "", hint=hint)


@command("undelete", example="recollect undelete 019a7c1e-...")
def undelete(memory_id: MemoryId, *, user_id: UserId = DEFAULT_USER, at: StoreOptions) -> None:
    """Restore a deleted memory and what was deleted because of it. What was purged is gone."""
    with opened(at) as memory:
        whole = whole_of(memory, memory_id, user_id=user_id, deleted=True)
        record = memory.undelete(whole, user_id=user_id)
    at.show(record_to_json(record), lines=lines_of(record))


@command("purge", example="recollect purge --user-id ada --yes")
def purge(
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    yes: Yes = False,
    at: StoreOptions,
) -> None:
    """Remove deleted memories for good, from every table and index."""
    with opened(at) as memory:
        confirm(f"Remove the deleted memories of {session_id or agent_id or user_id} for good?", yes=yes)
        count = memory.purge(user_id=user_id, agent_id=agent_id, session_id=session_id)
        left = memory.maintenance.residue()
        hint = hint_on(memory, "purge", count, user_id=user_id)
    lines = "\n".join([*([f"purged {count:,}"] if count else []), *([left] if left else [])])
    at.show({"purged": count} | ({"residue": left} if left else {}), lines=lines, hint=hint)
