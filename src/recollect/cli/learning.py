"""The commands that learn from conversations: worker, conflicts, resolve."""

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.command import command
from recollect.cli.opening import opened
from recollect.cli.options import DEFAULT_USER, AgentId, Db, EmbedderName, Json, UserId
from recollect.cli.output import line_of, show
from recollect.codec import record_to_json

if TYPE_CHECKING:
    from recollect.learner import Learned
    from recollect.memory import Memory


@command(
    "worker",
    example="""\
recollect worker
recollect worker --once --end trip""",
)
def worker(
    *,
    once: Annotated[bool, typer.Option("--once", help="Learn what is queued now, and end.")] = False,
    end: Annotated[
        str | None,
        typer.Option("--end", metavar="SESSION", help="End this session first, however short it is."),
    ] = None,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    poll_s: Annotated[float, typer.Option(min=0.1, help="Seconds between two looks at the queue.")] = 2.0,
    embedder: EmbedderName = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Learn facts from what was said, as sessions are queued; several workers may run at once."""
    if as_json and not once:
        raise typer.BadParameter("--json is for --once")
    with opened(db, embedder=embedder) as memory:
        if end is not None:
            memory.end_session(end, user_id=user_id, agent_id=agent_id)
        while True:
            learned = memory.drain()
            if learned.sessions or learned.failed or once:
                show(asdict(learned), lines=_told(learned), as_json=as_json)
            if once:
                _tell_failed(memory)
                return
            time.sleep(poll_s)


@command("conflicts", example="recollect conflicts")
def conflicts(*, user_id: UserId = DEFAULT_USER, db: Db = None, as_json: Json = False) -> None:
    """List learned facts that contradict each other, and wait for a person to decide."""
    with opened(db) as memory:
        found = memory.conflicts(user_id=user_id)
    lines = "\n".join(f"{line_of(one.known)}\n{line_of(one.new)}\n" for one in found)
    value = [{"known": record_to_json(one.known), "new": record_to_json(one.new)} for one in found]
    show(value, lines=lines.rstrip("\n") or "no conflicts", as_json=as_json)


@command(
    "resolve",
    example="""\
recollect resolve 019a7c1e-... --drop 019a7c20-...
recollect resolve 019a7c1e-...""",
)
def resolve(
    keep: Annotated[str, typer.Argument(metavar="ID", help="The fact that holds.")],
    *,
    drop: Annotated[
        str | None, typer.Option(metavar="ID", help="The fact that does not; without it both hold.")
    ] = None,
    user_id: UserId = DEFAULT_USER,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Decide a conflict between two facts; the history of both says so."""
    with opened(db) as memory:
        memory.resolve(keep, drop, user_id=user_id)
    show({"kept": keep, "dropped": drop}, lines="decided", as_json=as_json)


def _tell_failed(memory: "Memory") -> None:
    """Say on stderr which jobs were given up."""
    for job in memory.jobs(failed=True):
        typer.echo(f"given up: turn {job.payload.get('turn')} of {job.scope.user_id}: {job.error}", err=True)


def _told(learned: "Learned") -> str:
    counts = {
        "sessions": learned.sessions,
        "new facts": learned.facts,
        "episodes": learned.episodes,
        "said again": learned.reinforced,
        "ended": learned.ended,
        "conflicts": learned.conflicts,
        "failed": learned.failed,
    }
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing to learn"
