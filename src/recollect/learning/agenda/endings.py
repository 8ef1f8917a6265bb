"""What became of a matter: whether something said later tells that it is done or off, or how it went.

A plan is over by "the interview is cancelled" and "it was moved to the 22nd", and from its day on by whatever
is said of it; a task or a promise by "I paid the bill", "passport renewed".
"""

from collections.abc import Iterator
from typing import Final

from recollect.learning.agenda.material import AgendaMaterial, when_said
from recollect.learning.agenda.matters import Matter
from recollect.learning.agenda.moved import MOVED
from recollect.learning.listing import finding
from recollect.learning.reconcile.cancelled import CALLED_OFF
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

_DONE: Final = lazy_regex(
    r"\b(?:\w{2,}ed|done|paid|sent|bought|found|got|gave|made|did|built|wrote|written|took|taken|brought|went"
    r"|told|met|sold|put|set|read|ran|kept|left|lent|given|caught|spoke|spoken|picked up|back from)\b"
)
_STILL_OPEN: Final = finding(
    r"not | \w+n't | still | (?:need|have|want|going|forgot|wanted|promised|supposed|ought) to | forgot"
    " | will | tomorrow | should | must | due | yet"
)
ALIKE: Final = 2
"""Stems of a task or a promise that a message has which tells that it is done. Chosen by hand."""


class Talk:
    """What people said after something, by their stems."""

    def __init__(self, material: AgendaMaterial) -> None:
        self._material = material
        self._said = [one for one in material.messages if one.origin.role == "user"]
        self._stems: dict[str, frozenset[str]] = {}

    def after(self, record: MemoryRecord) -> Iterator[MemoryRecord]:
        """What people said after a message."""
        return (one for one in self._said if when_said(one) > when_said(record))

    def shares(self, record: MemoryRecord, keys: frozenset[str], *, least: int = ALIKE) -> bool:
        """Whether a message has so many of some stems, or all of them."""
        if record.id not in self._stems:
            self._stems[record.id] = frozenset(self._material.stems(record.content))
        return len(keys & self._stems[record.id]) >= max(min(least, len(keys)), 1)

    def is_over(self, matter: Matter) -> bool:
        """Whether a matter is over by what was said after it."""
        return any(self._ends(one, matter) for one in self.after(matter.record))

    def _ends(self, said: MemoryRecord, matter: Matter) -> bool:
        if matter.kind == "plan":
            day = self._material.day_of(said.times.happened_at)
            if matter.days is not None and day >= matter.days[0]:
                return self.shares(said, matter.keys | matter.names, least=1)
            return self.shares(said, matter.keys, least=1) and _is_off(_read(said))
        return self.shares(said, matter.keys) and (_is_off(_read(said)) or _is_done(_read(said)))


def _read(said: MemoryRecord) -> str:
    return said.content.lower().replace("\u2019", "'")


def _is_off(low: str) -> bool:
    return CALLED_OFF.search(low) is not None or MOVED.search(low) is not None


def _is_done(low: str) -> bool:
    return _DONE.search(low) is not None and _STILL_OPEN.search(low) is None
