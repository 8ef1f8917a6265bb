"""The frame of every command: an example in the help, errors on one line, exit codes.

====  ==========================================================================
code  meaning
====  ==========================================================================
0     done
1     the command failed (any ``RecollectError``), ``doctor`` found problems, or
      ``migrate --check`` found that a migration is needed
2     the command line is invalid
130   stopped by Ctrl-C
141   the reader of the output closed the pipe
====  ==========================================================================
"""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final, ParamSpec

import typer

from recollect.cli.groups import GuessingCommand
from recollect.errors import RecollectError

FAILED: Final = 1
STOPPED: Final = 130
"""128 plus the number of SIGINT, as in shells."""
UNREAD: Final = 141
"""128 plus the number of SIGPIPE."""

P = ParamSpec("P")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command of the app."""

    name: str
    example: str
    run: Callable[..., None]

    def register(self, app: typer.Typer) -> None:
        """Add the command to an app."""
        epilog = f"\b\nExample:\n{_indented(self.example)}"
        app.command(self.name, cls=GuessingCommand, epilog=epilog)(self.run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Commands that share their first word."""

    name: str
    about: str
    example: str
    commands: tuple[Command, ...]

    def register(self, app: typer.Typer) -> None:
        """Add the commands to an app."""
        group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
        for one in self.commands:
            one.register(group)
        epilog = f"\b\nExample:\n{_indented(self.example)}"
        app.add_typer(group, name=self.name, help=self.about, epilog=epilog)


def command(name: str, *, example: str) -> Callable[[Callable[P, None]], Command]:
    """Turn a function into a command that prints one line when it fails."""

    def make(function: Callable[P, None]) -> Command:
        return Command(name=name, example=example, run=guarded(function))

    return make


def guarded(function: Callable[P, None]) -> Callable[P, None]:
    """Turn known errors into a line on stderr and an exit code."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        as_json = bool(kwargs.get("as_json"))
        try:
            function(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            _discard_output()
            raise typer.Exit(UNREAD) from None
        except (RecollectError, OSError) as error:
            _print_error(type(error).__name__, str(error), as_json=as_json)
            raise typer.Exit(FAILED) from None
        except KeyboardInterrupt:
            _print_error("KeyboardInterrupt", "stopped; what was done before is kept", as_json=as_json)
            raise typer.Exit(STOPPED) from None

    return run


def _print_error(name: str, message: str, *, as_json: bool) -> None:
    line = " ".join(message.split())
    typer.echo(json.dumps({"error": name, "message": line}) if as_json else f"Error: {line}", err=True)


def _discard_output() -> None:
    """Redirect stdout to the null device, so that Python does not fail to flush it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _indented(example: str) -> str:
    return "\n".join(f"  {line}" for line in example.splitlines())
