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
