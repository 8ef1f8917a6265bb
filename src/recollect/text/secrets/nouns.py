"""The words of a stretch of text that name a secret."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from recollect.text.secrets import lexicon
from recollect.text.secrets.stretches import Stretch


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """A word that names a secret.

    Attributes:
        kind: "password", "odd" (a password that is no plain word), "phrase", "spoken" (a word to be said),
            "code", "cvc" (three or more digits) or "list" (of codes).
        language: Its language, in two letters.
        first: Its first token.
        last: Its last token.
    """

    kind: str
    language: str
    first: int
    last: int


def find_nouns(stretch: Stretch) -> Iterator[Noun]:
    """The words that name a secret, in order."""
    tokens = stretch.tokens
    starts = [token.start for token in tokens]
    for match in lexicon.NOUNS.finditer(stretch.low, *stretch.bounds):
        first = bisect_right(starts, match.start()) - 1
        last = bisect_right(starts, match.end() - 1) - 1
        is_masked = stretch.text.startswith(_REMOVED, match.end())
        if is_masked or tokens[first].text.startswith("[") or "://" in tokens[first].text:
            continue
        if kind := _kind(stretch, match.lastgroup or "", match[0], first, last):
            yield Noun(kind=kind, language=_language(match[0]), first=first, last=last)


def _kind(stretch: Stretch, group: str, word: str, first: int, last: int) -> str:
    """What a noun names here; "" where it names no secret."""
    if group == "bare":
        told = lexicon.LOCKS.search(near := _near(stretch, first)) or lexicon.ACCOUNTS.search(near)
        return "code" if told and not lexicon.NO_CODE.search(stretch.between(first - 2, last + 3)) else ""
    if group == "weak":
        return _weak(stretch, word, first, last)
    return "odd" if word.endswith("words") and group == "password" else group


def _weak(stretch: Stretch, word: str, first: int, last: int) -> str:
    """What "pass", "key" and the like name: a password beside an account or a network."""
    if lexicon.NO_PASSWORD.search(stretch.between(first - 1, last + 1)):
        return ""
    if word in _PASS:
        return "password" if lexicon.WIRELESS.search(_near(stretch, first)) else "odd"
    return "password" if _NETWORK.search(stretch.between(first - 5, last + 4)) else ""


def _near(stretch: Stretch, place: int) -> str:
    begin, end = stretch.sentence(place)
    return stretch.between(begin - _CONTEXT, end + _CONTEXT)


def _language(noun: str) -> str:
    return next((language for language, parts in lexicon.LANGUAGES if parts.search(noun)), "en")


_REMOVED: Final = " removed]"
_CONTEXT: Final = 12
"""Tokens before and after a sentence that may tell what "code" and "pass" mean. Chosen by hand."""
_PASS: Final = frozenset({"pass", "passe", "clave"})
_NETWORK: Final = re.compile(r"wi-?fi|wlan|router|network|netz|réseau|\bred\b|\brede\b|nätverk")
