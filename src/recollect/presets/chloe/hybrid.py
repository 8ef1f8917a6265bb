"""Chloe's hybrid search: the nearest by meaning, then shared tags, then how often a memory was of use."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInputError
from recollect.retrieval.question import Question
from recollect.retrieval.rank import Ranker, Ranking
from recollect.text.analyse import Analyser
from recollect.text.tags import extract_tags, tag_overlap
from recollect.types import Recollection, Tag

TAG_WEIGHT: Final = 0.3
"""Chloe: vector similarity 70 %, tag overlap 30 %."""
CANDIDATES: Final = 20
"""Chloe: the top 20 of the vector search are weighed."""


def hybrid_score(cosine: float, tag_overlap: float, *, tag_weight: float = TAG_WEIGHT) -> float:
    """Chloe's combined score, 0 to 1: ``(1 - tag_weight) * cosine + tag_weight * tag_overlap``.

    Args:
        cosine: Similarity of meaning, 0 to 1.
        tag_overlap: Share of the question's tags that the memory has, 0 to 1.
        tag_weight: Chloe's 0.3.

    >>> round(hybrid_score(0.8, 0.5), 2)
    0.71
    """
    return (1 - tag_weight) * cosine + tag_weight * tag_overlap


def usage_boost(usage_count: int) -> float:
    """Chloe's adjustment by use: ``1 + ln(max(usage_count, 1))``, at least 1.

    >>> usage_boost(0), usage_boost(1), round(usage_boost(10), 3)
    (1.0, 1.0, 3.303)
    """
    return 1 + math.log(max(usage_count, 1))


class HybridScoring:
    """Chloe's hybrid search: ``hybrid_score`` of the 20 nearest, times ``usage_boost``.

    Signals are ``vector`` and ``tags``, 0 to 1, and ``usage``, the factor; the term of ``usage`` is what
    the factor adds. A score may exceed 1, for a memory that was of use more than once.

    Args:
        language: ISO 639-1, of the questions' tags.
        tag_weight: What shared tags weigh, 0 to 1; meaning weighs the rest.
        candidates: How many of the nearest are weighed; all that are asked for when those are more.

    Raises:
        InvalidInputError: A number is out of range, or the language is unknown.
    """

    def __init__(
        self, *, language: str = "en", tag_weight: float = TAG_WEIGHT, candidates: int = CANDIDATES
    ) -> None:
        if not 0 <= tag_weight <= 1 or candidates < 1:
            raise InvalidInputError("tag_weight must be from 0 to 1, and candidates at least 1")
        self.candidates: int | None = candidates
        self._tag_weight = tag_weight
        self._analyser = Analyser(language)

    def rank(
        self,
        ranker: Ranker,
        question: Question,
        mask: NDArray[np.bool_],
        *,
        limit: int,
        also: int | None = None,
    ) -> Ranking:
        """The nearest by meaning."""
        return ranker.nearest(question, mask, limit=limit, also=also)

    def weigh(self, question: Question, found: Sequence[Recollection]) -> Sequence[Recollection]:
        """With the tags that the records share with the question, and how often they were of use."""
        asked = extract_tags(question.text, analyser=self._analyser)
        return [self._weighed(asked, one) for one in found]

    def _weighed(self, asked: Sequence[Tag], found: Recollection) -> Recollection:
        shared, matched = tag_overlap(asked, found.memory.labels.tags, analyser=self._analyser)
        cosine, boost = found.signals["vector"], usage_boost(found.memory.use.usage_count)
        score = hybrid_score(cosine, shared, tag_weight=self._tag_weight)
        return replace(
            found,
            score=score * boost,
            signals={"vector": cosine, "tags": shared, "usage": boost},
            terms={
                "vector": hybrid_score(cosine, 0.0, tag_weight=self._tag_weight),
                "tags": hybrid_score(0.0, shared, tag_weight=self._tag_weight),
                "usage": score * (boost - 1),
            },
            matched_tags=matched,
        )
