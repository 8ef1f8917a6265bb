"""What a capitalised word is by itself, before its place in a sentence is looked at."""

from enum import IntEnum
from functools import lru_cache
from typing import Final

from recollect.text.entities.vocabulary import (
    ADJECTIVES,
    DAYS,
    EVERYDAY,
    FUNCTION,
    GIVEN,
    KIN,
    MADE,
    NOUNS,
    PEOPLES,
    PLACES,
    TITLES,
    VERBS,
)
from recollect.types.regex import lazy_regex


class Kind(IntEnum):
    """What a word is; up to ``INITIAL`` it is never a name alone, from ``BOTH`` on it may be anywhere."""

    FUNCTION = 0
    """A word of grammar, an interjection, a day: ends the name before it."""
    EVERYDAY = 1
    """A common noun in capitals: "TV"."""
    TITLE = 2
    KIN = 3
    PEOPLE = 4
    """A people, a language or a creed."""
    INITIAL = 5
    WORD = 6
    """A common noun or an adjective."""
    VERB = 7
    BOTH = 8
    """A known name that is a word, too: "Mark"."""
    UNKNOWN = 9
    CAPITALS = 10
    """An acronym, unless it is shouted."""
    KNOWN = 11
    ODD = 12
    """Written as no word is: "GitHub", "GPT-4o", "C++"."""


@lru_cache(maxsize=20_000)
def kind_of(word: str) -> Kind:
    """The kind of a word without its possessive ending, as it is spelt in the text."""
    if len(word) == 1 or len(word) > _LONGEST_WORD:
        return Kind.FUNCTION
    if not word.isalpha():
        return _of_mixture(word)
    if word.isupper():
        return _of_capitals(word)
    if _PLURAL.fullmatch(word):
        return _of_capitals(word[:-1])
    if _MIXED.search(word):
        return Kind.EVERYDAY if word.lower() in EVERYDAY else Kind.ODD
    return _of_word(word)


def given_name(word: str) -> str:
    """A given name that is nothing else, however it is written; empty for any other word.

    >>> given_name("pauline"), given_name("will"), given_name("paris")
    ('Pauline', '', '')
    """
    name = word.title()
    known = name in GIVEN and name not in PLACES and name not in MADE
    return name if known and kind_of(name) is Kind.KNOWN else ""


def _of_word(word: str) -> Kind:
    lower = word.lower()
    if word in _KNOWN and lower not in DAYS:
        return Kind.BOTH if any(lower in words for _, words in _LISTS) else Kind.KNOWN
    listed = _listed(lower)
    if listed is not None:
        return listed
    return Kind.FUNCTION if _SHOUTED.search(lower) else Kind.UNKNOWN


def _of_capitals(word: str) -> Kind:
    if word in _NO_SHOUT:
        return Kind.CAPITALS
    lower = word.lower()
    if lower in EVERYDAY:
        return Kind.EVERYDAY
    if _listed(lower) is not None or _SHOUTED.search(lower):
        return Kind.FUNCTION
    if word.capitalize() in _KNOWN:
        return Kind.KNOWN
    return Kind.CAPITALS if len(word) <= _LONGEST_ACRONYM else Kind.FUNCTION


def _of_mixture(word: str) -> Kind:
    """Of a word with digits, hyphens, apostrophes or signs in it."""
    lower = word.lower()
    if lower in EVERYDAY:
        return Kind.EVERYDAY
    if any(lower in words for _, words in _LISTS):
        return _listed(lower) or Kind.FUNCTION
    if word[-1] in "+#" or "." in word:
        return Kind.ODD
    if any(map(str.isdigit, word)):
        return _of_digits(word)
    if "-" in word:
        return _of_parts([part for part in word.split("-") if part])
    first, _, rest = word.replace("\u2019", "'").partition("'")
    if not rest or rest[0].isupper():
        return Kind.ODD if rest else Kind.UNKNOWN
    return kind_of(first) if len(first) > len("Qu") and first.isalpha() else Kind.FUNCTION


