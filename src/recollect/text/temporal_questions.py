"""Whether a question asks for a time, a length of time, a count or an order in what was told.

======= ================================================ ============================================
kind    asks                                             not
======= ================================================ ============================================
since   "since when have I lived in Porto?"
length  "how long did I live in Lisbon?"                 "how long does paint take to dry?"
between "how long between the offer and the move?"
ago     "how long ago was my last shot?"
often   "how often did I run this year?"                 "how often should I run?"
when    "when did I last see Tom?"                       "when does the museum open?"
order   "which came first, the dog or the move?"
yes     "did I move before I got the dog?"
next    "what happened after the wedding?"
prior   "who was treasurer before Malik?"
at      "where did I live in 2022?"                      "where do I live?"
rate    "how often do I go to the gym?"                  "how often do cats eat?"
======= ================================================ ============================================

It is read by rules, in English, from the last sentence that asks.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Final, Literal

from recollect.text.dates import find_dates
from recollect.types import DateSpan
from recollect.types.regex import lazy_regex

TemporalKind = Literal[
    "since", "length", "between", "ago", "often", "when", "order", "yes", "next", "prior", "at", "rate"
]
"""What is asked for."""
MOST_CHARACTERS: Final = 300
"""Of a message, its end is looked at. Chosen by hand."""
_GATE: Final = (
    "since ", "how long", "how often", "how many", "when ", "when's", "before", "after", "first", "older",
    "younger", " in ", " on ", " at ", "last", "this", "during", "ago", "what year", "which year", "what day",
)  # fmt: skip
"""A question that asks for a time has one of these words."""
_SENTENCE: Final = lazy_regex(r"[^.!?\n]*[^.!?\s][^.!?\n]*\??")
_LEADS: Final = r"and|so|but|oh|ok|hey|by the way|tell me|remind me|do you (?:know|remember)|again|for|in|on"
_LEAD: Final = rf"^\W*(?:(?:{_LEADS}),? )*"
_BE: Final = r"(?:have|has|am|is|are|do|does|did|was|were)"
_DAY: Final = r"(?:day|date|month|year)"
_PAST: Final = r"(?:did|was|were|had)"
_UNITS: Final = r"(?:minutes|hours|days|weeks|months|years)"
_LONG: Final = rf"how (?:long|many {_UNITS})"
_FIRST: Final = r"(?:first|earlier|sooner|older)"
_RULES: Final[tuple[tuple[TemporalKind, str], ...]] = (
    ("since", rf"(?:since|from) (?:when|what {_DAY}) {_BE} (?P<x>.+)"),
    ("ago", rf"{_LONG} ago (?:was|were|did|is|have|has) (?P<x>.+)"),
    ("ago", rf"{_LONG} (?:has it been|is it|was it)(?: now)? since (?P<x>.+)"),
    ("between", rf"{_LONG} (?:after|from) (?P<x>.+?),? (?:did|was|were) (?P<y>.+)"),
    ("between", rf"{_LONG} .*?\bbetween (?P<x>.+) and (?P<y>.+)"),
    ("between", rf"{_LONG} .*?\bfrom (?P<x>.+) (?:to|until|till) (?P<y>.+)"),
    ("between", rf"{_LONG} {_PAST} (?P<x>.+) (?:before|until|till) (?P<y>.+)"),
    ("length", rf"{_LONG} (?P<going>have|has|am) (?P<x>(?:i|we|my|our|[a-z]+)\b.+)"),
    ("length", rf"{_LONG} {_PAST} (?P<x>.+)"),
    ("often", r"how (?:often|many times) (?:did|have|has|was|were|had) (?P<x>.+)"),
    ("often", r"how many (?P<x>(?!\w+ old)[\w' -]+? (?:did|have|has) .+)"),
    ("rate", r"how (?:often|many times a \w+) do (?P<x>(?:i|we)\b.+)"),
    ("order", rf"(?:which|what|who) (?P<z>.*?)\b{_FIRST}\b(?P<w>[^,:]*)[,:] (?P<x>.+) or (?P<y>.+)"),
    ("yes", r"(?:did|was|were|have|had) (?P<x>.+?) (?P<way>before or after|before|after) (?P<y>.+)"),
    ("when", r"(?:when|what)(?:'s| is| was) (?P<x>the (?:first|last) time\b.+)"),
    ("when", r"when (?:did|was|were|have|has|had) (?P<x>.+)"),
    ("when", rf"(?:what|which) {_DAY} (?:did|was|were) (?P<x>.+)"),
    ("next", r"(?:what|who|where|which) (?P<x>.+?) after (?P<y>.+)"),
    ("prior", r"(?:what|who|where|which) (?P<x>.+?) before (?P<y>.+)"),
    ("at", r"(?:what|who|where|which|whose) (?P<x>.+)"),
)  # fmt: skip
_PATTERNS: Final = tuple((kind, lazy_regex(f"(?i){_LEAD}{rule}")) for kind, rule in _RULES)
_OWN_PAIR: Final = lazy_regex(r"(?i)(?:my|our|the) [\w-]+ and (?!(?:my|our|the)\b)[\w-]+ [\w-]+")
_OF_NOUN: Final = lazy_regex(r"(?i)\bhow many (?!times\b)")
_GENERAL: Final = lazy_regex(
    r"(?i)\b(?:should|usually|typically|generally|normally|on average|can i|could i|will|next)\b"
)
"""Asks of the world, or of what is to come."""
_PLACED: Final = lazy_regex(
    r"(?i)\b(?:(?P<last>last|most recently|the last time)|(?P<first>first|for the first time))\b"
    r"(?! (?:week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|night|summer|winter"
    r"|spring|autumn))"
)
_AUXILIARIES: Final = frozenset({"came", "was", "is", "happened", "did", "i", "we", "he", "she", "they"})
_NTH: Final = lazy_regex(r"(?i),? ?\bthe (?P<nth>first|second|third|last) time\b")
_NTHS: Final = {"first": 0, "second": 1, "third": 2, "last": -1}


@dataclass(frozen=True, slots=True, kw_only=True)
class TemporalQuestion:
    """A question for a time.

    Attributes:
        about: What it asks of, in its words.
        other: The second event of ``between``, ``order`` and ``yes``; with ``next``, ``prior`` the one named.
        way: Which way a ``yes`` asks: ``before``, ``after`` or ``before or after``.
        going: Whether what it asks of still goes on.
        of_noun: Whether it counts what a noun names: "how many gigs did we play?"
        nth: Which of several it means: 0 for the first, -1 for the last; None for whichever.
        period: The time it restricts itself to.
    """

    kind: TemporalKind
    about: str
    other: str = ""
    way: str = ""
    going: bool = False
    of_noun: bool = False
    nth: int | None = None
    period: DateSpan | None = None


def read_temporal_question(message: str, *, now: datetime, timezone: tzinfo = UTC) -> TemporalQuestion | None:
    """What a message asks for; None where it asks for no time.

    >>> now = datetime(2026, 5, 1, tzinfo=UTC)
    >>> read_temporal_question("Since when have I lived in Porto?", now=now).about
    'I lived in Porto'
    >>> read_temporal_question("How long does paint take to dry?", now=now)
    """
    lowered = message[-MOST_CHARACTERS:].lower()
    if not any(word in lowered for word in _GATE):
        return None
    sentences = _SENTENCE.findall(message[-MOST_CHARACTERS:])
    asked = [one.strip() for one in sentences if one.endswith("?")] or [one.strip() for one in sentences[-1:]]
    return next(filter(None, (_read(one, now, timezone) for one in reversed(asked))), None)


def _read(sentence: str, now: datetime, timezone: tzinfo) -> TemporalQuestion | None:
    for kind, pattern in _PATTERNS:
        match = pattern.match(sentence.rstrip(" ?"))
        if match is None:
            continue
        if _GENERAL.search(sentence):
            return None
        found = match.groupdict()
        question = TemporalQuestion(
            kind=kind,
            about=found["x"].strip(),
            other=(found.get("y") or "").strip(),
            way=(found.get("way") or "").lower(),
            going=bool(found.get("going")),
            of_noun=kind == "often" and _OF_NOUN.search(sentence) is not None,
        )
        if kind == "order":
            question = _both(question, f"{found['z']} {found['w']}")
        elif " between " in sentence.lower():
            question = _shared(question)
        return _placed(question, now, timezone)
    return None


def _both(question: TemporalQuestion, asked: str) -> TemporalQuestion:
    """Two events of which a question says what happened: "which did I finish first, Dune or ...?"."""
    words = [word for word in asked.split() if word.lower() not in _AUXILIARIES]
    done = " ".join(words) or ("birth of" if "is" in asked.split() else "")
    return replace(
        question, about=f"{done} {question.about}".strip(), other=f"{done} {question.other}".strip()
    )


def _shared(question: TemporalQuestion) -> TemporalQuestion:
    """Two events that share a word: "between my N5 and N4 exams", "between the births of Leo and Mia"."""
    first, second = question.about.split(), question.other.split()
    if "of" in first[:-1] and len(second) == 1:
        return replace(question, other=" ".join([*first[: first.index("of") + 1], *second]))
    shares = _OWN_PAIR.fullmatch(f"{question.about} and {question.other}")
    return replace(question, about=f"{question.about} {second[-1]}") if shares else question


def _placed(question: TemporalQuestion, now: datetime, timezone: tzinfo) -> TemporalQuestion | None:
    """A question without the words that only say which time it means."""
    about, nth = question.about, None
    if (found := _NTH.search(about)) is not None:
        about, nth = about[: found.start()] + about[found.end() :], _NTHS[found["nth"].lower()]
    elif question.kind in {"when", "ago", "often", "length"} and (found := _PLACED.search(about)) is not None:
        nth = -1 if found["last"] else 0
        about = about[: found.start()] + about[found.end() :]
    period = next(iter(_periods(about, now, timezone)), None)
    if period is not None:
        about = about.replace(period.text, " ")
    elif question.kind == "at":
        return None
    return replace(question, about=" ".join(about.split()), nth=nth, period=period)


def _periods(about: str, now: datetime, timezone: tzinfo) -> Iterator[DateSpan]:
    for span in find_dates(about, now=now, timezone=timezone, prefer="past"):
        if span.start < now and span.grain not in {"minute", "hour"}:
            yield span
