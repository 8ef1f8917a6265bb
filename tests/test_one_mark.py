"""Words that are outdated are marked by every way in, of every kind, in every preset's prompt."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from mcp import Client
from tests.server.conftest import LOCAL
from typer.testing import CliRunner

from recollect import Memory, Within
from recollect.cli import app
from recollect.memory.agent import MemoryAgent
from recollect.memory.chat import ChatSetup
from recollect.presets import PRESETS, open_preset
from recollect.server import ServerSettings, create_app
from recollect.server.mcp import Held, make_mcp
from recollect.types import Scope

ASKED = "Where do I live?"
MARK = "until 1 June 2026"


def told(path: Path, *said: tuple[str, str]) -> Memory:
    """A memory that learned some messages, each with its time."""
    memory = Memory(path, embedder="hashing", clock=lambda: datetime(2026, 7, 1, tzinfo=UTC))
    for number, (words, at) in enumerate(said):
        memory.add(words, user_id="ada", session_id=f"s{number}", timestamp=at)
        memory.sessions.end(f"s{number}", user_id="ada")
        memory.jobs.drain()
    return memory


@pytest.fixture
def moved(tmp_path: Path) -> Iterator[Memory]:
    hamburg = ("I live in Hamburg and I'm allergic to nuts.", "2026-01-01")
    with told(tmp_path / "m.db", hamburg, ("I moved to Bremen.", "2026-06-01")) as memory:
        yield memory


def lines_about(place: str, text: str) -> list[str]:
    return [line for line in text.splitlines() if place in line]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_prompt_of_every_preset_marks_what_is_outdated(moved: Memory, preset: str) -> None:
    setup = ChatSetup(memory=moved, user_id="ada", session_id="now")
    text = open_preset(preset)(setup).recall(ASKED, repeated=[]).text
    assert lines_about("Bremen", text)
    assert [MARK in line for line in lines_about("I live in Hamburg", text)] != []
    assert all(MARK in line for line in lines_about("I live in Hamburg", text))
    assert not any(MARK in line for line in lines_about("Bremen", text))


@pytest.mark.parametrize("preset", PRESETS)
def test_an_answer_without_a_model_marks_what_it_quotes(moved: Memory, preset: str) -> None:
    agent = MemoryAgent(moved, user_id="ada", session_id="now", preset=open_preset(preset))
    answer = agent.chat(ASKED).content
    quoted = lines_about("I live in Hamburg", answer)
    assert all(MARK in line for line in quoted)
    assert quoted or preset == "recall"
    assert not any("user: \u201cUser moved" in line for line in answer.splitlines())  # it is a fact


@pytest.mark.parametrize("kinds", [None, ["message"], ["episode"], ["message", "episode"]])
def test_a_context_marks_words_of_every_kind(moved: Memory, kinds: list[str] | None) -> None:
    text = moved.context(ASKED, user_id="ada", kinds=kinds).text  # type: ignore[arg-type]
    assert [MARK in line for line in lines_about("I live in Hamburg", text)] == [True] * len(
        lines_about("I live in Hamburg", text)
    )
    assert lines_about("I live in Hamburg", text)


def test_what_held_then_is_not_marked(moved: Memory) -> None:
    within = Within(as_of="2026-03-01")
    for kinds in (["message"], ["episode"]):
        for hit in moved.search(ASKED, user_id="ada", kinds=kinds, within=within):  # type: ignore[arg-type]
            assert hit.superseded is None


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Memory]:
    """Whose one fact was ended by hand."""
    with told(tmp_path / "m.db", ("I live in Rome.", "2026-01-01")) as memory:
        (fact,) = memory.get_all(user_id="ada", kinds=["fact"])
        memory.update(fact.id, user_id="ada", valid_until="2026-06-01")
        yield memory


def test_a_fact_that_is_ended_by_hand_marks_its_message(closed: Memory) -> None:
    (fact,) = closed.get_all(user_id="ada", kinds=["fact"])
    (hit,) = closed.search(ASKED, user_id="ada")
    assert hit.superseded is not None
    assert (str(hit.superseded), hit.superseded.by) == (MARK, fact.id)
    assert all(MARK in line for line in lines_about("Rome", closed.context(ASKED, user_id="ada").text))
    answer = closed.facts.answer("Why do you think I live in Rome?", user_id="ada")
    assert "replaced" not in answer.text


def test_an_end_that_is_still_to_come_marks_nothing(closed: Memory) -> None:
    (fact,) = closed.get_all(user_id="ada", kinds=["fact"])
    closed.update(fact.id, user_id="ada", valid_until="2126-06-01")
    (hit,) = closed.search(ASKED, user_id="ada")
    assert hit.superseded is None


def test_every_way_in_shows_an_end_that_was_set_by_hand(closed: Memory) -> None:
    path = str(closed.parts.store.path)  # type: ignore[attr-defined]
    done = CliRunner().invoke(app, ["context", ASKED, "-u", "ada", "--db", path, "--embedder", "hashing"])
    assert f"I live in Rome. ({MARK})" in done.output
    served = TestClient(create_app(closed, settings=ServerSettings(learn=False)), base_url=LOCAL)
    (found,) = served.post("/search", json={"query": ASKED, "user_id": "ada"}).json()["results"]
    assert found["superseded"]["until"].startswith("2026-06-01")

    async def ask() -> str:
        held = Held(lambda: Memory(path, embedder="hashing"), learn=False)
        try:
            async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
                return str((await client.call_tool("context", {"query": ASKED})).content)
        finally:
            held.close()

    assert MARK in asyncio.run(ask())
