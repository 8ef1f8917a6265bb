"""What time has left of a fact's confidence: computed when it is read; what is stored stays what was said."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from recollect.learning.half_lives import HalfLife, half_life_of
from recollect.learning.marks import moment_of
from recollect.types import AgedConfidence, MemoryRecord

PRIOR_CHANGES: Final = 0.5
"""For how many changes of a user's own the table counts: as few as it does say of one person. Tuned on the
open half of ``benchmarks/ageing.py``; 0.1 and 0.25 give the same there, 1 to 4 up to two cases less."""
_CORRECTED: Final = timedelta(hours=1)
"""A fact that ended so soon was a mistake, and tells nothing of how long such facts last. Chosen by hand."""


def aged(confidence: float, *, age: timedelta, half_life: timedelta | None) -> float:
    """What is left of a confidence after a time: ``confidence * 0.5 ** (age / half_life)``.

    >>> round(aged(0.9, age=timedelta(days=365), half_life=timedelta(days=730)), 3)
    0.636
    """
    return confidence if half_life is None else confidence * 0.5 ** (max(age / half_life, 0.0))


def learned_half_life(prior: timedelta, *, changes: int, held: timedelta) -> timedelta:
    """The half-life of a relation after a user's own facts of it.

    The rate at which such facts change has a gamma prior of shape ``k`` (``PRIOR_CHANGES``) and mean ``ln 2 /
    prior``. Facts that held for a time ``held`` in all, ``changes`` of which ended in it, are a Poisson
    process that was watched for so long; so the posterior is a gamma of shape ``k + changes`` and mean
    ``(k + changes) / (k prior / ln 2 + held)``. The half-life at that rate is
    ``(k prior + ln 2 held) / (k + changes)``.

    >>> year = timedelta(days=365)
    >>> round(learned_half_life(8 * year, changes=4, held=year) / year, 2)  # moved four times in a year
    1.04
    >>> round(learned_half_life(8 * year, changes=0, held=20 * year) / year, 1)
    35.7
    """
    return (PRIOR_CHANGES * prior + math.log(2) * held) / (PRIOR_CHANGES + changes)


@dataclass(slots=True)
class _Seen:
    """What the facts of a relation tell of it."""

    changes: int = 0
    held: timedelta = timedelta()


class Ageing:
    """How a user's facts age, as of a moment.

    Args:
        facts: The user's, also those that ended: how often they changed tells how fast they age.
        at: The moment; what was said later is not known then.
        turns: The messages that say the facts, as far as they are read, by their ids.
    """

    def __init__(
        self, facts: Iterable[MemoryRecord], *, at: datetime, turns: Mapping[str, MemoryRecord] | None = None
    ) -> None:
        self._at = at
        self._turns = turns or {}
        self._seen: dict[tuple[str, str], _Seen] = {}
        for fact in facts:
            if fact.kind == "fact" and fact.times.happened_at <= at:
                self._see(fact)

    def of(self, fact: MemoryRecord) -> AgedConfidence:
        """The confidence of a fact at the moment, and why."""
        row, said = half_life_of(fact), self._said_at(fact)
        seen = self._seen.get(_key(fact, row), _Seen())
        lasts = row.lasts
        if lasts is not None:
            lasts = learned_half_life(lasts, changes=seen.changes, held=seen.held)
        start = max(said, _sure_until(fact, self._at) or said)
        return AgedConfidence(
            value=aged(fact.worth.confidence, age=self._at - start, half_life=lasts),
            said_at=said,
            half_life_days=None if lasts is None else lasts / timedelta(days=1),
            relation=row.name,
            changes=seen.changes,
            because=row.why,
        )

    def _see(self, fact: MemoryRecord) -> None:
        row, times = half_life_of(fact), fact.times
        if row.lasts is None:
            return
        begins = min(times.valid_from or times.happened_at, times.happened_at)
        over = times.valid_until is not None and times.valid_until <= self._at
        ends = times.valid_until if over and times.valid_until is not None else self._said_at(fact)
        if over and ends - begins < _CORRECTED:
            return
        seen = self._seen.setdefault(_key(fact, row), _Seen())
        seen.changes += over
        seen.held += max(ends - begins, timedelta())

    def _said_at(self, fact: MemoryRecord) -> datetime:
        """When it was said last, as far as that is known at the moment."""
        told = [turn.times.happened_at for id_ in fact.origin.sources if (turn := self._turns.get(id_))]
        again = moment_of(fact.metadata.get("repeated_at"))
        known = [one for one in (*told, again) if one is not None and one <= self._at]
        return max([fact.times.happened_at, *known])


def _key(fact: MemoryRecord, row: HalfLife) -> tuple[str, str]:
    """Whose facts of a relation tell of each other: somebody else moves more often."""
    return row.name, str(fact.metadata.get("subject") or "user").casefold()


def _sure_until(fact: MemoryRecord, at: datetime) -> datetime | None:
    """Until when a fact does not age: up to the day of a plan, or an end that was told with it."""
    days = [date.start for date in fact.labels.dates] if fact.labels.category == "plan" else []
    until = fact.times.valid_until
    told = [] if until is None or "ended_by" in fact.metadata else [until]
    return max((min(one, at) for one in (*days, *told)), default=None)
