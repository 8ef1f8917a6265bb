"""The commands for learning: worker, jobs, admissions, conflicts, resolve."""

import time
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, NoReturn, cast

import typer

from recollect.checks import check_seconds
from recollect.cli.command import command
from recollect.cli.opening import EmbedderOptions, StoreOptions, opened, routed, whole_of
from recollect.cli.options import DEFAULT_USER, AgentId, ServerUrl, UserId
from recollect.cli.output import lines_of_conflicts, plain, progress
from recollect.cli.projects import ProjectName, project_of
from recollect.errors import StoreCorruptError, StoreError, StoreFormatError
from recollect.types import Within
from recollect.types.codec import record_to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.learning.admission import Admission, AdmissionDecision, AdmissionPolicy
    from recollect.learning.outcomes import Learned
    from recollect.learning.records import LearningRecord
    from recollect.memory.memory import Memory
    from recollect.types import JSON, Job

_TRIES: Final = 30
"""How often --once asks a store that is away: with two seconds between, for a minute. Chosen by hand."""
_SHOWN: Final = 50
"""Jobs listed at most. Chosen by hand."""


@command(
    "worker",
    example="""\
recollect worker
recollect worker --once --end trip
recollect worker --model llama3.1:8b --budget-tokens 500000""",
)
def worker(
    *,
    once: Annotated[bool, typer.Option("--once", help="Process the whole queue once, then exit.")] = False,
    end: Annotated[
        str | None,
        typer.Option("--end", metavar="SESSION", help="End this session first, however short it is."),
    ] = None,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    poll_s: Annotated[
        float, typer.Option(min=0.1, max=86_400, help="Seconds between two polls of the queue.")
    ] = 2.0,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            envvar="MEMORY_EXTRACTION_MODEL",
            metavar="NAME",
            help="The language model that extracts facts, such as llama3.1:8b; by default rules do.",
        ),
    ] = None,
    base_url: ServerUrl = None,
    budget_tokens: Annotated[
        int | None, typer.Option(help="Tokens after which only the rules extract facts.")
    ] = None,
    min_importance: Annotated[
        float | None,
        typer.Option(help="Learn only statements by the user of at least this importance, 0 to 1."),
    ] = None,
    at: EmbedderOptions,
) -> None:
    """Learn facts from conversations. Several workers may run at once.

    A worker processes a conversation after every fourth message, and the rest when the conversation ends or
    pauses for half an hour. With --once it processes everything now.
    A store that is away is waited for; with --once for a minute.
    """
    if at.as_json and not once:
        raise typer.BadParameter("--json is for --once")
    check_seconds("--poll-s", poll_s)
    with (
        routed(("memory_extraction",), model, base_url, budget_tokens) as models,
        opened(at, models=models, admission=_policy(min_importance)) as memory,
    ):
        if end is not None:
            memory.sessions.end(end, user_id=user_id, agent_id=agent_id)
        if not once:
            _learn_for_ever(memory, poll_s=poll_s)
        with progress("learning", as_json=at.as_json):
            learned = _drained(memory.jobs.drain, poll_s=poll_s, tries=_TRIES)
        at.show(asdict(learned), lines=str(learned))
        _print_failed(memory)
        if learned.failed:
            typer.echo(f"{learned.failed:,} jobs failed; `recollect jobs` says why", err=True)
            raise typer.Exit(1)


def _learn_for_ever(memory: "Memory", *, poll_s: float) -> NoReturn:
    """Process what is due until the command is stopped."""
    while True:
        learned = _drained(partial(memory.jobs.drain, due_only=True), poll_s=poll_s)
        if learned.sessions or learned.failed:
            typer.echo(str(learned))
        time.sleep(poll_s)


def _drained(drain: "Callable[[], Learned]", *, poll_s: float, tries: int | None = None) -> "Learned":
    """What was learned; a store that is away is waited for, and asked so often, or until it works."""
    failed = 0
    while True:
        try:
            learned = drain()
        except (StoreCorruptError, StoreFormatError):
            raise
        except StoreError as error:
            failed += 1
            if failed == tries:
                raise
            if failed == 1:
                typer.echo(f"{error}; waiting until it works again", err=True)
            time.sleep(poll_s)
        else:
            if failed:
                typer.echo("the store works again", err=True)
            return learned


@command(
    "jobs",
    example="""\
recollect jobs
recollect jobs --user-id ada --limit 5 --json""",
)
def jobs(
    *,
    user_id: UserId = DEFAULT_USER,
    limit: Annotated[
        int, typer.Option(help="How many waiting and failed jobs to list, oldest first.")
    ] = _SHOWN,
    at: StoreOptions,
) -> None:
    """Show waiting and failed jobs, and the last results of a user.

    The counts cover all users. Waiting jobs are listed only if an attempt failed.
    """
    with opened(at) as memory:
        waiting, given_up = memory.jobs.count(), memory.jobs.count(failed=True)
        retried = [job for job in memory.jobs.list(limit=limit) if job.error]
        failed = memory.jobs.list(failed=True, limit=limit)
        records = memory.facts.learned(user_id=user_id)
    value = {
        "waiting": waiting,
        "given_up": given_up,
        "retried": [_job_to_json(job) for job in retried],
        "failed": [_job_to_json(job) for job in failed],
        "records": [record.to_json() for record in records],
    }
    lines = [f"{waiting:,} waiting, {given_up:,} given up", *map(_record_line, records)]
    lines += [*map(_retried, retried), *map(_given_up, failed)]
    at.show(value, lines="\n".join(lines))


