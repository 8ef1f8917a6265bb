"""What telephone numbers look like: country codes with their lengths, and the forms of national numbers.

Lengths are those of the ITU's national numbering plans (E.164), without the trunk zero, and somewhat wider
where a plan has many. Forms are chosen by hand.
"""

import re
from typing import Final

from recollect.types.regex import lazy_regex

LENGTHS: Final = {
    "1": (10, 10), "7": (10, 10), "20": (8, 10), "27": (9, 9), "30": (10, 10), "31": (9, 9), "32": (8, 9),
    "33": (9, 9), "34": (9, 9), "36": (8, 9), "39": (6, 11), "40": (9, 9), "41": (9, 9), "43": (7, 13),
    "44": (9, 10), "45": (8, 8), "46": (7, 10), "47": (8, 8), "48": (9, 9), "49": (6, 12), "51": (8, 9),
    "52": (10, 10), "53": (8, 8), "54": (10, 11), "55": (10, 11), "56": (9, 9), "57": (10, 10),
    "58": (10, 10), "60": (8, 10), "61": (9, 9), "62": (8, 12), "63": (8, 10), "64": (8, 10), "65": (8, 8),
    "66": (8, 9), "81": (9, 10), "82": (8, 10), "84": (9, 10), "86": (9, 11), "90": (10, 10), "91": (10, 10),
    "92": (9, 10), "93": (9, 9), "94": (9, 9), "95": (7, 10), "98": (10, 10),
}  # fmt: skip
"""Fewest and most digits behind a country code of one or two digits."""
LONG_CODES: Final = frozenset(
    first + last
    for first, lasts in {
        "21": "12368", "22": "0123456789", "23": "0123456789", "24": "0123456789", "25": "012345678",
        "26": "0123456789", "29": "01789", "35": "0123456789", "37": "0123456789", "38": "01235679",
        "42": "013", "50": "0123456789", "59": "0123456789", "67": "023456789", "68": "012356789",
        "69": "012", "80": "08", "85": "02356", "87": "08", "88": "012368", "96": "012345678",
        "97": "012345679", "99": "234568",
    }.items()
    for last in lasts
)  # fmt: skip
"""Country codes of three digits."""
LONG_CODE_LENGTHS: Final = (5, 10)

NORTH_AMERICAN: Final = lazy_regex(
    r"(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?[2-9][0-9]{2}[ .-]?|[2-9][0-9]{2}[ ./-][2-9][0-9]{2}[ .-])[0-9]{4}"
)
"""Three, three and four digits; no area and no exchange begins with 0 or 1 (NANPA)."""
FICTIONAL: Final = lazy_regex(r"555-[0-9]{4}")
"""A local number of the exchange that North America keeps for films; little else is written so."""
TRUNK_ZERO: Final = lazy_regex(
    r"(?:\(0[1-9][0-9]{0,3}\)[ -]?|0[1-9][0-9]{0,4}[ ./-]{1,2})[0-9]{2,8}(?:[ .-][0-9]{2,6}){0,4}"
)
"""With the zero that most countries dial before an area, and in groups."""
TRUNK_EIGHT: Final = lazy_regex(r"8 ?\([0-9]{3,4}\) ?[0-9]{2,3}[ -][0-9]{2}[ -]?[0-9]{2}")
"""As Russia and Kazakhstan write it."""
AREA_IN_BRACKETS: Final = lazy_regex(r"\([1-9][0-9]\) ?9?[0-9]{4}-[0-9]{4}")
"""As Brazil writes it."""
ANY_FORM: Final = lazy_regex(
    r"(?:\+ ?)?(?:[0-9]{7,12}(?![0-9])"
    r"|(?:\([0-9]{1,6}\)|[0-9]{1,6})(?:(?:[ ./-]{1,2}|(?<=\)))(?:\([0-9]{1,6}\)|[0-9]{1,10})){1,6})"
)
"""Any form that a number beside a word such as "call" may have: in one, or in groups."""
REGIONAL: Final = {
    region: lazy_regex(form)
    for region, form in {
        "BR": r"[0-9]{2} 9?[0-9]{4}-[0-9]{4}",
        "CN": r"1[3-9][0-9]([ -])[0-9]{4}\1[0-9]{4}",
        "DK": r"[2-9][0-9](?: [0-9]{2}){3}",
        "ES": r"[6-9][0-9]{2}(?:(?: [0-9]{3}){2}|(?: [0-9]{2}){3})",
        "IN": r"[6-9][0-9]{4}[ -][0-9]{5}",
        "IT": r"3[0-9]{2}[ -][0-9]{3}[ -]?[0-9]{4}",
        "NO": r"[2-9][0-9](?: [0-9]{2}){3}|[49][0-9]{2} [0-9]{2} [0-9]{3}",
        "PL": r"[1-9][0-9]{2}[ -][0-9]{3}[ -][0-9]{3}",
        "PT": r"[29][0-9]{2} [0-9]{3} [0-9]{3}",
        "SG": r"[3689][0-9]{3} [0-9]{4}",
    }.items()
}
"""National forms that count without words where the country is told; ``NumberPlans`` knows all countries'."""

