"""A fact in words: one plain sentence in the third person."""

import re
from dataclasses import dataclass
from typing import Final

from recollect.learning.extraction.facts import Category, Change, Fact
from recollect.learning.extraction.subjects import Subject
from recollect.learning.listing import MONTH
from recollect.types.regex import lazy_regex

_THEIRS: Final = {
    "my": "their",
    "our": "their",
    "me": "them",
    "us": "them",
    "myself": "themselves",
    "ourselves": "themselves",
    "mine": "theirs",
    "ours": "theirs",
}
_MINE: Final = lazy_regex(rf"(?<![/?&=.])\b(?:{'|'.join(_THEIRS)})\b(?![/?&=])", re.IGNORECASE)
_STATES: Final = frozenset(["ME", "US"])
"""Of America: "I moved to Bangor, ME"."""
_ALSO: Final = lazy_regex(r"^(\w+) also\b")
"""Says nothing in a fact: "likes also pizza"."""
_TIME: Final = lazy_regex(
    rf"(?:^| )(?:(?:last|this|next) (?:year|month|week|weekend|summer|winter|spring|fall|autumn|night"
    rf"|{MONTH}|\w+day)|(?:back )?in (?:early |late |mid )?(?:{MONTH}|\d{{4}})(?: \d{{4}})?|on \w+day"
    rf"|(?:about |almost |over |just )?"
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|some|a few|a couple of) (?:year"
    r"|month|week|day)s? ago|recently|yesterday|today|as a .+|when .+)$",
    re.IGNORECASE,
)
"""When something changed: part of the sentence, not of the object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidWords:
    """What is said of a subject, before it is put in words.

    Attributes:
        relation: As a fact has it.
        object: The words of the object as they stand; empty without one.
        said: What stands behind the subject in the sentence.
        category: Its kind.
        confidence: 0 to 1.
        quote: The words that say it.
        single: Whether there is one at a time.
        negated: Whether it is denied.
        past: Whether it is over.
        change: What it says of older facts.
        only_ends: Whether it is nothing to keep where nothing known ends by it.
        whole: The sentence, where it is not subject and verb: "Ada's favourite band is ABBA".
    """

    relation: str
    object: str
    said: str
    category: Category
    confidence: float
    quote: str
    single: bool = False
    negated: bool = False
    past: bool = False
    change: Change | None = None
    only_ends: bool = False
    whole: str = ""


def fact_of(speaker: str, subject: Subject, said: SaidWords) -> Fact:
    """A fact about a speaker, or about someone or something of theirs.

    Args:
        speaker: How facts call the speaker.
        subject: Whom it is about.
        said: What is said.
    """
    whose = speaker if subject.kind == "self" else f"{speaker}'s {subject.noun}"
    shown_as = shown_owner(speaker, subject)
    named = f"{whose} {subject.name}" if subject.name and said.relation != "is named" else shown_as
    shown = in_third_person(_ALSO.sub(r"\1", said.said), speaker, subject)
    kept = _closed(" ".join(in_third_person(said.object, speaker, subject).split()))
    if said.change is not None:
        kept = _TIME.sub("", kept)
    return Fact(
        text=(said.whole or f"{named} {_closed(' '.join(shown.split()))}") + ".",
        category=said.category,
        confidence=said.confidence,
        subject=whose,
        relation=said.relation,
        object=kept or None,
        single_valued=said.single,
        negated=said.negated,
        past=said.past,
        change=said.change,
        source="",
        quote=said.quote.strip(),
        only_ends=said.only_ends,
    )


def _closed(words: str) -> str:
    """Words without a bracket that is not closed, and what stands behind it."""
    return words if words.count("(") <= words.count(")") else words[: words.rindex("(")].rstrip()


def shown_owner(speaker: str, subject: Subject) -> str:
    """How a fact calls whom it is about, without a name beside the noun: "Ada's sister", or "Ines"."""
    if subject.kind == "self":
        return speaker
    return subject.noun if subject.noun[:1].isupper() else f"{speaker}'s {subject.noun}"


def in_third_person(words: str, speaker: str, subject: Subject) -> str:
    """Words with "their" for "my" where the speaker is the subject, and else with the speaker's name."""

    def other(match: re.Match[str]) -> str:
        if match.group() in _STATES:
            return match.group()
        theirs = _THEIRS[match.group().lower()]
        if subject.kind == "self":
            return theirs
        return f"{speaker}'s" if theirs in {"their", "theirs"} else speaker

    return _MINE.sub(other, words)
