"""What somebody takes, and what they must not have, in the words of a patient.

"She wants me on 5 mg bisoprolol", "new dose, 75 mcg thyroxine", "nothing with hazelnuts please, last time I
ended up in the ER". A dose is the value of its medicine, so that a new dose
ends the old one.
"""

import re
from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import EXPLICIT, HEDGED, Fact
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.people import RELATIVES
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.listing import DRUG, either
from recollect.types.regex import lazy_regex

_UNIT: Final = "(?:mg|mcg|\u00b5g|\u03bcg|ug|micrograms?|milligrams?|iu)"
_DOSE: Final = rf"(?P<dose>\d[\d.,]* ?{_UNIT})"
_NO_DRUG: Final = (
    "(?:a|an|per|the|once|twice|daily|every|each|for|and|or|in|on|at|of|it|now|more|less|instead)"
)
_DRUG: Final = rf"(?P<drug>(?!{_NO_DRUG}\b)[^\W\d_][\w-]{{3,}})"
_KIND: Final = "(?:statins|blood thinners|beta[- ]?blockers|anti-?depressants|anti-?coagulants|hrt)"
"""Medicines by what they are, which people take for years."""
_NAMED: Final = rf"(?P<named>{DRUG}|{_KIND})(?: (?P<much>\d[\d.,]*(?: ?(?:{_UNIT}|g|ml|puffs?)\b)?))?"
"""A medicine by its name, with or without a dose behind it: "losartan 50"."""
_AMOUNT: Final = rf"(?:{_DOSE} (?:of )?(?:the )?{_DRUG}|{_NAMED})"
_BEHIND: Final = (
    r"(?= (?:from|since|now|a day|per day|daily|every|each|once|twice|in|at|before|after|with|for"
    r"|instead|and|these|this|last|yesterday|today|because|ages|when|over|on|two|three|four|a few|a couple"
    r"|tomorrow|again|starting|as|mornings?|evenings?|nightly|morning and (?:evening|night))\b|$)"
)
"""What may stand behind a medicine, so that "100 mg caffeine tablets" is not cut."""
_SOMEBODY: Final = rf"(?:my|our|the|his|her|an?) (?:\w+ )?{either(RELATIVES)}"
"""For whom a medicine may be that is not for the speaker: "for my dad", "for the dog"."""
_PRESCRIBED: Final = lazy_regex(
    r"(?:(?:she|he|they|(?:my|the) (?:new )?[\w-]+|dr \S+|gp|doc(?:tor)?|hospital|nurse|consultant)(?:'s)? "
    r"(?:ha(?:ve|s) (?:now |just )?got me on"
    r"|(?:(?:has|have|just|now|also|finally) )*(?:(?:wants?|puts?|has|keeps?|kept|starts?|started|moved|moves"
    r"|switched|changed|upped|raised|lowered|bumped) me "
    r"(?:to be |up |down |back |now )*(?:from \S+ )?(?:on|onto|to|at)|(?<!vet )prescribe[sd] (?:me )?"
    rf"(?!.* for {_SOMEBODY}\b)))"
    r"|(?:i )?(?:(?:have|am|was|just|now|been|got) )+(?:put on|started on|switched to|moved to)"
    r"|(?:i )?(?:(?:have|just|now) )*(?:been|got) (?:(?:just|now) )*prescribed)"
    rf" ?{_AMOUNT}{_BEHIND}"
)
"""What a doctor wants. "Had me on" and "wanted me on" may be over."""
_TAKEN: Final = lazy_regex(
    r"(?:i (?:(?:now|currently|still) )*(?:am (?:now |currently |still )*(?:taking|on)|take)|(?:now )?on)"
    rf" {_AMOUNT}{_BEHIND}"
)
_DOSE_ALONE: Final = lazy_regex(
    rf"(?P<much>\d[\d.,]* ?(?:{_UNIT}|g|ml|puffs?)|\d[\d.,]*(?= (?:once|twice|three times|daily|an? day)\b))"
    r"(?= (?:up to|once|twice|three|four|\d|daily|an? day|every|each|in the|at night|before|after|with)\b|$)"
)
_NEW_DOSE: Final = lazy_regex(r"(?:my |the )?new (?:dose|dosage|prescription)\b")
_IS_NOW: Final = lazy_regex(
    rf"(?:my |the )?(?P<named>{DRUG})(?:'s| is)"
    rf"(?: now)? (?P<much>\d[\d.,]*(?P<unit> ?(?:{_UNIT}|g|ml))?)(?P<drug>(?!))?{_BEHIND}"
)
"""A dose that is now another: "naproxen's 250 now"."""
_MOVED: Final = lazy_regex(
    rf"(?:my |the )?(?P<named>{DRUG})(?: dose| dosage)?(?:'s)?"
    r"(?P<present>(?: (?:is|now|also|goes|going|comes))*(?= (?:up|down|back)\b))?"
    r"(?: (?:is|was|has|have|been|just|now|also|finally|again|got|gets|getting|being|gone|went|moved|put))*"
    r" (?:up|down|back|raised|increased|upped|bumped|lowered|reduced|cut|dropped|halved|doubled|changed)"
    rf"(?: (?:up|down|back))*(?: from \d[\d.,]*(?: ?{_UNIT})?)? to"
    rf" (?P<much>\d[\d.,]*(?P<unit> ?(?:{_UNIT}|g|ml))?)(?P<drug>(?!))?{_BEHIND}"
)
"""A dose that changes: "metformin goes up to 1000 mg". Of a change that is told of the past only one
that says how often it is taken is read here: not "my ramipril was raised to 10"."""
_IN_GENERAL: Final = lazy_regex(r"\b(?:normally|usually|typically|generally|often|max(?:imum)?)\b")
_THE_DOSE: Final = lazy_regex(rf"(?:it is |now |is )*(?:{_AMOUNT})(?: (?:now|a day|daily|every \S+))?$")
_NOTHING: Final = lazy_regex(
    r"(?:(?:and|but|so|oh|please|also|just) )*(?:nothing (?:with|containing)|no|avoid|without) (?:any )?"
    r"(?P<what>(?!more\b)[^\W\d_][\w-]{2,}(?: [\w-]+)?)(?<! please)(?: (?:please|for me|at all"
    r"|though|ever))*$"
)
_NOT_FOR_ME: Final = lazy_regex(
    r"(?:(?:and|but|so|oh|please|also|just) )*no (?:more )?"
    r"(?P<what>(?!more\b|need\b|problem\b|idea\b|way\b|rush\b|one\b|thing\b|time\b|worries\b)[^\W\d_][\w-]{2,}"
    r"(?: (?:or|and) [\w-]+)?) for me(?: (?:please|at all|thanks|since \S+))*$"
)
_FOR_GOOD: Final = lazy_regex(r"ever(?: again)?$|doctor's orders$")
"""Says of "no ibuprofen for me" that it is not meant for today alone."""
_DANGER: Final = lazy_regex(
    r"\b(?:er|a&e|emergency room|emergency|hospital|ambulance|epi-?pen|anaphyla\w+|hives|swelled"
    r"|swollen|swells?"
    r"|throat|could not breathe|cannot breathe|stopped breathing|nearly died|almost died|allerg\w+)\b"
)
_MOST_WORDS: Final = 25
"""Words of a reason that are kept. Chosen by hand."""
_MUST_NOT: Final = lazy_regex(
    r"i (?:really )?(?:must (?:not|never)|am not (?:allowed|supposed|meant|permitted) to)"
    r" (?P<verb>eat|drink|take|have) (?:any )?"
    r"(?P<what>(?!(?:before|after|anything|until|for|too|so|more|much|that|this|it|here|there|in|on|at|my|the"
    r"|an?|part|place|off|over|out|up|down)\b)[^\W\d_][\w-]{2,}(?: (?:or|and) [\w-]+)?)"
    r"(?= (?:with|because|on|since|while|at all|any ?more|now|btw|for)\b.*|$)"
)
"""What somebody was told to leave out for good."""
_NOT_TAKEN: Final = lazy_regex(
    r"i (?:really |just )?(?:can not|cannot) (?P<verb>take) (?:any )?"
    rf"(?P<what>{DRUG}|sulfa(?: drugs)?|antibiotics|{_KIND})"
    r"(?= (?:because|since|as|with|at all|any ?more|it|they|or)\b.*|$)"
)
"""A medicine that somebody does not stand."""
_OFTEN: Final = lazy_regex(
    r"(?:daily|nightly|mornings?|evenings?|mornings? and (?:evenings?|nights?)"
    r"|(?:a|per|every|each|once|twice|in the|at|before|after|with) (?:\w+ ?){1,4})$"
)
_AS_NEEDED: Final = frozenset(["when", "whenever", "if", "before", "after"])
_HINT: Final = lazy_regex(rf"\d ?{_UNIT}\b|\b(?:{DRUG}|{_KIND})\b", re.IGNORECASE)


