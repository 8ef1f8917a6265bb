"""Transcripts that hosts write: who said what, without tool output and system text."""

from typing import Final, NamedTuple

MOST_CHARACTERS: Final = 10_000
"""Of one message; of a longer one, mostly a pasted file, beginning and end are kept. Chosen by hand."""
_END: Final = 2_000
"""Of these at the end. Chosen by hand."""


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
