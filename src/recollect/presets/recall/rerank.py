"""Recall's retrieval: what is similar enough, then boosted by recency and importance.

"Hybrid: dense retrieval (primary) with metadata filtering": the similarity is the cosine, to which the
share of the question's words that a memory has adds a little. So many of the facts that answer a question
pass what one in a hundred of those that have nothing to do with it scores (the tokens' own static vectors;
with ``SHARE`` at 0, 0.3 and 0.5):

| | 0 | 0.3 | 0.5 |
|---|---|---|---|
| facts of LoCoMo | 0.48 | 0.63 | 0.72 |
| facts of BEAM | 0.35 | 0.39 | 0.44 |
| turns of LoCoMo | 0.24 | 0.51 | 0.59 |
| turns of BEAM | 0.15 | 0.27 | 0.25 |

0.3 leaves meaning the first word: a question in quite other words than the memory is still found.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import MAX_TOP_K, check_count, check_share
from recollect.lifecycle.use import decayed_importance
from recollect.retrieval.calibration import Calibration
from recollect.retrieval.question import Question
from recollect.retrieval.rank import Ranker, Ranking
from recollect.retrieval.score import Scored
from recollect.retrieval.shadow import Shadow
from recollect.text.analyse import Analyser
from recollect.types import MemoryRecord, Recollection
from recollect.types.codec import from_micros

TOP_K: Final = 5
"""Recall: "balance relevance against context usage"."""
SIMILARITY_THRESHOLD: Final = 0.7
"""Recall: "avoid irrelevant results"; of the calibrated similarity."""
RECENT_DAYS: Final = 7.0
RECENT: Final = 1.2
"""Recall: 1.2 times for less than 7 days."""
IMPORTANT: Final = 0.2
"""What the highest importance adds: as much as recency does. Recall says "by importance score". By hand."""
CANDIDATES: Final = 20
"""Memories that are boosted, of which the best are returned. Recall boosts only what it returns, which then
could never take the place of something better."""
SHARE: Final = 0.3
"""What shared words count in the similarity; the cosine counts the rest. Chosen by hand, see above."""
_CALIBRATED_WITH: Final = 16_384
"""Scores that a calibration is moved by. Chosen by hand."""
_DAY_S: Final = 86_400.0

_KNOWN: Final = {
    "recollect-contextual-v2": Calibration(midpoint=0.32, step=0.10),
    "recollect-static-v2": Calibration(midpoint=0.27, step=0.08),
    "mock-semantic-model-v1": Calibration(midpoint=0.21, step=0.09),
}
"""What similarities of questions with facts mean, by an embedder's name, as in ``retrieval.calibration``: of
other people's facts one in a hundred passes ``midpoint`` (contextual: LoCoMo 0.29, BEAM 0.36; static, by
turns in place of facts: 0.23, 0.32; the mock 0.22, 0.19), and one in a thousand ``step`` more (0.11, 0.09;
static, by its ratio to the contextual one: 0.08; 0.09, 0.10). So 0.7 is passed by about one in 500."""


def similarity_calibration(embedder: str) -> Calibration:
    """What is known of the similarities of an embedder; of one that was not measured nothing.

    Args:
        embedder: ``Embedder.name``.

    >>> round(similarity_calibration("recollect-static-v2").apply(0.27), 2)
    0.5
    """
    return _KNOWN.get(embedder, Calibration())


Importance = Callable[[MemoryRecord, datetime], float]
"""What a memory's importance is at a moment, 0 to 1."""


def hybrid_similarity(cosine: float, shared_words: float) -> float:
    """Recall's similarity before it is calibrated: ``0.7 * cosine + 0.3 * shared_words``, 0 to 1.

    Args:
        cosine: Of the question with the memory, 0 to 1.
        shared_words: The share of the question's telling words that the memory has, 0 to 1.

    >>> round(hybrid_similarity(0.5, 1.0), 2)
    0.65
    """
    return (1 - SHARE) * cosine + SHARE * shared_words


def recency_boost(age_days: float) -> float:
    """Recall's boost for what happened less than 7 days ago.

    >>> recency_boost(6.9), recency_boost(7)
    (1.2, 1.0)
    """
    return RECENT if age_days < RECENT_DAYS else 1.0


def importance_boost(importance: float) -> float:
    """Recall's boost by importance: ``1 + 0.2 * importance``.

    Args:
        importance: What time has left of it, 0 to 1.

    >>> importance_boost(0.5)
    1.1
    """
    return 1.0 + IMPORTANT * importance


