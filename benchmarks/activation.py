"""What does Shadow Memory's activation score activate, and what does it cost?"""

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.generate import questions, texts
from benchmarks.retrieval import DayAfter, remember
from benchmarks.speed import stage
from recollect import Memory
from recollect.embedders import open_embedder
from recollect.lifecycle.thresholds import THRESHOLDS
from recollect.presets.shadow.awareness import UNCALIBRATED, ActivationScoring, Awareness
from recollect.retrieval.calibration import for_embedder
from recollect.retrieval.candidates import Candidates
from recollect.retrieval.scoring import Retrieval
from recollect.stores.reference.store import InMemoryStore
from recollect_bench.datasets import Conversation, Dataset
from recollect_bench.metrics import mean, measure
from recollect_bench.provenance import provenance

HOW: Final = (
    "One user per conversation, asked the day after its last turn; every turn gets its activation score for "
    "every question with evidence. `before` compares the formula's score with the thresholds, `after` the "
    "calibrated one. A context type is its threshold: the data sets ask nothing but questions. Precision is "
    "the share of gold among activated turns and recall the share of gold that is activated, both over all "
    "questions; `activated` is how many a question. `off_topic` asks the next conversation of the data set, "
    "where nothing is right. `speed`: memories of 2,000 characters, asked for all candidates and for an "
    "answer without a model."
)
EMBEDDERS: Final = ("static", "hashing")
UPPER: Final = {"conversation, upper": 0.7}
SIZE: Final = 100_000
"""Memories of the speed part."""
QUESTIONS: Final = 100
ABOUT: Final = 5_000
"""Of the first so many memories."""
_BEST: Final = 10

Floats = NDArray[np.float32]
Row = dict[str, float]


@dataclass(slots=True)
class _Asked:
    """Scores of all questions and turns, and which turns are gold."""

    raw: list[Floats] = field(default_factory=list)
    calibrated: list[Floats] = field(default_factory=list)
    gold: list[NDArray[np.bool_]] = field(default_factory=list)

    def take(self, found: Candidates, gold: NDArray[np.bool_]) -> None:
        self.raw.append(found.signals[UNCALIBRATED])
        self.calibrated.append(found.scores)
        self.gold.append(gold)


def run_activation(datasets: Sequence[Dataset], *, size: int = SIZE) -> dict[str, object]:
    """Measure what is activated, and the speed; returns what the JSON file holds."""
    return {
        "benchmark": "activation",
        "made": provenance(),
        "how": HOW,
        "datasets": {dataset.name: _by_embedder(dataset) for dataset in datasets},
        "speed": _speed(size) if size else {},
    }


def _by_embedder(dataset: Dataset) -> dict[str, object]:
    return {spec: _measured(dataset, spec) for spec in EMBEDDERS}


def _measured(dataset: Dataset, spec: str) -> dict[str, object]:
    own, off = _Asked(), _Asked()
    rankings: list[Mapping[str, float]] = []
    kinds: Counter[str] = Counter()
    for conversation, stranger in _pairs(dataset):
        with _remembered(conversation, spec) as (memory, turn_of):
            for question in conversation.questions:
                if question.gold:
                    found = memory.lifecycle.candidates(question.text, user_id=conversation.id)
                    turns = [turn_of[memory_id] for memory_id in found.ids()]
                    rankings.append(measure(turns, question.gold))
                    own.take(found, np.array([turn in question.gold for turn in turns], np.bool_))
                    kinds.update(one.relevance_type for one in _aware(found)[:_BEST])
            for question in stranger.questions if stranger else ():
                if question.gold:
                    found = memory.lifecycle.candidates(question.text, user_id=conversation.id)
                    off.take(found, np.zeros(len(found), np.bool_))
    return {
        "ranking": mean(rankings),
        "before": _by_type(own.raw, off.raw, own.gold),
        "after": _by_type(own.calibrated, off.calibrated, own.gold),
        "relevance_types": {kind: round(count / kinds.total(), 3) for kind, count in sorted(kinds.items())},
    }


def _pairs(dataset: Dataset) -> Iterator[tuple[Conversation, Conversation | None]]:
    """Each conversation, and another one whose questions have nothing to do with it."""
    asked = [one for one in dataset.conversations if any(question.gold for question in one.questions)]
    for place, conversation in enumerate(asked):
        other = asked[(place + 1) % len(asked)]
        yield conversation, None if other is conversation else other


@contextmanager
def _remembered(conversation: Conversation, spec: str) -> Iterator[tuple[Memory, dict[str, str]]]:
    """A conversation in a memory that ranks by activation, and the turn of each of its memories."""
    embedder, clock = open_embedder(spec), DayAfter()
    clock.follow(conversation)
    scoring = ActivationScoring(calibration=for_embedder(embedder.name))
    store = InMemoryStore(clock=clock)
    with Memory(store, embedder=embedder, clock=clock, retrieval=Retrieval(scoring=scoring)) as memory:
        yield memory, remember(memory, conversation)


def _aware(found: Candidates) -> Awareness:
    return Awareness(found, thresholds=dict.fromkeys(("semantic", "contextual", "temporal", "mixed"), 0.3))


def _by_type(
    own: Sequence[Floats], off: Sequence[Floats], gold: Sequence[NDArray[np.bool_]]
) -> Mapping[str, Row]:
    """What the threshold of each context type activates."""
    scores, right, strange = np.concatenate(own), np.concatenate(gold), [np.empty(0, np.float32), *off]
    thresholds: dict[str, float] = dict([*THRESHOLDS.items(), *UPPER.items()])
    found = {}
    for name, threshold in sorted(thresholds.items(), key=lambda pair: pair[1]):
        active = scores >= threshold
        hits, all_active = int((active & right).sum()), int(active.sum())
        found[name] = {
            "threshold": threshold,
            "precision": round(hits / max(all_active, 1), 3),
            "recall": round(hits / max(int(right.sum()), 1), 3),
            "activated": round(all_active / len(own), 2),
            "off_topic_activated": round(
                int((np.concatenate(strange) >= threshold).sum()) / max(len(off), 1), 2
            ),
        }
    return found


def _speed(size: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder) / "shadow.db")
        written = stage("write_long", db=db, size=size)
        asked = questions(QUESTIONS, about=texts(min(size, ABOUT), seed=0), seed=1)
        floor = stage("product", size=size, asked=asked)
        return {"size": size, "written": written, "asked": stage("aware", db=db, asked=asked), "floor": floor}
