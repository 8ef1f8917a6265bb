"""The commands of Second Brain: profile, sessions, summary; and what memory says of itself."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import tzinfo
from typing import TYPE_CHECKING, Annotated, Final

import typer

from recollect.cli.chat import harmless
from recollect.cli.command import Group, command
from recollect.cli.opening import (
    EmbedderOptions,
    QueryOptions,
    StoreOptions,
    chosen_language,
    opened,
    placed,
    routed,
)
from recollect.cli.options import (
    DEFAULT_USER,
    AgentId,
    AsOf,
    ServerUrl,
    SessionId,
    UserId,
    Words,
    text_of,
)
from recollect.cli.output import hint_on, lines_of_items, many, plain
from recollect.cli.projects import ProjectName, project_of, within_project
from recollect.types import JSON, Within
from recollect.types.codec import recollection_to_json, record_to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.learning.profile import KnownFact
    from recollect.sessions.sessions import Session
    from recollect.sessions.turns import SessionTurn

_AS_NEEDED: Final = "without it as many as the query needs."
_Id = Annotated[str, typer.Argument(metavar="SESSION", help="The conversation's id.")]


@command("profile", example="recollect profile --as-of 2026-05-01")
def profile(
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    as_of: AsOf = None,
    project: ProjectName = None,
    at: StoreOptions,
) -> None:
    """Show the facts about a user by category. Each has its confidence, dates and sources.

    "0.47 of 0.95" is what time has left of a confidence of 0.95; recollect why ID gives the reason.

    To remove a wrong fact: recollect delete ID
    """
    with opened(at) as memory:
        within = Within(as_of=as_of, project=project_of(memory, project, user_id=user_id))
        known = memory.profile(user_id=user_id, agent_id=agent_id, within=within)
        hint = hint_on(memory, "profile", known.facts, user_id=user_id)
    value = {category: [_fact_to_json(one) for one in facts] for category, facts in known.facts.items()}
    lines = [
        line
        for category, facts in known.facts.items()
        for line in (f"{plain(category)}:", *(_fact_line(one, memory.parts.timezone) for one in facts))
    ]
    at.show(value, lines="\n".join(lines), hint=hint)


@command(
    "answer",
    example="""\
