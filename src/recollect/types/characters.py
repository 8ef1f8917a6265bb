"""Characters that no text of people holds: what becomes of them on the way in, and on one line."""

import re
from typing import Final

from recollect.types.regex import lazy_regex

_ENDS: Final = "\x0b\x0c\x1c\x1d\x1e\x85"
_CONTROL: Final = lazy_regex(
    "\x1b\\[[0-?]{0,40}[ -/]{0,8}[@-~]"  # a terminal's colours and moves, whole
    f"|\r(?!\n)|[{_ENDS}]"
    "|[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]"
)
_LINE_ENDS: Final = frozenset(f"\r{_ENDS}")
"""What ends a line on old machines, a page, a record or a group: a line break."""


def without_controls(text: str) -> str:
    r"""A text without control characters, but tabs and line breaks (also those of Windows).

    >>> without_controls("\x1b[31mred\x1b[0m tea\x07\r\n\tor\x0crum")
    'red tea\r\n\tor\nrum'
    """
    return _CONTROL.sub(_plain, text) if _CONTROL.search(text) else text


def one_line(text: str, *, most: int | None = None) -> str:
    r"""A text on one line, cut to ``most`` characters, without control characters that steer a terminal.

    >>> one_line("two\nlines \x1b[31mred"), one_line("a long story", most=7)
    ('two lines [31mred', 'a long…')
    """
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if most is None or len(line) <= most else f"{line[: most - 1].rstrip()}…"


def _plain(match: re.Match[str]) -> str:
    return "\n" if match[0] in _LINE_ENDS else ""
