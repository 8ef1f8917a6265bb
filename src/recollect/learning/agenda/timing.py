"""When a matter is brought up, and in which words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from recollect.learning.agenda.endings import ALIKE, Talk
from recollect.learning.agenda.items import AgendaItem, item_id
from recollect.learning.agenda.material import AgendaMaterial
from recollect.learning.agenda.matters import Matter, matters_in
from recollect.learning.listing import finding

AHEAD_DAYS: Final = 1
"""From how many days before its day something is brought up. These numbers were chosen by hand."""
_OVER_DAYS: Final = 14
"""Until how many days after its day."""
_OPEN_FROM, _OPEN_UNTIL = 3, 60
"""How many days after it was said something without a day."""
_SAD: Final = finding("funeral | burial | memorial | wake | cremation | divorce")
"""Nobody asks how one of these went."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A matter's time: what is said of it, why now, its day and its occasion."""

    text: str
    reason: str
    due: date | None = None
    occasion: str = ""


def matter_items(material: AgendaMaterial, talk: Talk) -> Iterator[AgendaItem]:
    """The matters whose time it is, each once: as it was told last, in a message rather than by a fact."""
    taken: list[Matter] = []
    for one in sorted(matters_in(material), key=_told_last_first):
        moment = _moment_of(one, material)
        known = any(_is_same(one, other) for other in taken)
        if moment is not None and not known and not talk.is_over(one):
            taken.append(one)
            yield _item_of(one, moment, material)


def _is_same(one: Matter, other: Matter) -> bool:
    """Whether two matters of the same days are known by the same: plans by one stem, others by two."""
    least = 1 if "plan" in {one.kind, other.kind} else ALIKE
    least = min(least, len(one.keys), len(other.keys))
    return one.days == other.days and len(one.keys & other.keys) >= max(least, 1)


def _told_last_first(matter: Matter) -> tuple[bool, float, str]:
    return matter.fact is not None, -matter.record.times.happened_at.timestamp(), matter.record.id


def _item_of(matter: Matter, moment: _Moment, material: AgendaMaterial) -> AgendaItem:
    day = "" if matter.days is None else f"{matter.days[0]:%Y%m%d}"
    fact = () if matter.fact is None else (matter.fact.id,)
    return AgendaItem(
        id=item_id(matter.kind, day, matter.record.id),
        kind=matter.kind,
        text=f"{material.told(matter.record, matter.text)} {moment.text}".rstrip(),
        reason=moment.reason,
        sources=tuple(dict.fromkeys((*fact, matter.record.id))),
        due=moment.due,
        occasion=moment.occasion,
    )


def _moment_of(matter: Matter, material: AgendaMaterial) -> _Moment | None:
    """What is said of a matter now; None where it is not its time."""
    age, asks = material.age_of(matter.record), "Is it done?" if matter.mine else "Did it happen?"
    if age is None:
        return None
    if matter.days is None:
        due = _OPEN_FROM <= age.days <= _OPEN_UNTIL
        why = f"said {age.days} days ago, and nothing said since tells that it is done"
        return _Moment(asks, why) if due else None
    first, last = matter.days
    if 0 <= (first - material.today).days <= AHEAD_DAYS:
        near, what = material.near(first), "planned for" if matter.kind == "plan" else "due"
        return _Moment(f"That is {near}.", f"{what} {near}, {material.named(first)}", first, "before")
    if not 0 < (material.today - last).days <= _OVER_DAYS:
        return None
    if matter.kind == "plan":
        asks = "" if _SAD.search(matter.text.lower()) else "How did it go?"
    ago = material.near(last)
    why = f"its day was {ago}, {material.named(last)}, and nothing said since tells of it"
    return _Moment(f"That was {ago}. {asks}", why, last, "after")
