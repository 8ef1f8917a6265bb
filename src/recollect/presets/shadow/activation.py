"""Shadow Memory's activation score: how strongly a memory answers a context, from four signals.

Pure functions of numbers or arrays; a signal of shape ``(n,)`` gives a result of shape ``(n,)``. Every
signal and every result lies in 0 to 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInputError, as_given

RelevanceType = Literal["semantic", "contextual", "temporal", "mixed"]
"""What a memory was activated by."""

HALF_LIFE_DAYS: Final = 30.0
"""The spec's half-life (section 5, temporal decay)."""
TIME_CONSTANT_DAYS: Final = 30.0
"""The time constant of the spec's configuration example (section 8)."""

_SUM_TOLERANCE: Final = 1e-6
"""How far weights may be from a sum of 1: what rounding does to decimal fractions, and no more."""
_SIGNALS: Final = 4
_DOMINANT_SHARE: Final = 0.5
"""More than half: no two can have it."""

Floats: TypeAlias = NDArray[np.float32] | NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationWeights:
    """What each signal counts in the activation score; none is negative and they sum to 1.

    Attributes:
        embedding: Similarity of meaning; the spec's 0.6.
        metadata: Shared topics and entities; the spec's 0.2.
        summary: Shared words; the spec's 0.15.
        temporal: How recent the memory is; the spec's 0.05.

    Raises:
        InvalidInputError: A weight is negative or no number, or they do not sum to 1.
    """

    embedding: float = 0.6
    metadata: float = 0.2
    summary: float = 0.15
    temporal: float = 0.05

    def __post_init__(self) -> None:
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        for name, weight in given.items():
            if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight <= 1:
                raise InvalidInputError(
                    f"the weight of {name} is {as_given(weight)}; give a number from 0 to 1, and 0 to leave "
                    "it out"
                )
        total = sum(given.values())
        if abs(total - 1) > _SUM_TOLERANCE:
            shares = ", ".join(
                f"{name}={round(weight / total, 4)}" for name, weight in given.items() if total
            )
            instead = f"; in the same proportions they are {shares}" if total else ""
            raise InvalidInputError(f"the weights sum to {total:g} and must sum to 1{instead}")

    def __iter__(self) -> Iterator[float]:
        """The weights in the order of the fields, which is that of the score's arguments."""
        return iter((self.embedding, self.metadata, self.summary, self.temporal))


WEIGHTS: Final = ActivationWeights()
"""The spec's: 60% meaning, 20% topics and entities, 15% summary, 5% recency."""


@overload
def activation_score(
    embedding: float,
    metadata: float,
    summary: float,
    temporal: float,
    *,
    weights: ActivationWeights = ...,
) -> float: ...
@overload
def activation_score(
    embedding: Floats,
    metadata: Floats,
    summary: Floats,
    temporal: Floats,
    *,
    weights: ActivationWeights = ...,
) -> Floats: ...
def activation_score(
    embedding: float | Floats,
    metadata: float | Floats,
    summary: float | Floats,
    temporal: float | Floats,
    *,
    weights: ActivationWeights = WEIGHTS,
) -> float | Floats:
    """Shadow Memory's activation score (section 3): the weighted sum of four signals, 0 to 1.

    A signal below 0 counts as 0, one above 1 as 1, and NaN as 0, as in Shadow Memory's published code.

    Args:
        embedding: Cosine similarity, 0 to 1.
        metadata: ``jaccard`` of topics and entities, 0 to 1.
        summary: ``token_overlap`` of the context and the summary, 0 to 1.
        temporal: ``half_life_decay`` of the memory's age, 0 to 1.
        weights: What each counts.

    >>> round(activation_score(0.7, 0.25, 0.5, 0.5), 3)  # 0.42 + 0.05 + 0.075 + 0.025
    0.57
    >>> equal = ActivationWeights(embedding=0.25, metadata=0.25, summary=0.25, temporal=0.25)
    >>> activation_score(1.5, -0.2, float("nan"), 0.5, weights=equal)
    0.375
    """
    score = (
        weights.embedding * _clamped(embedding)
        + weights.metadata * _clamped(metadata)
        + weights.summary * _clamped(summary)
        + weights.temporal * _clamped(temporal)
    )
    return np.minimum(score, score.dtype.type(1)) if isinstance(score, np.ndarray) else min(score, 1.0)


