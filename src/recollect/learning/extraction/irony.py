"""Irony that a marker gives away teaches nothing: "I love packing 🙄", "I am so good at this, yeah right".

Irony without a marker is not seen. A mere "lol" marks only praise: who is afraid of wasps "lol" is afraid.
"""

import re
from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.clauses import Sentence

_HINTS: Final = (
    "kidding",
    "jk",
    "yeah",
    "as if",
    "psych",
    "said no",
    "lol",
    "lmao",
    " not",
    "\U0001f644",
    "\U0001f643",
)
_SIGNS: Final = frozenset("\U0001f644\U0001f643")
"""Rolling eyes, and a face upside down."""
_MARKED: Final = re.compile(
    r"(?:said no ?(?:one|body)(?: ever)?|(?:just|only|totally) kidding|i am kidding|\bjk|psych|as if"
    r"|\byeah ,? ?right|[-\u2013\u2014,] not)(?: [!.)]+)*$"
)
"""Ends a sentence that meant the opposite."""
_PRAISE: Final = re.compile(
    r"\b(?:love|adore|enjoy|favou?rite|best|amazing|fantastic|so good)\b.*\b(?:lol|lmao)(?: [!.]+)*$"
)
_ALONE: Final = re.compile(r"(?:(?:just |only |i am )?kidding|jk|not|psych|as if|yeah ,? ?right)(?: [!.]+)*$")
"""A sentence of its own that takes back the one before."""


def may_joke(text: str) -> bool:
    """Whether a marker of irony may be in a text; fast, and wrong at most one way."""
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS)


def is_joke(sentences: Sequence[Sentence], number: int) -> bool:
    """Whether a sentence meant the opposite, by a marker in it or right behind it.

    Args:
        sentences: Those of a turn.
        number: Which one.
    """
    words = [token.low for token in sentences[number].tokens]
    said = " ".join(words)
    if not _SIGNS.isdisjoint(words) or _MARKED.search(said) or _PRAISE.search(said):
        return True
    if number + 1 == len(sentences):
        return False
    behind = [token.low for token in sentences[number + 1].tokens]
    return _ALONE.match(" ".join(behind)) is not None or (behind != [] and set(behind) <= _SIGNS)
