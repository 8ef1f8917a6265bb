"""LongMemEval (oracle, S or M): every question has a history of its own."""

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from recollect_bench.datasets.shapes import (
    Conversation,
    Dataset,
    Question,
    Turn,
    moment,
    read_entries,
    spoken,
)

TITLE: Final = "LongMemEval: a person with an assistant, a history for each question"
SOURCE: Final = "https://github.com/xiaowu0162/LongMemEval (MIT)"
FILES: Final = "longmemeval_oracle.json, longmemeval_s.json or longmemeval_m.json, cleaned or not"
KNOWN: Final[Mapping[str, str]] = {}
LOOKED_AT: Final = "Recollect's ranking was not chosen on it."


def load(path: Path) -> Dataset:
    """A file of LongMemEval.

    Gold are the turns marked ``has_answer``. Questions that should not be answered (``_abs``) have none.
    """
    return Dataset(name=path.stem, conversations=tuple(_conversation(entry) for entry in read_entries(path)))


def _conversation(entry: Mapping[str, Any]) -> Conversation:
    sessions = zip(
        entry["haystack_dates"], entry["haystack_session_ids"], entry["haystack_sessions"], strict=True
    )
    turns: list[Turn] = []
    gold: list[str] = []
    in_order = sorted((_moment(date), place, *rest) for place, (date, *rest) in enumerate(sessions))
    for time, place, session, said in in_order:
        for number, turn in enumerate(said):
            name = f"{place}/{session}/{number}"
            turns.append(
                Turn(
                    id=name,
                    session=f"{place}/{session}",
                    speaker=None,
                    role=turn["role"],
                    text=turn["content"],
                    time=time,
                )
            )
            gold += [name] if turn.get("has_answer") else []
    asked = Question(
        text=entry["question"],
        gold=() if entry["question_id"].endswith("_abs") else tuple(gold),
        category=entry["question_type"],
        answer=spoken(entry.get("answer")),
    )
    return Conversation(id=entry["question_id"], turns=tuple(turns), questions=(asked,))


def _moment(date: str) -> datetime:
    """The moment in ``2023/05/20 (Sat) 02:21``."""
    return moment(re.sub(r" \(\w+\)", "", date), "%Y/%m/%d %H:%M")
