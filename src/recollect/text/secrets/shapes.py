"""What a password, a code and a key can look like: the shape of a token, before any word beside it."""

import re
from functools import lru_cache
from typing import Final, Literal

from recollect.text.secrets.placeholders import is_placeholder
from recollect.text.secrets.words import parts_of
from recollect.types.regex import lazy_regex

Shape = Literal["odd", "joined", "code", "dial", "triple", "long", "year", "short"]
"""What a token looks like.

========= ===================================================== =========================================
odd       letters with digits or signs                          ``popcorn77``, ``Gr33nKettle$``
joined    words joined by signs or capitals                     ``chaussette_rouge``, ``MapleLoft``
code      four to eight digits, or a few capitals and digits    ``4711``, ``45B72``
dial      digits to turn or press, one by one or with a sign    ``3-8-1-5``, ``8825#``, ``C-5521-Y``
triple    three digits to turn                                  ``9-9-4``
long      nine to twenty digits                                 ``70112938475610293847``
year      four digits that may be a year                        ``1947``
short     three digits                                          ``914``
========= ===================================================== =========================================
"""


def shape_of(text: str) -> Shape | None:
    """The shape of a token; None for plain words, counts, times, versions, prices, addresses and paths.

    >>> [shape_of(text) for text in ("hunter2", "0342", "3pm", "v1.2", "swordfish", "3-8-1-5")]
    ['odd', 'code', None, None, None, 'dial']
    """
    if text.isdigit():
        return _digits(text)
    if _PAIR.fullmatch(text):
        return "short"
    if text.isalpha():
        return "joined" if _CAMEL.fullmatch(text) else None
    if _DIAL.fullmatch(text):
        return "triple" if len(text) == len("9-9-4") and text[1] == text[3] == "-" else "dial"
    if text.startswith("-") or _PROGRAM.search(text) or _ORDINARY.fullmatch(text.strip("*!_)")):
        return None
    if _CODE.fullmatch(text):
        return "odd" if _is_grouped(text) else "code"
    if _ADDRESS.fullmatch(text) or is_placeholder(text):
        return None
    return _mixture(text) if _SHORTEST <= len(text) <= _LONGEST else None


@lru_cache(1024)
def odd_points(text: str) -> int:
    """How much a token of letters and digits looks like a password rather than a name or a number.

    ======================================= ====== ==========================
    what it has                             points
    ======================================= ====== ==========================
    letters with digits or signs               2   ``hunter2``
    a sign between letters and digits          3   ``Schwarz#1944``
    a digit between letters                    2   ``w0rtelstamp``
    two of these                               1   ``Gr33nB3ans``
    a word and at least two digits             2   ``squat2024``
    words joined by signs, with a number       1   ``Sunny-Porch88``
    a capital within                           1   ``PaellaNoche_77``
    a sign at the end                          1   ``Cerise!14!``
    several groups of letters and digits       3   ``XKRT-9P2M-LL04``
    a short name with two digits              -1   ``Area51``
    ======================================= ====== ==========================

    >>> [odd_points(text) for text in ("hunter2", "squat2024", "PaellaNoche_77", "Tr0ub4dor&3")]
    [2, 4, 6, 8]
    """
    if _is_grouped(text):
        return _ODD + 3
    if (
        not _WHOLE <= len(text) <= _TYPED
        or sum(map(str.isalpha, text)) < _LETTERS
        or not any(map(str.islower, text))
        or not any(map(str.isdigit, text))
        or _PLAIN_ODD.search(text)
    ):
        return _ODD
    within = len(_DIGIT_WITHIN.findall(text))
    features = (
        -bool(_TITLED.fullmatch(text)), 3 * bool(_SIGN_WITHIN.search(text)), 2 * bool(within), within > 1,
        2 * bool(_WORD_NUMBER.search(text)), bool(_JOINED_NUMBER.search(text)),
        bool(_INNER_CAPITAL.search(text)), text[-1] in "!$#*",
    )  # fmt: skip
    return _ODD + sum(features)


def _is_grouped(text: str) -> bool:
    """Whether at least two of several groups mix letters and digits, as in a licence or a recovery code."""
    return bool(_GROUPS.fullmatch(text)) and not _HEX.fullmatch(text) and len(_MIXED.findall(text)) > 1


