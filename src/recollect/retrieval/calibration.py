"""What an activation score means: raw scores mapped to the 0 to 1 that Shadow Memory's thresholds speak of.

The spec's thresholds (0.75 for a query, 0.3 for a conversation) were written for one embedder. Cosines of
others lie elsewhere: with the static one a turn of LoCoMo that answers nothing scores 0.30 in the middle,
and one that answers 0.43. Read as they stand, 0.3 activates half of the turns and 0.75 none.

Here a calibrated score says how seldom a memory that has nothing to do with the context scores so high:
0.5 about one in a hundred, 0.75 about one in a thousand. In between and beyond the odds ``score / (1 -
score)`` triple with every ``step``. It never changes an order, so it moves what is activated and nothing
else. It is no probability of being relevant. What each threshold activates a question (``benchmarks``):

| LoCoMo, static embedder | before: turns, precision, recall | ``adapted``: turns, precision, recall |
|---|---|---|
| conversation 0.3 | 300, 0.004, 0.89 | 24, 0.03, 0.51 |
| document 0.6 | 0.3, 0.29, 0.06 | 1.6, 0.18, 0.21 |
| mixed 0.65 | 0.1, 0.36, 0.02 | 1.1, 0.23, 0.17 |
| query 0.75 | 0.01, 0.36, 0.002 | 0.5, 0.32, 0.11 |
| task 0.8 | 0, none, 0 | 0.3, 0.36, 0.09 |
"""

from dataclasses import dataclass, replace
from typing import Final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recollect.errors import InvalidInputError

MIN_STEP: Final = 0.05
"""The least ``step``: the weight of the spec's temporal signal. A memory that is only recent then gains one
step at most over an old one, which lifts it from the middle, 0.1, to 0.25: below every threshold. A context
that fits nothing at all, where all scores are nearly equal, would activate whatever is new otherwise."""
MIN_SCORES: Final = 100
"""Scores needed to look at one in ten of them. Chosen by hand."""
SPREADS: Final = 2
"""Where 0.5 lies: so many spreads above the median, the spread being what lies between the median and the
score of one in ten. Of the turns of another conversation than the question's, two spreads are passed by 0.9%
on LoCoMo and 0.6% on BEAM, three by 0.09% and 0.03%; by 0.5% and 0.006% of a normal distribution."""

