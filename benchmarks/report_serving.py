"""The page's section on the server."""

from benchmarks.markdown import busy, made, target_table
from benchmarks.targets import Result, number, serving_targets


def serving_section(result: Result) -> str:
    """How fast the server answers, and what a crowd does to it."""
    library, crowd = result["library"], result["crowd"]
    aside = f"; the same searches took `Memory` in process p50 {number(library['p50_ms'])} ms in this run"
    over = number(result["http"]["p50_ms"] / library["p50_ms"])
    told = (
        f"Over HTTP a search took {over} times what it takes in process. The crowd of {crowd['clients']} "
        f"added {crowd['added']:,} memories in {crowd['seconds']:g} s: an add took p50 "
        f"{number(crowd['add']['p50_ms'])} ms, a search {number(crowd['search']['p50_ms'])} ms.\n"
    )
    return "\n".join(
        [
            f"## The server\n\n{result['how']} {made(result)}\n",
            busy(result, aside=aside),
            target_table(serving_targets(result)),
            told,
        ]
    )
