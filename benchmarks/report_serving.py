"""The page's section on the server."""

from typing import Final

from benchmarks.markdown import target_table
from benchmarks.targets import Result, number, serving_targets

_HOW: Final = """\
## The server

`recollect serve --no-worker`, asked over loopback at a steady rate. The crowd: eight clients of four users
who add and search in turn.
"""


def serving_section(result: Result) -> str:
    """How fast the server answers, and what a crowd does to it."""
    library, crowd = result["library"], result["crowd"]
    over = number(result["http"]["p50_ms"] / library["p50_ms"])
    told = (
        f"Over HTTP a search took {over} times what it takes in process. The crowd of {crowd['clients']} "
        f"added {crowd['added']:,} memories in {crowd['seconds']:g} s: an add took p50 "
        f"{number(crowd['add']['p50_ms'])} ms, a search {number(crowd['search']['p50_ms'])} ms.\n"
    )
    return "\n".join(
        [
            _HOW,
            target_table(serving_targets(result)),
            told,
        ]
    )
