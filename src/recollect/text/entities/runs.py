"""Runs of capitalised words, with what may link them in a name."""

import re
from functools import cache
from typing import Final, NamedTuple

from recollect.types.regex import lazy_regex


class Patterns(NamedTuple):
    """Expressions for the letters of a text.

    Attributes:
        run: Up to 16 capitalised words and numbers that may be a name.
        piece: A link and a word of a run (groups 1 and 2), or a number in it (group 3).
    """

    run: re.Pattern[str]
    piece: re.Pattern[str]


@cache
def patterns(*, ascii_only: bool) -> Patterns:
    """Those for ASCII, or for all letters of the Latin, Greek and Cyrillic alphabets."""
    upper, letter = ("A-Z", "A-Za-z0-9") if ascii_only else _all_letters()
    behind_dot = rf"(?=[ \t])(?:{_SHORTENED})|(?:js|io|ai|com|net|org)(?![{letter}])"
    word = rf"[{letter}]*(?:['\u2019-][{letter}]+)*(?:\.(?:{behind_dot})|\+\+|\#(?!\w))?"
    item = rf"[{upper}](?:\.(?:[{upper}]\.){{0,12}}(?![{letter}])|{word})"
    link = rf"[ \t](?:(?=[{upper}])|(?:(?:{_LINKS})[ \t]|(?:al|el)-|d['\u2019])(?=[{upper}]))"
    number = r"[ \t]\d{1,4}(?:\.\d{1,2})?(?![\w%\u00b0:/$\u20ac\u00a3-]|[.,]\d)"
    return Patterns(
        run=re.compile(rf"{item}(?:{link}{item}|{number}){{0,15}}"),
        piece=re.compile(rf"({link})?({item})|({number})"),
    )


def _all_letters() -> tuple[str, str]:
    letters = [chr(code) for first, end in _ALPHABETS for code in range(first, end)]
    ranges = "".join([f"{chr(first)}-{chr(end - 1)}" for first, end in _ALPHABETS])
    return "A-Z" + "".join(filter(str.isupper, letters)), f"A-Za-z0-9{ranges}"


def without_code(text: str) -> str:
    """The text with underscores in place of code, addresses and handles; as long as before."""
    if "`" in text:
        text = _CODE.sub(_blank, text)
    if "@" in text or "://" in text or "www." in text:
        text = _ADDRESS.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    """Underscores; line breaks stay, as what follows them begins a line."""
    return "\n".join(["_" * len(line) for line in match.group().split("\n")])


_ALPHABETS: Final = (
    (0xC0, 0xD7), (0xD8, 0xF7), (0xF8, 0x250), (0x300, 0x37E), (0x386, 0x387), (0x388, 0x400), (0x400, 0x482),
    (0x48A, 0x530), (0x1E00, 0x1FBD),
)  # fmt: skip
"""Latin, the marks put on it, Greek and Cyrillic, each to before the second number (Unicode)."""
_SHORTENED: Final = "|".join(
    rf"(?<=\b{word}\.)"
    for word in """
    Capt Col DR Dott Dr Fr Ft Gen Gov Hon Hr Jr Lt MR MS Mlle Mme Mr Mrs Ms Mt Mx Prof Rev Sen Sgt Sig Sr Sra
    St
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""Words whose full stop ends no sentence."""
_LINKS: Final = (
    "of(?:[ \t]the)?|&|van(?:[ \t]de[rn]?)?|von(?:[ \t]de[rm])?|de(?:[ \t]l[ao]s?)?|del|dell[ao]|d[aiou]"
    "|d[oe]s|bin|ibn|upon|a[mn](?:[ \t]der)?(?=[ \t](?:Main|Rhein|Neckar|See|Inn|Oder|Donau|Lahn|Saale|Ruhr))"
)
"""Words in lower case that may stand inside a name."""
_CODE: Final = lazy_regex(r"```[\s\S]*?(?:```|\Z)|`[^`\n]+`")
_ADDRESS: Final = lazy_regex(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,255}|@[\w.-]{1,255}|(?<!\w)(?:[A-Za-z]{2,10}://|www\.)\S{1,2000}"
)
