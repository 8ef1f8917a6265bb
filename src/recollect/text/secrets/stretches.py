"""The first look: the parts of a text in which rules can find a secret at all.

Most texts hold none of the fragments below, and nothing else is done for them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from recollect.text.secrets.shapes import odd_points
from recollect.text.secrets.tokens import Token, tokens_of
from recollect.text.secrets.words import ABOUT, CLAUSE_STARTS, DIGIT, SPELLED, listed
from recollect.types.regex import lazy_regex


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """A part of a text around words that may tell a secret.

    Attributes:
        text: The whole text.
        low: The same in lower case.
        bounds: Where the part begins and ends (exclusive), in characters.
        is_odd: Whether it holds a word whose shape may be a password's.
    """

    text: str
    low: str
    bounds: tuple[int, int]
    is_odd: bool = False

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The part's tokens; made when they are first asked for, as most parts name no secret."""
        return tuple(tokens_of(self.text, self.low, *self.bounds))

    def between(self, first: int, last: int) -> str:
        """The lower-case text from one token to another (both included), as far as there are such."""
        first, last = max(0, first), min(last, len(self.tokens) - 1)
        return self.low[self.tokens[first].start : self.tokens[last].end] if first <= last else ""

    def sentence(self, place: int) -> tuple[int, int]:
        """The first and the last token of the sentence that a token stands in, as far as it is near."""
        first = last = place
        least, most = max(0, place - _SENTENCE), min(len(self.tokens) - 1, place + _SENTENCE)
        while first > least and not self.tokens[first - 1].ends_sentence:
            first -= 1
        while last < most and not self.tokens[last].ends_sentence:
            last += 1
        return first, last

    def after(self, place: int) -> str:
        """The characters behind a token."""
        end = self.tokens[place].end
        return self.text[end : end + _AFTER]

    def ends_clause(self, place: int) -> bool:
        """Whether a clause ends with a token."""
        if self.tokens[place].stop or place + 1 >= len(self.tokens):
            return True
        follower = self.tokens[place + 1]
        gap = self.text[self.tokens[place].end : follower.start]
        return (
            any(mark in gap for mark in _APART)
            or follower.low in CLAUSE_STARTS
            or follower.low in {"-", "\u2013", "\u2014"}
            or not (follower.text[0].isalnum() or follower.text[0] in "'\u2019/@:%&=+*#$[" or follower.quoted)
            or _CHANGED.match(follower.low) is not None
        )

    def ends_description(self, place: int) -> bool:
        """Whether a clause ends with a token, or goes on with what it is for: "the password for the wifi"."""
        return self.ends_clause(place) or self.tokens[place + 1].low in ABOUT


def has_digits(text: str) -> bool:
    """Whether a text holds an ASCII digit."""
    signs = text.encode(errors="ignore")
    return len(signs) != len(signs.translate(None, b"0123456789"))


def may_tell(low: str) -> bool:
    """Whether a lower-case text holds words that a secret without digits can stand beside."""
    for search in _SEARCHES if low.isascii() else _MORE_SEARCHES:  # noqa: SIM110 - any() is slower
        if search(low):
            return True
    return False


class Numbers(NamedTuple):
    """Where the numbers of a text stand that may be codes, and the words with digits in them.

    Attributes:
        places: Where what looks like a code begins.
        words: The words with digits within, and where the digit stands.
    """

    places: tuple[int, ...] = ()
    words: tuple[tuple[int, str], ...] = ()

    @property
    def may_be_key(self) -> bool:
        """Whether a word is as long as the shortest key."""
        return any(len(word) >= _SHORTEST_KEY for _, word in self.words)


def numbers_in(text: str, low: str) -> Numbers:
    """The numbers of a text that may be secrets or parts of them."""
    found = list(_NUMBER.finditer(low))
    words = [(match.start(), _word(text, match.start())) for match in found if match.lastindex]
    return Numbers(tuple(match.start() for match in found), tuple(words))


