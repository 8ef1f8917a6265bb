"""Where an attack takes place, what it counts, and what it saw that must not happen."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where an attack takes place.

    Attributes:
        folder: An empty folder.
        new_store: Makes the path or URL of an empty store.
    """

    folder: Path
    new_store: Callable[[], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The result of one round of an attack.

    Attributes:
        name: What was attacked.
        counts: How often what was done or seen.
        failures: What must not happen; empty when all held.
        times_s: Seconds that calls of a neighbour took.
        alone_s: Seconds that they took without the hostile.
    """

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)
    alone_s: list[float] = field(default_factory=list)

    def check(self, held: object, otherwise: object) -> None:
        """Note what must not happen."""
        if not held:
            self.failures.append(str(otherwise))


Attack = Callable[[Ground, Random], Figures]
"""One round of an attack, some seconds long; the same chance does the same."""
