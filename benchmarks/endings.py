"""Does what somebody says end what it should, and nothing else? ``python -m benchmarks.endings [FILE ...]``.

Each line of ``tests/learning/ending_lines.jsonl`` tells something, and a year and a half later something that
ends it, may end it, or has nothing to do with it. Those held back were written before the rules, and not
looked at while the rules were made. Other files hold pairs of everyday messages (``changes``).
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, get_args

from benchmarks.changes import PAIRS, load_pairs, measure_changes, results_of
from recollect import Memory

LINES: Final = Path(__file__).parent.parent / "tests" / "learning" / "ending_lines.jsonl"
_TOLD: Final = datetime(2025, 1, 10, 10, tzinfo=UTC)
_SAID: Final = datetime(2026, 7, 10, 10, tzinfo=UTC)
Outcome = Literal["ends", "asks", "stays"]
"""What becomes of what was told: it ends, a person is asked, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingLine:
    """What was known, what was said, and what should come of it."""

    known: Sequence[str]
    said: str
    expect: Outcome
    held_back: bool = False


def load_endings(path: Path = LINES) -> list[EndingLine]:
    """The labelled lines of a file."""
    return [EndingLine(**json.loads(row)) for row in path.read_text(encoding="utf-8").splitlines()]


def outcome(line: EndingLine) -> Outcome:
    """What becomes of what was told when something more is said."""
    with Memory(":memory:", embedder="hashing") as memory:
        for place, text in enumerate([*line.known, line.said]):
            told = {"role": "user", "content": text, "timestamp": _SAID if text == line.said else _TOLD}
            memory.add([told], user_id="u", session_id=f"s{place}")
            memory.sessions.end(f"s{place}", user_id="u")
            memory.jobs.drain()
        facts = memory.get_all(user_id="u", kinds=["fact"])
        if any(one.times.valid_until is not None and one.times.happened_at == _TOLD for one in facts):
            return "ends"
        return "asks" if memory.facts.conflicts(user_id="u") else "stays"


def measure_endings(lines: Iterable[EndingLine]) -> Mapping[str, float]:
    """How many should end, did, and did rightly; what was asked or left alone is never wrong by itself."""
    found = Counter((line.expect, outcome(line)) for line in lines)
    ended = sum(found[expect, "ends"] for expect in get_args(Outcome))
    wanted = sum(found["ends", got] for got in get_args(Outcome))
    return {
        "lines": found.total(),
        "should_end": wanted,
        "ended": ended,
        "precision": round(found["ends", "ends"] / ended, 3) if ended else 1.0,
        "recall": round(found["ends", "ends"] / wanted, 3) if wanted else 1.0,
        "asked": sum(found[expect, "asks"] for expect in get_args(Outcome)),
        "asked_for_nothing": found["stays", "asks"],
    }


def run_endings() -> dict[str, Mapping[str, float]]:
    """Figures of the tuned and of the held-back lines."""
    lines = load_endings()
    parts = {"tuned": False, "held_back": True}
    return {
        name: measure_endings(one for one in lines if one.held_back == held) for name, held in parts.items()
    }


def run_changes(paths: Sequence[Path] = (PAIRS,), *, misses: bool = False) -> dict[str, Mapping[str, float]]:
    """Figures of pairs of messages, by their parts.

    Args:
        paths: Their files.
        misses: Whether to print the pairs that come out wrong, to the error output.
    """
    found = [one for path in paths for one in results_of(load_pairs(path))]
    for pair, result in found if misses else ():
        if result not in {"noticed", "kept"}:
            print(result, pair.id, pair.topic, pair.before, pair.after, sep=" | ", file=sys.stderr)
    parts = dict.fromkeys(pair.part for pair, _ in found)
    return {part: measure_changes(one for one in found if one[0].part == part) for part in parts}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the result."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endings", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[PAIRS], help="files of pairs of messages")
    parser.add_argument("--misses", action="store_true", help="print the pairs that come out wrong")
    given = parser.parse_args(arguments)
    print(json.dumps({**run_endings(), **run_changes(given.files, misses=given.misses)}, indent=1))


if __name__ == "__main__":
    main()
