"""Which facts belong to the core of a context: instructions, health, name, home, work, people close by.

A fact is sorted by its relation and object (see ``recording``); one that was stored without them, such as one
that a caller wrote, by its words.
"""

import re
from typing import Final, NamedTuple

from recollect.learning.extraction.people import GROUPS as GROUP_WORDS
from recollect.learning.extraction.people import PETS, RELATIVES
from recollect.learning.extraction.permissions import PERMITS
from recollect.learning.extraction.phrases import GROUPS
from recollect.learning.extraction.things import is_condition
from recollect.learning.foods import KINDS, singular
from recollect.learning.listing import either, listed
from recollect.learning.reconcile.statements import CHANGED, SAID
from recollect.types import CorePart, MemoryRecord
from recollect.types.regex import lazy_regex

INSTRUCTION: Final = "instruction"
"""The category of what a user asked of the assistant for good."""

_WORDS: Final = lazy_regex(
    r"(?P<subject>.+?) (?P<relation>is (?:\w+ly )?(?:allergic to|named|called|married to|intolerant)|has diet"
    r"|liv(?:es|ing) (?:in|at|near)|works (?:at|for|as)|suffers from|takes|has|is)\b ?(?P<object>.*?)[.!]?$",
    re.IGNORECASE,
)
"""The parts of a sentence in the third person, for facts stored without them."""

_HEALTH: Final = lazy_regex(
    r"\ballerg|\bintoleran|\banaphyla|\bsuffers? from|\brecovering from|\bdiet\b|\bdietary\b|\bblood type"
    r"|\bdiagnos|\bsensitive to\b|\breacts badly to\b|'s (?:dose|medication|diet|allergy) changed\b"
    r"|\bkeeps (?:kosher|halal)\b|\b(?:must not (?:eat|drink|take)|cannot take)\b"
    r"|\b(?:uses|wears|carries|has) .*\b(?:wheelchair|hearing aids?|inhaler|epi-?pen|insulin|pacemaker)\b",
    re.IGNORECASE,
)
_CONDITION: Final = lazy_regex(rf"(?:{GROUPS['CONDITION']}|{GROUPS['DIET']})\b", re.IGNORECASE)
_ILL: Final = lazy_regex(rf"\b{GROUPS['DISEASE']}\b|\btrouble (?:sleeping|breathing)\b", re.IGNORECASE)
_DOSE: Final = lazy_regex(
    rf"\b{GROUPS['MEDICINE']}\b|\b\d[\d.,]* ?(?:mg|mcg|\u00b5g|ug|g|ml|iu|units?|micrograms?|milligrams?)\b"
    r"|\b(?:pills?|tablets?|capsules|medications?|inhaler|injections?)\b",
    re.IGNORECASE,
)
_MEDICAL: Final = lazy_regex(
    rf"\b(?:{GROUPS['MEDICINE']}|{GROUPS['DISEASE']}|diabet\w*|asthma\w*|epilep\w*|c(?:o?e)liac)\b",
    re.IGNORECASE,
)
_NOT_ALLERGIC: Final = lazy_regex(r"(?:\bnot|n'?t|\bno longer|\bnever) (?:\w+ )?allergic\b(?! to (?!any))")
"""Denies an allergy and not to what, which tells a careful reader nothing."""
_ANYBODY: Final = RELATIVES | {"they"}
"""Words for people who need not be close to the user."""
_EATEN: Final = lazy_regex(
    r"\b(?:milk|cheese|soya?|sesame|beef|lamb|chicken|salt|coffee|spicy|egg"
    rf"|{either(KINDS.keys() | {singular(one) for one in KINDS['nuts'] | KINDS['shellfish']})}s?)\b",
    re.IGNORECASE,
)
"""What people leave out of their food for their health or by their faith. Chosen by hand."""
_NOT_CONSUMED: Final = listed("eats eat drinks drink consumes has have tolerates tolerate")

_NAME: Final = lazy_regex(r"(?:is (?:named|called)|(?:full |first |last |family )?name|nick ?name|pronouns)$")
_DIED: Final = frozenset(("died", "passed away"))
"""What a careful reader must know of somebody close as well as the name."""
_HOME: Final = lazy_regex(
    r"(?:lives?|living|resides) (?:in|at|near|outside|close to|beside)$|(?:home |postal )?address$"
    r"|home ?town$"
)
_WORK: Final = lazy_regex(
    r"(?:works (?:at|for|as|in)|is retired|(?:current |main )?job(?: title)?|employer|profession|occupation"
    r"|role|runs|studies(?: at)?|majors in|is studying)$"
)
_MARITAL: Final = lazy_regex(r"has marital status$|is married to$|is engaged to$|is dating$")
_OWN_PEOPLE: Final = lazy_regex(
    r"\b(?:wife|husband|spouse|partner|fianc\u00e9?e?|girlfriend|boyfriend|sons?|daughters?|child(?:ren)?"
    r"|kids?|baby|twins|triplets|brothers?|sisters?|siblings?)\b",
    re.IGNORECASE,
)
_CLOSE: Final = listed(
    """
    wife husband spouse partner hubby wifey missus fella lad lass fiance fianc\u00e9 fiancee fianc\u00e9e
    girlfriend boyfriend mother mom mum mam mama father dad papa parents parent son sons daughter daughters
    child children kid kids baby toddler twins stepson stepdaughter brother brothers sister sisters sibling
    siblings half-brother half-sister grandmother grandma granny gran nan grandfather grandpa grandad granddad
    grandparents grandson granddaughter grandchildren friend bestie
    """
)
"""Who is close to somebody: family, partners, best friends. Chosen by hand."""
_LIVING: Final = _CLOSE | listed("user users family dogs cats pets man woman boy girl person people")
_OF_THINGS: Final = listed("the this that these those our its their a an every each all another")
"""Words before what is no name of a person: "the staging server is called heron"."""
_JOBLESS: Final = lazy_regex(rf"{GROUPS['JOBLESS']}\b", re.IGNORECASE)


