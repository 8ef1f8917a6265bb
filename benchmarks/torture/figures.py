"""What an attack counts, and what it saw that must not happen."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The result of one attack.

    Attributes:
        name: What was attacked.
        counts: How often what was done or seen.
        failures: What must not happen, each with the seed that repeats it; empty when all held.
    """

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def fail(self, seed: int, what: object) -> None:
        """Note what must not happen."""
        self.failures.append(f"seed {seed}: {what}")
