"""Whatever a caller writes into the metadata of a fact, no later call fails of it and no job is given up."""

import pytest

from recollect import Memory
from recollect.testing import FakeClock

NAMES = [
    "ended_by",
    "ended_at",
    "else_until",
    "left_out",
    "taking_over",
    "supersedes",
    "related_to",
    "conflicts_with",
    "contested",
    "repeated_at",
    "subject",
    "relation",
    "object",
    "quote",
    "negated",
    "past",
    "single_valued",
    "context",
    "session_id",
]
"""What the engine reads of the metadata of facts."""
NOBODY = "01a1fb84-cc1e-7de1-88f3-761b722f38e8"
VALUES = {
    "none": None,
    "true": True,
    "number": -1.5,
    "empty text": "",
    "long text": "x" * 5_000,
    "day": "2025-01-01",
    "time without zone": "2025-01-01T00:00:00",
    "time before year 1": "0001-01-01T00:00:00+14:00",
    "time after year 9999": "9999-12-31T23:59:59-14:00",
    "id": NOBODY,
    "hidden character": "\u00ad",
    "list of words": ["x"],
    "list of days": ["2025-01-01"],
    "list of lists": [["x"], None, 1],
    "list of a long text": ["x" * 5_000],
    "ending at no time": {"ends": {"x": "y"}, "until": "soon"},
    "ending of nobody": {"ends": {NOBODY: "2025-01-01T00:00:00"}, "until": "2025-01-01"},
    "ending in a list": {"ends": [1]},
}


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(tmp_path, clock):
    with Memory(tmp_path / "hostile.db", embedder="hashing", clock=clock) as made:
        yield made


def say(memory, clock, text):
    (added,) = memory.add(text, user_id="ada", session_id=text)
    clock.tick(4_000)
    memory.jobs.drain()
    return added.id


@pytest.mark.parametrize("value", VALUES)
def test_the_metadata_of_a_fact_make_no_later_turn_fail(memory, clock, value):
    first = say(memory, clock, "I live in Rome.")
    moved = say(memory, clock, "I moved to Oslo.")
    say(memory, clock, "I like tea.")
    facts = memory.get_all(user_id="ada", kinds=["fact"])
    for place, fact in enumerate(facts):
        names = NAMES if place % 2 else NAMES[:10]
        memory.update(fact.id, metadata=fact.metadata | dict.fromkeys(names, VALUES[value]), user_id="ada")
    say(memory, clock, "I like tea.")
    say(memory, clock, "I live in Paris.")
    memory.update(first, content="I live in Bern.", user_id="ada")
    memory.delete(moved, user_id="ada")
    say(memory, clock, "I no longer like tea.")
    memory.undelete(moved, user_id="ada")
    memory.context("Where do I live?", user_id="ada")
    memory.facts.conflicts(user_id="ada")
    clock.tick(90_000)
    memory.jobs.drain()
    assert memory.jobs.list(failed=True) == []
    assert len(memory.get_all(user_id="ada", kinds=["fact"])) >= 3
    memory.maintenance.doctor()