_TENTH: Final = 0.9
_ODDS: Final = np.log(3.0)
"""Of 0.75 against 0.25."""
_ALL_KNOWN: Final = 300
"""Scores beyond the least from which on they say all that is known. Chosen by hand: no memory that is added
makes a jump."""
_OWN_SHARE: Final = 0.5
"""The most that the scores at hand count against what is known of the embedder. Alone they always activate
something: on LoCoMo one question in four about another conversation finds a memory over 0.75, with the half
one in fifty; what is known alone finds less of what answers, and does not fit longer texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A mapping of raw activation scores to calibrated ones; without numbers they stay as they are.

    Attributes:
        midpoint: The raw score that becomes 0.5: about one unrelated memory in a hundred has it.
        step: How much more becomes 0.75: about one in a thousand has that.
        share: How much the mapping counts against the score as it is, 0 to 1.

    Raises:
        InvalidInputError: One is given without the other, or ``step`` is not above 0.

    >>> static = for_embedder("recollect-static-v2")
    >>> [round(static.apply(raw), 2) for raw in (0.12, 0.42, 0.53, 0.64)]
    [0.05, 0.5, 0.75, 0.9]
    """

    midpoint: float | None = None
    step: float | None = None
    share: float = 1.0

    def __post_init__(self) -> None:
        if (self.midpoint is None) != (self.step is None):
            raise InvalidInputError("give both midpoint and step, or neither to leave scores as they are")
        if self.midpoint is None or self.step is None:
            return
        if not (np.isfinite(self.midpoint) and np.isfinite(self.step) and self.step > 0):
            raise InvalidInputError("midpoint and step must be numbers, and step above 0")

    @property
    def is_identity(self) -> bool:
        """Whether scores stay as they are."""
        return self.midpoint is None

    @overload
    def apply(self, scores: float) -> float: ...
    @overload
    def apply(self, scores: NDArray[np.float32]) -> NDArray[np.float32]: ...
    def apply(self, scores: float | NDArray[np.float32]) -> float | NDArray[np.float32]:
        """The calibrated scores, 0 to 1: ``1 / (1 + 3 ** ((midpoint - score) / step))``.

        A higher raw score never gets a lower calibrated one. Rank by raw scores all the same: close to 0
        and 1 two that differ may become one.

        Args:
            scores: ``activation_score``: one, or shape ``(n,)``.
        """
        raw = np.asarray(scores, np.float64)
        if self.midpoint is None or self.step is None:
            mapped = np.clip(raw, 0.0, 1.0)
        else:
            mapped = 0.5 + 0.5 * np.tanh(0.5 * _ODDS * (raw - self.midpoint) / self.step)
            mapped = self.share * mapped + (1 - self.share) * np.clip(raw, 0.0, 1.0)
        return mapped.astype(np.float32) if isinstance(scores, np.ndarray) else float(mapped)

    def adapted(self, scores: ArrayLike) -> "Calibration":
        """This calibration moved towards what the scores of one context over a whole scope show.

        Nearly all memories of a scope have nothing to do with any one context, so their scores tell what
        unrelated memories score: in this language, at these lengths, with these names in every turn.
        What was known counts half from many scores on, and more the fewer they are; below 100 alone.

        Args:
            scores: Raw activation scores of one context and all memories in scope, whatever filters ask.

        Returns:
            The mean of both, weighed. Where nothing was known, scores as they are go over into those that
            ``estimate`` gives, from 100 scores to 400.
        """
        raw = np.asarray(scores, np.float64)
        if raw.size < MIN_SCORES:
            return self
        found = estimate(raw)
        beyond = raw.size - MIN_SCORES
        if self.midpoint is None or self.step is None or found.midpoint is None or found.step is None:
            return replace(found, share=min(beyond / _ALL_KNOWN, 1.0))
        share = _OWN_SHARE * beyond / raw.size
        return Calibration(
            midpoint=(1 - share) * self.midpoint + share * found.midpoint,
            step=(1 - share) * self.step + share * found.step,
        )


_KNOWN: Final = {
    "recollect-contextual-v2": Calibration(midpoint=0.46, step=0.12),
    "recollect-static-v2": Calibration(midpoint=0.42, step=0.11),
    "mock-semantic-model-v1": Calibration(midpoint=0.3, step=0.09),
}
"""By an embedder's name. From the medians over questions of ``estimate``: the contextual one 0.47 and 0.16 on
LoCoMo, 0.45 and 0.10 on BEAM; the static one 0.39 and 0.14, 0.44 and 0.08; the mock 0.28 and 0.10, 0.36 and
0.08. Rounded means."""


def for_embedder(name: str) -> Calibration:
    """What is known of an embedder's raw scores; of one that was not measured nothing, and they stay.

    Args:
        name: ``Embedder.name``.

    >>> for_embedder("openai:text-embedding-3-small").is_identity
    True
    """
    return _KNOWN.get(name, Calibration())


def estimate(scores: ArrayLike) -> Calibration:
    """The calibration that raw scores of unrelated pairs show.

    They must be scores of contexts with memories. Pairs of memories do not do: texts of a memory's
    length are more alike than a question is to any of them. On LoCoMo one pair in a hundred from different
    conversations has a cosine of 0.81, but only one in a hundred of a question and a turn 0.64.

    Args:
        scores: Raw activation scores, at least 100, of pairs of which nearly all are unrelated: the scores
            of one context over a whole scope are.

    Raises:
        InvalidInputError: There are fewer than 100 scores, or one is no number.

    >>> found = estimate(np.linspace(0.2, 0.4, 101))
    >>> round(found.midpoint, 2), round(found.step, 2)  # 0.3 in the middle, 0.38 for one in ten
    (0.46, 0.08)
    """
    raw = np.asarray(scores, np.float64)
    if raw.size < MIN_SCORES or not np.isfinite(raw).all():
        raise InvalidInputError(f"give at least {MIN_SCORES} scores that are numbers")
    places = np.array([0.5, _TENTH]) * (raw.size - 1)
    middle, high = np.interp(places, np.arange(raw.size), np.sort(raw)).tolist()
    step = max(high - middle, MIN_STEP)
    return Calibration(midpoint=middle + SPREADS * step, step=step)
