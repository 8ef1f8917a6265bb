"""What may be a secret by its shape: one token, or a run of digits, turns or words that are one code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from recollect.text.secrets.links import words
from recollect.text.secrets.shapes import Shape, is_placeholder, shape_of
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.tokens import Token
from recollect.types.regex import lazy_regex


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What may be a secret.

    Attributes:
        shape: What it looks like; "quoted" for words in quotation marks.
        first: Its first token.
        last: Its last token.
    """

    shape: Shape | Literal["quoted"]
    first: int
    last: int


def find_values(stretch: Stretch) -> Iterator[Value]:
    """What may be a secret by its shape, in order, apart from each other."""
    place, tokens = 0, stretch.tokens
    while place < len(tokens):
        value = _value(stretch, place)
        if value is not None and not _is_variable(stretch, value):
            yield value
            place = value.last
        place += 1


def _value(stretch: Stretch, place: int) -> Value | None:
    token = stretch.tokens[place]
    if token.low == token.text and token.text.isalpha() and not token.quoted and token.text not in _COUNTED:
        return None
    if token.quoted:
        is_value = len(token.text) >= _LEAST and not is_placeholder(token.text) and token.text[-1] not in "?:"
        return Value(shape="quoted", first=place, last=place) if is_value else None
    if not token.text.isalpha() or token.low in _COUNTED:
        for run in (_turns, _spelled, _groups):
            last = run(stretch.tokens, place)
            if last is not None:
                return Value(shape="code", first=place, last=last)
    shape = shape_of(token.text)
    if shape is None or (not token.text.isalpha() and _UNIT.match(stretch.after(place))):
        return None
    return Value(shape=shape, first=place, last=place)


def _is_variable(stretch: Stretch, value: Value) -> bool:
    """Whether a value is assigned to what looks like a value: "SECRET_KEY" in "SECRET_KEY=9d2f7ac1"."""
    follower = value.last + 1
    if follower >= len(stretch.tokens):
        return False
    sign = stretch.tokens[follower].low
    return sign in {"=", "==", ":="} or (sign == ":" and value.shape == "quoted")


def _turns(tokens: tuple[Token, ...], place: int) -> int | None:
    """The last token of numbers to turn to: "14 right 52 left"."""
    last, numbers, turns = place, 0, 0
    for end in range(place, min(place + _TURNS_LIMIT, len(tokens))):
        token = tokens[end]
        is_number = token.text.isdigit() and len(token.text) <= 2  # noqa: PLR2004
        if not is_number and token.low not in _TURNS:
            break
        numbers, turns, last = numbers + is_number, turns + (not is_number), end
        if token.ends_sentence:
            break
    return last if numbers > 1 and turns > 1 else None


def _spelled(tokens: tuple[Token, ...], place: int) -> int | None:
    """The last token of digits that are written as words: "two four six nine"."""
    last = place - 1
    most = min(len(tokens), place + _LONGEST_PIN) - 1
    while last < most and tokens[last + 1].low in _DIGITS and (last < place or not tokens[last].stop):
        last += 1
    return last if _PIN <= last - place + 1 <= _LONGEST_PIN else None


def _groups(tokens: tuple[Token, ...], place: int) -> int | None:
    """The last token of a code whose digits stand apart: "4 7 1 1", "493 182", "19 35 71"."""
    sizes, last = [], place - 1
    most = min(len(tokens), place + _LONGEST_PIN + 1) - 1
    while last < most and tokens[last + 1].text.isdigit() and (last < place or not tokens[last].stop):
        last += 1
        sizes.append(len(tokens[last].text))
    if not sizes or len(sizes) < 2 or sum(sizes) > _LONGEST_PIN or sum(sizes) < _PIN:  # noqa: PLR2004
        return None
    return last if len(set(sizes)) == 1 and sizes != [2, 2] else None


NUMBERS: Final = frozenset({"code", "year", "long"})
"""Shapes that dates, counts and prices have, too."""
_LEAST: Final = 3
"""Characters of the shortest quotation. This and the next are chosen by hand."""
_PIN, _LONGEST_PIN = 4, 8
_TURNS_LIMIT: Final = 10
_TURNS: Final = words(
    "left right links rechts gauche droite izquierda derecha vänster höger esquerda direita sinistra destra"
)
_DIGITS: Final = words(
    """
    zero one two three four five six seven eight nine null eins zwei drei vier fünf sechs sieben acht neun
    zéro un deux trois quatre cinq sept huit neuf cero uno dos tres cuatro cinco seis siete ocho nueve
    noll ett två tre fyra fem sex sju åtta nio um dois três quatro sete oito nove due quattro cinque sei
    sette otto nul een twee drie vijf zes zeven acht negen
    """
)
_COUNTED: Final = _TURNS | _DIGITS
_UNIT: Final = lazy_regex(
    r"[ -]?(?:by \d|x ?\d|\u00d7|por \d|par \d|mal \d)|[ -]?(?:(?:or more|random|of|out of"
    r"|more) ){0,2}(?:char|letter|digit|symbol|bits?\b|bytes?\b"
    r"|words?\b|month"
    r"|day|year|week|hour|minute|second|times?\b|encrypt|%|percent|attempt|tr(?:y|ies)|people"
    r"|users|points?|euro|dollar|pounds?|quid|\$|€|kg|km|cm|mm\b|ft\b|feet|miles|sq|zeichen|stell|ziffer"
    r"|buchstab|tage|jahr"
    r"|stunde|minut|mal\b|versuch|caract|chiffre|lettre|jour|mois|ans\b|fois|dígito|letra|día|mes(?:es)?\b"
    r"|año|veces|intento|tecken|siffr|bokst|dag|månad|år\b|gång|dias|anos|vezes|tentativ|lines|mb\b"
    r"|gb\b|am\b|pm\b|uhr|h\b|caratteri|cifre|giorni|anni|volte|tekens|cijfers|jaar|keer|meter|files"
    r"|tokens|quid)",
    re.IGNORECASE,
)
"""Behind a number that counts something."""
