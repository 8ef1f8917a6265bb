"""The words beside telephone numbers, by language; all chosen by hand."""

import re
from typing import Final

from recollect.types.regex import lazy_regex

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

BEFORE: Final = lazy_regex(
    rf"(?:(?<![a-z])(?:{'|'.join(_WORDS)}){_NUMBER}(?![a-z])|{'|'.join(_UNSPACED_WORDS)})[^0-9!?\]]{{0,22}}\Z",
    re.IGNORECASE,
)
"""Words shortly before a number; digits, the end of a question and what was masked part them from it."""
AFTER: Final = lazy_regex(
    r"[ ,)]{0,2}(?:\(|(?:is|was|ist|est|es) )?(?:(?:my|his|her|our|the|'s) )?(?:new |old |work |home )?"
    r"(?:phone|cell|mobile|number|handy|whatsapp|\u043c\u043e\u0439 \u043d\u043e\u043c\u0435\u0440)(?![a-z])",
    re.IGNORECASE,
)
"""Words right behind one."""
