"""The page's sections on Shadow Memory: what is activated, and what thresholds learn."""

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks.datasets import title
from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, activation_targets, number

_SHOWN: Final = ("precision", "recall", "activated", "off_topic_activated")
_LEARNED: Final = ("near_after", "away")
_ACTIVATION: Final = """\
## Shadow Memory

Calibrated scores with the bundled embedder. Precision: the share of gold among activated turns; recall: the
share of gold that is activated; activated: how many a question, also of one about another
conversation.
"""
_THRESHOLDS: Final = """\
## Do thresholds find the best one, and stay there?

2,000 made-up outcomes, some told wrongly. Near after: how many it takes to come within one step of the best;
away: how far off the last 500 are on average, with and without memory of the thresholds that were left.
"""


def activation_section(result: Result) -> str:
    """What is activated, and what it costs."""
    parts = [_ACTIVATION]
    for name, embedders in result["datasets"].items():
        parts += [_activated(name, found) for embedder, found in embedders.items() if embedder == "static"]
    if result["speed"]:
        parts += [target_table(activation_targets(result)), _cost(result)]
    return "\n".join(parts)


def _activated(name: str, found: Result) -> str:
    ranking = found["ranking"]
    shares = f"{title(name)}: R@10 {100 * ranking['recall_at_10']:.1f}, MRR {number(ranking['mrr'])}."
    header = ["threshold", *(what.replace("_", " ") for what in _SHOWN)]
    return "\n".join([f"{shares}\n", table(header, _type_rows(found["after"]))])


def _type_rows(after: Mapping[str, Result]) -> Iterator[list[str]]:
    for name, row in after.items():
        yield [f"{name} {row['threshold']:g}", *(number(row[what]) for what in _SHOWN)]


def _cost(result: Result) -> str:
    asked = result["speed"]["asked"]
    return (
        f"What is activated takes p50 {number(asked['awareness']['p50_ms'])} ms; NumPy takes "
        f"{number(result['speed']['floor']['p50_ms'])} ms to compare as many vectors. The process peaks at "
        f"{number(asked['peak_memory_mb'])} MB.\n"
    )


def thresholds_section(result: Result) -> str:
    """What the thresholds learn."""
    rows = [
        [name, *(number(row[what]) for what in _LEARNED), number(result["plain"][name]["away"])]
        for name, row in result["learned"].items()
    ]
    moved = [
        [f"the best moves by 0.2, {name}", *(number(row[what]) for what in _LEARNED), ""]
        for name, row in result["moved"].items()
    ]
    return "\n".join([_THRESHOLDS, table(["", "near after", "away", "away, without"], [*rows, *moved])])
