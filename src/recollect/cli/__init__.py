"""The ``recollect`` command: what the library does, from a shell.

Nothing heavy is imported before a command needs it, so that ``recollect --help`` answers at once.
"""

import sys
from collections.abc import Mapping
from typing import Annotated, ClassVar, Final

import typer

from recollect.cli.agenda import agenda
from recollect.cli.archive import archive, tidy, unarchive
from recollect.cli.bench import bench
from recollect.cli.brain import answer, profile, sessions, summary
from recollect.cli.chat import chat
from recollect.cli.command import Command, Group, guarded
from recollect.cli.config import config
from recollect.cli.documents import documents
from recollect.cli.edits import apply
from recollect.cli.files import backup, export_, restore
from recollect.cli.finding import context, get, list_, search, timeline, why
from recollect.cli.graph import clusters, graph
from recollect.cli.groups import SectionedGroup
from recollect.cli.hosts import install, status, uninstall
from recollect.cli.importing import import_
from recollect.cli.learning import admissions, conflicts, jobs, resolve, worker
from recollect.cli.moving import copy, migrate, sync
from recollect.cli.projects import projects
from recollect.cli.prompting import prompt
from recollect.cli.serving import keys, mcp, serve, spaces
from recollect.cli.settings import defaults_of, load
from recollect.cli.upkeep import doctor, init, reembed, stats, users
from recollect.cli.words import add, delete, purge, relabel, undelete, update, use

__all__ = ["COMMANDS", "app", "main"]

_SECTIONS: Final[Mapping[str, tuple[Command | Group, ...]]] = {
    "Use": (add, search, context, chat, sessions, documents, prompt, summary, update, use, delete, undelete),
    "Look": (
        get, list_, why, answer, profile, agenda, timeline, graph, clusters, conflicts, resolve, admissions,
        users, stats,
    ),
    "Move": (import_, export_, apply, backup, restore, copy, sync),
    "Serve": (serve, mcp, keys, spaces, worker, jobs, install, uninstall, status, projects),
    "Maintain": (
        init, config, tidy, archive, unarchive, purge, doctor, migrate, reembed, relabel, bench,
    ),
}  # fmt: skip
"""Every command, as the help shows them."""
COMMANDS: Final = tuple(one for section in _SECTIONS.values() for one in section)


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


class _Recollect(SectionedGroup):
    """The command, with its own sections."""

    sections: ClassVar = {section: tuple(one.name for one in group) for section, group in _SECTIONS.items()}


def _make_app() -> typer.Typer:
    made = typer.Typer(
        cls=_Recollect, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True
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
