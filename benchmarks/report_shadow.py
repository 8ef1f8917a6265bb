"""The page's sections on Shadow Memory: what is activated, and what thresholds learn."""

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks.datasets import short_title
from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, activation_targets, number

_SHOWN: Final = ("precision", "recall", "activated", "off_topic_activated")
_LEARNED: Final = ("near_after", "away")
_BETWEEN: Final = "10% wrong"
"""Rows between two others, which the results have and the page leaves out."""
_ACTIVATION: Final = """\
## Shadow Memory

Calibrated scores with the bundled embedder. Precision: the share of evidence among activated turns; recall:
the share of evidence that is activated; activated: how many turns for a question, and for one about another
conversation ("off topic").
"""
_THRESHOLDS: Final = """\
## Do thresholds find the best one, and stay there?

2,000 made-up outcomes, some of them wrong. Near after: how many it takes to come within one step of the best;
away: how far off the last 500 are on average, with and without memory of earlier thresholds.
"""


def activation_section(result: Result) -> str:
    """What is activated, and what it costs."""
    parts = [_ACTIVATION]
    static = {
        short_title(name): found["static"] for name, found in result["datasets"].items() if "static" in found
    }
    parts += [table(["threshold", *(what.replace("_", " ") for what in _SHOWN)], _type_rows(static))]
    if result["speed"]:
        parts += [target_table(activation_targets(result)), _cost(result)]
    return "\n".join(parts)


def _type_rows(datasets: Mapping[str, Result]) -> Iterator[list[str]]:
    for dataset, found in datasets.items():
        for name, row in found["after"].items():
            label = f"{dataset}, {name} {row['threshold']:g}"
            yield [label, *(number(row[what]) for what in _SHOWN)]


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
        if not name.endswith(_BETWEEN)
    ]
    moved = [
        [f"the best moves by 0.2, {name}", *(number(row[what]) for what in _LEARNED), ""]
        for name, row in result["moved"].items()
        if not name.endswith(_BETWEEN)
    ]
    return "\n".join([_THRESHOLDS, table(["", "near after", "away", "away, without"], [*rows, *moved])])