recollect answer "why do you think I am vegetarian?"
recollect answer what do you know about my sister
recollect answer how long did I live in Lisbon""",
)
def answer(
    message: Words,
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    as_of: AsOf = None,
    project: ProjectName = None,
    budget_tokens: Annotated[int, typer.Option(help="Maximum tokens of the answer.")] = 1_500,
    at: QueryOptions,
) -> None:
    """Say what is known about the user, and why.

    It answers "what do you know about me?", "... about my sister?" and "why do you think so?", and reckons
    since when, how long and how often something was, without a model.
    """
    with opened(at) as memory:
        found = memory.facts.answer(
            text_of(message),
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            within=Within(as_of=as_of, project=project_of(memory, project, user_id=user_id)),
            budget_tokens=budget_tokens,
        )
        hint = hint_on(memory, "answer", found, user_id=user_id)
    at.show(None if found is None else found.to_dict(), lines=harmless(str(found or "")), hint=hint)


@command("list", example="recollect sessions list --limit 5")
def list_(
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    project: ProjectName = None,
    limit: Annotated[int | None, typer.Option(help="How many at most.")] = None,
    at: StoreOptions,
) -> None:
    """List conversations, last active first. Shows time, id, number of messages, end and title."""
    with opened(at) as memory:
        within = within_project(memory, project, user_id=user_id)
        found = memory.sessions.list(user_id=user_id, agent_id=agent_id, limit=limit, within=within)
        hint = hint_on(memory, "sessions", found, user_id=user_id)
    lines = lines_of_items(found, line=_line_of, columns=_COLUMNS)
    at.show([one.to_dict() for one in found], lines=lines, hint=hint)


@command("get", example="recollect sessions get trip --turns")
def get(
    session_id: _Id,
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    turns: Annotated[
        bool, typer.Option("--turns", help="Also show what was said, with the sources.")
    ] = False,
    at: StoreOptions,
) -> None:
    """Show one conversation."""
    with opened(at) as memory:
        found = memory.sessions.get(session_id, user_id=user_id, agent_id=agent_id)
        said = memory.sessions.turns(session_id, user_id=user_id, agent_id=agent_id) if turns else []
    more = {"turns": [one.to_dict() for one in said]} if turns else {}
    lines = [_line_of(found), *(line for one in said for line in _turn_lines(one))]
    at.show({**found.to_dict(), **more}, lines="\n".join(lines))


def _turn_lines(turn: "SessionTurn") -> "Iterator[str]":
    """A message, and under it the documents that it could cite."""
    cut = " (cut off)" if turn.cut_off else ""
    yield f"{plain(turn.speaker or turn.role)}: {plain(turn.content)}{cut}"
    for one in turn.sources:
        page = "" if one.page is None else f", page {one.page}"
        yield f"  [{one.number}] {plain(one.title)}{page}{' (deleted)' if one.deleted else ''}"


@command("start", example='recollect sessions start --title "Garden"')
def start(
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    title: Annotated[str | None, typer.Option(help="What to call it.")] = None,
    at: StoreOptions,
) -> None:
    """Start or continue a conversation. `add --session-id` stores messages in it."""
    with opened(at, make=True) as memory:
        made = memory.sessions.start(user_id=user_id, agent_id=agent_id, session_id=session_id, title=title)
    at.show(made.to_dict(), lines=_line_of(made))


@command("end", example="recollect sessions end trip")
def end(
    session_id: Annotated[
        str | None,
        typer.Argument(metavar="SESSION", help="The conversation's id; by default all that timed out."),
    ] = None,
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    at: StoreOptions,
) -> None:
    """End conversations and queue them for learning.

    Without an id, all that were idle for half an hour end.
    """
    with opened(at) as memory:
        if session_id is None:
            ended = memory.sessions.end_idle(user_id=user_id)
        else:
            one = memory.sessions.end(session_id, user_id=user_id, agent_id=agent_id)
            ended = [one]
    at.show([one.to_dict() for one in ended], lines="\n".join(map(_line_of, ended)))


@command(
    "summarise",
    example="""\
recollect sessions summarise trip
recollect sessions summarise trip --model llama3.2""",
)
def summarise(
    session_id: Annotated[str, typer.Argument(metavar="SESSION", help="Which conversation.")],
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            envvar="SUMMARIZATION_MODEL",
            metavar="NAME",
            help="The language model; without one the title and summary quote the conversation.",
        ),
    ] = None,
    base_url: ServerUrl = None,
    at: StoreOptions,
) -> None:
    """Title a conversation and print a short summary. The title is stored."""
    tasks = ("title_generation", "summarization")
    with routed(tasks, model, base_url) as models, opened(at, models=models) as memory:
        title = memory.sessions.entitle(session_id, user_id=user_id, agent_id=agent_id)
        summary = memory.sessions.summarise(session_id, user_id=user_id, agent_id=agent_id)
    if models is None:
        typer.echo("in the conversation's own words; name a model with --model for better ones", err=True)
    for why in dict.fromkeys(one.because for one in (title, summary) if one.because):
        typer.echo(plain(f"in the conversation's own words, without the model: {why}"), err=True)
    lines = "\n".join(plain(one.text) for one in (title, summary) if one.text)
    at.show({"title": asdict(title), "summary": asdict(summary)}, lines=lines)


sessions: Final = Group(
    name="sessions",
    about="List, show, start, end and summarise conversations.",
    example="""\
