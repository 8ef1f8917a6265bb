"""Semem's retrieval score: how strongly a memory comes back, from its meaning, its use and its age.

``cosine * decay factor * e^(-0.0001 * idle_s) * ln(1 + access count)``. A day takes it down to two ten
thousandths and three months below what a number can hold, so memories are ranked by its logarithm.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_share
from recollect.errors import InvalidInputError, as_given
from recollect.retrieval.graph.signal import CONCEPTS, ConceptSignal
from recollect.retrieval.question import Question
from recollect.retrieval.rank import Ranker, Ranking
from recollect.retrieval.score import Scored
from recollect.retrieval.scoring import Scoring
from recollect.retrieval.shadow import Shadow

DECAY_PER_S: Final = 0.0001
"""Semem's: two hours without access halve a score."""

Doubles: TypeAlias = NDArray[np.float64]
Factors: TypeAlias = Callable[[str | None, NDArray[np.float32], NDArray[np.int64]], Doubles]
"""The decay factors as they are now: from what the store keeps, the factors as recorded, and as of when."""

_SECOND: Final = 1_000_000


@overload
def retrieval_score(
    cosine: float, *, decay_factor: float, idle_s: float, access_count: float, decay_per_s: float = ...
) -> float: ...
@overload
def retrieval_score(
    cosine: Doubles,
    *,
    decay_factor: Doubles,
    idle_s: Doubles,
    access_count: Doubles,
    decay_per_s: float = ...,
) -> Doubles: ...
def retrieval_score(
    cosine: float | Doubles,
    *,
    decay_factor: float | Doubles,
    idle_s: float | Doubles,
    access_count: float | Doubles,
    decay_per_s: float = DECAY_PER_S,
) -> float | Doubles:
    """Semem's retrieval score: ``cosine * decay_factor * e^(-decay_per_s * idle_s) * ln(1 + access_count)``.

    Args:
        cosine: Similarity of meaning; less than 0 counts as 0.
        decay_factor: What retrievals made of it, above 0.
        idle_s: Seconds since it was last accessed, or stored. Semem says "time difference" of a
            timestamp that moves with every access. Less than 0 (clocks differ) counts as 0.
        access_count: At least 1: storing it was the first access.
        decay_per_s: Semem's 0.0001.

    Returns:
        At least 0; it may exceed 1.

    >>> round(retrieval_score(0.8, decay_factor=1.1, idle_s=3600, access_count=2), 4)  # 1.1 * .698 * 1.099
    0.6745
    """
    factors = _factors(decay_factor, idle_s, access_count, decay_per_s=decay_per_s)
    score = np.maximum(cosine, 0.0) * factors["decay"] * factors["age"] * factors["access"]
    return score if isinstance(score, np.ndarray) else float(score)


def log_retrieval_score(
    cosine: Doubles,
    *,
    decay_factor: Doubles,
    idle_s: Doubles,
    access_count: Doubles,
    decay_per_s: float = DECAY_PER_S,
) -> Doubles:
    """The natural logarithm of ``retrieval_score``, exact where that is too small for a number.

    Args:
        cosine: As there, and so on; where it is not above 0 the logarithm is minus infinity.
        decay_factor: As there.
        idle_s: As there.
        access_count: As there.
        decay_per_s: As there.

    >>> year = np.array([365 * 86_400.0])
    >>> one = np.ones(1)
    >>> log_retrieval_score(one, decay_factor=one, idle_s=year, access_count=one).round(1).tolist()
    [-3154.0]
    """
    with np.errstate(divide="ignore"):
        meant = np.log(np.maximum(cosine, 0.0))
    used: Doubles = np.log(decay_factor) + np.log(np.log1p(access_count))
    return meant + used - decay_per_s * np.maximum(idle_s, 0.0)


def likeness(cosine: Doubles, activation: Doubles, *, concept_weight: float) -> Doubles:
    """How much memories are like a question by meaning and by concepts, 0 to 1.

    ``cosine + concept_weight * activation * (1 - cosine)``. Semem adds up what both find.

    Args:
        cosine: 0 to 1.
        activation: Of each memory's concepts, 0 to 1, see ``retrieval.graph.spreading.memory_activation``.
        concept_weight: 0 to 1.

    >>> likeness(np.array([0.5, 0.0]), np.array([0.0, 0.8]), concept_weight=0.5).tolist()
    [0.5, 0.4]
    """
    return cosine + concept_weight * activation * (1.0 - cosine)


