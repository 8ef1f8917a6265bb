"""What a statement in another language is not: a question, reported, irony, a moment, an idiom."""

import re
from typing import Final

from recollect.learning.extraction.tables import patterns_of
from recollect.learning.listing import listed
from recollect.text.entities.kinds import given_name
from recollect.text.entities.vocabulary import PLACES
from recollect.types.regex import lazy_regex

_TABLE: Final = patterns_of("foreign_sense")


def _pattern(name: str) -> re.Pattern[str]:
    return lazy_regex(_TABLE[name], re.IGNORECASE)


_NOT_SAID: Final = _pattern("not_said")
"""Asks, or makes a condition."""
_REPORTED: Final = _pattern("reported")
"""Says that somebody says, thinks, dreams, plays or supposes it. A sentence with such a word teaches
nothing: in these languages too little is read to tell whose words are whose."""

_OPENS: Final = _pattern("opens")
"""Opens make-believe or a text to work on; all that follows belongs to it."""
_MOMENT: Final = _pattern("moment")
"""Says that something is so for a moment, or on a day."""
_NOT_WHILE: Final = lazy_regex(r"\b(?:gerade|grad|n\u00e4chste\w*|dieses jahr)\b", re.IGNORECASE)
"""Moments that may last for a course: "ich lerne gerade Spanisch"."""
_OF_MOMENTS: Final = frozenset(("lives in", "works at", "works as", "comes from", "eats", "drinks", "speaks"))
_OF_FEELINGS: Final = frozenset(("likes", "loves", "hates", "prefers", "is allergic to"))
_ROLLS_EYES: Final = frozenset("\U0001f644\U0001f643")
_LAUGHS: Final = lazy_regex(
    "[\U0001f602\U0001f923\U0001f604\U0001f605\U0001f606\U0001f61c\U0001f609]|[;:]-?[)DP]|\\bxd\\b"
)
_WELCOMES: Final = _pattern("welcomes")
"""Begins what welcomes something that nobody wants, where a feeling follows."""
_STILL_DENIED: Final = lazy_regex(
    r"\b(?:nicht|nie|niemals|keine?[nmrs]?|kaum|weder|ohne|statt|nur|mehr|pas|plus|jamais|rien|ni|tampoco|nunca"
    r"|nada)\b",
    re.IGNORECASE,
)
"""Left in an object, it says something else than the statement."""
_NO_START: Final = _pattern("no_start")
"""Begins what is eaten, drunk or learnt at one time, and what is no thing at all."""
_IDIOMS: Final = _pattern("idioms")
_LANDS: Final = _pattern("lands")
"""Places with an article."""
_THE: Final = lazy_regex(r"(?:l'|(?:der|dem|den|die|la|le|les|el|los|las) )", re.IGNORECASE)
_NAMED: Final = lazy_regex(
    r"[^\W\d_a-z\u00df-\u00ff][\w'\u2019-]+(?: (?:v[oa]n|de|zu|der|[^\W\d_a-z][\w'-]+)){0,3}$"
)
_NO_NAMES: Final = listed("dich mich euch sie ihn das es nicht so auch anders gut wie jetzt bald")
_CAPITAL: Final = lazy_regex(r"\b[^\W\d_a-z\u00df-\u00ff]")


def asks_or_reports(sentence: str) -> bool:
    """Whether a sentence asks, supposes, or says what somebody says or thinks."""
    return _NOT_SAID.search(sentence) is not None or _REPORTED.search(sentence) is not None


def opens_a_text(sentence: str) -> bool:
    """Whether a sentence leads in make-believe or a text, so that what follows is nobody's statement."""
    return _OPENS.search(sentence) is not None


def is_ironic(said: str, before: str) -> bool:
    """Whether a feeling in a sentence is meant the other way; ``before``: the sentence before it."""
    if not _ROLLS_EYES.isdisjoint(said) or _LAUGHS.search(said):
        return True
    return _WELCOMES.match(said) is not None or _WELCOMES.match(before) is not None


def is_joke_abroad(text: str) -> bool:
    """Whether a whole message in another language is a joke by its beginning and a sign in it.

    >>> is_joke_abroad("Klar, ich steh ja total drauf ;)"), is_joke_abroad("Klar, ich komme.")
    (True, False)
    """
    laughs = not _ROLLS_EYES.isdisjoint(text) or _LAUGHS.search(text) is not None
    return laughs and _WELCOMES.match(text) is not None


def is_felt_abroad(relation: str) -> bool:
    """Whether what a relation says may be meant the other way."""
    return relation in _OF_FEELINGS


def is_of_the_moment(relation: str, clause: str) -> bool:
    """Whether a clause says something for a moment that its relation would make last."""
    if relation == "is learning":
        return _MOMENT.search(_NOT_WHILE.sub("", clause)) is not None
    return relation in _OF_MOMENTS and _MOMENT.search(clause) is not None


def makes_sense(relation: str, value: str, language: str, sentence: str) -> bool:
    """Whether a value may stand behind a relation: a place, a name, a thing, and no idiom.

    German capitals tell nouns from other words, where the sentence has any behind its first letter.
    """
    if _STILL_DENIED.search(value) or _IDIOMS.match(f"{relation} {value}"):
        return relation == "comes from" and _LANDS.match(value) is not None
    if relation == "comes from":
        return _is_place(value)
    if language != "de":
        return True
    written = _CAPITAL.search(sentence[1:]) is not None
    match relation:
        case "is named":
            return _NAMED.match(value) is not None if written else _may_name(value.lower().split())
        case "lives in" | "studies":
            return not written or _CAPITAL.search(value) is not None
        case "is learning" if _NO_START.match(value):
            return False
        case "works at" | "works as" | "is learning":
            return not written or value[:1].isupper() or _behind_article(value, sentence)
        case "eats" | "drinks":
            return _NO_START.match(value) is None
        case _:
            return True


def _may_name(words: list[str]) -> bool:
    """Whether words in small letters may be a first name, or with a second one."""
    return len(words) in {1, 2} and words[0] not in _NO_NAMES


def _behind_article(value: str, sentence: str) -> bool:
    return any(f" {article} {value}" in sentence for article in ("einem", "einer", "der", "dem"))


def is_given(value: str) -> bool:
    """Whether a word is a known given name."""
    return given_name(value) != ""


def _is_place(value: str) -> bool:
    """Whether somebody may come from there: no other time, and no good family."""
    words = _THE.sub("", value.strip())
    return not words[:1].islower() or words.title() in PLACES
