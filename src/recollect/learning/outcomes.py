"""What came of learning: counts, and contradictions that wait for a person."""

from dataclasses import dataclass

from recollect.types import MemoryRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What a worker did.

    Attributes:
        sessions: Jobs that were done.
        facts: New facts that were stored.
        episodes: New episodes.
        reinforced: Known facts that were said again.
        ended: Known facts that hold no more.
        conflicts: New facts that contradict a known one, for a person to decide.
        refused: Statements that the memory's ``AdmissionPolicy`` did not let become facts.
        failed: Jobs that failed; each is tried again later, or given up and kept in ``Memory.jobs``.
    """

    sessions: int = 0
    facts: int = 0
    episodes: int = 0
    reinforced: int = 0
    ended: int = 0
    conflicts: int = 0
    refused: int = 0
    failed: int = 0

    def __add__(self, other: "Learned") -> "Learned":
        return Learned(**{name: getattr(self, name) + getattr(other, name) for name in self.__slots__})


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two facts that cannot both hold, for a person to decide; see ``Memory.resolve``.

    Attributes:
        known: The one that was known.
        new: The one that contradicts it.
    """

    known: MemoryRecord
    new: MemoryRecord
