"""What may be a secret by its shape: one token, or a run of digits, turns or words that are one code."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from recollect.text.secrets.shapes import Shape, is_placeholder, odd_points, shape_of
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.tokens import Token
from recollect.text.secrets.words import DIGITS, listed, words
from recollect.types.regex import lazy_regex


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What may be a secret.

    Attributes:
        shape: What it looks like; "quoted" for words in quotation marks.
        points: How much that is a secret's shape, 0 to 6 and more.
        first: Its first token.
        last: Its last token.
    """

    shape: Shape | Literal["quoted"]
    points: int
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
    if token.quoted and not token.text.isdigit() and (shape_of(token.text) != "odd" or " " in token.text):
        is_value = len(token.text) >= _LEAST and not is_placeholder(token.text) and token.text[-1] not in "?:"
        return Value(shape="quoted", points=_POINTS["quoted"], first=place, last=place) if is_value else None
    if not token.text.isalpha() or token.low in _COUNTED:
        for run in (_turns, _one_by_one, _groups):
            if (found := run(stretch.tokens, place)) is not None:
                last, points = found
                is_dial = points == _POINTS["dial"] or (points > _POINTS["code"] and token.text.isalpha())
                is_long = points == _POINTS["long"]
                return Value(
                    shape="dial" if is_dial else "long" if is_long else "code",
                    points=points,
                    first=place,
                    last=last,
                )
    shape = shape_of(token.text)
    if shape is None or (not token.text.isalpha() and _UNIT.match(stretch.after(place))):
        return None
    points = odd_points(token.text) if shape == "odd" else _POINTS[shape]
    return Value(shape=shape, points=points, first=place, last=place)


def _is_variable(stretch: Stretch, value: Value) -> bool:
    """Whether a value is assigned to what looks like a value: "SECRET_KEY" in "SECRET_KEY=9d2f7ac1"."""
    follower = value.last + 1
    if follower >= len(stretch.tokens):
        return False
    sign = stretch.tokens[follower].low
    return sign in {"=", "==", ":="} or (sign == ":" and value.shape in {"quoted", "joined"})


def _turns(tokens: tuple[Token, ...], place: int) -> tuple[int, int] | None:
    """The last token of numbers to turn to, and points: "14 right 52 left", "left to 41, right to 17"."""
    last, numbers, turns = place, 0, 0
    for end in range(place, min(place + _TURNS_LIMIT, len(tokens))):
        token = tokens[end]
        joined = _TURN.fullmatch(token.low) is not None
        is_number = joined or (token.text.isdigit() and len(token.text) <= 2)  # noqa: PLR2004
        if not is_number and token.low not in _TURNS and not (turns and token.low in _BETWEEN):
            break
        numbers, turns = numbers + is_number, turns + (joined or token.low in _TURNS)
        last = last if token.low in _BETWEEN else end
        if token.ends_sentence:
            break
    return (last, _POINTS["dial"]) if numbers > 1 and turns > 1 else None


def _one_by_one(tokens: tuple[Token, ...], place: int) -> tuple[int, int] | None:
    """The last token of digits told one by one, and points: "two four six nine", "3, then 8, then 1"."""
    last, count, end, parted = place, 0, place, False
    if tokens[place].low in _THEN:
        return None
    while end < len(tokens) and count < _LONGEST_PIN:
        token = tokens[end]
        if token.low in DIGITS or (token.text.isdigit() and len(token.text) == 1):
            count, last = count + 1, end
        elif token.low not in _THEN:
            break
        else:
            parted = True
        if token.ends_sentence:
            break
        end += 1
    parted = parted or any(token.stop for token in tokens[place:last])
    if count < (_PIN if parted else _CVC) or place == last or (parted and _counts(tokens[place : last + 1])):
        return None
    return _with_sign(tokens, last), _POINTS["dial"] - (count < _PIN)


def _counts(tokens: tuple[Token, ...]) -> bool:
    """Whether digits only count: "4, 5, 6 and 7"."""
    digits = [int(token.text) for token in tokens if token.text.isdigit()]
    return len(digits) > 1 and all(after - before == 1 for before, after in pairwise(digits))


