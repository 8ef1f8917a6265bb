"""A made-up person's year with an assistant: what is corrected and deleted must not come back.

The file ships with Recollect. Its author had seen neither the rules nor the code.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from recollect_bench.datasets.shapes import (
    Add,
    Ask,
    Conversation,
    Dataset,
    Delete,
    Question,
    Replace,
    Step,
    Turn,
)

TITLE: Final = "Everyday: a made-up person's year, with corrections and deletions"
SOURCE: Final = "written for Recollect"
FILES: Final = "shipped; no path is needed"
SHIPPED: Final = True
KNOWN: Final[Mapping[str, str]] = {}
LOOKED_AT: Final = "Recollect's rules were mended while looking at the contexts that were not right."
DATA: Final = Path(__file__).with_name("everyday.json")


def load(path: Path = DATA) -> Dataset:
    """One conversation with its script."""
    return Dataset(
        name="everyday",
        conversations=(lived("everyday", json.loads(path.read_text(encoding="utf-8"))),),
    )


def lived(name: str, read: Mapping[str, Any]) -> Conversation:
    """A year as a conversation. Nothing is purged: that a deletion hides is what is asked."""
    steps = tuple(_steps(read["steps"]))
    turns = tuple(turn for step in steps for turn in _said(step))
    taken = {step.id for step in steps if isinstance(step, Delete | Replace)}
    there = [turn.text.casefold() for turn in turns if turn.id not in taken]
    gone = [turn.text.casefold() for turn in turns if turn.id in taken]
    questions = tuple(_question(row, there, gone) for row in read["questions"])
    script = (*steps, *(Ask(number=number) for number in range(len(questions))))
    return Conversation(id=name, turns=turns, questions=questions, script=script)


def _question(row: Mapping[str, Any], there: Sequence[str], gone: Sequence[str]) -> Question:
    """A question; what it must not bring up is gone where only turns that were taken back have it."""
    must_not = row.get("must_not", ())
    return Question(
        text=row["ask"],
        gold=(),
        category=row["kind"],
        answer=None,
        must=row.get("must", ()),
        must_not=must_not,
        gone=[words for words in must_not if _stands(words, gone) and not _stands(words, there)],
        order=row.get("order", ()),
        quoted=row.get("quoted", ()),
    )


def _stands(words: str, texts: Sequence[str]) -> bool:
    return any(words.casefold() in text for text in texts)


def _steps(rows: Sequence[Mapping[str, Any]]) -> Iterator[Step]:
    """What happens; a correction gets an id of its own, so that the words before can be told from it."""
    now: dict[str, Turn] = {}
    for row in rows:
        if row["do"] == "say":
            turn = _turn(row, row["id"], session=row["session"], role=row["role"])
            now[row["id"]] = turn
            yield Add(turns=[turn])
        elif row["do"] == "correct":
            before = now[row["id"]]
            now[row["id"]] = _turn(row, f"{before.id}+", session=before.session, role=before.role)
            yield Replace(id=before.id, turn=now[row["id"]])
        elif row["do"] == "delete":
            yield Delete(id=now[row["id"]].id)


def _turn(row: Mapping[str, Any], name: str, *, session: str | None, role: str) -> Turn:
    return Turn(
        id=name,
        session=session or f"alone {name}",
        speaker=None,
        role=role,
        text=row["content"],
        time=datetime.fromisoformat(row["at"]),
    )


def _said(step: Step) -> Sequence[Turn]:
    match step:
        case Add(turns=turns):
            return turns
        case Replace(turn=turn):
            return [turn]
        case _:
            return []
