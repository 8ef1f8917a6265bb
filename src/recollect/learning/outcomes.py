"""What came of learning: counts, and contradictions that wait for a person."""

from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Final

from recollect.errors import ModelError, RecollectError
from recollect.types import MemoryRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What a worker did.

    Attributes:
        sessions: Conversations with something new that were read.
        facts: New facts that were stored.
        episodes: New episodes.
        reinforced: Known facts that were said again.
        ended: Known facts that hold no more.
        conflicts: New facts that contradict a known one, for a person to decide.
        forgotten: Memories that were archived since the user asked to forget them.
        unclear: Requests to forget that name nothing known, or too much; the agenda asks what is meant.
        refused: Statements that the memory's ``AdmissionPolicy`` did not let become facts.
        failed: Jobs that failed; each is tried again later, or given up and kept in ``Memory.jobs``.
    """

    sessions: int = 0
    facts: int = 0
    episodes: int = 0
    reinforced: int = 0
    ended: int = 0
    conflicts: int = 0
    forgotten: int = 0
    unclear: int = 0
    refused: int = 0
    failed: int = 0

    def __add__(self, other: "Learned") -> "Learned":
        return Learned(**{name: getattr(self, name) + getattr(other, name) for name in self.__slots__})

    def __str__(self) -> str:
        """What was done in a line of plain words.

        >>> print(Learned(sessions=1, facts=2, episodes=1))
        read 1 conversation: 2 new facts, 1 episode
        >>> print(Learned(sessions=2, episodes=2))
        read 2 conversations: no new fact, 2 episodes
        >>> print(Learned())
        nothing to learn: nothing new was said
        """
        if self.sessions:
            return f"read {_counted(self.sessions, 'conversation', 'conversations')}: {self.came}"
        return self.came or "nothing to learn: nothing new was said"

    @property
    def came(self) -> str:
        """What came of what was read, in plain words.

        >>> Learned(facts=2, episodes=1).came
        '2 new facts, 1 episode'
        """
        found = [
            _counted(count, *names) for field, names in _NAMES.items() if (count := getattr(self, field))
        ]
        return ", ".join(found if self.facts or not self.sessions else ["no new fact", *found])


_NAMES: Final = {
    "facts": ("new fact", "new facts"),
    "episodes": ("episode", "episodes"),
    "reinforced": ("fact said again", "facts said again"),
    "ended": ("fact ended", "facts ended"),
    "conflicts": ("conflict", "conflicts"),
    "forgotten": ("memory put away as asked", "memories put away as asked"),
    "unclear": ("unclear request to forget", "unclear requests to forget"),
    "refused": ("statement refused", "statements refused"),
    "failed": ("job failed", "jobs failed"),
}
"""What came of learning, one and many."""


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two facts that cannot both hold, for a person to decide; see ``Memory.facts.resolve``."""

    known: MemoryRecord
    new: MemoryRecord


def reason_of(error: Exception) -> str:
    """What went wrong, without words of a conversation or a server.

    A model's own follow behind a colon. What others raise may say anything: only its place is told.
    """
    if isinstance(error, ModelError):
        said = str(error).partition(": ")[0]
    elif isinstance(error, RecollectError):
        said = str(error)
    else:
        frame = extract_tb(error.__traceback__)[-1]
        said = f"in {Path(frame.filename).name}, line {frame.lineno}"
    return f"{type(error).__name__}: {said}"