recollect sessions list --json
recollect sessions end trip""",
    commands=(list_, get, start, end, summarise),
)


@command("summary", example="recollect summary what should I use for my data project")
def summary(
    query: Words,
    *,
    user_id: UserId = DEFAULT_USER,
    project: ProjectName = None,
    max_facts: Annotated[
        int | None, typer.Option(envvar="MAX_SEMANTIC_MEMORIES", help=f"Facts at most; {_AS_NEEDED}")
    ] = None,
    max_episodes: Annotated[
        int | None, typer.Option(envvar="MAX_EPISODIC_MEMORIES", help=f"Episodes at most; {_AS_NEEDED}")
    ] = None,
    max_documents: Annotated[
        int | None,
        typer.Option(envvar="MAX_DOCUMENT_RESULTS", help=f"Parts of documents at most; {_AS_NEEDED}"),
    ] = None,
    min_importance: Annotated[
        float,
        typer.Option(envvar="EPISODIC_IMPORTANCE_THRESHOLD", help="Leave out less important episodes."),
    ] = 0.3,
    vectors: Annotated[
        bool,
        typer.Option(
            "--vectors/--no-vectors", envvar="MEMORY_VECTOR_ENABLED", help="Also search by meaning."
        ),
    ] = True,
    prompt: Annotated[bool, typer.Option("--prompt", help="Print the whole prompt for a model.")] = False,
    at: EmbedderOptions,
) -> None:
    """Print profile, past interactions and documents for a query."""
    from recollect.documents.citing import citation_to_json
    from recollect.presets.second_brain import (
        SecondBrain,
        SecondBrainConfig,
        build_prompt,
    )

    config = SecondBrainConfig(
        max_semantic=max_facts,
        max_episodic=max_episodes,
        max_documents=max_documents,
        importance_threshold=min_importance,
        vector_enabled=vectors,
    )
    with placed(at) as (store, embedded):
        language = chosen_language(store, None)
        with SecondBrain(store, config=config, embedder=embedded, language=language) as brain:
            words = text_of(query)
            named = project_of(brain.memory, project, user_id=user_id)
            found = brain.search(user_id, words, project=named)
            hint = hint_on(brain.memory, "search", found.summary, user_id=user_id)
    text = build_prompt(found.summary, words) if prompt else found.summary
    value = {
        "text": text,
        "core": [recollection_to_json(hit) for hit in found.core.found],
        "semantic": [recollection_to_json(hit) for hit in found.semantic],
        "episodic": [recollection_to_json(hit) for hit in found.episodic],
        "documents": [citation_to_json(one) for one in found.documents],
    }
    at.show(value, lines=text.rstrip("\n"), hint=hint)


def _fact_line(fact: "KnownFact", timezone: tzinfo) -> str:
    times = fact.memory.times
    since = f"since {(times.valid_from or times.happened_at).astimezone(timezone):%Y-%m-%d}"
    until = f" until {times.valid_until.astimezone(timezone):%Y-%m-%d}" if times.valid_until else ""
    contested = ", contested" if fact.contested else ""
    said = f"{len(fact.sources)} turns" if len(fact.sources) != 1 else "1 turn"
    told = f"{fact.how_sure}, {since}{until}, {said}{contested}"
    return f"  {fact.memory.id}  {plain(fact.memory.content)} ({told})"


def _fact_to_json(fact: "KnownFact") -> dict[str, JSON]:
    return {
        "memory": record_to_json(fact.memory),
        "sources": [record_to_json(turn) for turn in fact.sources],
        "contested": fact.contested,
        "confidence": fact.aged.to_dict(),
    }


def _line_of(session: "Session") -> str:
    when = f"{session.last_activity:%Y-%m-%d %H:%M}"
    over = f", ended {session.ended_at:%Y-%m-%d %H:%M}" if session.ended_at else ""
    title = f"  {plain(session.title)}" if session.title else ""
    agent = f" with {plain(session.agent_id)}" if session.agent_id else ""
    return f"{when}  {plain(session.id)}{agent}  {many(session.message_count, 'message')}{over}{title}"


_COLUMNS: Final[Mapping[str, Callable[["Session"], object]]] = {
    "id": lambda session: session.id,
    "last message": lambda session: f"{session.last_activity:%Y-%m-%d %H:%M}",
    "messages": lambda session: session.message_count,
    "state": lambda session: "ended" if session.ended_at else "open",
    "agent": lambda session: session.agent_id or "",
    "title": lambda session: session.title or "",
}
