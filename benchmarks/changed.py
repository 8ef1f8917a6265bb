"""What became faster or slower, smaller or larger, since the last committed figures: one table."""

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.markdown import table
from benchmarks.results import read_results, result_name
from benchmarks.targets import Result, number

NOTABLE: Final = 0.1
"""Changes up to a tenth are what a second run of the same code differs by. Chosen by hand."""
_LESS_IS_BETTER: Final = ("_ms", "_us", "_s", "_mb", ", ms", "bytes_per_memory", "seconds")
_MORE_IS_BETTER: Final = ("per_second", "per_cpu_second", "/s")


class Change(NamedTuple):
    """A figure then and now.

    Attributes:
        what: The benchmark, and where in its result.
        times: How many times better it is; below 1 it is worse.
    """

    what: str
    before: float
    now: float
    times: float


def compare(before: Sequence[Result], now: Sequence[Result]) -> str:
    """A table of the figures that changed by more than a tenth, the worst first.

    Args:
        before: The committed results.
        now: Those of today; only benchmarks that were run again since are compared.
    """
    known = {result_name(one): one for one in before}
    again = [one for one in now if (then := known.get(result_name(one))) and then["made"] != one["made"]]
    if not again:
        return "Nothing was measured again since the committed figures.\n"
    changes = [change for one in again for change in changes_of(known[result_name(one)], one)]
    notable = sorted((one for one in changes if abs(one.times - 1) > NOTABLE), key=lambda one: one.times)
    rows = [[one.what, number(one.before), number(one.now), _verdict(one.times)] for one in notable]
    lines = [_machines(known[result_name(one)], one) for one in again]
    still = f"{len(changes) - len(notable):,} of {len(changes):,} figures changed by at most a tenth.\n"
    shown = table(["", "committed", "now", ""], rows) if rows else ""
    return "\n".join([*lines, "", shown, still] if shown else [*lines, "", still])


def changes_of(before: Result, now: Result) -> Iterator[Change]:
    """Every time, rate and size that both results have."""
    then = dict(_figures(before))
    for what, value in _figures(now):
        if (old := then.get(what)) and value:
            times = value / old if what.endswith(_MORE_IS_BETTER) else old / value
            yield Change(f"{result_name(now)}: {what}", old, value, times)


def _figures(value: object, name: str = "") -> Iterator[tuple[str, float]]:
    """The figures in a result by their path; what is asked for, such as a size, is none."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _figures(part, f"{name}, {key}" if name else str(key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _figures(part, f"{name} {place + 1}")
    elif isinstance(value, (int, float)) and name.endswith((*_LESS_IS_BETTER, *_MORE_IS_BETTER)):
        yield name, float(value)


def _verdict(times: float) -> str:
    return f"{times:.2f}x better" if times > 1 else f"**{1 / times:.2f}x worse**"


def _machines(before: Result, now: Result) -> str:
    then, today = before["made"], now["made"]
    return (
        f"{result_name(now)}: `{then['commit']}` on {then['cores']} cores with a load of "
        f"{then['load_average']}, now {today['cores']} cores and {today['load_average']}."
    )


def committed_results(folder: Path) -> list[dict[str, Any]]:
    """The results of a folder as they are in git's last commit; none outside a repository."""
    git = shutil.which("git")
    if git is None:
        return []
    found = [_said(git, folder, "show", f"HEAD:./{path.name}") for path in sorted(folder.glob("*.json"))]
    return [json.loads(text) for text in found if text]


def compare_with_committed(folder: Path) -> str:
    """``compare`` for a folder of results."""
    return compare(committed_results(folder), read_results(folder))


def _said(git: str, folder: Path, *arguments: str) -> str:
    command = [git, "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603 - git
