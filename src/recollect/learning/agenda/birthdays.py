"""Birthdays and wedding anniversaries of the user and theirs, from messages and facts; never of the dead."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from recollect.learning.agenda.items import AgendaItem, item_id
from recollect.learning.agenda.material import AgendaMaterial
from recollect.learning.agenda.timing import AHEAD_DAYS
from recollect.learning.kinship import kin_in
from recollect.learning.profile import holds
from recollect.text.dates import find_dates
from recollect.text.entities.kinds import given_name
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

TOLD_WITH: Final = (
    "birthday", "bday", "b-day", "anniversary", "was born", "were born", "turns ", "turning ", "married on",
    "got married", "died", "passed away", "funeral", "mourns", "lost my",
)  # fmt: skip
"""Words with which birthdays and deaths are told; one of them stands in every text that tells one."""
ASKED: Final = ("birthday", "was born", "turns", "wedding anniversary married", "died", "passed away funeral")
"""What memories are searched for that may tell of one."""
_WHO: Final = r"(?P<who>(?:(?:my|our|user's) )?(?:[\w-]+ )?[\w-]+)"
_BIRTHDAY: Final = lazy_regex(
    rf"\b(?:(?P<self>my|user's)|{_WHO}(?:'s|s'|s(?= b))) (?:birthday|b-?day)(?:'s| is| falls)\b",
    re.IGNORECASE,
)
_BORN: Final = lazy_regex(rf"\b{_WHO} (?:was|were) born\b", re.IGNORECASE)
_TURNS: Final = lazy_regex(rf"\b{_WHO} (?:turns|is turning|will be|will turn) \d{{1,3}}\b", re.IGNORECASE)
_WEDDING: Final = lazy_regex(
    r"\b(?:(?:our|my) (?:wedding )?anniversary(?:'s| is| falls)\b"
    r"|(?:we|my (?:wife|husband) and i) (?:got |were )?married on\b)",
    re.IGNORECASE,
)
_DIED: Final = lazy_regex(
    r"(?P<who>[^.,;!?]*?)\b(?:died|passed away|is dead|was killed|would have (?:been|turned)|'s funeral)\b"
    r"|\b(?:late|lost my|funeral of|mourns) (?P<behind>[\w'-]+(?: [\w'-]+)?)",
    re.IGNORECASE,
)
_A_DAY: Final = timedelta(days=1, hours=2)
"""The longest day there is, when clocks change."""
_OLDEST: Final = 110
"""Years since a birth after which nobody is congratulated. Chosen by hand."""
_SELVES: Final = frozenset(("my", "i", "user's", "user"))


def may_tell_a_day(text: str) -> bool:
    """Whether a text may tell of a birthday, an anniversary or a death."""
    low = text.lower()
    return any(words in low for words in TOLD_WITH)


@dataclass(frozen=True, slots=True, kw_only=True)
class YearlyDay:
    """A day that comes every year.

    Attributes:
        whose: As it is told to the user: "your sister's birthday".
        keys: Kin and name of whose it is.
        month: 1 to 12.
        day: Of the month.
        source: The memory that tells it.
    """

    whose: str
    keys: frozenset[str]
    month: int
    day: int
    source: MemoryRecord

    def next(self, today: date) -> date | None:
        """When it comes next, today or later; of 29 February only in leap years."""
        for year in range(today.year, today.year + 2):
            try:
                found = date(year, self.month, self.day)
            except ValueError:
                continue
            if found >= today:
                return found
        return None


def birthday_items(material: AgendaMaterial) -> Iterator[AgendaItem]:
    """The birthdays and wedding anniversaries of today and tomorrow, each once, as it was told last."""
    for one in _yearly_days(material):
        due = one.next(material.today)
        if due is None or (due - material.today).days > AHEAD_DAYS or material.age_of(one.source) is None:
            continue
        near = material.near(due)
        yield AgendaItem(
            id=item_id("birthday", f"{one.month:02}{one.day:02}", one.source.id),
            kind="birthday",
            text=f"{near.capitalize()}, {material.named(due)}, is {one.whose}.",
            reason=f"it is {near}",
            sources=tuple(dict.fromkeys((one.source.id, *one.source.origin.sources))),
            due=due,
            occasion=str(due.year),
        )


def _yearly_days(material: AgendaMaterial) -> list[YearlyDay]:
    """The days that come every year; none of who died."""
    told = [one for one in material.facts if one.labels.category != "plan" and holds(one, material.now)]
    said = [(one.text, one.record) for one in material.sentences if not one.asked]
    said += [(one.content, one) for one in told]
    dead = {who for text, _ in said for who in _who_died(text)}
    found: dict[str, YearlyDay] = {}
    for text, record in said:
        one = _day_in(text, record, material)
        if one is not None and dead.isdisjoint(one.keys):
            found[one.whose] = one
    return list(found.values())


def _day_in(text: str, record: MemoryRecord, material: AgendaMaterial) -> YearlyDay | None:
    plain = text.replace("\u2019", "'")
    wedding = _WEDDING.search(plain)
    match = wedding or _BIRTHDAY.search(plain) or _BORN.search(plain) or _TURNS.search(plain)
    if match is None:
        return None
    who = "your" if wedding else _named(match.groupdict().get("self") or match["who"])
    spans = find_dates(plain, now=record.times.happened_at, timezone=material.timezone)
    span = next((one for one in spans if one.place[0] >= match.start() and one.grain == "day"), None)
    if not who or span is None or span.end - span.start > _A_DAY:
        return None
    start = span.start.astimezone(material.timezone)
    if material.today.year - start.year > _OLDEST:
        return None
    whose = (
        f"{who if who == 'your' else who + chr(39) + 's'} {'wedding anniversary' if wedding else 'birthday'}"
    )
    return YearlyDay(whose=whose, keys=_keys_of(who), month=start.month, day=start.day, source=record)


def _named(who: str) -> str:
    """Whom words name, as it is told to the user; empty where that is nobody of theirs, as far as is known.

    >>> [_named(one) for one in ("my sister", "User's sister", "and Emma", "Shakespeare", "my", "Mum")]
    ['your sister', 'your sister', 'Emma', '', 'your', 'your mum']
    """
    words = who.replace("User's", "my").replace("user's", "my").removesuffix("'s").split()
    if not words:
        return ""
    if len(words) == 1 and words[0].lower() in _SELVES:
        return "your"
    if words[0].lower() in {"my", "our"}:
        return " ".join(["your", *words[1:]])
    last = words[-1]
    if kin_in(last).names:
        return f"your {last.lower()}"
    return given_name(last) if last[:1].isupper() else ""


def _keys_of(who: str) -> frozenset[str]:
    words = who.replace("'s", " ").split()
    return frozenset(
        {*kin_in(" ".join(words)).names[-1:], *(one.casefold() for one in words[-1:])} - {"your"}
    )


def _who_died(text: str) -> set[str]:
    """Kin and names of whom a text says that they died."""
    found: set[str] = set()
    for match in _DIED.finditer(text.replace("\u2019", "'")):
        words = (match["who"] or match["behind"] or "").split()
        own = [one for one in words if not one.endswith("'s")] or words
        told = " ".join(one.removesuffix("'s") for one in own)
        found.update(kin_in(told).names)
        found.update(one.casefold() for one in told.split() if one[:1].isupper())
    return found
