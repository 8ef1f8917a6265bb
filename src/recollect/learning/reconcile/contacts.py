"""Whose number or address words are about: "I got a new number" is not "his cell is 715 5550"."""

from typing import Final

from recollect.types.regex import lazy_regex

_LINE: Final = r"(?:phone|mobile|cell|number|e-?mail)\b"
_NAMES: Final = lazy_regex(rf"\b{_LINE}")
_WHICH: Final = lazy_regex(
    r"\b(work|office|business|home|private|personal|second|landline)"
    r"(?= (?:phone|mobile|cell|number|e-?mail)\b)"
)
"""Tells which of several numbers or addresses is meant: "my work number"."""
_WHOSE: Final = lazy_regex(
    r"(?P<whose>\b(?:his|her|their|my)|[^\W\d_][\w-]*'s)"
    rf" (?:(?:new|old|work|home|private|phone|mobile|cell) )*{_LINE}"
)
_THEIRS: Final = frozenset(("his", "her", "their"))


def name_lines(low: str, other: str) -> bool:
    """Whether two texts in small letters both speak of a number or an address."""
    return _NAMES.search(low) is not None and _NAMES.search(other) is not None


def may_be_same_line(low: str, other: str) -> bool:
    """Whether the number or address of two texts in small letters may be one.

    >>> may_be_same_line("i got a new number", "hank does the roof, his cell is 715 5550")
    False
    >>> may_be_same_line("hank's number changed", "hank does the roof, his cell is 715 5550")
    True
    """
    if set(_WHICH.findall(low)) != set(_WHICH.findall(other)):
        return False
    ours, theirs = _whose(low), _whose(other)
    if ours == theirs:
        return True
    named = ours in other if theirs in _THEIRS else theirs in low
    return bool(ours and theirs and named and not _THEIRS.isdisjoint((ours, theirs)))


def _whose(low: str) -> str:
    """Whose number or address words tell: a name, or "his"; empty for the speaker's."""
    match = _WHOSE.search(low)
    return "" if match is None or match["whose"] in {"user's", "my"} else match["whose"].removesuffix("'s")
