"""Reads the table of names beside it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

TABLE: Final = Path(__file__).with_name("entities_table.txt")
_HELD_BACK: Final = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A text and the names in it."""

    language: str
    text: str
    names: tuple[str, ...]
    held_back: bool
    line: int


def rows() -> list[Row]:
    """The rows of the table, in its order."""
    lines = enumerate(TABLE.read_text(encoding="utf-8").splitlines(), start=1)
    return [_row(line, number) for number, line in lines if line and not line.startswith("# ")]


def _row(line: str, number: int) -> Row:
    language, text, names = line.split(" |")
    return Row(
        language=language.rstrip(_HELD_BACK),
        text=text.removeprefix(" ").replace("\\n", "\n"),
        names=tuple(name.strip() for name in names.split(";") if name.strip()),
        held_back=language.endswith(_HELD_BACK),
        line=number,
    )
