"""The page's section on Recall: what a prompt costs, and what its retrieval finds."""

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, number, prompt_targets
from recollect_bench.datasets import short_title

_SHOWN: Final = ("questions_with_a_fact", "answered", "silent", "off_topic")


def recall_section(result: Result) -> str:
    """Both parts."""
    parts = [
        "## Recall\n",
        "A prompt from 200 turns, 50 memories, a plan and 10 tool outputs.\n",
        target_table(prompt_targets(result)),
        _FOUND + table(["", *(what.replace("_", " ") for what in _SHOWN)], _retrieved(result["retrieval"])),
    ]
    return "\n".join(parts)


_FOUND: Final = """\
Retrieval of learned facts. Answered: a right fact is among the five; silent: nothing is returned where none
is right; off topic: something is returned for a question about another conversation.

"""


def _retrieved(found: Mapping[str, Result]) -> Iterator[list[str]]:
    for name, rows in found.items():
        for label, row in rows.items():
            yield [f"{short_title(name)}, {label}", *(number(row[what]) for what in _SHOWN)]
