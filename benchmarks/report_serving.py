"""The page's section on the server."""

from typing import Final

from benchmarks.markdown import target_table
from benchmarks.targets import BUSY_RATE, Result, number, serving_targets

_HOW: Final = """\
## The server

`recollect serve --no-worker`, asked over loopback at steady rates; times count from when a request was due.
The crowd: eight clients of four users who add and search in turn. Streams: answers of a made-up model that
says 20 words a second. `make load` asks a server of yours.
"""


def serving_section(result: Result) -> str:
    """How fast the server answers, what a crowd and streams do to it, and what it takes."""
    parts = [target_table(serving_targets(result)), _crowd(result["crowd"])]
    shown = (("busy", _rates), ("streams", _streams), ("memory", _memory))
    return "\n".join([_HOW, *parts, *(show(result) for name, show in shown if name in result)])


def _rates(result: Result) -> str:
    large, many = result["busy"], result["users"]["busy"]
    return (
        f"At {BUSY_RATE} searches a second the server kept {large['cores']:.2f} cores busy for one large "
        f"user, {many['cores']:.2f} for many; {large['unsent'] + many['unsent']:,} were not begun in time.\n"
    )


def _crowd(crowd: Result) -> str:
    return (
        f"The crowd of {crowd['clients']} added {crowd['added']:,} memories in {crowd['seconds']:g} s: "
        f"an add took p50 {number(crowd['add']['p50_ms'])} ms, "
        f"a search {number(crowd['search']['p50_ms'])} ms.\n"
    )


def _streams(result: Result) -> str:
    streams = result["streams"]
    first, beside = streams["first_word"], streams["search_beside"]
    return (
        f"Of {streams['streams']:,} streams the first word came after p50 {number(first['p50_ms'])} ms, p99 "
        f"{number(first['p99_ms'])}; searches beside them took p99 {number(beside['p99_ms'])} ms.\n"
    )


def _memory(result: Result) -> str:
    memory = result["memory"]
    server = memory["server"]
    return (
        f"In {memory['seconds'] / 60:.0f} minutes with {memory['requests']:,} requests and "
        f"{memory['added']:,} added memories the server's memory went from {server['first_mb']:,.0f} to "
        f"{server['last_mb']:,.0f} MB, at most {server['most_mb']:,.0f}.\n"
    )
