"""Turns of phrase: verbs that mean something else, or nothing that lasts, before these words.

Objects that only point at something ("it", "this", "your ...") are told elsewhere and need no row. Chosen
by hand.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from recollect.learning.extraction.tables import RULES
from recollect.learning.listing import listed
from recollect.types.regex import lazy_regex

_TALK: Final = RULES["talk"]
"""Behind a verb of taste: talk of the moment, "I love to hear that"."""
_TASTES: Final = listed("love like hate enjoy adore dread fear prefer dislike crave relish")
_ROWS: Final = RULES["idioms"]
"""A verb in a line, and a regular expression of what stands behind it. A line that begins with a blank goes
on from the one before, without that blank."""


def _patterns() -> Mapping[str, re.Pattern[str]]:
    rows = dict(row.split(": ", 1) for row in _unfolded(_ROWS).splitlines())
    rows |= dict.fromkeys(_TASTES, _unfolded(_TALK))
    return MappingProxyType({verb: lazy_regex(rf"(?:{row})(?:\b|$)") for verb, row in rows.items()})


def _unfolded(text: str) -> str:
    return text.strip().replace("\n ", "")


_PATTERNS: Final = _patterns()


def is_idiom(verb: str, behind: str) -> bool:
    """Whether a verb before these words says nothing that lasts.

    >>> is_idiom("live", "for fridays"), is_idiom("live", "in rome"), is_idiom("love", "to hear that")
    (True, False, True)
    """
    pattern = _PATTERNS.get(verb)
    return pattern is not None and pattern.match(behind) is not None
