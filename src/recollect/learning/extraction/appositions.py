"""Names that are told beside what somebody is: "Telmo (my brother)", "Ana, that's my daughter, is nine".

A name and "my brother" between signs stand for one person where a sentence goes on behind them or ends. A
list ("Ana, my sister, and I") and an address ("thanks, my friend") have the same signs and tell nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final, NamedTuple

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.leads import Lead, lead_of
from recollect.learning.extraction.naming import is_name_at
from recollect.learning.extraction.people import GROUPS
from recollect.learning.extraction.subjects import Subject, subject_of
from recollect.learning.extraction.tokens import WordToken
from recollect.learning.listing import listed
from recollect.text.entities.kinds import Kind, kind_of

_LINKS: Final = frozenset([",", "(", "-", "\u2013", "\u2014"])
_SHOWS: Final = listed("that this she he it who")
_MORE: Final = listed("of from in at who since for")
"""Words that tell more of somebody behind the noun: "my partner of nine years"."""
_ADDRESSED: Final = listed("friend mate pal buddy bestie family boss coach doctor child baby")
"""Nouns behind the name of somebody who is spoken to, unless "that's" or a bracket shows otherwise."""
_JOINS: Final = frozenset(["and", "&"])
_MOST_NAMES: Final = 2
"""Words of a name."""


class Apposed(NamedTuple):
    """Somebody named beside what they are.

    Attributes:
        subject: Who, with the name.
        aside: The clauses that tell what they are.
    """

    subject: Subject
    aside: Sequence[Clause]


def apposed_in(clause: Clause, lead: Lead, rest: Sequence[Clause]) -> Apposed | None:
    """Who is named at the end of a clause and described by the next one; None when nobody is.

    ``clause``: a clause that ends with a name.
    """
    if not rest or rest[0].link not in _LINKS:
        return None
    start, shown = _described(rest[0])
    whose = subject_of(rest[0], start) if rest[0].words[start : start + 1] in (["my"], ["our"]) else None
    if whose is None or whose.kind == "thing" or whose.plural or whose.name or whose.noun in GROUPS:
        return None
    bracket = rest[0].link == "("
    if not (bracket or shown) and whose.noun.rpartition(" ")[2] in _ADDRESSED:
        return None
    if rest[0].words[whose.behind : whose.behind + 1] and rest[0].words[whose.behind] not in _MORE:
        return None
    first = _name_at_end(clause, lead.start)
    alone = first == lead.start
    if first < 0 or not (bracket or _is_closed(rest, alone=alone)):
        return None
    if rest[0].words[whose.behind :] and not (alone or bracket):
        return None
    last = len(clause.words)
    aside = rest[: _closing(rest)] if bracket else rest[:1]
    return Apposed(whose._replace(name=clause.raw(first, last).title(), start=first, behind=last), aside)


def unbracketed(clauses: Sequence[Clause]) -> list[Clause]:
    """Clauses in which a name and an age in brackets stand with whom they tell of.

    "My sister (Ines, 34) lives in Rome" is read as "my sister Ines lives in Rome", "my sister is 34".
    """
    place = next((at for at, clause in enumerate(clauses[1:], start=1) if clause.link == "("), 0)
    end = next((at for at, clause in enumerate(clauses) if at > place and clause.link == ")"), 0)
    if not place or not end:
        return list(clauses)
    who, inside, behind = clauses[place - 1], clauses[place:end], clauses[end]
    start = lead_of(who).start
    subject = subject_of(who, start)
    words = [token for clause in inside for token in clause.tokens]
    ages = [token for token in words if token.low.isdecimal()]
    names = [token for token in words if token not in ages]
    told = len(ages) <= 1 and len(names) <= _MOST_NAMES and all(map(_is_named(who.text), names))
    if (
        subject is None
        or subject.kind not in {"person", "pet"}
        or subject.behind != len(who.words)
        or not told
    ):
        return list(clauses)
    joined = replace(who, tokens=[*who.tokens, *names, *behind.tokens])
    at = behind.tokens[0].start
    aged = [replace(who, tokens=[*who.tokens[start:], WordToken("is", at, at), *ages], link=",")] * len(ages)
    return [*clauses[: place - 1], joined, *aged, *clauses[end + 1 :]]


def _is_named(text: str) -> Callable[[WordToken], bool]:
    return lambda token: text[token.start].isupper()


def names_beside(subject: Subject, rest: Sequence[Clause]) -> str:
    """The names between commas behind whom they name, or at the end; empty without them.

    "our two rabbits, Biscuit and Gravy", "with my partner, Douglas, on Fridays".

    Args:
        subject: Whom they may name, at the end of its clause.
        rest: The clauses behind it.
    """
    if subject.kind not in {"person", "pet"} or not rest or rest[0].link != ",":
        return ""
    named = list(takewhile(lists_names, rest))
    words = [word for clause in named for word in (clause.link, *clause.words)]
    if not named or subject.plural == _JOINS.isdisjoint(words):
        return ""
    start, end = named[0].tokens[0].start, named[-1].tokens[-1].end
    if len(named) < len(rest) and rest[0].text[end : end + 1] != ",":
        return ""
    addressed = subject.noun.rpartition(" ")[2] in _ADDRESSED
    if not subject.plural and (addressed or len(named) > 1 or len(named[0].words) > _MOST_NAMES):
        return ""
    return rest[0].text[start:end]


def lists_names(clause: Clause) -> bool:
    """Whether a clause goes on with names alone: ", Tina and Cher"."""
    return clause.link in {",", "and", "&"} and all(
        word in _JOINS or is_name_at(clause, place) for place, word in enumerate(clause.words)
    )


def _described(clause: Clause) -> tuple[int, bool]:
    """Where "my" stands in "that is my daughter", and whether something comes before it."""
    shown = clause.words[0] in _SHOWS and clause.words[1:2] == ["is"]
    return (2 if shown else 0), shown


def _name_at_end(clause: Clause, start: int) -> int:
    """The place where a name begins that ends a clause; -1 when none does."""
    place = len(clause.words)
    while place > max(start, len(clause.words) - _MOST_NAMES) and _may_be_name(clause, place - 1):
        place -= 1
    alone = place == start
    small = place < len(clause.words) and clause.raw(place, place + 1).islower()
    return place if place < len(clause.words) and (alone or not small) else -1


def _may_be_name(clause: Clause, place: int) -> bool:
    """Whether a word may be a name: one with a capital that is no common word, or a known one."""
    raw = clause.raw(place, place + 1)
    if not raw.isalpha():
        return False
    kind = kind_of(raw.title())
    return kind is Kind.KNOWN or (raw[:1].isupper() and kind in {Kind.BOTH, Kind.UNKNOWN})


def _is_closed(rest: Sequence[Clause], *, alone: bool) -> bool:
    """Whether what is told beside a name ends with a sign or the sentence, and is not one of a list."""
    if len(rest) == 1:
        return True
    goes_on = rest[1].link == "," and rest[1].words[0] not in {"and", "or", "my", "our"}
    return alone and goes_on


def _closing(rest: Sequence[Clause]) -> int:
    """How many clauses stand within the brackets."""
    return next((place for place, one in enumerate(rest) if one.link == ")"), len(rest))
