"""Messages that sound like a change of something known and end nothing of it."""

import pytest

from recollect import Memory
from recollect.testing.fakes import FakeClock

_DAY_S = 86_400


def learned(*messages: str) -> tuple[set[str], int]:
    """The facts that hold after some messages, a day apart, and how many conflicts wait."""
    clock = FakeClock()
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        for message in messages:
            memory.add(message, user_id="u")
            clock.tick(_DAY_S)
            memory.jobs.drain()
        facts = memory.get_all(user_id="u", kinds=["fact"])
        holding = {one.content for one in facts if one.times.valid_until is None}
        return holding, len(memory.facts.conflicts(user_id="u"))


def test_the_dose_of_one_drug_ends_that_of_no_other():
    omeprazole, levothyroxine = "User takes 20 mg omeprazole.", "User takes 75 micrograms levothyroxine."
    said = ("I take 20 mg omeprazole.", "I take 75 micrograms of levothyroxine.")
    assert {omeprazole, levothyroxine} <= learned(*said)[0]
    after, asked = learned(*said, "Doctor doubled the omeprazole, it's 40 mg now.")
    assert levothyroxine in after
    assert omeprazole not in after
    assert asked == 0


def test_two_drugs_do_not_contradict_each_other():
    assert learned("I take 5 mg ramipril.", "I take 500 mg metformin.")[1] == 0


@pytest.mark.parametrize(
    ("known", "fact", "said"),
    [
        (
            "My boss is Mr. Haverkort.",
            "User's boss is Mr. Haverkort.",
            "Ida is the new boss at Ann's school.",
        ),
        ("My manager is Rob Delgado", "User's manager is Rob Delgado.", "Rob got a new boss today."),
        (
            "I'm married to Sofia.",
            "User is married to Sofia.",
            "In my D&D campaign my character got divorced.",
        ),
        ("My dog's name is Scout", "User's dog is named Scout.", "Scout died laughing when I fell."),
        (
            "I prefer planes to trains.",
            "User prefers planes to trains.",
            "The night train was cancelled twice.",
        ),
        (
            "Keep your answers short.",
            "User wants answers to be short.",
            "For just this one question give me the long version.",
        ),
    ],
)
def test_what_is_said_of_others_of_games_and_of_this_once_ends_nothing(known, fact, said):
    assert fact in learned(known, said)[0]
    assert learned(known, said)[1] == 0
