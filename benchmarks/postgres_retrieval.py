"""Does a search on PostgreSQL return what one on SQLite returns?

A user whose shadow fits is searched as on SQLite; for a larger one the server's indexes propose, by words and
by vector, and only what they propose is ranked. That is looked at with all conversations as one user's: those
of one conversation are too few for proposals to leave much out.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from benchmarks.retrieval import DayAfter, remember
from benchmarks.targets import PROPOSED
from recollect import Memory
from recollect.memory.maintenance import make_vector_index
from recollect_bench.datasets import Dataset
from recollect_bench.metrics import measure

EVERYTHING: Final = "everything"
"""The user who had all conversations."""


def recall_by_place(datasets: Sequence[Dataset], *, new: Callable[[str], str]) -> dict[str, dict[str, float]]:
    """R@10 over the questions with evidence, by data set and by where memories are kept.

    Args:
        datasets: What is remembered and asked.
        new: Makes an empty schema of that name; returns its URL.
    """
    return {dataset.name: _places(dataset, new=new) for dataset in datasets}


def _places(dataset: Dataset, *, new: Callable[[str], str]) -> dict[str, float]:
    url, clock = new(f"retrieval_{dataset.name}"), DayAfter()
    found: dict[str, float] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory(Path(folder) / "m.db", embedder="static", clock=clock) as memory,
    ):
        asked = _Asked(memory, clock, dataset)
        found["SQLite"] = asked.recall()
        found["SQLite, one user"] = asked.recall(EVERYTHING)
    with Memory(url, embedder="static", clock=clock) as memory:
        asked = _Asked(memory, clock, dataset)
        found["PostgreSQL"] = asked.recall()
        make_vector_index(url)
        memory.parts.recall.forget()
        memory.parts.recall._shadows.limit_bytes = 0  # noqa: SLF001
        found[PROPOSED] = asked.recall(EVERYTHING)
    return found


class _Asked:
    """A data set, remembered twice: a user for each conversation, and one who had all of them."""

    def __init__(self, memory: Memory, clock: DayAfter, dataset: Dataset) -> None:
        self._memory, self._clock, self._dataset = memory, clock, dataset
        self._turn_of: dict[str, tuple[str, str]] = {}
        for conversation in dataset.conversations:
            clock.follow(conversation)
            for user in (None, EVERYTHING):
                kept = remember(memory, conversation, user_id=user)
                self._turn_of |= {memory_id: (conversation.id, turn) for memory_id, turn in kept.items()}

    def recall(self, user: str | None = None) -> float:
        """The mean R@10, asked of the user of each conversation or of one."""
        measured: list[float] = []
        for conversation in self._dataset.conversations:
            self._clock.follow(conversation)
            for question in conversation.questions:
                if question.gold:
                    hits = self._memory.search(question.text, user_id=user or conversation.id, top_k=10)
                    said = [self._turn_of[hit.memory.id] for hit in hits]
                    ranking = [turn if of == conversation.id else "" for of, turn in said]
                    measured.append(measure(ranking, question.gold)["recall_at_10"])
        return fmean(measured)
