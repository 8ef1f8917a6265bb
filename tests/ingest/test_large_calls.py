"""One call with many messages is worked through in parts, and is one all the same."""

from pathlib import Path
from typing import TypeAlias

import pytest

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.ingest import add, messages
from recollect.stores.sqlite import writing
from recollect.types import MemoryLabels, MemoryRecord, Worth

Shown: TypeAlias = "tuple[str, MemoryLabels, Worth, int, str | None]"


def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(add, "LABELLED_AT_ONCE", 3)
    monkeypatch.setattr(messages, "_AT_ONCE", 2)
    monkeypatch.setattr(writing, "_ENTRIES_AT_ONCE", 4)


def said(count: int = 11) -> list[dict[str, object]]:
    return [
        {"content": f"On {day} May we meet Ines, my PIN is 47{day}", "timestamp": 1_700_000_000 + day}
        for day in range(10, 10 + count)
    ]


def told(memory: Memory) -> list[Shown]:
    def shown(record: MemoryRecord) -> Shown:
        return (record.content, record.labels, record.worth, record.origin.turn, record.summary)

    return sorted(map(shown, memory.get_all(user_id="ada", limit=100)), key=str)


def added(path: Path) -> list[Shown]:
    with Memory(path, embedder="hashing") as memory:
        memory.add("We met Ines once", user_id="ada", session_id="may", timestamp=1_600_000_000)
        results = memory.add(said(), user_id="ada", session_id="may")
        assert {result.status for result in results} == {"redacted"}
        assert [one.content for one in memory.get_all(user_id="ada") if "47" in one.content] == []
        return told(memory)


def test_what_is_stored_does_not_depend_on_the_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = added(tmp_path / "whole.db")
    small_parts(monkeypatch)
    assert added(tmp_path / "parts.db") == whole
    assert sorted(turn for _, _, _, turn, _ in whole) == list(range(12))


def test_a_key_of_an_earlier_part_stores_nothing_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch)
    keyed = [{"content": f"Turn {place}", "idempotency_key": f"key-{place % 5}"} for place in range(11)]
    with Memory(tmp_path / "keyed.db", embedder="hashing") as memory:
        results = memory.add(keyed, user_id="ada")
        assert [result.status for result in results] == ["stored"] * 5 + ["duplicate"] * 6
        assert [result.id for result in results[5:]] == [results[place % 5].id for place in range(5, 11)]


def test_a_part_that_fails_leaves_nothing_of_those_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch)
    ids = iter([f"id-{place % 6}" for place in range(7)])
    monkeypatch.setattr("recollect.memory.adding.new_id", lambda: next(ids))
    with Memory(tmp_path / "failed.db", embedder="hashing") as memory:
        with pytest.raises(InvalidInputError, match="in use already"):
            memory.add([f"Turn {place}" for place in range(7)], user_id="ada")
        assert memory.get_all(user_id="ada") == []
