"""One time zone: the store keeps it, and the library, the command, HTTP and MCP all use it."""

import asyncio
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from fastapi.testclient import TestClient
from mcp import Client
from typer.testing import CliRunner

from recollect import AsyncMemory, InvalidInputError, Memory
from recollect.checks import timezone_name
from recollect.cli import app
from recollect.memory.maintenance.copying import copy_store
from recollect.server import ServerSettings, create_app
from recollect.server.mcp import Held, make_mcp
from recollect.testing.fakes import FakeClock
from recollect.types import Scope

ADA = {"user_id": "ada"}
BERLIN, TOKYO = "Europe/Berlin", "Asia/Tokyo"
SAID = "2026-11-26T23:30:00Z"
"""The 27th in Berlin."""
RENT = "Remind me to call the registry office tomorrow."


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store that was told its zone by the library, with something to learn."""
    monkeypatch.delenv("RECOLLECT_TIMEZONE", raising=False)
    path = tmp_path / "m.db"
    with Memory(path, timezone=BERLIN) as memory:
        memory.add(RENT, **ADA, timestamp=SAID)
    return path


def run(path: Path, *words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--db", str(path)])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_what_one_way_in_learned_is_on_the_agenda_of_every_other_once(store: Path) -> None:
    run(store, "worker", "--once")
    clock = FakeClock(datetime(2026, 11, 27, 12, tzinfo=UTC))
    with Memory(store, clock=clock) as memory:
        (item,) = memory.agenda.items(**ADA)
        assert f"{item.due}" == "2026-11-28"
        (fact,) = memory.get_all(**ADA, kinds=["fact"])
        assert "28 November 2026" in fact.content
        with TestClient(
            create_app(memory, settings=ServerSettings(learn=False)), base_url="http://127.0.0.1:8377"
        ) as client:
            assert [one["due"] for one in client.get("/agenda", params=ADA).json()["items"]] == ["2026-11-28"]
    with Memory(store, timezone=BERLIN, clock=clock) as memory:
        assert [one.id for one in memory.agenda.items(**ADA)] == [item.id]

    async def told() -> str:
        held = Held(lambda: Memory(store, clock=clock), learn=False)
        async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
            return (await client.call_tool("agenda", {})).content[0].text

    assert asyncio.run(told()).count("registry office") == 1


def test_every_way_in_learns_in_the_zone_of_the_store(store: Path) -> None:
    async def said() -> None:
        async with AsyncMemory(store) as memory:
            await memory.add("I moved to Oslo today.", user_id="cy", timestamp=SAID)
            await memory.jobs.drain()

    asyncio.run(said())
    run(store, "add", "I moved to Ulm today.", "-u", "bo", "--timestamp", SAID)
    run(store, "worker", "--once")
    with Memory(store) as memory:
        facts = {one.content for user in ("bo", "cy") for one in memory.get_all(user_id=user, kinds=["fact"])}
    assert facts == {"User moved to Ulm on 27 November 2026.", "User moved to Oslo on 27 November 2026."}


@pytest.mark.parametrize("words", [["search", "rent"], ["add", "Hello"]])
def test_another_zone_is_one_clear_error_and_changes_nothing(
    store: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidInputError, match=r"those of Europe/Berlin, not of Asia/Tokyo.*relabel"):
        Memory(store, timezone=TOKYO)
    monkeypatch.setenv("RECOLLECT_TIMEZONE", TOKYO)
    done = CliRunner().invoke(app, [*words, "--db", str(store)])
    assert done.exit_code != 0
    assert "those of Europe/Berlin" in done.output
    with Memory(store) as memory:
        assert str(memory.parts.timezone) == BERLIN


def test_relabelling_with_a_zone_changes_it(store: Path) -> None:
    run(store, "relabel", "--timezone", "America/Los_Angeles")
    with Memory(store, timezone="America/Los_Angeles") as memory:
        (said,) = memory.get_all(**ADA, kinds=["message"])
        (date,) = said.labels.dates
        assert date.start == datetime(2026, 11, 27, tzinfo=memory.parts.timezone)


def test_a_zone_that_nobody_gave_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path) as memory:
        memory.add("Hello.", **ADA)
        assert memory.parts.timezone == UTC
    with Memory(path, timezone=BERLIN) as memory:
        memory.search("Hello", **ADA)
    with Memory(path) as memory:
        assert memory.parts.timezone == UTC, "a search wrote"
    with Memory(path, timezone=BERLIN) as memory:
        memory.add("Good morning.", **ADA)
    with Memory(path) as memory:
        assert str(memory.parts.timezone) == BERLIN


def test_a_new_memory_gets_its_zone_and_a_copy_keeps_it(tmp_path: Path) -> None:
    path, copy = tmp_path / "m.db", tmp_path / "copy.db"
    run(path, "init", "--timezone", BERLIN)
    with Memory(path) as memory:
        memory.add("Hello.", **ADA)
    copy_store(path, copy)
    with Memory(copy) as memory:
        assert str(memory.parts.timezone) == BERLIN


def test_a_file_may_have_times_of_another_zone_than_the_memory(store: Path, tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Ines.txt"
    chat.write_text("30/4/26, 10:01 - Ada: I moved to Porto\n30/4/26, 10:02 - Ines: Nice!\n")
    run(store, "import", str(chat), "--me", "Ada", "-u", "cy", "--timezone", TOKYO)
    with Memory(store) as memory:
        assert str(memory.parts.timezone) == BERLIN
        first = memory.get_all(user_id="cy", kinds=["message"])[0]
        assert first.times.happened_at == datetime(2026, 4, 30, 1, 1, tzinfo=UTC)


def test_offsets_are_kept_and_zones_without_a_name_are_not(tmp_path: Path) -> None:
    ahead = timezone(timedelta(hours=5, minutes=30))
    with Memory(tmp_path / "m.db", timezone=ahead) as memory:
        memory.add("Hello.", **ADA)
    with Memory(tmp_path / "m.db") as memory:
        assert memory.parts.timezone == ahead
    assert timezone_name(timezone(timedelta(hours=1), "home")) is None
    assert timezone_name(ZoneInfo(BERLIN)) == BERLIN
