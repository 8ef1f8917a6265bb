"""Figures as text: cells with their intervals, and tables for a terminal or a page."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

Result = Mapping[str, Any]

COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {
    "recall_at_10": {
        "recall_at_10": "R@10", "recall_at_5": "R@5", "any_at_10": "any@10", "all_at_10": "all@10",
        "mrr": "MRR", "ndcg_at_10": "nDCG@10", "session_recall_at_5": "session R@5",
        "answer_in_1000": "answer in 1,000 tokens",
    },
    "session_recall_at_5": {
        "session_recall_at_5": "session R@5", "session_recall_at_1": "session R@1",
        "session_all_at_5": "all@5", "session_mrr": "MRR", "session_ndcg_at_5": "nDCG@5",
    },
    "context_right": {
        "context_right": "right", "context_has_all": "has all it must",
        "context_has_gone": "has what was deleted", "context_has_unwanted": "has what it should not bring up",
    },
}  # fmt: skip
"""The measures that a table shows, by the chief one; one that no system has is left out."""
FAULTS: Final = frozenset({"context_has_gone", "context_has_unwanted"})
"""Measures of which less is better."""


def cell(figure: Mapping[str, float] | None) -> str:
    """A share in percent with its 95% interval.

    >>> cell({"mean": 0.8347, "low": 0.815, "high": 0.853})
    '83.5 [81.5, 85.3]'
    """
    if figure is None:
        return ""
    return f"{100 * figure['mean']:.1f} [{100 * figure['low']:.1f}, {100 * figure['high']:.1f}]"


def _short(figure: Mapping[str, float] | None, *, whole: bool) -> str:
    """A cell, with its interval if ``whole``."""
    return cell(figure) if whole or figure is None else f"{100 * figure['mean']:.1f}"


def joined(rows: Iterable[Sequence[str]], listed: Collection[int]) -> list[list[str]]:
    """Rows in which other systems found the same as one; the cells of ``listed`` columns then name each.

    >>> joined([["a", "1", "9 ms"], ["b", "2", "8 ms"], ["c", "1", "7 ms"]], {0, 2})
    [['a, c', '1', '9 ms, 7 ms'], ['b', '2', '8 ms']]
    """
    alike: dict[tuple[str, ...], list[Sequence[str]]] = {}
    for row in rows:
        found = tuple(cell for column, cell in enumerate(row) if column not in listed)
        alike.setdefault(found, []).append(row)
    return [
        [
            ", ".join(cells) if column in listed else cells[0]
            for column, cells in enumerate(zip(*same, strict=True))
        ]
        for same in alike.values()
    ]


def verdict(compared: Mapping[str, Any]) -> str:
    """Whether the first system differs from another: only when the test says so after Holm's correction.

    >>> verdict({"difference": 0.004, "low": -0.002, "high": 0.01, "p_holm": 0.3})
    'none'
    >>> verdict({"difference": -0.02, "low": -0.03, "high": -0.01, "p_holm": 0.01})
    '-2.0 [-3.0, -1.0]'
    """
    if compared["p_holm"] >= 0.05 or compared["low"] <= 0 <= compared["high"]:  # noqa: PLR2004 - the usual level
        return "none"
    return (
        f"{100 * compared['difference']:+.1f} [{100 * compared['low']:+.1f}, {100 * compared['high']:+.1f}]"
    )


def milliseconds(value: float) -> str:
    """Two significant digits, or whole milliseconds from 100 on."""
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"  # noqa: PLR2004 - as the docstring says


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows as columns for a terminal; the first row is the heading."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """Rows as a table of Markdown, nothing of none; the first column is text, the others are figures."""
    head, *body = [*rows] or [[]]
    if not head:
        return ""
    rule = "|---|" + "---:|" * (len(head) - 1)
    first, *others = ("| " + " | ".join(row) + " |" for row in (head, *body))
    return "\n".join([first, rule, *others, ""])


def summary(result: Result) -> str:
    """A data set's chief figures for the terminal, best first."""
    if "failed" in result:
        return f"\n{result['title']}\n{result['failed']}"
    counts = result["counts"]
    head = (
        f"\n{result['title']}: {counts['conversations']:,} conversations, {counts['turns']:,} turns, "
        f"{counts['questions']:,} questions. In brackets: 95% intervals."
    )
    head += f"\n{omitted(result)}" if omitted(result) else ""
    tables = [f"{_gold(result, gold)}\n{aligned(chief_rows(result, gold))}" for gold in golds_of(result)]
    failed = [f"{name}: {row['failed']}" for name, row in result["systems"].items() if "failed" in row]
    return "\n".join([head, *tables, *failed])


def omitted(result: Result) -> str:
    """What of the data set is not measured, in a sentence; nothing where all of it is.

    >>> omitted({"left_out": {"turns without words": 1_200, "questions without evidence": 3}})
    'Not measured: 1,200 turns without words; 3 questions without evidence.'
    """
    counted = [f"{count:,} {what}" for what, count in result.get("left_out", {}).items()]
    return f"Not measured: {'; '.join(counted)}." if counted else ""


def golds_of(result: Result) -> list[str]:
    """The golds that a data set was scored on: ``own``, and ``corrected`` where there are corrections."""
    return list(next((row["golds"] for row in result["systems"].values() if "golds" in row), {}))


def chief_rows(result: Result, gold: str, *, brief: bool = False) -> list[list[str]]:
    """A heading, and a row for the systems that found the same, the best by the chief measure first.

    Args:
        result: Of a data set.
        gold: Which gold to show.
        brief: Show the chief measure alone, without the time of a search.
    """
    chief = result["chief"]
    compared = result["compared"].get("golds", {}).get(gold, {})
    base = result["compared"].get("with", "")
    rows = [
        (name, row["golds"][gold]["measures"], row)
        for name, row in result["systems"].items()
        if "golds" in row
    ]
    rows.sort(key=lambda one: -one[1][chief]["mean"])
    shown = {
        measure: label
        for measure, label in COLUMNS[chief].items()
        if measure == chief or (not brief and any(measure in measures for _, measures, _ in rows))
    }
    spent = [] if brief else ["search, ms of CPU"]
    head = ["", *shown.values(), *spent, *([f"{base} is better by"] if compared else [])]
    body = [
        [
            name,
            *(_short(measures.get(measure), whole=measure == chief) for measure in shown),
            *([] if brief else [milliseconds(row["time"]["search_cpu_ms"])]),
            *([verdict(compared[name]) if name in compared else ""] if compared else []),
        ]
        for name, measures, row in rows
    ]
    listed = {0} if brief else {0, 1 + len(shown)}
    return [head, *joined(body, listed)]


def kind_rows(result: Result) -> list[list[str]]:
    """A heading, and a row for each kind of question: how many, and the share each system got right."""
    gold = golds_of(result)[0]
    found = {
        name: row["golds"][gold]["categories"] for name, row in result["systems"].items() if "golds" in row
    }
    kinds = {kind: one["questions"] for kinds in found.values() for kind, one in kinds.items()}
    rows = [[name, *(f"{100 * of[kind]['mean']:.0f}" for kind in kinds)] for name, of in found.items()]
    columns = [["", *kinds], ["questions", *map(str, kinds.values())], *joined(rows, {0})]
    return [list(row) for row in zip(*columns, strict=True)]


def _gold(result: Result, gold: str) -> str:
    whose = {"own": "the data set's own gold", "corrected": f"gold corrected by {result['corrections']}"}
    return f"\nBy {whose[gold]}:"
