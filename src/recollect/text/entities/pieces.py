"""The words of a run of capitalised words, each with its kind and its place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from recollect.text.entities.kinds import Kind, kind_of
from recollect.text.entities.languages import opening_words
from recollect.text.entities.vocabulary import GIVEN, PLACES
from recollect.types.regex import lazy_regex


@dataclass(slots=True)
class EntityPiece:
    """A word of a run, or a number in it.

    Attributes:
        word: Without its possessive ending; an acronym without its dots.
        kind: What it is by itself.
        link: What stands before it in the run: " ", " of ", " & "; empty where a name cannot go on.
        end: Where it ends there, without its possessive ending.
    """

    word: str
    kind: Kind
    link: str
    start: int
    end: int
    possessive: bool = False

    @property
    def numeric(self) -> bool:
        """Whether it is a number: "15" in "iPhone 15 Pro"."""
        return self.word[0].isdigit()


def pieces_of(matches: Iterator[re.Match[str]], *, language: str, opening: bool) -> list[EntityPiece]:
    """The pieces of a run."""
    found: list[EntityPiece] = []
    for match in matches:
        if match[3]:
            found.append(EntityPiece(match[3].strip(), Kind.WORD, " ", match.start(3) + 1, match.end(3)))
            continue
        piece = _piece(match, language, opening=opening and not found)
        if piece.word in _WITH_ARTICLE and found and found[-1].word in _ARTICLES:
            found[-1].kind = Kind.WORD
        found.append(piece)
    return found


def _piece(match: re.Match[str], language: str, *, opening: bool) -> EntityPiece:
    word, start, link = match[2], match.start(2), match[1] or ""
    if link and link.split()[:1] and link.split()[0] in _NO_LINKS.get(language, ()):
        link = ""
    if word[-1] == ".":
        return _dotted(word, link, start)
    bare = word
    if "'" in word or "\u2019" in word:
        if opening and language in _ELIDING and (elided := _ELIDED.match(word)):
            word, start = word[elided.end() :], start + elided.end()
        bare = (_TURKISH if language == "tr" else _SUFFIX).sub("", word)
    possessive = bare != word
    bare, kind = _cut_at_hyphen(bare, language) if "-" in bare else (bare, kind_of(bare))
    piece = EntityPiece(bare, kind, link, start, start + len(bare), possessive)
    return piece if language == "en" else _of_language(piece, language, opening=opening)


def _cut_at_hyphen(word: str, language: str) -> tuple[str, Kind]:
    """A word with hyphens without what is only put behind a name, and its kind."""
    if lower := _LOWER_PARTS.search(word):
        kind = kind_of(word[: lower.start()])
        return word[: lower.start()], kind if kind >= Kind.BOTH else Kind.FUNCTION
    first, _, rest = word.partition("-")
    kind = kind_of(first)
    if language == "de" and kind >= Kind.CAPITALS and first not in GIVEN and kind_of(rest) < Kind.CAPITALS:
        return first, kind
    return word, kind_of(word)


def _dotted(word: str, link: str, start: int) -> EntityPiece:
    """An initial, a shortened title, or an acronym with dots."""
    bare, end = word.replace(".", ""), start + len(word)
    if bare in _DOTTED:
        return EntityPiece(bare, Kind.CAPITALS, link, start, end)
    if len(bare) > 1 and word.count(".") == 1:
        return EntityPiece(bare, kind_of(bare), link, start, end)
    return EntityPiece(word, Kind.FUNCTION if word == "I." else Kind.INITIAL, link, start, end)


def _of_language(piece: EntityPiece, language: str, *, opening: bool) -> EntityPiece:
    """The piece as another language than English takes it."""
    if piece.word.lower() in opening_words(language):
        known = piece.kind in {Kind.BOTH, Kind.KNOWN}
        piece.kind = Kind.BOTH if known else Kind.FUNCTION if opening else Kind.PEOPLE
    elif language == "de" and piece.kind is Kind.UNKNOWN and piece.word[-1] == "s":
        bare = piece.word[:-1]
        if bare in GIVEN or bare in PLACES:
            piece.word, piece.kind, piece.end, piece.possessive = bare, Kind.KNOWN, piece.end - 1, True
    return piece


_SUFFIX: Final = lazy_regex(r"['\u2019](?:s|S|ll|d|ve|re|m)$")
_TURKISH: Final = lazy_regex(r"['\u2019][a-z\u0131\u00fc\u00f6\u015f\u011f\u00e7]{1,5}$")
_ELIDING: Final = frozenset({"fr", "it", "ca"})
_ELIDED: Final = lazy_regex(r"(?:[LDJMNSTC]|Qu)['\u2019](?=[^\W\d_a-z\u00df-\u00f6\u00f8-\u00ff])")
_LOWER_PARTS: Final = lazy_regex(r"(?:-[^\W\d_A-Z\u00c0-\u00de]+)+$")
"""What is put behind a name: "Paris-based"; in German nouns are, too ("Excel-Tabelle")."""
_DOTTED: Final = frozenset({"US", "USA", "UK", "UN", "EU", "DC", "UAE", "USSR", "LA", "NY", "NYC"})
"""Acronyms that are written with dots, too; other letters with dots are initials."""
_ARTICLES: Final = frozenset({"Le", "La", "El", "Los", "Las", "Der", "Die"})
_WITH_ARTICLE: Final = frozenset(
    """
    Angeles Figaro Habana Havre Haye Mans Monde Mundo Paso Paz País Plata Rochelle Réunion Salvador
    Spiegel Vegas
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""Names with an article of their own: it is kept."""
_NO_LINKS: Final = {"en": frozenset({"do", "du"}), "de": frozenset({"du", "da", "di", "do", "dos", "des"})}
"""What links names in Portuguese or French, and is another word here."""
