"""An item of the agenda: a sentence to say, why now, and the memories that it comes from."""

from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from typing import Final, Literal, get_args

from recollect.types import JSON
from recollect.types.characters import one_line
from recollect.types.guesses import Result

AgendaKind = Literal["task", "birthday", "plan", "promise", "conflict", "unknown", "doubt", "question"]
"""What is brought up, the most pressing first: an open task; a birthday or a wedding anniversary; a plan that
is near or just over; a promise; two facts that contradict each other; what keeps being asked and is not
known; what is not sure and keeps being used; a question without an answer."""
AGENDA_KINDS: Final[tuple[AgendaKind, ...]] = get_args(AgendaKind)
CLARIFYING: Final = frozenset(("conflict", "unknown", "doubt"))
"""The kinds that ask what is not known for sure."""
_SHOWN: Final = 80
"""Characters of a text in a ``repr``."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AgendaItem(Result):
    """Something to bring up.

    Attributes:
        id: Of its kind, its day and its memories; of what comes every year the same each year.
        kind: What it is, see ``AgendaKind``.
        text: What to say, in sentences. Words of others stand in quotation marks, as data.
        reason: Why now.
        sources: Ids of the memories it comes from; of a conflict first the two facts, the known one first.
        due: The day it is about, in the memory's time zone; None without one.
        occasion: For which of several times it is brought up: ``before`` or ``after`` its day, a year, or "".
    """

    id: str
    kind: AgendaKind
    text: str
    reason: str
    sources: tuple[str, ...]
    due: date | None = None
    occasion: str = ""

    def __repr__(self) -> str:
        return f"<AgendaItem {self.kind}: {one_line(self.text, most=_SHOWN)}>"

    def __str__(self) -> str:
        """The text."""
        return self.text

    def to_dict(self) -> dict[str, JSON]:
        """Its attributes; ``due`` as ISO 8601."""
        return {
            "id": self.id,
            "kind": self.kind,
            "text": self.text,
            "reason": self.reason,
            "sources": list(self.sources),
            "due": None if self.due is None else self.due.isoformat(),
            "occasion": self.occasion,
        }


def item_id(kind: AgendaKind, *parts: str) -> str:
    """The id of an item, by what makes it another than all others.

    >>> item_id("plan", "20261008", "0190c1")
    'plan-bdb267cbd0'
    """
    return f"{kind}-{blake2b(chr(10).join(parts).encode(), digest_size=5).hexdigest()}"