def recall_score(similarity: float, *, age_days: float, importance: float) -> float:
    """Recall's score of a memory: its similarity times both boosts; 0 to 1.44.

    Args:
        similarity: The calibrated similarity, 0 to 1.
        age_days: Since it happened.
        importance: What time has left of it, 0 to 1.

    >>> round(recall_score(0.8, age_days=2, importance=0.5), 3)
    1.056
    """
    return similarity * recency_boost(age_days) * importance_boost(importance)


def stored_importance(record: MemoryRecord, _now: datetime) -> float:
    """The importance as it is stored."""
    return record.worth.importance


def faded_importance(record: MemoryRecord, now: datetime) -> float:
    """What time has left of an importance: Recall's "importance decay" against stale memories.

    5 % less with each week without access, of facts too; critical memories keep theirs.
    """
    anchor = record.times.accessed_at or record.times.created_at
    idle_days = (now - anchor).total_seconds() / _DAY_S
    return decayed_importance(record.worth.importance, idle_days=idle_days, critical=record.worth.critical)


class RecallScoring:
    """Ranks by Recall's score what is similar enough.

    Signals are ``meaning`` (cosine) and ``words`` (shared), 0 to 1, ``similarity``, what both say when
    calibrated, and the factors ``recency`` and ``importance``. The terms of meaning and words are their parts
    of the similarity, those of the factors what they add. A memory below the threshold is never returned,
    whatever its boosts.

    Args:
        calibration: What similarities mean, see ``similarity_calibration``; those of a scope of at least 100
            memories move it. None takes them as they are.
        threshold: The least similarity, 0 to 1.
        candidates: How many are boosted at least.
        importance: What a memory's importance is now.
        language: ISO 639-1, of the questions' words.

    Raises:
        InvalidInputError: A number is out of range, or the language is unknown.
    """

    def __init__(
        self,
        *,
        calibration: Calibration | None = None,
        threshold: float = SIMILARITY_THRESHOLD,
        candidates: int = CANDIDATES,
        importance: Importance = stored_importance,
        language: str = "en",
    ) -> None:
        self.candidates: int | None = check_count("candidates", candidates, most=MAX_TOP_K)
        self._calibration = calibration
        self._threshold = check_share("threshold", threshold)
        self._importance = importance
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
        """The most similar rows, none below the threshold but ``also``."""
        shadow = ranker.shadow
        meaning = (1 - SHARE) * np.clip(shadow.vectors.exact(question.vector), np.float32(0), np.float32(1))
        words = SHARE * self._shared_words(shadow, question)
        raw = (meaning + words).astype(np.float32)
        similarity = self._calibrated(raw[shadow["alive"]]).apply(raw)
        rows = np.flatnonzero(mask & (similarity >= self._threshold)).astype(np.int32)
        chosen = ranker.chosen(rows, raw[rows], mask, limit=limit, also=also)
        share = similarity[chosen] / np.maximum(raw[chosen], np.float32(1e-9))
        signals = {
            "meaning": meaning[chosen] / np.float32(1 - SHARE),
            "words": words[chosen] / np.float32(SHARE),
            "similarity": similarity[chosen],
        }
        terms = {
            "meaning": meaning[chosen] * share,
            "words": words[chosen] * share,
            "similarity": np.zeros_like(share),
        }
        return Ranking(rows=chosen, scored=Scored(score=similarity[chosen], signals=signals, terms=terms))

    def weigh(self, question: Question, found: Sequence[Recollection]) -> Sequence[Recollection]:
        """With what their age and their importance add."""
        now = from_micros(question.now)
        return [self._boosted(one, now) for one in found]

    def _boosted(self, found: Recollection, now: datetime) -> Recollection:
        similarity = found.signals["similarity"]
        age = (now - found.memory.times.happened_at).total_seconds() / _DAY_S
        importance = self._importance(found.memory, now)
        recent, score = recency_boost(age), recall_score(similarity, age_days=age, importance=importance)
        return replace(
            found,
            score=score,
            signals={**found.signals, "recency": recent, "importance": importance_boost(importance)},
            terms={
                **found.terms,
                "recency": similarity * (recent - 1),
                "importance": score - similarity * recent,
            },
        )

    def _shared_words(self, shadow: Shadow, question: Question) -> NDArray[np.float32]:
        """The share of the question's telling words in every row, 0 to 1."""
        asked = self._analyser.query_terms(question.text)
        rows, shared = shadow.postings.shared(asked)
        found = np.zeros(shadow.size, np.float32)
        found[rows] = shared / max(len(asked), 1)
        return found

    def _calibrated(self, raw: NDArray[np.float32]) -> Calibration:
        """The calibration for one question: what was known, moved by what its similarities show."""
        if self._calibration is None:
            return Calibration()
        return self._calibration.adapted(raw[:: max(1, len(raw) // _CALIBRATED_WITH)])
