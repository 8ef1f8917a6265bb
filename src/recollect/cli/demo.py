"""A ten-second demo: ``python -m recollect.cli.demo``.

It stores a sample conversation from the package in a temporary folder, searches it, and prints the hits
with their scores and a context for a prompt.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from recollect.memory.memory import Memory
from recollect.types import Recollection

USER: Final = "mara"
"""The user of the sample."""

QUESTIONS: Final[Mapping[str, str]] = {
    "What is the name of Mara's dog?": "named Pixel",
    "When is Ines's wedding?": "now on 3 October",
    "Which book did Jonas recommend?": "The Left Hand of Darkness",
    "What did you suggest for my knee?": "Swimming is a good substitute",
    "When did Mara move to Porto?": "moved to Porto",
}
"""Questions, with words of the answering turn; a test checks that it ranks first."""

CONTEXT_QUESTION: Final = "Who is Pixel's vet?"
CONTEXT_TOKENS: Final = 220
"""Enough for about five turns, so that some are left out. Chosen by hand."""

_SAMPLE: Final = Path(__file__).with_name("data") / "sample.jsonl"
_SHOWN: Final = 2
_WIDTH: Final = 100
_COLUMNS: Final = ("words", "meaning", "hints", "role")
"""Groups of score terms, by the first part of their names; all others count as hints."""


def read_sample() -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Yield the sample's sessions, oldest first: their id, and messages for ``Memory.add``.

    >>> [len(messages) for _, messages in read_sample()]
    [10, 9, 10, 10, 10, 12]
    """
    lines = _SAMPLE.read_text(encoding="utf-8").splitlines()
    for session_id, turns in groupby(map(json.loads, lines), key=lambda turn: str(turn["session_id"])):
        yield session_id, [{k: v for k, v in turn.items() if k != "session_id"} for turn in turns]


def remember_sample(memory: Memory) -> int:
    """Add the sample to a memory, session by session; return the number of turns."""
    return sum(
        len(memory.add(messages, user_id=USER, session_id=session_id))
        for session_id, messages in read_sample()
    )


def main() -> None:
    """Run the demo."""
    console = Console(width=_WIDTH, highlight=False)
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "demo.db") as memory:
        turns = remember_sample(memory)
        console.print(f"\nRemembered [bold]{turns} turns[/] of six conversations, January to June 2026.")
        for question in QUESTIONS:
            _show_search(console, memory, question)
        _show_context(console, memory)
    _show_next_step(console)


def _show_search(console: Console, memory: Memory, question: str) -> None:
    hits = memory.search(question, user_id=USER, top_k=_SHOWN)
    table = Table(title=f"\n? {question}", title_justify="left", title_style="bold", box=None, expand=True)
    for name in ("score", *_COLUMNS):
        table.add_column(name, justify="right", min_width=7)
    table.add_column("who, when, what", ratio=1)
    for hit in hits:
        table.add_row(f"[bold]{hit.score:.3f}[/]", *_terms(hit), _quoted(hit))
    console.print(table)


def _terms(hit: Recollection) -> list[str]:
    sums = dict.fromkeys(_COLUMNS, 0.0)
    for name, value in hit.terms.items():
        group = name.partition("_")[0]
        sums[group if group in sums else "hints"] += value
    return [f"{value:+.3f}" for value in sums.values()]


def _quoted(hit: Recollection) -> str:
    origin, times = hit.memory.origin, hit.memory.times
    who = f"[bold]{escape(origin.speaker or origin.role)}[/], {times.happened_at:%d %b}"
    return f"{who}: {escape(hit.memory.content)}"


def _show_context(console: Console, memory: Memory) -> None:
    context = memory.context(CONTEXT_QUESTION, user_id=USER, budget_tokens=CONTEXT_TOKENS)
    console.print(f"\n[bold]? {CONTEXT_QUESTION}[/]  (as text for a prompt)\n")
    console.print(context.text, markup=False)
    console.print(
        f"\n{context.tokens} of {context.budget_tokens} tokens, {len(context.included)} memories in, "
        f"{len(context.left_out)} left out. The best one, explained:\n{context.included[0].explain()}",
        markup=False,
    )


def _show_next_step(console: Console) -> None:
    console.print(
        "\nThe demo's memory was deleted. Next, your own conversation:\n\n"
        "  source .venv/bin/activate\n"
        "  recollect add 'I prefer Python for data analysis' --user-id me\n"
        "  recollect search 'which language for my project?' --user-id me\n\n"
        "README.md has the same in Python; docs/use/guide.md has the rest.",
        markup=False,
    )


if __name__ == "__main__":
    main()
