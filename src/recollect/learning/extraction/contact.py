"""The speaker's phone number, in the languages whose statements are read: "my mobile: 912 004 718"."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.learning.extraction.facts import EXPLICIT, Fact
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.types.regex import lazy_regex

_MY: Final = (
    r"(?:(?:my|our|i have an?|i've got an?|i got an?|meine?|ich habe eine?|mon|ma|j'ai un|mi|tengo(?: un)?"
    r"|(?:o )?meu|tenho(?: um)?|mitt|jag har(?: ett)?) )"
)
_NEW: Final = r"(?:(?:new|current|private|own|neue|nouveau|nuevo|novo|nytt) )*"
_LINE: Final = "(?:(?P<line>work|office|business|home|landline|second)[ -])?"
_PHONE: Final = (
    r"(?:(?:mobile|cell|phone|telephone|cellphone|handy|móvil|telemóvel|celular|téléphone|portable|mobil))"
)
_NUMBER: Final = (
    rf"(?:{_PHONE}(?:[ -]?(?:phone|number|nr|nummer))?|(?:handy|telefon|mobil)?nummer|number|n[uú]m[eé]ro)"
)
_SAID: Final = lazy_regex(
    rf"(?<!\w){_MY}{_NEW}{_LINE}{_NUMBER}(?: (?:de|do|da) {_PHONE})?\b(?P<more>[^.!?\n\d]{{0,60}}?)"
    r"(?::| is(?: now)?| ist(?: jetzt)?| est| es| é| är)\s*(?P<o>\+?\(?\d(?:[ ()/-]?\d){6,14})(?!\d)",
    re.IGNORECASE,
)
_DIGITS: Final = lazy_regex(r"\d{3}[ ()/-]?\d{2}")
_NOT_MINE: Final = lazy_regex(r"\b(?:not|old|former|was|nicht|pas|não|no)\b", re.IGNORECASE)


def may_give_phone(text: str) -> bool:
    """Whether digits of a phone number are in a text."""
    return _DIGITS.search(text) is not None


def phone_in(masked: str, speaker: str) -> Iterator[Fact]:
    """The phone numbers that a speaker gives as theirs.

    >>> [fact.text for fact in phone_in("My new number is 912 004 718.", "Ada")]
    ["Ada's phone number is 912 004 718."]
    """
    for match in _SAID.finditer(masked):
        if _NOT_MINE.search(match["more"]):
            continue
        label = f"{match['line'].lower()} phone number" if match["line"] else "phone number"
        said = SaidWords(
            relation=label,
            object=match["o"],
            said="",
            whole=f"{speaker}'s {label} is {match['o']}",
            category="context",
            confidence=EXPLICIT,
            quote=match.group(),
            single=True,
        )
        yield fact_of(speaker, SELF, said)
