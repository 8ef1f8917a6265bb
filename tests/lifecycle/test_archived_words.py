"""What was learned from archived words goes into the archive with them, and comes back with them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import LOCAL
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app
from recollect.lifecycle.archival import ArchivalPolicy
from recollect.server import ServerSettings, create_app
from recollect.testing.fakes import FakeClock
from recollect.types import MemoryRecord, Within

U = {"user_id": "ada"}
ASKED = "Where do I live?"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def memory(tmp_path: Path, clock: FakeClock) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db", embedder="hashing", clock=clock) as opened:
        yield opened


def say(memory: Memory, words: str, session: str) -> str:
    (result,) = memory.add(words, session_id=session, **U)
    memory.sessions.end(session, **U)
    memory.jobs.drain()
    return str(result.id)


def tiers(memory: Memory) -> dict[str, str]:
    return {f"{one.kind}: {one.content}": one.tier for one in memory.get_all(**U)}


def seen(memory: Memory) -> str:
    """Everything that a question, the core, the profile and an answer show."""
    shown = [hit.content for hit in memory.search(ASKED, **U)]
    shown += [memory.context(ASKED, **U).text, str(memory.profile(**U)), str(memory.core(ASKED, **U))]
    return "\n".join([*shown, memory.facts.answer("What do you know about me?", **U).text])


def by_library(memory: Memory, verb: str, memory_id: str) -> None:
    getattr(memory, verb)(memory_id, **U)


def by_command(memory: Memory, verb: str, memory_id: str) -> None:
    at = ["--db", str(memory.parts.store.path), "-u", "ada"]  # type: ignore[attr-defined]
    assert CliRunner().invoke(app, [verb, memory_id, *at]).exit_code == 0


def by_http(memory: Memory, verb: str, memory_id: str) -> None:
    client = TestClient(create_app(memory, settings=ServerSettings(learn=False)), base_url=LOCAL)
    assert client.post(f"/memories/{memory_id}/{verb}", json=U).status_code == 200


@pytest.mark.parametrize("way", [by_library, by_command, by_http])
def test_what_was_learned_from_archived_words_goes_with_them_and_comes_back(
    memory: Memory, way: Callable[[Memory, str, str], None]
) -> None:
    turn = say(memory, "I live in Rome.", "a")
    before = tiers(memory)
    assert len(before) > 1
    assert "Rome" in seen(memory)

    way(memory, "archive", turn)
    assert set(tiers(memory).values()) == {"archived"}
    assert "Rome" not in seen(memory)
    assert memory.search(ASKED, within=Within(tiers=["archived"]), **U)

    way(memory, "unarchive", turn)
    assert tiers(memory) == before
    assert "Rome" in seen(memory)


def fact(memory: Memory) -> MemoryRecord:
    (one,) = memory.get_all(kinds=["fact"], **U)
    return one


def test_a_fact_that_another_message_says_stays(memory: Memory, clock: FakeClock) -> None:
    first = say(memory, "I live in Rome.", "a")
    clock.tick(86_400)
    second = say(memory, "I live in Rome, you know.", "b")
    assert set(fact(memory).origin.sources) == {first, second}
    memory.archive(first, **U)
    assert fact(memory).tier != "archived"
    memory.archive(second, **U)
    assert fact(memory).tier == "archived"
    memory.unarchive(first, **U)
    assert fact(memory).tier != "archived"


def test_a_fact_that_was_archived_by_itself_stays_in_the_archive(memory: Memory) -> None:
    turn = say(memory, "I live in Rome.", "a")
    memory.archive(fact(memory).id, **U)
    memory.archive(turn, **U)
    memory.unarchive(turn, **U)
    assert fact(memory).tier == "archived"


def test_a_fact_that_is_said_again_comes_back(memory: Memory, clock: FakeClock) -> None:
    turn = say(memory, "I live in Rome.", "a")
    memory.archive(turn, **U)
    clock.tick(86_400)
    say(memory, "I live in Rome.", "b")
    assert fact(memory).tier != "archived"
    assert memory.get(turn, **U).tier == "archived"


def test_archiving_twice_changes_nothing(memory: Memory) -> None:
    turn = say(memory, "I live in Rome.", "a")
    memory.archive(turn, **U)
    changes = len(memory.history(fact(memory).id, **U))
    memory.archive(turn, **U)
    assert len(memory.history(fact(memory).id, **U)) == changes


def test_tidying_leaves_what_was_learned(memory: Memory, clock: FakeClock) -> None:
    say(memory, "I live in Rome.", "a")
    memory.use(fact(memory).id, **U)
    clock.tick(100 * 86_400)
    memory.use(fact(memory).id, **U)
    memory.lifecycle.tidy(policy=ArchivalPolicy(archive_after_days=90, min_activation=None), **U)
    assert memory.get_all(filters={"tier": "archived"}, kinds=["message"], **U)
    assert fact(memory).tier != "archived"


@pytest.mark.parametrize("change", [{"content": "I live in Oslo."}, {"timestamp": "2026-01-01"}])
def test_an_archived_message_that_is_changed_keeps_its_facts_in_the_archive(
    memory: Memory, change: dict[str, str]
) -> None:
    said = say(memory, "I live in Rome.", "one")
    memory.archive(said, **U)
    memory.update(said, **change, **U)  # type: ignore[arg-type]
    memory.jobs.drain()
    (fact,) = memory.get_all(kinds=["fact"], **U)
    assert fact.tier == "archived"
    assert memory.search(ASKED, **U) == []
    memory.unarchive(said, **U)
    (fact,) = memory.get_all(kinds=["fact"], **U)
    assert fact.tier != "archived"


def test_what_is_learned_from_a_message_that_was_archived_before_is_active(memory: Memory) -> None:
    said = memory.add("I live in Rome.", session_id="one", **U)[0].id
    assert said is not None
    memory.archive(said, **U)
    memory.sessions.end("one", **U)
    memory.jobs.drain()
    assert [one.tier == "archived" for one in memory.get_all(kinds=["fact"], **U)] == [False]
    memory.update(said, content="I live in Oslo.", **U)
    memory.jobs.drain()
    (fact,) = memory.get_all(kinds=["fact"], **U)
    assert (fact.content, fact.tier == "archived") == ("User lives in Oslo.", False)