def _of_digits(word: str) -> Kind:
    """A word before digits stays one ("Step1"); a single letter is none ("Q3")."""
    letters = _LETTERS.findall(word)
    if not letters or (len(letters[0]) == 1 and not _TWO_CAPITALS.search(word)):
        return Kind.FUNCTION
    return Kind.ODD if _listed(letters[0].lower()) is None else kind_of(letters[0])


def _of_parts(parts: list[str]) -> Kind:
    kinds = [kind_of(part) for part in parts]
    if Kind.KNOWN in kinds or Kind.ODD in kinds:
        return Kind.KNOWN
    return Kind.WORD if max(kinds) <= Kind.VERB and len(parts[0]) > 1 else Kind.UNKNOWN


def _listed(lower: str) -> Kind | None:
    """The kind of a word in lower case by the lists and its ending; None where they are silent."""
    for kind, words in _LISTS:
        if lower in words:
            return kind
    stems = _stems(lower)
    if not VERBS.isdisjoint(stems):
        return Kind.VERB
    return Kind.WORD if not _COMMON.isdisjoint(stems) or _ENDING.fullmatch(lower) else None


def _stems(lower: str) -> list[str]:
    """What a word may be a form of: "cats", "stories", "planned", "making", "unnecessary"."""
    found = [
        lower[: len(lower) - len(ending)] + instead for ending, instead in _FORMS if lower.endswith(ending)
    ]
    found += [stem[:-1] for stem in found if len(stem) > len("of") and stem[-1] == stem[-2]]
    if prefix := _PREFIX.match(lower):
        found.append(lower[prefix.end() :])
    return found


_COMMON: Final = NOUNS | ADJECTIVES
_KNOWN: Final = GIVEN | PLACES | MADE
_LISTS: Final = (
    (Kind.FUNCTION, FUNCTION),
    (Kind.FUNCTION, DAYS),
    (Kind.TITLE, TITLES),
    (Kind.KIN, KIN),
    (Kind.PEOPLE, PEOPLES),
    (Kind.VERB, VERBS),
    (Kind.WORD, _COMMON),
)
"""The first list that holds a word decides."""
_NO_SHOUT: Final = frozenset({"US"})
_LONGEST_WORD: Final = 40
"""Letters; longer words are data. Chosen by hand."""
_LONGEST_ACRONYM: Final = 6
"""Letters; longer words in capitals are mostly shouted. Chosen by hand: UNESCO and UNICEF have six."""
_SHOUTED: Final = lazy_regex(r"(.)\1\1")
_MIXED: Final = lazy_regex(r"[^\W\d_A-Z][A-Z]")
_PLURAL: Final = lazy_regex(r"[A-Z]{2,6}s")
_LETTERS: Final = lazy_regex(r"[^\W\d_]+")
_TWO_CAPITALS: Final = lazy_regex(r"[A-Z][^A-Z]*[A-Z]")
_ENDING: Final = lazy_regex(
    r"\w+(?:ing|ings|ly|ness|ments?|[st]ions?|[^l]{3,}ances?|[ae]nc(?:y|ies)|dom|[^aeiou]ity|ities|isms?|ists?"
    r"|ology|ful|less|able|ible|ous|ences?|ships?|hood|tive|ical|ized?|ised?|izing|ish)"
)
"""Endings of English words. A name that ends so is found if it is known ("Emily", "Beijing")."""
_PREFIX: Final = lazy_regex(r"(?:un|re|over|under|out|mis|dis|non|pre|anti|co)(?=\w{4})")
_FORMS: Final = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ed", ""), ("ed", "e"), ("ied", "y"), ("ing", ""),
    ("ing", "e"), ("in", ""), ("in", "e"), ("er", ""), ("er", "e"), ("ers", ""), ("ers", "e"), ("est", ""),
    ("est", "e"), ("iest", "y"), ("ier", "y"), ("ily", "y"),
)  # fmt: skip
"""Endings of English forms, and what they stand in place of."""
