"""Open matters: tasks, promises and plans that somebody told of.

======== ==================================================================================================
task     "I need to renew my passport by 15 September", "remind me to call Tom", "I still need to pay"
promise  "I promised Sara to help her", "Tom promised me he'd pay", and of Anna's "I'll send you the recipe"
plan     "Job interview next Tuesday at 10", "My sister's wedding is on 5 May"
======== ==================================================================================================

A task without a day is one only where somebody asks to be reminded, or says that it is still to be done.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Final, Literal

from recollect.learning.agenda.material import AgendaMaterial
from recollect.learning.agenda.moved import MOVED, dates_meant, is_off
from recollect.learning.agenda.sentences import SaidSentence
from recollect.learning.extraction import plan_rules
from recollect.learning.extraction.when import may_be_past
from recollect.learning.listing import DAY, finding, listed
from recollect.learning.marks import enders_of
from recollect.learning.profile import holds
from recollect.text.dates import find_dates, named_start
from recollect.text.entities.kinds import given_name
from recollect.text.traits import is_name
from recollect.types import DateSpan, MemoryRecord
from recollect.types.regex import lazy_regex

MatterKind = Literal["task", "promise", "plan"]
_BEGINS: Final = r"(?:^|[,;:.!(] |\b(?:and|but|so|because|that) )"
_ADVERBS: Final = r"(?:(?:still|really|also|just|definitely|absolutely|now|then) )*"
_NO_DEED: Final = (
    r"(?!(?:be|say|admit|know|ask|sleep|eat|rest|vent|think|understand|see if|feel|learn to"
    r"|get (?:through|over)|focus|calm|relax|survive)\b)"
)
_DATED_TASK: Final = lazy_regex(
    rf"{_BEGINS}(?:(?:i|we) {_ADVERBS}(?:(?:need|have|have got|got) to|must)"
    rf"|{_ADVERBS}(?:(?:need|have) to|must)) {_NO_DEED}"
    r"|\b(?:is|are) due\b|\bdeadline\b|\bi (?:have not|did not) (?:\w+ )?(?:start|finish|do)"
)
_OPEN_TASK: Final = lazy_regex(
    r"(?:^|[,;:.!] |\b(?:please|also|and|(?:can|could|will|would) you(?: please)?) )"
    r"remind me (?:to|about|of|that|on|in|at|tomorrow|next)\b"
    r"|\b(?:do not let me forget|i (?:must|should) not forget)\b|^(?:to ?do|to - do|note to self) ?:"
    rf"|{_BEGINS}(?:(?:i|we) )?still (?:need|have) to {_NO_DEED}"
)
"""Tells of a task, whether or not it has a day."""
_PROMISED: Final = lazy_regex(
    r"\bi (?:have |had )?(?:promised|vowed to|swore to|pledged)(?! you\b)"
    r"|\bi (?:gave|have given) (?:\w+ ){1,3}my word"
    r"|\bi (?:have )?told (?:\w+ ){1,3}?(?:that )?i (?:would|will)\b"
)
_PROMISED_ME: Final = lazy_regex(
    r"(?:\b[A-Z]\w+|\b[Mm]y (?:\w+ )??\w+|\b[Hh]e|\b[Ss]he) (?:has |had |'s |\u2019s )?promised (?:that )?"
    r"(?:me|us|(?:to|(?:he|she)(?:'d| would| will|'ll)) (?:\w+ ){1,5}?(?:me|us|my|our))\b"
)
_TO_YOU: Final = lazy_regex(
    r"^(?:ok |okay |sure |yes |yeah |, )*i (?:will|shall) (?:send|bring|give|call|email|mail|text|lend|pay"
    r"|show|return|forward|help) (?:(?:\w+ ){1,4}to )?you\b"
)
"""Said by somebody with a name, it is a promise to whom they talk with."""
_UNSURE: Final = plan_rules.NO_PLAN | listed("some someday hope supposed was were had did last ago ever sold")
"""Words that make a plan doubtful, or tell of one that is over."""
_EVENTS: Final = finding(
    "results? | stag do | hen (?:do|night) | playdate | sleepover | sports day | school play | launch"
    " | kick-?off | webinar | lesson | chemo(?:therapy)? | treatment | appraisal | moving day | open day"
    rf" | prom | (?:house )?move is (?:now |on )*(?:{DAY}|the \\d|\\d|tomorrow)"
)
"""What one looks forward to beside the events of plans."""
_EVERY_YEAR: Final = finding("birthday | bday | b-day | anniversary | turns? \\d+ | turning \\d+")
"""Told of a day that comes every year, see ``birthdays``."""
_SOME_DAY: Final = finding("some day | someday | one day | eventually | at some point | sooner or later")
_TASKS: Final = lazy_regex(r"\b(?:(?:needs?|has|have) to|must|be reminded)\b")
"""Relations of plans that are tasks."""
_CAPITAL: Final = lazy_regex(r"\b[A-Z][a-z]+\b")
_GENERAL: Final = listed("appoint meet test due date call")
"""Stems of events that are known by the words beside them."""
_TOLD_BY: Final = listed(
    "let need want remind forget promis told still todo today tomorrow must have got us would user"
)
"""Stems by which no matter is known."""
_LONGEST: Final = 7
"""Days of the longest stretch that has a day to be brought up. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """Something open.

    Attributes:
        record: The message that tells it.
        text: The words that do.
        keys: Stems by which it is known.
        names: Stems of who has to do with it.
        days: Its first and its last day; None without one.
        fact: The plan that was learned of it.
        mine: Whether it is the speaker's own to do.
    """

    kind: MatterKind
    record: MemoryRecord
    text: str
    keys: frozenset[str]
    days: tuple[date, date] | None
    names: frozenset[str] = frozenset()
    fact: MemoryRecord | None = None
    mine: bool = True


