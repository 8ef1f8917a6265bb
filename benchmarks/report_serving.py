"""The page's section on the server."""

from collections.abc import Iterator
from typing import Final

from benchmarks.load.plan import OPERATIONS
from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, number, serving_targets

_HOW: Final = """\
## The server

`recollect serve --no-worker`, asked over loopback at steady rates; times count from when a request was due.
The crowd: eight clients of four users who add and search in turn. Streams: answers of a made-up model that
says 20 words a second. `make load` asks a server of yours.
"""


def serving_section(result: Result) -> str:
    """How fast the server answers, what a crowd and streams do to it, and what it takes."""
    return "\n".join(
        [
            _HOW,
            target_table(serving_targets(result)),
            _rates(result),
            _crowd(result["crowd"]),
            _streams(result["streams"]),
            _memory(result["memory"]),
            table(_COSTS, _costs(result["costs"])),
        ]
    )


_COSTS: Final = ("with the default embedder, 10 users of 1,000", "processor, ms", "p50, ms", "p99, ms")


def _rates(result: Result) -> str:
    p50 = result["http"]["p50_ms"]
    over = number(p50 / result["library"]["p50_ms"]) if p50 else "unknown"
    large, many = result["busy"], result["users"]["busy"]
    return (
        f"Over HTTP a search took {over} times what it takes in process. At {result['busy_rate']} a second "
        f"the server kept {large['cores']:.2f} cores busy for one large user, {many['cores']:.2f} for many.\n"
    )


def _crowd(crowd: Result) -> str:
    return (
        f"The crowd of {crowd['clients']} added {crowd['added']:,} memories in {crowd['seconds']:g} s: "
        f"an add took p50 {number(crowd['add']['p50_ms'])} ms, "
        f"a search {number(crowd['search']['p50_ms'])} ms.\n"
    )


def _streams(streams: Result) -> str:
    first, beside = streams["first_word"], streams["search_beside"]
    return (
        f"Of {streams['streams']:,} streams the first word came after p50 {number(first['p50_ms'])} ms, p99 "
        f"{number(first['p99_ms'])}; searches beside them took p99 {number(beside['p99_ms'])} ms.\n"
    )


def _memory(memory: Result) -> str:
    server = memory["server"]
    return (
        f"In {memory['seconds'] / 60:.0f} minutes with {memory['requests']:,} requests and "
        f"{memory['added']:,} added memories the server's memory went from {server['first_mb']:,.0f} to "
        f"{server['last_mb']:,.0f} MB, at most {server['most_mb']:,.0f}.\n"
    )


def _costs(costs: Result) -> Iterator[list[str]]:
    for operation in OPERATIONS:
        yield [operation, *(number(costs[operation][of]) for of in ("cpu_ms", "p50_ms", "p99_ms"))]
