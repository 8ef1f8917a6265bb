"""The stop words of a text in another language than its memory's.

An English memory may hold a German turn, and "der" is no tag of it. Of the languages in ``_LANGUAGES`` the
one with most stop words in the text adds its list, if these are at least 2, one word in 5, and more than the
memory's own language has. So "el gato" stays, and so does a foreign name. Texts with a few stop words that
only the memory's language has ("the", "with") are not examined.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

from recollect.text.analyse import listed_stop_words, words

_LANGUAGES: Final = (
    "ca", "cs", "da", "de", "en", "es", "fi", "fr", "hr", "hu", "id", "it", "nl", "no", "pl", "pt", "ro",
    "sk", "sv", "tr",
)  # fmt: skip
"""Languages in Latin letters that are distinguished: the most spoken ones of stopwords-iso."""
_READ_TOKENS: Final = 200
"""From the beginning of a text. Chosen by hand."""
_SURE_SIGNS: Final = 2
"""Distinct words of the memory's language alone that settle it. Chosen by hand."""
_FEWEST: Final = 2
_SHARE: Final = 5
"""Stop words that show another language: so many, and one word in so many. Chosen by hand."""
_SHORT_ENGLISH: Final = frozenset(
    """
    a am an as at be by do go he i if in is it me my no of on or so to up us we
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""The English ones below three letters; most others that are listed are codes such as "de" or "la"."""

_ENGLISH_TOO: Final = frozenset(
    """
    ad ah aka art ate bar bat bet bin biz bon car care cat comment de design die dig diverse dock dog dogs
    door ed el email era ex fan fast favor final fine fit force fur gift ha haha ham hat hay hem hi hit hut
    kind kit la las local logo los male man mat mate men met mind mod mode mug multiple ned nice oh ok pan pet
    pic piece poem pot pour pro quest rad rot sale sam san sara sea sense sit solo son soy start store suit
    tag tale tend tied tim todo tom ton tons total uber unique vase war word ya yo
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""Words that other languages list and that English texts hold as words of their own or in names. They count
as no sign of those languages. From 15,000 turns and questions of LoCoMo, and a few by hand."""


def foreign_language(tokens: Sequence[str], home: str) -> str | None:
    """The language of a text that is not in its memory's; None when undecided.

    >>> foreign_language("ich habe das nicht gesehen".split(), "en")
    'de'
    >>> foreign_language("I have not seen the alps".lower().split(), "en") is None
    True
    """
    read = tokens[:_READ_TOKENS]
    if len(_sure(home).intersection(read)) >= _SURE_SIGNS:
        return None
    known = _table().languages
    found = {token for token in read if token in known and len(token) > 1}
    if home == "en":
        found -= _ENGLISH_TOO
    if len(found) < _FEWEST:
        return None
    counted = Counter(chain.from_iterable([known[token] for token in found]))
    best, hits = min(counted.items(), key=lambda item: (-item[1], item[0]))
    enough = hits >= _FEWEST and hits * _SHARE >= sum(map(str.isalpha, read))
    return best if enough and hits > counted[home] else None


def foreign_stop_words(language: str) -> frozenset[str]:
    """The stop words of one of these languages, as tokens are spelt, with and without accents."""
    return _table().listed[language]


@dataclass(frozen=True, slots=True)
class _Table:
    """Stop words, and the languages of each."""

    listed: dict[str, frozenset[str]]
    languages: dict[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _table() -> _Table:
    listed = {language: _listed(language) for language in _LANGUAGES}
    languages: dict[str, tuple[str, ...]] = {}
    for language, stops in listed.items():
        for word in stops:
            languages[word] = (*languages.get(word, ()), language)
    return _Table(listed, languages)


def _listed(language: str) -> frozenset[str]:
    spelt = {word.lower() for word in listed_stop_words(language)}
    listed = spelt | {part for word in spelt for part in words(word)}
    if language == "en":
        return frozenset({word for word in listed if len(word) > len("de")} | _SHORT_ENGLISH)
    return frozenset(word for word in listed if len(word) > 1 or not word.isascii() or word in "aeioyuwz")


@lru_cache(maxsize=8)
def _sure(home: str) -> frozenset[str]:
    """Stop words of a language that are none in any other."""
    table = _table()
    return frozenset(word for word in table.listed.get(home, ()) if table.languages[word] == (home,))
