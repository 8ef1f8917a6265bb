"""Which row of the table of half-lives (``half_lives.txt``) a fact falls under."""

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from recollect.learning.listing import any_of
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

_TEXT: Final = Path(__file__).with_name("half_lives.txt").read_text(encoding="utf-8")
_HEAD: Final = re.compile(r"(?P<name>[\w ]+)\] (?:never|(?P<count>[\d.]+)(?P<unit>[hdwmy])): (?P<why>.+)")
_DAYS: Final = {"h": 1 / 24, "d": 1.0, "w": 7.0, "m": 365.25 / 12, "y": 365.25}
_NAMED: Final = r"(?: is (?:named|called) .*)?$"


class HalfLife(NamedTuple):
    """A row of the table.

    Attributes:
        name: What such facts are about.
        lasts: After how long half of them have changed; None where they do not.
        why: Where that comes from.
        finds: Finds it in the words of a fact, in small letters.
    """

    name: str
    lasts: timedelta | None
    why: str
    finds: re.Pattern[str]


def _rows() -> Iterator[HalfLife]:
    for row in _TEXT.split("\n[")[1:]:
        head, _, words = row.partition("\n")
        told = _HEAD.fullmatch(head)
        if told is None:
            raise ValueError(head)
        lasts = timedelta(days=float(told["count"]) * _DAYS[told["unit"]]) if told["count"] else None
        finds = lazy_regex(rf"\b{any_of(words.replace('NAMED', _NAMED))}(?!\w)")
        yield HalfLife(told["name"], lasts, told["why"], finds)


HALF_LIVES: Final = tuple(_rows())
OTHER: Final = HALF_LIVES[-1]
_NOTHING: Final = lazy_regex(r"(?!)")
PAST: Final = HalfLife("past", None, "what was does not change", _NOTHING)
INSTRUCTION: Final = HalfLife("instruction", None, "it holds until it is taken back", _NOTHING)
PLAN: Final = HalfLife("plan", timedelta(days=60), "by hand: most plans are for the next weeks", _NOTHING)


def half_life_of(fact: MemoryRecord) -> HalfLife:
    """The row of a fact, by its category or its words."""
    if fact.metadata.get("past"):
        return PAST
    match fact.labels.category:
        case "instruction":
            return INSTRUCTION
        case "plan":
            return PLAN
    return half_life_of_words(_words(fact))


def _words(fact: MemoryRecord) -> str:
    """What a fact says; of what somebody close does or has without whose it is."""
    subject, relation, thing = (fact.metadata.get(name) for name in ("subject", "relation", "object"))
    if relation == "said" or not (isinstance(subject, str) and isinstance(relation, str)):
        return fact.content
    whose = "user" if relation.split()[:1] not in (["is"], []) and "'s " in subject else subject
    return f"{whose} {relation} {thing or ''}"


@lru_cache(maxsize=4096)
def half_life_of_words(words: str) -> HalfLife:
    """The first row that finds something in a sentence.

    >>> for words in ("User lives in Rome.", "User is in a good mood.", "User's boss is named Ada."):
    ...     row = half_life_of_words(words)
    ...     print(row.name, row.lasts)
    home 2922 days, 0:00:00
    mood 8:00:00
    boss 730 days, 12:00:00
    """
    low = words.lower().strip().removesuffix(".").strip()
    return next(row for row in HALF_LIVES if row.finds.search(low))
