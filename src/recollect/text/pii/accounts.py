"""Payment cards and bank accounts: numbers with a length, an issuer and a checksum."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.text.pii.checksums import luhn, mod_97
from recollect.text.pii.context import NUMBER_END, group_starts
from recollect.text.pii.spans import SURE, PiiSpan, span
from recollect.text.secrets import find_secrets
from recollect.types.regex import lazy_regex


def cards(text: str) -> Iterator[PiiSpan]:
    """Payment cards in a folded text, however they are grouped; ``find_secrets`` decides which exist."""
    end = 0
    for start in group_starts(text, _CARD_CLUSTER):
        written = _CARD.match(text, start) if start >= end else None
        while written:
            if _END.match(text, written.end()) and _is_card(written.group()):
                yield span("card", text, written.span(), confidence=SURE, rule="payment card")
                end = written.end()
                break
            written = _CARD.match(text, start, _without_last_group(written))


def _is_card(written: str) -> bool:
    number = "".join(filter(str.isdigit, written))
    return luhn(number) and any(found.kind == "payment card" for found in find_secrets(number))


def _without_last_group(written: re.Match[str]) -> int:
    last = _LAST_GROUP.search(written.group())
    return written.start() + (last.start() if last else 0)


def ibans(text: str) -> Iterator[PiiSpan]:
    """International bank account numbers in a folded text."""
    for match in _CHECK_DIGITS.finditer(text):
        start = match.start() - 2
        end = _iban_end(text, start) if start >= 0 else 0
        if end:
            yield span("iban", text, (start, end), confidence=SURE, rule="IBAN")


def _iban_end(text: str, start: int) -> int:
    """Where the number that starts here ends; 0 where there is none.

    The country says how many signs it has; single blanks and hyphens between them do not count.
    """
    length = IBAN_LENGTHS.get(text[start : start + 2].upper())
    if length is None or _ALPHANUMERIC.match(text[max(0, start - 1) : start]):
        return 0
    written = "".join(_IBAN_SIGNS.findall(text[start : start + 2 * length])[:length])
    number = "".join(filter(str.isalnum, written))
    if len(number) != length or not text.startswith(written, start):
        return 0
    end = start + len(written)
    checked = number in {number.upper(), number.lower()} and "02" <= number[2:4] <= "98"
    return end if checked and mod_97(number[4:] + number[:4]) and not _ALPHANUMERIC.match(text, end) else 0


_CARD_CLUSTER: Final = lazy_regex(r"[0-9](?:[ .-]{0,2}[0-9]){13,}")
_CARD: Final = lazy_regex(r"[0-9]{14,19}|[0-9]{4}[ .-]{1,2}[0-9]{3,10}(?:[ .-]{1,2}[0-9]{3,10}){0,3}")
_LAST_GROUP: Final = lazy_regex(r"[ .-]{1,2}[0-9]+\Z")
_END: Final = lazy_regex(NUMBER_END)
_CHECK_DIGITS: Final = lazy_regex(r"[0-9]{2}(?=[ -]?[A-Za-z0-9]{4})")
_IBAN_SIGNS: Final = lazy_regex(r"[ -]?[A-Za-z0-9]")
_ALPHANUMERIC: Final = lazy_regex(r"[A-Za-z0-9]")
IBAN_LENGTHS: Final = {
    country: length
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI FK FO GL NL SD",
        19: "MK SI",
        20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST",
        26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
    for country in countries.split()
}
"""Signs of an account number by country (ISO 13616, the registry that SWIFT keeps)."""
