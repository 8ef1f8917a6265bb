import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from subprocess import Popen
from typing import TypeAlias

import pytest

from recollect import Memory
from recollect.ingest import helpers
from recollect.ingest.helpers import find_labels
from recollect.ingest.word_labels import FoundLabels, Known, WordLabels
from recollect.text.analyse import Analyser
from recollect.text.tags import Corpus
from recollect.types import MemoryRecord, Origin, Scope, Times

Started: TypeAlias = "list[Popen[bytes] | None]"

NOW = datetime(2026, 3, 14, 11, 10, tzinfo=UTC)
TIMES = Times(created_at=NOW, happened_at=NOW, updated_at=NOW)
RECORD = MemoryRecord(
    id="1", scope=Scope(user_id="ada"), content="", kind="message", times=TIMES, origin=Origin()
)


def known(count: int = 20) -> list[Known]:
    days = range(1, count + 1)
    said = [f"On {day} May we meet Ines in Turin for {day} hours, it is urgent." for day in days]
    return [Known(replace(RECORD, content=text), 9, day / 40, rated=False) for day, text in enumerate(said)]


def words(timezone: tzinfo = UTC) -> WordLabels:
    corpus = Corpus(documents=30, frequencies={7: 3})
    return WordLabels(analyser=Analyser(), timezone=timezone, corpus=corpus, now=NOW)


class OwnZone(tzinfo):
    """A time zone that no other process can be sent."""

    def __init__(self) -> None:
        self.of = lambda: timedelta(hours=1)

    def utcoffset(self, _: datetime | None) -> timedelta:
        return self.of()

    def dst(self, _: datetime | None) -> timedelta:
        return timedelta()


@pytest.fixture(autouse=True)
def small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "START_CHARACTERS", 200)
    monkeypatch.setattr(helpers, "LEAST_CHARACTERS", 300)
    monkeypatch.setattr(helpers, "cores", lambda: 3)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[Started]:
    """The processes that were started."""
    made: Started = []
    start = helpers.start_interpreter

    def noted(code: str) -> "Popen[bytes] | None":
        made.append(start(code))
        return made[-1]

    monkeypatch.setattr(helpers, "start_interpreter", noted)
    yield made
    assert all(process is None or process.poll() is not None for process in made)


def test_helpers_find_what_one_process_finds(started: Started) -> None:
    assert find_labels(words(), known()) == words().find(known())
    assert [process and process.returncode for process in started] == [0, 0]


def test_a_small_batch_and_an_empty_one_need_no_helper(started: Started) -> None:
    assert find_labels(words(), known(3)) == words().find(known(3))
    assert find_labels(words(), []) == []
    assert started == []


def test_one_core_does_all_itself(monkeypatch: pytest.MonkeyPatch, started: Started) -> None:
    monkeypatch.setattr(helpers, "cores", lambda: 1)
    assert find_labels(words(), known()) == words().find(known())
    assert started == []


@pytest.mark.parametrize(
    "start", ["raise SystemExit(3)", "import os; os.abort()", "import sys; sys.stdin.close()"]
)
def test_what_a_helper_fails_to_do_is_done_here(monkeypatch: pytest.MonkeyPatch, start: str) -> None:
    monkeypatch.setattr(helpers, "_CODE", start)
    assert find_labels(words(), known()) == words().find(known())


def test_a_time_zone_that_cannot_be_sent_keeps_the_work_here() -> None:
    assert find_labels(words(OwnZone()), known()) == words(OwnZone()).find(known())


@pytest.mark.parametrize("program", ["", "/usr/bin/uwsgi", "/nowhere/python3"])
def test_where_no_interpreter_can_be_started_all_is_done_here(
    monkeypatch: pytest.MonkeyPatch, started: Started, program: str
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    assert find_labels(words(), known()) == words().find(known())
    assert started == [None, None]


def test_helpers_end_when_the_work_here_fails(monkeypatch: pytest.MonkeyPatch, started: Started) -> None:
    def fails(*_: object) -> list[FoundLabels]:
        raise MemoryError

    monkeypatch.setattr(WordLabels, "find", fails)
    with pytest.raises(MemoryError):
        find_labels(words(), known())
    assert len(started) == 2


def test_a_large_batch_is_stored_as_many_small_ones_are(tmp_path: Path) -> None:
    talk = [{"content": each.record.content, "timestamp": NOW} for each in known()]

    def stored(name: str) -> list[object]:
        with Memory(tmp_path / name, embedder="static", clock=lambda: NOW) as memory:
            memory.add(talk, user_id="ada", session_id="s")
            found = memory.get_all(user_id="ada")
            return [(one.content, one.labels, one.worth, one.summary) for one in found]

    with_helpers = stored("a.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(helpers, "cores", lambda: 1)
        assert with_helpers == stored("b.db")
