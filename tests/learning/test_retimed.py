"""A message that is given another time: what was learned from it follows, by every way in."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from recollect import AsyncMemory, Memory, Within
from recollect.cli import app
from recollect.server import ServerSettings, create_app
from recollect.testing.fakes import FakeClock
from recollect.types import Labels, MemoryRecord, Scope
from recollect.types.filters import parse_filter

LOCAL = "http://127.0.0.1:8377"
ADA = {"user_id": "ada"}


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder="hashing") as opened:
        yield opened


def say(memory: Memory, words: str, at: str, **more: Any) -> str:
    (result,) = memory.add(words, **ADA, timestamp=at, **more)
    memory.jobs.drain()
    assert result.id is not None
    return result.id


def retime(memory: Memory, memory_id: str, at: str) -> None:
    memory.update(memory_id, timestamp=at, **ADA)
    memory.jobs.drain()


def learned(memory: Memory, **more: Any) -> dict[str, MemoryRecord]:
    return {one.content: one for one in memory.get_all(**ADA, kinds=["fact"], **more)}


def by_library(path: Path, memory_id: str, at: str) -> None:
    with Memory(path) as memory:
        memory.update(memory_id, timestamp=at, **ADA)


def by_async_library(path: Path, memory_id: str, at: str) -> None:
    async def ask() -> None:
        async with AsyncMemory(path) as memory:
            await memory.update(memory_id, timestamp=at, **ADA)

    asyncio.run(ask())


def by_command(path: Path, memory_id: str, at: str) -> None:
    done = CliRunner().invoke(app, ["update", memory_id, "--timestamp", at, "-u", "ada", "--db", str(path)])
    assert done.exit_code == 0, done.output


def by_http(path: Path, memory_id: str, at: str) -> None:
    with Memory(path) as memory:
        served = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(served, base_url=LOCAL) as client:
            answer = client.put(f"/memories/{memory_id}", json={"timestamp": at, **ADA})
            assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("way", [by_library, by_async_library, by_command, by_http])
def test_a_date_in_a_fact_follows_the_corrected_time(
    tmp_path: Path, way: Callable[[Path, str, str], None]
) -> None:
    path = tmp_path / "m.db"
    with Memory(path) as memory:
        said = say(memory, "I moved to Oslo last week.", "2026-06-10")
        assert list(learned(memory)) == ["User moved to Oslo in the week of 1 June 2026."]
    way(path, said, "2025-01-10")
    with Memory(path) as memory:
        memory.jobs.drain()
        (fact,) = learned(memory).values()
        assert fact.content == "User moved to Oslo in the week of 30 December 2024."
        assert fact.times.happened_at == datetime(2025, 1, 10, tzinfo=UTC)
        (episode,) = memory.get_all(**ADA, kinds=["episode"])
        assert episode.times.happened_at == datetime(2025, 1, 10, tzinfo=UTC)


def test_a_fact_without_a_date_holds_since_the_corrected_time(memory: Memory) -> None:
    said = say(memory, "I moved to Oslo.", "2026-06-10")
    retime(memory, said, "2025-01-10")
    assert list(learned(memory, within=Within(as_of="2025-06-01"))) == ["User moved to Oslo."]
    assert learned(memory, within=Within(as_of="2024-06-01")) == {}


@pytest.mark.parametrize(
    ("at", "rome_until", "oslo_until"),
    [("2026-03-10", "2026-03-10", None), ("2025-01-10", None, "2026-01-01")],
)
def test_what_a_message_replaced_holds_until_its_corrected_time(
    memory: Memory, at: str, rome_until: str | None, oslo_until: str | None
) -> None:
    say(memory, "I live in Rome.", "2026-01-01")
    said = say(memory, "I moved to Oslo.", "2026-06-10")
    retime(memory, said, at)
    facts = memory.parts.store.find(Scope(user_id="ada"), parse_filter({"kind": "fact"}))
    ends = {one.content: one.times.valid_until for one in facts}
    day = lambda text: None if text is None else datetime.fromisoformat(f"{text}T00:00+00:00")  # noqa: E731
    assert ends == {"User lives in Rome.": day(rome_until), "User moved to Oslo.": day(oslo_until)}


def test_a_fact_that_two_messages_say_holds_since_the_earlier_of_them(memory: Memory) -> None:
    first = say(memory, "I love sailing.", "2026-01-01", session_id="a")
    other = say(memory, "I love sailing.", "2026-03-01", session_id="b")
    (fact,) = learned(memory).values()
    assert set(fact.origin.sources) == {first, other}
    retime(memory, first, "2026-05-01")
    (fact,) = learned(memory).values()
    assert set(fact.origin.sources) == {first, other}
    assert fact.times.happened_at == datetime(2026, 3, 1, tzinfo=UTC)


def test_what_a_person_pinned_or_worded_stays_and_gets_the_time(memory: Memory) -> None:
    moved = say(memory, "I moved to Oslo last week.", "2026-06-10")
    rome = say(memory, "My sister lives in Rome.", "2026-06-11")
    pinned, worded = learned(memory).values()
    memory.update(pinned.id, labels=Labels(critical=True), **ADA)
    memory.update(worded.id, content="User's sister lives in Milan.", **ADA)
    retime(memory, moved, "2025-01-10")
    retime(memory, rome, "2025-01-11")
    facts = {one.id: one for one in learned(memory).values()}
    assert facts[pinned.id].content == "User moved to Oslo in the week of 30 December 2024."
    assert facts[pinned.id].worth.critical
    assert facts[worded.id].content == "User's sister lives in Milan."
    assert facts[worded.id].times.happened_at == datetime(2025, 1, 11, tzinfo=UTC)


def test_a_time_that_is_the_same_teaches_nothing_new(memory: Memory) -> None:
    said = say(memory, "I moved to Oslo.", "2026-06-10")
    (before,) = learned(memory).values()
    memory.update(said, timestamp="2026-06-10", **ADA)
    assert memory.jobs.drain().sessions == 0
    assert learned(memory) == {"User moved to Oslo.": before}


def test_an_import_with_another_order_of_dates_corrects_the_facts(tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Ines.txt"
    chat.write_text("3/4/26, 10:01 - Ada: I moved to Porto yesterday\n3/4/26, 10:02 - Ines: Nice!\n")
    with Memory(":memory:", embedder="hashing") as memory:
        memory.import_file(chat, **ADA, me="Ada", date_order="dmy")
        memory.jobs.drain()
        assert list(learned(memory)) == ["Ada moved to Porto on 2 April 2026."]
        memory.import_file(chat, **ADA, me="Ada", date_order="mdy")
        memory.jobs.drain()
        assert list(learned(memory)) == ["Ada moved to Porto on 3 March 2026."]


def test_an_end_that_a_person_gave_stays_when_the_message_is_dated_otherwise():
    clock = FakeClock()
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        (told,) = memory.add("I live in Oslo.", user_id="u")
        clock.tick(86_400)
        memory.jobs.drain()
        (fact,) = memory.get_all(user_id="u", kinds=["fact"])
        memory.update(fact.id, user_id="u", valid_until=clock())
        memory.update(told.id, user_id="u", timestamp=clock() - timedelta(days=30))
        memory.jobs.drain()
        (fact,) = memory.get_all(user_id="u", kinds=["fact"])
        assert fact.times.valid_until == clock()


LUND, BERG = "User's doctor is Dr Lund.", "User's doctor is Dr Berg."


@pytest.mark.parametrize("retimed", [LUND, BERG])
@pytest.mark.parametrize("kept", [[BERG], [LUND], [LUND, BERG]])
def test_a_conflict_that_a_person_decided_stays_decided(
    memory: Memory, retimed: str, kept: list[str]
) -> None:
    said = {
        LUND: say(memory, "My doctor is Dr Lund.", "2026-01-01"),
        BERG: say(memory, "My doctor is Dr Berg.", "2026-02-01"),
    }
    known = {one.content: one.id for one in learned(memory).values()}
    dropped = next((known[one] for one in known if one not in kept), None)
    memory.facts.resolve(known[kept[0]], dropped, **ADA)
    retime(memory, said[retimed], "2026-01-15")
    assert memory.facts.conflicts(**ADA) == []
    assert sorted(learned(memory, within=Within(as_of="2026-03-01"))) == sorted(kept)
    assert memory.get(known[retimed], **ADA).times.happened_at == datetime(2026, 1, 15, tzinfo=UTC)


def test_a_conflict_that_nobody_decided_waits_as_before(memory: Memory) -> None:
    say(memory, "My doctor is Dr Lund.", "2026-01-01")
    said = say(memory, "My doctor is Dr Berg.", "2026-02-01")
    retime(memory, said, "2026-01-15")
    (conflict,) = memory.facts.conflicts(**ADA)
    assert {conflict.known.content, conflict.new.content} == {LUND, BERG}


@pytest.mark.parametrize("words", ["My dog is called Rex.", "I moved to Oslo last week."])
def test_a_confidence_and_metadata_that_a_person_gave_stay(memory: Memory, words: str) -> None:
    said = say(memory, words, "2026-01-01")
    (fact,) = learned(memory).values()
    memory.update(fact.id, labels=Labels(confidence=0.3), **ADA)
    memory.update(fact.id, metadata={**memory.get(fact.id, **ADA).metadata, "vet": "yes"}, **ADA)
    retime(memory, said, "2025-06-01")
    (fact,) = learned(memory).values()
    assert (fact.worth.confidence, fact.metadata.get("vet")) == (0.3, "yes")
    assert fact.times.happened_at == datetime(2025, 6, 1, tzinfo=UTC)


def test_words_of_a_person_stay_where_the_message_says_the_same(memory: Memory) -> None:
    said = say(memory, "I love sailing.", "2026-01-01")
    (fact,) = learned(memory).values()
    memory.update(fact.id, content="Ada loves sailing.", **ADA)
    retime(memory, said, "2025-06-01")
    assert list(learned(memory)) == ["Ada loves sailing."]


@pytest.mark.parametrize("pinned", ["User lives in Rome.", "User moved to Oslo."])
@pytest.mark.parametrize(
    ("retimed", "at", "ends"),
    [
        ("Rome", "2026-09-01", {"User lives in Rome.": None, "User moved to Oslo.": "2026-09-01"}),
        ("Rome", "2026-03-01", {"User lives in Rome.": "2026-06-10", "User moved to Oslo.": None}),
        ("Oslo", "2026-03-10", {"User lives in Rome.": "2026-03-10", "User moved to Oslo.": None}),
        ("Oslo", "2025-01-10", {"User lives in Rome.": None, "User moved to Oslo.": "2026-01-01"}),
    ],
)
def test_what_is_pinned_ends_and_replaces_as_of_its_new_time(
    memory: Memory, pinned: str, retimed: str, at: str, ends: dict[str, str | None]
) -> None:
    said = {"Rome": say(memory, "I live in Rome.", "2026-01-01")}
    said["Oslo"] = say(memory, "I moved to Oslo.", "2026-06-10")
    facts = memory.parts.store.find(Scope(user_id="ada"), parse_filter({"kind": "fact"}))
    (fact,) = [one for one in facts if one.content == pinned]
    memory.update(fact.id, labels=Labels(critical=True), **ADA)
    retime(memory, said[retimed], at)
    facts = memory.parts.store.find(Scope(user_id="ada"), parse_filter({"kind": "fact"}))
    until = {one.content: one.times.valid_until for one in facts}
    assert {one: at and at.isoformat()[:10] for one, at in until.items()} == ends
    assert memory.get(fact.id, **ADA).worth.critical


def test_a_pinned_fact_with_an_end_by_hand_does_not_end_before_it_begins(memory: Memory) -> None:
    said = say(memory, "I live in Oslo.", "2026-01-01")
    (fact,) = learned(memory).values()
    memory.update(fact.id, labels=Labels(critical=True), valid_until="2026-03-01", **ADA)
    retime(memory, said, "2026-05-01")
    times = memory.get(fact.id, **ADA).times
    assert times.happened_at == times.valid_until == datetime(2026, 5, 1, tzinfo=UTC)
