"""Names in German, where a capital says nothing: every noun has one."""

import itertools
from collections.abc import Sequence
from typing import Final

from recollect.text.entities.kinds import Kind
from recollect.text.entities.languages import opening_words
from recollect.text.entities.pieces import EntityPiece
from recollect.text.entities.stretches import names_something
from recollect.text.entities.vocabulary import GIVEN, LISTS, PEOPLES
from recollect.types.regex import lazy_regex


def part_at_von(pieces: Sequence[EntityPiece]) -> None:
    """Keeps "von" between given names and what follows only: "Ursula von der Leyen", "Konzert von Ada"."""
    for before, piece in itertools.pairwise(pieces):
        if piece.link.startswith(" von") and before.word not in GIVEN:
            piece.link = ""


def of_german(pieces: list[EntityPiece]) -> None:
    """Takes the nouns off both ends of a name: "Stadt Köln", "Anna Urlaub"."""
    while len(pieces) > 1 and _is_noun(pieces[0]) and not _is_people(pieces[0]):
        del pieces[0]
    while len(pieces) > 1 and pieces[0].word in GIVEN and _is_noun(pieces[-1]):
        pieces.pop()


def is_german_name(text: str, pieces: Sequence[EntityPiece]) -> bool:
    """Whether the pieces are a name, and not nouns."""
    if any(piece.kind >= Kind.CAPITALS for piece in pieces):
        return True
    if len(pieces) == 1:
        return _is_name_alone(text, pieces[0])
    if _is_people(pieces[0]) or any(piece.link.strip() for piece in pieces[1:]):
        return True
    return names_something(pieces) and not any(_is_noun(piece) for piece in pieces)


def _is_name_alone(text: str, piece: EntityPiece) -> bool:
    if _is_noun(piece) or piece.kind < Kind.BOTH:
        return False
    if piece.kind is Kind.BOTH:
        return True
    before = text[max(0, piece.start - _REACH) : piece.start]
    if (other := _AND.search(before)) and other[1] in GIVEN:
        return True
    told = _BEFORE_A_NAME.search(before)
    return told is not None and not (told["dative"] and _PLURAL.search(piece.word))


def _is_people(piece: EntityPiece) -> bool:
    """Whether a name may begin with it: "Deutsche Bank"."""
    return piece.word.lower() in PEOPLES


def _is_noun(piece: EntityPiece) -> bool:
    """Whether a piece is, or looks like, a common noun."""
    if piece.kind >= Kind.CAPITALS:
        return False
    lower = piece.word.lower()
    return lower in _NOUNS or lower in opening_words("de") or _ENDING.fullmatch(lower) is not None


_REACH: Final = 24
"""Characters looked back at: a word that stands before a name, or another name and "und"."""
_AND: Final = lazy_regex(r"(?<!\w)(\w+) und[ \t]$")
_BEFORE_A_NAME: Final = lazy_regex(
    r"(?<!\w)(?:(?P<dative>[Mm]it|[Bb]ei|[Vv]on|[Ff]ür)|[Ii]n|[Aa]us|[Nn]ach"
    r"|[Hh]allo|[Hh]i|[Hh]ey|[Dd]anke|[Ll]iebe[rs]?|[Mm]oin|[Ss]ervus|[Tt]schüss|heißt|hieß|namens"
    r"|Freund(?:in)?|Bruder|Schwester|Sohn|Tochter|Kolleg(?:e|in)|Hund|Katze|Stadt|Firma|Chef(?:in)?),?[ \t]$"
)
"""What stands before names more often than before bare nouns."""
_PLURAL: Final = lazy_regex(r"e[rl]?n$")
"""Nouns in the dative plural have no article either: "mit Freunden"."""
_ENDING: Final = lazy_regex(
    r"\w+(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|ion|ionen|tät|täten|nis|nisse|nissen|ling|linge"
    r"|chen|lein|ismus|enz|anz|ium|zeug|stück|haus|zeit|tag|tage|tagen|platz|raum|essen|buch|abend|arbeit"
    r"|leute|leuten|kind|kinder|kindern|stunde|stunden|woche|wochen|monat|jahr|jahre|jahren|termin|karte)"
)
_NOUNS: Final = LISTS["german"]
"""Common German nouns. Chosen by hand, the commonest only."""
