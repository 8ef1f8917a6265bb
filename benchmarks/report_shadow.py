"""The page's sections on Shadow Memory: what is activated, and what thresholds learn."""

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, activation_targets, number
from recollect_bench.datasets import short_title

_SHOWN: Final = ("precision", "recall", "activated", "off_topic_activated")
_ACTIVATION: Final = """\
## Shadow Memory

Calibrated scores with the static embedder: precision and recall of evidence among activated turns; how many
turns a question activates, and one about another conversation ("off topic").
"""
_KINDS: Final = ("conversation", "query", "task")
"""The contexts of the page; the results have the others too."""


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
        for name, row in ((name, found["after"][name]) for name in _KINDS):
            label = f"{dataset}, {name} {row['threshold']:g}"
            yield [label, *(number(row[what]) for what in _SHOWN)]


def _cost(result: Result) -> str:
    asked = result["speed"]["asked"]
    return (
        f"NumPy compares as many vectors in {number(result['speed']['floor']['p50_ms'])} ms; "
        f"the process peaks at {number(asked['peak_memory_mb'])} MB.\n"
    )


def thresholds_section(result: Result) -> str:
    """How near the thresholds come to the best one, at worst."""
    learned, moved = result["learned"].values(), result["moved"].values()
    near = number(max(row["near_after"] for row in (*learned, *moved)))
    away = number(max(row["away"] for row in (*learned, *moved)))
    plain = number(max(row["away"] for row in result["plain"].values()))
    return (
        "## Do thresholds find the best one, and stay there?\n\n"
        "2,000 made-up outcomes, up to 20% of them wrong, the best threshold higher, lower or moving by 0.2. "
        f"A threshold is one step from the best after at most {near} outcomes; its mean distance in the "
        f"last 500 is at most {away} ({plain} without memory of earlier thresholds).\n"
    )
