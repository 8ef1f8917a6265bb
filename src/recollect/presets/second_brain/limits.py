"""How many facts, episodes and parts of documents go with a question: as many as it needs and have room."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from recollect.documents.citing import SNIPPET_TOKENS
from recollect.protocols import TokenCounter
from recollect.types import Kind, Recollection

DESIGNED: Final[Mapping[Kind, int]] = MappingProxyType({"fact": 10, "episode": 5, "document": 5})
"""The design's numbers, for every question."""
SHARE: Final = 0.35
"""Of the best score: what scores less is not needed. Chosen on the open half of ``benchmarks/limits.py``."""
MOST: Final = 40
"""Memories that are looked at for one question. Chosen there, too: more are mostly beside the question."""


def fitting_limits(
    hits: Sequence[Recollection], *, budget_tokens: int, count_tokens: TokenCounter
) -> Mapping[Kind, int]:
    """How many of each kind score at least ``SHARE`` of the best, as long as they fit into a budget.

    A question for one thing has one or two hits that stand out; one for a list or a course of events has
    many that are as good.

    Args:
        hits: Of all three kinds, best first.
        budget_tokens: What the memories may have together.
        count_tokens: Counts the tokens of a text.
    """
    least = SHARE * hits[0].score if hits else 0.0
    counts: Counter[Kind] = Counter()
    for hit in hits:
        tokens = count_tokens(f"- {hit.memory.content}\n")
        budget_tokens -= min(tokens, SNIPPET_TOKENS) if hit.memory.kind == "document" else tokens
        if hit.score < least or budget_tokens < 0:
            break
        counts[hit.memory.kind] += 1
    return counts
