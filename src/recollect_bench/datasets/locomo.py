"""LoCoMo: long conversations between two people. A second file corrects its gold."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
    sessions_of,
    spoken,
)

TITLE: Final = "LoCoMo: two people with each other"
SOURCE: Final = "https://github.com/snap-research/locomo (CC BY-NC 4.0)"
FILES: Final = "locomo10.json, and after a comma the errors.json of dial481/locomo-audit"
KNOWN: Final = {
    "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4": "locomo10.json",
    "f298ef46263fada20688a1d672be37d4f488c6da3b19343eea55ae5c1b5fe55e": "errors.json, 156 corrections",
}
LOOKED_AT: Final = "Recollect's constants were chosen while looking at all ten conversations."
CATEGORIES: Final = {
    1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial",
}  # fmt: skip
"""What LoCoMo's numbers mean, from its paper."""

_EVIDENCE: Final = re.compile(r"D\d+:\d+")
"""LoCoMo's field is messy: ``"D8:6; D9:17"`` is two turns, ``"D"`` is none."""
_CORRECTED: Final = re.compile(r"locomo_(\d+)_qa(\d+)")


def load(path: Path, corrections: Path | None = None) -> Dataset:
    """``locomo10.json``, and the corrections of its gold."""
    conversations = [_conversation(entry) for entry in read_entries(path)]
    for row in read_entries(corrections) if corrections else ():
        _correct(conversations, row)
    return Dataset(
        name="locomo",
        conversations=tuple(conversations),
        corrections="dial481/locomo-audit" if corrections else None,
    )


def _conversation(entry: Mapping[str, Any]) -> Conversation:
    said = entry["conversation"]
    turns = tuple(turn for session in sessions_of(said) for turn in _session(said, *session))
    known = {turn.id for turn in turns}
    questions = tuple(_question(asked, known) for asked in entry["qa"])
    return Conversation(id=str(entry["sample_id"]), turns=turns, questions=questions)


def _session(said: Mapping[str, Any], session: str, turns: Sequence[Mapping[str, Any]]) -> Iterator[Turn]:
    time = moment(said[f"{session}_date_time"], "%I:%M %p on %d %B, %Y")
    for turn in turns:
        caption = turn.get("blip_caption")
        yield Turn(
            id=turn["dia_id"],
            session=session,
            speaker=turn["speaker"],
            role=turn.get("role") or "user",
            text=f"{turn['text']} {caption}" if caption else turn["text"],
            time=time,
        )


def _question(asked: Mapping[str, Any], known: set[str]) -> Question:
    named = [turn for text in asked.get("evidence", ()) for turn in _EVIDENCE.findall(text) or [text]]
    return Question(
        text=asked["question"],
        gold=known_ids(named, known),
        category=CATEGORIES[asked["category"]],
        answer=spoken(asked.get("answer")),
        lost=lost_ids(named, known),
    )


def _correct(conversations: list[Conversation], row: Mapping[str, Any]) -> None:
    """Put one correction beside the question's own gold."""
    named = _CORRECTED.fullmatch(row["question_id"])
    if not named:
        raise ValueError(f"{row['question_id']!r} names no question")
    place, number = int(named[1]), int(named[2])
    conversation = conversations[place]
    questions = list(conversation.questions)
    if questions[number].text != row["question"]:
        raise ValueError(f"{row['question_id']} is another question in this locomo10.json")
    known = {turn.id for turn in conversation.turns}
    questions[number] = replace(
        questions[number],
        corrected=known_ids(row["correct_evidence"], known),
        corrected_answer=spoken(row["correct_answer"]),
    )
    conversations[place] = replace(conversation, questions=tuple(questions))
