"""The page's section on PostgreSQL."""

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks.datasets import short_title
from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, number, postgres_targets

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
            table(["milliseconds", "p50", "p95", "p99"], _rows(result)),
            _written(result),
            table(
                ["servers, users spread over them", "searches and adds /s", "errors", "lost or doubled"],
                _servers(result),
            ),
            *(_found(name, places) for name, places in result["recall_at_10"].items()),
        ]
    )


def _written(result: Result) -> str:
    crowd = result["crowd"]
    return (
        f"In batches of 1,000, {result['write']['per_second']:,.0f} memories a second are embedded and "
        f"stored. In {crowd['seconds']:,.0f} seconds the crowd searched {crowd['searches']:,} times and "
        f"added {crowd['adds']:,} memories.\n"
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


def _rows(result: Result) -> Iterator[list[str]]:
    crowd, users = result["crowd"], result["users"]
    for name, found in (
        (f"search at {result['size']:,}", result["search"]),
        (f"search, {users['users']:,} users", users["search"]),
        ("one `add`", result["single_add"]),
        ("search in the crowd", crowd["search"]),
        ("`add` in the crowd", crowd["add"]),
    ):
        yield [name, *(number(found[f"p{share}_ms"]) for share in (50, 95, 99))]
