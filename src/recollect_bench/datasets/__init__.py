"""Conversations with questions whose answers stand in known turns, read from others' files, one loader each.

The files are not part of this project: their paths are arguments. Every loader returns the same shape.
"""

from collections.abc import Callable, Mapping
from typing import Final

from recollect_bench.datasets import beam, locomo, longmemeval, realmem
from recollect_bench.datasets.shapes import Conversation, Dataset, Question, Turn

__all__ = ["LOADERS", "Conversation", "Dataset", "Question", "Turn", "short_title", "title"]

_FILES: Final = {"locomo": locomo, "beam": beam, "longmemeval": longmemeval, "realmem": realmem}

LOADERS: Final[Mapping[str, Callable[..., Dataset]]] = {name: one.load for name, one in _FILES.items()}
"""Loaders by the name that the command line uses."""


def title(dataset: str) -> str:
    """A data set as a heading calls it."""
    return _FILES[dataset].TITLE if dataset in _FILES else dataset


def short_title(dataset: str) -> str:
    """A data set as a table calls it."""
    return title(dataset).partition(":")[0]
