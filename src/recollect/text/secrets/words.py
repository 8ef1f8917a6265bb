"""The words around secrets in eight languages, from ``words.txt``; all are chosen by hand."""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from recollect.text.lists import read_lists
from recollect.types.regex import lazy_regex

_PARTS: Final = {
    part: tuple(words.split()) for part, words in read_lists(Path(__file__).with_name("words.txt")).items()
}
_NAME: Final = "name: "
_WORD: Final = "word: "


def listed(part: str) -> frozenset[str]:
    """The words of a part."""
    return frozenset(_PARTS[part])


@lru_cache(4096)
def parts_of(word: str) -> tuple[str, ...]:
    """The parts of the list that a lower-case word stands in.

    >>> parts_of("parcel")
    ('claims', 'no code')
    """
    return tuple(
        part
        for part, (plain, pattern) in _LISTS.items()
        if word in plain or (pattern is not None and pattern.fullmatch(word))
    )


@lru_cache(1024)
def group_of(name: str) -> str:
    """What a match of ``NAMES`` names: "password", "code", "lock" or another part of the list.

    >>> group_of("wifi")
    'wifi'
    """
    return next((group for group, pattern in _GROUPS.items() if pattern.fullmatch(name)), "bare")


def _any(words: Iterable[str]) -> str:
    """An alternation of words; "_" is a blank, a hyphen or nothing."""
    return "|".join(word.replace("_", "[ -]?") for word in words)


def _by_first_letters(words: Iterable[str], depth: int = 3) -> str:
    """An alternation of words of which only those with the next letters are tried, which makes it fast."""
    letters: dict[str, list[str]] = {}
    for word in words:
        is_plain = word[:1].isalpha() and word[1:2] not in {"?", "{"}
        letters.setdefault(word[0] if depth and is_plain else "", []).append(word)
    return "|".join(
        f"{letter}(?:{_by_first_letters([word[1:] for word in some], depth - 1)})" if letter else _any(some)
        for letter, some in letters.items()
    )


DIGIT: Final = "|".join(sorted(_PARTS["word: digits"]))
SPELLED: Final = rf"[ ,]+(?:{DIGIT})\b"
"""Behind a digit that is written as a word, where another follows."""
_IS_PLAIN: Final = re.compile(r"[^\\.^$*+?{}\[\]()|]+").fullmatch
_LISTS: Final = {
    part.removeprefix(_WORD): (
        frozenset(filter(_IS_PLAIN, words)),
        lazy_regex("|".join(others)) if (others := [word for word in words if not _IS_PLAIN(word)]) else None,
    )
    for part, words in _PARTS.items()
    if part.startswith(_WORD)
}
"""Of each part the words as they are, and the pattern of the others."""
_NAMED: Final = {part.removeprefix(_NAME): words for part, words in _PARTS.items() if part.startswith(_NAME)}
_COMPOUNDS: Final = ("password", "lock in compounds", "code in compounds")
"""Words that may end a longer one, such as "wlanpasswort"."""
_WHOLE: Final = [word for part, words in _NAMED.items() if part not in _COMPOUNDS for word in words]
_ENDS: Final = [*_NAMED["lock in compounds"], *_NAMED["code in compounds"]]
_ENDINGS: Final = "(?:et|en|e|er|es|s|n|as)?"
_LETTER: Final = r"[^\W\d_]"
NAMES: Final = lazy_regex(
    rf"(?<![^\W_])(?:{_by_first_letters(_WHOLE)})(?!{_LETTER})"
    rf"|(?<!1)(?:{_by_first_letters([*_NAMED['phrase'], *_NAMED['password']])}){_ENDINGS}(?!{_LETTER})"
    rf"|(?:{_by_first_letters(_ENDS)})(?!{_LETTER})"
)
"""What names a secret, or what one opens, in a lower-case text."""
_GROUPS: Final = {
    group: lazy_regex(f"(?:{_any(words)}){_ENDINGS if group == 'password' else ''}")
    for group, words in _NAMED.items()
}