def stretches(text: str, low: str, numbers: Numbers) -> Iterator[Stretch]:
    """The parts of a text that may tell a secret, in order, apart from each other.

    Args:
        text: Any words.
        low: The same in lower case.
        numbers: The numbers in it.
    """
    words = _WORDS if low.isascii() else _WORDS + _ACCENTED
    places = [match.start() for pattern in words for match in pattern.finditer(low)]
    parts = [(place - _BEFORE, place + _BEHIND) for place in places]
    odd = {place: odd_points(word) for place, word in numbers.words}
    near = _merged([(place - _NUMBER_BEFORE, place + _NUMBER_BEHIND) for place in numbers.places])
    parts += [(start, end) for start, end in near if _holds_cue(" " + low[max(0, start) : end])]
    parts += [(place - _NUMBER_BEFORE, place + _NUMBER_BEHIND) for place in odd if odd[place] >= _ODD]
    alone = [place for place, points in odd.items() if points >= _ALONE]
    for start, end in _merged(parts):
        bounds = _blank_before(text, start), _blank_behind(text, end)
        yield Stretch(text=text, low=low, bounds=bounds, is_odd=any(start <= place < end for place in alone))


def _holds_cue(part: str) -> bool:
    return any(map(part.__contains__, _CUES)) or _ONE_BY_ONE.search(part) is not None


def _word(text: str, place: int) -> str:
    """The word around a place without the marks around it; of a long one only a part."""
    least = max(0, place - _WORD)
    begin = max(least, text.rfind(" ", least, place) + 1, text.rfind("\n", least, place) + 1)
    word = _BLANK.split(text[begin : place + _WORD], maxsplit=1)[0]
    return word.strip(_MARKS)


