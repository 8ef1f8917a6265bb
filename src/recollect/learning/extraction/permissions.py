"""What somebody may eat or take again, but only in part: "I can eat eggs now as long as they're baked".

=============================================== =======================================================
said                                            learned
=============================================== =======================================================
"I can eat eggs now as long as they're baked"   User can eat eggs now as long as they're baked.
"Tom can have egg now, in a cake, not fried"    Tom can have egg now, in a cake, not fried.
"I can eat eggs again!"                         nothing: that ends the allergy (``reconcile``)
=============================================== =======================================================

It ends no allergy, so that nothing else is made of these words.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from recollect.learning.extraction.clauses import Clause, Sentence
from recollect.learning.extraction.facts import EXPLICIT, Fact
from recollect.learning.extraction.leads import lead_of
from recollect.learning.extraction.reactions import names_a_substance
from recollect.learning.extraction.subjects import Subject, subject_of
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.text.entities.kinds import Kind, kind_of
from recollect.types.regex import lazy_regex

PERMITS: Final = frozenset(("can eat", "can have", "can drink", "can take", "can tolerate"))
"""Relations of what somebody may have under a condition."""
_MAY: Final = (
    r"\bcan (?:(?:now|finally|safely|actually|also|probably|still|just|only) ){0,3}"
    r"(?P<verb>eat|have|drink|take|tolerate)\b"
)
_STATED: Final = lazy_regex(_MAY, re.IGNORECASE)
_PERMITTED: Final = lazy_regex(
    rf"{_MAY}[^.!?\n]{{1,160}}(?:[.!?] (?:but |and )?(?:only|just not|not|as long as)\b[^.!?\n]{{1,60}})?",
    re.IGNORECASE,
)
_CONDITION: Final = lazy_regex(
    r"\b(?:(?:as|so) long as|provid(?:ed|ing)|on condition|but only|only (?:if|when|in|with))\b",
    re.IGNORECASE,
)
_IN_PART: Final = lazy_regex(
    r"\b(?:if(?! (?:i|he|she|they) (?:like|want|feel))|unless|only|except|apart from|but (?:not|no)|not|up to"
    r"|when(?!ever)|once|with(?! no\b)"
    r"|without(?! (?:any |a )?(?:problem|issue|trouble|reaction|fear|worr|risk))"
    r"|in (?:an? )?(?:cakes?|baking|biscuits?|bread|sauces?|small|tiny|moderation)"
    r"|baked|boiled|cooked|roasted|fried|toasted|processed|peeled|well[- ]done"
    r"|(?:a|one|two) (?:few|bit|bite|spoon\w*)|some|small|tiny|little|traces?|amounts?)\b",
    re.IGNORECASE,
)
"""What makes a part of it beside "now" or "again", and may else be how somebody likes it."""
_NOT_MEANT: Final = lazy_regex(r"\b(?:joking|kidding|wish)\b|\b(?:would|i'd|i\u2019d)\b", re.IGNORECASE)
_NOW: Final = lazy_regex(r"\b(?:now|again)\b(?! that\b)", re.IGNORECASE)
_NEXT: Final = lazy_regex(
    r",? (?:and|so|because|since|cause|cos) (?:i|we|he|she|they|it|that|the|my)\b", re.IGNORECASE
)
"""Joins another statement."""


def partly_permitted(text: str) -> Iterator[tuple[int, int]]:
    """Where a text tells of food or medicine that somebody may have under a condition.

    >>> said = ("I can eat eggs now if baked", "I can eat eggs again!", "I can have a call now if you like")
    >>> [bool(list(partly_permitted(text))) for text in said]
    [True, False, False]
    """
    for found in _PERMITTED.finditer(text):
        told = _NEXT.split(found.group(), maxsplit=1)[0]
        partly = _CONDITION.search(told) or (_NOW.search(told) and _IN_PART.search(told))
        if partly and names_a_substance(told.lower()):
            yield found.start(), found.start() + len(told)


def may_permit(text: str) -> bool:
    """Whether a text may tell of what somebody may have in part."""
    return any(True for _ in partly_permitted(text))


def without_permissions(text: str) -> str:
    """The text with blanks for such sentences from their verb on; its length stays."""
    for start, end in partly_permitted(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def permissions_in(sentence: Sentence, clauses: Sequence[Clause], speaker: str) -> list[Fact]:
    """What a sentence says that somebody may have, with its condition."""
    if sentence.asked or not clauses:
        return []
    first, lead = clauses[0], lead_of(clauses[0])
    subject = _whose(first, lead.start)
    if subject is None or subject.pronoun or lead.denied or subject.behind >= len(first.words):
        return []
    text, begin = first.text, first.tokens[subject.behind].start
    said = text[begin : sentence.tokens[-1].end]
    verb = _STATED.match(said)
    if verb is None or not may_permit(said) or first.link or _NOT_MEANT.search(said):
        return []
    told = _NEXT.split(said, maxsplit=1)[0]
    kept = SaidWords(
        relation=f"can {verb['verb'].lower()}",
        object=told[verb.end() :].strip(),
        said=told,
        category="context",
        confidence=EXPLICIT,
        quote=text[first.tokens[lead.start].start : begin + len(told)],
    )
    return [fact_of(speaker, subject, kept)]


def _whose(clause: Clause, start: int) -> Subject | None:
    """Who may have it: also somebody by a name that was not told before."""
    if start >= len(clause.words):
        return None
    name = clause.raw(start, start + 1)
    named = name.istitle() and kind_of(name) >= Kind.BOTH
    return subject_of(clause, start) or (Subject(name, "person", "", start, start + 1) if named else None)
