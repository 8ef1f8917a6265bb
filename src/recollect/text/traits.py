"""What a text offers at a glance, and what a question looks for.

A "when" is best answered by words that carry a time, a "how many" by a number, a "who" by a name.
English only; in other languages these hints stay silent and the words and vectors decide.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.text.analyse import ascii_words
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

_Packed = TypeVar("_Packed", int, NDArray[np.int32])


class Trait(IntFlag):
    """What can be told of a text without understanding it; one bit each."""

    TIME = 1
    """It names a time: a weekday, a date, "two weeks ago"."""
    NUMBER = 2
    """It holds a number, in digits or words."""
    NAME = 4
    """It holds a capitalised word inside a sentence."""
    ASKS = 8
    """It ends with a question mark."""
    WISHES = 1 << 28
    """It says what its speaker wants from now on: an instruction that stands, or what they prefer."""


_ROLE_NAMES: Final = frozenset({"", "user", "assistant", "system", "tool", "human", "ai", "bot"})

_TELLING_SHIFT: Final = 4
_TELLING: Final = (1 << 24) - 1
"""Between the first four traits and the last stands the count of distinct telling words."""

_TRAITS: Final = tuple(map(Trait, range(16)))
"""Every combination, by its bits: to look one up is faster than to join them."""
_TIME_IN_DIGITS: Final = r"\d{1,2}(?:st|nd|rd|th)|(?:19|20)\d\d|\d{1,2}(?::\d\d)? ?[ap]m"
_TIME_WORDS: Final = (
    r"\b(?:yesterday|today|tonight|tomorrow|ago|(?:last|next|this) \w+|weeks?|weekends?|months?|years?|days?"
    r"|january|february|march|april|june|july|august|september|october|november|december"
    rf"|in may|may \d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|{_TIME_IN_DIGITS})\b"
)
_TIME_WORD: Final = lazy_regex(_TIME_WORDS, re.IGNORECASE)
_LOWER_TIME_WORD: Final = lazy_regex(_TIME_WORDS)
"""The same in a text in lower case, in half the time."""
_TIME_NUMBER: Final = lazy_regex(rf"\b(?:{_TIME_IN_DIGITS})\b", re.IGNORECASE)
_NUMBER_WORD: Final = lazy_regex(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|couple|twice|once)\b",
    re.IGNORECASE,
)
_TIMES: Final = frozenset({
    "yesterday", "today", "tonight", "tomorrow", "ago", "week", "weeks", "weekend", "weekends", "month",
    "months", "year", "years", "day", "days", "january", "february", "march", "april", "june", "july",
    "august", "september", "october", "november", "december", "monday", "tuesday", "wednesday", "thursday",
    "friday", "saturday", "sunday",
})  # fmt: skip
"""Words in which the pattern finds a time by themselves."""
_TIME_CUES: Final = _TIMES | {"last", "next", "this", "may"}
_NUMBER_CUES: Final = frozenset({
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "dozen", "hundred", "thousand",
    "couple", "twice", "once",
})  # fmt: skip
"""An ASCII text, in which the patterns find anything but digits, holds one of these words."""
_DIGIT: Final = lazy_regex("[0-9]")
_INNER_CAPITAL: Final = lazy_regex(r" [A-Z](?<=[a-z,;:] [A-Z])[a-z]")
"""The blank comes first: a regular expression finds it three times as fast as one of many letters."""

_WISH_CUES: Final = frozenset({
    "always", "never", "ever", "whenever", "future", "now", "ask", "asking", "request", "prefer", "prefers",
    "preference", "preferences", "rather",
})  # fmt: skip
"""A text that holds none of these words holds no wish."""
_WISH: Final = lazy_regex(
    r"(?:^|[.!?;:\n]) *(?:(?:please|and|also|so|but|ok|okay|just),? )*"
    r"(?:always|never(?! mind\b)|from now on|in (?:the )?future|(?:do not|don['\u2019]?t) ever"
    r"|make sure (?:to|you) always|remember to always)\b"
    r"|\b(?:when|whenever|if|any ?time|every time|each time) i(?:['\u2019]?m)? (?:ask|asking|request)\b"
    r"|\b(?:i(?:['\u2019]?d)?(?: would)?|user)"
    r"(?: (?:really|also|usually|generally|still|always|strongly|personally|much|tend to))* prefers?\b"
    r"|\bi(?:['\u2019]?d| would)(?: much)? rather\b|\bmy preferences?\b",
    re.IGNORECASE,
)
"""An instruction for later, or a preference; "I always forget" is neither."""

_WHEN: Final = lazy_regex(
    r"^\W*when\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow long\b", re.IGNORECASE
)
_HOW_MANY: Final = lazy_regex(
    r"\bhow (?:many|much|often|old|far)\b|\b(?:percentage|percent|amount|number|cost|price|budget|rate)\b",
    re.IGNORECASE,
)
_WHO: Final = lazy_regex(r"\b(?:who|whom|whose|where|which|names?)\b", re.IGNORECASE)
_SAID: Final = (
    "said|told|suggested|recommended|advised|mentioned|provided|gave|given|explained|listed|described"
    "|proposed"
    "|wrote|written|shared|outlined|showed|shown|helped|created|made|answered|offered|pointed|walked|taught"
    "|drafted|came"
)
_YOU_SAID: Final = lazy_regex(
    r"\b(?:did|had|have) you\b(?! ever)"
    rf"|\byou(?:['\u2019]ve| have| had| just| also| previously| earlier| already| once)* (?:{_SAID})\b"
    r"|\byour (?:previous |earlier |last )*"
    r"(?:suggestions?|recommendations?|advice|answers?|explanation|list|response|repl(?:y|ies))\b",
    re.IGNORECASE,
)
_SUMMARY: Final = lazy_regex(
    r"^\W*(?:(?:can|could|would|will) you |please |i(?:'d| would) like )*"
    r"(?:summari[sz]e|recap"
    r"|(?:(?:give|write|provide|get|show)(?: me| us)? )?an? (?:\w+ ){0,2}(?:summary|recap))\b",
    re.IGNORECASE,
)
"""A summary is asked for: that is about what both sides said."""
_LOOKS_BACK: Final = lazy_regex(
    r"\b(?:did|have|had|was|were|am) i\b"
    r"|\bi(?:['\u2019]ve| have|['\u2019]d| had)?"
    r" (?:mentioned|said|told|discussed|brought|talked|shared|planned|asked|described)\b"
    r"|\b(?:the|what|which|in) order\b|\bsummar(?:y|ise|ize)\b",
    re.IGNORECASE,
)
"""It is asked what was, not for something new."""

_GLANCE: Final = 20_000
"""Characters looked at; a longer text has some of everything. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a question asks for.

    Attributes:
        traits: A text with any of these fits better.
        assistant: It asks for what the assistant said, too.
        advice: It asks for something new, rather than for what was: there the user's wishes count.
    """

    traits: Trait
    assistant: bool = False
    advice: bool = False


def traits_of(text: str) -> Trait:
    """The traits of a text.

    >>> traits_of("We met Ada two weeks ago.") == Trait.TIME | Trait.NUMBER | Trait.NAME
    True
    """
    seen = text[:_GLANCE]
    words = ascii_words(seen) if seen.isascii() else None
    digits = _DIGIT.search(seen) is not None
    time = _names_a_time(seen, words, digits=digits)
    worded = words is None or not _NUMBER_CUES.isdisjoint(words)
    number = digits or (worded and _NUMBER_WORD.search(seen) is not None)
    name = _INNER_CAPITAL.search(seen) is not None
    asks = text.rstrip().endswith(("?", "\uff1f"))
    traits = _TRAITS[time + 2 * number + 4 * name + 8 * asks]
    if words is not None and _WISH_CUES.isdisjoint(words):
        return traits
    return traits | Trait.WISHES if _WISH.search(seen) else traits


def _names_a_time(text: str, words: Sequence[str] | None, *, digits: bool) -> bool:
    """Whether a text names a time, looked for no longer than it must be."""
    if words is None:
        return _TIME_WORD.search(text) is not None
    if _TIME_CUES.isdisjoint(words):
        return digits and _TIME_NUMBER.search(text) is not None
    if "_" not in text and not _TIMES.isdisjoint(words):  # an underscore belongs to a word of the pattern
        return True
    return _LOWER_TIME_WORD.search(text.lower()) is not None


_BARE_QUESTION: Final = lazy_regex(
    r"(?:(?:and|so|ok|okay|hey|hi|please|also) )*(?:what|when|where|who|whom|whose|why|how|which|do|does"
    r"|did|is|are|am"
    r"|was|were|can|could|would|will|should|have|has)(?:'s)?\b[^.,;:!?()\n\u2013\u2014-]{1,120}[?\uff1f]+",
    re.IGNORECASE,
)


def is_bare_question(text: str) -> bool:
    """Whether a text asks, in one short sentence, and tells nothing beside.

    >>> is_bare_question("Who is the deputy?"), is_bare_question("I'm vegan, what can I eat?")
    (True, False)
    """
    return _BARE_QUESTION.fullmatch(text.strip()) is not None


def is_name(speaker: str) -> bool:
    """Whether a speaker is someone with a name, rather than a role in a chat.

    >>> is_name("Ada"), is_name("Assistant"), is_name("")
    (True, False, False)
    """
    return speaker.strip().lower() not in _ROLE_NAMES


def spoken(record: MemoryRecord) -> str:
    """The words a memory is found by: its own, who said them, and of a fact how people ask for it.

    A question about Ada looks for what Ada said; "Where do I work?" looks for "User starts at Arup", too.
    """
    speaker = record.origin.speaker
    named = f"{record.content}\n{speaker}" if speaker and is_name(speaker) else record.content
    relation = str(record.metadata.get("relation")) if record.kind == "fact" else ""
    asked = _ASKED_BY.get(relation) or _ASKED_BY.get(relation.partition(" ")[0])
    return f"{named}\n{asked}" if asked else named


_ASKED_BY: Final = {
    "works at": "work job employer",
    "works as": "work job profession",
    "lives in": "live home",
    "is allergic to": "allergic allergy",
    "reacts badly to": "allergic allergy",
    "has diet": "eat diet",
    "is named": "name",
    "is called": "name",
    "is dating": "partner relationship",
    "is married to": "partner relationship",
    "drives": "car",
    "takes": "medication medicine",
}
"""By the relation of a fact, or its first word, how people ask for it. Chosen by hand."""


def wish_of(question: str) -> Wish:
    """What a question looks for.

    >>> wish_of("When did you suggest that?")
    Wish(traits=<Trait.TIME: 1>, assistant=True, advice=False)
    >>> wish_of("What movies would you recommend?").advice
    True
    """
    traits = Trait(0)
    if _WHEN.search(question):
        traits |= Trait.TIME
    if _HOW_MANY.search(question):
        traits |= Trait.NUMBER
    if _WHO.search(question):
        traits |= Trait.NAME
    assistant = bool(_YOU_SAID.search(question) or _SUMMARY.search(question))
    back = assistant or bool(traits & (Trait.TIME | Trait.NUMBER)) or _LOOKS_BACK.search(question) is not None
    return Wish(traits=traits, assistant=assistant, advice=not back)


def pack_traits(traits: Trait, telling: int) -> int:
    """Traits and the number of distinct content words in one integer, as stores keep them."""
    return int(traits) | telling << _TELLING_SHIFT


def telling_of(packed: _Packed) -> _Packed:
    """The number of distinct content words, of what ``pack_traits`` made; of an array each.

    >>> telling_of(pack_traits(Trait.WISHES | Trait.ASKS, 7))
    7
    """
    return packed >> _TELLING_SHIFT & _TELLING
