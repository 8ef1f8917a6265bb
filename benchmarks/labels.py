"""What reading the words costs: how right the dates are, how long a turn takes, how much slower adding is."""

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar
from unittest.mock import patch

from benchmarks.dates import run_dates
from benchmarks.measuring import Stopwatch, microseconds
from benchmarks.retrieval import as_message, remember
from recollect import Memory
from recollect.ingest.labels import Labeller
from recollect.lifecycle import importance
from recollect.protocols import Features
from recollect.text import dates, parameters, priority, tags
from recollect.types import MemoryRecord, Scope
from recollect_bench.datasets import Dataset
from recollect_bench.provenance import provenance

_HOMES: Final = {
    "extract_tags": tags,
    "find_dates": dates,
    "find_parameters": parameters,
    "find_priority": priority,
    "calculate_importance": importance,
}
PARTS: Final = ("statistics", *_HOMES)
"""What labelling calls; the first is the store's and is read once a call, the others once a memory."""
MOST_TURNS: Final = 6_000
"""Turns timed in a data set; of a larger one so many are drawn."""
BATCH: Final = 1_000
ROUNDS: Final = 3
_SEED: Final = 2026

HOW: Final = (
    "Dates: the table of expressions in tests/text, each in a sentence with the moment and the zone it is "
    "read in; right is one whose words, start, end, grain and relation are all as the table says. A turn: "
    "the data set is stored unlabelled in a file, one user per conversation, one add per session; then every "
    f"turn (of more than {MOST_TURNS:,}, so many drawn with a seed) is labelled once by itself, as an add of "
    "one turn does it: with its features made before, and the counts of its words read from the store. The "
    "parts are timed inside of it, so that the whole holds some microseconds of reading the clock. "
    "Processor: the process's own time for the whole, which leaves out what other programs took. Adding: all "
    f"turns for one user, in batches of {BATCH:,} to a new file, with labelling and with labelling left out, "
    f"by turns; medians of {ROUNDS} rounds each."
)

Messages = Sequence[dict[str, object]]
_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


def run_labels(datasets: Sequence[Dataset]) -> dict[str, object]:
    """Measure the table of dates, and data sets if there are any; returns what the JSON file holds."""
    started = time.perf_counter()
    return {
        "benchmark": "labels",
        "made": provenance(),
        "how": HOW,
        "dates": run_dates(),
        "datasets": {
            dataset.name: {"turn": time_turns(dataset), "adding": time_adding(dataset)}
            for dataset in datasets
        },
        "seconds": round(time.perf_counter() - started, 1),
    }


def time_turns(dataset: Dataset) -> dict[str, Any]:
    """Microseconds of labelling a turn against a store that holds them all: of the whole, and its parts."""
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "m.db", embedder="static") as memory:
        with _put_off() as kept:
            for conversation in dataset.conversations:
                remember(memory, conversation)
        chosen = kept if len(kept) <= MOST_TURNS else random.Random(_SEED).sample(kept, MOST_TURNS)
        labeller = memory.parts.labeller
        with _watched(memory) as spent:
            clock, processor = zip(*[_times(turn, labeller) for turn in chosen], strict=True)
    rest = [turn - sum(parts) for turn, *parts in zip(clock, *spent.values(), strict=True)]
    return {
        "turns": len(chosen),
        "characters_p50": statistics.median(len(turn.record.content) for turn in chosen),
        "whole": microseconds(clock),
        "processor": microseconds(processor),
        "parts": {name: microseconds(seconds) for name, seconds in spent.items()},
        "rest": microseconds(rest),
    }


def time_adding(dataset: Dataset) -> dict[str, Any]:
    """Memories a second of the clock and of the processor, with labelling and without, in alternation."""
    messages = [as_message(turn) for conversation in dataset.conversations for turn in conversation.turns]
    rounds: dict[str, list[dict[str, float]]] = {"labelled": [], "unlabelled": []}
    for _ in range(ROUNDS):
        rounds["labelled"].append(_rates(messages))
        with patch.object(Labeller, "label", _as_they_are):
            rounds["unlabelled"].append(_rates(messages))
    medians = {
        name: {unit: statistics.median(rates[unit] for rates in found) for unit in found[0]}
        for name, found in rounds.items()
    }
    return {**medians, "rounds": rounds}


def _rates(messages: Messages) -> dict[str, float]:
    clock, stored = Stopwatch(), 0
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "m.db", embedder="static") as memory:
        for start in range(0, len(messages), BATCH):
            batch = messages[start : start + BATCH]
            with clock:
                results = memory.add(batch, user_id="all", session_id=f"batch-{start}")
            stored += sum(result.id is not None for result in results)
    return {unit: round(rate, 1) for unit, rate in clock.rates(stored).items()}


def _as_they_are(
    _labeller: Labeller, _scope: Scope, records: Sequence[MemoryRecord], *_given: object, **_named: object
) -> list[MemoryRecord]:
    return list(records)


@dataclass(frozen=True, slots=True)
class _Unlabelled:
    """A memory as ``Labeller.label`` gets it."""

    scope: Scope
    record: MemoryRecord
    features: Features
    is_rated: bool
    now: datetime

    def label(self, labeller: Labeller) -> None:
        """Label it by itself."""
        labeller.label(self.scope, [self.record], [self.features], rated=[self.is_rated], now=self.now)


@contextmanager
def _put_off() -> Iterator[list[_Unlabelled]]:
    """While it lasts, labelling leaves the records as they are; what it was given is listed."""
    kept: list[_Unlabelled] = []

    def label(
        _labeller: Labeller,
        scope: Scope,
        records: Sequence[MemoryRecord],
        features: Sequence[Features],
        *,
        rated: Sequence[bool],
        now: datetime,
    ) -> list[MemoryRecord]:
        kept.extend(_Unlabelled(scope, *given, now) for given in zip(records, features, rated, strict=True))
        return list(records)

    with patch.object(Labeller, "label", label):
        yield kept


@contextmanager
def _watched(memory: Memory) -> Iterator[Mapping[str, list[float]]]:
    """While it lasts, the seconds of every call of each part are listed."""
    spent: dict[str, list[float]] = {name: [] for name in PARTS}
    with ExitStack() as stack:
        for name, seconds in spent.items():
            owner = _HOMES.get(name, memory.parts.store)
            stack.enter_context(patch.object(owner, name, _timed(getattr(owner, name), seconds)))
        yield spent


def _timed(call: Callable[_Given, _Found], seconds: list[float]) -> Callable[_Given, _Found]:
    def timed(*given: _Given.args, **named: _Given.kwargs) -> _Found:
        started = time.perf_counter()
        found = call(*given, **named)
        seconds.append(time.perf_counter() - started)
        return found

    return timed


def _times(turn: _Unlabelled, labeller: Labeller) -> tuple[float, float]:
    """The seconds of the clock, and of the processor."""
    before, started = time.process_time(), time.perf_counter()
    turn.label(labeller)
    return time.perf_counter() - started, time.process_time() - before
