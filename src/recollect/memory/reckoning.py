"""Answers to questions for a time, reckoned from what was said and from how long facts held.

Of an event counts the day that a message names for it, else the day it was said. A state lasts from what
began it to what ended it. Where memory tells too little there is no answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from recollect.learning.happenings import STEM, EventWords, Happening, Happenings
from recollect.learning.listing import listed
from recollect.memory.parts import Parts
from recollect.retrieval.request import Request, why_not_allowed
from recollect.text.temporal_questions import TemporalQuestion
from recollect.types import JSON, Grain, Kind, MemoryRecord, Scope
from recollect.types.regex import lazy_regex

_DAY: Final = timedelta(days=1)
_LOOKED_AT: Final = 100
"""Memories looked at for one event. Chosen by hand."""
_QUOTES: Final = frozenset({"says now", "said"})
"""Relations of facts that only repeat a message."""
_LOOSE: Final = listed("live have work begin finish go play read break meet leave return")
"""Kinds of which a state needs no word: what began and ended it names them."""
_LASTING: Final = listed("live work have read weigh become couple play")
"""Kinds of what lasts: it still holds some time after it was told."""
_STATIVE: Final = listed("live have work couple meet")
"""Kinds whose events may be told as the beginning of a state."""
_FEW_DAYS: Final = timedelta(days=8)
"""Of so few days an event is asked for, not what held. Chosen by hand."""
_LEAST: Final = 2
"""Words that must name what held at a time, where none tells its kind. Chosen by hand."""
_RATE: Final = lazy_regex(
    r"(?i)\b(?:once|twice|thrice|(?:\w+ )?times) (?:an?|per|each|every) (?:day|week|month|year)|\bevery \w+"
    r"|\b(?:daily|weekly|monthly)\b|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
)
_ENDINGS: Final[tuple[tuple[str, frozenset[str], int | None], ...]] = (
    ("live", frozenset({"live"}), 1),
    ("work", frozenset({"fire"}), None),
    ("", frozenset({"die"}), None),
)
"""What ends a state of a kind (of any, of somebody named): another kind, with what it begins."""
_LENGTHS: Final = frozenset({"since", "length", "between", "ago"})
_UNNAMED: Final = lazy_regex(r"(?i)(?:he|she|they|it|you)\b")
"""Somebody whom the question does not name."""
_STILL: Final = lazy_regex(r"(?i)\bstill\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoned:
    """What was reckoned.

    Attributes:
        asked: For what.
        start: The time asked for, or when what lasted began.
        end: When it ended, or the moment that is asked about.
        grain: How exactly that is known.
        count: How often, of what is counted.
        first: Of an order, whether the first one named came first.
        told: The memory that tells what is asked, of what is told by a memory.
        open: Whether it still goes on.
        sources: What it was reckoned from, in the order of time.
    """

    asked: TemporalQuestion
    sources: tuple[MemoryRecord, ...]
    start: datetime | None = None
    end: datetime | None = None
    grain: Grain = "day"
    count: int | None = None
    first: bool | None = None
    told: MemoryRecord | None = None
    open: bool = False

    def to_dict(self) -> dict[str, JSON]:
        """What was reckoned, without its sources: times as ISO 8601 text, a length in days."""
        start, end = self.start, self.end
        days = abs((end - start) / _DAY) if start and end and self.asked.kind in _LENGTHS else None
        return {
            "kind": self.asked.kind,
            "start": None if start is None else start.isoformat(),
            "end": None if end is None else end.isoformat(),
            "grain": self.grain,
            "days": None if days is None else round(days, 2),
            "count": self.count,
            "first": self.first,
            "open": self.open,
            "told": None if self.told is None else self.told.id,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """A time in which something was so."""

    begin: Happening
    end: Happening | None = None


class Reckoner:
    """Reckons for one question.

    Args:
        parts: The open memory.
        scope: Whose.
        request: What the question may see; its ``query`` is not looked at.
    """

    def __init__(self, parts: Parts, scope: Scope, request: Request) -> None:
        self._parts = parts
        self._scope = scope
        self._request = replace(request, ended=True, threshold=0.0, collapse=False, embedding=None)
        self._now = request.moment
        self._reader = Happenings(parts.analyser, {})
        self._read: dict[tuple[str, Kind], list[MemoryRecord]] = {}

    def answer(self, asked: TemporalQuestion) -> Reckoned | None:
        """The answer; None where memory tells too little."""
        if _UNNAMED.match(asked.about):
            return None
        found = self._answer(asked)
        if found is None and (names := self._names()):
            self._reader = Happenings(self._parts.analyser, names)
            found = self._answer(asked)
        return found

    def _answer(self, asked: TemporalQuestion) -> Reckoned | None:
        match asked.kind:
            case "since" | "length":
                return self._state(asked)
            case "between" | "order" | "yes":
                return self._pair(asked)
            case "when" | "ago":
                return self._when(asked)
            case "often":
                return self._often(asked)
            case "next" | "prior":
                return self._beside(asked)
            case "at" | "rate":
                return self._told(asked)

    def _names(self) -> dict[str, set[str]]:
        """What somebody or something is called, by the stems of what it is: a search that few need."""
        names: dict[str, set[str]] = {}
        where = replace(self._request, query="is named called", kinds=("fact",), top_k=_LOOKED_AT)
        for hit in self._parts.recall.search(self._own, where):
            said = hit.memory.metadata
            whose = str(said.get("subject") or "").partition("'s ")[2]
            if said.get("relation") == "is named" and whose:
                stems = self._parts.analyser.stems
                for one in stems(whose):
                    names.setdefault(one[:STEM], set()).update(
                        name[:STEM] for name in stems(str(said["object"]))
                    )
        return names

    @property
    def _own(self) -> Scope:
        return Scope(user_id=self._scope.user_id, agent_id=self._scope.agent_id)

    def _found(self, words: str, kind: Kind) -> list[MemoryRecord]:
        """Memories that may tell of what words name, in the order of time."""
        if kind not in self._request.searched:
            return []
        if (words, kind) in self._read:
            return self._read[words, kind]
        scope = self._own if kind == "fact" else self._scope
        hits = self._parts.recall.search(
            scope, replace(self._request, query=words, kinds=(kind,), top_k=_LOOKED_AT)
        )
        found = [hit.memory for hit in hits]
        if kind == "message":
            found = [one for one in found if one.origin.role != "assistant"]
            lowered = words.lower()
            named = {one.origin.speaker for one in found if (one.origin.speaker or "?").lower() in lowered}
            found = [one for one in found if not named or one.origin.speaker in named]
        self._read[words, kind] = sorted(found, key=lambda one: (one.times.happened_at, one.id))
        return self._read[words, kind]

    def _events(
        self, words: str, *, besides: str = "", kinds: bool = True, again: bool = False, alone: bool = True
    ) -> list[Happening]:
        """What happened of what words name, one a day; with ``again`` not what only goes on."""
        phrase = self._reader.phrase(words, besides=besides, alone=alone)
        found: dict[tuple[int, int, int], Happening] = {}
        for memory in self._found(words, "message"):
            sentence = self._reader.tells(memory, phrase, kinds=kinds)
            if sentence is not None and again and _STILL.search(sentence):
                continue
            event = sentence and self._reader.happening(memory, sentence, phrase)
            if event and not (phrase.off and event.sign < 0):
                found.setdefault((event.start.year, event.start.month, event.start.day), event)
        return sorted(found.values(), key=lambda one: one.start)

    def _happened(self, words: str, *, besides: str = "") -> list[Happening]:
        """The same; of what nothing tells so, what began."""
        events = self._events(words, besides=besides)
        if events or not self._reader.phrase(words, besides=besides).kinds <= _STATIVE:
            return events
        return [state.begin for state in self._states(words, besides=besides)]

    def _states(self, words: str, *, besides: str = "") -> list[_State]:
        """The times in which something was so, in their order."""
        phrase = self._reader.phrase(words, besides=besides)
        if not phrase:
            return []
        points = []
        strict = not phrase.terms or not phrase.kinds <= _LOOSE
        for memory in self._found(words, "message"):
            sentence = self._reader.tells(memory, phrase, kinds=strict, denied=True)
            if sentence is not None:
                told = not phrase.kinds or self._reader.tells(memory, phrase) == sentence
                point = self._reader.lasting(memory, sentence) if told else None
                point = point or self._reader.happening(memory, sentence, phrase)
                denied = self._reader.tells(memory, phrase, kinds=strict) != sentence
                if point is not None and not (denied and point.sign >= 0):
                    points.append(point if phrase.terms or point.sign else replace(point, sign=1))
            elif (point := self._ended_otherwise(memory, phrase)) is not None:
                points.append(point)
        return _states_of(points) or self._of_facts(words, phrase)

    def _ended_otherwise(self, memory: MemoryRecord, phrase: EventWords) -> Happening | None:
        """What ends a state without its name: the next move, the loss of a job, a death."""
        for kind, ending, sign in _ENDINGS:
            if kind not in phrase.kinds and not (kind == "" and phrase.who):
                continue
            other = EventWords(terms=phrase.who, kinds=ending, own=phrase.own)
            sentence = self._reader.tells(memory, other)
            found = sentence and self._reader.happening(memory, sentence, other)
            if found and sign in {None, found.sign}:
                return replace(found, sign=-1)
        return None

    def _of_facts(self, words: str, phrase: EventWords) -> list[_State]:
        """The times for which facts held, of those whose beginning is known."""
        states = []
        for fact in self._found(words, "fact"):
            times = fact.times
            begins = times.valid_from or (None if fact.origin.sources else times.happened_at)
            told = self._reader.tells(fact, phrase, kinds=not phrase.terms) is not None
            if begins is None or not told or fact.metadata.get("relation") in _QUOTES:
                continue
            begin, until = (
                Happening(memory=fact, start=begins, end=begins, grain="day", sign=1),
                times.valid_until,
            )
            over = until is not None and until <= self._now
            end = replace(begin, start=until, end=until, sign=-1) if until is not None and over else None
            states.append(_State(begin=begin, end=end))
        return states

    def _state(self, asked: TemporalQuestion) -> Reckoned | None:
        states = self._states(asked.about)
        if asked.period is not None:
            period = asked.period
            states = [
                one
                for one in states
                if one.begin.start < period.end and (one.end is None or one.end.start >= period.start)
            ]
        if asked.kind == "length" and not asked.going:
            states = [one for one in states if one.end is not None]
        if len(states) <= max(asked.nth or 0, 0):
            return None
        state = states[-1 if asked.nth is None else asked.nth]
        goes_on = asked.going or (asked.kind == "since" and asked.period is None)
        if goes_on and state.end is not None:
            return None
        ends = [] if state.end is None else [state.end]
        return Reckoned(
            asked=asked,
            start=state.begin.start,
            end=state.end.start if state.end else self._now,
            grain=state.begin.grain,
            open=state.end is None,
            sources=self._sources([state.begin, *ends]),
        )

    def _pair(self, asked: TemporalQuestion) -> Reckoned | None:
        first = self._happened(asked.about)
        second = self._happened(asked.other, besides=asked.about)
        if not first or not second:
            return None
        one = first[0]
        two = next((event for event in second if event.memory.id != one.memory.id), None)
        if asked.kind == "between":
            two = next((event for event in second if event.start > one.start), None)
        if two is None or two.start == one.start:
            return None
        return Reckoned(
            asked=asked,
            start=one.start,
            end=two.start,
            grain=max(one.grain, two.grain, key=_GRAINS.index),
            first=one.start < two.start,
            sources=self._sources([one, two]),
        )

    def _when(self, asked: TemporalQuestion) -> Reckoned | None:
        events = self._within(self._happened(asked.about), asked)
        if not events:
            return None
        event = events[-1 if asked.kind == "ago" or asked.nth == -1 else 0]
        return Reckoned(
            asked=asked,
            start=event.start,
            end=self._now if asked.kind == "ago" else event.end,
            grain=event.grain,
            sources=self._sources([event]),
        )

    def _often(self, asked: TemporalQuestion) -> Reckoned | None:
        named = asked.of_noun and bool(self._reader.phrase(asked.about).terms)
        events = self._within(self._events(asked.about, kinds=not named, again=True), asked)
        if len(events) <= 1:  # "how often" asks of several: one that was found is not all
            return None
        sources = self._sources(events)
        start, end = events[0].start, events[-1].start
        return Reckoned(asked=asked, count=len(events), start=start, end=end, sources=sources)

    def _within(self, events: Sequence[Happening], asked: TemporalQuestion) -> list[Happening]:
        found = [one for one in events if one.start <= self._now]
        if asked.period is None:
            return found
        return [one for one in found if asked.period.start <= one.start < asked.period.end]

    def _beside(self, asked: TemporalQuestion) -> Reckoned | None:
        """What was told just before or after an event."""
        if not self._reader.phrase(asked.about, alone=False).kinds:
            return None
        named = self._happened(asked.other, besides=asked.about)
        if not named:
            return None
        event, after = named[-1], asked.kind == "next"
        other = self._reader.phrase(asked.other)
        found = [
            one
            for one in self._events(asked.about, alone=False)
            if (one.start > event.start if after else one.start < event.start)
            if not other.terms or self._reader.tells(one.memory, _any_kind(other)) is None
        ]
        if not found:
            return None
        one = found[0] if after else found[-1]
        return Reckoned(
            asked=asked,
            told=one.memory,
            start=one.start,
            grain=one.grain,
            sources=self._sources([event, one]),
        )

    def _told(self, asked: TemporalQuestion) -> Reckoned | None:
        """What was last told of something by a time."""
        phrase, period = self._reader.phrase(asked.about), asked.period
        short = period is not None and period.grain == "day" and period.end - period.start < _FEW_DAYS
        vague = not phrase.kinds and len(phrase.terms) < (1 if period is None else _LEAST)
        if short or vague:
            return None
        until = self._now if period is None else period.end
        found = [
            one
            for one in self._events(asked.about, kinds=asked.kind == "at" or not phrase.terms)
            if one.start < until and (asked.kind == "at" or _RATE.search(one.memory.content))
        ]
        if not found:
            return None
        last = found[-1]
        if last.sign < 0 or (asked.kind == "at" and not (phrase.kinds & _LASTING or last.sign)):
            return None
        return Reckoned(
            asked=asked, told=last.memory, start=last.start, grain=last.grain, sources=self._sources([last])
        )

    def _sources(self, events: Sequence[Happening]) -> tuple[MemoryRecord, ...]:
        """The messages of what happened, in the order of time; of a fact those it was learned from."""
        found: dict[str, MemoryRecord] = {}
        for memory in (one.memory for one in events):
            learned = memory.origin.sources if memory.kind == "fact" else ()
            said = self._parts.store.get(self._scope, learned) if learned else [memory]
            everything = replace(self._request, kinds=None, exclude=())
            seen = [one for one in said if one and why_not_allowed(one, self._scope, everything) is None]
            found.update((one.id, one) for one in seen or [memory])
        return tuple(sorted(found.values(), key=lambda one: (one.times.happened_at, one.id)))


_GRAINS: Final[tuple[Grain, ...]] = ("minute", "hour", "day", "week", "month", "year")


def _any_kind(phrase: EventWords) -> EventWords:
    """The same terms, of any kind."""
    return EventWords(terms=phrase.terms, off=phrase.off)


def _states_of(points: Sequence[Happening]) -> list[_State]:
    """From each beginning to the next end."""
    states: list[_State] = []
    for point in sorted(points, key=lambda one: one.start):
        is_open = bool(states) and states[-1].end is None
        if point.sign > 0 and not is_open:
            states.append(_State(begin=point))
        elif point.sign < 0 and is_open:
            states[-1] = replace(states[-1], end=point)
    return states
