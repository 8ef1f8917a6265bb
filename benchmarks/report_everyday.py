"""The page's section on a year of everyday talk."""

from typing import Final

from benchmarks.targets import Result

_HOW: Final = """\
A made-up person writes 120 messages in a year, in two languages, and corrects and deletes some; the author
had seen neither rules nor code. A context of 1,500 tokens is right if it has what it must, nothing it must
not, and what is true now before what no longer is.
"""


def everyday_section(result: Result) -> str:
    """How many contexts are right, by kind, and each that is not."""
    kinds = "; ".join(f"{kind} {one['right']} of {one['asked']}" for kind, one in result["kinds"].items())
    misses = [f"- {one['ask']} ({one['kind']}): {'; '.join(one['faults'])}" for one in result["misses"]]
    return "\n".join(
        [
            "## A year of everyday talk\n",
            _HOW,
            f"{result['right']} of {result['asked']} contexts are right (target 90%): {kinds}.\n",
            *(["Not right:\n", "\n".join(misses) + "\n"] if misses else []),
        ]
    )
