"""Statements that were kept as they stand, put into words that read as facts. Pure.

=================================== ============================ ==================================
known                               said                         kept
=================================== ============================ ==================================
User takes 100 mcg levothyroxine.   "They put me up to 125 mcg"  User takes 125 mcg levothyroxine.
User's broadband is with Virgin.    "We ditched Virgin, the      User's broadband is with Zen.
                                    fibre's with Zen now"
User goes to the gym.               "I quit the gym in May"      User quit the gym in May.
User has an appointment on Monday.  "Moved to Friday at 9"       User's date of an event changed:
                                                                 moved to Friday at 9.
=================================== ============================ ==================================

The new value takes the place of the old one where there is one of each and the words lead to the new one; the
fact then has the relation of the old one, so that the core and later changes treat it alike.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from recollect.learning.extraction.facts import Fact
from recollect.learning.extraction.forms import PASTS, third
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.extraction.when import dated
from recollect.learning.listing import DAY, MONTH, listed
from recollect.learning.reconcile.slots import BY_NAME
from recollect.learning.reconcile.statements import CHANGED, SAID
from recollect.learning.reconcile.told import parts_of
from recollect.types import MemoryRecord

REPLACED: Final = 0.85
"""Confidence in a value that was put in the place of another. These two were chosen by hand."""
REWORDED: Final = 0.7
"""Confidence in words that were only put into the third person."""
_QUANTITY: Final = re.compile(
    r"(?:\b[\w-]*[A-Z][\w-]* \d[\w.-]*|(?<![\w.:/-])(?P<size>[$\u20ac\u00a3]?\d+(?:[.,-]\d+)*(?: ?(?:mg|mcg"
    r"|\u00b5g|ug|micrograms?|milligrams?|ml|iu|units?|drops|%|k|euros?|dollars?|pounds?|hours?|km|miles?"
    r"|kg)\b)?)(?![\w:/]| [A-Z]))"
)
"""A quantity, but not the number of a model ("Pixel 6") or of a house ("14 Alder Close")."""
_NAME: Final = re.compile(r"(?:(?:Dr\.?|Mr\.?|Mrs\.?|Ms\.?) )?[A-Z][\w&'-]*[\w](?: [A-Z][\w&'-]*\w)*")
_NO_NAME: Final = re.compile(
    rf"(?:{DAY}|{MONTH}|I|I'\w+|The|My|Our|We|It|They|User|Now|So|But|And|Ich|Wir|Je|Yo)s?$",
    re.IGNORECASE,
)
_LEADS: Final = re.compile(
    r"(?:\b(?<!thanks )(?<!talked )(?<!according )(?:to|with|at|for|is|are|now|called|named|into|on|by|in"
    r"|instead|replaced by|using)(?: an?| the| new)*|:|(?:\w+'s)) ?$"
)
"""What stands before a new value."""
_AT_A_PLACE: Final = re.compile(r"\b(?:in|on|at|near|from|to)(?: the)? $")
"""What stands before a place or a date, which is nobody's name."""
_FOLLOWS: Final = re.compile(r" ?(?:now\b|instead\b|it is\b|(?:is|'s) (?:my|our|the) new\b)")
"""What stands behind one."""
_SPAN: Final = re.compile(r"\bin (?:\d+|\w+) (?:years|months|weeks|days)\b")
"""May tell how long something lasted, rather than when it will be."""
_NEAR: Final = re.compile(rf"\b(?:{DAY}|yesterday|today|tomorrow|this|last|next)\b", re.IGNORECASE)
_WHOSE: Final = re.compile(r"(?:my|our) ", re.IGNORECASE)
_AM: Final = re.compile(r"(?:i am|i'm|im|we are|we're) ", re.IGNORECASE)
_HAVE: Final = re.compile(r"(?:i have|i've|ive|we have|we've)(?: all)? ", re.IGNORECASE)
_DOES_NOT: Final = re.compile(r"(?:i|we) (?:do not|don't) ", re.IGNORECASE)
_I: Final = re.compile(
    r"(?:i|we) (?:(?:just|finally|recently) )?(?P<verb>[a-z]+)(?P<rest>.*)$", re.IGNORECASE | re.DOTALL
)
_THIRD: Final = {
    "i'm": "they are", "i've": "they have", "i'll": "they will", "i'd": "they would", "we're": "they are",
    "we've": "they have", "we'll": "they will", "i": "they", "we": "they", "me": "them", "us": "them",
    "my": "their", "our": "their", "mine": "theirs", "ours": "theirs", "myself": "themselves", "am": "are",
}  # fmt: skip
_MODALS: Final = listed("can could would will should must may might quit")
_LINKING: Final = listed("with from that this have said called named")
_FIRST: Final = listed("The A An At On In Every Since There It This That For")
"""Words that begin a plain statement in English, where no "I" does."""
_ENGLISH: Final = re.compile(
    r"\b(?:(?-i:I)|the|my|our|i'm|i've|we've|it's|is|are|was|to|of|and|for|they|his|her|from|with|now)\b",
    re.IGNORECASE,
)
"""Without one of these words a statement is of another language, and stays as it is."""
_OWN: Final = re.compile(rf"\b(?:{'|'.join(sorted(_THIRD, key=len, reverse=True))})\b", re.IGNORECASE)


