"""The page's section on facts from conversations."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.markdown import table
from benchmarks.targets import Result, number
from recollect_bench.datasets import short_title

_PARTS: Final = {"tuned": "tuned", "held_back": "held back"}
_FIGURES: Final = ("lines", "expected", "precision", "recall")


def extraction_section(result: Result) -> str:
    """What is learned from conversations, and what is not."""
    counts, found = result["counts"], result["results"]
    silent = (
        f"{counts['nothing_expected']} of {counts['lines']} lines should teach nothing. From questions, "
        f"hypotheticals and an assistant's words {result['learned_from_silence']} facts were learned.\n"
    )
    return "\n".join(
        [
            _LEARNED,
            silent,
            table(["", *_FIGURES], _rows(found)),
            *_endings(result.get("endings", {})),
            *(_speed(name, speed) for name, speed in result["speed"].items()),
        ]
    )


def keeping_section(result: Result) -> str:
    """How much of what is learned is doubled, and what comparing costs."""
    kept = "; ".join(
        f"{short_title(name)}: {one['facts']:,} facts, {number(one['duplicates_percent'])}% duplicates"
        for name, one in result["kept"].items()
    )
    return "\n".join(
        [
            "## What is kept of conversations\n",
            f"Whole conversations, learned by rules. {kept}.\n",
            *_judged(result.get("judged", {})),
            *(_beside(name, found) for name, found in result.get("beside", {}).items()),
            _compared(result["reconcile_ms"]),
        ]
    )


_LEARNED: Final = """\
## What is learned from conversations

Single lines written for this project, with the facts expected of each. The author of the rules wrote the held
back ones first and did not look at them again.
"""


def _judged(found: Mapping[str, Any]) -> Iterator[str]:
    """How many facts are junk and how many true, where they were judged."""
    if not found.get("judged"):
        return
    junk = ", ".join(f"{count} {reason}" for reason, count in found["junk"].items())
    yield (
        f"{found['judged']:,} of {found['facts']:,} facts were read one by one; junk: "
        f"{number(found['junk_percent'])}% ({junk}).\n"
    )
    bands = "; ".join(
        f"from {band} {number(one['true_percent'])}%" for band, one in found["by_confidence"].items()
    )
    yield f"True, by confidence: {bands}.\n"


def _beside(name: str, found: Mapping[str, float]) -> str:
    return (
        f"{short_title(name)}: R@10 of the turns is {found['before']:.2f} before learning, "
        f"{found['after']:.2f} beside {found['facts']:,} facts and {found['episodes']:,} episodes.\n"
    )


def _compared(spent: Mapping[str, float]) -> str:
    return (
        f"Comparing a new fact with {spent['known']:,} known ones: median {number(spent['median'])} ms, p95 "
        f"{number(spent['p95'])} ms.\n"
    )


def _rows(found: Mapping[str, Any]) -> Iterator[list[str]]:
    for name in ("english", "other_languages"):
        for half, label in _PARTS.items():
            yield [f"{name.replace('_', ' ').capitalize()}, {label}", *_cells(found[half][name])]


def _cells(row: Mapping[str, float]) -> Iterator[str]:
    return (_cell(row, what) for what in _FIGURES)


def _cell(row: Mapping[str, float], what: str) -> str:
    return f"{row[what]:,}" if what in ("lines", "expected") else number(row[what])


def _endings(found: Mapping[str, Any]) -> Iterator[str]:
    if found:
        names = ("lines", "should_end", "ended", "precision", "recall", "asked")
        rows = [[_PARTS[part], *(_ending(name, row[name]) for name in names)] for part, row in found.items()]
        yield "What ends by what is said later:\n"
        yield table(["", *(name.replace("_", " ") for name in names)], rows)


def _ending(name: str, value: float) -> str:
    return number(value) if name in ("precision", "recall") else f"{value:,.0f}"


def _speed(name: str, speed: Mapping[str, float]) -> str:
    return f"{short_title(name)}: {speed['per_second']:,} turns a second, {speed['facts']:,} facts.\n"
