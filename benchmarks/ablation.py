"""What each part of the score is worth: one thing changed at a time, everything else as shipped."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final
from unittest.mock import patch

import numpy as np

from benchmarks.retrieval import DayAfter, remember
from recollect import Memory
from recollect.retrieval.score import HINT, WEIGHTS
from recollect.text.dates import find_dates
from recollect_bench.datasets import Conversation, Dataset, Question
from recollect_bench.metrics import MRR_DEPTH, mean, measure
from recollect_bench.provenance import provenance

HOW: Final = (
    "Every question with evidence, as above, with one thing changed at a time. Where two values are given, "
    "they are about half and double of what is shipped."
)

_WORDS: Final = ("words", "words_near", "words_session")
_MEANING: Final = ("meaning", "meaning_near", "meaning_session")
_HINTS: Final = tuple(name for name, weight in WEIGHTS.items() if weight == HINT)
_LEFT_OUT: Final = ("time_match", *(name for name in _HINTS if name != "usefulness"))
"""Signals looked at one by one; nobody used the data sets' memories, so usefulness says nothing there."""

SHIPPED: Final = "as shipped"
DATELESS: Final = "without `time_match`"

Change = Mapping[str, object]
Metrics = Mapping[str, float]


def _weights(**changed: float) -> Change:
    return {"recollect.retrieval.score.WEIGHTS": {**WEIGHTS, **changed}}


def _only(*kept: str) -> Change:
    return _weights(**{name: 0.0 for name in WEIGHTS if name not in kept})


def _shares(words: float) -> Change:
    both = sum(WEIGHTS[name] for name in (*_WORDS, *_MEANING)) / 3
    return _weights(**dict.fromkeys(_WORDS, both * words), **dict.fromkeys(_MEANING, both * (1 - words)))


def _assistant(weight: float) -> Change:
    rooms = ("surroundings", "rank")
    return {f"recollect.retrieval.{room}.ASSISTANT_WEIGHT": weight for room in rooms}


def _constant(name: str, value: object) -> Change:
    return {f"recollect.retrieval.{name}": value}


CHANGES: Final[Mapping[str, Change]] = {
    SHIPPED: {},
    "the turn's words alone": _only("words"),
    "the turn's words and meaning": _only("words", "meaning"),
    "turn and neighbourhood, no hints": _only("words", "meaning", "words_near", "meaning_near"),
    "turn, neighbourhood and session, no hints": _only(*_WORDS, *_MEANING),
    "without the session": _weights(words_session=0.0, meaning_session=0.0),
    "without the neighbourhood": _weights(words_near=0.0, meaning_near=0.0),
    "without meaning (no vectors)": _weights(**dict.fromkeys(_MEANING, 0.0)),
    "without words": _weights(**dict.fromkeys(_WORDS, 0.0)),
    **{f"without `{name}`": _weights(**{name: 0.0}) for name in _LEFT_OUT},
    "the assistant's words count in full": _assistant(1.0),
    "the assistant's words count a quarter": _assistant(0.25),
    "the user's wishes count as other words": _constant("rank.WISH_WEIGHT", np.float32(1)),
    "the user's wishes count 1.5": _constant("rank.WISH_WEIGHT", np.float32(1.5)),
    "words to meaning 1 : 1": _shares(1 / 2),
    "words to meaning 4 : 1": _shares(4 / 5),
    "`time_match` 0.025": _weights(time_match=0.025),
    "`time_match` 0.1": _weights(time_match=0.1),
    "hints 0.0125": _weights(**dict.fromkeys(_HINTS, HINT / 2)),
    "hints 0.05": _weights(**dict.fromkeys(_HINTS, HINT * 2)),
    "without the vector of the turn before": _constant("surroundings.CONTINUED", np.float32(0)),
    "the vector of the turn before 0.7": _constant("surroundings.CONTINUED", np.float32(0.7)),
    "questions with what all have in common": _constant("surroundings.SHARED", np.float32(0)),
    "what all have in common 1": _constant("surroundings.SHARED", np.float32(1)),
    "meaning once in short questions to an assistant": _constant("score.IN_CHATS", 1.0),
    "meaning in short questions to an assistant 3": _constant("score.IN_CHATS", 3.0),
    "neighbours 0.25, 0.125": _constant("surroundings.NEAR", (0.25, 0.125)),
    "neighbours 1, 0.5": _constant("surroundings.NEAR", (1.0, 0.5)),
    "`k1` 0.6": _constant("signals.K1", np.float32(0.6)),
    "`k1` 2.4": _constant("signals.K1", np.float32(2.4)),
    "`b` 0.5": _constant("surroundings.LENGTH_SHARE", 0.5),
    "`b` 1": _constant("surroundings.LENGTH_SHARE", 1.0),
}
"""What is changed, by what it is called in the table."""


