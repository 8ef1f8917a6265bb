"""Who left what, and who parted: "left Siemens last year", "Anna and I broke up"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import EXPLICIT, HEDGED, SHARED, Fact
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.phrases import GROUPS
from recollect.learning.extraction.rules import Reading
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.listing import MONTH, listed
from recollect.learning.reconcile.relations import PARTNERS
from recollect.text.entities.kinds import Kind, kind_of
from recollect.types.regex import lazy_regex

LEFT: Final = "left"
"""The relation of what somebody left: an employer, a town or a party; who knows it can tell."""
PARTED: Final = "broke up with"
"""The relation of a couple that is none any more."""
_MONTH: Final = f"{MONTH}|spring|summer|autumn|fall|winter"
_SOME: Final = r"an?|one|two|three|four|five|six|seven|eight|nine|ten|several|many|some|a few|a couple of|\d+"
_WHEN: Final = (
    rf"(?:back )?in (?:early |late |mid )?(?:{_MONTH}|\d{{4}})(?: \d{{4}})?"
    rf"|(?:last|this|earlier this) (?:year|month|week|weekend|{_MONTH})"
    rf"|(?:about |over |almost )?(?:{_SOME}) (?:week|month|year)s? ago|recently|for good"
)
"""When a time of life ended: no time of a day, and no day."""
_TO_WHERE: Final = (
    "to (?:start|join|found|become|work|study|pursue|focus|raise)(?: .+)?"
    r"|for (?:an?|another|my own) (?:\S+ ){0,2}?(?:startup|start-up|job|company|competitor|position|role)"
    rf"|after (?:almost |over |nearly )?(?:{_SOME}) years?"
)
_NO_NAME: Final = (
    "another|my|our|his|her|their|your|its|the|an?|this|that|these|those|it|him|them|me|us|you|everyone|everybody"
    "|everything|something|nothing|some|any|no|all|home|work|school|town|early|late|behind|out|off|on|in|at|to"
    "|for|from|with|by|and|when|after|before|because|around|about|today|yesterday|tonight|last|next|feeling"
)
_WORD: Final = rf"(?!(?:{_NO_NAME})\b)\S+"
_PLACE: Final = lazy_regex(
    rf"(?P<o>(?:the )?{_WORD}(?: {_WORD}){{0,2}}?)(?P<to> for (?P<next>{_WORD})(?: {_WORD}){{0,2}}?)?"
    rf"(?: (?:{_WHEN}|{_TO_WHERE}))*$"
)
_GROUP: Final = lazy_regex(rf" (?:{GROUPS['GROUP']})$")
_MOMENTS: Final = listed("when while as before until till after once")
"""Links behind which a moment is told: who leaves then comes back."""
_MOVES: Final = listed(
    """
    went go drove drive walked walk took take headed came come got ran caught missed returned forgot met
    rode cycled flew hurried rushed stopped
    """
)
"""Verbs of a way: "left Siemens and took the bus"."""
_APART: Final = (
    "(?:(?:have|had) )?(?:(?:just|finally|recently|sadly|already|actually|officially|eventually) )*"
    rf"(?:broke|broken) up(?: (?:{_WHEN}|yesterday|today|last night|on good terms))*$"
)
_WE: Final = lazy_regex(f"we (?:both )?{_APART}")
_AND_I: Final = lazy_regex(f"i {_APART}")
_MY: Final = lazy_regex(rf"my (?:ex-)?(?:{'|'.join(sorted(PARTNERS))})(?: \S+)?$")
_LEFT_ME: Final = lazy_regex(
    r"(?P<who>\S+(?: \S+)?) (?:(?:has|just|finally|already) )*(?:left me|dumped me|broke up with me"
    r"|walked out on me|moved out|(?P<took>took (?:all )?(?:his|her|their) \S+.*))$"
)
"""Says that somebody named has left; who took their things may be back, but for the key."""
_KEYS: Final = lazy_regex(
    r"(?:gave|handed) (?:me )?back (?:the|my|our|his|her) keys?\b|returned (?:the|my|our) keys?\b"
)
_OWN: Final = lazy_regex("^my ", re.IGNORECASE)


def place_left(clause: Clause, start: int) -> Reading | None:
    """What was left for good, by the words behind "left"; None when it was for the evening.

    It tells only that something known is over: of "Siemens" nobody can say whether it is work or a town.
    """
    words = clause.words
    match = _PLACE.match(" ".join(words[start:]))
    if match is None:
        return None
    behind = start + len((match["o"] + " for").split())
    if match["to"] and not clause.raw(behind, behind + 1)[:1].isupper():
        return None  # "left Siemens for lunch"
    named = clause.raw(start + 1, start + 2)[:1].isupper()
    if words[start] == "the" and not named and _GROUP.search(match["o"]) is None:
        return None
    return Reading(
        relation=LEFT,
        start=start,
        end=start + match["o"].count(" ") + 1,
        until=len(words),
        category="context",
        change="ended",
        only_ends=True,
    )


def goes_on_its_way(rest: Sequence[Clause]) -> bool:
    """Whether a sentence goes on so that "left Siemens" before it was a moment of a day."""
    if not rest:
        return False
    words = [word for word in rest[0].words if word not in {"i", "we", "then", "just"}]
    return rest[0].link in _MOMENTS or words[:1] == ["home"] or not _MOVES.isdisjoint(words[:1])


def parting_of(clause: Clause, lead: Lead, rest: Sequence[Clause], speaker: str) -> Fact | None:
    """What "We broke up" and "Anna and I broke up" say; None for all else.

    ``rest``: the clauses behind it: "and I broke up" is one of its own.
    """
    if lead.denied or lead.start >= len(clause.words):
        return None
    who = _who_left(clause, lead.start, rest)
    if who:
        told = _parted(clause, clause, lead, who, speaker)
        return replace(told, only_ends=True)
    if clause.words[lead.start] == "we":
        parted = _WE.match(" ".join(clause.words[lead.start :])) is not None
        return _parted(clause, clause, lead, "", speaker) if parted else None
    joined = bool(rest) and rest[0].link == "and" and _AND_I.match(rest[0].read) is not None
    partner = _partner(clause, lead.start) if joined else ""
    return _parted(clause, rest[0], lead, partner, speaker) if partner else None


def _who_left(clause: Clause, start: int, rest: Sequence[Clause]) -> str:
    """Who left the speaker, as it stands in the text; empty when nobody did."""
    match = _LEFT_ME.match(" ".join(clause.words[start:]))
    if match is None or (match["took"] and not any(_KEYS.match(one.read) for one in rest)):
        return ""
    raw = clause.raw(start, start + 1 + match["who"].count(" "))
    if _MY.match(match["who"]):
        return raw
    return raw.title() if kind_of(raw.title()) >= Kind.UNKNOWN else ""


def _partner(clause: Clause, start: int) -> str:
    """Whom a clause names that is no more than "Anna" or "my girlfriend Anna"; empty when nobody."""
    raw = clause.raw(start, len(clause.words))
    if _MY.match(" ".join(clause.words[start:])):
        return raw
    names = raw.split()
    return raw if 1 <= len(names) <= 2 and all(name.istitle() for name in names) else ""  # noqa: PLR2004


def _parted(first: Clause, last: Clause, lead: Lead, partner: str, speaker: str) -> Fact:
    certain = EXPLICIT if partner else SHARED
    behind = last.tokens[-1].end
    words = last.words
    told_when = last.raw(words.index("up") + 1, len(words)) if "up" in words else ""
    said = SaidWords(
        relation=PARTED,
        object=_OWN.sub("", partner),
        said=f"broke up with {partner or 'their partner'} {told_when}",
        category="context",
        confidence=HEDGED if lead.hedged else certain,
        quote=first.text[first.tokens[lead.start].start : behind],
        change="begun",
    )
    return fact_of(speaker, SELF, said)
