"""What a password, a code and a key can look like: the shape of a token, before any word beside it."""

import re
from typing import Final, Literal

from recollect.text.secrets.plain_words import speaks_about
from recollect.types.regex import lazy_regex

Shape = Literal["made up", "mixed", "joined", "code", "long", "year", "short"]
"""What a token looks like.

========= ===================================================== =========================================
made up   letters with at least two of: digit, sign, capital    ``Gr33nKettle$``, ``Fr0stbite_Lane``
mixed     letters with digits or signs                          ``popcorn77``, ``Sapo!Verde``
joined    words joined by signs or capitals, one with a number  ``Blaubär-77``, ``chaussette_rouge``
code      four to eight digits, or a few capitals and digits    ``4711``, ``8825#``, ``45B72``
long      nine to twenty digits                                 ``70112938475610293847``
year      four digits that may be a year                        ``1947``
short     three digits                                          ``914``
========= ===================================================== =========================================
"""


def shape_of(text: str) -> Shape | None:
    """The shape of a token; None for plain words, counts, times, versions, prices, addresses and paths.

    >>> [shape_of(text) for text in ("hunter2", "0342", "3pm", "v1.2", "swordfish", "Fl0werpot!")]
    ['mixed', 'code', None, None, None, 'made up']
    """
    if text.isdigit():
        return _digits(text)
    if _PROGRAM.search(text) or _ORDINARY.fullmatch(text.strip("*!_)")):
        return None
    if _CODE.fullmatch(text):
        return "code"
    if text.isalpha():
        return "joined" if _CAMEL.fullmatch(text) else None
    if _ADDRESS.fullmatch(text) or is_placeholder(text):
        return None
    return _mixture(text) if _SHORTEST <= len(text) <= _LONGEST else None


def _digits(text: str) -> Shape | None:
    if len(text) == _CVC:
        return "short"
    if _YEAR.fullmatch(text):
        return "year"
    if _PIN <= len(text) <= _LONGEST_PIN:
        return "code"
    return "long" if _LONGEST_PIN < len(text) <= _NETWORK_KEY else None


def _mixture(text: str) -> Shape | None:
    has_digit = any(map(str.isdigit, text))
    if not any(map(str.isalpha, text)):
        is_long = sum(map(str.isdigit, text)) > _LONGEST_PIN
        return "mixed" if has_digit and _SIGN.search(text) else "long" if is_long else None
    signs = (has_digit, _SIGN.search(text), _INNER_CAPITAL.search(text))
    if len(text) >= _MADE_UP and sum(map(bool, signs)) > 1 and any(map(str.islower, text)):
        return "made up"
    words = re.split(r"[-_.]", text)
    if len(words) == 1 or signs[1]:
        return "mixed" if has_digit or signs[1] else None
    if 2 * sum(speaks_about(word, "") for word in words if word) >= len(words):
        return None
    if has_digit:
        return "joined" if sum(map(str.isalpha, text)) >= _JOINED else None
    return "joined" if "_" in text or len(words) > 2 else None  # noqa: PLR2004 - "long-term" is a word


def is_placeholder(text: str) -> bool:
    """Whether a value stands for another: ``${PASSWORD}``, ``********``, ``db_password``."""
    return _PLACEHOLDER.fullmatch(text) is not None


_PROGRAM: Final = lazy_regex(r"[\[\]{}<>\"'|(\u3010\u3011]|\w=\w")
"""What stands in programs and markup, and hardly in a password."""
_SHORTEST, _LONGEST = 4, 64
"""Characters of a password. These and the next are chosen by hand."""
_MADE_UP: Final = 6
_JOINED: Final = 4
_CVC, _PIN, _LONGEST_PIN, _NETWORK_KEY = 3, 4, 8, 20
_YEAR: Final = lazy_regex(r"(?:19|20)\d\d")
_CODE: Final = lazy_regex(
    r"[*#]?\d{4,8}[*#]+|[*#]\d{4,8}|\d{1,2}(?:[-\u2013]\d{1,2}){2,4}|\d(?:-\d){2,7}|\d(?:\.\d){3,7}|\d{3,4}-\d{3,4}"
    r"|[A-Z]-?\d{4,8}|(?=[A-Z]*\d)(?=\d*[A-Z])(?=(?:[A-Z]*\d){2})[A-Z\d]{4,8}[#*]?"
    r"|(?=[a-zA-Z-]*\d)(?=[\d-]*[A-Za-z])[A-Za-z\d]{4,5}(?:-[A-Za-z\d]{4,5}){1,5}|\d{6}(?:-\d{6}){3,}"
)
_CAMEL: Final = lazy_regex(r"[a-zà-ÿ]+(?:[A-Z][a-zà-ÿ]+)+")
_SIGN: Final = lazy_regex(r"\w[!@#$%^&*+=~?/\\_][\w]|[!$#*@?]\Z|\w[!@#$%&*?]{2}")
_INNER_CAPITAL: Final = lazy_regex(r"[a-z\d_][A-Z]")
_ORDINARY: Final = lazy_regex(
    r"\d+(?i:st|nd|rd|th|s|x|k|%|cm|mm|m|km|kg|g|ml|gb|mb|tb|ghz|mbps|am|pm|h|hrs?|min|er|px|mah"
    r"|(?<!\d{4})[aeo])?(?:-[a-z]+)*"
    r"|\d+(?:[.:,/]\d+)+\w{0,2}(?:-\S+)?|\d+-\d+(?=-?[a-z])\S+|[vV]?\d+(?:\.\d+)+\w*|(?i:1password|[23]fa"
    r"|oauth2|web3|utf-?\d+|0x[\da-f]+)"
    r"|[a-z]{1,3}-?\d{1,2}[a-z]?|(?:19|20)\d\d[-\u2013](?:19|20)?\d\d|[$\u20ac\u00a3]\d+\S*"
    r"|\d+[\d.,]*[$\u20ac\u00a3%+]|#\w+|[A-Z]{2,}-?\d{1,3}s?|\w+/[a-zA-Z]+"
)
"""Counts, times, versions, prices, colours."""
_ADDRESS: Final = lazy_regex(
    r"\S+@\S+\.\w+|@\w[\w.]*|\S*://\S*|www\.\S*|/\S*|\S*\.(?:com|net|org|de|fr|es|it|nl|se|io|py|js|ts|md|txt|pdf"
    r"|html?|json)",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = lazy_regex(
    r".*(?:\.\.\.|\u2026).*|[$%]?[{<\[(].*|\$\w+|%\w+%"  # ${PASSWORD}, <password>
    r"|(.)\1+\W*"  # ********
    r"|\w+[(\[].*|[A-Za-z_]+(?:\.[A-Za-z_]+)+(?:[(\[].*)?"  # getpass(), os.environ["X"]
    r"|your[_-].*|[a-z_]*(?:password|passwd|passwort|passphrase|passcode|pwd|kennwort)[a-z_]*",  # db_password
    re.IGNORECASE | re.DOTALL,
)
