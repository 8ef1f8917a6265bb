"""A year of everyday talk, and what a context holds after it: ``python -m benchmarks everyday``.

``src/recollect_bench/datasets/everyday.json`` holds one made-up person's messages to an assistant with their
corrections and deletions in order, and questions with what the context must hold and must not hold.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from recollect import Memory
from recollect_bench.datasets.everyday import DATA
from recollect_bench.metrics import context_faults
from recollect_bench.provenance import provenance

USER: Final = "everyday"
BUDGET_TOKENS: Final = 1_500
"""Of a context: the default of ``Memory.context``."""

HOW: Final = (
    "One made-up person writes 120 messages to an assistant in a year, in two languages, and corrects and "
    "deletes some; a language model that had seen neither the rules nor the code wrote them, and the "
    "questions. Everything said so far is learned after each message. "
    f"Each question makes a context of at most {BUDGET_TOKENS:,} tokens. It is right when the context holds "
    "one wording of each thing it must hold, holds nothing it must not, and names what is true now before "
    "what no longer is."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Something the person does.

    Attributes:
        do: ``say``, ``correct``, ``delete`` or ``purge``.
        at: When.
        id: The message, by the name it has in the file; None for a purge.
        content: The words said, or the words that replace them.
        role: Who says it.
        session: The session; None for a message on its own.
    """

    do: str
    at: datetime
    id: str | None = None
    content: str = ""
    role: str = "user"
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, and how its context is judged.

    Attributes:
        id: Its name in the file.
        ask: The words.
        at: When it is asked.
        kind: What it tests.
        must: For each thing the context must hold, the wordings that count.
        must_not: What the context must not hold.
        order: Pairs; the first must come before the second where both are in the context.
        why: What a right context shows.
    """

    id: str
    ask: str
    at: datetime
    kind: str
    must: Sequence[Sequence[str]] = ()
    must_not: Sequence[str] = ()
    order: Sequence[Sequence[str]] = ()
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """The file.

    Attributes:
        timezone: Where the person lives.
        steps: In the order in which they happen.
        questions: Asked after all steps.
    """

    timezone: str
    steps: Sequence[Step]
    questions: Sequence[Question]


class StepClock:
    """A clock that shows the moment of the step under way."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        """The moment."""
        return self.at


def load_year(path: Path = DATA) -> Year:
    """The steps and questions of a file."""
    read: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Year(
        timezone=read["person"]["timezone"],
        steps=[Step(**_timed(row)) for row in read["steps"]],
        questions=[Question(**_timed(row)) for row in read["questions"]],
    )


def _timed(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "at": datetime.fromisoformat(row["at"])}


def live_through(memory: Memory, clock: StepClock, steps: Sequence[Step]) -> None:
    """Do all steps, learning after each one all that was said so far."""
    ids: dict[str | None, str] = {}
    for step in steps:
        clock.at = step.at
        match step.do:
            case "say":
                said = {"role": step.role, "content": step.content}
                (added,) = memory.add([said], user_id=USER, session_id=step.session)
                ids[step.id] = str(added.id)
            case "correct":
                memory.update(ids[step.id], user_id=USER, content=step.content)
            case "delete":
                memory.delete(ids[step.id], user_id=USER)
            case "purge":
                memory.purge(user_id=USER)
            case _:
                raise ValueError(f"a step does {step.do!r}")
        memory.jobs.drain()


def faults_of(text: str, question: Question) -> list[str]:
    """What is wrong with a context; empty when it is right."""
    return context_faults(text, must=question.must, must_not=question.must_not, order=question.order)


def judge(
    contexts: Callable[[Question], str], questions: Sequence[Question]
) -> tuple[dict[str, dict[str, int]], list[dict[str, object]]]:
    """How many contexts are right of each kind, and each one that is not with its faults."""
    asked, right = Counter[str](), Counter[str]()
    misses: list[dict[str, object]] = []
    for question in questions:
        faults = faults_of(contexts(question), question)
        asked[question.kind] += 1
        right[question.kind] += not faults
        if faults:
            misses.append({"id": question.id, "kind": question.kind, "ask": question.ask, "faults": faults})
    return {kind: {"asked": asked[kind], "right": right[kind]} for kind in asked}, misses


def run_everyday(path: Path = DATA) -> dict[str, object]:
    """Live through the year and ask the questions."""
    year = load_year(path)
    clock = StepClock(year.steps[0].at)
    with Memory(":memory:", timezone=year.timezone, clock=clock) as memory:
        live_through(memory, clock, year.steps)

        def context(question: Question) -> str:
            clock.at = question.at
            return memory.context(question.ask, user_id=USER, budget_tokens=BUDGET_TOKENS).text

        kinds, misses = judge(context, year.questions)
    asked = sum(one["asked"] for one in kinds.values())
    right = sum(one["right"] for one in kinds.values())
    return {
        "benchmark": "everyday",
        "made": provenance(),
        "how": HOW,
        "asked": asked,
        "right": right,
        "right_percent": round(100 * right / max(asked, 1), 1),
        "kinds": kinds,
        "misses": misses,
    }
