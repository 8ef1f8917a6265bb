"""What in a turn is not the speaker's own statement: code, quotations, pasted text, what hides in tags.

Every function returns a text of the same length, in which what was found is blank, so that places stay.
"""

import re
from typing import Final

from recollect.learning.extraction.material import without_material
from recollect.learning.extraction.others import without_others, without_recalled
from recollect.text.secrets import find_secrets
from recollect.types.regex import lazy_regex

_CODE: Final = lazy_regex(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_TAGGED: Final = lazy_regex(r"<(?=[A-Za-z/!])[^<>\n]{1,80}>")
_BACKTICKS: Final = lazy_regex(r"`[^`\n]+`")
_NOT_TYPED: Final = lazy_regex(
    r"^(?:[ \t]{0,3}[>|].*|(?: {4}|\t).*[=(){}\[\];].*|.*(?:[;{}]|\):|=>|->)[ \t]*|[ \t]*(?:import|from|def"
    r"|class|return|#include|SELECT|select|const|let|var|function|@\w)\b.*[(){};=].*|[ \t]*(?:#{1,6}|\$|%"
    r"|>>>|//) \S.*|(?:.*[ \t])?/s(?:[ \t].*)?)$",
    re.MULTILINE,
)
"""Lines quoted from others, tables, headings, lines of code and of terminals, and what "/s" calls a joke."""
_LETTER: Final = lazy_regex(
    r"^[ \t]*(?:from:[ \t]?\S.*\n|(?:to|subject|cc|sent|date):[ \t]?\S.*\n"
    r"[ \t]*(?:from|to|subject|cc|sent|date):|-+ ?(?:forwarded|original) message|on \S.{1,80} wrote:[ \t]*$"
    r"|dear (?:[a-z .]{1,40},[ \t]*$|(?:mr|mrs|ms|miss|dr|sir|madam|prof|hiring|team|colleagues|customer"
    r"|landlord|tenant|parents|santa)\b[^,\n]{0,40},)|to whom it may concern)",
    re.MULTILINE | re.IGNORECASE,
)
"""How a pasted letter begins; it goes on to the end."""
_PAIRS: Final = (
    lazy_regex("\u201c[^\u201d\n]{0,1000}(?:[\u201d\n]|$)"),
    lazy_regex("\u201e[^\u201c\u201d\n]{0,1000}(?:[\u201c\u201d\n]|$)"),
    lazy_regex("\u00ab[^\u00bb\n]{0,1000}(?:[\u00bb\n]|$)"),
    lazy_regex(r"(?<![\w\"])\"(?=\S)[^\"\n]*(?:\"|$)", re.MULTILINE),
    lazy_regex(r"(?<![\w'])'(?=[^\s'])(?:[^'\n]|'(?=\w)){1,1500}'(?!\w)"),
    lazy_regex("(?<!\\w)\u2018(?=\\S)(?:[^\u2018\u2019\n]|\u2019(?=\\w)){1,1500}\u2019(?!\\w)"),
    lazy_regex("[\u300c\u300e][^\u300d\u300f\n]{0,1000}[\u300d\u300f\n]"),
)
"""Quotation marks. The bounds keep the time linear where there is no end."""
_OWN_VOICE: Final = lazy_regex(
    r"\b(?:i|i'm|im|i've|my|me|we|our|us|you|your|ich|wir|mein|je|moi|mon|ma|nous|yo|mi|soy|me)\b|[我]",
    re.IGNORECASE,
)
"""A quotation with one of these is speech; one without is a title, or a word."""


def own_words(text: str, *, speaker: str | None = None) -> str:
    r"""The text with blanks for what is not the speaker's own.

    ``speaker``: who said it, whose own lines of a pasted chat stay: "Ada: I live in Rome".

    >>> own_words('He said "I live in Rome". I read "Dune".')
    'He said                 . I read "Dune".'
    """
    masked = without_material(without_recalled(text))
    if "```" in masked or "~~~" in masked:
        masked = _CODE.sub(_blank, masked)
    if "`" in masked:
        masked = _BACKTICKS.sub(_blank_code, masked)
    if "<" in masked:
        masked = _without_tagged(masked)
    masked = _NOT_TYPED.sub(_blank, masked)
    if letter := _LETTER.search(masked):
        masked = masked[: letter.start()] + " " * (len(masked) - letter.start())
    masked = without_others(masked, speaker=speaker)
    for pair in _PAIRS:
        masked = pair.sub(_blank_speech, masked)
    return _without_secrets(masked)


_TITLED: Final = lazy_regex(
    r"\b(?:(?:favou?rite|name)\b[^\"\u201c\n.!?]{0,60}\b(?:is|are|probably|definitely)|like|love|enjoy|adore|hate"
    r"|prefer) (?P<open>[\"\u201c])(?P<title>[A-Z\d][^\"\u201c\u201d\n]{1,60})(?<!,)[\"\u201d]"
)
"""A title behind a word that says what something is, or who likes it: 'my favourite book is "Dune"'."""


def unmarked(text: str) -> str:
    """The text with blanks for the quotation marks around titles; what may be speech keeps them.

    >>> unmarked('My favourite book is "Dune". She said "Hello".')
    'My favourite book is  Dune . She said "Hello".'
    """

    def blank(match: re.Match[str]) -> str:
        if _OWN_VOICE.search(match["title"]):
            return match.group()
        return f"{match.group()[: match.start('open') - match.start()]} {match['title']} "

    return _TITLED.sub(blank, text) if '"' in text or "\u201c" in text else text


def _blank(match: re.Match[str]) -> str:
    """Blanks, with the line breaks left."""
    return "".join("\n" if c == "\n" else " " for c in match.group())


def _blank_code(match: re.Match[str]) -> str:
    """A name of a program in backticks stays without them."""
    inner = match.group()[1:-1]
    return f" {inner} " if inner.isalnum() else _blank(match)


def _blank_speech(match: re.Match[str]) -> str:
    return _blank(match) if _OWN_VOICE.search(match.group()) else match.group()


def _without_tagged(text: str) -> str:
    """Blanks from the first tag to the last: what stands between them was not typed by hand."""
    tags = list(_TAGGED.finditer(text))
    if not tags:
        return text
    start, end = tags[0].start(), tags[-1].end()
    return text[:start] + "\n" + " " * (end - start - 1) + text[end:]


def _without_secrets(text: str) -> str:
    """Blanks for the lines that hold a secret: nothing beside one is worth the risk."""
    for secret in find_secrets(text):
        start = text.rfind("\n", 0, secret.start) + 1
        end = text.find("\n", secret.end)
        end = len(text) if end < 0 else end
        text = text[:start] + " " * (end - start) + text[end:]
    return text
