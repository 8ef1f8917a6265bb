"""Do Shadow Memory's thresholds mean what they say? ``python -m benchmarks.thresholds --locomo PATH``."""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.datasets import LOADERS, Conversation, Dataset, Question
from benchmarks.provenance import provenance
from recollect.embedders import open_embedder
from recollect.lifecycle.thresholds import THRESHOLDS, ThresholdManager
from recollect.protocols import Embedder
from recollect.retrieval.activation import (
    activation_score,
    half_life_decay,
    jaccard,
    relevance_type,
    token_overlap,
)
from recollect.retrieval.calibration import Calibration, estimate, for_embedder
from recollect.stores.memory import InMemoryStore
from recollect.text.analyse import Analyser
from recollect.text.tags import extract_tags
from recollect.types import Scope

HOW_THRESHOLDS: Final = (
    "A memory is relevant in half of the cases; scores of relevant and of other memories are normal with the "
    "given mean and deviation, so the best threshold lies half way. Each of 2,000 outcomes tells the manager "
    "of one memory whether it was activated and whether it was relevant; of the share that is wrong it tells "
    "the opposite of relevant. `turns` are changes of direction; `near_after` is how many outcomes it takes "
    "to come within one step of the best, `away` how far from it the threshold is in the mean of the last "
    "500. `plain` goes back to a threshold as readily as on to another. In `moved` the best threshold rises "
    "by 0.2 after 1,000 outcomes, from where `near_after` counts."
)
HOW_ACTIVATION: Final = (
    "Raw activation scores (spec's weights) of every turn of a conversation for each of its questions, asked "
    "at the conversation's end. Topics and entities are the stems of a text's tags, the summary is the turn. "
    "A context type is its threshold: the data sets ask nothing but questions. `raw` compares the score as "
    "it is, `known` with the embedder's calibration, `adapted` with that moved by the question's own scores. "
    "Precision is the share of gold among activated turns and recall the share of gold that is activated, "
    "both over all questions; `activated` is how many a question. `off_topic` asks another conversation of "
    "the same data set, where nothing is right."
)

OUTCOMES: Final = 2_000
SEEDS: Final = 5
WORLDS: Final = {"apart": ((0.7, 0.1), (0.4, 0.1)), "overlapping": ((0.65, 0.12), (0.45, 0.12))}
"""Mean and deviation of relevant and of other memories' scores."""
BEST: Final = 0.55
STARTS: Final = {"too low": 0.15, "too high": 0.95}
WRONG_FEEDBACK: Final = (0.0, 0.1, 0.2)
UPPER: Final = {"conversation, upper": 0.7}
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)

_ME: Final = Scope(user_id="me")
_ANALYSER: Final = Analyser("en")
_SECONDS_A_DAY: Final = 86_400
_BEST_TEN: Final = 10

