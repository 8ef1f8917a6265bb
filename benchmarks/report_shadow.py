"""The page's sections on Shadow Memory: what is activated, and what thresholds learn."""

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks.datasets import title
from benchmarks.markdown import busy, made, table, target_table
from benchmarks.targets import Result, activation_targets, number

_EMBEDDERS: Final = {"static": "the bundled embedder", "hashing": "the mock embedder"}
_SHOWN: Final = ("precision", "recall", "activated", "off_topic_activated")
_PARTS: Final = {
    "learned": "with memory of what was left",
    "plain": "without",
}


def activation_section(result: Result) -> str:
    """What is activated, and what it costs."""
    parts = [f"## Shadow Memory\n\n{result['how']} {made(result)}\n"]
    for name, embedders in result["datasets"].items():
        parts += [_activated(name, embedder, found) for embedder, found in embedders.items()]
    if result["speed"]:
        parts += ["### Its speed\n", busy(result), target_table(activation_targets(result)), _cost(result)]
    return "\n".join(parts)


def _activated(name: str, embedder: str, found: Result) -> str:
    ranking, kinds = found["ranking"], found["relevance_types"]
    header = ["", *(f"{when}, {what.replace('_', ' ')}" for what in _SHOWN for when in ("before", "after"))]
    return "\n".join(
        [
            f"### Activation on {title(name)}, {_EMBEDDERS[embedder]}\n",
            f"As a ranking: R@10 {100 * ranking['recall_at_10']:.1f}, MRR {number(ranking['mrr'])}.",
            f"The ten best of a question are {_shares(kinds)}.\n",
            table(header, _type_rows(found["before"], found["after"])),
        ]
    )


def _shares(kinds: Mapping[str, float]) -> str:
    return ", ".join(f"{kind} {100 * share:.0f}%" for kind, share in kinds.items())


def _type_rows(before: Result, after: Result) -> Iterator[list[str]]:
    for name, row in before.items():
        pairs = [(row[what], after[name][what]) for what in _SHOWN]
        yield [f"{name} {row['threshold']:g}", *(number(value) for pair in pairs for value in pair)]


def _cost(result: Result) -> str:
    asked, written = result["speed"]["asked"], result["speed"]["written"]
    stored = written["bytes_per_memory"] * result["speed"]["size"] / 1e6
    floor = number(result["speed"]["floor"]["p50_ms"])
    return (
        f"What is activated takes p50 {number(asked['awareness']['p50_ms'])} ms. The process had "
        f"{number(asked['peak_memory_loaded_mb'])} MB at its peak after the first question, with the shadow "
        f"of all {asked['memories']:,} memories in it, and {number(asked['peak_memory_mb'])} MB at the end; "
        f"the store has {stored:,.0f} MB. In the same run NumPy takes p50 {floor} ms for the product of a "
        "question's vector with as many vectors, kept as float32, and the ten largest.\n"
    )


def thresholds_section(result: Result) -> str:
    """What the thresholds learn."""
    names = list(result["learned"])
    columns = ("steps", "turns", "near_after", "away")
    header = ["", *(f"{label}: {what.replace('_', ' ')}" for label in _PARTS.values() for what in columns)]
    rows = [
        [name, *(number(result[part][name][what]) for part in _PARTS for what in columns)] for name in names
    ]
    moved = [[name, *(number(row[what]) for what in columns)] for name, row in result["moved"].items()]
    return "\n".join(
        [
            "## Do thresholds find the best one, and stay there?\n",
            f"{result['how']} {made(result)}\n",
            table(header, rows),
            "The best threshold moves by 0.2 half way:\n",
            table(["", *(what.replace("_", " ") for what in columns)], moved),
        ]
    )
