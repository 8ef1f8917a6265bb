"""What every section of the page is made of: tables, targets, and where the results were made."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.targets import Result, Target


def target_table(targets: Sequence[Target]) -> str:
    """Figures beside their targets; nothing where there are none."""
    if not targets:
        return ""
    return table(["", "measured", "target"], (target.row() for target in targets))


def made_list(results: Sequence[Result]) -> str:
    """When, at which commit and on what the results were measured."""
    pythons = " and ".join(sorted({result["made"]["python"] for result in results}))
    places: dict[str, list[str]] = {}
    for result in results:
        places.setdefault(_place(result["made"]), []).append(_loaded(result))
    return (
        f"Python {pythons}. With a load (in brackets) above a quarter of the cores, other work on the "
        "machine lengthened the times.\n\n"
        + "".join(f"- {place}: {', '.join(measured)}\n" for place, measured in places.items())
    )


def _place(made: Mapping[str, Any]) -> str:
    changed = " and uncommitted changes" if made["uncommitted_changes"] else ""
    return f"{made['date']}, `{made['commit']}`{changed}, {made['cores']} cores"


def _loaded(result: Result) -> str:
    load = result["made"]["load_average"]
    name = result.get("dataset", result["benchmark"])
    return f"{name}" if load is None else f"{name} ({load})"


def table(header: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is text, and the others are figures."""
    head = list(header)
    rule = "|---|" + "---:|" * (len(head) - 1)
    first, *others = ("| " + " | ".join(line) + " |" for line in (head, *rows))
    return "\n".join([first, rule, *others, ""])
