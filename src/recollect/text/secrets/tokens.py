"""A part of a text in tokens: words, numbers in groups, and signs."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from recollect.types.regex import lazy_regex


class Token(NamedTuple):
    """A word without punctuation around it, a number whose digits stand in groups, or a sign.

    Attributes:
        text: The characters.
        start: Where it begins in the whole text.
        is_mask: Whether it stands for a secret that was masked before.
    """

    text: str
    start: int
    is_mask: bool = False

    @property
    def end(self) -> int:
        """Where it ends in the whole text (exclusive)."""
        return self.start + len(self.text)


def tokens_of(text: str, start: int, end: int) -> Iterator[Token]:
    """The tokens of a part of a text, in order.

    Args:
        text: Any words.
        start: Where the part begins, in characters.
        end: Where it ends (exclusive).

    >>> text = "The pin: 27 - 5 - 41! PASS=hunter2"
    >>> [token.text for token in tokens_of(text, 0, len(text))]
    ['The', 'pin', ':', '27 - 5 - 41', '!', 'PASS', '=', 'hunter2']
    """
    for match in _TOKEN.finditer(text, start, end):
        word = match[0]
        if word.isalnum() or match.lastgroup != "word":
            yield Token(word, match.start(), match.lastgroup == "mask")
        else:
            yield from _parts(word, match.start())


def lowered(text: str) -> str:
    """The text in lower case, at the same length.

    >>> lowered("\u0130I")
    'ii'
    """
    return text.lower() if text.isascii() else text.replace("\u0130", "I").lower()


def has_digits(text: str) -> bool:
    """Whether a text holds an ASCII digit."""
    signs = text.encode(errors="ignore")
    return len(signs) != len(signs.translate(None, b"0123456789"))


def _parts(word: str, place: int) -> Iterator[Token]:
    """A word apart from the signs around it and from a name before it ("pw:hunter2", "anna/hunter2")."""
    bare = word.lstrip(_BEFORE)
    head = len(word) - len(bare)
    bare = bare.rstrip(_BEHIND)
    yield from _signs(word[:head], place)
    place += head
    if bound := _BOUND.fullmatch(bare):
        yield Token(bound["name"], place)
        yield Token(bound["sign"], place + bound.start("sign"))
        yield from _parts(bound["value"], place + bound.start("value"))
    elif bare:
        yield Token(bare, place)
    yield from _signs(word[head + len(bare) :], place + len(bare))


def _signs(text: str, place: int) -> Iterator[Token]:
    for at, sign in enumerate(text):
        yield Token(sign, place + at)


_TOKEN: Final = lazy_regex(
    r"(?P<mask>\[[A-Za-z -]{4,24} removed\])"
    r"|(?P<run>(?<![\w.,/:-])\d{1,6}(?:(?:[ ./\u2013-]| [-\u2013] )\d{1,6}){1,11}(?![\w%\u20ac$]|[.,/:-]\w))"
    r"|(?P<word>[^\s\"\u201c\u201d\u201e\u00ab\u00bb`,;|<>()\[\]{}]{1,200})|(?P<sign>\S)"
)
_BOUND: Final = lazy_regex(
    r"(?P<name>-{0,2}[^\W\d][\w.@-]*)(?P<sign>:=|=>|->|==|=|:(?!//)|(?<!\.)/(?!/))(?P<value>\S+)"
)
_BEFORE: Final = "'*_\u2018\u2019"
_BEHIND: Final = ".:?!'\u2018\u2019\u2026*_"
