"""What comes again on days of the week: "choir practice is Tuesday evenings", "therapy every Friday at 5"."""

import re
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import EXPLICIT, HEDGED, SHARED, Fact
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.people import LANGUAGES, NATIONALITIES
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.wording import SaidWords, fact_of, in_third_person
from recollect.learning.listing import DAY, any_of
from recollect.types.regex import lazy_regex

_WHAT: Final = any_of(
    r"""
    practice | lessons? | class(?:es)? | rehearsals? | training | therapy | physio(?:therapy)? | group | club
    | choir | yoga | pilates | swimming | karate | judo | football | netball | tennis | gymnastics | ballet
    | (?:card|quiz|game|games|poker|film|bingo|darts|date|club) night | band practice | bible study
    | college | day release | knitting group | stand-?up | one to one | parkrun | school run
    | five[- ]a[- ]side | 5[- ]a[- ]side | book club | tutoring | dialysis | counselling | language course
    """
)
_DAYS: Final = (
    rf"(?:{DAY}s|every (?:other )?{DAY}|{DAY} (?:morning|afternoon|evening|night)s|{DAY}s? and {DAY}s?)"
)
"""Days that come again; "on Tuesday" alone is one day."""
_QUALIFIER: Final = (
    r"(?!(?:i|we|you|is|the|has|have|had|got|go|goes|do|does|did|need|needs|start|starts|love|like|hate|missed|my"
    r"|our|his|her|their|no|any|every|this|that|next|last|and|but|so|a|an)\b)[^\W\d_][\w-]*"
)
_ROUTINE: Final = lazy_regex(
    rf"(?:(?:(?P<whose>my|our)|the) )?(?P<what>(?:{_QUALIFIER} ){{0,2}}?{_WHAT})(?P<short>['\u2019]s)?"
    r"(?: (?:(?P<joint>is|are|meets?|runs?)|(?P<moved>(?:(?:has|have|is|are) (?:been )?)?"
    r"(?:moved|switched) to))(?: (?P<now>now))?)?"
    rf" (?P<when>(?:with (?:\S+ ){{1,3}})?(?:on )?{_DAYS}\b(?! (?:is|was|are|were)\b).*)$"
)
_NOW: Final = lazy_regex(r" now\b", re.IGNORECASE)
_MAY: Final = lazy_regex(rf"\b{_WHAT}\b.*\b{DAY}")


def may_repeat(text: str) -> bool:
    """Whether a day that comes again, and a lesson or a group, may be in a text."""
    lowered = text.lower()
    return "day" in lowered and _MAY.search(lowered) is not None


def routine_of(clause: Clause, lead: Lead, speaker: str) -> Fact | None:
    """The lesson, class or group of the speaker's that a clause names with its days; None without one.

    Without "my" it must stand at the beginning of a sentence.
    """
    offset = sum(len(word) + 1 for word in clause.words[: lead.start])
    match = _ROUTINE.match(clause.read, offset)
    if match is None or lead.denied or lead.likens or not (match["whose"] or not clause.link):
        return None
    first, last = (clause.read.count(" ", 0, place) for place in match.span("what"))
    what = clause.raw(first, last + 1).removesuffix(match["short"] or "")
    behind = clause.read.count(" ", 0, match.start("when"))
    if first and clause.raw(first, first + 1).istitle() and not match["whose"]:
        return None
    proper = what[1:2].isupper() or what.partition(" ")[0].lower() in NATIONALITIES | LANGUAGES
    what = what if proper else what[:1].lower() + what[1:]
    told = clause.raw(behind, len(clause.words))
    when = ("on " if match["moved"] else "") + _NOW.sub("", told)
    if clause.words[lead.start : lead.start + 1] == ["the"] and not match["moved"]:
        return None
    changed = match["moved"] or match["now"] or when != told
    joint = match["joint"] or ("are" if what.endswith(("lessons", "classes", "rehearsals")) else "is")
    said = SaidWords(
        relation=f"{what.lower()} is",
        object=when,
        said="",
        whole=in_third_person(f"{speaker}'s {what} {joint} {when}", speaker, SELF),
        category="general",
        confidence=HEDGED if lead.hedged else EXPLICIT if match["whose"] == "my" else SHARED,
        quote=clause.raw(0, len(clause.words)),
        single=True,
        change="begun" if changed else None,
    )
    return fact_of(speaker, SELF, said)
