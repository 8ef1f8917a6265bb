"""Slots of a life: what a person has one of at a time, what holds one, and what tells of its change."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from recollect.learning.listing import DRUG, any_of, listed
from recollect.types.regex import lazy_regex

_TEXT: Final = Path(__file__).with_name("slots.txt").read_text(encoding="utf-8")
_WORDS, _, _ROWS = re.sub(r"^#.*\n", "", _TEXT, flags=re.MULTILINE).partition("\n[")
_NAMED: Final = lazy_regex(r"\{([A-Z_]+)\}")
_MADE: Final = lazy_regex(r"<(new|now) ((?:[^<>]|\(\?<[!=])+)>")


class Slot(NamedTuple):
    """One slot.

    Attributes:
        name: What it is called.
        holds: Finds it in a statement: "works at", "jobbar på".
        turns: Finds a change of it in a message: "handed in my notice", "started at".
        maybe: Finds what may be one, where a name or a number is told that the statement lacks.
        alone: Whether it has one value at a time so plainly that another one may be a change by itself.
        seeks: Words by which statements of it are searched.
        shares: Finds words of which a change must hold one that the statement has; None where any will do.
        hints: Beginnings of words, of which what ``turns`` or ``maybe`` finds holds at least one.
        wordless: Whether either may find something without such a word: a number, an address.
    """

    name: str
    holds: re.Pattern[str]
    turns: re.Pattern[str]
    maybe: re.Pattern[str]
    alone: bool
    seeks: str
    shares: re.Pattern[str] | None
    hints: frozenset[str]
    wordless: bool


_LETTERS: Final = lazy_regex(r"(?<!\\)[^\W\d_]{3,}")
_WORDLESS: Final = lazy_regex(r"\d|@|\[abc\]")
_HINTED: Final = 4
"""Letters by which a word is looked up. Chosen by hand."""
_COMMON: Final = listed("the and for with from that this was were has have had are not but you all")


def hints_of(text: str) -> frozenset[str]:
    """The beginnings of the words of a text or of a pattern.

    >>> sorted(hints_of("switched to the (?:bank|banks)"))
    ['bank', 'swit']
    """
    words = [word for word in _LETTERS.findall(text) if word not in _COMMON]
    return frozenset(word[:_HINTED] for word in words)


def turned_by(text: str) -> list[Slot]:
    """The slots of which a text in small letters may tell a change, by its words; most texts tell none."""
    cut = {word[:size] for word in _LETTERS.findall(text) for size in (_HINTED - 1, _HINTED)}
    near = {place for word in cut for place in _BY_HINT.get(word, ())}
    return [SLOTS[place] for place in sorted(near | _WORDLESS_SLOTS)]


def _unfolded(text: str) -> Iterator[str]:
    yield from text.strip().replace("\n ", "").splitlines()


_GROUPS: Final = MappingProxyType(
    {row.partition(": ")[0]: row.partition(": ")[2] for row in _unfolded(_WORDS)} | {"DRUG": DRUG}
)


_NO_MORE: Final = r"(?! (?:my|our|the|his|her|it|this|that|\w+ (?:to|from|for))\b)"
"""Behind "the doctor changed": who changes something is not changed."""


def _new(nouns: str) -> str:
    """A new one of these, or a change of the one there was."""
    few = _GROUPS["A_FEW"]
    return any_of(
        rf"""
        (?:new(?! (?:york|zealand|jersey|orleans|delhi|mexico|year)\b)|different|replacement) {few}{nouns}s?
        | (?:changed|changing|switched|swapped|traded in|traded|upgraded|replaced|updated) {few}{nouns}s?
        | {nouns}(?: has| have| got| was|'s)? (?:just |been |now )*(?:changed|replaced|switched){_NO_MORE}
        """
    )


def _now(nouns: str) -> str:
    """One of these beside a word for the present."""
    return any_of(
        rf"""
        {nouns}\b.{{0,60}}\b(?:now|these days|nowadays|from now on|as of|instead)
        | (?:now|these days|nowadays|from now on|as of \w+|since \w+)\b.{{0,40}}\b{nouns}
        """
    )


_MAKERS: Final = MappingProxyType({"new": _new, "now": _now})


def _filled(pattern: str) -> str:
    """A pattern with its groups in place of their names."""
    while _NAMED.search(pattern):
        pattern = _NAMED.sub(lambda name: f"(?:{any_of(_GROUPS[name[1]])})", pattern)
    return _MADE.sub(lambda made: _MAKERS[made[1]](f"(?:{made[2]})"), pattern)


def _finding(pattern: str) -> re.Pattern[str]:
    return lazy_regex(rf"(?<!\w)(?:{any_of(_filled(pattern))})(?!\w)")


def _slots() -> Iterator[Slot]:
    for row in "\n".join(_unfolded(_ROWS)).split("\n["):
        name, _, lines = row.removeprefix("[").partition("]\n")
        told = dict(line.split(": ", 1) for line in lines.strip().splitlines())
        if told:
            alone = "alone" in told
            besides = f"{told.get('maybe', '(?!)')} | {told['holds'] if alone else '(?!)'}"
            turns, maybe = _finding(told["turns"]), _finding(besides)
            yield Slot(
                name,
                _finding(told["holds"]),
                turns,
                maybe,
                alone,
                told.get("seeks", ""),
                _finding(f"(?:{told['shares']})s?") if "shares" in told else None,
                hints_of(turns.pattern) | hints_of(maybe.pattern),
                _WORDLESS.search(f"{told['turns']}{besides}") is not None,
            )


SLOTS: Final = tuple(_slots())
"""In no order; a statement may fill several."""
_WORDLESS_SLOTS: Final = frozenset(place for place, slot in enumerate(SLOTS) if slot.wordless)
_BY_HINT: Final = MappingProxyType(
    {
        word: tuple(place for place, slot in enumerate(SLOTS) if word in slot.hints)
        for word in frozenset().union(*(slot.hints for slot in SLOTS))
    }
)
BY_NAME: Final[Mapping[str, Slot]] = {slot.name: slot for slot in SLOTS}