def in_plain_words(fact: Fact, ended: Sequence[MemoryRecord], *, said_at: datetime) -> Fact:
    """A statement that was kept as it stands, as a fact with its dates; any other fact as it is.

    Args:
        fact: The statement.
        said_at: When it was said.
        ended: The known facts that end with it, or that it contradicts.
    """
    said = (fact.object or "").replace("\u2019", "'")
    if fact.relation not in {CHANGED, SAID}:
        return fact
    if fact.relation == CHANGED:
        for known in ended:
            if (found := _with_new_value(fact, known, said)) is not None:
                return found
    text = _in_third_person(fact.subject, said, fact.relation, _slot_of(said, ended))
    if not _SPAN.search(text):
        ahead = any(one.labels.category == "plan" for one in ended)
        text = dated(text, now=said_at, fixed=ahead or _NEAR.search(text) is not None, ahead=ahead)
    return replace(fact, text=text, confidence=min(fact.confidence, REWORDED))


def _with_new_value(fact: Fact, known: MemoryRecord, said: str) -> Fact | None:
    """A known fact with the new value; None where there is not one old and one new value of a kind."""
    if known.metadata.get("negated") or known.metadata.get("past"):
        return None
    value = str(known.metadata.get("object") or "")
    as_it_stood = known.metadata.get("relation") in {CHANGED, SAID}
    within = known.content.partition(" ")[2] if as_it_stood else value
    pair = _quantities(within, known.content, said) or _names(
        within, known.content, said, naming=known.metadata.get("relation") == "is named"
    )
    if pair is None or within.count(pair[0]) != 1 or known.content.count(pair[0]) != 1:
        return None
    old, new = pair
    sure = min(fact.confidence, REPLACED)
    text = known.content.replace(old, new)
    if as_it_stood:
        return replace(fact, text=text, confidence=sure)
    return replace(
        fact,
        text=text,
        confidence=sure,
        subject=str(known.metadata.get("subject") or fact.subject),
        relation=str(known.metadata.get("relation") or ""),
        object=value.replace(old, new),
        single_valued=bool(known.metadata.get("single_valued")),
    )


def _quantities(value: str, known: str, said: str) -> tuple[str, str] | None:
    """The old and the new quantity."""
    old = [one for one in _sizes(value) if one not in said or f"from {one}" in said]
    new = [one for one in _sizes(said) if one not in known]
    if len(old) != 1 or len(new) != 1 or _unit(new[0]) not in {"", _unit(old[0])}:
        return None
    unit = "" if _unit(new[0]) or not _unit(old[0]) else re.sub(r"^\S*\d", "", old[0])
    return old[0], new[0] + unit


def _sizes(words: str) -> list[str]:
    found = (one for one in _QUANTITY.finditer(words) if one["size"])
    return [
        one["size"] for one in found if not (one["size"].isdigit() and words[: one.start()].endswith("at "))
    ]


def _unit(quantity: str) -> str:
    unit = re.sub(r"[\d., ]", "", quantity).lower()
    return {"micrograms": "mcg", "microgram": "mcg", "\u00b5g": "mcg", "ug": "mcg", "milligrams": "mg"}.get(
        unit, unit
    )


def _names(value: str, known: str, said: str, *, naming: bool) -> tuple[str, str] | None:
    """The old and the new name; of somebody's own name, no place takes the place (``naming``)."""
    old = [one for one in _NAME.findall(value) if not _NO_NAME.match(one)]
    named = [one for one in _NAME.finditer(said) if not _NO_NAME.match(one.group())]
    new = [one for one in named if one.group().removesuffix("'s") not in known]
    if len(old) != 1 or len(new) != 1 or _is_of_another_thing(value.replace(old[0], ""), said):
        return None
    before = said[: new[0].start()]
    if naming and _AT_A_PLACE.search(before):
        return None
    led = _LEADS.search(before) or _FOLLOWS.match(said, new[0].end())
    return (old[0], new[0].group()) if led else None


def _slot_of(said: str, ended: Sequence[MemoryRecord]) -> str:
    """What the words tell a change of and the known facts are about; empty when nothing is both."""
    told = sorted({name for part in parts_of(said) for name in (*part.slots, *part.maybe)})
    known = [one.content.lower() for one in ended]
    return next(
        (name for name in told if any(BY_NAME[name].holds.search(one) for one in known)), ""
    ).removesuffix(" of")


def _is_of_another_thing(rest: str, said: str) -> bool:
    """Whether what the value stands beside is itself named in the message: "gave up the studio"."""
    nouns = {word for word in re.findall(r"[a-z]{4,}", rest) if word not in _LINKING}
    return any(re.search(rf"\b{noun}\b", said) for noun in nouns)


def _in_third_person(speaker: str, said: str, relation: str, slot: str) -> str:
    """A statement as one about its speaker."""
    said = " ".join(said.split()).rstrip(" .!")
    if match := _WHOSE.match(said):
        return f"{speaker}'s {_theirs(said[match.end() :])}."
    for pattern, verb in ((_AM, "is"), (_HAVE, "has"), (_DOES_NOT, "does not")):
        if match := pattern.match(said):
            return f"{speaker} {verb} {_theirs(said[match.end() :])}."
    match = _I.match(said)
    if match:
        verb = match["verb"].lower()
        done = verb in _MODALS or verb.endswith("ed") or (verb in PASTS and verb not in KNOWN)
        shown = verb if done or (relation == CHANGED and verb in PASTS) else third(verb)
        return f"{speaker} {shown}{_theirs(match['rest'])}."
    if relation == SAID:
        first, _, rest = said.partition(" ")
        that = f"that {first.lower()} {rest}" if first in _FIRST else f": {said}"
        return f"{speaker} said {_theirs(that)}.".replace(" :", ":")
    what = f"'s {slot} changed" if slot else " told of a change"
    return f"{speaker}{what}: {_theirs(said)}."


def _theirs(words: str) -> str:
    if not _ENGLISH.search(words):
        return words
    return _OWN.sub(lambda found: _THIRD[found.group().lower()], words)
