"""Memories in one line each, for a model that reads the whole of one when it needs to."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, tzinfo
from typing import Final

from recollect.context.excerpts import Excerpts
from recollect.protocols import TokenCounter
from recollect.text.quoting import label_of, on_one_line, who_wrote
from recollect.types import MemoryRecord
from recollect.types.ids import short_id

LINE_TOKENS: Final = 66
"""The most tokens of a line, so that ten lines and their line breaks have fewer than 700. Chosen by hand."""
_NOTES_SHOWN: Final = 80
"""The most characters of the marks behind a line. Chosen by hand."""


class BriefLines:
    """Writes memories in one line each: short id, date, speaker, an excerpt, marks in brackets.

    Excerpts are taken around ``query_terms``, in the form of ``terms_of``, or from the beginning; dates are
    in ``timezone``.
    """

    def __init__(
        self,
        query_terms: Iterable[str] = (),
        *,
        terms_of: Callable[[str], Iterable[str]],
        count_tokens: TokenCounter,
        timezone: tzinfo = UTC,
    ) -> None:
        self._count = count_tokens
        self._timezone = timezone
        self._excerpts = Excerpts(frozenset(query_terms), terms_of=terms_of, count_tokens=count_tokens)

    def of(self, memory: MemoryRecord, notes: Sequence[str] = ()) -> str:
        """The line of a memory, of at most ``LINE_TOKENS`` tokens."""
        day = memory.times.happened_at.astimezone(self._timezone).date()
        kind = () if memory.kind == "message" else (memory.citation or memory.kind,)
        marks = on_one_line("; ".join([*kind, *notes]))[:_NOTES_SHOWN]
        head = f"{short_id(memory.id)} {day} {_who(memory)}: "
        tail = f" [{marks}]" if marks else ""
        room = LINE_TOKENS - self._count(head + tail)
        return f"{head}{self._short(on_one_line(memory.content), room)}{tail}"

    def _short(self, body: str, room: int) -> str:
        return body if self._count(body) <= room else self._excerpts.around(body, room)


def _who(memory: MemoryRecord) -> str:
    return label_of(who_wrote(memory, memory.origin.role), memory.content)
