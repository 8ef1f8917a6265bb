"""The page's section on the stores that hold everything in memory."""

from collections.abc import Iterator

from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, filestores_targets, number


def filestores_section(result: Result) -> str:
    """How fast a JSON file and RDF are, beside SQLite."""
    return "\n".join(
        [
            "## JSON file and RDF\n",
            f"One user's {result['size']:,} memories, copied from a SQLite file.\n",
            target_table(filestores_targets(result)),
            table(
                ["", "open, s", "search p50, ms", "`add` p50, ms", "`use` p50, ms", "bytes a memory"],
                _rows(result),
            ),
        ]
    )


def _rows(result: Result) -> Iterator[list[str]]:
    for name, found in result["stores"].items():
        times = [number(found[what]["p50_ms"]) for what in ("search", "add", "use")]
        yield [name, number(found["open"]["s"]), *times, f"{found['bytes_per_memory']:,.0f}"]
