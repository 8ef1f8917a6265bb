"""The words of dates in five languages, and their meaning for a date.

All tables make one dictionary for texts in any language, so a word of two languages has the meaning that does
the least harm: "may" and "march" are dates only by their capital or neighbours; "am", "on", "in", "die",
"para" only lead a date; "hier" is French, here also German (see ``tokens``); "morgen" and "mañana" are
tomorrow, or the morning after another day.

A line of ``words.txt`` is ``KIND value: word word``. The value is a number, a name, or both; with ``+`` after
the number each next word has the next number. Blanks separate words with one meaning, ``/`` those of such a
row; a blank inside a phrase is ``_``.
"""

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from recollect.text.lists import read_lists


class DateWord(NamedTuple):
    """What a word of a text is to a date.

    Attributes:
        kind: Its part of speech, as the grammar calls it: WEEKDAY, UNIT, SINCE ...
        number: A weekday (Monday is 0), a month, a count, an offset in days; 0 for what has none.
        name: A unit, a part of the day, a holiday; empty for what has none.
    """

    kind: str
    number: int = 0
    name: str = ""
    language: str = ""


TABLES: Final = read_lists(Path(__file__).with_name("words.txt"))
_TENS: Final = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
_ONES: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ORDERS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_LONGEST_MONTH: Final = 31
_GERMAN_PARTS: Final = {
    "morgen": "morning", "vormittag": "morning", "mittag": "noon", "nachmittag": "afternoon",
    "abend": "evening", "nacht": "night",
}  # fmt: skip
_TELLING: Final = """
DAY MORROW HIER OFFSET WEEKDAY SHORT_WEEKDAY MONTH MARCH MAY SEPT SHORT_MONTH SEASON UNIT WEEKEND LENGTH
DAYS_END PART NOON HALF OCLOCK HOLIDAY EVE
"""
TELLING: Final = frozenset(_TELLING.split())
"""Kinds one of which every date holds that has no digits and is not Chinese."""


def entries(table: str, language: str) -> Iterator[tuple[tuple[str, ...], DateWord]]:
    """The phrases of a table, each with what it is."""
    for line in table.strip().splitlines():
        head, _, listed = line.partition(": ")
        kind, *values = head.split()
        number = next((value for value in values if value.rstrip("+").lstrip("-").isdecimal()), "0")
        name = next((value for value in values if value != number), "")
        for place, alike in enumerate(listed.split()):
            counted = int(number.rstrip("+")) + (place if number.endswith("+") else 0)
            for phrase in alike.split("/"):
                yield tuple(phrase.split("_")), DateWord(kind, counted, name, language)


def _compounds() -> Iterator[tuple[tuple[str, ...], DateWord]]:
    for ten, tens in _TENS.items():
        for ones, one in enumerate(_ONES, start=1):
            word = DateWord("NUMBER_WORD", tens + ones, language="en")
            yield (ten, one), word
            yield (ten, "-", one), word
        for place, order in enumerate(_ORDERS, start=1):
            if tens + place <= _LONGEST_MONTH:
                yield (ten, order), DateWord("ORDER", tens + place, language="en")
                yield (ten, "-", order), DateWord("ORDER", tens + place, language="en")


def _german_parts() -> Iterator[tuple[tuple[str, ...], DateWord]]:
    """Freitagabend and its like."""
    for phrase, word in entries(TABLES["de"], "de"):
        if word.kind == "WEEKDAY":
            for part, name in _GERMAN_PARTS.items():
                yield (phrase[0] + part,), word._replace(name=name)


def _without_accents(phrase: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
        for word in phrase
    )


def _read_all() -> dict[tuple[str, ...], DateWord]:
    known: dict[tuple[str, ...], DateWord] = {}
    plain: dict[tuple[str, ...], DateWord] = {**dict(_compounds()), **dict(_german_parts())}
    for language in ("en", "de", "fr", "es"):  # Chinese has no blanks: see han
        for phrase, word in entries(TABLES[language], language):
            known.setdefault(phrase, word)
            if word.kind not in {"AT", "VOR", "AND"}:  # "a" is not "à"
                plain.setdefault(_without_accents(phrase), word)
    return plain | known


_ALL: Final = _read_all()

SINGLE: Final = {phrase[0]: word for phrase, word in _ALL.items() if len(phrase) == 1}
"""Words that mean something by themselves, in lower case, with and without their accents."""

PHRASES: Final[dict[str, tuple[tuple[tuple[str, ...], DateWord], ...]]] = {
    first: tuple(
        sorted(
            ((phrase, word) for phrase, word in _ALL.items() if len(phrase) > 1 and phrase[0] == first),
            key=lambda entry: -len(entry[0]),
        )
    )
    for first in {phrase[0] for phrase in _ALL if len(phrase) > 1}
}
"""Phrases by their first word, the longest first."""


def _signs() -> dict[str, tuple[frozenset[str], ...]]:
    signs: dict[str, tuple[frozenset[str], ...]] = {}
    for phrase, word in _ALL.items():
        if word.kind in TELLING:
            letters = [part for part in phrase if part.isalpha()]
            rarest = max(letters, key=len)
            signs[rarest] = (*signs.get(rarest, ()), frozenset(letters) - {rarest})
    return signs


SIGNS: Final = _signs()
"""Words one of which stands in every text with a date but without digits (Chinese apart), each with the other
words of the phrases that it stands for."""
