"""The figures of the README, between its two marks."""

import re
from collections.abc import Sequence
from typing import Final

from benchmarks.markdown import table
from benchmarks.targets import Result, number
from recollect_bench.datasets import title

MARKED: Final = re.compile(r"(?<=<!-- benchmarks -->\n).*?(?=<!-- /benchmarks -->)", re.DOTALL)
SYSTEMS: Final = {"bm25": "BM25", "vectors": "vectors", "default": "**Recollect**"}


def with_figures(readme: str, results: Sequence[Result]) -> str:
    """The README with today's figures between its marks; as it is where there are no marks."""
    return MARKED.sub(lambda _: _figures(results), readme, count=1)


def _figures(results: Sequence[Result]) -> str:
    found = [one for one in results if one["benchmark"] == "retrieval"]
    parts = [_FOUND + table(["", *SYSTEMS.values()], map(_row, found))] if found else []
    parts += [_speed(one) for one in results if one["benchmark"] == "speed"]
    return "\n".join([*parts, _MORE])


def _row(result: Result) -> list[str]:
    shares = (result["results"][name]["overall"]["all"]["recall_at_10"] for name in SYSTEMS)
    return [title(result["dataset"]), *(number(100 * value) for value in shares)]


def _speed(result: Result) -> str:
    *others, last = (
        f"{number(measured['search']['p50_ms'])} ms among {int(size):,}"
        for size, measured in result["sizes"].items()
    )
    searches = f"{', '.join(others)} and {last}" if others else last
    return (
        f'A search takes {searches} memories, on one thread, with `embedder="static"`; the default embedder '
        "adds 2 ms a question.\n"
    )


_FOUND: Final = """\
How many of the turns that answer a question are among the first ten found, in percent; no language model
anywhere:

"""
_MORE: Final = """\
All figures, and how they were measured, are in [benchmarks](docs/inside/benchmarks.md); `make bench`
measures again. Beside other memories: [compared with others](docs/inside/compared.md). What each part of the
score is worth is in [retrieval](docs/inside/retrieval.md#what-each-part-is-worth).
"""