def may_name_a_dose(text: str) -> bool:
    """Whether a dose is in a text.

    >>> may_name_a_dose("new dose, 100 mcg levothyroxine"), may_name_a_dose("100 km")
    (True, False)
    """
    return _HINT.search(text) is not None


def health_of(clause: Clause, lead: Lead, rest: Sequence[Clause], speaker: str) -> Fact | None:
    """The medicine or the reaction that a clause tells of; None where it tells of none.

    ``rest``: the clauses behind it, which may name the dose or the reason.
    """
    if lead.denied or lead.likens:
        return None
    offset = sum(len(word) + 1 for word in clause.words[: lead.start])
    sure = HEDGED if lead.hedged else EXPLICIT
    return (
        _medicine(clause, offset, rest, speaker, sure)
        or _left_out(clause, offset, speaker, sure)
        or _forbidden(clause, rest, speaker)
        or _for_good(clause, rest, speaker)
    )


def _medicine(clause: Clause, offset: int, rest: Sequence[Clause], speaker: str, sure: float) -> Fact | None:
    match = _PRESCRIBED.match(clause.read, offset) or _TAKEN.match(clause.read, offset)
    where, new = clause, match is not None and match.re.pattern == _PRESCRIBED.pattern
    if match is None and _NEW_DOSE.match(clause.read, offset):
        where, new = (rest[0] if rest and rest[0].link in {",", ":", "-", ")"} else clause), True
        match = _THE_DOSE.match(where.read)
    if match is None and (match := _IS_NOW.match(clause.read, offset)) is not None:
        plain = match["unit"] or "now" in clause.words or _OFTEN.match(clause.read[match.end() :].strip())
        match, new = (match if plain and not _IN_GENERAL.search(clause.read) else None), True
    if match is None and (match := _MOVED.match(clause.read, offset)) is not None:
        whole = match["present"] is not None or _OFTEN.match(clause.read[match.end() :].strip())
        match, new = (match if whole else None), True
    if match is None or (match["named"] and not new and rest and rest[0].link in _AS_NEEDED):
        return None
    form = ("dose", "drug") if match["drug"] else ("much", "named")
    dose, drug = (_raw(where, match, one).removesuffix("'s").removesuffix("\u2019s") for one in form)
    often = _how_often(where, match)
    if not dose and not often and (behind := _dose_behind(rest)):
        dose, where = behind, rest[0]
        often = _often_behind(where, len(behind.split()))
    shown = f"{dose} {drug}" if match["drug"] else f"{drug} {dose}".strip()
    is_on = not dose and not new and "on" in clause.words
    said = SaidWords(
        relation=f"takes {drug.lower()}" if dose or new else "takes",
        object=dose or drug,
        said=f"{'is on' if is_on else 'takes'} {shown}{often}",
        category="context",
        confidence=sure,
        quote=clause.text[clause.tokens[0].start : where.tokens[-1].end],
        single=bool(dose) or new,
        change="begun" if new else None,
    )
    return fact_of(speaker, SELF, said)


