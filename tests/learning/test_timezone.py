"""The days of what is learned are those of the memory's time zone."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from recollect import Memory
from recollect.testing.fakes import FakeClock

LATE = datetime(2026, 11, 26, 19, tzinfo=ZoneInfo("America/Los_Angeles"))
"""The next day in UTC."""
EARLY = datetime(2026, 11, 27, 0, 30, tzinfo=ZoneInfo("Europe/Berlin"))
"""The day before in UTC."""
ADA = {"user_id": "ada"}
DENTIST = "I have a dentist appointment tomorrow at 9."


def opened(said: datetime, clock: FakeClock | None = None, **more: object) -> Memory:
    """A memory where somebody speaks at a moment, in the zone of that moment."""
    zone = said.tzinfo
    return Memory(":memory:", embedder="hashing", timezone=zone, clock=clock or FakeClock(said), **more)


def facts(memory: Memory) -> dict[str, datetime | None]:
    """Facts, and since when they hold."""
    return {one.content: one.times.valid_from for one in memory.get_all(**ADA, kinds=["fact"])}


@pytest.mark.parametrize(
    ("said", "today", "tomorrow"),
    [(LATE, "26 November 2026", "27 November 2026"), (EARLY, "27 November 2026", "28 November 2026")],
)
def test_facts_name_the_days_of_where_it_was_said(said: datetime, today: str, tomorrow: str) -> None:
    with opened(said) as memory:
        memory.add(f"{DENTIST} I moved to Boston today.", **ADA, timestamp=said)
        memory.jobs.drain()
        known = facts(memory)
        assert f"User has a dentist appointment on {tomorrow} at 09:00." in known
        assert f"User moved to Boston on {today}." in known
        midnight = said.replace(hour=0, minute=0)
        assert known[f"User moved to Boston on {today}."] == midnight


@pytest.mark.parametrize("said", [LATE, EARLY])
def test_the_agenda_has_one_item_for_what_was_said_once(said: datetime) -> None:
    for words in (DENTIST, "Remind me to pay the rent tomorrow."):
        clock = FakeClock(said)
        with opened(said, clock) as memory:
            memory.add(words, **ADA)
            memory.jobs.drain()
            clock.now = datetime(2026, 11, 28, 12, tzinfo=UTC)
            items = memory.agenda.items(**ADA)
            assert [one.due for one in items] == [date(2026, 11, said.day + 1)], words


def test_a_mark_names_the_day_on_which_the_newer_words_began_to_hold() -> None:
    with opened(EARLY) as memory:
        memory.add("I live in Hamburg.", **ADA, timestamp="2026-01-01")
        memory.add("I moved to Bremen today.", **ADA, timestamp=EARLY)
        memory.jobs.drain()
        marks = [str(hit.superseded) for hit in memory.search("Where do I live?", **ADA) if hit.superseded]
        assert marks == ["until 27 November 2026"]
        assert "until 27 November 2026" in memory.context("Where do I live?", **ADA).text


def test_an_edited_message_teaches_the_days_of_its_zone_too() -> None:
    with opened(LATE) as memory:
        (said,) = memory.add("I moved to Boston today.", **ADA, timestamp=LATE)
        memory.jobs.drain()
        memory.update(said.id, content="I moved to Austin today.", **ADA)
        memory.jobs.drain()
        assert facts(memory) == {"User moved to Austin on 26 November 2026.": LATE.replace(hour=0)}


def test_a_fact_that_came_as_one_holds_since_a_day_of_its_zone() -> None:
    with opened(LATE) as memory:
        memory.add({"content": "User moved to Rome today.", "kind": "fact"}, **ADA, timestamp=LATE)
        memory.jobs.drain()
        assert list(facts(memory).values()) == [LATE.replace(hour=0)]
