"""What people call what facts say of a life: "my job" asks for "works as", "my address" for "lives in".

Chosen by hand: the everyday attributes of a person, each with the words that ask for it and how facts say it.
"""

import re
from functools import cache
from typing import Final

from recollect.learning.core_facts import part_of
from recollect.learning.listing import listed
from recollect.learning.reconcile.statements import CHANGED, SAID
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

_ASKED: Final = {
    "job": "job jobs work profession career occupation employer employment workplace living company business",
    "home": "home house address apartment flat hometown residence",
    "name": "name nickname",
    "age": "age birthday birthdate",
    "allergy": "allergy allergies intolerance intolerances",
    "diet": "diet food eating",
    "health": "health illness illnesses conditions disease diseases",
    "medicine": "medicine medicines medication medications meds pills prescription prescriptions",
    "car": "car vehicle van truck motorbike motorcycle",
    "studies": "studies study degree education school university college",
    "hobby": "hobby hobbies interests pastime pastimes",
    "languages": "language languages",
    "phone": "phone number cell mobile",
    "trip": "vacation holiday holidays trip trips travel travels journey",
    "origin": "origin nationality heritage roots",
    "taste": "taste tastes likes dislikes preferences favorites favourites",
    "wishes": "instructions rules wishes",
}
_SAYS: Final = {
    "job": r"(?:works? (?:as|at|for|in)|worked|freelances?|is (?:self-employed|employed|unemployed"
    r"|retired)|runs an?"
    r"|owns an?\b.* (?:business|company|shop)|started (?:work|at)|job|employer|profession|occupation"
    r"|does freelance"
    r"|earns (?:a|their) living|got (?:hired|fired|promoted|laid off)|was (?:hired|fired|promoted"
    r"|laid off))\b",
    "home": r"(?:liv(?:es?|ing|ed) |resides? |home|address|(?:is )?moved? (?:in)?to |is moving |plans to move"
    r"|rents? |bought an?\b.*\b(?:house|home|apartment|flat|condo|foursquare|bungalow|cottage))",
    "name": r"(?:is (?:named|called)|goes by|(?:full |first |last |nick ?)?name)\b",
    "age": r"(?:(?:is|was|turn(?:s|ed)|just turned) (?:about )?\d+(?! %| percent)|age\b|birthday|was born"
    r"|is .*years old)",
    "allergy": r".*\b(?:allerg|intoleran|anaphyla)",
    "diet": r"(?:(?:is |was |went |became |has been )?(?:a )?(?:vegetarian|vegan|pescatarian|kosher|halal"
    r"|gluten)|diet|has diet"
    r"|does not (?:eat|drink)|eats?\b|drinks?\b|avoids?\b|keeps (?:kosher|halal)|.*\b(?:allergic to"
    r"|intolerant))",
    "medicine": r"(?:takes? .*(?:\d|mg|pills?|tablets?|daily|a day|morning|night)|.*\b(?:medicat|prescri"
    r"|\d ?mg|dose\b))",
    "car": r"(?:drives?\b|(?:has|owns|bought|sold|leases?) an?\b.*\b(?:car|van|truck|motorbike|suv)|car\b)",
    "studies": r"(?:stud(?:ies|ied)|is studying|graduated|majors?|majored|has a .*degree"
    r"|goes to .*(?:school|college|university))\b",
    "hobby": r"(?:plays?|collects?|enjoys?|loves?|is into|paints?|hobby|hobbies|is learning"
    r"|has been learning|practi[cs]es)\b",
    "languages": r"(?:speaks?\b|is (?:fluent|learning)|has been learning|native language|mother tongue"
    r"|language)",
    "phone": r".*\b(?:phone|cell|mobile|number)\b.*\d{3}",
    "trip": r"(?:is |are |was )?(?:going|flying|travel(?:l?ing|s)|visit(?:ing|s)|staying|plans to (?:go"
    r"|fly|visit|travel))\b",
    "origin": r"(?:is from|comes from|grew up|was born in|nationality|is originally)\b",
    "taste": r"(?:likes?|loves?|enjoys?|dislikes?|hates?|prefers?|favou?rite|cannot (?:stand|bear))\b",
}
"""How the relation of a fact, and what follows it, begins."""
_STATED: Final = lazy_regex(r"^(?:User said(?: that)?:?|User knows) ?|^\W+")
_SUBJECT: Final = lazy_regex(r"^(?:User|I|we)(?:'s)? (?:also |now |still |really |always )?", re.IGNORECASE)
TOPIC, OWN = "topic ", "own topic "
"""Before a topic in the terms of a fact: of anybody's, and of the user's own."""


@cache
def _words() -> dict[str, str]:
    return {word: topic for topic, words in _ASKED.items() for word in listed(words)}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {topic: re.compile(pattern, re.IGNORECASE) for topic, pattern in _SAYS.items()}


def topic_asked(word: str) -> str | None:
    """The topic that a word asks for, in lower case; None where it is none.

    >>> topic_asked("profession"), topic_asked("boiler")
    ('job', None)
    """
    return _words().get(word)


def topics_of(fact: MemoryRecord) -> set[str]:
    """What a fact tells of, as terms: "topic job", and "own topic job" where it is the user's."""
    said = fact.metadata
    relation, subject = str(said.get("relation") or ""), str(said.get("subject") or "User")
    words = _STATED.sub("", fact.content.replace("\u2019", "'"))
    content = _SUBJECT.sub("", words)
    texts = [content]
    if relation not in {"", CHANGED, SAID}:
        texts.append(f"{relation} {said.get('object') or ''}")
    found = {topic for topic, says in _patterns().items() if any(map(says.match, texts))}
    part = part_of(fact)
    found |= {"health"} if part == "health" else {"job"} if part == "work" else set()
    found |= {"wishes"} if fact.labels.category == "instruction" else set()
    own = subject == "User" and (len(texts) > 1 or content != words)
    return {f"{kind}{topic}" for topic in found for kind in ((TOPIC, OWN) if own else (TOPIC,))}
