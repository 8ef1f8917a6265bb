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
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Final, cast, get_origin, get_type_hints

import typer

from recollect.cli.groups import GuessingCommand
from recollect.errors import RecollectError

FAILED: Final = 1
STOPPED: Final = 130
"""128 plus the number of SIGINT, as in shells."""
UNREAD: Final = 141
"""128 plus the number of SIGPIPE."""


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


def command(name: str, *, example: str) -> Callable[[Callable[..., None]], Command]:
    """Turn a function into a command that prints one line when it fails."""

    def make(function: Callable[..., None]) -> Command:
        return Command(name=name, example=example, run=guarded(function))

    return make


def guarded(function: Callable[..., None]) -> Callable[..., None]:
    """Turn known errors into a line on stderr and an exit code."""
    groups, options = _options_of(function)

    @wraps(function)
    def run(**given: Any) -> None:
        as_json = bool(given.get("as_json"))
        try:
            for name, (kind, its_own) in groups.items():
                given[name] = kind(**{option: given.pop(option) for option in its_own})
            function(**given)
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

    run.__signature__ = Signature(options)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in options}
    return run


def _options_of(
    function: Callable[..., None],
) -> tuple[dict[str, tuple[type, list[str]]], list[Parameter]]:
    """The parameters of a command that are groups of options, and its options with those of the groups.

    A group is a dataclass; its options are the fields whose types say how they are given.
    """
    groups: dict[str, tuple[type, list[str]]] = {}
    options: list[Parameter] = []
    hints = get_type_hints(function, include_extras=True)
    for name, one in signature(function).parameters.items():
        kind = hints[name]
        if not is_dataclass(kind):
            options.append(one.replace(annotation=kind))
            continue
        given = {
            field: hint
            for field, hint in get_type_hints(kind, include_extras=True).items()
            if get_origin(hint) is Annotated
        }
        groups[name] = (cast("type", kind), list(given))
        options += [
            Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=given[field.name])
            for field in fields(kind)
            if field.name in given
        ]
    return groups, options


def _print_error(name: str, message: str, *, as_json: bool) -> None:
    line = " ".join(message.split())
    typer.echo(json.dumps({"error": name, "message": line}) if as_json else f"Error: {line}", err=True)


def _discard_output() -> None:
    """Redirect stdout to the null device, so that Python does not fail to flush it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _indented(example: str) -> str:
    return "\n".join(f"  {line}" for line in example.splitlines())