def _digits(text: str) -> Shape | None:
    if len(text) == _CVC:
        return "short"
    if _YEAR.fullmatch(text):
        return "year"
    if _PIN <= len(text) <= _LONGEST_PIN:
        return "code"
    return "long" if _LONGEST_PIN < len(text) <= _NETWORK_KEY else None


def _mixture(text: str) -> Shape | None:
    has_digit, has_sign = any(map(str.isdigit, text)), _SIGN.search(text)
    if not any(map(str.isalpha, text)):
        is_long = sum(map(str.isdigit, text)) > _LONGEST_PIN
        return "odd" if has_digit and has_sign else "long" if is_long else None
    words = re.split(r"[-_.]", text)
    if len(words) == 1 or has_sign:
        return "odd" if has_digit or has_sign else None
    if 2 * sum("speaks about" in parts_of(word.lower()) for word in words if word) >= len(words):
        return None
    if has_digit:
        return "odd" if sum(map(str.isalpha, text)) >= _LETTERS else None
    return "joined" if "_" in text or len(words) > 2 else None  # noqa: PLR2004 - "long-term" is a word


_ODD: Final = 2
"""Points of what is odd at all; these and those in ``odd_points`` are chosen by hand."""
_WHOLE, _TYPED = 6, 32
"""Characters of the shortest and the longest token that is looked at more closely."""
_LETTER: Final = r"[^\W\d_]"
_SIGN_WITHIN: Final = lazy_regex(
    rf"(?:{_LETTER}|\d)(?:[!$&?^~]|%(?![0-9A-F]{{2}}))+[^\W_]|[A-Z\u00c0-\u00de]\w+[#*@]\d|\w#{_LETTER}|{_LETTER}@{_LETTER}"
)
_DIGIT_WITHIN: Final = lazy_regex(
    rf"{_LETTER}[0134578]{{1,2}}(?={_LETTER}{{2}})|(?<={_LETTER}{{2}})[013-9]\d?{_LETTER}{{2}}"
)
_WORD_NUMBER: Final = lazy_regex(
    rf"{_LETTER}{{4}}(?:[_!#$%&*?^~@]?\d{{2,8}}(?!\d)|\.\d{{2,8}}\W?$)|[A-Z\u00c0-\u00de]{_LETTER}{{5,}}-\d{{2,4}}(?!\d)|^\d{{3,4}}{_LETTER}{{4}}|^\d{{2}}{_LETTER}{{4,}}\d"
)
_TITLED: Final = lazy_regex(r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]{3,7}\d\d")
_JOINED_NUMBER: Final = lazy_regex(
    rf"{_LETTER}{{3,}}[-_.]{_LETTER}{{3,}}[-_.]?\d|\d[-_.]{_LETTER}{{3,}}[-_.]{_LETTER}{{3,}}|{_LETTER}{{4,}}_\d{{2,}}"
)
_PLAIN_ODD: Final = lazy_regex(
    r"^[\da-f-]+$|(?:float|int|base|utf|latin|sha|md|aarch|riscv|libx?|windows|iphone|ipad|office|microsoft"
    r"|covid|euro|expo|agenda|ubuntu|debian|python|java|galaxy|playstation|word2|catch)[-_.]?\d"
    r"|\d(?:[gGkK]|[GTM]B|[kKMG]?Hz)$|&(?:lt|gt|amp|nbsp|quot)\b|@[\w-]*\.\w|^#|!!|\*\*|[a-z]\d?\.[A-Z]|(?:^|-)[A-Z]{3,}-|^[A-Z][a-z]+\d{1,2}[a-z]$|^\w+(?:_\w+){3}",
)
"""Names of products and of programs, hashes, units."""
_PROGRAM: Final = lazy_regex(r"[\[\]{}<>\"'|(\u3010\u3011]|\w=\w|\w=\Z")
"""What stands in programs and markup, and hardly in a password."""
_SHORTEST, _LONGEST = 4, 64
"""Characters of a password. These and the next are chosen by hand."""
_LETTERS: Final = 4
_CVC, _PIN, _LONGEST_PIN, _NETWORK_KEY = 3, 4, 8, 20
_YEAR: Final = lazy_regex(r"19\d\d|20[0-4]\d")
_CODE: Final = lazy_regex(
    r"\d{1,2}(?:[-\u2013]\d{1,2}){2}|\d(?:-\d){2}|\d{3,4}-\d{3,4}|[A-Z]-?\d{4,8}|#\d{4,8}"
    r"|(?=[A-Z]*\d)(?=\d*[A-Z])(?=(?:[A-Z]*\d){2})[A-Z\d]{4,8}"
    r"|(?=[a-zA-Z-]*\d)(?=[\d-]*[A-Za-z])[A-Za-z\d]{3,5}(?:-[A-Za-z\d]{3,5}){2,5}|(?=[a-zA-Z-]*\d)(?=[\d-]*[A-Za-z])[A-Za-z\d]{4,5}-[A-Za-z\d]{4,5}|(?=[A-Z]*\d)[A-Z\d]{3}-(?=[A-Z]*\d)(?=.*[A-Z])[A-Z\d]{3}|\d{4,5}(?:-\d{4,5}){3,5}|\d{6}(?:-\d{6}){3,}"
)
_PAIR: Final = lazy_regex(r"\d\d-\d\d")
_GROUPS: Final = lazy_regex(r"(?:[A-Za-z\d]{3,5}-){2,5}[A-Za-z\d]{3,5}")
_HEX: Final = lazy_regex(r"[\da-f-]+")
_MIXED: Final = lazy_regex(r"\b(?=\d*[A-Za-z])(?=[A-Za-z]*\d)[A-Za-z\d]+")
_DIAL: Final = lazy_regex(
    r"[*#]?\d{3,8}[*#]+|\*\d{4,8}|\d(?:[-\u2013]\d){2,7}|\d(?:\.\d){3,7}|\d{1,2}(?:[-\u2013]\d{1,2}){3,4}"
    r"|(?=.*\d)(?=.*[A-Z])[A-Z\d](?:-[A-Z\d]){3,7}|[A-Z]{1,3}-\d{3,6}-[A-Z\d]{1,3}|[A-Z]?\d{4,6}[A-Z]?[#*]"
)
_CAMEL: Final = lazy_regex(r"[a-zà-ÿ]+(?:[A-Z][a-zà-ÿ]+)+|[a-zà-ÿ]{3,}[A-Z]{2,}")
_SIGN: Final = lazy_regex(r"\w[!@#$%^&*+=~?/\\_][\w]|[!$#*@?]\Z|\w[!@#$%&*?]{2}")
_INNER_CAPITAL: Final = lazy_regex(r"[a-z\d_][A-Z]")
_ORDINARY: Final = lazy_regex(
    r"\d+(?i:st|nd|rd|th|s|x|k|%|cm|mm|m|km|kg|g|ml|gb|mb|tb|ghz|mbps|am|pm|h|hrs?|min|er|px|mah"
    r"|(?<!\d{4})[aeo])?(?:-[a-z]+)*"
    r"|\d+(?:[.:,/]\d+)+\w{0,2}(?:-\S+)?|\d+-\d+(?=-?[a-z])\S+|[vV]?\d+(?:\.\d+)+\w*|(?:\d+|[A-Z]+)v\d+\w?|(?i:1password|fritz!box|[23]fa"
    r"|oauth2|web3|0x[\da-f]+|(?:utf|sha|md|base|float|u?int|sqlite|python|latin)-?\d+)"
    r"|[a-z]{1,3}-?\d{1,2}[a-z]?|(?:19|20)\d\d[-\u2013](?:19|20)?\d\d|[$\u20ac\u00a3]\d+\S*"
    r"|\d+[\d.,]*[$\u20ac\u00a3%+]|#(?!\d{4,8}$)\w+|[A-Z]+-?\d{1,3}s?|\w+/[a-zA-Z]+"
)
"""Counts, times, versions, prices, colours."""
_ADDRESS: Final = lazy_regex(
    r"[\da-f]*(?::[\da-f]*){3,7}|\S+@\S+\.\w+|@\w[\w.]*|\S*://\S*|www\.\S*|/\S*|\S*\.(?:com|net|org|de|fr|es|it|nl|se|io|py|js|ts|md|txt|pdf"
    r"|html?|json)",
    re.IGNORECASE,
)
