"""Whether a capital tells anything where it stands."""

from enum import Enum
from typing import Final

from recollect.types.regex import lazy_regex


class Place(Enum):
    """Where a capitalised word stands."""

    INSIDE = "inside"
    """Inside a sentence: the capital means something."""
    OPENING = "opening"
    """Where any word has one: at the start of a sentence, a line, a quotation, behind a colon or a dash."""
    ATTACHED = "attached"
    """Behind something that it is part of: a path, a word in lower case."""


LAST_OF_ALPHABETS: Final = "\u1fff"
"""Letters that come later in Unicode have no capitals: a Chinese word may touch a name."""


def place_of(text: str, start: int) -> Place:
    """Where the word that begins at ``start`` stands."""
    if start > 1 and text[start - 1] == " ":
        return _behind_blank(text, start - 2)
    end = start
    while end and start - end < _MARKS and text[end - 1] in "*_":
        end -= 1
    if end == 0:
        return Place.OPENING
    before = text[end - 1]
    if before == " ":
        return _behind_blank(text, end - 2)
    if before.isalnum():
        return Place.INSIDE if before > LAST_OF_ALPHABETS and end == start else Place.ATTACHED
    return _behind_sign(text, end, before)


def _behind_blank(text: str, last: int) -> Place:
    """Where a word stands that has a blank before it; ``last`` is the place before that blank."""
    before = text[last] if last >= 0 else "\n"
    if before.isalnum() or before in _INSIDE_BEHIND:
        return Place.INSIDE
    if before == ".":
        short = _ABBREVIATION.search(text[max(0, last - _REACH) : last + 1])
        return Place.INSIDE if short else Place.OPENING
    if before in _CLOSING and last > 0:
        return Place.OPENING if text[last - 1] in _ENDS_A_SENTENCE else Place.INSIDE
    return Place.OPENING


def _behind_sign(text: str, end: int, before: str) -> Place:
    """Where a word stands that a sign is attached to."""
    if before in _NEVER_BEHIND:
        return Place.ATTACHED
    touched = text[end - 2 : end - 1].isalnum()
    if before in "'\u2019":
        if _ELISION.search(text[max(0, end - len("xqu'")) : end]):
            return Place.INSIDE
        return Place.ATTACHED if touched else Place.OPENING
    if before == "-":
        return Place.INSIDE if touched else Place.OPENING
    if before == "/":
        chunk = text[max(0, end - _REACH) : end - 1].rsplit(None, 1)[-1:]
        return Place.INSIDE if chunk and chunk[0][:1].isupper() and "/" not in chunk[0] else Place.ATTACHED
    return Place.OPENING


_MARKS: Final = 3
"""The longest run of Markdown's signs for bold and italic."""
_REACH: Final = 40
"""Characters looked back at. Chosen by hand."""
_INSIDE_BEHIND: Final = frozenset(",;&%)]\u2019'_\u00b0$\u20ac\u00a3/\u3001\uff0c")
_CLOSING: Final = frozenset('"\u201d\u00bb')
_ENDS_A_SENTENCE: Final = frozenset(".!?,\u2026\u3002\uff01\uff1f")
_NEVER_BEHIND: Final = frozenset("@#\\=<$~.")
_ABBREVIATION: Final = lazy_regex(
    r"(?<!\w)(?:vs?|e\.g|i\.e|approx|ca|feat|incl|resp|Nr|bzw|z\.\s?B|u\.\s?a|p\.\s?ej)\.$"
)
_ELISION: Final = lazy_regex(r"(?<!\w)(?:[ldjmnstc]|qu)['\u2019]$")
