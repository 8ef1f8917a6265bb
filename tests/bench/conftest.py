"""A small data set and systems of every temper, each one file, as a user writes them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect_bench.catalogue import DataFile, find_data, find_system
from recollect_bench.judged import handmade
from recollect_bench.run import Bench

LOADER = '''
"""Little talks."""
from recollect_bench.datasets.shapes import Conversation, Dataset, Question, Turn, moment, read_entries

TITLE = "Little talks"
FILES = "talks.json"
KNOWN = {}
LOOKED_AT = "Never."


DAY = moment("2024-05-01", "%Y-%m-%d")


def load(path):
    return Dataset(name="talks", conversations=tuple(talk(entry) for entry in read_entries(path)))


def talk(entry):
    turns = tuple(
        Turn(id=str(n), session=s, speaker=None, role="user", text=text, time=DAY)
        for n, (s, text) in enumerate(entry["said"])
    )
    asked = tuple(
        Question(text=q, gold=tuple(gold), category="plain", answer=answer)
        for q, gold, answer in entry["asked"]
    )
    return Conversation(id=entry["id"], turns=turns, questions=asked)
'''

TALKS = [
    {
        "id": name,
        "said": [["one", f"My {name} is called {called}."], ["one", " "], ["two", "It rains a lot."]],
        "asked": [[f"What is my {name} called?", ["0"], called], ["Does it rain?", ["2"], None]],
    }
    for name, called in (("parrot", "Kiki"), ("tortoise", "Otto"), ("pony", "Lotte"))
]

WORDS = '''
"""Counts the words that a turn shares with the query."""


class System:
    def __init__(self, folder, vectors):
        self.turns = {}

    def add(self, user, turns):
        self.turns.setdefault(user, []).extend(turns)

    def search(self, user, query, limit):
        asked = set(query.lower().split())
        scored = [(turn.id, len(asked & set(turn.line.lower().split()))) for turn in self.turns.get(user, [])]
        return sorted(scored, key=lambda one: -one[1])[:limit]

    def close(self):
        pass
'''


@pytest.fixture
def talks(tmp_path: Path) -> DataFile:
    """The data set, given as a user gives one of their own."""
    loader, data = tmp_path / "talks.py", tmp_path / "talks.json"
    loader.write_text(LOADER)
    data.write_text(json.dumps(TALKS))
    return find_data(f"{loader}={data}")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Results and environments in a folder of the test's own; what is reported is kept nowhere."""
    return Bench(
        out=tmp_path / "out", cache=tmp_path / "cache", timeout_s=60, fresh=False, report=lambda line: None
    )


@pytest.fixture
def few_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six of the verdicts made by hand: two hundred take time."""
    lines = handmade.FILE.read_text(encoding="utf-8").splitlines()[:6]
    short = tmp_path / "handmade.jsonl"
    short.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(handmade, "FILE", short)


@pytest.fixture
def system(tmp_path: Path) -> Callable[..., object]:
    """Writes a system's file, ``WORDS`` with a passage replaced, and finds it."""

    def make(name: str, old: str = "", new: str = "") -> object:
        assert old in WORDS
        path = tmp_path / f"{name}.py"
        path.write_text(WORDS.replace(old, new) if old else WORDS)
        return find_system(str(path))

    return make
