"""Shadow Memory's contexts, and its statistics."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from recollect.text.context_type import ContextType


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShadowContext:
    """What memories are compared with.

    Attributes:
        text: The words.
        topics: What they are about.
        entities: Whom and what they name.
        embedding: Their vector, ``float32`` of shape ``(dim,)``.
        type: The kind of context; it chooses the threshold.
        reason: How the kind was told.
    """

    text: str
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    embedding: NDArray[np.float32]
    type: ContextType
    reason: str


ContextLike: TypeAlias = ShadowContext | str
"""A context, or the text that one is built from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemStats:
    """How a system is doing.

    Attributes:
        total_memories: All that are stored.
        active_memories: Those that can be recalled.
        archived_memories: Those put away.
        retrievals: How often memories were activated for a context since it was opened.
        average_activation_score: Mean score of what was activated in those, 0 to 1; 0 without any.
        thresholds: The threshold of each kind of context, as learned.
        embedding_model: Who made the vectors; None while there are none.
        dimensions: Of the vectors; 0 while there are none.
    """

    total_memories: int
    active_memories: int
    archived_memories: int
    retrievals: int
    average_activation_score: float
    thresholds: Mapping[ContextType, float]
    embedding_model: str | None
    dimensions: int
