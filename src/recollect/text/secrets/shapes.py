"""What a password, a code and a key can look like."""

import re
from typing import Final

from recollect.text.secrets.lexicon import UNITS
from recollect.text.secrets.tokens import Token

PLACEHOLDER: Final = re.compile(
    r".*(?:\.\.\.|\u2026)|[$%]?[{<\[(].*|\$\w+|%\w+%"  # ${PASSWORD}, <password>
    r"|(.)\1+\W*"  # ********
    r"|\w+[(\[].*|[A-Za-z_]+(?:\.[A-Za-z_]+)+\S*"  # getpass(), Optional[str], os.environ["X"]
    r"|[a-z_]*(?:password|passwd|passwort|passphrase|passcode|pwd|kennwort)[a-z_]*",  # password=db_password
    re.IGNORECASE | re.DOTALL,
)
_ODD: Final = re.compile(r"\d|\w[!@#$%^&*+=~?/]\w|[!$#][!$#\w]|[a-z][A-Z]")
_NUMBERED: Final = re.compile(
    r"\d{1,3}(?:st|nd|rd|th|s|x|k|%|cm|mm|gb|mb|am|pm|h|[.:]\d+)?|\d+(?:[.:]\d+)+|\d+[.,]\d+|v?\d+(?:\.\d+)+|1password|[23]fa|oauth2|web3|0x\w*"
    r"|\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d+-\d+|\d+%|[$\u20ac\u00a3]\d+\S*|\d+[$\u20ac\u00a3]|#\w+|\d+s",
    re.IGNORECASE,
)
"""Counts, dates, times, versions, prices."""
_NAMED: Final = re.compile(
    r"\S+@\S+\.\w+|https?:.*|www\..*|.*://.*|/.*|0x[0-9a-f]+|.*\.(?:com|net|org|de|fr|es|se|io)",
    re.IGNORECASE,
)
"""Addresses, paths and numbers of programs."""
_CODE: Final = re.compile(
    r"[*#]?\d{4,8}[*#]?|\d{1,3}(?:[-\u2013.]\d{1,3}){2,3}|\d{2,4}[- ]\d{2,4}(?:[- ]\d{2,4})?|[A-Z]-?\d{4,8}"
    r"|(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{4,8}[#*]?"
)
_SHORTEST, _LONGEST = 3, 64
"""Characters of a password, and below of one that needs no words beside it. Chosen by hand."""
_STRONG: Final = 7
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


def is_odd(token: Token, after: str) -> bool:
    """Whether a token looks like no word and like no ordinary number: what a password can be.

    Args:
        token: The token.
        after: The characters behind it.
    """
    text = token.text
    if _ODD.search(text) is None or _NUMBERED.fullmatch(text) or _NAMED.fullmatch(text):
        return False
    return _SHORTEST <= len(text) <= _LONGEST and not is_placeholder(text) and not UNITS.match(after)


def is_strong(text: str) -> bool:
    """Whether a token mixes letters, digits and signs as only a made-up password does."""
    kinds = (
        any(map(str.isdigit, text)),
        any(map(str.isalpha, text)),
        re.search(r"\w[!@#$%^&*?+]\w|[!?]\Z", text),
    )
    return (
        "/" not in text
        and all(kinds)
        and _STRONG <= len(text) <= _LONGEST
        and not _NAMED.fullmatch(text)
        and not _NUMBERED.fullmatch(text)
    )


def is_code(text: str) -> bool:
    """Whether a token looks like a code to type: digits, groups of digits, or a short mix of capitals."""
    return _CODE.fullmatch(text) is not None


def is_year(text: str) -> bool:
    """Whether digits may be a year."""
    return _YEAR.fullmatch(text) is not None


def is_placeholder(text: str) -> bool:
    """Whether a value stands for another."""
    return PLACEHOLDER.fullmatch(text) is not None


