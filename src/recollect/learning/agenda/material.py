"""What the agenda is made of, read once; and how days and words of others are told."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from types import MappingProxyType
from typing import Final

from recollect.learning.agenda.sentences import SaidSentence, in_confidence, sentences_said
from recollect.learning.extraction.when import MONTHS
from recollect.learning.outcomes import Conflict
from recollect.text.quoting import CUT, label_of, on_one_line, reads_like_an_instruction, who_said
from recollect.text.traits import is_name
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

Stems = Callable[[str], Sequence[str]]
"""The stems of a text that are worth searching for."""
PAUSE: Final = timedelta(minutes=30)
"""What was said so short a while ago needs no bringing up: a conversation goes on."""
_QUOTE_LENGTH: Final = 200
"""Characters of a message that are quoted. Chosen by hand."""
_JOINED: Final = lazy_regex(r"\b([ext])(?: ?- ?| )(?=[a-z]{3})", re.IGNORECASE)
"""Words that are written in one, with a hyphen or in two: "e-learning", "x ray"."""
_ENDS: Final = ("?", "!", CUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaMaterial:
    """What is known at a moment, of one user.

    Attributes:
        now: The moment.
        timezone: Where the user is.
        stems: Cuts words.
        messages: The latest, in order, of all roles.
        said: These, and earlier ones that facts were learned from or that tell of birthdays and deaths.
        sentences: What people said in them in earnest.
        facts: Also those that ended; none that was told in confidence or reads like an instruction.
        conflicts: Between such facts, undecided.
        unclear: By the ids of messages that ask to forget something and name nothing known or too much, how
            many memories each names; None for everything.
    """

    now: datetime
    timezone: tzinfo
    stems: Stems
    messages: Sequence[MemoryRecord]
    said: dict[str, MemoryRecord]
    sentences: Sequence[SaidSentence]
    facts: Sequence[MemoryRecord]
    conflicts: Sequence[Conflict]
    unclear: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def today(self) -> date:
        """The day of the moment."""
        return self.day_of(self.now)

    def day_of(self, moment: datetime) -> date:
        """The day of a moment where the user is."""
        return moment.astimezone(self.timezone).date()

    def age_of(self, record: MemoryRecord) -> timedelta | None:
        """How long ago something was said; None while its conversation goes on."""
        age = self.now - record.times.happened_at
        return None if age < PAUSE else age

    def source_of(self, fact: MemoryRecord) -> MemoryRecord:
        """The message that says a fact; the fact where none is there."""
        return next((self.said[one] for one in fact.origin.sources if one in self.said), fact)

    def named(self, day: date) -> str:
        """A day as people say it; with its year where that is another."""
        year = "" if day.year == self.today.year else f" {day.year}"
        return f"{day.day} {MONTHS[day.month - 1]}{year}"

    def near(self, day: date) -> str:
        """How far a day is: "today", "tomorrow", "yesterday", "4 days ago"."""
        days = (day - self.today).days
        far = f"in {days} days" if days > 0 else f"{-days} days ago"
        return {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days, far)

    def told(self, record: MemoryRecord, text: str, *, verb: str = "said") -> str:
        """Who said something, when, and the words: 'On 1 October you said: “I moved.”'."""
        return f"On {self.named(self.day_of(record.times.happened_at))} {whom(record)} {verb}: {quoted(text)}"


def read_material(
    *,
    now: datetime,
    timezone: tzinfo,
    stems: Stems,
    messages: Sequence[MemoryRecord],
    earlier: Sequence[MemoryRecord] = (),
    facts: Sequence[MemoryRecord] = (),
    conflicts: Sequence[Conflict] = (),
    unclear: Mapping[str, int | None] = MappingProxyType({}),
) -> AgendaMaterial:
    """Read what the agenda is made of; what was told in confidence is left out of all of it.

    Args:
        now: The present.
        timezone: Where the user is.
        stems: Cuts words.
        messages: The latest, of all roles.
        earlier: Messages of before, in part.
        facts: A user's, also those that ended.
        conflicts: Undecided ones.
        unclear: Requests to forget that wait for an answer.
    """
    said = sorted({one.id: one for one in (*earlier, *messages)}.values(), key=when_said)
    kept_back = in_confidence(said)

    def is_open(fact: MemoryRecord) -> bool:
        return kept_back.isdisjoint(fact.origin.sources) and not reads_like_an_instruction(fact.content)

    return AgendaMaterial(
        now=now,
        timezone=timezone,
        stems=lambda text: stems(_JOINED.sub(r"\1", text)),
        messages=sorted((one for one in messages if one.id not in kept_back), key=when_said),
        said={one.id: one for one in said if one.id not in kept_back},
        sentences=list(sentences_said(said, but=kept_back, timezone=timezone)),
        facts=[one for one in facts if is_open(one)],
        conflicts=[one for one in conflicts if is_open(one.known) and is_open(one.new)],
        unclear=unclear,
    )


def when_said(record: MemoryRecord) -> tuple[datetime, int, str]:
    """The place of a message among others."""
    return record.times.happened_at, record.origin.turn, record.id


def whom(record: MemoryRecord) -> str:
    """Who said a message, as the user is told: "you", "I" or a name."""
    if record.origin.role == "assistant":
        return "I"
    name = who_said(record.origin.speaker, "user")
    return label_of(name, "") if is_name(name) else "you"


def quoted(text: str) -> str:
    """Words on one line as a sentence in quotation marks.

    >>> quoted("I moved")
    '“I moved.”'
    """
    words = on_one_line(text).rstrip(" ,;:.")
    words = words if len(words) <= _QUOTE_LENGTH else words[:_QUOTE_LENGTH].rstrip() + CUT
    return f"\u201c{words}{'' if words.endswith(_ENDS) else '.'}\u201d"
