"""The forms of verbs: "studies", "studying" and "studied" are of "study"."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.listing import listed

_IRREGULAR: Final = """
    be was been, have had had, do did done, go went gone, run ran run, swim swam swum, read read read,
    write wrote written, draw drew drawn, sing sang sung, teach taught taught, eat ate eaten,
    drink drank drunk, sleep slept slept, wake woke woken, rise rose risen, grow grew grown, keep kept kept,
    make made made, build built built, drive drove driven, ride rode ridden, fly flew flown,
    speak spoke spoken, lead led led, shoot shot shot, sell sold sold, pay paid paid, cut cut cut,
    wear wore worn, take took taken, feed fed fed, get got got, become became become, leave left left,
    quit quit quit, give gave given, begin began begun, buy bought bought, know knew known, see saw seen,
    hear heard heard, lose lost lost, spin spun spun, bet bet bet, fight fought fought, meet met met,
    set set set, break broke broken, grind ground ground, spend spent spent, think thought thought,
    come came come, find found found, understand understood understood, stand stood stood, split split split,
    bear bore born,
    lay laid laid,
    lie lied lied, bite bit bitten, tear tore torn, forget forgot forgotten, forgive forgave forgiven,
    lend lent lent, sit sat sat, bend bent bent, kneel knelt knelt
"""
"""Base, past and participle."""
_DOUBLED: Final = listed(
    """
    run swim jog knit cut get stop quit plan hum drum rap spin bet nap shop squat sit spar blog vlog begin
    set drop split skip put
    """
)
"""Verbs that double their last letter."""
_VOWELS: Final = "aeiou"


def third(base: str) -> str:
    """A verb as "she" has it.

    >>> [third(verb) for verb in ("have", "go", "study", "play", "watch", "do", "be")]
    ['has', 'goes', 'studies', 'plays', 'watches', 'does', 'is']
    """
    if base in {"have", "be"}:
        return {"have": "has", "be": "is"}[base]
    if _ends_with_y(base):
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def base_of_third(word: str) -> str:
    """The verb that "she" has so, guessed by its letters.

    >>> [base_of_third(word) for word in ("goes", "studies", "bakes", "watches")]
    ['go', 'study', 'bake', 'watch']
    """
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zzes", "ches", "shes", "oes")):
        return word[:-2]
    return word[:-1]


def base_of_ing(word: str) -> str:
    """The verb of an "-ing" form; where it is not known, the form without its ending.

    >>> [base_of_ing(word) for word in ("smoking", "running", "putting", "waltzing")]
    ['smoke', 'run', 'put', 'waltz']
    """
    base = word.removesuffix("ing")
    return INGS.get(word) or (base[:-1] if base[:-1] in _DOUBLED and base[-1:] == base[-2:-1] else base)


def _ends_with_y(base: str) -> bool:
    return base.endswith("y") and base[-2:-1] not in _VOWELS


def _ing(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    return base + (base[-1] if base in _DOUBLED else "") + "ing"


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if _ends_with_y(base):
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLED else "") + "ed"


def _pasts() -> dict[str, str]:
    irregular = [row.split() for row in " ".join(_IRREGULAR.split()).split(", ")]
    strong = {row[0] for row in irregular}
    found = {_regular_past(base): base for base in sorted(KNOWN - strong)}
    found |= {form: base for base, *forms in irregular for form in forms}
    return found | {"travelled": "travel", "learnt": "learn", "lay": "lie", "were": "be", "dj'd": "dj"}


THIRDS: Final[Mapping[str, str]] = MappingProxyType({third(base): base for base in sorted(KNOWN)})
"""Forms of the third person, with the verbs they are of."""
INGS: Final[Mapping[str, str]] = MappingProxyType(
    {_ing(base): base for base in sorted(KNOWN)} | {"travelling": "travel"}
)
"""Forms with "-ing", with the verbs they are of."""
PASTS: Final[Mapping[str, str]] = MappingProxyType(_pasts())
"""Simple pasts and participles, with the verbs they are of."""
ALWAYS_PAST: Final = frozenset(["quit", "found"])
"""Verbs whose past is like their base and who are told of the past: "I quit my job"."""