def _groups(tokens: tuple[Token, ...], place: int) -> tuple[int, int] | None:
    """The last token of a code whose digits stand in groups, and points: "493 182", "4711 and hash"."""
    sizes, last = [], place - 1
    most = min(len(tokens), place + _LONGEST_PIN + 1) - 1
    while last < most and tokens[last + 1].text.isdigit() and (last < place or not tokens[last].stop):
        last += 1
        sizes.append(len(tokens[last].text))
    if len(sizes) > _PIN - 1 and set(sizes) <= {4, 5} and len(set(sizes)) == 1:
        return last, _POINTS["long"]
    if not sizes or not _PIN <= sum(sizes) <= _LONGEST_PIN:
        return None
    end = _with_sign(tokens, last)
    if end > last:
        return end, _POINTS["dial"]
    return (
        (last, _POINTS["code"] + (sizes == [_CVC, _CVC]))
        if len(sizes) > 1 and len(set(sizes)) == 1 and sizes != [2, 2]
        else None
    )


def _with_sign(tokens: tuple[Token, ...], last: int) -> int:
    """The last token of a code with the sign to press behind it: "8840 and hash"."""
    end = last + 1
    while end < min(len(tokens), last + 4) and tokens[end].low in _AND and not tokens[end - 1].ends_sentence:
        end += 1
    return (
        end
        if end < len(tokens) and tokens[end].low in _PRESSED and not tokens[end - 1].ends_sentence
        else last
    )


_POINTS: Final[Mapping[str, int]] = {
    "quoted": 2, "joined": 1, "code": 2, "dial": 4, "triple": 3, "long": 1, "year": 1, "short": 1,
}  # fmt: skip
"""What dates and counts look like, too, is less of a reason. Chosen by hand, like all below."""
NUMBERS: Final = frozenset({"code", "year", "long"})
"""Shapes that dates, counts and prices have, too."""
_LEAST: Final = 3
"""Characters of the shortest quotation. This and the next are chosen by hand."""
_CVC, _PIN, _LONGEST_PIN = 3, 4, 8
_TURNS_LIMIT: Final = 12
_BETWEEN: Final = words("to auf à a al at naar till para then dann puis luego poi sedan depois and und et y")
_THEN: Final = words("then and dann und puis et luego y poi e sedan och depois en dan")
_AND: Final = words(
    "and y und et e en och the la le die then puis dann luego poi sedan dan followed by with mit seguito"
)
_PRESSED: Final = listed("pressed")
_TURNS: Final = listed("turns")
_TURN: Final = lazy_regex(r"[lr]\d{1,2}|\d{1,2}[lr]")
_COUNTED: Final = _TURNS | DIGITS
_UNIT: Final = lazy_regex(
    r"[ -]?(?:by \d|x ?\d|\u00d7|por \d|par \d|mal \d)|[ -]?(?:(?:or more|random|of|out of"
    r"|more) ){0,2}(?:char|letter|digit|symbol|bits?\b|bytes?\b"
    r"|words?\b|month"
    r"|day|year|week|hour|minute|second|times?\b|encrypt|%|percent|attempt|tr(?:y|ies)|people"
    r"|users|points?|euro|dollar|pounds?|quid|\$|€|kg|km|cm|mm\b|ft\b|feet|miles|sq|zeichen|stell|ziffer"
    r"|buchstab|tage|jahr"
    r"|stunde|minut|mal\b|versuch|caract|chiffre|lettre|jour|mois|ans\b|fois|dígito|letra|día|mes(?:es)?\b"
    r"|año|veces|intento|tecken|siffr|bokst|dag|månad|år\b|gång|dias|anos|vezes|tentativ|lines|mb\b"
    r"|gb\b|m\b|am\b|pm\b|uhr|h\b|caratteri|cifre|giorni|anni|volte|tekens|cijfers|jaar|keer|meter|files"
    r"|tokens|quid)",
    re.IGNORECASE,
)
"""Behind a number that counts something."""
