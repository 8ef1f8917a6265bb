"""What was brought up, and what shall never be again: ids and times, no words."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, Final

from recollect.protocols import StateStore
from recollect.types import Scope

if TYPE_CHECKING:
    from recollect.learning.agenda.items import AgendaItem

STATE: Final = "agenda"
_MOST: Final = 2_000
"""Items of a user that are remembered; older ones go. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaMark:
    """What is remembered of an item.

    Attributes:
        sources: The memories it came from.
        raised: When it was brought up, by occasion.
        dismissed: Whether it shall not be brought up again.
    """

    sources: tuple[str, ...]
    raised: Mapping[str, datetime] = field(default_factory=dict)
    dismissed: bool = False


class AgendaLog:
    """The marks of a user's items. What is deleted or changed takes its marks with it."""

    def __init__(self, store: StateStore, scope: Scope) -> None:
        self._store = store
        self._scope = Scope(user_id=scope.user_id)

    def marks(self) -> dict[str, AgendaMark]:
        """By the ids of the items."""
        return read_marks(self._store.state(self._scope, STATE))

    def raise_(self, items: "Iterable[AgendaItem]", *, at: datetime) -> None:
        """Remember that items were brought up."""
        self._change({one.id: one for one in items}, at=at)

    def dismiss(self, items: "Iterable[AgendaItem]") -> None:
        """Remember that items shall not be brought up again."""
        self._change({one.id: one for one in items}, at=None)

    def forget(self, source_ids: Sequence[str]) -> None:
        """Drop the marks of items that come from memories which are deleted or changed."""
        gone = frozenset(source_ids)
        if self._store.state(self._scope, STATE) is not None:
            self._store.change_state(
                self._scope,
                STATE,
                lambda kept: write_marks(
                    {id_: mark for id_, mark in read_marks(kept).items() if gone.isdisjoint(mark.sources)}
                ),
            )

    def _change(self, items: "Mapping[str, AgendaItem]", *, at: datetime | None) -> None:
        def changed(kept: str | None) -> str | None:
            marks = read_marks(kept)
            for id_, item in items.items():
                known = marks.pop(id_, AgendaMark(sources=item.sources))
                raised = {**known.raised} if at is None else {**known.raised, item.occasion: at}
                marks[id_] = AgendaMark(
                    sources=item.sources, raised=raised, dismissed=known.dismissed or at is None
                )
            return write_marks(dict(list(marks.items())[-_MOST:]))

        self._store.change_state(self._scope, STATE, changed)


def raised_on(marks: Iterable[AgendaMark], day: date, *, timezone: tzinfo) -> int:
    """How many items were brought up on a day."""
    return sum(moment.astimezone(timezone).date() == day for mark in marks for moment in mark.raised.values())


def merged_marks(one: str, other: str) -> dict[str, AgendaMark]:
    """The marks of two texts: what either remembers, in an order that does not depend on theirs."""
    ours, theirs = read_marks(one), read_marks(other)
    both = dict(sorted({**ours, **theirs}.items()))
    for id_ in ours.keys() & theirs.keys():
        mine, his = ours[id_], theirs[id_]
        raised = {**mine.raised, **his.raised}
        both[id_] = AgendaMark(
            sources=max(mine.sources, his.sources),
            raised={
                name: max(filter(None, (mine.raised.get(name), his.raised.get(name))))
                for name in sorted(raised)
            },
            dismissed=mine.dismissed or his.dismissed,
        )
    return both


def read_marks(kept: str | None) -> dict[str, AgendaMark]:
    """What ``write_marks`` wrote."""
    return {
        id_: AgendaMark(
            sources=tuple(mark["sources"]),
            raised={name: datetime.fromisoformat(at) for name, at in mark["raised"].items()},
            dismissed=mark["dismissed"],
        )
        for id_, mark in json.loads(kept or "{}").items()
    }


def write_marks(marks: Mapping[str, AgendaMark]) -> str | None:
    """Marks as the text that is kept; None where there are none."""
    told = {
        id_: {
            "sources": list(mark.sources),
            "raised": {name: at.isoformat() for name, at in mark.raised.items()},
            "dismissed": mark.dismissed,
        }
        for id_, mark in marks.items()
    }
    return json.dumps(told) if told else None
