"""Whether the prompts of a coder are given what fits them, and nothing else: with the default embedder.

``recall/said.txt`` is what was said before; each line of the others is a word of what fits, or ``-``, and a
prompt. ``unseen.txt`` was written after the thresholds were chosen by ``prompts.txt``.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.integrations.hosts.recall import BothRoles, Whose, for_prompt
from recollect.retrieval.scoring import Retrieval

SETS = Path(__file__).parent / "recall"
WHOSE = Whose(user_id="ada", project="app", session_id="new")


def lines_of(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (SETS / name).read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    said = [line.split(": ", 1) for line in (SETS / "said.txt").read_text("utf-8").splitlines()]
    with Memory(":memory:", retrieval=Retrieval(scoring=BothRoles())) as opened:
        for number, (role, content) in enumerate(said):
            message = {"role": role, "content": content, "metadata": {"project": "app"}}
            at = 1_790_000_000 + number * 20_000
            opened.add(message, user_id="ada", session_id=f"s{number // 6}", timestamp=at)
        yield opened


@pytest.mark.parametrize(("name", "fewest"), [("prompts.txt", 19), ("unseen.txt", 10)])
def test_most_prompts_are_given_what_fits_them(memory: Memory, name: str, fewest: int) -> None:
    wanted = [(words, prompt) for words, prompt in lines_of(name) if words != "-"]
    given = [prompt for words, prompt in wanted if words in for_prompt(memory, WHOSE, prompt).text]
    assert len(given) >= fewest


@pytest.mark.parametrize("name", ["prompts.txt", "unseen.txt"])
def test_prompts_that_nothing_fits_are_given_nothing(memory: Memory, name: str) -> None:
    idle = [prompt for words, prompt in lines_of(name) if words == "-"]
    assert [prompt for prompt in idle if for_prompt(memory, WHOSE, prompt).text] == []


def test_the_same_order_said_before_is_not_given(memory: Memory) -> None:
    prompt = "Rename getUserData to load_profile everywhere, please."
    given = for_prompt(memory, WHOSE, prompt).text
    assert "in 14 files" in given
    assert "user: Rename" not in given
