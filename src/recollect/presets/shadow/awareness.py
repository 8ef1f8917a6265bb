"""Shadow Memory's awareness: the activation score of every memory, from the shadow alone.

What a memory says in full is not read for it: its vector, its topics, the stems of its summary and its
age are columns of the shadow.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInputError, as_given
from recollect.presets.shadow.activation import (
    WEIGHTS,
    ActivationWeights,
    RelevanceType,
    activation_score,
    activation_terms,
    confidence,
    half_life_decay,
    jaccard,
    relevance_type,
    token_overlap,
)
from recollect.presets.shadow.selection import RankingStrategy, check_strategy, strategy_score
from recollect.retrieval.calibration import Calibration
from recollect.retrieval.candidates import NO_MARKS, Candidate, Candidates
from recollect.retrieval.question import Question
from recollect.retrieval.rank import Ranker, Ranking
from recollect.retrieval.score import Scored
from recollect.retrieval.scoring import Scoring
from recollect.retrieval.shadow import Shadow
from recollect.text.analyse import Analyser
from recollect.text.outline import summary_numbers, topic_numbers
from recollect.text.traits import telling_of
from recollect.types import MemoryRecord, Recollection, Superseded

SIGNALS: Final = ("embedding", "metadata", "summary", "temporal")
"""The four signals of the activation score, in the order of ``activation_score``."""
UNCALIBRATED: Final = "uncalibrated"
"""The name under which the signals hold the activation score as the formula gives it."""

Floats = NDArray[np.float32]
AnyFloats: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
Decay = Callable[[AnyFloats], AnyFloats]
"""What is left after so many days, 0 to 1; never more after longer."""

_DAY: Final = 86_400_000_000
_CALIBRATED_WITH: Final = 4_096
"""Scores that a calibration is moved by; more do not make its quantiles better. Chosen by hand."""
_USUAL_OF: Final = 1_024
"""Memories whose medians are looked at. Chosen by hand."""


class ActivationScoring(Scoring):
    """Ranks by Shadow Memory's activation score (section 3).

    Signals are ``embedding`` (cosine), ``metadata`` (shared topics and entities), ``summary`` (shared words)
    and ``temporal`` (age), each 0 to 1, and ``uncalibrated``, their weighted sum. The score is that sum
    calibrated, so that the design's thresholds mean what they say (``retrieval.calibration``); the terms
    are each signal's share of it.

    Args:
        weights: What each signal counts.
        calibration: What is known of the embedder's scores, see ``for_embedder``; the scores of a scope of at
            least 100 memories move it. None leaves scores as the formula gives them.
        decay: What is left of a memory's recency after so many days.
        language: ISO 639-1, of the questions' topics.

    Raises:
        InvalidInputError: The language is unknown.
    """

    candidates: int | None = None

    def __init__(
        self,
        *,
        weights: ActivationWeights = WEIGHTS,
        calibration: Calibration | None = None,
        decay: Decay = half_life_decay,
        language: str = "en",
    ) -> None:
        self._weights = weights
        self._calibration = calibration
        self._decay = decay
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
        """See ``Scoring.rank``."""
        shadow = ranker.shadow
        signals = self._signals(shadow, question)
        raw: Floats = activation_score(*signals, weights=self._weights).astype(np.float32, copy=False)
        calibration = self._calibrated(raw, shadow["alive"])
        rows = np.flatnonzero(mask).astype(np.int32)
        score = raw if len(rows) == len(raw) else raw[rows]
        chosen = ranker.chosen(rows, score, mask, limit=limit, also=also)
        taken = [signal[chosen] for signal in signals]
        return Ranking(
            rows=chosen,
            scored=self._scored(taken, raw[chosen], calibration),
            usual=_medians(signals, rows[:: max(1, len(rows) // _USUAL_OF)]),
        )

    def _signals(self, shadow: Shadow, question: Question) -> tuple[Floats, Floats, Floats, Floats]:
        """The four signals of every row."""
        embedding = shadow.vectors.exact(question.vector)
        np.clip(embedding, np.float32(0), np.float32(1), out=embedding)
        age = (question.now - shadow["happened"]).astype(np.float32) / np.float32(_DAY)
        temporal = _checked(self._decay(age), shadow.size)
        return embedding, self._metadata(shadow, question), self._summary(shadow, question), temporal

    def _metadata(self, shadow: Shadow, question: Question) -> Floats:
        """How many topics and entities are the same."""
        asked = topic_numbers(question.about(self._analyser), self._analyser)
        rows, shared = shadow.outlines.shared(asked, shadow.size)
        found = np.zeros(shadow.size, np.float32)
        found[rows] = jaccard(shared, len(asked), shadow.outlines.topics(shadow.size)[rows])
        return found

    def _summary(self, shadow: Shadow, question: Question) -> Floats:
        """How many words are the same: the summary's, or those of a memory that is its own summary."""
        asked = self._analyser.query_terms(question.text)
        said = shadow.outlines.said(shadow.size)
        rows, shared = shadow.postings.shared(asked)
        its_own = said[rows] == 0
        rows, shared = rows[its_own], shared[its_own]
        words = telling_of(shadow["traits"][rows])
        found = np.zeros(shadow.size, np.float32)
        found[rows] = token_overlap(np.minimum(shared, words), len(asked), words)
        rows, shared = shadow.outlines.shared(summary_numbers(asked), shadow.size)
        found[rows] = token_overlap(np.minimum(shared, said[rows]), len(asked), said[rows])
        return found

    def _calibrated(self, raw: Floats, alive: NDArray[np.bool_]) -> Calibration:
        """The calibration for one context: what was known, moved by what its scores show."""
        if self._calibration is None:
            return Calibration()
        step = max(1, len(raw) // _CALIBRATED_WITH)
        return self._calibration.adapted(raw[::step][alive[::step]])

    def _scored(self, signals: Sequence[Floats], raw: Floats, calibration: Calibration) -> Scored:
        """The scores of some rows, given their four signals and the score that the formula gives."""
        score = calibration.apply(raw)
        share = np.divide(score, raw, out=np.zeros_like(raw), where=raw > 0)
        terms = activation_terms(*signals, weights=self._weights)
        return Scored(
            score=np.where(raw > 0, score, np.float32(0)),
            signals={**dict(zip(SIGNALS, signals, strict=True)), UNCALIBRATED: raw},
            terms={name: (np.asarray(term) * share).astype(np.float32) for name, term in terms.items()},
        )


def _medians(signals: Sequence[Floats], rows: NDArray[np.int32]) -> dict[str, float]:
    """The signals of a memory in the middle: one that has nothing to do with the context."""
    if not rows.size:
        return dict.fromkeys(SIGNALS, 0.0)
    medians = np.median([signal[rows] for signal in signals], axis=1)
    return dict(zip(SIGNALS, medians.tolist(), strict=True))


def _checked(left: object, size: int) -> Floats:
    """What a decay gave, 0 to 1."""
    found = np.asarray(left, np.float32)
    if found.shape == (size,) and found.min(initial=0) >= 0 and found.max(initial=0) <= 1:
        return found
    if found.shape != (size,) or not np.isfinite(found).all():
        raise InvalidInputError(
            f"the decay function must return one number for each of {size} ages; it returned {as_given(left)}"
        )
    return np.clip(found, np.float32(0), np.float32(1))


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryAwareness:
    """A memory as Shadow Memory is aware of it: scored, and not read.

    Attributes:
        memory_id: Its id.
        activation_score: The calibrated activation score, 0 to 1.
        relevance_type: What lifts it above the others, see ``relevance_type``.
        summary: What it says in short.
        confidence: How far meaning and words agree, 0 to 1, see ``confidence``.
        activated: Whether the score reaches the threshold.
        threshold: The least score that activates it.
        signals: ``embedding``, ``metadata``, ``summary`` and ``temporal``, and their weighted sum
            ``uncalibrated``; each 0 to 1.
        terms: What each of the four adds to the score.
    """

    memory_id: str
    activation_score: float
    relevance_type: RelevanceType
    summary: str
    confidence: float
    activated: bool
    threshold: float
    signals: Mapping[str, float]
    terms: Mapping[str, float]

    @property
    def reason(self) -> str:
        """In words, the score against the threshold and what made it.

        One that is below the threshold is rounded down, so that it is not called as high.
        """
        score = self.activation_score if self.activated else math.floor(self.activation_score * 100) / 100
        largest = sorted(SIGNALS, key=lambda name: -self.terms[name])
        made = ", ".join(f"{name} {self.terms[name]:.2f}" for name in largest)
        reached = "reaches" if self.activated else "is below"
        return f"{score:.2f} {reached} {self.threshold:g}: {made}"


class Awareness(Sequence[MemoryAwareness]):
    """What Shadow Memory is aware of for one context, best first; one is made when it is looked at.

    Args:
        candidates: By ``ActivationScoring``.
        thresholds: The least score that activates, by relevance type.
        weights: Those of the scoring.
    """

    def __init__(
        self,
        candidates: Candidates,
        *,
        thresholds: Mapping[RelevanceType, float],
        weights: ActivationWeights = WEIGHTS,
    ) -> None:
        self._candidates = candidates
        self._thresholds = thresholds
        self._weights = weights
        self._usual = [candidates.usual.get(name, 0.0) for name in SIGNALS]

    def __len__(self) -> int:
        return len(self._candidates)

    @overload
    def __getitem__(self, place: int) -> MemoryAwareness: ...
    @overload
    def __getitem__(self, place: slice) -> "list[MemoryAwareness]": ...
    def __getitem__(self, place: int | slice) -> "MemoryAwareness | list[MemoryAwareness]":
        if isinstance(place, slice):
            return [self._aware(one) for one in self._candidates[place]]
        return self._aware(self._candidates[place])

    def __iter__(self) -> Iterator[MemoryAwareness]:
        return map(self._aware, self._candidates)

    @property
    def scores(self) -> Floats:
        """All scores, ``float32`` of shape ``(n,)``; descending unless ``ranked`` in another order."""
        return self._candidates.scores

    @property
    def total(self) -> int:
        """How many memories were scored, if these are only the best of them."""
        return self._candidates.total

    def ids(self) -> list[str]:
        """All ids."""
        return self._candidates.ids()

    @property
    def accessed(self) -> list[int]:
        """When each was used last, or else stored: microseconds since 1970."""
        return self._candidates.accessed

    def texts(self, *, whole_up_to: int) -> Sequence[str | None]:
        """What each says, see ``Candidates.texts``."""
        return self._candidates.texts(whole_up_to=whole_up_to)

    def unread(
        self,
        read: Callable[[Sequence[str]], Iterable[MemoryRecord]],
        *,
        marks: Mapping[str, Superseded] = NO_MARKS,
    ) -> Sequence[Recollection]:
        """The memories themselves, read by their ids when they are looked at, see ``Candidates.unread``."""
        return self._candidates.unread(read, marks=marks)

    def find(self, memory_id: str) -> MemoryAwareness | None:
        """One memory; None when it is no candidate.

        Raises:
            InvalidInputError: It is no id.
        """
        place = self._candidates.find(memory_id)
        return None if place is None else self[place]

    def is_short_of(self, rest: int) -> bool:
        """Whether what was left out may be activated, too, or belong to the best ``rest`` that are not."""
        least = min(self._thresholds.values())
        return len(self) < self.total and int(np.count_nonzero(self.scores < least)) < rest

    def activated(self) -> "Awareness":
        """Those that are activated."""
        least = min(self._thresholds.values())
        promising = self._candidates.above(least)
        if least == max(self._thresholds.values()):
            return self._part(promising)
        part = self._part(promising)
        return part.chosen([place for place, one in enumerate(part) if one.activated])

    def without(self, ids: Sequence[str]) -> "Awareness":
        """These without some memories."""
        unwanted = frozenset(ids)
        kept = [place for place, one in enumerate(self.ids()) if one not in unwanted] if unwanted else []
        return self.chosen(kept) if unwanted else self

    def rest(self, limit: int, *, without: Sequence[str] = ()) -> "Awareness":
        """The best that are not activated, ``limit`` at the most, and none of some ids."""
        least, most = min(self._thresholds.values()), max(self._thresholds.values())
        surely = int(np.count_nonzero(self.scores >= most))
        maybe = int(np.count_nonzero(self.scores >= least))
        wanted = limit + len(without)
        between = enumerate(self._part(self._candidates[surely:maybe]), surely)
        found = list(islice((place for place, one in between if not one.activated), wanted))
        some = [*found, *range(maybe, min(len(self), maybe + wanted))]
        return self.chosen(some).without(without).first(limit)

    def chosen(self, places: Sequence[int]) -> "Awareness":
        """Those at some places."""
        return self._part(self._candidates.chosen(places))

    def ranked(self, strategy: RankingStrategy) -> "Awareness":
        """The same memories in another order, see ``strategy_score``; the scores stay.

        Raises:
            InvalidInputError: The strategy is unknown.
        """
        value = strategy_score(
            check_strategy(strategy),
            score=self.scores.astype(np.float64),
            recency=self._candidates.signals["temporal"].astype(np.float64),
            accessed=np.asarray(self.accessed, np.float64),
        )
        return self.chosen(np.argsort(-value, kind="stable").tolist())

    def first(self, limit: int, *, after: int = 0) -> "Awareness":
        """The first of these, or of those after the first so many."""
        return self._part(self._candidates[after : after + limit])

    def _part(self, candidates: Candidates) -> "Awareness":
        return Awareness(candidates, thresholds=self._thresholds, weights=self._weights)

    def _aware(self, one: Candidate) -> MemoryAwareness:
        signals = [one.signals[name] for name in SIGNALS]
        kind = relevance_type(signals, usual=self._usual, weights=self._weights)
        threshold = self._thresholds[kind]
        return MemoryAwareness(
            memory_id=one.memory_id,
            activation_score=one.score,
            relevance_type=kind,
            summary=one.summary,
            confidence=confidence(*signals[:3]),
            activated=one.score >= threshold,
            threshold=threshold,
            signals=one.signals,
            terms=one.terms,
        )
