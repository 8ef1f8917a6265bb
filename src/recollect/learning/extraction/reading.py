"""What of a turn is read, and in which characters: composed letters, nothing invisible, no half sentence.

What is stored keeps the words as they were said; a fact quotes them as they are read.
"""

import unicodedata
from typing import Final

from recollect.text.analyse import READ_CHARACTERS
from recollect.types.regex import lazy_regex

_INVISIBLE: Final = lazy_regex("[\u00ad\u200b\u2060\ufeff]|(?<=[A-Za-z\u00c0-\u024f])[\u200c\u200d]+")
"""What may stand inside a word unseen; joiners of other scripts and of emoji stay."""


def as_read(text: str) -> str:
    r"""What is read of a text: composed (NFC), at most 20,000 characters, up to the end of a sentence.

    >>> as_read("Du\u0308sseldorf, z\u200balgo")
    'Düsseldorf, zalgo'
    """
    seen = text[:READ_CHARACTERS]
    if len(text) > READ_CHARACTERS:
        seen = _whole(seen)
    return unicodedata.normalize("NFC", seen if seen.isascii() else _INVISIBLE.sub("", seen))


def _whole(seen: str) -> str:
    """A text without the sentence, or at least the word, that a cut left half."""
    last = max(seen.rfind(end) for end in (". ", "! ", "? ", "\n", "\u3002", "\uff01", "\uff1f"))
    if last < 0:
        last = max(seen.rfind(" ") - 1, 0)
    return seen[: last + 1]
