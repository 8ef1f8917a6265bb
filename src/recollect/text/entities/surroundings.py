"""What stands around a word in its text, and what that says of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from recollect.text.entities.kinds import Kind, kind_of
from recollect.text.entities.languages import behind_a_name
from recollect.text.entities.pieces import EntityPiece
from recollect.text.entities.places import LAST_OF_ALPHABETS
from recollect.text.entities.vocabulary import FUNCTION, GIVEN, MADE
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
    begin = _begin_of_whole(text, start)
    bold = text.rfind(_BOLD, begin, start)
    return bold + len(_BOLD) if bold >= 0 else begin


def line_from(text: str, begin: int) -> Line:
    """The line that begins at ``begin``."""
    whole = _begin_of_whole(text, begin)
    bold = text.count(_BOLD, whole, begin) % 2 == 1
    ends = [end for mark in ("\n", _BOLD, ": ") if (end := text.find(mark, begin, begin + _LONGEST)) >= 0]
    line = text[begin : min(ends, default=begin + _LONGEST)].rstrip(" *#|-:")
    heading = bold or line[:1] == "#"
    large = _title_words(line, marked=heading)
    return Line(large, heading=heading, listed=bold or _LISTED.match(text, whole) is not None)


def _letters_of(text: str) -> list[str]:
    """The runs of letters in a text; of ASCII, where a translation finds them in a third of the time."""
    return text.encode().translate(_LETTERS).decode().split() if text.isascii() else _WORD.findall(text)


def _begin_of_whole(text: str, place: int) -> int:
    farthest = max(0, place - _FARTHEST)
    return text.rfind("\n", farthest, place) + 1 or farthest


def _title_words(line: str, *, marked: bool) -> int:
    """The common words in capitals of a line that is in Title Case or marked as a heading."""
    words = _letters_of(line)[0 if marked else 1 :]
    small = sum([word[0].islower() and word not in _SMALL for word in words])
    large = sum([word[0].isupper() and Kind.WORD <= kind_of(word) <= Kind.VERB for word in words])
    titled = large > max(1, _TITLE_CASE * small) and line[-1:] not in _SENTENCE_END
    return large if marked or titled else 0


_BOLD: Final = "**"
_FARTHEST: Final = 400
"""Characters looked back for the start of a line; a longer one is prose. Chosen by hand."""
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


@dataclass(slots=True)
class AskedText:
    """A text, without code and addresses, that is asked about its words."""

    text: str
    language: str
    marked: bool
    _lines: dict[int, Line] = field(default_factory=dict)
    _words: frozenset[str] | None = None
    _shouted: bool | None = None

    def line(self, start: int) -> Line:
        """The line, or the part of it set in bold, that ``start`` is in."""
        begin = begin_of(self.text, start)
        if begin not in self._lines:
            self._lines[begin] = line_from(self.text, begin)
        return self._lines[begin]

    def is_in_heading(self, start: int) -> bool:
        """Whether the line that ``start`` is in is a ``heading``, without a look at its words."""
        if not self.marked:
            return False
        begin = begin_of(self.text, start)
        return (
            self.text[begin] == "#"
            or self.text.count(_BOLD, _begin_of_whole(self.text, begin), begin) % 2 == 1
        )

    def holds_in_lower_case(self, word: str) -> bool:
        """Whether the text has the word without its capital, too, be it one or several."""
        if self._words is None:
            self._words = frozenset(_letters_of(self.text))
        lower = word.lower()
        return not self._words.isdisjoint((lower, lower + "s", lower.removesuffix("s")))

    def is_shouted(self) -> bool:
        """Whether all of the text is in capitals."""
        if self._shouted is None:
            self._shouted = self.text.isupper()
        return self._shouted

    def is_owned(self, pieces: Sequence[EntityPiece]) -> bool:
        """Whether a pronoun or "a" makes it a thing: "a Senior Engineer", but not "a Red Cross volunteer"."""
        following = _LOWER_WORD.match(self.text, pieces[-1].end)
        return self._behind(pieces[0], _OWNING) and (following is None or following[1] in FUNCTION)

    def is_a_thing(self, piece: EntityPiece) -> bool:
        """Whether it is owned, counted or has an article: "the Customer", "5th Avenue"."""
        return self._behind(piece, _OWNING) or self._behind(piece, _ARTICLE) or self._behind(piece, _COUNTING)

    def has_article(self, piece: EntityPiece) -> bool:
        """Whether "a" or "the" stands before it."""
        return self._behind(piece, _ARTICLE)

    def ends_line(self, piece: EntityPiece) -> bool:
        """Whether nothing follows it in its line."""
        return _LINE_ENDS.match(self.text, piece.end) is not None

    def signs(self, piece: EntityPiece) -> bool:
        """Whether it stands below a letter."""
        before = self.text[max(0, piece.start - _GREETING_REACH) : piece.start]
        return self.ends_line(piece) and _GREETING.search(before) is not None

    def is_of_code(self, end: int) -> bool:
        """Whether what follows makes it a name in code or of a file: ``Server(``, ``Report.pdf``."""
        return _CODE_BEHIND.match(self.text, end) is not None

    def goes_on_as_verb(self, piece: EntityPiece) -> bool:
        """Whether a word that is a verb, too, has something to act on: "See you"."""
        following = _LOWER_WORD.match(self.text, piece.end)
        return following is not None and following[1] not in _BEHIND_NOUNS

    def counts(self, before: EntityPiece, number: EntityPiece) -> bool:
        """Whether a number belongs to the word before it: "Windows 11", not "gave Ada 5 apples"."""
        if before.possessive or before.word in GIVEN:
            return False
        if before.kind is Kind.ODD or before.word in MADE or "." in number.word:
            return True
        following = _LOWER_WORD.match(self.text, number.end)
        return following is None or following[1] in FUNCTION

    def tells(self, piece: EntityPiece) -> bool:
        """Whether what follows a word at the start of a sentence makes it a name."""
        both = piece.kind is Kind.BOTH
        if behind_a_name(self.language).match(self.text, piece.end):
            return not (both and piece.word in _IDEAS)
        if self.text[piece.end : piece.end + 1] > LAST_OF_ALPHABETS:
            return self.text[piece.end].isalpha()
        if both or self.language != "en" or self.holds_in_lower_case(piece.word):
            return False
        if piece.possessive or _POINTED_AT.match(self.text, piece.end):
            return True
        return piece.start > 0 and self.text[piece.start - 1] in _OPENS and self._is_closed(piece)

    def _is_closed(self, piece: EntityPiece) -> bool:
        return _CLOSES.match(self.text, piece.end) is not None

    def _behind(self, piece: EntityPiece, words: re.Pattern[str]) -> bool:
        return words.search(self.text[max(0, piece.start - _REACH) : piece.start]) is not None


_REACH: Final = 8
"""Characters looked back at: as long as the longest word that owns."""
_OWNING: Final = lazy_regex(
    r"(?<!\w)(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts|[Aa]n?|[Tt]his|[Tt]hat|[Tt]hese|[Tt]hose"
    r"|[Ee]very|[Ee]ach|[Aa]ny|[Ss]ome|[Nn]o|[Aa]ll|[Mm]ore)[ \t]$"
)
_ARTICLE: Final = lazy_regex(r"(?<!\w)(?:[Aa]n?|[Tt]he)[ \t]$")
_COUNTING: Final = lazy_regex(r"\d(?:st|nd|rd|th)?[ \t]$")
_GREETING: Final = lazy_regex(
    r"(?:[Bb]est|[Rr]egards|[Ww]ishes|[Ll]ove|[Cc]heers|[Tt]hanks|[Ss]incerely|[Yy]ours|[Gg]rü(?:ße|ßen|ssen|sse)"
    r"|Gruß|[Cc]ordialement|[Bb]ises|[Ss]aludos|[Aa]brazo)[,!.]?\s{1,3}[-\u2013\u2014]?$"
)
"""What letters end with."""
_GREETING_REACH: Final = 20
"""Characters looked back at: the last word of a greeting, and a line break."""
_LINE_ENDS: Final = lazy_regex(r"[ \t:*.]{0,20}(?:\n|\Z)")
_CODE_BEHIND: Final = lazy_regex(r"[(\\_]|\.[a-z]")
_LOWER_WORD: Final = lazy_regex(r"[ \t]([a-z]+)")
_BEHIND_NOUNS: Final = frozenset(["and", "or", "is", "was", "has", "had", "will"])
"""What follows a name; most other small words follow the verb."""
_POINTED_AT: Final = lazy_regex(
    r",|:|\?|['\u2019][ \t]"
    r"|[ \t](?:\(|&|and [A-Z]|(?:from|in|at|on|with|of)[ \t]|[a-z]{3,20}(?:ed|[^su\W]s)(?!\w))"
)
"""What follows a name: it is called, explained, joined with another, or does something."""
_OPENS: Final = '(["\u201c\u201e\u00ab'
_CLOSES: Final = lazy_regex('[.,]?[)\\]"\u201c\u201d\u00bb]')
"""What encloses a word that stands for itself."""
_IDEAS: Final = frozenset(
    """
    Amber Angel Art Bill Chase Chrome Dawn Eve Excel Faith Florence Frank Grace Hope Iris Ivy Jade Joy
    Love Mark Meta Olive Oracle Outlook Pearl Penny Ray Rich Robin Rose Rust Signal Slack Steam Swift Will
    Word Zoom
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""Names that are words for what needs no article."""
_WORD: Final = lazy_regex(r"[^\W\d_]+")
_LETTERS: Final = bytes(byte if chr(byte).isalpha() else 32 for byte in range(128)) + bytes(128)
"""A translation of ASCII: a blank for whatever is no letter."""
