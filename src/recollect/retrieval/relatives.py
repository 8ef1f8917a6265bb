"""What belongs to ranked memories: the turns they were learned from, their repeats, and newer words."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, tzinfo
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Store
from recollect.retrieval.hits import Later, quoted_in
from recollect.retrieval.rank import Ranking
from recollect.retrieval.request import SAID, Request, holds, why_not_allowed
from recollect.retrieval.supersession import Newer, Replaced, reached
from recollect.retrieval.surroundings import LEARNED
from recollect.retrieval.twins import MOST_REPEATS, Twins
from recollect.text.analyse import normalised
from recollect.text.traits import Trait
from recollect.types import MemoryRecord, Recollection, Scope, Superseded
from recollect.types.filters import AllOf, by_ids, narrowing

COMPARED: Final = 200
"""Memories ranked where words were replaced; newer ones beyond them fit by their link alone. By hand."""
NOTHING_SHOWN: Final[Mapping[str, str]] = MappingProxyType({})
_BY_DAY: Final = Trait.TIME | Trait.NUMBER


class Relatives:
    """Reads what belongs to the memories of one search."""

    def __init__(self, store: Store, scope: Scope, request: Request, *, timezone: tzinfo) -> None:
        self._store = store
        self._scope = scope
        self._request = request
        self._timezone = timezone

    def turns(self, found: Sequence[Recollection]) -> dict[str, MemoryRecord]:
        """By their ids, the turns a search may return from which some of what was found was learned."""
        sources = {it for one in found if one.memory.kind in LEARNED for it in one.memory.origin.sources}
        if not sources:
            return {}
        asked = self._request
        within = narrowing(SAID, tiers=asked.recalled, since=asked.since, until=asked.until)
        return {
            record.id: record
            for record in self._store.find(self._scope, AllOf((by_ids(sorted(sources)), asked.where, within)))
            if record.id not in asked.exclude and holds(record, asked)
        }

    def same(
        self, twins: Twins, mask: NDArray[np.bool_], wish: Trait, memory: MemoryRecord
    ) -> list[MemoryRecord]:
        """A memory and those that repeat it, newest first, of the rows that ``mask`` allows.

        A question for a time or a number (``wish``) keeps different days apart.
        """
        like = twins.of(memory.id, mask)
        ids = [one for one in like[:MOST_REPEATS] if one not in self._request.exclude]
        if len(ids) < 2:  # noqa: PLR2004 - itself and another
            return [memory]
        words, by_day = normalised(memory.content), bool(wish & _BY_DAY)
        return [
            record
            for record in self._store.get(self._scope, ids)
            if record is not None
            and normalised(record.content) == words
            and (not by_day or self._day(record) == self._day(memory))
        ] or [memory]

    def later(
        self,
        replaced: Replaced,
        shown: Sequence[str],
        ranking: Ranking,
        ids: Sequence[str],
        *,
        asked: Collection[str],
    ) -> dict[str, list[Later]]:
        """By the ids of turns that may be ``shown``, what replaced their words, if that may be returned, too.

        ``ids`` are those of the rows of ``ranking``, ``asked`` the stems of the question.
        """
        known = reached(replaced, shown) if replaced else {}
        if not known:
            return {}
        wanted = {one.turn for some in known.values() for one in some}
        ranked = self._ranked(known, ranking, ids, also=wanted)
        return {
            older: [
                Later(_lifted(one, ranked), self._end(one), one.what, fits=one.fits(asked), sure=one.sure)
                for one in newer
                if one.turn in ranked and self._is_over(one)
            ]
            for older, newer in known.items()
        }

    def marks(
        self,
        records: Sequence[MemoryRecord],
        replaced: Replaced,
        *,
        shown_as: Mapping[str, str] = NOTHING_SHOWN,
    ) -> dict[str, Superseded]:
        """By their ids what replaced the words of memories, also where that is no hit.

        An episode is marked as the turn whose words it repeats. What replaced words must be what the search
        may return, of any kind; ``shown_as`` says which hit shows a memory.
        """
        said = self._said_in(records, replaced)
        newer = {one.turn for turn in said.values() for one in replaced[turn]}
        anyhow = replace(self._request, kinds=None, exclude=())
        there = {
            record.id
            for record in (self._store.get(self._scope, sorted(newer)) if newer else ())
            if record is not None and why_not_allowed(record, self._scope, anyhow) is None
        }
        return {
            memory_id: mark
            for memory_id, turn in said.items()
            for one in reversed(replaced[turn])
            if one.sure and one.turn in there and (mark := self._mark(one, turn, memory_id, shown_as))
        }

    def _said_in(self, records: Sequence[MemoryRecord], replaced: Replaced) -> dict[str, str]:
        """By the ids of memories with replaced words, the turns that said those."""
        said = {one.id: one.id for one in records if one.id in replaced}
        for one in records:
            if one.kind == "episode" and not replaced.keys().isdisjoint(one.origin.sources):
                found = self._store.get(self._scope, one.origin.sources)
                (turn,) = quoted_in(one, [turn for turn in found if turn is not None]) or (None,)
                if turn is not None and turn.id in replaced:
                    said[one.id] = turn.id
        return said

    def _mark(
        self, newer: Newer, turn: str, memory_id: str, shown_as: Mapping[str, str]
    ) -> Superseded | None:
        """What a newer turn makes of words; None where it has not yet, or is shown as the same hit."""
        if newer.until is not None and newer.until > self._request.moment:
            return None
        if newer.turn == turn:
            return Superseded(by=newer.fact or turn, until=newer.until, what=newer.what)
        shown = shown_as.get(newer.turn, newer.turn)
        return None if shown == memory_id else Superseded(by=shown, until=newer.until, what=newer.what)

    def _ranked(
        self,
        known: Mapping[str, Sequence[Newer]],
        ranking: Ranking,
        ids: Sequence[str],
        *,
        also: Collection[str],
    ) -> dict[str, Recollection]:
        """By their ids, the newer turns and facts learned from them that are ranked, and ``also``."""
        places = {memory_id: place for place, memory_id in enumerate(ids[:COMPARED])}
        newer = [one for some in known.values() for one in some]
        named = {one.turn for one in newer}
        if self._request.kinds is None:
            named |= {one.fact for one in newer if one.fact is not None}
        wanted = sorted(named & (places.keys() | also))
        return {
            record.id: recollection(record, ranking, places[record.id])
            if record.id in places
            else Recollection(memory=record, score=0.0, signals={}, terms={})
            for record in (self._store.get(self._scope, wanted) if wanted else ())
            if record is not None and (record.id in places or self._may_return(record))
        }

    def _may_return(self, record: MemoryRecord) -> bool:
        return why_not_allowed(record, self._scope, self._request) is None

    def _day(self, record: MemoryRecord) -> date:
        return record.times.happened_at.astimezone(self._timezone).date()

    def _is_over(self, newer: Newer) -> bool:
        """Whether the older words hold no more at the moment asked about."""
        return newer.until is None or newer.until <= self._request.moment

    def _end(self, newer: Newer) -> datetime | None:
        return newer.until and newer.until.astimezone(self._timezone)


def _lifted(newer: Newer, ranked: Mapping[str, Recollection]) -> Recollection:
    """A turn with its own score, or with that of a fact learned from it where that is higher."""
    turn, fact = ranked[newer.turn], ranked.get(newer.fact or "")
    if fact is None or fact.score <= turn.score:
        return turn
    return replace(fact, memory=turn.memory, via=fact.memory)


def recollection(record: MemoryRecord, ranking: Ranking, place: int) -> Recollection:
    """A ranked memory with its score, signals and terms."""
    scored = ranking.scored
    return Recollection(
        memory=record,
        score=float(scored.score[place]),
        signals={name: float(values[place]) for name, values in scored.signals.items()},
        terms={name: float(values[place]) for name, values in scored.terms.items()},
    )
