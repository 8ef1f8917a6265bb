"""Who presents somebody of theirs: "Kai is my little brother", "the dog is Biscuit", "Mr Okafor is my GP"."""

from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import EXPLICIT, Fact
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.naming import has_capitals
from recollect.learning.extraction.people import PETS, is_identity
from recollect.learning.extraction.subjects import Subject, subject_of
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.listing import listed
from recollect.text.entities.kinds import Kind, given_name
from recollect.text.entities.kinds import kind_of as kind_of_word
from recollect.text.entities.vocabulary import MADE
from recollect.types.regex import lazy_regex

_BACK: Final = 80
"""Characters before a clause that are looked at. Chosen by hand."""
_IN_A_STORY: Final = lazy_regex(
    r"(?i:\bin (?:the|this|my) (?:book|novel|film|movie|story|game|show|series|play|dream))"
)
_POINTING: Final = listed("that this it he she they who there here what which one these those")
_NAMES: Final = frozenset([Kind.KNOWN, Kind.BOTH, Kind.UNKNOWN])


def presented_in(clause: Clause, lead: Lead, speaker: str) -> Fact | None:
    """The name of one of the speaker's people or animals; None where a clause presents nobody."""
    words, start = clause.words, lead.start
    if words[start : start + 3] == ["that", "is", "my"] and (named := _beside(clause, start)):
        who = subject_of(clause, start + 2)
        return None if who is None or who.name or who.plural else _fact(clause, named, who, speaker)
    verb = next((place for place in (start + 1, start + 2) if words[place : place + 1] == ["is"]), 0)
    if not verb or lead.hedged or not _POINTING.isdisjoint(words[start:verb]):
        return None
    if words[verb + 1 : verb + 2] == ["my"]:
        who = subject_of(clause, verb + 1)
        alone = who is not None and who.behind == len(words) and not (who.name or who.plural)
        return _named(clause, start, verb, who, speaker) if who is not None and alone else None
    pet = words[start + 1] if words[start] in {"the", "our"} and verb == start + 2 else ""
    if pet in PETS and verb + 2 == len(words):
        subject = Subject(pet, "pet", "", start, verb)
        return _named(clause, verb + 1, verb + 2, subject, speaker)
    return None


def _named(clause: Clause, start: int, end: int, who: Subject, speaker: str) -> Fact | None:
    """What is named by the words from one place to another; None where those are no name."""
    name = clause.raw(start, end)
    shown = name if has_capitals(clause.text) else name.title()
    begin = clause.tokens[0].start
    if _IN_A_STORY.search(clause.text, max(0, begin - _BACK), begin):
        return None
    if who.kind == "thing" or shown in MADE or not all(_is_name(word) for word in shown.split()):
        return None
    return _fact(clause, shown, who, speaker)


def _fact(clause: Clause, name: str, who: Subject, speaker: str) -> Fact:
    said = SaidWords(
        relation="is named",
        object=name,
        said=f"is named {name}",
        category="context",
        confidence=EXPLICIT,
        quote=clause.raw(0, len(clause.words)),
        single=True,
    )
    return fact_of(speaker, who, said)


_BEFORE: Final = lazy_regex(r"([^\W\d_][\w'-]+) ?[(,\u2013-] ?$")


def _beside(clause: Clause, start: int) -> str:
    """The name right before a clause: "our kerry (thats my daughter)"."""
    begin = clause.tokens[start].start
    before = _BEFORE.search(clause.text, max(0, begin - _BACK), begin)
    return given_name(before[1]) if before is not None else ""


def _is_name(word: str) -> bool:
    named = word[:1].isupper() and kind_of_word(word) in _NAMES
    return named and not (word.endswith("ese") or is_identity(word.lower()))
