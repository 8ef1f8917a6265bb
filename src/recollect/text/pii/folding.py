"""Texts with every digit, blank and hyphen written as ASCII writes it, at the same length."""

import re
import unicodedata
from typing import Final

from recollect.text.pii.spans import PiiSpan
from recollect.types.regex import lazy_regex


def folded(text: str) -> str:
    """The text with ASCII digits, blanks and hyphens, and full-width letters and signs made narrow.

    >>> folded("\uff14\uff12\u00a0\u0664\u0662 \u2013 \uff21\uff20b")
    '42 42 - A@b'
    """
    return text if text.isascii() else _ODD.sub(_plain, text)


def _plain(match: re.Match[str]) -> str:
    character = match.group()
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if "\uff01" <= character <= "\uff5e":
        return chr(ord(character) - _WIDE)
    if character in _DASHES:
        return "-"
    return "'" if character == "\u2019" else " "


def unfolded(found: PiiSpan, text: str) -> PiiSpan:
    """A finding in the folded text with the words of the text itself."""
    start, end = found.place
    return PiiSpan(
        kind=found.kind,
        place=found.place,
        text=text[start:end],
        confidence=found.confidence,
        rule=found.rule,
    )


_WIDE: Final = 0xFEE0
"""From a full-width sign to its narrow one (Unicode, Halfwidth and Fullwidth Forms)."""
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63"
_ODD: Final = lazy_regex(
    rf"(?![\x00-\x7f])[\d\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\uff01-\uff5e\u2019{_DASHES}]"
)
"""Not all of Unicode's blanks break words, and marks of writing direction are none, but all may stand between
digits."""
