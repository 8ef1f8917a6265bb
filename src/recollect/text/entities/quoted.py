"""Titles of books, films and songs in quotation marks."""

from typing import Final, NamedTuple

from recollect.text.entities.kinds import Kind, kind_of
from recollect.types.regex import lazy_regex


class Title(NamedTuple):
    """A quoted title."""

    start: int
    end: int
    name: str


def quoted_titles(text: str) -> list[Title]:
    """The titles in quotation marks of any kind, in order."""
    found = []
    if '"' in text or not text.isascii():
        for match in _QUOTED.finditer(text):
            name = (match[1] or match[2] or match[3]).strip()
            if _is_title(name, text, match.start()):
                found.append(Title(match.start(), match.end(), name))
        found += [Title(match.start(), match.end(), match[1].strip()) for match in _BOOK.finditer(text)]
    return sorted(title for title in found if title.name)


def _is_title(name: str, text: str, start: int) -> bool:
    """Whether a quotation has the capitals of a title, or is announced as one."""
    words = [bare for word in name.split() if (bare := word.strip("'\u2019(),:;!?.&-"))]
    if not words or len(words) > _LONGEST or name[-1] in _SENTENCE_END or not name[0].isupper():
        return False
    if not all(not word[0].islower() or word in _SMALL for word in words):
        return False
    if _ANNOUNCED.search(text[max(0, start - _REACH) : start]):
        return True
    large = [kind_of(word) for word in words if word[0].isupper()]
    return len(large) > 1 and max(large) > Kind.PEOPLE


_LONGEST: Final = 10
"""Words of a title. Chosen by hand."""
_REACH: Final = 24
"""Characters looked back at."""
_SENTENCE_END: Final = frozenset(".,;:!?\u2026")
_QUOTED: Final = lazy_regex(
    '"([^"\n]{1,80})"'
    "|[\u201c\u201e]([^\u201c\u201d\u201e\n]{1,80})[\u201c\u201d]"
    "|\u00ab([^\u00ab\u00bb\n]{1,80})\u00bb"
)
_BOOK: Final = lazy_regex("\u300a([^\u300a\u300b\n]{1,60})\u300b")
_ANNOUNCED: Final = lazy_regex(
    r"(?<!\w)(?:movie|film|book|novel|song|album|series|show|game|band|called|named|titled|entitled|episode"
    r"|podcast|play|musical|painting|poem|magazine|comic|anime|manga|story|track|single|read|reading|watched"
    r"|watching|hieß|heißt|Film|Buch|Roman|Lied|Serie|Spiel|livre|roman|chanson|libro|novela|película|canción"
    r"|serie)[ ,:]{1,2}$"
)
"""What is said before a title of one word."""
_SMALL: Final = frozenset(
    """
    a an and as at but by das de del der des di die du el en et for from in into is la las le les los nor
    of off on or so the to un una und up von vs with y
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""Words that are small in titles."""