DATE: Final = lazy_regex(
    r"(?:(?:19|20)[0-9]{2}([./-])[01]?[0-9]\1[0-3]?[0-9]"
    r"|[0-3]?[0-9]([ ./-])[0-3]?[0-9]\2(?:19|20)[0-9]{2}|[0-3]?[0-9]([./-])[0-3]?[0-9]\3[0-9]{2})"
    r"(?![./-]?[0-9])"
    r"|(?:19|20)[0-9]{2}[01][0-9][0-3][0-9](?![ ./-]?[0-9])"
    r"|(?:19|20)[0-9]{2} ?[-/] ?(?:19|20)[0-9]{2}(?![0-9])"
)
"""A day, or two years."""
NO_TELEPHONE: Final = lazy_regex(
    r"[0-9]{1,3}\.[0-9]{5,}(?![0-9])"
    r"|(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?!\.?[0-9])"
    r"|[0-9]{5}-[0-9]{4}(?![0-9])"
    r"|[1-9][0-9]?(?:([ .])[0-9]{3})(?:\1[0-9]{3})+(?![ .]?[0-9])"
    r"|[0-9]{1,12}(?:[ .,][0-9]{3}){0,4} ?"
    r"(?:[%$\u20ac\u00a3]|(?i:dollars|euros|people|users|times|views|km|kg)(?![a-z]))"
    r"|(?:[0-9][ -]{1,2}){4}"
)
"""Decimal numbers, IP addresses, ZIP codes, amounts in thousands or with a unit, and digits one by one."""


_WORDS: Final = (
    # English
    "call(?:ed|ing)?", "phone[ds]?", "telephones?", "tels?", "mobiles?", "cells?", "cellphone", "landline",
    "fax", "whatsapp", "signal", "telegram", "viber", "text (?:me|him|us|them)", "sms", "dial",
    "ring(?: me)?",
    "reach (?:out to )?(?:me|him|her|us|them)", "hit me up", "contact number",
    "(?:my|his|her|our|your|their|new|'s) number(?:'s|s)?",
    # German, Dutch, Scandinavian
    "handy(?:nummer)?", "mobil(?:nummer|telefon|e)?", "festnetz", "rufnummer", "telefon(?:nummer|en)?",
    "anrufen", "ruf mich", "erreichst mich", "nummer", "nummeret", "numret", "telefoon(?:nummer)?",
    "bel(?: me)?", "mobiel",
    # French
    "t\u00e9l(?:\u00e9phone)?", "portable", "joignable", "appel(?:le|ez|er)", "rappel(?:le|ez|er)",
    "num\u00e9ro",
    # Spanish, Portuguese, Italian
    "tel\u00e9fono", "telefono", "telefone", "m\u00f3vil", "telem\u00f3vel", "celular", "cellulare",
    "ll\u00e1m\\w{1,4}", "ligar?", "chiama\\w{0,2}", "n\u00famero", "numero",
    # Polish
    "zadzwo\u0144", "dzwo\u0144", "numer(?: telefonu)?", "kom\u00f3rk\\w{1,2}", "telefonu",
)  # fmt: skip
_UNSPACED_WORDS: Final = (
    # Russian, Chinese, Japanese, Korean, Arabic, Hindi
    "\u043d\u043e\u043c\u0435\u0440\\w{0,2}",
    "\u0442\u0435\u043b(?:\u0435\u0444\u043e\u043d)?\\w{0,2}",
    "\u0437\u0432\u043e\u043d\u0438\\w{0,2}", "\u7535\u8bdd", "\u96fb\u8a71", "\u624b\u673a\u53f7?",
    "\u624b\u6a5f", "\u643a\u5e2f", "\uc804\ud654", "\ud734\ub300\ud3f0",
    "\u0631\u0642\u0645\u064a", "\u0647\u0627\u062a\u0641", "\u092b\u093c\u094b\u0928",
    "\u092e\u094b\u092c\u093e\u0907\u0932",
)  # fmt: skip
_NUMBER: Final = r"(?:[ -]?(?:numbers?|nummer|no|nr|num|#|n\u00ba|n\u00b0)\.?)?"

CALLED_BEFORE: Final = lazy_regex(
    rf"(?:(?<![a-z])(?:{'|'.join(_WORDS)}){_NUMBER}(?![a-z])|{'|'.join(_UNSPACED_WORDS)})[^0-9!?\]]{{0,22}}\Z",
    re.IGNORECASE,
)
"""Words shortly before a number; digits, the end of a question and what was masked part them from it."""
CALLED_AFTER: Final = lazy_regex(
    r"[ ,)]{0,2}(?:\(|(?:is|was|ist|est|es) )?(?:(?:my|his|her|our|the|'s) )?(?:new |old |work |home )?"
    r"(?:phone|cell|mobile|number|handy|whatsapp|\u043c\u043e\u0439 \u043d\u043e\u043c\u0435\u0440)(?![a-z])",
    re.IGNORECASE,
)
"""Words right behind one."""
