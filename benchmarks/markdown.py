"""What every section of the page is made of: tables, targets, and where the results were made."""

from collections.abc import Iterable, Sequence

from benchmarks.targets import Result, Target


def target_table(targets: Sequence[Target]) -> str:
    """Figures beside their targets; nothing where there are none."""
    if not targets:
        return ""
    return table(["", "measured", "target", ""], (target.row() for target in targets))


def made_table(results: Sequence[Result]) -> str:
    """When, at which commit and on what each result was measured."""
    pythons = " and ".join(sorted({result["made"]["python"] for result in results}))
    rows = [_made_row(result) for result in results]
    return (
        f"Python {pythons}; packages are in `benchmarks/results/`. A load above a quarter of the cores means "
        "that other work on the machine lengthened the times.\n\n"
        + table(["", "date", "commit", "cores", "load"], rows)
    )


def _made_row(result: Result) -> list[str]:
    by = result["made"]
    commit = f"`{by['commit']}`" + (" and uncommitted changes" if by["uncommitted_changes"] else "")
    load = "" if by["load_average"] is None else str(by["load_average"])
    return [result.get("dataset", result["benchmark"]), by["date"], commit, str(by["cores"]), load]


def table(header: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is text, and the others are figures."""
    head = list(header)
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
