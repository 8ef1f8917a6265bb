"""A fact is contested, in every way in, exactly while it is a side of a conflict that nobody decided."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from mcp import Client
from tests.server.conftest import LOCAL
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app
from recollect.server import ServerSettings, create_app
from recollect.server.mcp import Held, make_mcp
from recollect.testing.fakes import FakeClock
from recollect.types import Labels, Scope

U = {"user_id": "ada"}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db", embedder="hashing", clock=FakeClock()) as opened:
        yield opened


def tell(memory: Memory, *messages: str) -> None:
    for words in messages:
        memory.add(words, session_id=words[:9], **U)
        memory.jobs.drain()


def by_profile(memory: Memory) -> str:
    return str(memory.profile(**U))


def by_core(memory: Memory) -> str:
    return memory.context("Where do I live?", **U).text


def by_command(memory: Memory) -> str:
    at = ["--db", str(memory.parts.store.path), "-u", "ada"]  # type: ignore[attr-defined]
    return CliRunner().invoke(app, ["profile", *at]).output


def by_http(memory: Memory) -> str:
    client = TestClient(create_app(memory, settings=ServerSettings(learn=False)), base_url=LOCAL)
    facts = client.get("/api/chat/memory/profile/ada").json()["facts"]
    every = [fact for some in facts.values() for fact in some]
    return "\n".join(f"{one['fact']} {'contested' if one['contested'] else ''}" for one in every)


def by_mcp(memory: Memory) -> str:
    path = memory.parts.store.path  # type: ignore[attr-defined]

    async def ask() -> Any:
        held = Held(lambda: Memory(path, embedder="hashing", clock=FakeClock()), learn=False)
        try:
            async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
                return (await client.call_tool("profile", {})).content[0].text  # type: ignore[union-attr]
        finally:
            held.close()

    return str(asyncio.run(ask()))


def by_card(memory: Memory, tmp_path: Path) -> str:
    target = tmp_path / "card.txt"
    memory.export(target, format="card", **U)
    return target.read_text("utf-8")


Way = Callable[[Memory], str]
WAYS = [by_profile, by_core, by_command, by_http, by_mcp]


@pytest.mark.parametrize("way", WAYS)
def test_both_sides_of_a_conflict_are_contested_until_it_is_decided(memory: Memory, way: Way) -> None:
    tell(memory, "I live in Rome.", "I live in Oslo.", "I have a dog.")
    (conflict,) = memory.facts.conflicts(**U)
    told = [line for line in way(memory).splitlines() if "contested" in line]
    for side in (conflict.known, conflict.new):
        assert [line for line in told if side.content.rstrip(".") in line]
    assert not any("dog" in line for line in told)
    memory.facts.resolve(conflict.new.id, conflict.known.id, **U)
    assert "contested" not in way(memory)


@pytest.mark.parametrize("way", WAYS)
def test_what_waits_in_no_conflict_is_not_contested(memory: Memory, way: Way) -> None:
    tell(memory, "I'm vegetarian.", "I'm not vegetarian any more, I started eating fish again.")
    assert memory.facts.conflicts(**U) == []
    assert "fish" in by_profile(memory)
    assert "contested" not in way(memory)


def test_a_card_marks_both_sides(memory: Memory, tmp_path: Path) -> None:
    tell(memory, "I live in Rome.", "I live in Oslo.")
    assert by_card(memory, tmp_path).count("contested") == 2


@pytest.mark.parametrize("side", ["known", "new"])
def test_a_critical_side_is_contested_too(memory: Memory, side: str) -> None:
    tell(memory, "I live in Rome.", "I live in Oslo.")
    (conflict,) = memory.facts.conflicts(**U)
    record = getattr(conflict, side)
    memory.update(record.id, labels=Labels(critical=True), **U)
    lines = [line for line in by_core(memory).splitlines() if record.content.rstrip(".") in line]
    assert any("contested" in line for line in lines)
