"""The page's section on personal data."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.datasets import title
from benchmarks.markdown import table
from benchmarks.targets import Result, number

_PARTS: Final = {"unseen": "written after the rules"}
_HOW: Final = """\
Everyday lines with made-up numbers, labelled to the character. The rules were made on the tuned ones. One
author wrote lines and rules, so all parts flatter. Secrets: lines in six languages by an author who had not
read the rules; cut are lines in which more than the secret is masked.

National numbers: python-stdnum 2.2 in place of our checks finds 97 of the 98 numbers, as ours do, with 2
false alarms more (999-99-9999, 111.111.111-11), takes 1.2 to 1.7 times as long and imports 99 modules (50 to
120 ms). It is LGPL. It only checks numbers: forms and the words beside them would stay ours. Not taken.
"""


def pii_section(result: Result) -> str:
    """Is personal data found, and nothing else?"""
    parts = [name for name in result["figures"] if result["counts"][name]["lines"]]
    header = [
        "",
        *(f"{_PARTS.get(part, part)}, {what}" for part in parts for what in ("precision", "recall")),
    ]
    counted = "; ".join(
        f"{_PARTS.get(part, part)}: {result['counts'][part]['lines']} lines, "
        f"{result['counts'][part]['without']} of them without anything personal"
        for part in parts
    )
    return "\n".join(
        [
            "## Personal data\n",
            _HOW,
            f"{counted[0].upper()}{counted[1:]}.\n",
            table(header, _rows(result["figures"], parts)),
            *(_secrets(part, found) for part, found in result.get("secrets", {}).items()),
            *(_turns(name, found) for name, found in result["turns"].items()),
        ]
    )


def _rows(figures: Mapping[str, Any], parts: list[str]) -> Iterator[list[str]]:
    for kind in dict.fromkeys(kind for part in parts for kind in figures[part]):
        found = [figures[part].get(kind) or {} for part in parts]
        yield [
            kind.replace("_", " "),
            *(_cell(one.get(what)) for one in found for what in ("precision", "recall")),
        ]


def _secrets(part: str, found: Result) -> str:
    """Recall and false alarms of the lines about secrets."""
    searches = {name: one for name, one in found.items() if name != "languages"}
    rows = [
        [
            name,
            *map(str, (one["secrets"], one["masked"])),
            _cell(one["recall"]),
            *map(str, (one["harmless"], one["false_alarms"], one["cut"])),
        ]
        for name, one in searches.items()
    ]
    header = [f"secrets, {part}", "secrets", "masked", "recall", "harmless lines", "false alarms", "cut"]
    return table(header, rows)


def _cell(value: float | None) -> str:
    return "" if value is None else number(value)


def _turns(name: str, found: Result) -> str:
    told = ", ".join(f"{kind} {count}" for kind, count in found["found"].items()) or "nothing"
    middle = number(found["times"]["find_pii"]["p50_us"])
    return (
        f"{title(name)}: {told} in {found['turns']:,} turns; p50 {middle} µs a turn, "
        f"{number(found['ratio_to_find_priority'])} times what finding a priority takes"
        f"{_of_secrets(found['times'])}.\n"
    )


def _of_secrets(times: Mapping[str, Any]) -> str:
    mean = times.get("find_secrets")
    return f"; finding secrets alone takes {number(mean['mean_us'])} µs on average" if mean else ""
