"""REALTALK: ten pairs of people who wrote to each other for three weeks; real messages, not made-up ones.

A file holds one chat: ``session_N`` with messages ``{clean_text, speaker, date_time, dia_id}``, and ``qa``
with ``{question, answer, evidence, category}``. Written from descriptions of the format, not tried on data.
"""

from collections.abc import Mapping
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
    read_object,
    sessions_of,
    spoken,
)

TITLE: Final = "REALTALK: two people with each other, real messages"
SOURCE: Final = "https://github.com/danny911kr/REALTALK"
FILES: Final = "one file Chat_N_NAME_NAME.json for each chat, separated by commas"
KNOWN: Final[Mapping[str, str]] = {}
LOOKED_AT: Final = "Recollect's ranking was not chosen on it."
CATEGORIES: Final = {1: "fact", 2: "date", 3: "inference"}


def load(*paths: Path) -> Dataset:
    """Chats of REALTALK."""
    return Dataset(name="realtalk", conversations=tuple(map(_conversation, paths)))


def _conversation(path: Path) -> Conversation:
    read = read_object(path)
    turns = tuple(
        Turn(
            id=said["dia_id"],
            session=session,
            speaker=said["speaker"],
            role="user",
            text=said["clean_text"],
            time=moment(said["date_time"], "%d.%m.%Y, %H:%M:%S"),
        )
        for session, messages in sessions_of(read)
        for said in messages
    )
    known = {turn.id for turn in turns}
    return Conversation(
        id=path.stem, turns=turns, questions=tuple(_question(asked, known) for asked in read["qa"])
    )


def _question(asked: Mapping[str, Any], known: set[str]) -> Question:
    return Question(
        text=asked["question"],
        gold=known_ids(asked["evidence"], known),
        category=CATEGORIES[int(asked["category"])],
        answer=spoken(asked["answer"]),
        lost=lost_ids(asked["evidence"], known),
    )
