"""A stretch of text in tokens: words, quotations and signs that introduce a value (":", "=", "->")."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from recollect.types.regex import lazy_regex


class Token(NamedTuple):
    r"""A word, a quotation without its marks, or a sign.

    Attributes:
        text: The characters, without punctuation at the end.
        low: The same in lower case, with straight apostrophes.
        start: Where it begins in the whole text.
        quoted: Whether it stood in quotation marks.
        stop: The punctuation behind it: "" for none, "\\n" for the end of a line or of the text.
    """

    text: str
    low: str
    start: int
    quoted: bool = False
    stop: str = ""

    @property
    def end(self) -> int:
        """Where it ends in the whole text."""
        return self.start + len(self.text)

    @property
    def ends_sentence(self) -> bool:
        """Whether a full stop, a question mark or the end of the line stands behind it."""
        return self.stop in _FULL_STOPS


def tokens_of(text: str, low: str, start: int, end: int) -> Iterator[Token]:
    """The tokens of a stretch of text, in order.

    Args:
        text: Any words.
        low: The same in lower case.
        start: Where the stretch begins, in characters.
        end: Where it ends (exclusive).

    >>> text = "The code's '12 34', the pin: 4711!"
    >>> [token.text for token in tokens_of(text, text.lower(), 0, len(text))]
    ['The', 'code', "'s", '12 34', 'the', 'pin', ':', '4711']
    """
    for match in _TOKEN.finditer(text, start, end):
        stop = _stop(text, match.end())
        if match.lastgroup == "word":
            yield from _words(text, low, match.start(), match.end(), stop)
        elif match.lastgroup == "sign":
            yield _token(text, low, *match.span(), stop=stop if stop == "\n" else "")
        else:
            yield _token(text, low, *match.span(match.lastindex or 0), quoted=True, stop=stop)


def lowered(text: str) -> str:
    """The text in lower case, at the same length.

    >>> lowered("\u0130I")
    'ii'
    """
    return text.lower() if text.isascii() else text.replace("\u0130", "I").lower()


def _words(text: str, low: str, start: int, end: int, stop: str) -> Iterator[Token]:
    """A word, apart from the name and the sign before it ("pw:hunter2"), and from an "'s"."""
    if (word := text[start:end]).isalnum():
        yield _token(text, low, start, end, stop=stop)
        return
    if bound := _BOUND.fullmatch(text, start, end):
        yield _token(text, low, start, bound.end(1))
        yield _token(text, low, *bound.span(2))
        start = bound.start(3)
    start += end - start - len(text[start:end].lstrip("("))
    word = text[start:end]
    bare = word.rstrip(_ENDINGS if word.startswith(("*", "_")) else _ENDINGS[:-1])
    if bare.endswith("!") and (bare.rstrip("!").isalpha() or bare.rstrip("!").isdigit()):
        bare = bare.rstrip("!")
    if bare[-1:].isdigit() and word[len(bare) :].startswith("*") and "**" not in word:
        bare += "*"
    cut = word[len(bare) :].strip("'\u2019*_)]}\u2026")
    bare_end = start + len(bare)
    if not bare:
        return
    if owner := _OWNER.fullmatch(text, start, bare_end):
        yield _token(text, low, start, owner.end(1))
        yield _token(text, low, owner.start(2), bare_end, stop=cut[:1] or stop)
    elif ":" in cut:
        sign = text.index(":", bare_end)
        yield _token(text, low, start, bare_end)
        yield _token(text, low, sign, sign + 1, stop=stop if stop == "\n" else "")
    else:
        yield _token(text, low, start, bare_end, stop=cut[:1] or stop)


def _token(text: str, low: str, start: int, end: int, *, quoted: bool = False, stop: str = "") -> Token:
    return Token(text[start:end], low[start:end].replace("\u2019", "'"), start, quoted, stop)


def _stop(text: str, place: int) -> str:
    behind = _BEHIND.match(text, place)
    return "" if behind is None else behind[1] or "\n"


_TOKEN: Final = lazy_regex(
    r"\"([^\"\n]{1,60})\"|\u201c([^\u201c\u201d\n]{1,60})[\u201c\u201d]"
    r"|\u201e([^\u201c\u201d\n]{1,60})[\u201c\u201d]"
    r"|\u00ab\s?([^\u00ab\u00bb\n]{1,60}?)\s?\u00bb|`([^`\n]{1,60})`"
    r"|(?<![\w'])'([^'\n]{1,60})'(?!\w)|(?<!\w)\u2018([^\u2018\u2019\n]{1,60})\u2019(?!\w)"
    r"|(?P<sign>:=|[-=]{1,2}>|\u2192|={1,2}|[-\u2013\u2014]{1,2}(?=\s)|:(?=\s|\Z|[\"'\u201c\u201e\u00ab`]))"
    r"|(?P<word>[^\s\"\u201c\u201d\u201e\u00ab\u00bb`,;]{1,300})"
)
"""Quotations are limited to 60 characters, chosen by hand: a longer one is no password."""
_BOUND: Final = lazy_regex(
    r"((?:[\w-]*(?i:pass\w*|pwd?|pin|kennwort|codes?|kod|mdp|contrase\w+|clave|l\u00f6senord|senha|cv[cv]"
    r"|key|token|secret))"
    r"|(?i:user(?:name)?|login))(:=|=>|->|==?|:)((?!//)\S{1,200})"
)
_OWNER: Final = lazy_regex(
    r"(?!(?:it|that|what|here|there|he|she|let)['\u2019])(\w[\w-]*)(['\u2019]s)", re.IGNORECASE
)
_ENDINGS: Final = ".,;:?)]}>'\u2019\u2026*_"
_BEHIND: Final = lazy_regex(r"[)\]*_'\u2019]{0,3}[ \t]*([,;.!?]|\n|\Z)")
_FULL_STOPS: Final = frozenset(".!?;\n")
