"""The ``recollect`` command: what the library does, from a shell.

Nothing heavy is imported before a command needs it, so that ``recollect --help`` answers at once.
"""

import sys
from typing import Annotated, Final

import typer

from recollect.cli.archive import archive, tidy, unarchive
from recollect.cli.brain import profile, sessions, summary
from recollect.cli.chat import chat
from recollect.cli.command import Command, Group, guarded
from recollect.cli.config import config
from recollect.cli.documents import documents
from recollect.cli.files import backup, export_, import_, restore
from recollect.cli.finding import context, get, list_, search, timeline, why
from recollect.cli.graph import clusters, graph
from recollect.cli.learning import admissions, conflicts, jobs, resolve, worker
from recollect.cli.moving import copy, migrate
from recollect.cli.prompting import prompt
from recollect.cli.serving import keys, mcp, serve
from recollect.cli.settings import defaults_of, load
from recollect.cli.upkeep import bench, doctor, init, reembed, stats, users
from recollect.cli.words import add, delete, purge, reinforce, relabel, undelete, update, use

__all__ = ["COMMANDS", "app", "main"]

COMMANDS: Final[tuple[Command | Group, ...]] = (
    init, add, search, context, prompt, chat, get, list_, update, use, reinforce, archive, unarchive,
    tidy, delete, undelete, purge, import_, export_, stats, users, why, timeline, graph, clusters, doctor,
    backup, restore, copy, migrate, reembed, relabel, worker, jobs, admissions, conflicts, resolve, profile,
    summary, sessions, documents, serve, keys, mcp, config, bench,
)  # fmt: skip
"""Every command, in the order of the help."""


def _print_version(value: bool) -> None:  # noqa: FBT001 - typer calls it so
    if value:
        import recollect

        typer.echo(f"recollect {recollect.__version__}")
        raise typer.Exit


@guarded
def _recollect(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 - its callback prints it
        bool, typer.Option("--version", help="Show the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Long-term memory for LLM agents: remember words, find them again, say why."""
    given = load().given
    if given:
        context.default_map = defaults_of(context.command, given)


def _make_app() -> typer.Typer:
    made = typer.Typer(
        rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True
    )
    made.callback()(_recollect)
    for command in COMMANDS:
        command.register(made)
    return made


app: Final = _make_app()


def main() -> None:
    """Run the command that the arguments name."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    app()
