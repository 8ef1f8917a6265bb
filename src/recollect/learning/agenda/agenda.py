"""The agenda: from what is known at a moment to what may be brought up, most pressing first."""

from collections.abc import Iterator, Mapping, Sequence

from recollect.learning.agenda.birthdays import birthday_items
from recollect.learning.agenda.doubts import conflict_items, doubt_items
from recollect.learning.agenda.endings import Talk
from recollect.learning.agenda.items import AGENDA_KINDS, CLARIFYING, AgendaItem
from recollect.learning.agenda.material import AgendaMaterial
from recollect.learning.agenda.questions import forget_items, question_items
from recollect.learning.agenda.state import AgendaMark
from recollect.learning.agenda.timing import matter_items


def agenda_of(material: AgendaMaterial) -> list[AgendaItem]:
    """What there is to bring up, most pressing first: by kind, then what is nearest to its day."""
    found = {one.id: one for one in _found_in(material)}

    def pressing(one: AgendaItem) -> tuple[int, int]:
        days = 0 if one.due is None else abs((one.due - material.today).days)
        return AGENDA_KINDS.index(one.kind), days

    return sorted(found.values(), key=pressing)


def _found_in(material: AgendaMaterial) -> Iterator[AgendaItem]:
    talk = Talk(material)
    yield from matter_items(material, talk)
    yield from birthday_items(material)
    yield from question_items(material, talk)
    yield from forget_items(material)
    yield from conflict_items(material)
    yield from doubt_items(material, talk)


def to_raise(items: Sequence[AgendaItem], marks: Mapping[str, AgendaMark]) -> list[AgendaItem]:
    """Those that were not brought up for this occasion, nor dismissed; of what is to be clarified the first.

    Args:
        items: Most pressing first.
        marks: What was brought up before, and what shall not be again, by the ids of items.
    """
    new = [one for one in items if not _is_marked(one, marks.get(one.id))]
    first = next((one for one in new if one.kind in CLARIFYING), None)
    return [one for one in new if one.kind not in CLARIFYING or one is first]


def _is_marked(item: AgendaItem, mark: AgendaMark | None) -> bool:
    return mark is not None and (mark.dismissed or item.occasion in mark.raised)
