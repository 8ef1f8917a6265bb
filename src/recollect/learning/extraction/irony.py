"""Irony that a marker gives away teaches nothing: "I love packing 🙄", "I am so good at this, yeah right".

Irony without a marker is not seen. A mere "lol" marks only praise: who is afraid of wasps "lol" is afraid.
"""

import re
from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.clauses import Sentence
from recollect.learning.listing import listed

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
    "/s",
    "of course",
    "oh",
    "diet",
    " on ",
    "fuel",
    "\U0001f644",
    "\U0001f643",
)
_SIGNS: Final = frozenset("\U0001f644\U0001f643")
"""Rolling eyes, and a face upside down."""
_MARKED: Final = re.compile(
    r"(?:said no ?(?:one|body)(?: ever)?|(?:just|only|totally) kidding|i am kidding|\bjk|psych|as if"
    r"|\byeah ,? ?right|[-\u2013\u2014,] not|/ ?s)(?: [!.)]+)*$"
)
"""Ends a sentence that meant the opposite."""
_PRAISE: Final = re.compile(
    r"\b(?:love|adore|enjoy|favou?rite|best|amazing|fantastic|so good)\b.*\b(?:lol|lmao)(?: [!.]+)*$"
)
_OF_COURSE: Final = re.compile(
    r"(?:(?:and|but|because|so) )?(?:of course|oh|oh yes|sure) ,? ?(?:i|we) "
    r"(?:(?:just|really|absolutely|so) )*(?:love|adore|enjoy)\b"
)
_SIGHS: Final = listed("ugh argh sigh meh grr ffs urgh bah damn")
"""Words of a bad mood; behind one "of course I adore ..." is meant the other way."""
_FED_ON: Final = re.compile(
    r"\b(?:diet (?:is|of|consists of)|(?:liv(?:e|es|ing)|surviv(?:e|es|ing)|run(?:s|ning)?) on|fuell?ed by)"
    r" (?:\S+ ){0,4}?(?:despair|tears|spite|sadness|misery|anxiety|regrets?|chaos|panic|rage|sarcasm|vibes"
    r"|desperation|self-pity|adrenaline)\b"
)
"""Says that somebody lives on a feeling. The words were chosen by hand."""
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
    marks = (_MARKED, _PRAISE, _FED_ON)
    if not _SIGNS.isdisjoint(words) or any(mark.search(said) for mark in marks):
        return True
    if _OF_COURSE.match(said) and any(_sighs(one) for one in sentences[: number + 1]):
        return True
    if number + 1 == len(sentences):
        return False
    behind = [token.low for token in sentences[number + 1].tokens]
    return _ALONE.match(" ".join(behind)) is not None or (behind != [] and set(behind) <= _SIGNS)


def _sighs(sentence: Sentence) -> bool:
    return sentence.tokens[0].low in _SIGHS