def matters_in(material: AgendaMaterial) -> Iterator[Matter]:
    """The matters that messages tell of, but for plans that something ended since, and the plans learned."""
    planned = [one for one in material.facts if one.labels.category == "plan"]
    over = {
        source
        for fact in planned
        if enders_of(fact) and not holds(fact, material.now)
        for source in fact.origin.sources
    }
    for one in material.sentences:
        matter = _matter_of(one, material) if one.record.id not in over else None
        if matter is not None:
            yield matter
    yield from (matter for fact in planned if (matter := _plan_of(fact, material)) is not None)


def _matter_of(one: SaidSentence, material: AgendaMaterial) -> Matter | None:
    dates = dates_meant(one)
    days = _days_of(dates, said=one.record.times.happened_at, timezone=material.timezone)
    kind = _kind_of(one, dated=days is not None)
    if kind is None or (kind == "plan" and is_off(one.record, one.text, dates)):
        return None
    mine = kind != "promise" or _PROMISED.search(one.read) is not None
    events = _events_in(one.read) if kind == "plan" else []
    named = {stem for event in events for stem in material.stems(event)} - _GENERAL
    keys = frozenset(named) or _keys(one.read, one.dates, material)
    return Matter(
        kind=kind,
        record=one.record,
        text=one.text,
        keys=keys,
        names=_names_in(one.text, material),
        days=days,
        mine=mine,
    )


def _events_in(read: str) -> list[str]:
    return [*plan_rules.EVENTS.findall(read), *_EVENTS.findall(read)]


def _names_in(text: str, material: AgendaMaterial) -> frozenset[str]:
    """The stems of the given names in a text."""
    names = filter(None, map(given_name, _CAPITAL.findall(text)))
    return frozenset(stem for name in names for stem in material.stems(name))


def _kind_of(one: SaidSentence, *, dated: bool) -> MatterKind | None:
    reminds = _OPEN_TASK.search(one.read) is not None
    if (one.asked and not reminds) or _SOME_DAY.search(one.read):
        return None
    named = is_name(one.record.origin.speaker or "")
    if _PROMISED.search(one.read) or _PROMISED_ME.search(one.text) or (named and _TO_YOU.search(one.read)):
        return "promise"
    if reminds or (dated and _DATED_TASK.search(one.read)):
        return "task" if _is_meant(one, reminds=reminds) else None
    yearly = _EVERY_YEAR.search(one.read) is not None
    is_plan = dated and not yearly and bool(_events_in(one.read)) and _is_meant(one)
    return "plan" if is_plan else None


def _is_meant(one: SaidSentence, *, reminds: bool = False) -> bool:
    """Whether a sentence says for sure that something is to come."""
    words = set(one.read.split())
    allowed = {"was", "were", "had"} if MOVED.search(one.read) else set()
    if reminds or {"can", "wait"} <= words:
        allowed.add("not")
    return (_UNSURE & words) <= allowed


def _plan_of(fact: MemoryRecord, material: AgendaMaterial) -> Matter | None:
    """A plan that was learned, in the words that say it; None where it has ended or has no day."""
    if enders_of(fact) or _EVERY_YEAR.search(fact.content.lower()):
        return None
    record, zone = material.source_of(fact), material.timezone
    said = record.times.happened_at
    quote = str(fact.metadata.get("quote") or fact.content)
    if is_off(record, quote, find_dates(quote, now=said, timezone=zone, prefer="future")):
        return None
    dates = fact.labels.dates or find_dates(fact.content, now=said, timezone=zone, prefer="future")
    if (days := _days_of(dates, said=said, timezone=zone)) is None:
        return None
    return Matter(
        kind="task" if _TASKS.search(str(fact.metadata.get("relation"))) else "plan",
        record=record,
        text=quote,
        keys=_keys(fact.content.lower(), dates, material),
        names=_names_in(fact.content, material),
        days=days,
        fact=fact,
    )


def _days_of(spans: Sequence[DateSpan], *, said: datetime, timezone: tzinfo) -> tuple[date, date] | None:
    """The days of the first time to come that spans name; a month has none, nor what began before."""
    for span in spans:
        if span.relation == "since" or span.end <= said or may_be_past(span, said):
            continue
        first = named_start(span, timezone=timezone).date()
        last = (span.end - timedelta(microseconds=1)).astimezone(timezone).date()
        if (last - first).days < _LONGEST:
            return first, first if span.relation == "before" else last
    return None


def _keys(read: str, dates: Sequence[DateSpan], material: AgendaMaterial) -> frozenset[str]:
    for span in dates:
        read = read.replace(span.text.lower(), " ")
    return frozenset(material.stems(read)) - _TOLD_BY
