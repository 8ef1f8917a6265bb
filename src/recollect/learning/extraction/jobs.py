"""Where somebody works, told by the first day there or by the trade: "I start at Siemens on 2 May".

"I repair clocks at a workshop called Tick" names an employer by what is done there; who buys bread at a
bakery does not work in it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import EXPLICIT, HEDGED, Fact
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.listing import DAY, MONTH, any_of
from recollect.types.regex import lazy_regex

_DAY: Final = rf"(?: (?:on|in|from|this|next|tomorrow|the|{DAY}|{MONTH})\b.*)?"
_STARTS: Final = lazy_regex(
    r"i (?:will |am going to )?(?:start|be starting|am starting|begin)(?: work(?:ing)?)? (?:at|with|for)"
    r" (?P<o>(?:(?!on\b|in\b|from\b|next\b|this\b|tomorrow\b)\S+ ?){1,6}?)"
    rf"(?P<when>{_DAY})$"
)
_BEGAN: Final = lazy_regex(
    r"(?:(?:i|have|just|recently|finally|also|then) )*"
    r"(?:joined|(?:started|began)(?: work)? (?:at|with|for))"
    r" (?P<o>(?:(?!on\b|in\b|from\b|next\b|last\b|this\b|as\b|and\b|yesterday\b|today\b|a\b)\S+ ?){1,3}?)"
    r"(?P<when>(?: (?:as|on|in|from|last|this|yesterday|today|a)\b.*)?)$"
)
_JOINED: Final = frozenset(["and", "then", ","])
"""Links behind which "I" may be left out: "I finished my degree and started at Shell"."""
_TRADE: Final = any_of(
    """
    restore | repair | fix | teach | design | develop | build | make | edit | translate | weld | sew
    | bake | cook | brew | carve | print | paint | engineer | program | manage | maintain | assemble | test
    | research | lecture | nurse | mend | tune | bind
    """
)
_HOUSE: Final = any_of(
    """
    workshop | studio | company | firm | school | hospital | clinic | lab | laboratory | museum | bakery
    | brewery | restaurant | agency | office | factory | garage | institute | foundation | startup | start-up
    | theatre | publisher | bookshop | library | practice
    """
)
_AT_HOUSE: Final = lazy_regex(
    rf"i (?:{_TRADE}) (?:\S+ ){{1,6}}?(?:at|for|in) "
    rf"(?P<o>(?:a|an|the) (?:\S+ )?(?:{_HOUSE})(?: in \S+(?: \S+)?)?"
    r" (?:called|named) (?P<name>\S+(?: \S+){0,3}))$"
)


def job_in(clause: Clause, lead: Lead, rest: Sequence[Clause], speaker: str) -> Iterator[Fact]:
    """Where a clause says that its speaker works, or will; nothing where it says nothing of it.

    ``rest``: the clauses behind it: it may go on behind a bracket.
    """
    if lead.denied or lead.likens:
        return
    clause = _without_bracket(clause, rest)
    offset = sum(len(word) + 1 for word in clause.words[: lead.start])
    match = _STARTS.match(clause.read, offset) or _AT_HOUSE.match(clause.read, offset)
    if match is None:
        yield from _began(clause, lead, offset, speaker)
        return
    starts = match.re.pattern == _STARTS.pattern
    where = _raw(clause, match, "o")
    name = _raw(clause, match, "o" if starts else "name").removeprefix("the ").removeprefix("The ")
    if not name[:1].isupper() or (starts and not match["when"]):
        return
    when = _raw(clause, match, "when") if starts else ""
    said = SaidWords(
        relation="works at",
        object=where,
        said=f"starts at {where} {when}".rstrip() if starts else f"works at {where}",
        category="plan" if starts else "context",
        confidence=HEDGED if lead.hedged else EXPLICIT,
        quote=clause.text[clause.tokens[lead.start].start : clause.tokens[-1].end],
        single=True,
        change="begun" if starts else None,
    )
    yield fact_of(speaker, SELF, said)


def _began(clause: Clause, lead: Lead, offset: int, speaker: str) -> Iterator[Fact]:
    """Where a speaker began to work: "started at Shell"; who "joined Tinder" need not work there."""
    match = _BEGAN.match(clause.read, offset)
    left_out = match is not None and clause.words[lead.start] != "i"
    if match is None or (left_out and clause.link not in _JOINED):
        return
    name, first = _raw(clause, match, "o"), lead.start + (not left_out)
    works = "joined" not in clause.words or match["when"].startswith(" as ")
    if name[:1].isupper():
        said = SaidWords(
            relation="works at" if works else "belongs to",
            object=name,
            said=clause.raw(first, len(clause.words)),
            category="context" if works else "general",
            confidence=HEDGED if lead.hedged else EXPLICIT,
            quote=clause.raw(lead.start, len(clause.words)),
            single=works,
            change="begun",
        )
        yield fact_of(speaker, SELF, said)


def _without_bracket(clause: Clause, rest: Sequence[Clause]) -> Clause:
    """A clause with what goes on behind a bracket: "I mend nets (big ones) at a workshop called Tick"."""
    if len(rest) > 1 and rest[0].link == "(" and rest[1].link == ")":
        return Clause([*clause.tokens, *rest[1].tokens], clause.link, clause.text, clause.people)
    return clause


def _raw(clause: Clause, match: re.Match[str], group: str) -> str:
    """The words of a group as they stand in the text."""
    words = match[group].split()
    first = clause.read.count(" ", 0, match.end(group) - len(match[group].lstrip()))
    return clause.raw(first, first + len(words))
