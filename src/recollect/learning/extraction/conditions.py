"""When a standing instruction counts: "when they ask about my budget", "with Craig", "after 10 pm"."""

import re
from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.forms import third
from recollect.learning.extraction.guards import POLITE_IF
from recollect.learning.extraction.instruction_rules import CLOCK, LEAD, TIMES, TONGUE
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.listing import DAY, listed
from recollect.types.regex import lazy_regex

_MORE_VERBS: Final = listed(
    "see quote cite list answer reply draft suggest recommend propose translate text email message"
)
"""Verbs of assistants that nobody tells of themselves."""
CONDITIONS: Final = listed("when whenever if unless before after")
_DEPENDS: Final = listed("when whenever if unless")
_POLITE: Final = lazy_regex(
    r"(?:you|we) can$|i (?:say|tell you)(?: otherwise)?$|you like|you do not mind|needed|necessary"
)
"""Conditions of a request that are none, beside those of any statement."""
MOST_BESIDE: Final = 6
"""Clauses before one in which "from now on", or a condition, counts for it. Chosen by hand."""
_NEAR: Final = 8
"""Characters before a clause in which the sign before "and" stands. Chosen by hand."""
_EVEN: Final = lazy_regex(r"\beven (?:if|when|though) $", re.IGNORECASE)
_LINK: Final = lazy_regex(r"(?:\bonly )?\b\w+\W*$", re.IGNORECASE)
"""What links a clause with the one before it."""
_ONLY: Final = lazy_regex(r"\bonly (?:if|when) $", re.IGNORECASE)
_ABOUT_TALK: Final = lazy_regex(r"(?:i|we|you)\b")
OF_ANY: Final = lazy_regex(
    rf"(?:i|we) (?:write|speak|talk|type|text)(?: to you)?(?: in)? {TONGUE}$"
    r"|(?:you (?:ever )?(?:draft|write|suggest|recommend|propose|plan|give|send|show|explain|translate|quote"
    r"|list|summari[sz]e|cook|make|reply|answer|remind|talk|mention)(?: (?:for|to) (?:me|us)| me| us)?"
    r"|(?:i|we) (?:ever )?(?:ask(?: you)?(?: (?:for|about))?|send(?: you)?|share|paste|sound|seem|mention"
    r"|talk about|write to you|(?:say|tell you)(?= \w)"
    r"|(?:am|are|feel|get)(?= (?:\w+ )?(?:sad|stressed|upset|angry|down|low|anxious|panicky"
    r"|overwhelmed|grumpy|tired)\b)))"
    r"(?: (?:you )?(?!(?:the|this|that|these|those|my|our|your|it|them|him|her|one|to|not|in|at|on)\b)"
    r"(?:about )?(?:an? )?(?:(?!(?:the|this|that|my|our)\b)[\w-]+ ){0,4}(?!it\b|him\b|them\b)[\w-]+)?$"
)
"""A condition that may come true many times: "if you draft anything", "when I ask for a recipe"."""
SCOPES: Final = listed("with in for on between from at during")
"""What links a clause that tells for whom, for what or when an instruction counts (``scopes``)."""
AT_TIMES: Final = lazy_regex(TIMES)
"""A time that comes again, behind its preposition too: "between 2 and 5 in the morning"."""
_AT_TIMES_ALONE: Final = lazy_regex(rf"{CLOCK}\b")
IT_IS: Final = lazy_regex(
    r"it is (?:(?:before|after|past|between) (?:\d|midnight|noon|dark|bedtime)"
    r"|(?:night|the weekend|a weekday)\b)"
)
"""A condition of the hour: "if it's after midnight"."""
_OF_ONE_DAY: Final = lazy_regex(rf"\b(?:today|tonight|tomorrow|now|later|this|next|(?<!on a ){DAY}|\d+)\b")
_TOLD_OTHERWISE: Final = lazy_regex(r"i (?:say|tell|ask|do|mention|bring)\b")
WHILE: Final = lazy_regex(r"(?:i am|we are)\b")
"""A condition of how to answer that comes true again: "when I'm in the van"."""
YOUR: Final = lazy_regex(r"\byours?\b ?", re.IGNORECASE)
YOU: Final = lazy_regex(r"\byou\b", re.IGNORECASE)
_YOURS: Final = lazy_regex(r"\byours?\b", re.IGNORECASE)
_YOU_DO: Final = lazy_regex(r"\byou(?P<adverb>(?: (?:ever|really|also|just))*) (?P<verb>\w+)", re.IGNORECASE)
_THEY: Final = lazy_regex(r"\b(?:i am|i'm|we're|i|we)\b", re.IGNORECASE)
_THEIR: Final = lazy_regex(r"\b(?:my|our)\b", re.IGNORECASE)