def _merged(parts: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    last: tuple[int, int] | None = None
    for start, end in sorted(parts):
        if last is None:
            last = start, end
        elif start <= last[1]:
            last = last[0], max(last[1], end)
        else:
            yield last
            last = start, end
    if last is not None:
        yield last


def _blank_before(text: str, place: int) -> int:
    """Where the word begins that stands at a place; a word of more than a hundred characters is cut."""
    if place <= 0:
        return 0
    begin = max(0, place - _WORD)
    return max(begin, text.rfind(" ", begin, place) + 1, text.rfind("\n", begin, place) + 1)


def _blank_behind(text: str, place: int) -> int:
    behind = _BLANK.search(text, place, place + _WORD)
    return behind.start() if behind else min(len(text), place + _WORD)


_CHANGED: Final = lazy_regex(r"ge(?:änder|setz|nommen|wähl)|umgestellt|ändrat")
"""What a German clause ends with behind its value."""
_APART: Final = ("(", "  ", "\t")
"""What stands between clauses."""
_AFTER: Final = 24
"""Characters behind a value that are looked at. This and the next are chosen by hand."""
_BEFORE, _BEHIND = 100, 200
"""Characters before and behind a word that may hold the value and what else tells it."""
_NUMBER_BEFORE, _NUMBER_BEHIND = 110, 80
"""The same for a number that may be the value."""
_WORD: Final = 100
_ODD, _ALONE = 3, 5
"""Points of a word's shape that need no cue, and of one that may need no name."""
_MARKS: Final = ".,;:()[]{}'\"`*_<>|\u201c\u201d\u201e?"
_SENTENCE: Final = 40
"""Tokens to either side that a sentence may have; a longer one is cut, so that time grows with length."""
_BLANK: Final = lazy_regex(r"\s")
_WORDS: Final = (
    lazy_regex(
        r"p(?:ase\b(?<=de pase)"
        r"|ass(?!ed|ion|ing\b|eng|age|iv|es\b|ov|é|ant|p?ort\b|ag|ers?by|iert|en\b|ar\b|ad[oa]\b|at|te"
        r"|t\b)|as[wo]|s?sw|w(?:d|\b)|arol(?:a|e(?<=odici parole))\b|et\b(?<=first pet)"
        r"|in(?:s|code)?\b(?<=\bpin)|hrase|ala[bv]ra(?:[ -][scpd]|s?-)|(?<=\bmdp)|err(?<=entsperr))"
    ),
    lazy_regex(
        rf"f(?:rase |(?<=geheimf)r|(?<=sf)r(?:as|[aå]g)"
        rf"|(?:our|ive|ünf|yra|em)(?:{SPELLED}|\b(?<=(?:ne|wo|ee|ur|ve|ix|en|ht|ro|oh|ei) .{{4}}))"
        rf"|(?:fre|re|uerte|orte)\b[^\n]{{0,40}}?\b(?:{DIGIT}){SPELLED})"
    ),
    lazy_regex(r"log[ -]?[io]n\b"),
    lazy_regex(r"se(?:greta\b|gu(?<=de segu)|curity a|cret a)"),
    lazy_regex(
        rf"w(?:acht[wz]|er to\b(?<=answer to)|allet\b(?=[^\n]{{0,60}}?(?:[ ,]+[a-zà-ÿ]{{3,9}}){{11}})"
        r"|ord\b(?<=safeword|codeword)|ords?\b(?<=able.word"
        r"|safe.word|code.word|cret.word|seed.word|ncel.word|anic.word|ress.word|rity.word|eed.words|let.words|ery.words|mily.word|ckup.word|kup.words|ger.words|lve.words)"
        rf"|(?<=codew)ort|(?<=ngsw)ort|(?<=tsantw)ort|(?<=[\"'\u201d] is w)hat|o\b(?<=two){SPELLED})"
    ),
    lazy_regex(
        r"k(?:ennw|odord|ontrollf|(?<=unlock)|(?<=fi k)ey|(?<=gangsk)o)|/(?<= /) "
        rf"|q(?:(?<=security q)|(?<=secret q)|(?<=desbloq)|uat\w+{SPELLED})"
        rf"|z(?:a(?<=sicurezza)|(?:wei|es|even|ero|éro){SPELLED})|x(?<=deux|.six){SPELLED}"
        rf"|v(?:(?<=clav)e\b|(?<=sv)raag|(?<=e v)raag|(?<=chav)e\b|(?<=destrav)|(?<=\bdév)err"
        rf"|(?:i?er|ijf|e\b(?<=five|nove)|en\b(?<=seven)){SPELLED})|j(?<=sj)u{SPELLED}"
    ),
    lazy_regex(r"nha\b(?<=\bs.nha|.\bsnha)"),
    lazy_regex(r"maiden"),
    lazy_regex(rf"cuatro{SPELLED}"),
    lazy_regex(r"contras[eñn]"),
)
"""What stands near secrets without digits and near odd passwords. Patterns begin with a rare letter, which is
what makes them fast: most texts are done in two microseconds."""
_ACCENTED: Final = tuple(map(re.compile, (r"ö(?<=lö)s", r"sécu", r"secrè", r"låses? upp")))
"""The same in texts beyond ASCII."""
_SEARCHES: Final = tuple(pattern.search for pattern in _WORDS)
_MORE_SEARCHES: Final = tuple(pattern.search for pattern in _WORDS + _ACCENTED)
_SHORTEST_KEY: Final = 16
"""Characters of the shortest key or token of a known format."""
_ONE_BY_ONE: Final = lazy_regex(r"(?<![\w.-])[0-9](?:-[0-9]|\.[0-9]| [0-9]){3,}(?![\w.-]\w)")
_NUMBER: Final = lazy_regex(
    r"[0-9](?:((?<=[a-z!@#$%^&*?+=_]\w)|(?<=[a-z][.-]\w)|[!@#$%^&*?+=]\w|[0-9]*[a-z][-_a-z0-9]{4,})"
    r"|(?:(?<![\w.,$€£]\w)|(?<=[*#]\w))(?:[0-9]{3,}(?![\d.,]?\d|[\w%€])"
    r"|[0-9]?[-\u2013. ][0-9]{1,2}[-\u2013. ][0-9]|[0-9]{2}[ -][0-9]{3}\b|(?:[0-9]-)?[0-9]{2}\b"
    r"|[0-9]{1,3}[a-z]"
    r"|,? (?:then|and|dann|puis|luego|poi|sedan|dan) [0-9]\b|[0-9]?,? [lrgdiesv][eiräöa][a-zö]{2,7}\b))"
)
"""What a code can look like, and the first digit of an odd password."""
_CUES: Final = tuple(cue.replace("~", " ") for cue in sorted(listed("cues"), key=len))
"""What stands near codes."""
