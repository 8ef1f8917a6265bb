"""Does importance tell substance from small talk? ``python -m benchmarks.importance --locomo PATH``."""

import argparse
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from recollect.embedders import open_embedder
from recollect.lifecycle.importance import (
    FACTORS,
    WEIGHTS,
    Importance,
    Level,
    calculate_importance,
    centralities,
)
from recollect.protocols import Embedder
from recollect.retrieval.vectors import quantise
from recollect.text.analyse import Analyser, Analysis
from recollect.text.tags.extract import Corpus, extract_tags
from recollect.types import Tag
from recollect_bench.datasets import LOADERS, Conversation, Dataset, Turn
from recollect_bench.provenance import provenance

HOW: Final = (
    "Every turn gets its importance as at the end of its conversation: with its tags, how central its vector "
    "is among all of the conversation's, and its age at the last turn. The source is `assistant` for an "
    "assistant's turns and `chat` for all others. Area under the ROC curve: how often a turn that some "
    "question names as evidence has a higher number than one that none names, ties counting half; 0.5 is "
    "chance. `alone` is a factor by itself, `without` the score with its weight at 0. The questions play no "
    "other part."
)

_LEVELS: Final[tuple[Level, ...]] = ("CRITICAL", "HIGH", "MEDIUM", "LOW")
_SECONDS_A_DAY: Final = 86_400
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class _Measured:
    """A turn with what its importance is made from, and whether it is evidence."""

    turn: Turn
    gold: bool
    tags: Sequence[Tag]
    telling: int
    centrality: float
    age_days: float | None

    def importance(self, weights: Mapping[str, float] = WEIGHTS) -> Importance:
        return calculate_importance(
            self.turn.text,
            tags=self.tags,
            source="assistant" if self.turn.role == "assistant" else "chat",
            centrality=self.centrality,
            age_days=self.age_days,
            telling=self.telling,
            weights=weights,
        )


def run_importance(datasets: Sequence[Dataset]) -> dict[str, object]:
    """Measure data sets; returns what the JSON file holds."""
    embedder, analyser = open_embedder("static"), Analyser("en")
    found = {}
    for dataset in datasets:
        turns = [turn for c in dataset.conversations for turn in _measure(c, embedder, analyser)]
        found[dataset.name] = _evaluate(turns)
    return {
        "benchmark": "importance",
        "made": provenance(),
        "how": HOW,
        "weights": dict(WEIGHTS),
        "datasets": found,
    }


def roc_auc(scores: ArrayLike, gold: ArrayLike) -> float:
    """The area under the ROC curve: the chance that a gold row scores above another, ties counting half.

    From the ranks of the gold rows (Mann and Whitney 1947); 0.5 when there are no gold rows, or no others.

    >>> roc_auc([0.9, 0.4, 0.4, 0.1], [True, True, False, False])
    0.875
    """
    values, is_gold = np.asarray(scores, np.float64), np.asarray(gold, np.bool_)
    ordered = np.sort(values)
    ranks = (np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") + 1) / 2
    golds, others = int(is_gold.sum()), int((~is_gold).sum())
    wins = float(ranks[is_gold].sum()) - golds * (golds + 1) / 2
    return wins / (golds * others) if golds and others else 0.5


def _measure(conversation: Conversation, embedder: Embedder, analyser: Analyser) -> list[_Measured]:
    """The turns of a conversation, seen from its end."""
    turns = conversation.turns
    gold = {turn for question in conversation.questions for turn in question.gold}
    analyses = analyser.analyse([turn.text for turn in turns])
    corpus = _corpus(analyses)
    vectors = quantise(embedder.embed_documents([turn.text for turn in turns]))
    total = vectors.sum(axis=0, dtype=np.int64)
    end = max((turn.time for turn in turns if turn.time is not None), default=None)
    return [
        _Measured(
            turn=turn,
            gold=turn.id in gold,
            tags=extract_tags(turn.text, analyser=analyser, corpus=corpus),
            telling=analysis.telling,
            centrality=float(centralities(vector[np.newaxis], total)[0]),
            age_days=_days(turn.time, end),
        )
        for turn, analysis, vector in zip(turns, analyses, vectors, strict=True)
    ]


def _corpus(analyses: Sequence[Analysis]) -> Corpus:
    terms = (term for found in analyses for term in np.frombuffer(found.terms, "<u4").tolist())
    return Corpus(documents=len(analyses), frequencies=Counter(terms))


def _days(moment: datetime | None, end: datetime | None) -> float | None:
    return None if moment is None or end is None else (end - moment).total_seconds() / _SECONDS_A_DAY


def _evaluate(turns: Sequence[_Measured]) -> dict[str, object]:
    """Areas for all turns, and for what people said alone where assistants took part; levels; time."""
    started = time.process_time()
    whole = [turn.importance() for turn in turns]
    spent = time.process_time() - started
    groups = {"all": list(turns)}
    said = [turn for turn in turns if turn.turn.role == "user"]
    if len(said) < len(turns):
        groups["user"] = said
    return {
        "counts": {
            name: {"turns": len(group), "gold": sum(turn.gold for turn in group)}
            for name, group in groups.items()
        },
        "roc_auc": {name: _areas(group) for name, group in groups.items()},
        "levels": _levels(whole, [turn.gold for turn in turns]),
        "microseconds_per_turn": round(1e6 * spent / len(turns), 1),
    }


def _areas(turns: Sequence[_Measured]) -> dict[str, float]:
    """The area of the score, the baseline, each factor alone, and the score without each."""
    gold = [turn.gold for turn in turns]
    whole = [turn.importance() for turn in turns]
    numbers: dict[str, list[float]] = {
        "score": [importance.score for importance in whole],
        "length in characters": [float(len(turn.turn.text)) for turn in turns],
    }
    for factor in FACTORS:
        numbers[f"{factor} alone"] = [importance.factors.get(factor, 0.0) for importance in whole]
    for factor in FACTORS:
        weights = {**WEIGHTS, factor: 0.0}
        numbers[f"without {factor}"] = [turn.importance(weights).score for turn in turns]
    return {name: round(roc_auc(values, gold), _DIGITS) for name, values in numbers.items()}


def _levels(whole: Sequence[Importance], gold: Sequence[bool]) -> dict[str, dict[str, float]]:
    """Of each level, how many turns have it, and the share of gold ones among them."""
    found: dict[str, dict[str, float]] = {}
    for level in _LEVELS:
        golds = [
            is_gold for importance, is_gold in zip(whole, gold, strict=True) if importance.level == level
        ]
        found[level] = {
            "turns": len(golds),
            "gold_share": round(sum(golds) / len(golds), _DIGITS) if golds else 0.0,
        }
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the data sets given and print the result."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.importance", description=__doc__)
    for name in LOADERS:
        parser.add_argument(f"--{name}", type=Path, metavar="PATH", help=f"the {name} file")
    given = vars(parser.parse_args(arguments))
    print(json.dumps(run_importance([LOADERS[name](path) for name, path in given.items() if path]), indent=1))


if __name__ == "__main__":
    main()
