"""BEAM: a person with an assistant, long turns.

A file holds ``[{"turns": [{id, session, who, role, text, date}], "qa": [{q, ev, cat, answer}]}]``, made from
the published chats.
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

TITLE: Final = "BEAM: a person with an assistant"
SOURCE: Final = "https://github.com/mohammadtavakoli78/BEAM"
FILES: Final = "turns and questions as one JSON file, in the shape described in the loader"
KNOWN: Final = {
    "1d4d7f02a9a44e98c31be6d2f4113c94de63f7d6414967fb1ce1fdfad0b0cdd3": "chats 11 to 20 of the 100K part",
}
LOOKED_AT: Final = "Recollect's constants were chosen while looking at these ten chats."


def load(path: Path) -> Dataset:
    """Assistant chats of BEAM."""
    entries = enumerate(read_entries(path), start=1)
    return Dataset(
        name="beam", conversations=tuple(_conversation(f"chat-{i}", entry) for i, entry in entries)
    )


def _conversation(name: str, entry: Mapping[str, Any]) -> Conversation:
    turns = tuple(_turns(entry["turns"]))
    known = {turn.id for turn in turns}
    questions = tuple(_question(asked, known) for asked in entry["qa"])
    return Conversation(id=name, turns=turns, questions=questions)


def _question(asked: Mapping[str, Any], known: set[str]) -> Question:
    named = [str(turn) for turn in asked["ev"]]
    return Question(
        text=asked["q"],
        gold=known_ids(named, known),
        category=asked["cat"],
        answer=spoken(asked["answer"]),
        lost=lost_ids(named, known),
    )


def _turns(turns: list[dict[str, Any]]) -> Iterator[Turn]:
    """The turns; one without a date was said on the date before it."""
    time = None
    for turn in turns:
        time = moment(turn["date"], "%B-%d-%Y") if turn["date"] else time
        yield Turn(
            id=str(turn["id"]),
            session=str(turn["session"]),
            speaker=turn["who"] if turn["who"] != turn["role"] else None,
            role=turn["role"],
            text=turn["text"],
            time=time,
        )