def is_of_talk(clause: Clause) -> bool:
    """Whether a clause says that something counts whenever the two talk so: "whenever I write in Italian"."""
    if clause.link in SCOPES:
        return True
    if IT_IS.match(clause.read):
        return clause.link in _DEPENDS
    if clause.link in {"if", "when"}:
        return OF_ANY.match(clause.read) is not None and _OF_ONE_DAY.search(clause.read) is None
    if clause.link == "unless":
        return _TOLD_OTHERWISE.match(clause.read) is not None
    return clause.link == "whenever" and _ABOUT_TALK.match(clause.read) is not None


def condition_words(clauses: Sequence[Clause], number: int) -> str:
    """What a sentence says of when an instruction counts: "when they ask about my budget"."""
    place = condition_of(clauses, number)
    if place is None:
        return ""
    one = clauses[place]
    led = LEAD.match(clauses[number].read)
    first = clauses[number].read.startswith("only ", led.end() if led else 0)
    only = "only " if first or _ONLY.search(one.text, 0, one.tokens[0].start) else ""
    return f" {only}{one.link} {of_assistant(one.raw(0, len(one.words)))}"


def condition_of(clauses: Sequence[Clause], number: int) -> int | None:
    """Which clause says when an instruction counts: behind it, or before it and those joined to it."""
    near = [number + 1] if number + 1 < len(clauses) else []
    near += [number - 1] if number else []
    for place in range(number, max(1, number - MOST_BESIDE), -1):
        if not _is_joined(clauses[place]) or _depends(clauses[place - 1]):
            break
        near.append(place - 2)
    return next((place for place in near if _depends(clauses[place])), None)


def _is_joined(clause: Clause) -> bool:
    """Whether a clause goes on with the order before it: behind "and" without a comma, or a comma alone."""
    start = clause.tokens[0].start
    before = clause.text[max(0, start - _NEAR) : start].removesuffix("and ").rstrip(" ")
    return clause.link == "," or (clause.link == "and" and not before.endswith(","))


def _depends(clause: Clause) -> bool:
    """Whether a clause tells when something counts, rather than being polite."""
    timed = clause.link in CONDITIONS and (
        _ABOUT_TALK.match(clause.read) or _AT_TIMES_ALONE.match(clause.read)
    )
    depends = clause.link in _DEPENDS or clause.link in SCOPES or timed
    polite = _POLITE.match(clause.read) or POLITE_IF.match(clause.read)
    return bool(depends and not polite and not is_concessive(clause))


def quote_of(clauses: Sequence[Clause], number: int, end: int) -> str:
    """The words of an instruction up to ``end``, with those of its condition."""
    clause, place = clauses[number], condition_of(clauses, number)
    start = clause.tokens[0].start
    if place is not None and place < number:
        linked = _LINK.search(clause.text, 0, clauses[place].tokens[0].start)
        start = start if linked is None else linked.start()
    elif place is not None:
        end = max(end, clauses[place].tokens[-1].end)
    return clause.text[start:end]


def of_assistant(words: str) -> str:
    """A condition as words about both: "if I ask you", "if they ask the assistant"."""
    words = _THEIR.sub("their", _THEY.sub(_they, words))
    words = _YOURS.sub("the assistant's", _YOU_DO.sub(_it_does, words))
    return YOU.sub("the assistant", words)


def is_concessive(clause: Clause) -> bool:
    """Whether a clause tells in spite of what something else counts: "even when I write German"."""
    return _EVEN.search(clause.text, 0, clause.tokens[0].start) is not None


def _they(match: re.Match[str]) -> str:
    return "they are" if match.group().lower() in {"i am", "i'm", "we're"} else "they"


def _it_does(match: re.Match[str]) -> str:
    verb = match["verb"].lower()
    regular = verb in KNOWN or verb in _MORE_VERBS
    does = {"are": "is", "do": "does"}.get(verb, third(verb) if regular else verb)
    return f"the assistant{match['adverb']} {does}"
