"""Somebody spoken of before: whom "she" and "her" mean, and the name that is told of them later."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import INFERRED, Fact
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.naming import is_name_at
from recollect.learning.extraction.people import OCCUPATIONS, RELATIVES
from recollect.learning.extraction.rules import Reading
from recollect.learning.extraction.spoken import meant_by
from recollect.learning.extraction.subjects import Subject, fits, kind_of, subject_of
from recollect.learning.extraction.telling import ToldClause, name_told
from recollect.learning.listing import either, listed
from recollect.types.regex import lazy_regex

_SEEING: Final = lazy_regex(
    r"(?:\w+ ){0,2}?(?:i am|i have been|we have been) (?:now )?(?:seeing|dating) someone\b"
)


def with_owner(clause: Clause, start: int, who: str) -> Clause:
    """A clause with "Ines's" for "her" at its beginning, where Ines was spoken of."""
    if clause.words[start] not in {"her", "his"} or not who:
        return clause
    token = clause.tokens[start]
    words = [f"{who.lower()}'s"] if who[:1].isupper() else ["my", f"{who}'s"]
    owner = [token._replace(low=word) for word in words]
    return replace(clause, tokens=[*clause.tokens[:start], *owner, *clause.tokens[start + 1 :]])


_BEGINS: Final = lazy_regex(
    r"\W*(?:(?:and|but|so|oh|also|btw|yeah|yes|no|well|plus|ok|okay|actually|sadly|luckily)\W+)*"
    r"(?P<who>(?:she|he)(?:'?s)?|her|his)\b(?! or\b)",
    re.IGNORECASE,
)


def taken_up(
    text: str, before: Iterable[Fact], people: Mapping[str, str], *, told: Sequence[str] = ()
) -> str:
    """Whom a turn means that begins with "she" or "his", by what the turn before it told.

    Empty where that told of nobody whom the word may mean, or of several.

    Args:
        text: The turn.
        before: The facts of the speaker's turn before.
        people: Names told, and what each is to the speaker.
        told: Whom the last sentence of that turn that names anybody spoke of.
    """
    match = _BEGINS.match(text)
    if match is None:
        return ""
    pronoun = "she" if match["who"].lower().startswith(("s", "her")) else "he"
    learned = [who for fact in before for who in _whom(fact)]
    known = [who for who in learned if who in people or who.rpartition(" ")[2] in RELATIVES]
    meant = [who for who in dict.fromkeys(known) if fits(pronoun, people.get(who, who))]
    named = {people[who] for who in meant if who in people}
    ones = [who for who in meant if who not in named]
    if len(ones) > 1:
        return ""
    return meant_by(pronoun, list(told), ones[0] if ones else "", people)


def _whom(fact: Fact) -> list[str]:
    """Whom a fact is about, besides the speaker."""
    if fact.relation in {"has", "lives with", "is dating"}:
        return [word for word in (fact.object or "").split() if word in RELATIVES]
    return [fact.subject.partition("'s ")[2]]


def spoken_of(clause: Clause) -> str:
    """Who is told of once in a clause: by name, as "my wife", or as a partner that has no name yet."""
    if _SEEING.match(clause.read):
        return "partner"
    names = [name for name in clause.people if name.casefold() in clause.words]
    if names:
        return names[0] if len(names) == 1 else ""
    owned = [place for place, word in enumerate(clause.words) if word in {"my", "our"}]
    who = subject_of(clause, owned[0]) if len(owned) == 1 else None
    rest = [] if who is None else clause.words[who.behind :]
    alone = who is not None and who.kind in {"person", "pet"} and all(word in _TIMES for word in rest)
    return who.noun if who is not None and alone and not _names_another(clause, who) else ""


_TIMES: Final = listed("today yesterday tonight again now last night week month year this morning")
"""Words behind somebody that name nobody else."""


def _names_another(clause: Clause, who: Subject) -> bool:
    """Whether a clause has another name, or another person, before whom it ends with."""
    first = clause.tokens[0].start
    others = [at for at in range(1, who.start) if clause.tokens[at].start > first]
    return any(is_name_at(clause, at) or clause.words[at] in RELATIVES | OCCUPATIONS for at in others)


def mentioned_in(clause: Clause, reading: Reading) -> str:
    """Whom an object names: "I have a sister" makes "she" her."""
    if reading.relation not in {"has", "lives with", "is dating"}:
        return ""
    words = clause.words[reading.start : reading.end]
    nouns = [word for word in words if word in RELATIVES]
    return nouns[0] if len(nouns) == 1 and "and" not in words else ""


_THEIR: Final = listed("her his its")
_HELPERS: Final = OCCUPATIONS | listed("aide vet sitter babysitter carer helper walker groomer")
_BROUGHT_IN: Final = lazy_regex(
    r"(?:^|(?<!\bis)(?<!'s)(?<!\bas)(?<!\bwas)(?<!\bam)(?<!\bare)(?<!\bbe)(?<!\bbecame) )"
    rf"(?:an?|the|our|my|her|his|another|this)(?: new)? (?:[a-z-]+ )??{either(_HELPERS)}\b"
)
"""Names somebody by what they do, and not what somebody does: "to the vet", but not "he is a vet"."""


def is_of_another(clause: Clause, who: str) -> bool:
    """Whether "her" may be somebody's who was named after who is known: "I got Mum a nurse. Her name is"."""
    before = clause.text[: clause.tokens[0].start].lower()
    behind = before.rfind(who) + len(who) if who in before else 0
    return who != "" and _BROUGHT_IN.search(before, behind) is not None


def name_of(clause: Clause, lead: Lead, who: str, speaker: str) -> Iterator[Fact]:
    """The name of somebody spoken of before: "Her name is Pixel"."""
    words, start = clause.words, lead.start
    is_name = (
        words[start] in _THEIR and words[start + 1 : start + 3] == ["name", "is"] and len(words) > start + 3
    )
    if is_name and who[:1].islower():
        name = clause.raw(start + 3, start + 4)
        subject = Subject(who, kind_of(who), name, start, start + 4)
        told = ToldClause(clause=clause, lead=lead, subject=subject, begins=0)
        yield replace(name_told(told, speaker), confidence=INFERRED)


def name_before_pronoun(
    clause: Clause, lead: Lead, rest: Sequence[Clause], noun: str, speaker: str
) -> Iterator[Fact]:
    """The name of somebody spoken of before, before what is said of them: "Zuzia, she's two"."""
    goes_on = rest and rest[0].link == "," and rest[0].words[0] in {"she", "he"}
    alone = not clause.link and len(clause.words) == 1 and is_name_at(clause, 0)
    if goes_on and alone and noun[:1].islower() and fits(rest[0].words[0], noun):
        subject = Subject(noun, kind_of(noun), clause.raw(0, 1), 0, 1)
        yield name_told(ToldClause(clause=clause, lead=lead, subject=subject, begins=0), speaker)