@command(
    "admissions",
    example="""\
recollect admissions
recollect admissions --outcome refused --limit 5 --json""",
)
def admissions(
    *,
    user_id: UserId = DEFAULT_USER,
    outcome: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only stored, merged, contested or refused.")
    ] = None,
    limit: Annotated[int, typer.Option(help="How many at most.")] = 50,
    at: StoreOptions,
) -> None:
    """Show which statements became facts, and why others did not."""
    with opened(at) as memory:
        found = memory.facts.decisions(
            user_id=user_id, admission=cast("Admission | None", outcome), limit=limit
        )
    lines = "\n".join(map(_admission_line, found))
    at.show([one.to_json() for one in found], lines=lines or "no decisions")


@command("conflicts", example="recollect conflicts")
def conflicts(*, user_id: UserId = DEFAULT_USER, project: ProjectName = None, at: StoreOptions) -> None:
    """List facts that contradict each other and need a decision."""
    with opened(at) as memory:
        within = Within(project=project_of(memory, project, user_id=user_id))
        found = memory.facts.conflicts(user_id=user_id, within=within)
    value = [{"known": record_to_json(one.known), "new": record_to_json(one.new)} for one in found]
    at.show(value, lines=lines_of_conflicts(found) or "no conflicts")


@command(
    "resolve",
    example="""\
recollect resolve 019a7c1e-... --drop 019a7c20-...
recollect resolve 019a7c1e-...""",
)
def resolve(
    keep: Annotated[str, typer.Argument(metavar="ID", help="The fact that is true.")],
    *,
    drop: Annotated[
        str | None, typer.Option(metavar="ID", help="The fact that is not; without it both are true.")
    ] = None,
    user_id: UserId = DEFAULT_USER,
    at: StoreOptions,
) -> None:
    """Resolve a conflict between two facts. The history of both records it."""
    with opened(at) as memory:
        keep = whole_of(memory, keep, user_id=user_id)
        drop = None if drop is None else whole_of(memory, drop, user_id=user_id)
        memory.facts.resolve(keep, drop, user_id=user_id)
    at.show({"kept": keep, "dropped": drop}, lines="decided")


def _policy(min_importance: float | None) -> "AdmissionPolicy | None":
    """Return the admission policy; None admits every statement."""
    if min_importance is None:
        return None
    from recollect.learning.admission import AdmissionPolicy

    return AdmissionPolicy(min_importance=min_importance)


def _admission_line(one: "AdmissionDecision") -> str:
    ids = " ".join(name for name in (one.fact_id, one.source_id) if name)
    words = f": {one.text}" if one.text else ""
    return plain(f"{one.at:%Y-%m-%d %H:%M}  {one.admission} ({one.criterion}) {ids}  {one.reason}{words}")


def _print_failed(memory: "Memory") -> None:
    """List the oldest failed jobs on stderr."""
    for job in memory.jobs.list(failed=True, limit=_SHOWN):
        typer.echo(_given_up(job), err=True)


def _job_to_json(job: "Job") -> "dict[str, JSON]":
    turn = job.payload.get("turn")
    return {"user_id": job.scope.user_id, "turn": turn, "attempts": job.attempts, "error": job.error}


def _retried(job: "Job") -> str:
    return plain(f"tried {job.attempts} times: {_what(job)} of {job.scope.user_id}: {job.error}")


def _given_up(job: "Job") -> str:
    return plain(f"given up: {_what(job)} of {job.scope.user_id}: {job.error}")


def _what(job: "Job") -> str:
    """What a job is about: a turn, or facts that came as facts."""
    facts = job.payload.get("facts")
    return f"{len(facts):,} facts" if isinstance(facts, list) else f"turn {job.payload.get('turn')}"


def _record_line(record: "LearningRecord") -> str:
    """Format the result of a job, with the reason of each refusal on its own line."""
    used = record.usage
    cost = "" if used is None else f", {used.input_tokens + used.output_tokens:,} tokens"
    dollars = "" if used is None or used.cost_usd is None else f", ${used.cost_usd:.4f}"
    why = f" because {record.because}" if record.because else ""
    head = f"{record.at:%Y-%m-%d %H:%M}  {record.made_by} ({record.way}){why}: "
    refused = [f"    refused: {one.reason}" for one in record.refused]
    return "\n".join(
        [plain(f"{head}{replace(record.learned, sessions=1).came}{cost}{dollars}"), *map(plain, refused)]
    )
