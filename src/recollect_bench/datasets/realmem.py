"""RealMemBench: a person with an assistant, many topics; a question is asked of all earlier sessions.

A file holds ``[{"person", "sessions": [{id, date, turns: [{role, text}]}], "qa": [{q, asked_before_session,
sessions}]}]``. The gold names sessions, and no turns.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from recollect_bench.datasets.shapes import (
    Conversation,
    Dataset,
    Question,
    Turn,
    known_ids,
    lost_ids,
    read_entries,
)

TITLE: Final = "RealMemBench: a person with an assistant, many topics"
SOURCE: Final = "https://github.com/AvatarMemory/RealMemBench (Apache-2.0)"
FILES: Final = "sessions and questions as one JSON file, in the shape described in the loader"
KNOWN: Final = {
    "b1ea764dd39dcd11762e3b840a7bcd7e11a2996e71842dbbcc066c43fecd42dc": "four people",
}
LOOKED_AT: Final = "Recollect's ranking was looked at on these four people."


def load(path: Path) -> Dataset:
    """Assistant chats of RealMemBench."""
    return Dataset(name="realmem", conversations=tuple(_conversation(entry) for entry in read_entries(path)))


def _conversation(entry: Mapping[str, Any]) -> Conversation:
    turns = tuple(
        Turn(
            id=f"{session['id']}/{number}",
            session=str(session["id"]),
            speaker=None,
            role=turn["role"],
            text=turn["text"],
            time=datetime.fromisoformat(session["date"]).replace(tzinfo=UTC),
        )
        for session in entry["sessions"]
        for number, turn in enumerate(session["turns"])
    )
    known = {turn.session for turn in turns}
    return Conversation(
        id=str(entry["person"]),
        turns=turns,
        questions=tuple(_question(asked, known) for asked in entry.get("qa", ())),
    )


def _question(asked: Mapping[str, Any], known: set[str]) -> Question:
    named = [str(session) for session in asked["sessions"]]
    return Question(
        text=asked["q"],
        gold=(),
        gold_sessions=known_ids(named, known),
        category="sessions",
        answer=None,
        before=str(asked["asked_before_session"]),
        lost=lost_ids(named, known),
    )