def _factors(
    decay_factor: float | Doubles,
    idle_s: float | Doubles,
    access_count: float | Doubles,
    *,
    decay_per_s: float,
) -> dict[str, Any]:
    """What the cosine is multiplied by, by the names of the signals, in order."""
    aged = np.exp(-decay_per_s * np.maximum(idle_s, 0.0))
    return {"decay": decay_factor, "age": aged, "access": np.log1p(access_count)}


class StrengthScoring(Scoring):
    """Ranks by Semem's ``retrieval_score``.

    Signals are ``vector`` (cosine, 0 to 1), ``decay`` (the decay factor), ``age`` (0 to 1) and ``access``
    (``ln(1 + access count)``); the term of each is what multiplying by it adds. A score may exceed 1.

    With ``concepts`` it is that of ``likeness`` in place of the cosine: what shares nothing with the question
    comes back through its concepts. ``concepts`` is a signal then, the activation, and a term.

    Args:
        factors: The decay factors as they are now, ``lifecycle.retrievals.factors_at``.
        state: The name under which the store keeps what that needs.
        decay_per_s: Semem's 0.0001.
        concepts: What the activation of a memory's concepts counts, 0 to 1.
        language: ISO 639-1, of the questions' concepts.

    Raises:
        InvalidInputError: A number is out of range, or the language is unknown.
    """

    candidates: int | None = None

    def __init__(
        self,
        *,
        factors: Factors,
        state: str,
        decay_per_s: float = DECAY_PER_S,
        concepts: float = 0.0,
        language: str = "en",
    ) -> None:
        if not 0 <= decay_per_s < float("inf"):
            raise InvalidInputError(
                f"decay_per_s must be a number of at least 0, not {as_given(decay_per_s)}"
            )
        self._factors = factors
        self.state: Final = state
        self._decay_per_s = decay_per_s
        self._weight = check_share("concepts", concepts)
        self._concepts = ConceptSignal(language=language, with_given=True) if self._weight else None

    def rank(
        self,
        ranker: Ranker,
        question: Question,
        mask: NDArray[np.bool_],
        *,
        limit: int,
        also: int | None = None,
    ) -> Ranking:
        """See ``Scoring.rank``."""
        shadow = ranker.shadow
        alike = self._likeness(shadow, question)
        use = self._use(shadow, question)
        rows = np.flatnonzero(mask).astype(np.int32)
        strength = log_retrieval_score(self._together(alike), **use, decay_per_s=self._decay_per_s)
        chosen = ranker.chosen(rows, strength[rows], mask, limit=limit, also=also)
        held = {name: column[chosen] for name, column in use.items()}
        signals = {name: column[chosen] for name, column in alike.items()}
        return Ranking(rows=chosen, scored=self._scored(signals, held))

    def _likeness(self, shadow: Shadow, question: Question) -> dict[str, Doubles]:
        """What every row has in common with the question: the cosine, and the activation of its concepts."""
        cosine = np.clip(shadow.vectors.exact(question.vector), 0.0, 1.0).astype(np.float64)
        if self._concepts is None:
            return {"vector": cosine}
        return {"vector": cosine, CONCEPTS: self._concepts.measure(shadow, question).astype(np.float64)}

    def _use(self, shadow: Shadow, question: Question) -> dict[str, Doubles]:
        """How every row was used, by the names of ``retrieval_score``'s arguments."""
        accessed = shadow["accessed"]
        return {
            "decay_factor": self._factors(question.kept, shadow["decay"], accessed),
            "idle_s": (question.now - accessed) / _SECOND,
            "access_count": shadow["access"] + 1.0,
        }

    def _together(self, alike: Mapping[str, Doubles]) -> Doubles:
        cosine = alike["vector"]
        return likeness(cosine, alike.get(CONCEPTS, np.zeros_like(cosine)), concept_weight=self._weight)

    def _scored(self, alike: Mapping[str, Doubles], use: Mapping[str, Doubles]) -> Scored:
        factors = _factors(**use, decay_per_s=self._decay_per_s)
        score, terms = self._together(alike), {"vector": alike["vector"]}
        if CONCEPTS in alike:
            terms[CONCEPTS] = score - alike["vector"]
        for name, factor in factors.items():
            terms[name] = score * (factor - 1.0)
            score = score * factor
        return Scored(score=score, signals={**alike, **factors}, terms=terms)
