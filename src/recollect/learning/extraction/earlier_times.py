"""Facts whose sentence says that they belong to an earlier time, or stand beside what is known.

=================================================== ==============================================
message                                             what is learned
=================================================== ==============================================
"I moved to Berlin when I was a student."           "moved to Berlin", which is not the home of now
"We moved to Berlin in 2012 and came back in 2014." the same
"I started a side job at Deliveroo."                another job, which ends no known one
"I quit smoking in 2012 but started again."         nothing: the end did not last
=================================================== ==============================================

The words were chosen by hand.
"""

import re
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.facts import Fact
from recollect.types.regex import lazy_regex

_OF_THEN: Final = lazy_regex(
    r"\b(?:when (?:i|we) (?:was|were) (?:an? |still |only |just |about |around )*"
    r"(?:student|kid|child|baby|boy|girl|teen\w*|toddler|young|little|small|(?:one|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|1?\d)\b)"
    r"|as an? (?:kid|child|teen\w*|boy|girl)\b|growing up"
    r"|(?:and|but|then) (?:i |we )?(?:then )?(?:came|went|moved) back|(?:and|but|then) (?:i |we )?returned"
    r"|for (?:\w+ ){1,3}(?:weeks?|months?|years?) in (?:19|20)\d\d)",
    re.IGNORECASE,
)
"""Tells of a stay that is over."""
_BESIDE: Final = lazy_regex(
    r"\b(?:side|second|weekend|evening|summer|holiday|extra) (?:job|gig|hustle)\b", re.IGNORECASE
)
_AGAIN: Final = lazy_regex(
    r"\b(?:but|and|then|later|before) (?:i |we )?(?:\w+ )?"
    r"(?:(?:started|began|took it|picked it)(?: up)? again|relapsed|went back to it)",
    re.IGNORECASE,
)
_YEAR_BEFORE: Final = lazy_regex(r"\b(?:back )?in (?:[a-z]+ )?(?:19|20)\d\d,? $", re.IGNORECASE)
_ENDS: Final = lazy_regex(r"[.!?](?=\s|$)|\n")


def as_told_of_then(fact: Fact, text: str) -> Fact:
    """A fact that takes the place of no known one where its sentence says so; any other as it is."""
    if fact.change != "begun" or fact.negated:
        return fact
    if fact.relation == "lives in" and _OF_THEN.search(_sentence(fact, text)):
        return replace(fact, relation="moved to", single_valued=False, change=None)
    if fact.relation == "works at" and _BESIDE.search(fact.quote):
        return replace(fact, single_valued=False, change=None)
    return fact


def is_taken_up_again(fact: Fact, text: str) -> bool:
    """Whether what a fact says was given up was begun again in the same sentence."""
    return fact.change == "ended" and fact.negated and _AGAIN.search(_sentence(fact, text)) is not None


def year_before(fact: Fact, text: str) -> str:
    """The year right before the words of a fact: "In 2012 " before "I moved"; empty without one."""
    found = _YEAR_BEFORE.search(text[: max(0, text.find(fact.quote))])
    return "" if found is None else found.group()


def _sentence(fact: Fact, text: str) -> str:
    """The sentence of a text in which a fact was found; the quotation where it is not there."""
    start = text.find(fact.quote)
    if start < 0:
        return fact.quote
    begins = max((one.end() for one in _ENDS.finditer(text, 0, start)), default=0)
    end = _ENDS.search(text, start + len(fact.quote))
    return text[begins : end.start() if end else len(text)]