def activation_terms(
    embedding: float | Floats,
    metadata: float | Floats,
    summary: float | Floats,
    temporal: float | Floats,
    *,
    weights: ActivationWeights = WEIGHTS,
) -> dict[str, float | Floats]:
    """What each signal adds to ``activation_score``, by its name, clamped alike; see there.

    >>> sorted(activation_terms(0.5, 0.0, 0.0, 1.0).items())[-1]
    ('temporal', 0.05)
    """
    signals = {"embedding": embedding, "metadata": metadata, "summary": summary, "temporal": temporal}
    return {
        name: weight * _clamped(signal)
        for (name, signal), weight in zip(signals.items(), weights, strict=True)
    }


def _clamped(signal: float | Floats) -> float | Floats:
    if isinstance(signal, np.ndarray):
        within: Floats = np.clip(np.nan_to_num(signal, nan=0.0), signal.dtype.type(0), signal.dtype.type(1))
        return within
    return min(max(float(signal), 0.0), 1.0) if signal == signal else 0.0  # noqa: PLR0124 - NaN is not itself


@overload
def half_life_decay(age_days: float, half_life_days: float = ...) -> float: ...
@overload
def half_life_decay(age_days: Floats, half_life_days: float = ...) -> Floats: ...
def half_life_decay(age_days: float | Floats, half_life_days: float = HALF_LIFE_DAYS) -> float | Floats:
    """Shadow Memory's temporal decay (section 5): ``exp(-ln 2 * age / half_life)``, 0 to 1.

    The default of the two decays in the spec: its own table of examples is made with it. Its
    configuration example is another function, ``time_constant_decay``.

    Args:
        age_days: Less than 0 (clocks differ) counts as 0.
        half_life_days: After so long half is left.

    Raises:
        InvalidInputError: ``half_life_days`` is not a number above 0.

    >>> [half_life_decay(days) for days in (0, 30, 60, 90)]
    [1.0, 0.5, 0.25, 0.125]
    """
    _check_days("half_life_days", half_life_days)
    return _exponential(age_days, half_life_days, power=np.exp2)


@overload
def time_constant_decay(age_days: float, time_constant_days: float = ...) -> float: ...
@overload
def time_constant_decay(age_days: Floats, time_constant_days: float = ...) -> Floats: ...
def time_constant_decay(
    age_days: float | Floats, time_constant_days: float = TIME_CONSTANT_DAYS
) -> float | Floats:
    """The decay of Shadow Memory's configuration example (section 8): ``exp(-age / time_constant)``.

    With the same 30 days it forgets 1.44 times as fast as ``half_life_decay``: 0.37 is left after 30 days
    instead of 0.5. A time constant of ``30 / ln 2`` = 43.3 days makes them the same.

    Args:
        age_days: Less than 0 (clocks differ) counts as 0.
        time_constant_days: After so long 1/e is left.

    Raises:
        InvalidInputError: ``time_constant_days`` is not a number above 0.

    >>> round(time_constant_decay(30), 3), round(time_constant_decay(30, 43.281), 3)
    (0.368, 0.5)
    """
    _check_days("time_constant_days", time_constant_days)
    return _exponential(age_days, time_constant_days, power=np.exp)


@overload
def jaccard(shared: int, one: int, other: int) -> float: ...
@overload
def jaccard(shared: NDArray[np.integer], one: int, other: NDArray[np.integer]) -> NDArray[np.float32]: ...
def jaccard(
    shared: int | NDArray[np.integer], one: int, other: int | NDArray[np.integer]
) -> float | NDArray[np.float32]:
    """Shadow Memory's metadata similarity: Jaccard, ``shared / (one + other - shared)``; Tanimoto, for sets.

    Args:
        shared: How many topics and entities both have, at most the fewer of both.
        one: How many the context has.
        other: How many the memory has.

    Returns:
        0 to 1; 0 when both are empty: two texts about nothing have nothing in common.

    >>> jaccard(2, 3, 4), jaccard(0, 0, 0)
    (0.4, 0.0)
    """
    return _share(shared, one + other - shared)


