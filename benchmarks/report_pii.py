"""The page's section on personal data."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.markdown import table
from benchmarks.targets import Result, number
from recollect_bench.datasets import short_title

_PARTS: Final = {"held back": "held back", "unseen": "written later"}
_HOW: Final = """\
Everyday lines with made-up numbers, without those that the rules were tuned on. One author wrote lines and
rules: expect less elsewhere. python-stdnum 2.2 finds the same 97 of 98 national numbers as our checks, with
2 more false alarms and 99 more modules (50 to 120 ms).
"""
_SECRETS: Final = """\
Lines about secrets in eight languages. The networks were trained on all these sets but the thirteenth,
everyday texts with numbers: the table shows what they keep of the others. Before anybody had read the lines,
they masked 79% of the eleventh author's secrets and 81% of the twelfth's, and something in 5
and 3 of 300 harmless lines. A network trained without an author's
lines masks 97% of the third set, 86% to 90% of the others and 71% of the eighth, which is mostly indirect;
and something in 1% to 3% of the harmless lines, in 6% of the second set's and in 11% of the fifth to the
seventh's, which were written to look like secrets. Cut: more than the secret is masked. detect-secrets runs
without its entropy checks, which mask something in nearly every line.
"""


def pii_section(result: Result) -> str:
    """Is personal data found, and nothing else?"""
    parts = [name for name in result["figures"] if name in _PARTS and result["counts"][name]["lines"]]
    header = [
        "",
        *(f"{_PARTS[part]}, {what}" for part in parts for what in ("precision", "recall")),
    ]
    counted = "; ".join(
        f"{_PARTS[part]}: {result['counts'][part]['lines']} ({result['counts'][part]['without']})"
        for part in parts
    )
    return "\n".join(
        [
            "## Personal data\n",
            _HOW,
            f"Lines (of them without anything personal): {counted}.\n",
            table(header, _rows(result["figures"], parts)),
            *_secrets(result.get("secrets", {})),
            *(_turns(name, found) for name, found in result["turns"].items()),
        ]
    )


def _rows(figures: Mapping[str, Any], parts: list[str]) -> Iterator[list[str]]:
    """A row a kind; the kinds without any mistake share the last one."""
    perfect: dict[str, list[str]] = {}
    for kind in dict.fromkeys(kind for part in parts for kind in figures[part]):
        found = [figures[part].get(kind) or {} for part in parts]
        cells = [_cell(one.get(what)) for one in found for what in ("precision", "recall")]
        if set(cells) == {_cell(1.0)}:
            perfect[kind.replace("_", " ")] = cells
        else:
            yield [kind.replace("_", " "), *cells]
    if perfect:
        yield [", ".join(perfect), *next(iter(perfect.values()))]


def _secrets(sets: Mapping[str, Any]) -> Iterator[str]:
    """A row for each set of lines about secrets."""
    if sets:
        header = [
            "set",
            "secrets",
            "recall",
            "harmless lines",
            "false alarms",
            "cut",
            "detect-secrets: recall",
        ]
        yield _SECRETS
        yield table(header, (_secret_row(name, found) for name, found in sets.items()))


def _secret_row(name: str, found: Mapping[str, Any]) -> list[str]:
    rules, other = found["rules"], found.get("detect-secrets without entropy", {})
    return [
        name, f"{rules['secrets']:,}", _cell(rules["recall"]), f"{rules['harmless']:,}",
        f"{rules['false_alarms']:,}", f"{rules['cut']:,}", _cell(other.get("recall")),
    ]  # fmt: skip


def _cell(value: float | None) -> str:
    return "" if value is None else number(value)


def _turns(name: str, found: Result) -> str:
    told = ", ".join(f"{kind} {count}" for kind, count in found["found"].items()) or "nothing"
    middle = number(found["times"]["find_pii"]["p50_us"])
    return f"{short_title(name)}: {told} in {found['turns']:,} turns; p50 {middle} µs a turn.\n"
