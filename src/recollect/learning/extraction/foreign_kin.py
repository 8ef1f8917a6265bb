"""What one's family, friends and animals are called in German, French, Spanish and Portuguese."""

import re
from itertools import pairwise
from typing import Final

from recollect.learning.extraction.people import PETS
from recollect.types.regex import lazy_regex

NOUNS: Final = {
    "gata": "cat", "gato": "cat", "gatinha": "cat", "gatinho": "cat", "katze": "cat", "kater": "cat",
    "chat": "cat", "chatte": "cat", "cão": "dog", "cadela": "dog", "cachorro": "dog", "cadelinha": "dog",
    "galga": "dog", "galgo": "dog", "perro": "dog", "perra": "dog", "hund": "dog", "hündin": "dog",
    "chien": "dog", "chienne": "dog",
    "caballo": "horse", "cavalo": "horse", "pferd": "horse", "cheval": "horse",
    "coelho": "rabbit", "coelha": "rabbit", "conejo": "rabbit", "lapin": "rabbit", "kaninchen": "rabbit",
    "filha": "daughter", "hija": "daughter", "tochter": "daughter", "fille": "daughter",
    "filho": "son", "hijo": "son", "sohn": "son", "fils": "son",
    "irmã": "sister", "hermana": "sister", "schwester": "sister", "sœur": "sister", "soeur": "sister",
    "irmão": "brother", "hermano": "brother", "bruder": "brother", "frère": "brother",
    "mãe": "mother", "madre": "mother", "mutter": "mother", "mère": "mother",
    "pai": "father", "padre": "father", "vater": "father", "père": "father",
    "marido": "husband", "mari": "husband", "mulher": "wife", "esposa": "wife",
    "namorada": "girlfriend", "novia": "girlfriend", "namorado": "boyfriend", "novio": "boyfriend",
    "freundin": "girlfriend", "freund": "boyfriend", "mann": "husband", "ehemann": "husband",
    "frau": "wife", "ehefrau": "wife", "verlobter": "fiancé", "verlobte": "fiancée", "partner": "partner",
    "partnerin": "partner", "neffe": "nephew", "nichte": "niece", "oma": "grandma", "opa": "grandpa",
    "großmutter": "grandmother", "großvater": "grandfather", "enkelin": "granddaughter", "enkel": "grandson",
    "onkel": "uncle", "tante": "aunt", "cousine": "cousin", "cousin": "cousin", "mama": "mum", "papa": "dad",
    "schwiegermutter": "mother-in-law", "schwiegervater": "father-in-law", "schwager": "brother-in-law",
    "schwägerin": "sister-in-law", "chef": "boss", "chefin": "boss", "kollege": "colleague",
    "kollegin": "colleague", "mitbewohner": "flatmate", "mitbewohnerin": "flatmate", "nachbar": "neighbour",
    "nachbarin": "neighbour", "dackel": "dachshund", "pudel": "poodle", "hase": "rabbit",
}  # fmt: skip
"""What one's family and animals are called, in English."""
NOUN: Final = "(?P<noun>" + "|".join(sorted(NOUNS, key=len, reverse=True)) + r")\b"
PEOPLE_ABROAD: Final = frozenset(noun for noun, english in NOUNS.items() if english not in PETS)
_WORD: Final = lazy_regex(r"\w+")


def english_nouns(text: str) -> list[str]:
    """The words of a text, those of family and animals in one of these languages in English.

    >>> english_nouns("meine Schwester")
    ['meine', 'sister']
    """
    words = _WORD.findall(text)
    return [
        word if word.lower() in _ENGLISH_TOO and not _OWN.match(before) else NOUNS.get(word.lower(), word)
        for before, word in pairwise(["", *words])
    ]


_ENGLISH_TOO: Final = frozenset(("chef",))
"""Words that English has for something else, and that mean somebody only behind "mein"."""
_OWN: Final = lazy_regex(r"(?:mein|unser|dein)\w*$", re.IGNORECASE)
_NOUN_FOR: Final = {english: noun for noun, english in reversed(NOUNS.items())}


def noun_abroad(english: str) -> str:
    """A noun of one of these languages for somebody, by the English one; empty where there is none.

    >>> noun_abroad("nephew"), noun_abroad("best friend"), noun_abroad("therapist")
    ('neffe', 'beste freundin', '')
    """
    return "beste freundin" if english == BEST_FRIEND else _NOUN_FOR.get(english, "")


BEST_FRIEND: Final = "best friend"
