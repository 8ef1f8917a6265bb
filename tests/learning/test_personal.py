"""Which facts are about a person wherever they are, and which about what they work on."""

import pytest

from recollect import Memory
from recollect.learning.marks import HERE
from recollect.learning.personal import is_personal


def learned(words: str) -> list[bool]:
    """Whether each of the facts of a message is about the person."""
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add(words, user_id="ada")
        memory.jobs.drain()
        return [is_personal(one) for one in memory.get_all(user_id="ada", kinds=["fact"])]


@pytest.mark.parametrize(
    "words",
    [
        "I prefer tabs over spaces.",
        "I use Neovim as my editor.",
        "I never commit on Fridays.",
        "I always write the tests first.",
        "I usually review PRs in the morning.",
        "My GitHub handle is adabyron.",
        "My pronouns are they/them.",
        "My manager is called Ines.",
        "My laptop is a Framework 13.",
        "I'm on the payments team.",
        "I'm colour-blind.",
        "We have two daughters.",
        "Our daughter is called Mia.",
        "Keep your answers short.",
        "No more emojis.",
    ],
)
def test_a_fact_about_the_person(words: str) -> None:
    assert learned(words) == [True]


@pytest.mark.parametrize(
    "words",
    [
        "We prefer tabs.",
        "We use squash merges here.",
        "Our Postgres is version 16.",
        "Our API keys live in Vault under apps/billing.",
        "We deploy with make ship.",
        "I deploy with make ship.",
        "I use Redis here.",
        "In this repo I use yarn.",
        "My branch is called fix-42.",
        "My deadline is Friday.",
        "The CI runs on Buildkite.",
        "Never push to main.",
        "Wir benutzen pnpm.",
        "I am planning to rewrite the parser.",
        "My branch is called Zorp.",
        "My staging port is 9090.",
    ],
)
def test_a_fact_about_the_work(words: str) -> None:
    assert learned(words) == [False]


def test_only_the_sentence_of_a_fact_says_that_it_holds_here() -> None:
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add("In this repo I use yarn. I use Neovim.", user_id="ada")
        memory.jobs.drain()
        facts = memory.get_all(user_id="ada", kinds=["fact"])
    assert {one.content: one.metadata.get(HERE) for one in facts} == {
        "User uses yarn.": True,
        "User uses Neovim.": None,
    }
