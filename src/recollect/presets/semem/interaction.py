"""An interaction: what was asked and what was answered, as one memory."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from recollect.lifecycle.retrievals import access_count
from recollect.types import MemoryLabels, MemoryRecord

MemoryType = Literal["short-term", "long-term"]
"""Semem's two memories."""
BETWEEN: Final = "\n\n"
"""What stands between prompt and output in the words of a memory."""
OUTPUT_AT: Final = "output_at"
"""The key of the metadata that says where the output begins, in characters."""
_SHORT: Final = ("short-term", "working")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Interaction:
    """An interaction as it is now. Of a memory that is none, ``prompt`` holds the words.

    Attributes:
        id: Its id.
        prompt: What was asked.
        output: What was answered; may be empty.
        timestamp: When it was last accessed, or else stored: its age counts from here.
        access_count: How often it was accessed; storing it was the first time.
        concepts: What it is about: those of a model where one was asked, entities and tags; each once.
        decay_factor: What retrievals have made of it, 0.001 to 1,000; 1.0 at first.
        memory_type: In which of the two memories it is.
        record: The memory under it, with everything else that is known.
    """

    id: str
    prompt: str
    output: str
    timestamp: datetime
    access_count: int
    concepts: tuple[str, ...]
    decay_factor: float
    memory_type: MemoryType
    record: MemoryRecord = field(repr=False)
    embed: Callable[[str], NDArray[np.float32]] = field(repr=False)

    @property
    def embedding(self) -> NDArray[np.float32]:
        """Its vector, ``float32`` of shape ``(dim,)``; made as the store's is, when it is asked for."""
        return self.embed(self.record.content)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RetrievedInteraction:
    """An interaction that a query found.

    Attributes:
        interaction: As it is after this retrieval.
        score: The retrieval score, see ``recollect.presets.semem.strength``; at least 0, may exceed 1.
        signals: What was measured, by name.
        terms: What each signal added to the score.
    """

    interaction: Interaction
    score: float
    signals: Mapping[str, float]
    terms: Mapping[str, float]


def words_of(prompt: str, output: str) -> str:
    """The words of an interaction as a memory has them."""
    return f"{prompt}{BETWEEN}{output}" if output else prompt


def interaction_of(
    record: MemoryRecord, *, decay_factor: float, embed: Callable[[str], NDArray[np.float32]]
) -> Interaction:
    """A memory as an interaction.

    Args:
        record: The memory. Were its words changed so that its output begins elsewhere, all are its prompt.
        decay_factor: As it is now.
        embed: Makes the vector of a text as it is stored.
    """
    prompt, output = _parts(record)
    return Interaction(
        id=record.id,
        prompt=prompt,
        output=output,
        timestamp=record.times.accessed_at or record.times.created_at,
        access_count=access_count(record),
        concepts=_concepts(record.labels),
        decay_factor=decay_factor,
        memory_type="short-term" if record.tier in _SHORT else "long-term",
        record=record,
        embed=embed,
    )


def _concepts(labels: MemoryLabels) -> tuple[str, ...]:
    """What a memory is about, each once in whatever case; names keep their spelling."""
    once: dict[str, str] = {}
    for name in (*labels.concepts, *labels.entities, *(tag.text for tag in labels.tags)):
        once.setdefault(name.casefold(), name)
    return tuple(once.values())


def _parts(record: MemoryRecord) -> tuple[str, str]:
    """Prompt and output."""
    at = record.metadata.get(OUTPUT_AT)
    if isinstance(at, int) and record.content[max(at - len(BETWEEN), 0) : max(at, 0)] == BETWEEN:
        return record.content[: at - len(BETWEEN)], record.content[at:]
    return record.content, ""