def _left_out(clause: Clause, offset: int, speaker: str, sure: float) -> Fact | None:
    match = _MUST_NOT.match(clause.read, offset) or _NOT_TAKEN.match(clause.read, offset)
    if match is None:
        return None
    what = _raw(clause, match, "what")
    relation = f"{'cannot' if match.re.pattern == _NOT_TAKEN.pattern else 'must not'} {match['verb']}"
    said = SaidWords(
        relation=relation,
        object=what,
        said=f"{relation} {what}",
        category="context",
        confidence=sure,
        quote=clause.raw(0, len(clause.words)),
    )
    return fact_of(speaker, SELF, said)


def _how_often(clause: Clause, match: re.Match[str]) -> str:
    """How often it is taken, where that is all that stands behind the medicine."""
    last = next(group for group in ("drug", "much", "named") if match[group])
    behind = clause.read.count(" ", 0, match.end(last)) + 1
    return _often_behind(clause, behind)


def _often_behind(clause: Clause, behind: int) -> str:
    often = _OFTEN.match(" ".join(clause.words[behind:]))
    return f" {clause.raw(behind, len(clause.words))}" if often else ""


def _dose_behind(rest: Sequence[Clause]) -> str:
    """The dose behind a comma: "I take metformin, 500 mg", "I take naproxen for it, 250 twice a day"."""
    found = _DOSE_ALONE.match(rest[0].read) if rest and rest[0].link in {",", "(", "-"} else None
    return _raw(rest[0], found, "much") if found else ""


