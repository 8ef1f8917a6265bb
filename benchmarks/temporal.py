"""Is a question for a time answered rightly, from the right messages, and nothing else?

``benchmarks/data/temporal_open.txt`` and ``temporal_held.txt`` hold short lives with questions and their
answers: a day, a length, a count, what was so, or that nobody said it. Both were written before any rule, but
for six open lives; the second was counted before those and twice after, and not read.

``python -m benchmarks temporal`` counts; ``python -m benchmarks.temporal FILE`` prints what is wrong.
"""

import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, Final

from benchmarks.generate import texts
from recollect import Memory
from recollect.memory.telling import MemoryAnswer
from recollect.retrieval.scoring import Retrieval
from recollect.types import Context
from recollect_bench.provenance import provenance

DATA: Final = Path(__file__).parent / "data"
HALVES: Final = {"open": DATA / "temporal_open.txt", "held back": DATA / "temporal_held.txt"}
BUDGET: Final = 500
CROWD: Final = 10_000
ROUNDS: Final = 50
NOT_ASKED: Final = ("unknown", "none")
"""Questions that have no answer in what was said, or ask for no time of it."""
COSTS: Final = {
    "asks for no time": "Which language do I use for my project?",
    "asks for a time": "How long have I used this for my project?",
}
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNITS: Final = {"minute": 1 / 1440, "day": 1.0, "week": 7.0, "month": 365.25 / 12, "year": 365.25}
HOW: Final = (
    "Short lives with questions for a time. answered: share of the questions with an answer that got one; "
    "right: share of them with the right one; right_of_answered: share of all answers given that are right; "
    "sourced: share of the right ones that name every message they follow from; silent: share of the "
    f"questions without an answer that got none. in_context: share of contexts of {BUDGET} tokens in which "
    "the answer stands in words, with and without the reckoned line. Milliseconds of CPU: median of contexts "
    f"among {CROWD:,} made-up memories."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question, its answer in one word and what follows, and the numbers of the messages that give it."""

    question: str
    kind: str
    answer: str
    sources: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """What one user said, by numbers, and the questions at a moment."""

    name: str
    now: datetime
    said: dict[int, tuple[datetime, str, str]]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, what was answered, from which messages, and the contexts with and without it."""

    life: Life
    case: Case
    answer: MemoryAnswer | None
    sources: frozenset[int]
    contexts: tuple[Context, Context]


def read_lives(path: Path) -> list[Life]:
    """The lives of a file."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    return [_read(block.splitlines()) for block in blocks if block.startswith("life")]


def _read(lines: Sequence[str]) -> Life:
    said, cases, question, now = {}, [], "", ""
    for head, _, rest in (line.partition(" ") for line in lines[1:]):
        if head == "now":
            now = rest
        elif head == "?":
            question = rest
        elif head == "=":
            answer, _, sources = rest.partition(" <- ")
            kind, _, value = answer.partition(" ")
            numbers = frozenset(map(int, sources.split()))
            cases.append(Case(question=question, kind=kind, answer=value.strip(), sources=numbers))
        else:
            day, who, text = re.split(r" (?=[UA]: )|(?<= [UA]): ", rest, maxsplit=2)
            said[int(head)] = (_moment(day), who, text)
    return Life(name=lines[0].removeprefix("life "), now=_moment(now), said=said, cases=tuple(cases))


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text if " " in text else f"{text} 10:00").replace(tzinfo=UTC)


def ask(life: Life) -> Iterator[Asked]:
    """Store what a life says, learn from it, and ask its questions."""
    clock = [life.now]
    with (
        Memory(":memory:", clock=lambda: clock[0]) as memory,
        Memory(":memory:", clock=lambda: clock[0], retrieval=Retrieval(reckoning=False)) as without,
    ):
        numbers = {}
        for number, (at, who, text) in life.said.items():
            clock[0] = at
            message = {"role": "user" if who == "U" else "assistant", "content": text}
            for one in (memory, without):
                (added,) = one.add(message, user_id="ada", session_id=f"{at:%Y-%m-%d}", timestamp=at)
                one.jobs.drain()
                numbers[str(added.id)] = number
        clock[0] = life.now
        for case in life.cases:
            answer = memory.facts.answer(case.question, user_id="ada")
            told = (
                frozenset(numbers[one.id] for one in answer.memories if one.id in numbers) if answer else ()
            )
            contexts = [
                one.context(case.question, user_id="ada", budget_tokens=BUDGET) for one in (memory, without)
            ]
            yield Asked(
                life=life,
                case=case,
                answer=answer,
                sources=frozenset(told),
                contexts=(contexts[0], contexts[1]),
            )


def days_of(length: str) -> tuple[float, float]:
    """A length in days, and how far an answer may be from it."""
    found = re.findall(r"([\d.]+) (minute|day|week|month|year)s?", length)
    days = sum(float(count) * _UNITS[unit] for count, unit in found)
    return days, max(days / 10, min(_UNITS[unit] for _, unit in found))


def is_right(one: Asked) -> bool:
    """Whether an answer is right; of a question without one, whether none is given."""
    case, answer = one.case, one.answer
    if case.kind in NOT_ASKED:
        return answer is None
    if answer is None or answer.reckoned is None:
        return False
    found = answer.reckoned
    match case.kind:
        case "date":
            return str(found["start"]).startswith(case.answer)
        case "length":
            days, off = days_of(case.answer)
            return isinstance(found["days"], float) and abs(found["days"] - days) <= off
        case "count":
            return found["count"] == int(case.answer)
    said = answer.line.partition(" Reckoned from ")[0]
    first = said.partition(": ")[0] if found["first"] is not None else said
    return re.search(rf"(?i)\b(?:{case.answer})", first) is not None


def stands_in(one: Asked, text: str) -> bool:
    """Whether the words of the right answer stand in a text."""
    case = one.case
    if case.kind == "date":
        year, month, day = [*map(int, case.answer.split("-")), 0, 0][:3]
        name = f"{datetime(year, month or 1, 1, tzinfo=UTC):%B} " if month else ""
        return f"{f'{day} ' if day else ''}{name}{year}" in text
    if case.kind == "length":
        days, off = days_of(case.answer)
        told = re.findall(r"(?:\d[\d.]* (?:minute|day|week|month|year)s?(?: and )?)+", text)
        return any(abs(days_of(length)[0] - days) <= off for length in told)
    if case.kind == "count":
        word = _NUMBERS[int(case.answer)]
        return re.search(rf"(?i)\b(?:{case.answer}|{word}) times\b", text) is not None
    return re.search(rf"(?i)\b(?:{case.answer})", text) is not None


def measure(path: Path) -> dict[str, Any]:
    """What is answered of a file."""
    asked = [one for life in read_lives(path) for one in ask(life)]
    with_answer = [one for one in asked if one.case.kind not in NOT_ASKED]
    without = [one for one in asked if one.case.kind in NOT_ASKED]
    given = [one for one in asked if one.answer is not None]
    right = [one for one in with_answer if is_right(one)]
    kinds = sorted({one.case.kind for one in with_answer})
    return {
        "cases": len(asked),
        "with_answer": len(with_answer),
        "answered": _share(one.answer is not None for one in with_answer),
        "right": _share(map(is_right, with_answer)),
        "right_of_answered": round(len(right) / len(given), 3),
        "sourced": _share(one.case.sources <= one.sources for one in right),
        "silent": _share(one.answer is None for one in without),
        "by_kind": {
            kind: _share(is_right(one) for one in with_answer if one.case.kind == kind) for kind in kinds
        },
        "in_context": {
            "with": _share(stands_in(one, one.contexts[0].text) for one in with_answer),
            "without": _share(stands_in(one, one.contexts[1].text) for one in with_answer),
        },
    }


def _share(found: Iterator[bool]) -> float:
    return round(statistics.fmean(found), 3)


def time_contexts() -> dict[str, dict[str, float]]:
    """Milliseconds of CPU of a context among many memories, with and without reckoning."""
    spent: dict[str, dict[str, list[float]]] = {name: {"with": [], "without": []} for name in COSTS}
    with (
        Memory(":memory:", embedder="static") as memory,
        Memory(":memory:", embedder="static", retrieval=Retrieval(reckoning=False)) as without,
    ):
        for one in (memory, without):
            one.add(texts(CROWD, seed=2026), user_id="ada")
        for _, (name, question), (way, one) in product(
            range(ROUNDS), COSTS.items(), (("with", memory), ("without", without))
        ):
            started = time.process_time()
            one.context(question, user_id="ada", budget_tokens=BUDGET)
            spent[name][way].append(time.process_time() - started)
    return {
        name: {way: round(1e3 * statistics.median(taken), 2) for way, taken in ways.items()}
        for name, ways in spent.items()
    }


def run_temporal() -> dict[str, Any]:
    """Measure both halves, and what it costs."""
    return {
        "benchmark": "temporal",
        "made": provenance(),
        "how": HOW,
        "results": {name: measure(path) for name, path in HALVES.items()},
        "milliseconds": time_contexts(),
    }


def _wrong(path: Path) -> Iterator[str]:
    for life in read_lives(path):
        for one in ask(life):
            case, line = one.case, one.answer.line if one.answer else None
            if not is_right(one) or not case.sources <= one.sources:
                mark = "right, from" if is_right(one) else "wrong, from"
                wanted = f"{case.kind} {case.answer} {sorted(case.sources)}"
                yield f"{life.name}: {case.question}\n  {wanted}\n  {mark} {sorted(one.sources)}: {line}"


if __name__ == "__main__":
    print("\n".join(_wrong(Path(sys.argv[1]))))
