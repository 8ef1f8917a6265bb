"""What is known after some messages of one user, told a day apart."""

from collections.abc import Iterator
from contextlib import contextmanager

from recollect import Memory
from recollect.testing.fakes import FakeClock

DAY_S = 86_400


@contextmanager
def told(*messages: str) -> Iterator[Memory]:
    """A memory that learned from the messages."""
    clock = FakeClock()
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        for message in messages:
            memory.add(message, user_id="u")
            clock.tick(DAY_S)
            memory.jobs.drain()
        yield memory


def learned(*messages: str) -> tuple[set[str], set[str], int]:
    """What holds, what has ended, and how many conflicts wait."""
    with told(*messages) as memory:
        facts = memory.get_all(user_id="u", kinds=["fact"])
        holding = {one.content for one in facts if one.times.valid_until is None}
        return holding, {one.content for one in facts} - holding, len(memory.facts.conflicts(user_id="u"))


def left(*messages: str) -> tuple[set[str], int]:
    """What holds, and how many conflicts wait."""
    holding, _, asked = learned(*messages)
    return holding, asked
