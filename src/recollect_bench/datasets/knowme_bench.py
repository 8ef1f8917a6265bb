"""KnowMe-Bench: a life as dated notes of what a person did, heard, saw and thought, and questions about it.

Notes are ``[{"id", "timestamp", "location", "action", "dialogue", ...}]``; the other fields are called
``environment``, ``background`` and ``inner_thought`` in the first data set, ``mind`` in the second, and begin
with capitals in the third. A task has two files: ``question/TASK_questions.json`` with ``[{"id",
"question"}]``, and ``answer/TASK_answers.json`` with ``[{"id", "answer", "evidence": [ids of notes]}]``.
Questions whose answers name no notes are left out: without a judge nothing can be counted on them. Written
from github.com/QuantaAlpha/KnowMeBench (its readme, and Temporal Reasoning of the first data set) and from
scripts in a copy of it that name the fields (github.com/ictnlp/unified-memory-agent), not tried on the data.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from recollect_bench.datasets.shapes import (
    Conversation,
    Dataset,
    Question,
    Turn,
    known_ids,
    lost_ids,
    moment,
    read_entries,
    spoken,
)

TITLE: Final = "KnowMe-Bench: a life in dated notes"
SOURCE: Final = "https://github.com/QuantaAlpha/KnowMeBench"
FILES: Final = "a data set's notes, then for each task its questions and its answers, separated by commas"
KNOWN: Final[Mapping[str, str]] = {}
LOOKED_AT: Final = "Recollect's ranking was not chosen on it."

_SAID: Final = ("action", "dialogue", "environment", "background", "inner_thought", "mind")


def load(notes: Path, *tasks: Path) -> Dataset:
    """One person, with the questions of every task that is given."""
    if len(tasks) % 2:
        raise ValueError("each file of questions needs its file of answers")
    turns = tuple(_turn(note) for note in read_entries(notes))
    known = {turn.id for turn in turns}
    pairs = zip(tasks[::2], tasks[1::2], strict=True)
    questions = [question for pair in pairs for question in _questions(*pair, known)]
    kept = tuple(question for question in questions if question.gold)
    return Dataset(
        name="knowme-bench",
        conversations=(Conversation(id=notes.stem, turns=turns, questions=kept),),
        left_out={"questions whose answers name no notes": len(questions) - len(kept)},
    )


def _turn(note: Mapping[str, Any]) -> Turn:
    """A note as a turn; those of a day are a session."""
    fields = {name.lower(): text for name, text in note.items()}
    said = [str(fields[name]).strip() for name in ("location", *_SAID) if fields.get(name)]
    time = moment(fields["timestamp"], "%Y-%m-%d %H:%M:%S")
    return Turn(
        id=str(fields["id"]),
        session=f"{time:%Y-%m-%d}",
        speaker=None,
        role="user",
        text=" ".join(said),
        time=time,
    )


def _questions(questions: Path, answers: Path, known: set[str]) -> Iterator[Question]:
    given = {row["id"]: row for row in read_entries(answers)}
    for asked in read_entries(questions):
        right = given[asked["id"]]
        named = [str(note) for note in right.get("evidence") or ()]
        yield Question(
            text=asked["question"],
            gold=known_ids(named, known),
            category=questions.stem.removesuffix("_questions"),
            answer=spoken(right["answer"]),
            lost=lost_ids(named, known),
        )
