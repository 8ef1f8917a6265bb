"""A made-up life, and what a request to forget does to it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from recollect import Memory
from recollect.testing.fakes import FakeClock

LINES = [json.loads(line) for line in (Path(__file__).parent / "forget_lines.jsonl").read_text().splitlines()]
STOCK: dict[str, str] = LINES[0]["stock"]
ASKED: list[dict[str, Any]] = LINES[1:]
ADA = {"user_id": "ada"}


def say(memory: Memory, clock: FakeClock, words: str, *, session: str = "talk") -> str:
    clock.tick(3_600)
    (result,) = memory.add(words, **ADA, session_id=session)
    assert result.id is not None
    return result.id


@contextmanager
def living(clock: FakeClock) -> Iterator[tuple[Memory, dict[str, str]]]:
    """A memory in which the life was told and learned, and the ids of its messages."""
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        ids = {name: say(memory, clock, words, session=name) for name, words in STOCK.items()}
        memory.jobs.drain()
        yield memory, ids


def seen(memory: Memory) -> list[str]:
    """The messages and facts that a search may find."""
    return sorted(one.content for one in memory.get_all(**ADA, kinds=["message", "fact"], filters=ACTIVE))


ACTIVE = {"tier": {"ne": "archived"}}


def gone_by(words: str) -> set[str]:
    """Which messages of the life a request puts away."""
    clock = FakeClock()
    with living(clock) as (memory, ids):
        say(memory, clock, words, session="asked")
        memory.jobs.drain()
        return {name for name, id_ in ids.items() if memory.get(id_, **ADA).tier == "archived"}
