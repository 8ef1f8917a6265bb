"""The default score: a sum of named terms, 0 to 1."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
AnyFloats: TypeAlias = NDArray[np.floating[Any]]

WORDS: Final = 0.555
MEANING: Final = 0.27
"""Words to meaning is two to one. Between one to one and four to one little changes on either benchmark."""
HINT: Final = 0.025
"""Hints only order memories that are otherwise alike. They count the same; see docs/inside/retrieval.md."""
TIME_MATCH: Final = 0.05
"""Having happened when the question says tells more than a hint, and less than a word."""

WEIGHTS: Final[Mapping[str, float]] = {
    "words": WORDS / 3,
    "words_near": WORDS / 3,
    "words_session": WORDS / 3,
    "meaning": MEANING / 3,
    "meaning_near": MEANING / 3,
    "meaning_session": MEANING / 3,
    "time_match": TIME_MATCH,
    "speaker": HINT,
    "shape": HINT,
    "substance": HINT,
    "statement": HINT,
    "usefulness": HINT,
}
"""What each signal weighs; they add up to 1. Turn, neighbourhood and session weigh the same."""

LONG: Final = (12, 24)
"""No single turn holds all words of a long message, but the session about its matter does. From 13 words
on, the session's words count more, from 24 on twice. Any ramp between 10 to 30 and 15 to 16 is as good."""

ROLE: Final = "role"
"""The name of the factor on the whole sum."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of some rows and what they are made of.

    Attributes:
        score: ``float32`` per row, 0 to 1; ``float64`` of a scoring that needs it, which says its range.
        signals: By name, the same.
        terms: By the same names; they sum up to the score.
    """

    score: AnyFloats
    signals: Mapping[str, AnyFloats]
    terms: Mapping[str, AnyFloats]


NOTHING: Final = Scored(score=np.empty(0, np.float32), signals={}, terms={})
"""Of no rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """One more signal.

    Attributes:
        name: How it is called.
        weight: What it counts, 0 to 1; the others share the rest.
        values: ``float32`` of every row, 0 to 1.
    """

    name: str
    weight: float
    values: Floats


def weights_for(words: int) -> Mapping[str, float]:
    """What each signal weighs for a question of so many words; they add up to 1.

    >>> long = weights_for(24)
    >>> round(long["words_session"] / long["words"], 3)
    2.0
    """
    fewest, most = LONG
    gain = WORDS / 3 * min(max((words - fewest) / (most - fewest), 0.0), 1.0)
    if not gain:
        return WEIGHTS
    raised = {**WEIGHTS, "words_session": WEIGHTS["words_session"] + gain}
    return {name: weight / (1 + gain) for name, weight in raised.items()}


def default_score(signals: Mapping[str, Floats], *, words: int = 0, extra: Extra | None = None) -> Scored:
    """Recollect's own score: ``role * sum(weight * signal)``.

    ``role`` is 1, or less for an assistant's words; its term is what it takes away. A signal that is
    missing counts as 0.

    Args:
        signals: ``float32`` arrays of one shape, by the names in ``WEIGHTS`` and ``role``.
        words: How many words the question looks for.
        extra: A signal besides, which stands in ``signals``, too.

    >>> one = np.ones(1, np.float32)
    >>> found = default_score({"words": one, "meaning": one * 0.5, "role": one * 0.5})
    >>> round(float(found.score[0]), 3)
    0.118
    """
    weights = weights_for(words)
    if extra is not None:
        weights = {
            **{name: (1 - extra.weight) * weight for name, weight in weights.items()},
            extra.name: extra.weight,
        }
    terms = {name: signals[name] * np.float32(weight) for name, weight in weights.items() if name in signals}
    total: Floats = np.sum(list(terms.values()), axis=0, dtype=np.float32)
    role = signals[ROLE]
    terms[ROLE] = total * (role - np.float32(1))
    return Scored(score=total * role, signals=signals, terms=terms)
