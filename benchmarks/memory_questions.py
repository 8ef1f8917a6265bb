"""Is a question about the memory itself noticed, and is nothing else taken for one?

Each line of ``tests/text/memory_questions.jsonl`` is a message with its kind: ``everything`` ("what do you
know about me?"), ``about`` somebody or something of theirs, ``why`` ("why do you think so?"), or ``other``.
Their author had not seen the rules. Odd lines were used to make the rules (``tune``). Even lines are
``held``: they were only counted, several times, while the rules were made; some of them had been read
before, see ``SEEN``.

``python -m benchmarks memory_questions`` counts.
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from recollect.text.memory_questions import read_memory_question
from recollect_bench.datasets import Dataset
from recollect_bench.provenance import provenance

ROWS: Final = Path(__file__).parent.parent / "tests" / "text" / "memory_questions.jsonl"
# fmt: off
SEEN: Final = frozenset((
    2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52,
    54, 56, 58, 60, 70, 90, 92, 94, 96, 108, 138, 142, 178, 184, 196, 198, 202, 204, 212, 218, 222, 234,
))
# fmt: on
"""Even lines that the author of the rules had read before the halves were divided."""
Kind = Literal["everything", "about", "why", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A message.

    Attributes:
        id: Its name.
        kind: What it asks of the memory.
        about: Whom or what it names, in its author's words.
        lang: Its language.
        part: ``tune`` or ``held``.
        seen: Whether the author of the rules had read it before the halves were divided.
    """

    id: str
    text: str
    kind: Kind
    about: str | None
    lang: str
    part: str
    seen: bool


def load_rows(path: Path = ROWS) -> list[Row]:
    """The rows of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        Row(**values, part="held" if number % 2 == 0 else "tune", seen=number in SEEN)
        for number, values in enumerate(map(json.loads, lines), 1)
    ]


def read_kind(text: str) -> Kind:
    """The kind that the rules see; a name that only memory can know is none."""
    found = read_memory_question(text)
    return "other" if found is None or not found.sure else found.kind


def measure_questions(rows: Iterable[Row]) -> Mapping[str, float]:
    """How many questions got their kind, and how many other messages were taken for one."""
    found = [(row.kind, read_kind(row.text)) for row in rows]
    asking = [(kind, read) for kind, read in found if kind != "other"]
    others = [read for kind, read in found if kind == "other"]
    right = sum(kind == read for kind, read in asking)
    taken = sum(read != "other" for read in others)
    return {
        "asking": len(asking),
        "right": right,
        "right_share": round(right / max(len(asking), 1), 3),
        "others": len(others),
        "taken": taken,
        "taken_share": round(taken / max(len(others), 1), 3),
    }


HOW: Final = (
    "Messages with their kinds, written by somebody who had not seen the rules: English, German, French and "
    "Spanish. Odd lines were used to make the rules, even ones are held back. Those were counted several "
    "times while the rules were made, and some had been read before; never seen are the held ones without "
    "these. right: questions about the memory that got their kind; taken: others that were taken for one."
)


def run_memory_questions(datasets: Sequence[Dataset] = ()) -> dict[str, object]:
    """Measure both halves, and how often a message of a chat is taken for such a question."""
    rows = load_rows()
    held = [row for row in rows if row.part == "held"]
    parts = {
        "tuned": [row for row in rows if row.part == "tune"],
        "held back": held,
        "held back, never seen": [row for row in held if not row.seen],
    }
    found = {name: measure_questions(some) for name, some in parts.items()}
    started = time.perf_counter()  # the rules are compiled
    for row in rows:
        read_kind(row.text)
    spent = time.perf_counter() - started
    return {
        "benchmark": "memory_questions",
        "made": provenance(),
        "how": HOW,
        "results": found,
        "chats": {one.name: _taken(one) for one in datasets},
        "microseconds": round(1e6 * spent / len(rows), 1),
    }


def _taken(dataset: Dataset) -> dict[str, int]:
    said = [turn.text for one in dataset.conversations for turn in one.turns if turn.role == "user"]
    return {"messages": len(said), "taken": sum(read_kind(text) != "other" for text in said)}


if __name__ == "__main__":
    print(json.dumps(run_memory_questions(), indent=1))