def shape_of(token: Token, after: str) -> str:
    """What a token looks like, as a group and a name ("N.4"), or "" where it can be no secret.

    Groups: "N" numbers, "O" odd (no word and no number), "H" words with hyphens, "Q" quoted, "P" plain words.

    Args:
        token: The token.
        after: The characters behind it.

    >>> [shape_of(Token(text, text, 0), "") for text in ("4711", "Grutto88", "kanarie-boom", "koekje")]
    ['N.4', 'O.word and digits', 'H.2', 'P.lower']
    """
    text = token.text
    if _is_no_value(text, after):
        return ""
    if token.quoted:
        return "Q.words" if " " in text else "Q.odd" if _ODD.search(text) else "Q.word"
    if text.isalpha():
        return "P.Capital" if text[0].isupper() else "P.lower"
    if shape := next((shape for shape, pattern in _NUMBERS if pattern.fullmatch(text)), ""):
        return shape
    if _LETTER.search(text) and (_JOINED.fullmatch(text) or is_odd(token, after)):
        return next((shape for shape, pattern in _MADE_UP if pattern.fullmatch(text)), "O.other")
    return f"H.{min(text.count('-') + 1, 3)}" if _HYPHENS.fullmatch(text) else ""


def _is_no_value(text: str, after: str) -> bool:
    if _ZEROS.fullmatch(text) or _DOTTED.fullmatch(text):
        return False
    is_part = (
        _BRACKET.search(text) is not None or after[:1] in {"]", "(", "}"} or _ASSIGNED.match(text) is not None
    )
    return is_part or is_placeholder(text) or _NAMED.fullmatch(text) is not None


_LETTER: Final = re.compile(r"[^\W\d_]")
_ZEROS: Final = re.compile(r"\d{4,6}")
"""No placeholder, even where all its digits are the same."""
_BRACKET: Final = re.compile(r"[\[\](){}<>\u3010\u3011]")
_ASSIGNED: Final = re.compile(r"[A-Za-z_]\w*=|~")
_DOTTED: Final = re.compile(r"[^\W\d_]{2,}(?:\.[^\W\d_]+)*\.[^\W\d_]*\d{1,4}[!?*#]?")
_JOINED: Final = re.compile(rf"{_DOTTED.pattern}|[^\W_]{{3,}}(?:_[^\W_]+)+")
_HYPHENS: Final = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})+")
_NUMBERS: Final = tuple(
    (shape, re.compile(pattern))
    for shape, pattern in {
        "N.year": r"[*#]?(?:19|20)\d\d[*#]?",
        "N.clock": r"(?:[01]\d|2[0-3])[0-5][05]",
        "N.2": r"[*#]?\d{2}[*#]?",
        "N.3": r"[*#]?\d{3}[*#]?",
        "N.4": r"[*#]?\d{4}[*#]?",
        "N.5-8": r"[*#]?\d{5,8}[*#]?",
        "N.long": r"\d{9,30}",
        "N.dashed": r"\d{1,3}(?:[-\u2013]\d{1,3}){2,3}",
        "N.letters": r"[A-Z]-\d{5,8}|[A-D]?-?\d{3,6}[A-D]|[A-Z]\d{4,5}[A-Z]?|\d{1,3}[A-Z]\d{2,4}",
    }.items()
)
_MADE_UP: Final = tuple(
    (shape, re.compile(pattern))
    for shape, pattern in {
        "O.dotted": _DOTTED.pattern,
        "O.model": r"[A-Z]{2,}(?:-[A-Z\d]+)+|[A-Z]{1,5}-?\d+\w{0,3}|[A-Z]+-\w+",
        "O.camel and digits": r"[A-Z][a-z]+[A-Z][A-Za-z]+\d+",
        "O.word and digits": r"[^\W\d_]{3,}\d{1,4}[!?$#*.]?",
        "O.words and digits": r"(?=.*\d)[^\W\d_]{2,}(?:[-_.][^\W_]+)+[!?$#*]?",
        "O.words": r"[^\W_]{2,}(?:_[^\W_]+)+",
        "O.camel": r"[A-Za-z]*[a-z][A-Z][A-Za-z]*",
        "O.signs": r"(?=.*\d)\w+[!@#$%^&*+=?][\w!@#$%^&*+=?.-]*",
        "O.signs without digits": r"[^\W\d]+[!@#$%^&*+=?~][\w!@#$%^&*+=?.-]*",
        "O.mixed": r"(?=.*\d)[A-Za-z]\w{5,}",
        "O.digits first": r"\d+[^\W\d_]\w*",
    }.items()
)
