"""A notice that is taken back ends no job."""

import pytest
from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.extract import extract_new
from recollect.learning.extraction.facts import Turn
from recollect.learning.extraction.withdrawals import WITHDRAWN

ADA = {"user_id": "ada"}
JOB = "User works at Siemens."


def say(memory: Memory, words: str, at: str) -> str:
    (result,) = memory.add(words, **ADA, timestamp=at)
    memory.jobs.drain()
    assert result.id is not None
    return result.id


def holding(memory: Memory) -> list[str]:
    facts = memory.get_all(**ADA, kinds=["fact"])
    return sorted(one.content for one in facts if one.times.valid_until is None)


@pytest.mark.parametrize(
    ("given", "withdrawn"),
    [
        ("I've handed in my notice at Siemens.", "I withdrew my notice, I'm staying."),
        ("I handed in my notice.", "I took back my notice."),
        ("I resigned today.", "I\u2019ve withdrawn my resignation."),
        ("I gave notice at work, my last day is 24 April.", "Staying! They let me take back my notice."),
        ("I've handed in my notice.", "my boss persuaded me to stay, notice withdrawn"),
    ],
)
def test_the_job_goes_on_when_the_notice_is_withdrawn(given: str, withdrawn: str) -> None:
    with Memory(":memory:", embedder="hashing") as memory:
        say(memory, "I work at Siemens.", "2026-01-01")
        say(memory, given, "2026-03-01")
        assert JOB not in holding(memory)
        taking = say(memory, withdrawn, "2026-03-10")
        assert holding(memory) == [JOB]
        assert memory.facts.conflicts(**ADA) == []
        memory.delete(taking, **ADA)
        memory.jobs.drain()
        assert JOB not in holding(memory)


def test_a_notice_that_is_given_again_ends_the_job() -> None:
    with Memory(":memory:", embedder="hashing") as memory:
        say(memory, "I work at Siemens.", "2026-01-01")
        say(memory, "I handed in my notice.", "2026-03-01")
        say(memory, "I withdrew my notice.", "2026-03-10")
        say(memory, "I quit my job at Siemens.", "2026-06-10")
        assert JOB not in holding(memory)


@table(
    "said",
    [
        "my sister withdrew her notice",
        "I wish I had withdrawn my notice",
        "should I have withdrawn my notice?",
        "If I withdrew my resignation, would they keep me?",
        "I haven't withdrawn my notice",
        "nobody took notice",
        "the landlord withdrew his notice",
    ],
)
def test_what_only_sounds_like_it_withdraws_nothing(said: str) -> None:
    turns = [Turn(text=said, id="a")]
    assert [one for one in extract_new(turns, known=0) if one.relation == WITHDRAWN] == []
