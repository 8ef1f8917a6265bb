"""The first look: the parts of a text in which rules can find a secret at all.

Most texts hold none of the fragments below, and nothing else is done for them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from recollect.text.secrets.shapes import odd_points
from recollect.text.secrets.words import DIGIT, SPELLED, listed
from recollect.types.regex import lazy_regex


def may_tell(low: str) -> bool:
    """Whether a lower-case text holds words that a secret without digits can stand beside."""
    if len(low) <= _SHORT and _holds_hint(low):
        return True
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


def stretches(text: str, low: str, numbers: Numbers) -> Iterator[tuple[int, int]]:
    """Where the parts of a text that may tell a secret begin and end, in order, apart from each other.

    A short text is one part. Of a long one, which is rather a document or an answer than what a person types,
    a number counts only near a word that secrets stand beside.

    Args:
        text: Any words.
        low: The same in lower case.
        numbers: The numbers in it.
    """
    words = _WORDS if low.isascii() else _WORDS + _ACCENTED
    places = [match.start() for pattern in words for match in pattern.finditer(low)]
    if len(text) <= _SHORT:
        if places or numbers.words or _holds_hint(low) or _holds_code(low, numbers):
            yield 0, len(text)
        return
    parts = [(place - _BEFORE, place + _BEHIND) for place in places]
    near = list(_merged([(place - _NUMBER_BEFORE, place + _NUMBER_BEHIND) for place in numbers.places]))
    beside = [" " + low[max(0, start) : end] for start, end in near]
    together = "\n".join(beside)
    cues = [cue for cue in _known_cues(together) if cue in together]
    parts += [place for place, part in zip(near, beside, strict=True) if _holds_cue(part, cues)]
    parts += [
        (place - _NUMBER_BEFORE, place + _NUMBER_BEHIND)
        for place, word in numbers.words
        if odd_points(word) >= _ODD
    ]
    for start, end in _merged(parts):
        yield _blank_before(text, start), _blank_behind(text, end)


def _holds_hint(low: str) -> bool:
    words = low.replace("-", " ").replace(",", "").split()
    return not _HINTS.isdisjoint(words) or len(_DIGITS.intersection(words)) > 1


def _holds_code(low: str, numbers: Numbers) -> bool:
    """Whether a short text holds a number that is no price, year or count, or any beside a cue."""
    is_number = any(_PLAIN.match(low, place) is None for place in numbers.places)
    return is_number or (bool(numbers.places) and _holds_cue(" " + low, _known_cues(low)))


def _known_cues(low: str) -> Sequence[str]:
    return _ASCII_CUES if low.isascii() else _CUES


def _holds_cue(part: str, cues: Sequence[str]) -> bool:
    return any(map(part.__contains__, cues)) or _ONE_BY_ONE.search(part) is not None


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


_SHORT: Final = 400
"""Characters of a text that is looked at whole. This and the next are chosen by hand."""
_BEFORE, _BEHIND = 60, 100
"""Characters before and behind a word that may hold the value and what else tells it."""
_NUMBER_BEFORE, _NUMBER_BEHIND = 60, 40
"""The same for a number that may be the value."""
_WORD: Final = 100
_ODD: Final = 3
"""Points of a word's shape that needs no cue."""
_MARKS: Final = ".,;:()[]{}'\"`*_<>|\u201c\u201d\u201e?"
_BLANK: Final = lazy_regex(r"\s")
_WORDS: Final = (
    lazy_regex(
        r"p(?:ase\b(?<=de pase)"
        r"|(?<!1p)ass(?!ed|ion|ing\b|eng|age|iv|es\b|ov|é|ant|p?ort\b|ag|ers?by|iert|en\b|ar\b|ad[oa]\b|at|te"
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
_PLAIN: Final = lazy_regex(
    r"(?:(?<=[$€£])|(?<=[$€£]\d))\d|\d{1,3}(?:,\d{3})|(?:19|20)[0-3]\d(?![\w-])|\d+ ?(?:%|days?\b)"
)
"""A price, a sum, a year, a share or a count of days, which are no codes."""
_CUES: Final = tuple(cue.replace("~", " ") for cue in sorted(listed("cues"), key=len))
"""What stands near codes."""
_ASCII_CUES: Final = tuple(filter(str.isascii, _CUES))
_DIGITS: Final = listed("word: digits")
_HINTS: Final = frozenset(f"{hint}{sign}" for hint in listed("hints") for sign in ("", ":", "?"))
"""Words that a secret without digits can stand near in a short text."""
