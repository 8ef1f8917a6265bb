"""Chloe's hybrid search: the nearest by meaning, shared tags, use, and by choice importance and recency."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import MAX_TOP_K, check_count, check_share
from recollect.lifecycle.use import importance_at
from recollect.retrieval.question import Question
from recollect.retrieval.rank import Ranker, Ranking
from recollect.text.analyse import Analyser
from recollect.text.tags import extract_tags, tag_overlap
from recollect.types import Recollection, Tag
from recollect.types.codec import from_micros

_DAY_S: Final = 86_400.0
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


RECENT_DAYS: Final = 30.0
"""After so long half of being recent is left; Chloe gives no number, Shadow Memory's is 30 days."""


def worth_boost(
    importance: float, age_days: float, *, importance_weight: float, recency_weight: float
) -> float:
    """Chloe's "ranked by relevance, recency, and importance", for which it gives no formula.

    ``1 + importance_weight * importance + recency_weight * 0.5 ** (age_days / 30)``, at least 1.

    Args:
        importance: What time has left of it, 0 to 1.
        age_days: Since it happened; less than 0 counts as 0.
        importance_weight: 0 to 1.
        recency_weight: 0 to 1.

    >>> worth_boost(0.5, 30.0, importance_weight=0.2, recency_weight=0.4)
    1.3
    """
    recency: float = 0.5 ** (max(age_days, 0.0) / RECENT_DAYS)
    return 1 + importance_weight * importance + recency_weight * recency


class HybridScoring:
    """Chloe's hybrid search: ``hybrid_score`` of the 20 nearest, times ``usage_boost`` and ``worth_boost``.

    Signals are ``vector`` and ``tags``, 0 to 1, and the factors ``usage`` and ``worth``; the terms of factors
    are what they add. A score may exceed 1.

    Args:
        language: ISO 639-1, of the questions' tags.
        tag_weight: What shared tags weigh, 0 to 1; meaning weighs the rest.
        candidates: How many of the nearest are weighed; all that are asked for when those are more.
        importance_weight: What a memory's importance adds, 0 to 1; the formula of the design has 0.
        recency_weight: What being recent adds, 0 to 1; likewise.

    Raises:
        InvalidInputError: A number is out of range, or the language is unknown.
    """

    def __init__(
        self,
        *,
        language: str = "en",
        tag_weight: float = TAG_WEIGHT,
        candidates: int = CANDIDATES,
        importance_weight: float = 0.0,
        recency_weight: float = 0.0,
    ) -> None:
        self.candidates: int | None = check_count("candidates", candidates, most=MAX_TOP_K)
        self._tag_weight = check_share("tag_weight", tag_weight)
        self._worth = partial(
            worth_boost,
            importance_weight=check_share("importance_weight", importance_weight),
            recency_weight=check_share("recency_weight", recency_weight),
        )
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
        asked, now = extract_tags(question.text, analyser=self._analyser), from_micros(question.now)
        return [self._weighed(asked, one, now) for one in found]

    def _weighed(self, asked: Sequence[Tag], found: Recollection, now: datetime) -> Recollection:
        shared, matched = tag_overlap(asked, found.memory.labels.tags, analyser=self._analyser)
        cosine, boost = found.signals["vector"], usage_boost(found.memory.use.usage_count)
        age_days = (now - found.memory.times.happened_at).total_seconds() / _DAY_S
        worth = self._worth(importance_at(found.memory, now), age_days)
        score = hybrid_score(cosine, shared, tag_weight=self._tag_weight)
        return replace(
            found,
            score=score * boost * worth,
            signals={"vector": cosine, "tags": shared, "usage": boost, "worth": worth},
            terms={
                "vector": hybrid_score(cosine, 0.0, tag_weight=self._tag_weight),
                "tags": hybrid_score(0.0, shared, tag_weight=self._tag_weight),
                "usage": score * (boost - 1),
                "worth": score * boost * (worth - 1),
            },
            matched_tags=matched,
        )
