"""Instructions that stand because what gives their reason lasts: "I work nights, so no mornings please".

=============================================== =====================================
what is said                                    is asked for
=============================================== =====================================
I've got a bad knee so no squats please         always: the knee lasts
no nuts please, my son is allergic              always: the allergy lasts
I have a cold so no dairy please today          for today
I live in Leeds so suggest a pub                once: nothing is to be left out
=============================================== =====================================
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import SHARED, Fact
from recollect.learning.extraction.instructions import instruction_of
from recollect.types.regex import lazy_regex

_SO: Final = frozenset(["so", ",", "therefore", "hence", "-", ";"])
_BECAUSE: Final = frozenset(["because", "as", "since", ",", "-", ";"])
"""What links an instruction with the reason before it, and behind it."""
_LASTING: Final = frozenset(["preference", "context"])
_FOR_ONE_TEXT: Final = lazy_regex(
    r"\bin (?:the|my|an?|our) (?!(?:early |late )?(?:mornings?|afternoons?|evenings?|nights?|week|weekends?"
    r"|winter|summer)\b)"
)
"""Says what an order is for: "no dogs in the picture"."""
_MOMENT: Final = lazy_regex(
    r"\b(?:today|tonight|tomorrow|this|these|right now|at the moment|for now|just now|currently|temporarily)"
    r"\b"
)
"""Says that a reason, or what is asked for, is of the moment."""


def reasoned_in(
    clauses: Sequence[Clause], told: Mapping[int, Sequence[Fact]], done: Collection[int], speaker: str
) -> Iterator[Fact]:
    """The instructions of a sentence that stand beside their reason.

    Args:
        clauses: Of the sentence.
        told: What the clauses state, by their numbers.
        done: The clauses that are read already.
        speaker: How facts call who speaks.
    """
    if any(_MOMENT.search(clause.read) for clause in clauses):
        return
    lasting = {number for number, facts in told.items() if _lasts(facts)}
    for number, clause in enumerate(clauses):
        before = clause.link in _SO and number - 1 in lasting
        after = number + 1 in lasting and clauses[number + 1].link in _BECAUSE
        if number not in done and (before or after) and _FOR_ONE_TEXT.search(clause.read) is None:
            found = instruction_of(clauses, number, speaker, reasoned=True)
            yield from [] if found is None else [found]


def _lasts(facts: Sequence[Fact]) -> bool:
    """Whether a statement tells of what somebody is or has or likes, rather than of an event."""
    tastes = ("likes", "loves", "hates", "enjoys", "prefers", "wants")
    return any(
        one.category in _LASTING
        and one.confidence >= SHARED
        and not (one.only_ends or one.relation.startswith(tastes))
        for one in facts
    )
