"""The page's section on a year of everyday talk."""

from benchmarks.markdown import made, table
from benchmarks.targets import Result


def everyday_section(result: Result) -> str:
    """How many contexts are right, by kind, and each that is not."""
    rows = [[kind, str(one["asked"]), str(one["right"])] for kind, one in result["kinds"].items()]
    misses = [f"- {one['ask']} ({one['kind']}): {'; '.join(one['faults'])}" for one in result["misses"]]
    return "\n".join(
        [
            "## A year of everyday talk\n",
            f"{result['how']} {made(result)}\n",
            f"{result['right']} of {result['asked']} contexts are right (target 90%).\n",
            table(["", "asked", "right"], rows),
            *(["Not right:\n", "\n".join(misses) + "\n"] if misses else []),
        ]
    )
