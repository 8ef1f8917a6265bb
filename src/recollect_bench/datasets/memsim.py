"""MemSim's MemDaily: short messages to an assistant, and a question about some of them (in Chinese).

``memdaily.json`` holds ``{kind: {scene: [{"message_list": [{"message"}], "QA": {question, answer,
target_step_id}}]}}``; steps are places in the list of messages. Written from the published source, not tried
on the data.
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
    read_object,
    spoken,
)

TITLE: Final = "MemDaily: short messages to an assistant, in Chinese"
SOURCE: Final = "https://github.com/nuster1128/MemSim"
FILES: Final = "memdaily.json"
KNOWN: Final[Mapping[str, str]] = {}
LOOKED_AT: Final = "Recollect's ranking was not chosen on it."


def load(path: Path) -> Dataset:
    """Every trajectory of every kind."""
    return Dataset(
        name="memsim",
        conversations=tuple(
            _conversation(f"{kind}-{scene}-{number}", kind, told)
            for kind, scenes in read_object(path).items()
            for scene, trajectories in scenes.items()
            for number, told in enumerate(trajectories)
        ),
    )


def _conversation(name: str, kind: str, told: Mapping[str, Any]) -> Conversation:
    turns = tuple(
        Turn(
            id=str(step),
            session="messages",
            speaker=None,
            role="user",
            text=said["message"] if isinstance(said, dict) else said,
            time=None,
        )
        for step, said in enumerate(told["message_list"])
    )
    asked = told["QA"]
    named, known = [str(step) for step in asked["target_step_id"]], {turn.id for turn in turns}
    question = Question(
        text=asked["question"],
        gold=known_ids(named, known),
        category=kind,
        answer=spoken(asked["answer"]),
        lost=lost_ids(named, known),
    )
    return Conversation(id=name, turns=turns, questions=(question,))
