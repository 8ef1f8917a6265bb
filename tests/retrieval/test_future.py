"""What is dated in the future: it is found, but nothing that holds now gives way to it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from recollect import Memory, Within
from recollect.testing.fakes import FakeClock

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
ADA = {"user_id": "ada"}
HOME = "Where do I live?"
BERLIN, ROME, MUNICH = "I live in Berlin.", "I moved to Rome.", "I moved to Munich."


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture(params=["reference", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path, clock: FakeClock) -> Iterator[Memory]:
    path = ":memory:" if request.param == "reference" else tmp_path / "m.db"
    with Memory(path, embedder="hashing", clock=clock) as opened:
        yield opened


def say(memory: Memory, words: str, at: datetime) -> None:
    memory.add(words, **ADA, timestamp=at)
    memory.jobs.drain()


def known(memory: Memory, within: Within | None = None) -> list[str]:
    return [one.found.content for one in memory.core(HOME, **ADA, within=within).memories]


def marks(memory: Memory) -> dict[str, str | None]:
    """What a search finds, best first, and the marks."""
    hits = memory.search(HOME, **ADA, kinds=["message"])
    return {hit.content: hit.superseded and str(hit.superseded) for hit in hits}


def test_the_core_has_what_holds_now_as_the_profile_does(memory: Memory, clock: FakeClock) -> None:
    say(memory, BERLIN, NOW - timedelta(days=300))
    say(memory, ROME, NOW + timedelta(hours=10))
    assert known(memory) == known(memory, Within(as_of=NOW)) == ["User lives in Berlin."]
    assert [one.memory.content for some in memory.profile(**ADA).facts.values() for one in some] == [
        "User lives in Berlin."
    ]
    assert "User moved to Rome" not in memory.context(HOME, **ADA).text
    clock.tick(11 * 3600)
    assert known(memory) == ["User moved to Rome."]


def test_words_are_not_outdated_before_the_newer_hold(memory: Memory, clock: FakeClock) -> None:
    say(memory, BERLIN, NOW - timedelta(days=300))
    say(memory, ROME, NOW + timedelta(hours=10))
    assert marks(memory)[BERLIN] is None
    assert next(iter(marks(memory))) == BERLIN
    clock.tick(11 * 3600)
    assert marks(memory)[BERLIN] == "until 28 November 2026"
    assert next(iter(marks(memory))) == ROME


def test_an_end_that_came_nearer_is_the_one_that_is_told(memory: Memory, clock: FakeClock) -> None:
    say(memory, BERLIN, NOW - timedelta(days=300))
    say(memory, ROME, datetime(2200, 1, 1, tzinfo=UTC))
    assert marks(memory)[BERLIN] is None
    say(memory, MUNICH, NOW)
    assert marks(memory)[BERLIN] == "until 28 November 2026"
    text = memory.context(HOME, **ADA).text
    assert "until 28 November 2026" in text
    assert "2200)" not in text


def test_what_was_pinned_is_always_known(memory: Memory) -> None:
    memory.add({"content": "The door code is on the fridge.", "critical": True}, **ADA,
               timestamp=NOW + timedelta(hours=10))  # fmt: skip
    assert known(memory) == ["The door code is on the fridge."]
