"""Transcripts that hosts write: who said what, without tool output and system text."""

import os
from collections.abc import Callable
from importlib import import_module
from typing import Final, NamedTuple

SLICE_BYTES: Final = 32 << 20
"""Of a transcript read at a time, in some 60 ms. Chosen by hand."""
MOST_CHARACTERS: Final = 10_000
"""Of one message; of a longer one, mostly a pasted file, beginning and end are kept. Chosen by hand."""
_END: Final = 2_000
"""Of these at the end. Chosen by hand."""


_MODULES: Final = {
    "claude-code": "claude_code",
    "codex": "codex",
    "copilot": "copilot",
    "gemini-cli": "gemini_cli",
    "opencode": "opencode",
    "windsurf": "windsurf",
}
"""The module of each host whose transcripts can be read."""


class Utterance(NamedTuple):
    """What a person or a model said.

    Attributes:
        id: The host's own id of it.
        session: The host's id of the conversation.
        role: ``user`` or ``assistant``.
        content: The words.
        at: When, as the host wrote it; None where it did not.
        folder: The working folder then; None where it is not known.
    """

    id: str
    session: str
    role: str
    content: str
    at: str | None
    folder: str | None


def shortened(text: str) -> str:
    """A text of at most about ``MOST_CHARACTERS``, with a note of how much was left out.

    >>> shortened("short"), len(shortened("x" * 1_000_000))
    ('short', 10035)
    """
    if len(text) <= MOST_CHARACTERS:
        return text
    left_out = len(text) - MOST_CHARACTERS
    return f"{text[: MOST_CHARACTERS - _END]}\n[… {left_out:,} characters left out …]\n{text[-_END:]}"


class Format(NamedTuple):
    """How a host writes its transcripts.

    Attributes:
        patterns: Which files in its settings folder are transcripts.
        read: What was said in a file after an offset in bytes, and the offset to go on from. It reads at
            most ``SLICE_BYTES``; at the end of the file the offset stays as it is.
    """

    patterns: tuple[str, ...]
    read: Callable[[str, int], tuple[list[Utterance], int]]


def format_of(host: str) -> Format | None:
    """The format of a host's transcripts; None for one without any that can be read.

    Its module is imported only then: a hook has little time.
    """
    name = _MODULES.get(host)
    if name is None:
        return None
    form: Format = import_module(f"recollect.integrations.hosts.transcripts.{name}").FORMAT
    return form


def whole_lines(path: str, offset: int) -> tuple[list[bytes], int]:
    """The whole lines of a file after an offset, and where they end.

    A file that is shorter is read from its beginning; a line that is longer than a slice is skipped.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        start = offset if offset <= size else 0
        file.seek(start)
        read = file.read(SLICE_BYTES)
    whole = read.rfind(b"\n") + 1
    if not whole and len(read) == SLICE_BYTES:
        return [], start + len(read)
    return read[:whole].splitlines(), start + whole
