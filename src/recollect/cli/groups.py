"""How the command shows its groups in the help, and what it says of a wrong option."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from typer.core import TyperCommand, TyperGroup

from recollect.types.guesses import instead_of

_ALL: Final = "use one of"
_GUESSED: Final[Mapping[str, str]] = {
    "ask": "chat",
    "episodes": "timeline",
    "explain": "why",
    "fact": "profile",
    "facts": "profile",
    "find": "search",
    "forget": "delete",
    "health": "doctor",
    "history": "why",
    "learn": "worker",
    "ls": "list",
    "query": "search",
    "recall": "search",
    "remember": "add",
    "remove": "delete",
    "reset": "purge",
    "save": "add",
    "settings": "config",
    "setup": "init",
    "show": "get",
    "store": "add",
    "upgrade": "migrate",
    "version": "--version",
}
"""Commands that other memory systems have, and the right ones."""


class GuessingCommand(TyperCommand):
    """A command that names the right option for a wrong one, as the library does for arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See ``TyperCommand.parse_args``."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if type(error).__name__ == "NoSuchOption":
                self._guess(error)
            raise

    def _guess(self, error: Any) -> None:
        options = {one.name: one.opts[0] for one in self.params if one.opts[0].startswith("-")}
        wrong = error.option_name
        instead = instead_of(wrong.lstrip("-").replace("-", "_"), [name for name in options if name])
        if not instead.startswith(_ALL):
            error.possibilities = None
            error.message = f"No such option: {wrong}; use {options[instead.removeprefix('use ')]}"


class SectionedGroup(TyperGroup):
    """The command itself: its help lists the commands in sections."""

    sections: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """See ``TyperGroup.resolve_command``; names the right command for a likely wrong one."""
        try:
            return super().resolve_command(ctx, args)
        except Exception as error:
            right = _GUESSED.get(args[0])
            if type(error).__name__ in {"UsageError", "NoSuchCommand"} and right is not None:
                error.message = f"No such command '{args[0]}'; use 'recollect {right}'"  # type: ignore[attr-defined]
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer gives it
        """See ``TyperGroup.format_commands``."""
        for section, names in self.sections.items():
            with formatter.section(section):
                formatter.write_dl(list(self._rows(names, width=formatter.width)))

    def _rows(self, names: tuple[str, ...], *, width: int) -> Iterator[tuple[str, str]]:
        widest = max(map(len, self.commands))
        for name in names:
            yield name.ljust(widest), self.commands[name].get_short_help_str(width - 6 - widest)
