"""What a message tells as having happened: of what, whether it began or ended, and when.

Words that tell of the same kind of event are one kind of ``happenings.txt``: "bought", "got", "picked up".
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Final

from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.people import PEOPLE, PETS
from recollect.learning.listing import finding, listed
from recollect.text.analyse import Analyser
from recollect.text.entities.kinds import Kind, kind_of
from recollect.text.lists import read_lists
from recollect.types import DateSpan, Grain, MemoryRecord
from recollect.types.regex import lazy_regex

_DAY: Final = timedelta(days=1)
STEM: Final = 7
"""Letters by which stems are compared: treasurer and treasury. As in ``memory.naming``."""
_READ, _SHORT = 4_000, 400
"""Characters read of a memory, and up to how many it is read as a whole, too. Chosen by hand."""
_NEAR: Final = 4
"""Words behind "new" or "back at" in which what began is named. Chosen by hand."""
_OFF: Final = lazy_regex(
    r"(?i)\b(?:off|without|broken|gone|away|down|out of order|missing|on leave|paused?|hurt|injured|ill|sick"
    r"|closed|non-?\w+)\b"
)
"""A state that begins where something else ends."""
_CLAUSES: Final = lazy_regex(
    r"[.;!?,\n]+|\bbut\b|\bso\b|\band (?=(?:in with|got|bought|moved|started|joined|left|quit)\b)"
)
_SENTENCES: Final = lazy_regex(r"[^.!?\n]+[.!?]*")
_DENIED: Final = lazy_regex(
    r"\b(?:no|not|never|without|n't|didn't|haven't|hasn't|couldn't)(?P<what>(?: \w+){1,3})"
)
_NO: Final = lazy_regex(r"\bno\b")
_STILL: Final = lazy_regex(r"(?i)\bstill\b")
_OTHERS: Final = lazy_regex(r"^\W*(?:(?i:my|our|his|her|their) \w+|(?P<name>[A-Z]\w+))\b(?! (?:and|&) I\b)")
"""Somebody else as who does what a clause tells."""
_THEIRS: Final = lazy_regex(r"(?i)^\W*(?:my|our) (?P<who>\w+)(?: [A-Z]\w+)?")
"""Somebody of the user's as who does it: "my neighbour Ana broke her leg"."""
_SELF: Final = lazy_regex(r"(?i)\b(?:i|we|me|us|my|our|i'm|i've|we've|we're)\b")
_OF_IT: Final = lazy_regex(r"(?i)(?:it|he|she|they)\b")
"""A clause that goes on about the one before."""
_WORKS_NOW: Final = lazy_regex(r"\bworks? (?:at|for|as) [^,;]*\bnow\b")
_DOER: Final = lazy_regex(r"(?i)\b(?:i|we)\b")
_MINE: Final = lazy_regex(r"(?i)\b(?:my|our)\b")
_WITH_ME: Final = lazy_regex(r"\b[A-Z]\w+ and (?:I|me)\b|\bI and [A-Z]\w+|\bme and [A-Z]\w+")
_NAMES: Final = lazy_regex(r"(?<=[a-z,] )(?!I\b)[A-Z]\w+")
_PRONOUNS: Final = lazy_regex(r"(?i)\b(?:he|she|they|it)\b")
_HAS_BEEN: Final = lazy_regex(r"(?i)\b(?:have|has|'ve|'s|been)\b")
_QUOTES: Final = lazy_regex(
    r"[\"\u201c\u201e\u00ab\u300c\u300e`>|]|(?<!\w)['\u2018]|(?m:^(?:from|to|dear)\b)"
)
"""What a text with words of others has."""
_LASTED: Final = lazy_regex(
    r"(?i)\b(?:for|after) (?:(?:over|about|almost|more than|nearly) )?(?P<count>an?|one|two|three|four|five"
    r"|six|seven|eight|nine|ten|\d+) (?P<unit>day|week|month|year)s?\b"
)
_NUMBERS: Final = ("a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNIT_DAYS: Final = {"day": 1.0, "week": 7.0, "month": 365.25 / 12, "year": 365.25}


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """What one memory tells as having happened.

    Attributes:
        start: When, or since when.
        end: Where the time that is named ends.
        grain: How exactly it is known.
        sign: 1 where something began, -1 where it ended, else 0.
    """

    memory: MemoryRecord
    start: datetime
    end: datetime
    grain: Grain
    sign: int = 0


@dataclass(frozen=True, slots=True)
class EventWords:
    """What words of a question name.

    Attributes:
        terms: Stems that a message must have.
        kinds: Kinds of events of which it must tell one.
        who: The stems of the name it begins with, which stand among the terms.
        own: Whether the user did it.
        off: Whether it is a state such as "broken" or "off coffee".
    """

    terms: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    who: frozenset[str] = frozenset()
    own: bool = False
    off: bool = False

    def __bool__(self) -> bool:
        """Whether it names anything."""
        return bool(self.terms or self.kinds)


class Happenings:
    """Reads what messages tell.

    Args:
        analyser: Cuts texts into stems.
        names: What somebody or something is called: by the stem of "sister" that of "Ines".
    """

    def __init__(self, analyser: Analyser, names: Mapping[str, Collection[str]]) -> None:
        self._analyser = analyser
        self._names = names

    def phrase(self, words: str, *, besides: str = "", alone: bool = True) -> EventWords:
        """What words name; a pronoun in them stands for the names in ``besides``.

        Nothing where they only say "have" or "go", unless another event says which is meant (not ``alone``).
        """
        if besides and _PRONOUNS.search(words):
            words = " ".join([*re.findall(r"\b[A-Z]\w+", besides), words])
        words = _WITH_ME.sub(" we ", words)
        plain, rest = _NAMES.sub(" ", words).lower(), words.lower()
        kinds = {name for name, pattern in _kinds().items() if pattern.search(plain)}
        for name in kinds:
            rest = _kinds()[name].sub(" ", rest)
        rest = _OFF.sub(" ", rest)
        terms = {one[:STEM] for one in self._analyser.query_stems(rest)} - _listed("empty")
        kinds = kinds - _listed("wide") or kinds
        if alone and not terms and kinds <= _listed("empty kinds"):
            return EventWords()
        named = any(term in self._names for term in terms)
        return EventWords(
            terms=frozenset(terms),
            kinds=frozenset(kinds),
            who=frozenset(self._stems(words.split()[0]) & terms if words[:1].isupper() else ()),
            own=_DOER.search(words) is not None or (_MINE.search(words) is not None and not named),
            off=_OFF.search(words) is not None,
        )

    def tells(
        self, memory: MemoryRecord, phrase: EventWords, *, kinds: bool = True, denied: bool = False
    ) -> str | None:
        """The sentence of a memory that tells what is named; None where it tells nothing of it.

        Args:
            memory: A memory.
            phrase: What is named.
            kinds: Whether it must tell one of the kinds.
            denied: Whether a sentence counts that says "no" to it.
        """
        speaker = self._stems(memory.origin.speaker or "")
        own = phrase.own or bool(speaker & phrase.terms)
        for sentence in _sentences(memory):
            told = self._stems(sentence) | speaker
            if (
                not phrase
                or sentence.endswith("?")
                or not all(self._is_in(term, told) for term in phrase.terms)
            ):
                continue
            lowered = sentence.lower()
            found = [name for name in phrase.kinds if _kinds()[name].search(lowered)]
            clause = self._clause(sentence, phrase)
            if (
                (found or not kinds or not phrase.kinds)
                and not _finds("planned", clause)
                and not (own and self._is_of_another(clause, phrase))
                and (denied or not self._is_denied(lowered, phrase, found))
            ):
                return sentence
        return None

    def happening(self, memory: MemoryRecord, sentence: str, phrase: EventWords) -> Happening | None:
        """When what a sentence tells happened; None where it lies ahead, or nobody says when it was."""
        span, said = _span_of(memory, sentence), memory.times.happened_at
        sign = self.sign(sentence, phrase)
        if span is None:
            if _finds("recalled", self._clause(sentence, phrase)):
                return None
            return Happening(memory=memory, start=said, end=said, grain="day", sign=sign)
        if span.relation == "at" and span.start > said + _DAY:
            return None
        return Happening(memory=memory, start=span.start, end=span.end, grain=span.grain, sign=sign)

    def lasting(self, memory: MemoryRecord, sentence: str) -> Happening | None:
        """Since when something lasts, where a sentence says since when, or for how long it has."""
        span = _span_of(memory, sentence)
        if span is not None and span.relation == "since":
            return Happening(memory=memory, start=span.start, end=span.end, grain=span.grain, sign=1)
        lasted = _LASTED.search(sentence)
        if lasted is None or not _HAS_BEEN.search(sentence[: lasted.start()]):
            return None
        word, unit = lasted["count"].lower().removesuffix("n"), lasted["unit"].lower()
        count = int(word) if word.isdigit() else max(_NUMBERS.index(lasted["count"].lower()), 1)
        start = memory.times.happened_at - timedelta(days=count * _UNIT_DAYS[unit])
        grain: Grain = "month" if unit == "year" else "day"
        return Happening(memory=memory, start=start, end=start, grain=grain, sign=1)

    def sign(self, sentence: str, phrase: EventWords) -> int:
        """Whether what is named began (1) or ended (-1), by the clause of a sentence that names it."""
        clause, whole = self._clause(sentence, phrase).lower(), sentence.lower()
        near = self._begins_near(clause, phrase)
        ends, begins = not near and _finds("ends", clause), near or _finds("begins", clause)
        if not begins and not ends:
            ends = _NO.search(clause) is not None
            begins = not _finds("ends", whole) and (
                _finds("begins", whole) or self._begins_near(whole, phrase)
            )
        if phrase.off:
            if _finds("mended", clause) and not _STILL.search(clause):
                return -1
            ends = ends or _finds("breaks", clause)
            return ends - (begins and not ends)
        begins = begins or ("work" in phrase.kinds and _WORKS_NOW.search(clause) is not None)
        return (begins and not ends) - ends

    def _stems(self, text: str) -> set[str]:
        return {one[:STEM] for one in self._analyser.stems(text)}

    def _is_in(self, term: str, told: Collection[str]) -> bool:
        return term in told or any(name in told for name in self._names.get(term, ()))

    def _is_denied(self, lowered: str, phrase: EventWords, kinds: Collection[str]) -> bool:
        denied = None if phrase.off else _DENIED.search(lowered)
        if denied is None:
            return False
        what = denied["what"]
        return bool(self._stems(what) & phrase.terms) or any(_kinds()[one].search(what) for one in kinds)

    def _clause(self, sentence: str, phrase: EventWords) -> str:
        """The clause of a sentence that names what is asked of, else all of it."""
        clauses = [one.strip() for one in _CLAUSES.split(sentence)]
        named = next((place for place, one in enumerate(clauses) if self._names_it(one, phrase)), None)
        if named is None:
            return sentence
        behind = takewhile(_OF_IT.match, clauses[named + 1 :])
        return " ".join([clauses[named], *behind])

    def _is_of_another(self, clause: str, phrase: EventWords) -> bool:
        """Whether a clause tells of somebody else than who is asked of."""
        theirs = _THEIRS.match(clause)
        somebody = theirs is not None and theirs["who"].lower() in PEOPLE | PETS
        told = clause[theirs.end() :] if theirs is not None and somebody else clause
        found = None if _SELF.search(told) else _OTHERS.match(clause)
        if found is None or found["name"] is None:
            return found is not None and not self._stems(found[0]) & phrase.terms
        kind, name = kind_of(found["name"]), found["name"].lower()
        if any(_finds(part, name) for part in ("begins", "ends", "mended")):
            return False
        return (kind >= Kind.BOTH or kind is Kind.KIN) and not any(map(name.startswith, phrase.terms))

    def _begins_near(self, clause: str, phrase: EventWords) -> bool:
        near = _pattern("begins near").finditer(clause)
        behind = (" ".join(clause[one.end() :].split()[:_NEAR]) for one in near)
        return any(self._names_it(one, phrase) for one in behind)

    def _names_it(self, clause: str, phrase: EventWords) -> bool:
        if phrase.terms:
            told = self._stems(clause)
            return any(self._is_in(term, told) for term in phrase.terms)
        return any(_kinds()[name].search(clause.lower()) for name in phrase.kinds)


def _sentences(memory: MemoryRecord) -> Iterator[str]:
    """The sentences of a memory, then all of a short one: what two sentences say together."""
    text = _own_words(memory)
    parts = [one.strip() for one in _SENTENCES.findall(text) if one.strip()]
    yield from parts
    if len(parts) > 1 and len(text) <= _SHORT:
        yield text


def _own_words(memory: MemoryRecord) -> str:
    """The words of a memory, as many as are read, with blanks for what it quotes."""
    text = memory.content[:_READ]
    return own_words(text) if _QUOTES.search(text) else text


def _span_of(memory: MemoryRecord, sentence: str) -> DateSpan | None:
    """The time a sentence names for what it tells, rather "since Monday" than another."""
    begin = _own_words(memory).find(sentence)
    spans = [one for one in memory.labels.dates if begin <= one.place[0] < begin + len(sentence)]
    spans = [one for one in spans if one.relation in {"at", "since"}]
    return min(spans, key=lambda one: one.relation != "since", default=None)


@cache
def _parts() -> dict[str, str]:
    return read_lists(Path(__file__).with_suffix(".txt"))


@cache
def _kinds() -> Mapping[str, re.Pattern[str]]:
    lines = (line.split(": ", 1) for line in _parts()["kinds"].splitlines())
    return {name: finding(words) for name, words in lines}


@cache
def _listed(part: str) -> frozenset[str]:
    return listed(_parts()[part])


@cache
def _pattern(part: str) -> re.Pattern[str]:
    return finding(_parts()[part].replace("\n|", " |"))


def _finds(part: str, text: str) -> bool:
    return _pattern(part).search(text.lower()) is not None
