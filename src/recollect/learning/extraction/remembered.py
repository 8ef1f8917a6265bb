"""What the assistant was asked to remember and no other rule reads: "Remember that my car is on level 4"."""

import re
from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import ASKED, Fact
from recollect.learning.extraction.instruction_rules import LEAD
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.objects import points
from recollect.learning.extraction.predicates import Predicate, predicate_of
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.listing import listed
from recollect.types.regex import lazy_regex

_THEIRS: Final = lazy_regex(
    r"(?P<whose>my|our|the) (?P<noun>\S+(?: (?!is\b|are\b|was\b|were\b|has\b)\S+){0,3}) (?P<verb>is|are|was"
    r"|were|has|have|takes?|needs?|expires?|closes?|opens?|leaves?|goes|go) (?P<o>.+)$"
)
_WHERE: Final = listed("in on at under behind near beside above below inside next parked between")
_GO_ON: Final = frozenset((",", "-", "\u2013", "\u2014", ":", "(", ")", "and"))
_BEGIN_ANEW: Final = listed(
    "i we you my our can could would will please thanks thank so but if what how do not"
)
"""First words of a clause that says something else than what shall be remembered."""
_SAME_IN_PAST: Final = listed("put set hid shut let cut")
_THE_THING: Final = lazy_regex(
    r"(?:please )?(?:remember|do not forget|keep in mind|note)(?: this)?(?: that)? (?=the )"
)


def remembered_in(clause: Clause, lead: Lead, rest: Sequence[Clause], speaker: str) -> Fact | None:
    """What the assistant was asked to remember and no other rule reads: "Remember that my car is on level 4".

    "Remember to breathe" asks for nothing that the assistant could know.

    ``rest``: the clauses behind it; what only goes on with it belongs to it: "at Raaks, level minus 2".
    """
    start, offset = lead.start, sum(len(word) + 1 for word in clause.words[: lead.start])
    if not lead.asked and (asked := _THE_THING.match(clause.read)):
        start, offset = clause.read.count(" ", 0, asked.end()), asked.end()
    elif not lead.asked:
        return None
    if lead.hedged or "you" in clause.words[start:]:
        return None
    match = _THEIRS.match(clause.read, offset)
    last = _goes_on_to(clause, rest)
    if match:
        return _of_thing(clause, match, start, last, speaker)
    return _of_speaker(clause, start, last, speaker)


def _goes_on_to(clause: Clause, rest: Sequence[Clause]) -> int:
    """Where in the text what shall be remembered ends."""
    last = clause.tokens[-1].end
    for one in rest:
        if one.link not in _GO_ON or one.words[0] in _BEGIN_ANEW or LEAD.fullmatch(f"{one.read} "):
            break
        last = one.tokens[-1].end
    return last


def _of_thing(clause: Clause, match: re.Match[str], start: int, last: int, speaker: str) -> Fact | None:
    words = match["o"].split()
    placed = words[0] in _WHERE
    if points(words) or (match["whose"] == "the" and not placed):
        return None
    noun = clause.raw(start + 1, start + 2 + match["noun"].count(" "))
    first = clause.read.count(" ", 0, match.start("o"))
    value = clause.text[clause.tokens[first].start : last]
    whose = "" if match["whose"] == "the" else f"{speaker}'s "
    shown = (
        f"{whose}{noun} {match['verb']} {value}"
        if whose
        else f"{speaker} asked to remember: the {noun} {match['verb']} {value}"
    )
    said = SaidWords(
        relation=f"where the {noun} is" if placed else f"{noun} {match['verb']}",
        object=value,
        said="",
        whole=_in_their_words(shown),
        category="instruction",
        confidence=ASKED,
        quote=clause.text[clause.tokens[0].start : last],
        single=placed,
    )
    return fact_of(speaker, SELF, said)


def _of_speaker(clause: Clause, start: int, last: int, speaker: str) -> Fact | None:
    """The same of "I": "Remember that I parked on level 4"."""
    words = clause.words
    if words[start : start + 1] != ["i"]:
        return None
    found = predicate_of(words, start + 1, third_person=False)
    if found is None and words[start + 1 : start + 2] and words[start + 1].endswith("ed"):
        verb = words[start + 1]
        found = Predicate(verb=verb, form="past", written=verb, behind=start + 2)
    if found is None or found.hedged or found.form == "can" or points(words[found.behind :]):
        return None
    tail = clause.text[clause.tokens[found.behind].start : last] if found.behind < len(words) else ""
    shown = found.written if found.written in _SAME_IN_PAST else found.shown()
    said = SaidWords(
        relation=shown,
        object=tail,
        said=f"{shown} {tail}",
        category="instruction",
        confidence=ASKED,
        quote=clause.text[clause.tokens[0].start : last],
        negated=found.negated,
    )
    return fact_of(speaker, SELF, said)


def _in_their_words(words: str) -> str:
    return re.sub(r"\b(?:my|our)\b", "their", words, flags=re.IGNORECASE)