def run_ablation(datasets: Sequence[Dataset]) -> dict[str, object]:
    """Measure every change on every data set; returns what the JSON file holds."""
    rows: dict[str, dict[str, Metrics]] = {name: {} for name in CHANGES}
    dates: dict[str, dict[str, dict[str, float]]] = {}
    for dataset in datasets:
        measured = _by_change(dataset)
        for name, metrics in measured.items():
            rows[name][dataset.name] = mean(metrics)
        dates[dataset.name] = by_date(_dated(dataset), measured[SHIPPED], measured[DATELESS])
    return {"benchmark": "ablation", "made": provenance(), "how": HOW, "rows": rows, "dates": dates}


def by_date(
    asked: Sequence[tuple[str, bool]], shipped: Sequence[Metrics], dateless: Sequence[Metrics]
) -> dict[str, dict[str, float]]:
    """What ``time_match`` does to R@10: of all questions, and of each category.

    Args:
        asked: The category of each question, and whether it names a date.
        shipped: What was measured of each with the score as it is.
        dateless: The same with the weight of ``time_match`` at 0.
    """
    groups: dict[str, list[tuple[bool, float, float]]] = {"all": []}
    for (category, is_dated), one, other in zip(asked, shipped, dateless, strict=True):
        found = (is_dated, one["recall_at_10"], other["recall_at_10"])
        groups["all"].append(found)
        groups.setdefault(category, []).append(found)
    return {category: _compared(groups[category]) for category in ("all", *sorted(set(groups) - {"all"}))}


def _compared(group: Sequence[tuple[bool, float, float]]) -> dict[str, float]:
    count = max(len(group), 1)
    return {
        "questions": len(group),
        "with_a_date": sum(is_dated for is_dated, _, _ in group),
        "shipped": sum(shipped for _, shipped, _ in group) / count,
        "dateless": sum(dateless for _, _, dateless in group) / count,
        "better": sum(shipped > dateless for _, shipped, dateless in group),
        "worse": sum(shipped < dateless for _, shipped, dateless in group),
    }


def _by_change(dataset: Dataset) -> dict[str, list[Metrics]]:
    """Every change, measured on one memory that holds the data set."""
    clock = DayAfter()
    measured: dict[str, list[Metrics]] = {}
    with Memory(":memory:", embedder="static", clock=clock) as memory:
        turn_of = {c.id: remember(memory, c) for c in dataset.conversations}
        for name, change in CHANGES.items():
            with _changed(memory, change):
                measured[name] = list(_measured(memory, dataset, turn_of, clock))
    return measured


@contextmanager
def _changed(memory: Memory, change: Change) -> Iterator[None]:
    """Change module constants for a while; what was derived from them is derived anew."""
    with ExitStack() as stack:
        for target, value in change.items():
            stack.enter_context(patch(target, value))
        memory.parts.recall.forget()
        yield


def _measured(
    memory: Memory, dataset: Dataset, turn_of: Mapping[str, Mapping[str, str]], clock: DayAfter
) -> Iterator[Metrics]:
    for conversation, question in _asked(dataset, clock):
        hits = memory.search(question.text, user_id=conversation.id, top_k=MRR_DEPTH)
        names = turn_of[conversation.id]
        yield measure([names[hit.memory.id] for hit in hits], question.gold)


def _dated(dataset: Dataset) -> list[tuple[str, bool]]:
    """The category of every question, and whether it names a date, read as a search reads it."""
    clock = DayAfter()
    return [
        (question.category, bool(find_dates(question.text, now=clock(), prefer="past")))
        for _, question in _asked(dataset, clock)
    ]


def _asked(dataset: Dataset, clock: DayAfter) -> Iterator[tuple[Conversation, Question]]:
    """Every question with evidence, in order, with the clock at the moment it is asked."""
    for conversation in dataset.conversations:
        clock.follow(conversation)
        for question in conversation.questions:
            if question.gold:
                yield conversation, question
