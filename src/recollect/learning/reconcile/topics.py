"""Everyday topics by their words, and which topics a text touches. Data and one look-up.

A line is ``name: words``; commas divide the words, a star ends the beginning of one ("vegetari*"). Signs
behind a name say more of a topic:

===== ==================================================== =================
sign  meaning                                              topics
===== ==================================================== =================
``+`` people have several at a time                        pets, hobbies
``#`` its values are numbers, days or times                rent, appointments
``=`` its words are themselves values                      cars, tools
===== ==================================================== =================

The words were chosen by hand, in English, German, French, Spanish, Swedish and Portuguese.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from recollect.types.regex import lazy_regex

_ROWS: Final = Path(__file__).with_name("topics.txt").read_text(encoding="utf-8")
_SIGNS: Final = "+#="


def _rows() -> Iterator[tuple[str, str]]:
    """Each word, or beginning of a word with its star, and its topic."""
    for row in _ROWS.strip().replace("\n ", " ").splitlines():
        name, _, words = row.partition(":")
        yield from ((" ".join(word.split()), name.strip()) for word in words.split(",") if word.strip())


def _table() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for word, name in _rows():
        found.setdefault(word.lower(), set()).add(name.rstrip(_SIGNS))
    return {word: frozenset(names) for word, names in found.items()}


_BY_WORD: Final = MappingProxyType(_table())


def _with(sign: str) -> frozenset[str]:
    return frozenset(name.rstrip(_SIGNS) for _, name in _rows() if sign in name)


SEVERAL: Final = _with("+")
COUNTED: Final = _with("#")
VALUES: Final = _with("=")
"""Topics by their signs."""
_SHORTEST: Final = 3
"""Letters of the shortest beginning of a word."""
_LONGEST: Final = max(len(word) for word in _BY_WORD if word.endswith("*"))
_WORDS: Final = 3
"""Words of the longest phrase."""
_WORD: Final = lazy_regex(r"[^\W_](?:[\w'&/+#:.-]*[\w+#])?")


def words_in(low: str) -> list[str]:
    """The words of a text in small letters, with straight apostrophes.

    >>> words_in("we're on c++, at jo@x.org now.")
    ["we're", 'on', 'c++', 'at', 'jo', 'x.org', 'now']
    """
    return _WORD.findall(low)


@lru_cache(maxsize=4096)
def topics_of(low: str) -> dict[str, frozenset[str]]:
    """The topics of a text in small letters, each with the words that tell of it.

    >>> topics_of("my boss is joanna")
    {'boss': frozenset({'boss'})}
    """
    words = words_in(low)
    found: dict[str, set[str]] = {}
    for place in range(len(words)):
        for size in range(1, _WORDS + 1):
            phrase = " ".join(words[place : place + size])
            for name in _names_of(phrase):
                found.setdefault(name, set()).add(phrase)
    return {name: frozenset(told) for name, told in sorted(found.items())}


@lru_cache(maxsize=20_000)
def _names_of(phrase: str) -> frozenset[str]:
    for one in (phrase, phrase.removesuffix("'s"), phrase.removesuffix("s")):
        if one in _BY_WORD:
            return _BY_WORD[one]
    starts = (f"{phrase[:size]}*" for size in range(min(len(phrase), _LONGEST), _SHORTEST - 1, -1))
    return next((_BY_WORD[one] for one in starts if one in _BY_WORD), frozenset())