class _Fact(NamedTuple):
    """The parts of a fact."""

    subject: str
    relation: str
    object: str
    negated: bool
    category: str


def part_of(record: MemoryRecord) -> CorePart | None:
    """To which part of the core a fact belongs; None when it belongs to none.

    Whether it holds is for the caller to see. A critical memory belongs to the core whatever it says.
    """
    if record.labels.category == INSTRUCTION:
        return INSTRUCTION if record.origin.role == "user" else None
    if record.metadata.get("past"):
        return None
    if record.metadata.get("relation") in {CHANGED, SAID} and (said := record.metadata.get("object")):
        return _of_quotation(str(said))
    fact = _parts(record)
    if _is_of_a_thing(fact.subject):
        return None
    _, of_others, whose = fact.subject.replace("\u2019", "'").rpartition("'s ")
    if of_others:
        return "people" if _is_close(fact, whose) else None
    if is_health(fact):
        return "health"
    return None if fact.negated else _own(fact)


def _of_quotation(said: str) -> CorePart | None:
    """Whether words as they stand tell of the health of the user or of somebody close.

    >>> [_of_quotation(one) for one in ("mum has type 2 diabetes", "im not allergic, they tested me")]
    ['health', None]
    """
    low = " ".join(said.replace("\u2019", "'").lower().split())
    if _NOT_ALLERGIC.search(low):
        return None
    if _HEALTH.search(low):
        return "health"
    found = _MEDICAL.search(low)
    if found is None:
        return None
    from recollect.learning.reconcile.health import subject_before

    who = subject_before(low, found.start())
    return "health" if not who or not who.isdisjoint(_CLOSE) or not who <= _ANYBODY else None


def _is_of_a_thing(subject: str) -> bool:
    """Whether what a fact is about is neither a person nor an animal.

    >>> [_is_of_a_thing(one) for one in ("The staging server", "the dog", "Our baby", "The user", "Ada")]
    [True, False, False, False, False]
    """
    words = subject.casefold().split()
    return len(words) > 1 and words[0] in _OF_THINGS and words[-1] not in RELATIVES - GROUP_WORDS | _LIVING


def _own(fact: _Fact) -> CorePart | None:
    """What part a fact about the user belongs to that is not about health."""
    if _NAME.match(fact.relation):
        return "name"
    if _HOME.match(fact.relation):
        return "home"
    if _WORK.match(fact.relation) or (fact.relation == "is" and _JOBLESS.match(fact.object)):
        return "work"
    has_people = fact.relation == "has" and _OWN_PEOPLE.search(fact.object)
    return "people" if has_people or _MARITAL.match(fact.relation) else None


def _is_close(fact: _Fact, whose: str) -> bool:
    """Whether a fact names somebody close to the user, or tells of their health or death.

    Who is told of by name alone is taken for close: what could harm them is seldom told of others.
    """
    words = whose.casefold().split()
    if whose[:1].isupper():
        return is_health(fact)
    named = (bool(_NAME.match(fact.relation)) or fact.relation in _DIED) and not fact.negated
    if named and words and words[-1] in PETS:
        return True
    if not words or "'s" in fact.subject[: -len(whose) - 3] or _CLOSE.isdisjoint((words[0], words[-1])):
        return False
    if words[-1] == "friend" and words[0] != "best":
        return False
    return named or is_health(fact)


def is_health(fact: _Fact) -> bool:
    """Whether a fact tells of an allergy, a condition, a diet or a medicine.

    >>> is_health(_Fact("User", "is allergic to", "nuts", False, "context"))
    True
    >>> is_health(_Fact("User", "takes", "the bus", False, "general"))
    False
    >>> is_health(_Fact("User", "eats", "pork", True, "preference"))
    True
    """
    relation, said = fact.relation, fact.object
    if fact.negated:
        verb = relation.split()[-1:]
        return bool(verb) and verb[0] in _NOT_CONSUMED and bool(_EATEN.search(said))
    if _HEALTH.search(f"{relation} {said}"):
        return True
    match relation.split()[:1]:
        case ["is"]:
            return bool(_CONDITION.match(said))
        case ["has" | "gets"]:
            return bool(_ILL.search(said)) or any(map(is_condition, said.casefold().split()))
        case ["takes"]:
            return fact.category == "context" or bool(_DOSE.search(said))
        case ["can"]:
            return relation in PERMITS
        case ["avoids"] | ["cannot"]:
            return bool(_EATEN.search(said))
        case _:
            return False


def _parts(record: MemoryRecord) -> _Fact:
    said, category = record.metadata, record.labels.category or ""
    relation = said.get("relation")
    if isinstance(relation, str) and relation not in {CHANGED, SAID}:
        subject, thing = str(said.get("subject") or ""), str(said.get("object") or "")
        return _Fact(subject, relation.casefold(), thing, bool(said.get("negated")), category)
    quoted = relation == SAID and record.content.endswith('"')
    found = None if quoted else _WORDS.match(" ".join(record.content.split()))
    if found is None:
        return _Fact("", record.content, "", negated=False, category="")
    return _Fact(found["subject"], found["relation"].casefold(), found["object"], negated=False, category="")
