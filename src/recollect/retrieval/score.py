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

IN_CHATS: Final = 2.0
"""Times that meaning weighs for a short question where an assistant speaks: it repeats what it was asked, so
that words tell less. A long message has words enough. From 1.7 to 2.3 little changes."""

RECENT: Final = "recent"
"""A hint for long messages alone, which mostly go on with what was talked about last."""

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


def weights_for(words: int, *, chat: bool = False) -> Mapping[str, float]:
    """What each signal weighs for a question; they add up to 1.

    Args:
        words: How many words the question looks for.
        chat: Whether an assistant and others speak in the memories, and it asks for what the others said.

    >>> long = weights_for(24)
    >>> round(long["words_session"] / long["words"], 3)
    2.0
    """
    fewest, most = LONG
    long = min(max((words - fewest) / (most - fewest), 0.0), 1.0)
    factors = {"words_session": 1 + long}
    if chat:
        meaning = 1 + (IN_CHATS - 1) * (1 - long)
        factors.update(dict.fromkeys(("meaning", "meaning_near", "meaning_session"), meaning))
    raised = {name: weight * factors.get(name, 1.0) for name, weight in WEIGHTS.items()}
    if long:
        raised[RECENT] = HINT * long
    share = sum(WEIGHTS.values()) / sum(raised.values())
    return {name: weight * share for name, weight in raised.items()}


def default_score(
    signals: Mapping[str, Floats], *, weights: Mapping[str, float] = WEIGHTS, extra: Extra | None = None
) -> Scored:
    """Recollect's own score: ``role * sum(weight * signal)``, at most 1.

    ``role`` is 1, less for an assistant's words, more for what the user wants; its term is what it takes away
    or adds. A signal that is missing counts as 0.

    Args:
        signals: ``float32`` arrays of one shape, by the names in ``weights`` and ``role``.
        weights: What they weigh, from ``weights_for``.
        extra: A signal besides, which stands in ``signals``, too.

    >>> one = np.ones(1, np.float32)
    >>> found = default_score({"words": one, "meaning": one * 0.5, "role": one * 0.5})
    >>> round(float(found.score[0]), 3)
    0.115
    """
    if extra is not None:
        weights = {
            **{name: (1 - extra.weight) * weight for name, weight in weights.items()},
            extra.name: extra.weight,
        }
    terms = {name: signals[name] * np.float32(weight) for name, weight in weights.items() if name in signals}
    total: Floats = np.sum(list(terms.values()), axis=0, dtype=np.float32)
    score: Floats = np.minimum(total * signals[ROLE], np.float32(1))
    terms[ROLE] = score - total
    return Scored(score=score, signals=signals, terms=terms)
