"""The page's section on PostgreSQL."""

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, number, postgres_targets
from recollect_bench.datasets import short_title

_HOW: Final = """\
On the same machine over a socket, every commit flushed. The crowd: 16 clients, each with its own user and one
that all share, seven searches for three adds.
"""


def postgres_section(result: Result) -> str:
    """How fast it is on a server, and whether a crowd loses anything."""
    return "\n".join(
        [
            "## PostgreSQL\n",
            _HOW,
            target_table(postgres_targets(result)),
            _crowd(result["crowd"]),
            table(
                ["servers, users spread over them", "searches and adds /s", "errors", "lost or doubled"],
                _servers(result),
            ),
            *(_found(name, places) for name, places in result["recall_at_10"].items()),
        ]
    )


def _crowd(crowd: Result) -> str:
    times = "; ".join(
        f"{name} p50 {number(crowd[what]['p50_ms'])}, p99 {number(crowd[what]['p99_ms'])}"
        for name, what in (("a search", "search"), ("an `add`", "add"))
    )
    return (
        f"In {crowd['seconds']:,.0f} seconds the crowd searched {crowd['searches']:,} times and added "
        f"{crowd['adds']:,} memories. Milliseconds: {times}.\n"
    )


def _found(name: str, places: Mapping[str, float]) -> str:
    found = "; ".join(f"{place}: {number(100 * share)}" for place, share in places.items())
    return f"R@10 of {short_title(name)}: {found}.\n"


def _servers(result: Result) -> Iterator[list[str]]:
    three = list(result["servers"])[-1]
    named = {**result["servers"], f"{three}, one killed and started again meanwhile": result["restarted"]}
    for name, found in named.items():
        rate = (found["searches"] + found["adds"]) / found["seconds"]
        yield [name, f"{rate:,.0f}", f"{found['errors']:,}", str(found["lost"] + found["doubled"])]
