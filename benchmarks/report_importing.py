"""The page's section on importing a long history."""

from typing import Final

from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, importing_targets, number

_HOW: Final = """\
## A long history

`recollect import` of a ChatGPT export into a new SQLite file, with the default embedder. Peak: what all its
processes hold together.
"""


def importing_section(result: Result) -> str:
    """How long an import takes, and what it holds in memory."""
    rows = (
        [f"{one['messages']:,}", f"{one['characters']:,}", *(number(one[what]) for what in _FIGURES)]
        for one in result["imports"]
    )
    columns = ["messages", "characters each", "s", "CPU s", "peak MB"]
    return "\n".join([_HOW, target_table(importing_targets(result)), table(columns, rows)])


_FIGURES: Final = ("seconds", "cpu_seconds", "peak_mb")
