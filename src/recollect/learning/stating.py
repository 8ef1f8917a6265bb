"""Which sentences of a message kept as it stands state its change, and whether they can be reworded. Pure.

A message is read whole, since the sentence behind may name what is new. It is kept as the sentence that tells
of the change, with the one before it where that names whom its pronoun means, and a short one behind it that
names no subject of its own.
"""

import re
from collections.abc import Sequence
from typing import Final

from recollect.learning.listing import listed
from recollect.learning.reconcile.changes import tells_change
from recollect.learning.reconcile.doubts import have_in_common
from recollect.learning.reconcile.judge import sounds_like_a_change
from recollect.learning.reconcile.told import parts_of
from recollect.types.regex import lazy_regex

SHORT: Final = 10
"""Words of a sentence that only adds to the one before. Chosen by hand."""
_END: Final = lazy_regex(
    r"(?<!\bmr)(?<!\bms)(?<!\bdr)(?<!\bst)(?<!\bmrs)(?<!\bprof)(?<=[.!])\s+", re.IGNORECASE
)
_POINTS: Final = lazy_regex(
    r"(?:(?:and|but|so|well|oh|then)[, ]+)*(?:s?he|it|they|that|this|those|these|her|his|their)\b",
    re.IGNORECASE,
)
"""Begins with somebody or something that the sentence before names."""
_ADDS: Final = lazy_regex(
    r"(?:(?:and|so|now|then)[, ]+)*(?:it|it's|its|that's|thats|i'm|im|we're|on|in|at|with|to"
    r"|from|for|starting|since|new|now|the new|(?-i:[A-Z])\w+ now)\b(?! (?:doesn|didn|won)'?t)"
    r"|(?!(?:i|we|my|our)\b).* (?:now|instead)$",
    re.IGNORECASE,
)
"""Begins like what only adds a value to the sentence before: "it's 555-0187", "on Bosch now"."""
_LETTER: Final = lazy_regex(
    r"\b(?:an?|the|extra|letter|capital|double|with) i(?:[,.;:!?]|$)|, ,|(?:^| ),|\bquote\b", re.IGNORECASE
)
"""A letter that is no pronoun, and where words that were quoted are missing."""
_THEY: Final = lazy_regex(r"\b(?:they|them|theirs?|they'\w+|themselves)\b", re.IGNORECASE)
_OWN: Final = lazy_regex(r"\b(?:i|me|my|mine|we|us|our|ours|i'\w+|we'\w+)\b", re.IGNORECASE)
_NOUN: Final = lazy_regex(r"[^\W\d_]{4,}")
_NO_NOUNS: Final = listed(
    "user that this with from have been will were they them their what when then than said"
)


def stating(said: str, known: Sequence[str] = ()) -> str:
    """The sentences of a message that state its change.

    Args:
        said: The message's own words.
        known: What it ends, as sentences.

    >>> stating("VHI paid 740 for the holiday. I quit the gym today. Bruno sleeps at the fire.")
    'I quit the gym today'
    >>> stating("Rita did it! She quit the bank.")
    'Rita did it! She quit the bank'
    """
    parts = _END.split(said)
    if len(parts) == 1:
        return said
    chosen = _best(parts, known)
    first = chosen - 1 if chosen and _POINTS.match(parts[chosen]) else chosen
    last = chosen + 1
    while last < len(parts) and len(parts[last].split()) <= SHORT and _ADDS.match(parts[last]):
        last += 1
    return " ".join(parts[first:last]).rstrip(" .")


def is_understood(said: str) -> bool:
    """Whether a sentence of the speaker's stays clear where "they" stands for "I".

    >>> is_understood("I left Shell in May"), is_understood("I told them that we move")
    (True, False)
    >>> is_understood("She calls me Dimitri with an extra i, 28 years now")
    False
    """
    return not (_LETTER.search(said) or (_THEY.search(said) and _OWN.search(said)))


def _words(text: str) -> frozenset[str]:
    """The words of a text that may name a thing."""
    return frozenset(word for word in _NOUN.findall(text.lower()) if word not in _NO_NOUNS)


def _best(parts: Sequence[str], known: Sequence[str]) -> int:
    """The sentence that tells most plainly of a change, first of what is known."""

    def worth(place: int) -> tuple[bool, bool, bool, bool, int]:
        part = parts[place]
        about = any(have_in_common(part, one) or _words(part) & _words(one) for one in known)
        plain = bool(parts_of(part))
        tells = plain or tells_change(part)
        return (about and tells, plain, tells, sounds_like_a_change(part), -place)

    return max(range(len(parts)), key=worth)
