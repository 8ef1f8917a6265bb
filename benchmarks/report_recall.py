"""The page's section on Recall: what a prompt costs, and what its retrieval finds."""

from collections.abc import Iterator
from typing import Final

from benchmarks.datasets import title
from benchmarks.markdown import busy, made, table, target_table
from benchmarks.targets import Result, number, prompt_targets

_SHOWN: Final = ("questions_with_a_fact", "answered", "silent", "off_topic")


def recall_section(result: Result) -> str:
    """Both parts."""
    parts = [
        "## Recall\n",
        f"{result['how']} {made(result)}\n",
        "### Composing a prompt\n",
        busy(result),
        target_table(prompt_targets(result)),
        table(["budget", "p50, ms", "p95", "processor", "tokens", "turns in it"], _prompt_rows(result)),
        f"Counting all words once takes {number(result['counting']['cpu_p50_ms'])} ms of the processor.\n",
    ]
    parts += [_retrieved(name, found) for name, found in result["retrieval"].items()]
    return "\n".join(parts)


def _prompt_rows(result: Result) -> Iterator[list[str]]:
    for total, found in result["prompt"].items():
        times = (number(found[name]) for name in ("p50_ms", "p95_ms", "cpu_p50_ms"))
        yield [f"{int(total):,}", *times, f"{found['tokens']:,}", str(found["turns_shown"])]


def _retrieved(name: str, found: Result) -> str:
    rows = [[label, *(number(row[what]) for what in _SHOWN)] for label, row in found.items()]
    header = ["", *(what.replace("_", " ") for what in _SHOWN)]
    return f"### Recall's retrieval on {title(name)}\n\n{table(header, rows)}"
