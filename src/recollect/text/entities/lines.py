"""Lines of lists and headings, where capitals tell less than in a sentence."""

from dataclasses import dataclass
from typing import Final

from recollect.text.entities.kinds import Kind, kind_of
from recollect.types.regex import lazy_regex


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or the part of one that is set in bold.

    Attributes:
        title_words: Its common words in capitals when it is in Title Case; 0 for a sentence.
        heading: Whether it is marked as a heading, or set in bold.
        listed: Whether it is that, a point of a list, or a row of a table.
    """

    title_words: int
    heading: bool
    listed: bool


def begin_of(text: str, start: int) -> int:
    """Where the line begins that ``start`` is in, or the part of it in or behind bold letters."""
    begin = text.rfind("\n", max(0, start - _FARTHEST), start) + 1 or max(0, start - _FARTHEST)
    bold = text.rfind(_BOLD, begin, start)
    return bold + len(_BOLD) if bold >= 0 else begin


def line_from(text: str, begin: int) -> Line:
    """The line that begins at ``begin``."""
    whole = text.rfind("\n", max(0, begin - _FARTHEST), begin) + 1 or max(0, begin - _FARTHEST)
    bold = text.count(_BOLD, whole, begin) % 2 == 1
    ends = [end for mark in ("\n", _BOLD, ": ") if (end := text.find(mark, begin, begin + _LONGEST)) >= 0]
    line = text[begin : min(ends, default=begin + _LONGEST)].rstrip(" *#|-:")
    heading = bold or line[:1] == "#"
    large = _title_words(line, marked=heading)
    return Line(large, heading=heading, listed=bold or _LISTED.match(text, whole) is not None)


def _title_words(line: str, *, marked: bool) -> int:
    """The common words in capitals of a line that is in Title Case or marked as a heading."""
    words = _WORD.findall(line)[0 if marked else 1 :]
    small = sum([word[0].islower() and word not in _SMALL for word in words])
    large = sum([word[0].isupper() and Kind.WORD <= kind_of(word) <= Kind.VERB for word in words])
    titled = large > max(1, _TITLE_CASE * small) and line[-1:] not in _SENTENCE_END
    return large if marked or titled else 0


_BOLD: Final = "**"
_FARTHEST: Final = 400
"""Characters looked back for the begin of a line; a longer one is prose. Chosen by hand."""
_LONGEST: Final = 200
"""Characters of a heading. Chosen by hand."""
_TITLE_CASE: Final = 4
"""More common words than that are capitalised for one that is not. Chosen by hand."""
_SMALL: Final = frozenset(
    """
    a an and as at but by for from in into is of on or s the to vs with your
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""Words that are small in headings."""
_SENTENCE_END: Final = frozenset(".!?;")
_LISTED: Final = lazy_regex(r"[ \t]{0,20}(?:[-*+#|>\u2022]|\d{1,3}[.)])")
_WORD: Final = lazy_regex(r"[^\W\d_]+")