Floats = NDArray[np.float32]
Row = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """What the activation score needs of some texts.

    Attributes:
        vectors: ``float32`` of shape ``(n, dim)``.
        tags: The stems of each text's tags.
        stems: Each text's stems without function words.
    """

    vectors: Floats
    tags: Sequence[frozenset[str]]
    stems: Sequence[frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Questions and turns: signals and scores of shape ``(questions, turns)``; gold alike, if they belong."""

    signals: Sequence[Floats]
    scores: Floats
    gold: NDArray[np.bool_]


def run_thresholds() -> dict[str, object]:
    """Simulate learning from feedback; returns what the JSON file holds."""
    return {
        "benchmark": "thresholds",
        "made": provenance(),
        "how": HOW_THRESHOLDS,
        "outcomes": OUTCOMES,
        "seeds": SEEDS,
        "learned": _with_rule(),
        "plain": _with_rule(margin=-1.0),
        "moved": {
            f"{wrong:.0%} wrong": _summed(
                [_simulate("apart", 0.55, wrong, seed, moves=0.2) for seed in range(SEEDS)]
            )
            for wrong in WRONG_FEEDBACK
        },
    }


def run_activation(datasets: Sequence[Dataset]) -> dict[str, object]:
    """Measure what each threshold activates; returns what the JSON file holds."""
    return {
        "benchmark": "activation",
        "made": provenance(),
        "how": HOW_ACTIVATION,
        "datasets": {dataset.name: _activation(dataset) for dataset in datasets},
    }


def _with_rule(margin: float | None = None) -> dict[str, Row]:
    found = {}
    for world in WORLDS:
        for name, start in STARTS.items():
            for wrong in WRONG_FEEDBACK:
                runs = [_simulate(world, start, wrong, seed, margin=margin) for seed in range(SEEDS)]
                found[f"{world}, {name}, {wrong:.0%} wrong"] = _summed(runs)
    return found


def _summed(runs: Sequence[Row]) -> Row:
    means = {name: round(float(np.mean([run[name] for run in runs])), 3) for name in runs[0]}
    return {**means, "most_turns": max(run["turns"] for run in runs)}


def _simulate(
    world: str, start: float, wrong: float, seed: int, *, margin: float | None = None, moves: float = 0.0
) -> Row:
    if margin is not None:
        with patch("recollect.lifecycle.thresholds._MARGIN", margin):
            return _simulate(world, start, wrong, seed, moves=moves)
    rng = np.random.default_rng(seed)
    manager = ThresholdManager(
        InMemoryStore(), _ME, thresholds={"document": start}, bounds={"document": (0.0, 1.0)}
    )
    path = [start]
    for number in range(OUTCOMES):
        relevant = bool(rng.random() < 0.5)
        mean, deviation = WORLDS[world][0 if relevant else 1]
        shift = moves if number >= OUTCOMES // 2 else 0.0
        activated = bool(rng.normal(mean + shift, deviation) >= path[-1])
        told = relevant != bool(rng.random() < wrong)
        changes = manager.record("document", activated=activated, relevant=told)
        path.append(changes[0].after if changes else path[-1])
    return _of_path(np.array(path), BEST + moves, since=OUTCOMES // 2 if moves else 0)


def _of_path(path: NDArray[np.float64], best: float, *, since: int) -> Row:
    steps = np.diff(path)[np.diff(path) != 0]
    near = np.flatnonzero(np.abs(path[since:] - best) <= 0.1 + 1e-9)
    return {
        "steps": len(steps),
        "turns": int((np.sign(steps[1:]) != np.sign(steps[:-1])).sum()),
        "near_after": int(near[0]) if len(near) else OUTCOMES,
        "away": float(np.abs(path[-500:] - best).mean()),
    }


def _activation(dataset: Dataset) -> dict[str, object]:
    found: dict[str, object] = {}
    for spec in ("static", "hashing"):
        embedder = open_embedder(spec)
        own, off = _asked(dataset, embedder)
        known = for_embedder(embedder.name)
        found[embedder.name] = {
            "raw_scores": {"gold": _quantiles(own, gold=True), "other": _quantiles(own, gold=False)},
            "estimated": _estimated(own),
            "raw": _by_type(own, off, _always(Calibration())),
            "known": _by_type(own, off, _always(known)),
            "adapted": _by_type(own, off, known.adapted),
            "relevance_types": _relevance(own),
        }
    return found


def _always(calibration: Calibration) -> Callable[[Floats], Calibration]:
    return lambda _: calibration


def _asked(dataset: Dataset, embedder: Embedder) -> tuple[list[Asked], list[Asked]]:
    """The questions of each conversation asked of its own turns, and of the next one's."""
    conversations = [one for one in dataset.conversations if any(asked.gold for asked in one.questions)]
    questions = [[asked for asked in one.questions if asked.gold] for one in conversations]
    asked_texts = [_texts([asked.text for asked in some], embedder) for some in questions]
    turn_texts = [_texts([turn.text for turn in one.turns], embedder) for one in conversations]
    own = [_ask(*pair) for pair in zip(asked_texts, turn_texts, conversations, questions, strict=True)]
    after = [*range(1, len(conversations)), 0]
    off = [
        _ask(asked_texts[place], turn_texts[other], conversations[other], [])
        for place, other in enumerate(after)
        if place != other
    ]
    return own, off


def _texts(texts: Sequence[str], embedder: Embedder) -> Texts:
    return Texts(
        vectors=embedder.embed_documents(texts),
        tags=[
            frozenset(
                stem for tag in extract_tags(text, analyser=_ANALYSER) for stem in _ANALYSER.stems(tag.text)
            )
            for text in texts
        ],
        stems=[frozenset(_ANALYSER.query_stems(text)) for text in texts],
    )


def _ask(asked: Texts, turns: Texts, conversation: Conversation, questions: Sequence[Question]) -> Asked:
    cosine = np.clip(asked.vectors @ turns.vectors.T, 0, 1).astype(np.float32)
    metadata = _likeness(asked.tags, turns.tags, jaccard)
    summary = _likeness(asked.stems, turns.stems, token_overlap)
    temporal = np.broadcast_to(half_life_decay(_ages(conversation)), cosine.shape).astype(np.float32)
    gold = np.array([[turn.id in one.gold for turn in conversation.turns] for one in questions], np.bool_)
    scores = activation_score(cosine, metadata, summary, temporal)
    return Asked(signals=(cosine, metadata, summary, temporal), scores=scores.astype(np.float32), gold=gold)


def _likeness(
    asked: Sequence[frozenset[str]],
    held: Sequence[frozenset[str]],
    of_counts: Callable[[NDArray[np.int64], int, NDArray[np.int64]], Floats],
) -> Floats:
    sizes = np.array([len(words) for words in held])
    places = {word: place for place, word in enumerate(sorted(frozenset().union(*asked)))}
    holds = np.zeros((len(held), len(places)), np.float32)
    for row, words in enumerate(held):
        holds[row, [places[word] for word in words if word in places]] = 1
    rows = []
    for words in asked:
        shared = holds[:, [places[word] for word in words]].sum(axis=1).astype(np.int64)
        rows.append(of_counts(shared, len(words), sizes))
    return np.stack(rows)


def _ages(conversation: Conversation) -> NDArray[np.float64]:
    """Days from each turn to the conversation's end; 0 where no time is known."""
    end = max((turn.time for turn in conversation.turns if turn.time), default=None)
    return np.array(
        [
            (end - turn.time).total_seconds() / _SECONDS_A_DAY if end and turn.time else 0
            for turn in conversation.turns
        ]
    )


def _quantiles(asked: Sequence[Asked], *, gold: bool) -> dict[str, float]:
    scores = np.concatenate([one.scores[one.gold == gold] for one in asked])
    return {str(share): round(float(np.quantile(scores, share)), 3) for share in QUANTILES}


def _estimated(asked: Sequence[Asked]) -> dict[str, float]:
    found = [estimate(row) for one in asked for row in one.scores]
    return {
        "midpoint": round(float(np.median([one.midpoint or 0 for one in found])), 3),
        "step": round(float(np.median([one.step or 0 for one in found])), 3),
    }


def _by_type(
    own: Sequence[Asked], off: Sequence[Asked], calibration_of: Callable[[Floats], Calibration]
) -> Mapping[str, Row]:
    """What the threshold of each context type activates."""
    mine, others = (
        [np.stack([calibration_of(row).apply(row) for row in one.scores]) for one in some]
        for some in (own, off)
    )
    gold = np.concatenate([one.gold.ravel() for one in own])
    scores = np.concatenate([one.ravel() for one in mine])
    asked, off_asked = sum(map(len, mine)), max(sum(map(len, others)), 1)
    found = {}
    thresholds: dict[str, float] = dict([*THRESHOLDS.items(), *UPPER.items()])
    for name, threshold in sorted(thresholds.items(), key=lambda pair: pair[1]):
        active = scores >= threshold
        right = int((active & gold).sum())
        found[name] = {
            "threshold": threshold,
            "precision": round(right / max(int(active.sum()), 1), 3),
            "recall": round(right / int(gold.sum()), 3),
            "activated": round(int(active.sum()) / asked, 2),
            "off_topic_activated": round(sum(int((one >= threshold).sum()) for one in others) / off_asked, 2),
        }
    return found


def _relevance(asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """Relevance types of each question's ten best turns: of the score, and of what is over the median."""
    counted: dict[str, Counter[str]] = {"score": Counter(), "over the median": Counter()}
    for one in asked:
        for row, scores in enumerate(one.scores):
            signals = np.stack([signal[row] for signal in one.signals])
            usual = np.median(signals, axis=1).tolist()
            for turn in np.argsort(-scores, kind="stable")[:_BEST_TEN]:
                mine = signals[:, turn].tolist()
                counted["score"][relevance_type(mine)] += 1
                counted["over the median"][relevance_type(mine, usual=usual)] += 1
    return {
        name: {kind: round(count / counts.total(), 3) for kind, count in sorted(counts.items())}
        for name, counts in counted.items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate, measure the data sets given, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thresholds", description=__doc__)
    for name in LOADERS:
        parser.add_argument(f"--{name}", type=Path, metavar="PATH", help=f"the {name} file")
    given = vars(parser.parse_args(arguments))
    datasets = [LOADERS[name](path) for name, path in given.items() if path]
    print(json.dumps([run_thresholds(), *([run_activation(datasets)] if datasets else [])], indent=1))


if __name__ == "__main__":
    main()
