"""How sure a plain statement is: each reason to doubt that it says what was meant takes a step from it."""

from typing import Final, Literal

from recollect.learning.extraction.facts import EXPLICIT

Doubt = Literal["no rule", "long", "activity", "another", "cut", "going on", "other time"]
"""Why a statement may be read wrongly or say too much:

``no rule``: its verb is read as it stands; ``long``: its object has more than ``SHORT`` words; ``activity``:
it is about doing something, which is often said of the moment; ``another``: it is about somebody else;
``cut``: what follows its object in the clause is left out; ``going on``: it tells of what is under way;
``other time``: it tells of what began or ended."""
SHORT: Final = 5
"""Words of an object that nothing is left to doubt of. Chosen by hand."""
STEPS: Final[dict[Doubt, float]] = {
    "no rule": 0.07,
    "long": 0.1,
    "activity": 0.07,
    "another": 0.03,
    "cut": 0.1,
    "going on": 0.03,
    "other time": 0.02,
}
"""What each doubt takes. Chosen by hand, so that facts of 0.9 and more are nearly all true
(``python -m benchmarks keeping`` counts them)."""
LEAST: Final = 0.7
"""What a statement without a hedge is worth at least: Second Brain's "fairly confident"."""


def sureness(*doubts: Doubt) -> float:
    """The confidence in a plain statement, 0.7 to 0.95.

    >>> sureness(), sureness("another"), sureness("long", "cut", "no rule")
    (0.95, 0.92, 0.7)
    """
    return max(LEAST, round(EXPLICIT - sum(STEPS[doubt] for doubt in set(doubts)), 2))
