"""What a load consists of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

OPERATIONS: Final = ("add", "search", "context", "turn")
"""``turn`` is what a chat asks of a memory: a context for the message, then the message is added."""
MIX: Final[Mapping[str, float]] = {"search": 6, "add": 2, "context": 1, "turn": 1}
"""Six searches for two adds, a context and a turn. Chosen by hand."""
USERS, MEMORIES, CLIENTS, SECONDS, WARM_UP_S = 10, 200, 8, 30.0, 5.0
"""Of a load that says nothing else. Chosen by hand: it takes about a minute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked of a server, how often and by how many.

    Attributes:
        mix: The share of each operation, of ``OPERATIONS``; they need not sum up to 1.
        clients: Connections, each with one request at a time.
        rate: Operations a second, done by whoever is free; a wait for its turn counts. None: each client
            asks as soon as it was answered.
        seconds: How long is measured.
        warm_up_s: How long it goes on before that.
        seed: Chooses who does what.
    """

    mix: Mapping[str, float] = field(default_factory=lambda: dict(MIX))
    clients: int = CLIENTS
    rate: float | None = None
    seconds: float = SECONDS
    warm_up_s: float = WARM_UP_S
    seed: int = 1


def parse_mix(text: str) -> dict[str, float]:
    """Read a mix as it is written on the command line.

    Raises:
        ValueError: It names something else than operations, a share is no positive number, or all are 0.

    >>> parse_mix("search=6,add=1")
    {'search': 6.0, 'add': 1.0}
    """
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    mix = {name.strip(): float(share) for name, _, share in pairs if name.strip() in OPERATIONS}
    if (
        len(mix) != len(pairs)
        or not all(0 <= share < float("inf") for share in mix.values())
        or not any(mix.values())
    ):
        raise ValueError(f"a mix is such as search=6,add=1, of {', '.join(OPERATIONS)}, not {text!r}")
    return mix
