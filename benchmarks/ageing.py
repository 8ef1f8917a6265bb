"""Does a fact's confidence fall when, and only when, somebody would ask again?

``benchmarks/data/ageing_open.txt`` and ``ageing_held.txt`` hold short lives: what was said, the present, and
of some facts whether a friend with a good memory would still say them without asking (``sure``), or would ask
first (``doubt``), or of which of two they would be surer. Both were written before any half-life; the second
was counted once, at the end. A fact is in doubt from half a confidence down.

``python -m benchmarks ageing`` counts; ``python -m benchmarks.ageing FILE`` prints what was judged wrong.
"""

import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from recollect import Memory
from recollect.learning.ageing import Ageing, aged
from recollect.learning.half_lives import half_life_of
from recollect.learning.profile import DOUBTED, holds
from recollect.types import MemoryRecord
from recollect_bench.provenance import provenance

DATA: Final = Path(__file__).parent / "data"
HALVES: Final = {"open": DATA / "ageing_open.txt", "held back": DATA / "ageing_held.txt"}
FACTS: Final = 1_000
ROUNDS: Final = 5
HOW: Final = (
    "Short lives: what was said, the present, and of some facts whether a friend would still say them or "
    "ask first. right: share of these judgements that the confidence agrees with, with doubt from 0.5 down; "
    "facts that were not learned count as wrong. Milliseconds of CPU: median of "
    f"{ROUNDS} profiles of {FACTS:,} facts."
)

Judge = Callable[[MemoryRecord, Sequence[MemoryRecord], datetime], float]
"""The confidence of a fact at a moment, beside the user's other facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What was said, when it is asked, and the judgement: ``sure``, ``doubt`` or ``surer`` with its words."""

    said: tuple[tuple[datetime, str, str], ...]
    now: datetime
    verdict: str
    words: tuple[str, ...]


def read_cases(path: Path) -> list[Case]:
    """The cases of a file."""
    return [_read(block) for block in path.read_text(encoding="utf-8").split("\n\n") if "\nnow " in block]


def _read(block: str) -> Case:
    lines = [line for line in block.splitlines() if line and not line.startswith("#")]
    said = tuple(_said(line) for line in lines if line[0].isdigit())
    now = next(line for line in lines if line.startswith("now "))
    verdict, _, words = lines[-1].partition(" ")
    return Case(said=said, now=_moment(now[4:]), verdict=verdict, words=tuple(words.split(" > ")))


def _said(line: str) -> tuple[datetime, str, str]:
    head, _, text = line.partition(": ")
    when, _, who = head.rpartition(" ")
    return _moment(when), who, text


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text if " " in text else f"{text} 10:00").replace(tzinfo=UTC)


def known_at(case: Case) -> list[MemoryRecord]:
    """The facts that are learned of a case, also those that ended."""
    moment = [case.now]
    with Memory(":memory:", embedder="hashing", clock=lambda: moment[0]) as memory:
        for at, who, text in case.said:
            moment[0] = at
            if who == "F":
                memory.add(text, user_id="ada", kind="fact", timestamp=at)
            else:
                memory.add(text, user_id="ada", session_id=f"{at:%Y-%m-%d}", timestamp=at)
            memory.jobs.drain()
        return memory.get_all(user_id="ada", kinds=["fact"])


def stored(fact: MemoryRecord, facts: Sequence[MemoryRecord], now: datetime) -> float:  # noqa: ARG001
    """The confidence as it was stored."""
    return fact.worth.confidence


def by_table(fact: MemoryRecord, facts: Sequence[MemoryRecord], now: datetime) -> float:  # noqa: ARG001
    """By the half-life of the table alone."""
    said = Ageing((), at=now).of(fact).said_at
    return aged(fact.worth.confidence, age=now - said, half_life=half_life_of(fact).lasts)


def by_user(fact: MemoryRecord, facts: Sequence[MemoryRecord], now: datetime) -> float:
    """By the half-life that the user's own facts make of it."""
    return Ageing(facts, at=now).of(fact).value


JUDGES: Final[dict[str, Judge]] = {"stored": stored, "table": by_table, "own facts": by_user}


def is_right(case: Case, facts: Sequence[MemoryRecord], judge: Judge) -> bool:
    """Whether a confidence agrees with the judgement."""
    sure = [_surest(word, case, facts, judge) for word in case.words]
    if min(sure) < 0:
        return False
    match case.verdict:
        case "sure":
            return sure[0] > DOUBTED
        case "doubt":
            return sure[0] <= DOUBTED
        case "surer":
            return sure[0] > sure[1]
    raise ValueError(case.verdict)


def _surest(word: str, case: Case, facts: Sequence[MemoryRecord], judge: Judge) -> float:
    """The confidence of the surest fact with a word that holds; below 0 where there is none."""
    about = [one for one in facts if word in one.content.lower() and holds(one, case.now)]
    return max((judge(one, facts, case.now) for one in about), default=-1.0)


def measure(cases: Sequence[Case]) -> dict[str, Any]:
    """How many judgements there are of each kind, and the share each confidence agrees with."""
    learned = [(case, known_at(case)) for case in cases]
    right = {
        name: statistics.fmean(is_right(case, facts, judge) for case, facts in learned)
        for name, judge in JUDGES.items()
    }
    return {
        "cases": len(cases),
        **Counter(case.verdict for case in cases),
        "right": {name: round(share, 3) for name, share in right.items()},
    }


def run_ageing() -> dict[str, Any]:
    """Measure both halves, and what it costs to list many facts."""
    return {
        "benchmark": "ageing",
        "made": provenance(),
        "how": HOW,
        "results": {name: measure(read_cases(path)) for name, path in HALVES.items()},
        "milliseconds": time_profiles(),
    }


def time_profiles() -> float:
    """Milliseconds of CPU of a profile of many different facts."""
    said = [text for path in HALVES.values() for case in read_cases(path) for _, _, text in case.said]
    with Memory(":memory:", embedder="hashing") as memory:
        texts = [f"{said[place % len(said)]} ({place})" for place in range(FACTS)]
        memory.add(texts, user_id="ada", kind="fact")
        spent = []
        for _ in range(ROUNDS):
            started = time.process_time()
            memory.profile(user_id="ada")
            spent.append(time.process_time() - started)
    return round(1e3 * statistics.median(spent), 1)


def _told(path: Path) -> Iterator[str]:
    for case in read_cases(path):
        facts = known_at(case)
        if not is_right(case, facts, by_user):
            yield "\n".join(f"{at:%Y-%m-%d %H:%M} {who}: {text}" for at, who, text in case.said)
            yield f"now {case.now:%Y-%m-%d %H:%M} {case.verdict} {' > '.join(case.words)}"
            for one in facts:
                sure = Ageing(facts, at=case.now).of(one)
                yield f"  {one.content} {sure.value:.2f} of {one.worth.confidence:.2f}: {sure.reason}"
            yield ""


if __name__ == "__main__":
    if sys.argv[1:]:
        print("\n".join(_told(Path(sys.argv[1]))))
        print(json.dumps(measure(read_cases(Path(sys.argv[1]))), indent=1))
    else:
        print(json.dumps(run_ageing(), indent=1))
