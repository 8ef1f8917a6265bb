"""A plan that came true is one thing with what fulfils it, and no conflict."""

import pytest

from recollect import Memory

ADA = {"user_id": "ada"}


def told(*said: str) -> tuple[set[str], int]:
    """What holds after some messages, months apart, and how many conflicts wait."""
    with Memory(":memory:", embedder="hashing") as memory:
        for month, words in enumerate(said, 1):
            memory.add(words, **ADA, timestamp=f"2026-{month:02}-10")
            memory.jobs.drain()
        facts = memory.get_all(**ADA, kinds=["fact"])
        holding = {one.content for one in facts if one.times.valid_until is None}
        return holding, len(memory.facts.conflicts(**ADA))


@pytest.mark.parametrize(
    ("plan", "done", "holds"),
    [
        ("I'm thinking about moving to Bremen.", "We moved to Bremen.", {"User moved to Bremen."}),
        (
            "I'm thinking about moving to Bremen.",
            "I moved to Bremen last week.",
            {"User moved to Bremen in the week of 2 February 2026."},
        ),
        ("I plan to move to Bremen in May.", "I moved to Bremen.", {"User moved to Bremen."}),
        ("We're planning to get a dog.", "We got a dog.", {"User got a dog."}),
    ],
)
def test_a_plan_is_over_when_it_came_true(plan: str, done: str, holds: set[str]) -> None:
    assert told(plan, done) == (holds, 0)


def test_what_was_wanted_and_is_done_now_is_no_conflict() -> None:
    holding, conflicts = told("I want to learn the cello.", "I'm learning the cello now.")
    assert conflicts == 0
    assert "User is learning the cello." in holding


@pytest.mark.parametrize(
    "other",
    [
        "I moved to Kiel.",
        "My sister moved to Bremen.",
        "I'm still thinking about moving to Bremen.",
        "I like Bremen.",
    ],
)
def test_a_plan_stays_when_something_else_is_done(other: str) -> None:
    holding, _ = told("I'm thinking about moving to Bremen.", other)
    assert "User is thinking about moving to Bremen." in holding
