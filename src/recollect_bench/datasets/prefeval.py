"""PrefEval's explicit preferences: a preference stated once, and a question whose answer it should shape.

A file holds rows ``{"preference", "question", "explanation", "topic"}``, as JSON or one a line. The published
test puts one preference before unrelated chat; here all preferences of a topic are one person's, so that the
right one must be told from its neighbours. Written from the data set's card, not tried on the data.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from recollect_bench.datasets.shapes import Conversation, Dataset, Question, Turn, read_entries

TITLE: Final = "PrefEval: a preference that should shape an answer"
SOURCE: Final = "https://huggingface.co/datasets/siyanzhao/prefeval_explicit"
FILES: Final = "the explicit preferences as .json or .jsonl"
KNOWN: Final[Mapping[str, str]] = {}
LOOKED_AT: Final = "Recollect's ranking was not chosen on it."


def load(path: Path) -> Dataset:
    """A conversation for each topic."""
    topics: dict[str, list[Mapping[str, Any]]] = {}
    for row in read_entries(path):
        topics.setdefault(row["topic"], []).append(row)
    return Dataset(
        name="prefeval", conversations=tuple(_conversation(topic, rows) for topic, rows in topics.items())
    )


def _conversation(topic: str, rows: Sequence[Mapping[str, Any]]) -> Conversation:
    turns = tuple(
        Turn(id=str(n), session=str(n), speaker=None, role="user", text=row["preference"], time=None)
        for n, row in enumerate(rows)
    )
    questions = tuple(
        Question(text=row["question"], gold=(str(number),), category=topic, answer=None)
        for number, row in enumerate(rows)
    )
    return Conversation(id=topic, turns=turns, questions=questions)
