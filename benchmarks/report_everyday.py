"""The page's section on a year of everyday talk."""

from typing import Final

from benchmarks.markdown import table
from benchmarks.targets import Result

_HOW: Final = """\
One made-up person writes 120 messages in a year, in two languages, and corrects and deletes some; the author
had seen neither rules nor code. A context of 1,500 tokens is right when it holds what it must, nothing it
must not, and what is true now before what no longer is.
"""


def everyday_section(result: Result) -> str:
    """How many contexts are right, by kind, and each that is not."""
    rows = [[kind, str(one["asked"]), str(one["right"])] for kind, one in result["kinds"].items()]
    misses = [f"- {one['ask']} ({one['kind']}): {'; '.join(one['faults'])}" for one in result["misses"]]
    return "\n".join(
        [
            "## A year of everyday talk\n",
            _HOW,
            f"{result['right']} of {result['asked']} contexts are right (target 90%).\n",
            table(["", "asked", "right"], rows),
            *(["Not right:\n", "\n".join(misses) + "\n"] if misses else []),
        ]
    )