def _forbidden(clause: Clause, rest: Sequence[Clause], speaker: str) -> Fact | None:
    """What shall never be served, for what happened: nobody's taste, and not for one meal."""
    match = _NOTHING.match(clause.read)
    if match is None or not rest:
        return None
    tokens = [token for one in rest for token in one.tokens][:_MOST_WORDS]
    words = [token.low for token in tokens]
    own = "i" in words or "my throat" in " ".join(words)
    if not own or not RELATIVES.isdisjoint(words) or not _DANGER.search(" ".join(words)):
        return None
    why = clause.text[tokens[0].start : tokens[-1].end]
    return _cannot_have(_raw(clause, match, "what"), f"\u201c{why}\u201d", speaker, clause, EXPLICIT)


def _for_good(clause: Clause, rest: Sequence[Clause], speaker: str) -> Fact | None:
    """What the speaker leaves out for good: "I take warfarin so no ibuprofen for me, ever"."""
    match = _NOT_FOR_ME.match(clause.read)
    ever = rest[0].link == "," and _FOR_GOOD.match(rest[0].read) if rest else clause.link in {"so", "because"}
    if match is None or not ever:
        return None
    what = _raw(clause, match, "what")
    said = SaidWords(
        relation="must not have",
        object=what,
        said=f"must not have {what}",
        category="context",
        confidence=EXPLICIT,
        quote=clause.raw(0, len(clause.words)),
    )
    return fact_of(speaker, SELF, said)


def _cannot_have(what: str, how: str, speaker: str, clause: Clause, sure: float) -> Fact:
    said = SaidWords(
        relation="reacts badly to",
        object=what,
        said="",
        whole=f"{speaker} reacts badly to {what} ({how})",
        category="context",
        confidence=sure,
        quote=clause.raw(0, len(clause.words)),
    )
    return fact_of(speaker, SELF, said)


def _raw(clause: Clause, match: re.Match[str], group: str) -> str:
    """The words of a group as they stand in the text."""
    first, last = (clause.read.count(" ", 0, place) for place in match.span(group))
    return clause.raw(first, last + 1) if match[group] else ""
