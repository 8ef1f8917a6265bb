"""The page's section on the stores that hold everything in memory."""

from collections.abc import Iterator

from benchmarks.markdown import table
from benchmarks.targets import Result, filestores_targets, number


def filestores_section(result: Result) -> str:
    """How fast a JSON file and RDF are, beside SQLite."""
    (target,) = filestores_targets(result)
    goal = f"The target for opening the JSON file is at most {number(target.bound)} s: {target.verdict}.\n"
    return "\n".join(
        [
            "## JSON file and RDF\n",
            f"One user's {result['size']:,} memories, copied from a SQLite file.\n",
            table(
                [
                    "", "open, s", "first search, s", "search p50, ms", "`add` p50, ms", "`feedback` p50, ms",
                    "close, s", "bytes a memory",
                ],
                _rows(result),
            ),
            goal,
        ]
    )  # fmt: skip


def _rows(result: Result) -> Iterator[list[str]]:
    for name, found in result["stores"].items():
        once = {what: number(found[what]["s"]) for what in ("open", "first_search", "close")}
        often = [number(found[what]["p50_ms"]) for what in ("search", "add", "use")]
        yield [
            name, once["open"], once["first_search"], *often, once["close"],
            f"{found['bytes_per_memory']:,.0f}",
        ]  # fmt: skip