@overload
def token_overlap(shared: int, one: int, other: int) -> float: ...
@overload
def token_overlap(
    shared: NDArray[np.integer], one: int, other: NDArray[np.integer]
) -> NDArray[np.float32]: ...
def token_overlap(
    shared: int | NDArray[np.integer], one: int, other: int | NDArray[np.integer]
) -> float | NDArray[np.float32]:
    """Shadow Memory's summary similarity: the overlap coefficient, ``shared / min(one, other)``.

    Tokens are distinct stems without function words (``Analyser.query_stems``). Not Jaccard again: a
    question of four words never shares more than four with a summary of thirty, and Jaccard would tell it
    apart by the summary's length. R@10 of the activation score on LoCoMo is 49% with it and 43% with
    Jaccard; on BEAM's assistant chats, whose turns are long, 40% and 44%.

    Args:
        shared: How many stems both have.
        one: How many the context has.
        other: How many the summary has.

    Returns:
        0 to 1; 0 when either is empty.

    >>> token_overlap(2, 4, 30), token_overlap(0, 4, 0)
    (0.5, 0.0)
    """
    return _share(shared, np.minimum(one, other))


def relevance_type(
    signals: Sequence[float],
    *,
    usual: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    weights: ActivationWeights = WEIGHTS,
) -> RelevanceType:
    """What a memory was activated by (the spec's ``relevanceType``, which it does not define).

    The kind of signal that makes more than half of what lifts the score above the usual: ``semantic`` is
    the embedding, ``contextual`` metadata and summary together, ``temporal`` the age. ``mixed`` when none
    does, or nothing is lifted.

    Args:
        signals: Embedding, metadata, summary and temporal, each 0 to 1, as for ``activation_score``.
        usual: The same of a memory that has nothing to do with the context, such as the medians over the
            scope. Zeros look at the score itself; then the embedding's weight makes nearly everything
            semantic: 99.8% of the ten best turns on LoCoMo, with medians 33%.
        weights: As for ``activation_score``.

    Raises:
        InvalidInputError: There are not four signals.

    >>> relevance_type((0.5, 0.4, 0.5, 0.1)), relevance_type((0.5, 0.4, 0.5, 0.1), usual=(0.4, 0, 0, 0.1))
    ('semantic', 'contextual')
    """
    if len(signals) != _SIGNALS or len(usual) != _SIGNALS:
        raise InvalidInputError("give four signals: embedding, metadata, summary and temporal")
    embedding, metadata, summary, temporal = [
        weight * max(signal - typical, 0.0)
        for signal, typical, weight in zip(signals, usual, weights, strict=True)
    ]
    contextual = metadata + summary
    half = _DOMINANT_SHARE * (embedding + contextual + temporal)
    if embedding > half:
        return "semantic"
    if contextual > half:
        return "contextual"
    return "temporal" if temporal > half else "mixed"


@overload
def confidence(embedding: float, metadata: float, summary: float) -> float: ...
@overload
def confidence(embedding: Floats, metadata: Floats, summary: Floats) -> Floats: ...
def confidence(
    embedding: float | Floats, metadata: float | Floats, summary: float | Floats
) -> float | Floats:
    """How far meaning and words agree (the spec's "score reliability"), 0 to 1; no probability.

    ``sqrt(embedding * (metadata + summary) / 2)``: the geometric mean of two witnesses that see different
    things. It is 0 when one of them sees nothing and never falls when a signal rises. Age is no witness.
    Among the ten best by activation score it tells answering turns from others better than the score
    does: area under the ROC curve 0.73 against 0.67 on LoCoMo, 0.77 against 0.72 on BEAM.

    Args:
        embedding: As for ``activation_score``.
        metadata: The same.
        summary: The same.

    >>> confidence(0.8, 0.4, 0.6), confidence(0.9, 0.0, 0.0)
    (0.6324555320336759, 0.0)
    """
    agreed = np.sqrt(embedding * (metadata + summary) / 2)
    return agreed if isinstance(agreed, np.ndarray) else float(agreed)


def _exponential(age_days: float | Floats, days: float, *, power: np.ufunc) -> float | Floats:
    age = np.maximum(age_days, 0.0)
    left = power(-age / days)
    return left if isinstance(left, np.ndarray) else float(left)


def _check_days(name: str, days: float) -> None:
    if not 0 < days < float("inf"):
        raise InvalidInputError(f"{name} must be a number of days above 0, not {days}")


def _share(part: int | NDArray[np.integer], whole: int | NDArray[np.integer]) -> float | NDArray[np.float32]:
    """``part / whole``, and 0 where the whole is 0."""
    if not isinstance(part, np.ndarray) and not isinstance(whole, np.ndarray):
        return float(part / whole) if whole else 0.0
    share: NDArray[np.float32] = np.divide(part, np.maximum(whole, 1), dtype=np.float32)
    return share
