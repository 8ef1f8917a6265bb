"""Postal addresses, where their form tells: a number with a street, a box, a town with its post code.

A street counts with a number alone; a house, a town or a code without the rest is no address of a person.
Read are the forms of English, German, Dutch, French, Spanish, Italian, Portuguese, Polish, Scandinavian and
Chinese addresses that are written out; letters are expected to be capital where these languages have them so.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from recollect.text.pii import postal_forms as forms
from recollect.text.pii.context import holds_any
from recollect.text.pii.spans import LIKELY, PLAUSIBLE, PiiSpan, span


def addresses(text: str) -> Iterator[PiiSpan]:
    """Postal addresses in a folded text."""
    lower = text.lower()
    for rule in _RULES:
        if rule.hint.search(text) and holds_any(lower, rule.fragments):
            yield from _found(text, rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """A form of address.

    Attributes:
        hint: What every address of this form holds, beginning with a digit: that is found fast.
        fragments: In small letters; any of them is in every address of this form.
        pattern: The form; its group ``address``, if it has one, is the address.
        check: Whether a match is no more than alike.
    """

    name: str
    pattern: re.Pattern[str]
    fragments: tuple[str, ...] = ("",)
    hint: re.Pattern[str] = forms.DIGIT
    confidence: float = LIKELY
    check: Callable[[re.Match[str]], bool] = bool


def _found(text: str, rule: _Rule) -> Iterator[PiiSpan]:
    for match in rule.pattern.finditer(text):
        if rule.check(match):
            place = match.span("address" if "address" in rule.pattern.groupindex else 0)
            yield span("address", text, place, confidence=rule.confidence, rule=rule.name)


def _is_english_street(match: re.Match[str]) -> bool:
    first = match["name"].split()[0].lower()
    return first not in forms.MEASURES


def _is_small_street(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 6) : match.start()]
    return forms.SMALL_BEFORE.search(before) is not None and not forms.FUNCTION_WORDS.intersection(
        match["name"].lower().split()
    )


def _is_compound_street(match: re.Match[str]) -> bool:
    return match["street"].lower() not in forms.NO_STREETS and _is_house(match)


def _is_house(match: re.Match[str]) -> bool:
    """Whether the number is no year, unless a post code follows."""
    return bool(match["town"]) or forms.YEAR.fullmatch(match["house"]) is None


def _is_no_memory(match: re.Match[str]) -> bool:
    """A post code that ends in GB or TB is an amount of memory ("M4 3GB")."""
    return not match.group().endswith(("GB", "TB"))


_RULES: Final = (
    _Rule(
        name="street",
        pattern=forms.ENGLISH,
        fragments=forms.ENGLISH_ENDS,
        hint=forms.HOUSE_AND_CAPITAL,
        check=_is_english_street,
    ),
    _Rule(
        name="street in small letters",
        pattern=forms.ENGLISH_SMALL,
        fragments=forms.ENGLISH_ENDS,
        confidence=PLAUSIBLE,
        check=_is_small_street,
    ),
    _Rule(name="town, state, ZIP", pattern=forms.TOWN_STATE_ZIP, fragments=(",",), hint=forms.FIVE_DIGITS),
    _Rule(name="ZIP", pattern=forms.ZIP, fragments=("zip",)),
    _Rule(
        name="town and UK post code",
        pattern=forms.TOWN_UK_CODE,
        hint=forms.END_OF_UK_CODE,
        check=_is_no_memory,
    ),
    _Rule(name="UK post code", pattern=forms.UK_CODE_NAMED, fragments=("post",)),
    _Rule(name="PO box", pattern=forms.BOX, fragments=forms.BOX_NAMES),
    _Rule(
        name="Stra\u00dfe", pattern=forms.GERMANIC, fragments=forms.GERMANIC_ENDS, check=_is_compound_street
    ),
    _Rule(name="Stra\u00dfe", pattern=forms.GERMANIC_PARTED, fragments=forms.GERMANIC_WORDS, check=_is_house),
    _Rule(
        name="house, code, town",
        pattern=forms.GERMAN_LED,
        fragments=forms.GERMAN_LEADS,
        hint=forms.CODE_AND_CAPITAL,
    ),
    _Rule(name="rue", pattern=forms.FRENCH, fragments=forms.FRENCH_WORDS),
    _Rule(name="calle, via, rua", pattern=forms.ROMANCE, fragments=forms.ROMANCE_WORDS, check=_is_house),
    _Rule(name="ulica", pattern=forms.POLISH, fragments=("ul.", "al.", "os.", "pl.")),
    _Rule(name="\u8def", pattern=forms.CHINESE, fragments=("\u53f7", "\u865f")),
)
"""Tried in this order."""
