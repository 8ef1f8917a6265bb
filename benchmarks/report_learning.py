"""The page's section on facts from conversations."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.datasets import title
from benchmarks.markdown import table
from benchmarks.targets import Result, number

_PARTS: Final = {"tuned": "tuned", "held_back": "held back"}
_FIGURES: Final = ("lines", "expected", "precision", "recall")


def extraction_section(result: Result) -> str:
    """What is learned from conversations, and what is not."""
    counts, found = result["counts"], result["results"]
    silent = (
        f"{counts['lines']} lines, {counts['nothing_expected']} of them teach nothing. From questions, "
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
    rows = [
        [title(name), f"{one['facts']:,}", number(one["duplicates_percent"])]
        for name, one in result["kept"].items()
    ]
    return "\n".join(
        [
            "## What is kept of conversations\n",
            "Whole conversations, learned by rules. Duplicates say the same as another fact that holds.\n",
            table(["", "facts", "duplicates, %"], rows),
            *_judged(result.get("judged", {})),
            *(_beside(name, found) for name, found in result.get("beside", {}).items()),
            _compared(result["reconcile_ms"]),
        ]
    )


_LEARNED: Final = """\
## What is learned from conversations

Single lines written for this project, with the facts expected of each. The held back ones were written first
and not looked at while the rules were made, but by the same author. The rows from "plain"
on are the held back lines in English.
"""


def _judged(found: Mapping[str, Any]) -> Iterator[str]:
    """How many facts are junk and how many true, where they were judged."""
    if not found.get("judged"):
        return
    junk = ", ".join(f"{count} {reason}" for reason, count in found["junk"].items())
    yield (
        f"Of {found['facts']:,} facts {found['judged']:,} were read one by one, and "
        f"{found['new_and_unjudged']:,} were not yet; junk: {number(found['junk_percent'])} % ({junk}).\n"
    )
    rows = [
        [f"{band} and more", f"{one['judged']:,}", number(one["true_percent"])]
        for band, one in found["by_confidence"].items()
    ]
    yield table(["confidence, below the row before", "judged", "true, %"], rows)


def _beside(name: str, found: Mapping[str, float]) -> str:
    return (
        f"{title(name)}: R@10 of the turns is {found['before']:.2f} before learning and {found['after']:.2f} "
        f"beside {found['facts']:,} facts and {found['episodes']:,} episodes; it rose for {found['rose']} "
        f"and fell for {found['fell']} of {found['questions']:,} questions.\n"
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
    for trap, row in found["held_back"]["by_trap"].items():
        yield [trap, *_cells(row)]


def _cells(row: Mapping[str, float]) -> Iterator[str]:
    return (_cell(row, what) for what in _FIGURES)


def _cell(row: Mapping[str, float], what: str) -> str:
    return f"{row[what]:,}" if what in ("lines", "expected") else number(row[what])


def _endings(found: Mapping[str, Any]) -> Iterator[str]:
    if found:
        names = ("lines", "should_end", "ended", "precision", "recall", "asked")
        rows = [[_PARTS[part], *(number(row[name]) for name in names)] for part, row in found.items()]
        yield "What ends by what is said later:\n"
        yield table(["", *(name.replace("_", " ") for name in names)], rows)


def _speed(name: str, speed: Mapping[str, float]) -> str:
    return (
        f"{title(name)}: {speed['per_second']:,} turns a second, {speed['facts']:,} facts from "
        f"{speed['turns']:,} turns.\n"
    )
