"""Amounts whose number is a word: "two hours", "a hundred dollars", "half an hour"."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from recollect.text.analyse import ascii_words
from recollect.text.parameters.units import UNITS, unit_at
from recollect.types import Parameter
from recollect.types.regex import lazy_regex


def _number_words_in(text: str, words: Sequence[str] | None) -> set[str]:
    """The number words of a text that may hold an amount by one; none where it holds no unit, either."""
    if text.isascii():
        words = ascii_words(text) if words is None else words
        if _LONG_UNITS.isdisjoint(words):
            return set()
    found = NUMBER_WORDS.keys() & (_words(text) if words is None else words)
    return found if found and _UNIT_WORD.search(text) else set()


def _numbers_in(text: str, found: Iterable[str]) -> Iterator[re.Match[str]]:
    """The numbers that begin with one of the number words, or with "a" before it."""
    low = text.replace("\u0130", "I").lower()
    over = 0
    for place in sorted({place for word in found for place in _places(low, word)}):
        for start in (place - len("a "), place):
            match = _WORDED.match(text, start) if start >= over else None
            if match is not None:
                yield match
                over = match.end()
                break


def _places(low: str, word: str) -> Iterator[int]:
    place = low.find(word)
    while place >= 0:
        yield place
        place = low.find(word, place + 1)


def _words(text: str) -> list[str]:
    """Words at a glance: by blanks, hyphens, brackets and quotes, faster than by a pattern."""
    return text.lower().translate(_PARTING).split()


def worded_amounts(text: str, words: Sequence[str] | None) -> Iterator[Parameter]:
    """Amounts whose number is a word: "two hours", "a hundred dollars", "half an hour"."""
    found = _number_words_in(text, words)
    for match in _numbers_in(text, found if text.isascii() else NUMBER_WORDS) if found else ():
        unit, end = unit_at(text, match.end())
        if unit is None or end - match.end() <= _SHORT_UNIT or _is_idiom(match, text[match.end() : end]):
            continue
        value = _worded(match.group().lower())
        place = (match.start(), end)
        if unit.kind == "duration":
            value *= unit.seconds
        name = "s" if unit.kind == "duration" else unit.name
        yield Parameter(kind=unit.kind, text=text[place[0] : place[1]], place=place, value=value, unit=name)


def _is_idiom(number: re.Match[str], unit: str) -> bool:
    """Whether it is "one day" or an ordinal ("twenty second")."""
    word, unit = number.group().lower(), unit.strip(" \t-").lower()
    return (word == "one" and unit == "day") or (word != "one" and unit == "second")


def _worded(words: str) -> float:
    """The value of number words: "two and a half" is 2.5, "three hundred thousand" 300,000."""
    total, part = 0.0, 0.0
    for word in _NUMBER_WORD.findall(words):
        amount = NUMBER_WORDS[word]
        if amount < _HUNDRED:
            part += amount
        elif amount == _HUNDRED:
            part = (part or 1) * amount
        else:
            total, part = total + (part or 1) * amount, 0.0
    return total + part


_PARTING: Final = str.maketrans(
    dict.fromkeys("-()[]/\"'*_\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb", " ")
)
_UNIT_WORD: Final = lazy_regex(
    r"hour|minute|second|week|month|year|day|dollar|euro|buck|percent|mile|kilo|pound|met(?:er|re)|degree|foot|feet"
    r"|inch|yard|gram|ounce|gallon|cup|ton|quid|yen|yuan|rupee|spoon|[Ss]tunde|[Mm]inute|[Ww]oche|acre|lit(?:er|re)"
    r"|peso|ruble|megab|gigab|pixel|calorie|watt|volt|franc|baht|shekel|rouble|hectare|knots"
)
"""A look for the units that are written behind number words."""
_SHORT_UNIT: Final = 3
"""A blank and two letters: "one m" and "two in" are no amounts."""
_LONG_UNITS: Final = frozenset(
    re.split(r"\W", words.lower().rpartition(" ")[2])[0]
    for words in UNITS
    if len(words) >= _SHORT_UNIT and words.isascii() and "$" not in words
)
"""Of the units in ASCII that are longer, the first part of the last word."""
_HUNDRED: Final = 100
NUMBER_WORDS: Final = {
    word: float(number)
    for number, word in enumerate(
        """
        one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen
        """.split(),  # noqa: SIM905 - words read better than strings
        start=1,
    )
} | {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "half": 0.5,
}  # fmt: skip
_NUMBER_WORD: Final = lazy_regex(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b")
_WORDED: Final = lazy_regex(
    r"(?<![\w-])(?:half an?|(?:a (?=hundred|thousand|million|billion))?W(?:(?:[ -]| and )W| and a half){0,8})"
    r"(?=[ -])".replace("W", f"(?:{'|'.join(word for word in NUMBER_WORDS if word != 'half')})\\b"),
    re.IGNORECASE,
)
