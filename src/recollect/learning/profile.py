"""What is known about a user: learned facts by category, with how sure they are and who said them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from recollect.learning.ageing import Ageing
from recollect.learning.conflicts import open_conflicts
from recollect.learning.extraction.facts import CATEGORIES
from recollect.protocols import Store
from recollect.types import JSON, AgedConfidence, MemoryRecord, Scope, Within
from recollect.types.filters import Filter, parse_filter
from recollect.types.guesses import Result

DOUBTED: Final = 0.5
"""From this aged confidence down a fact is as likely over as not."""
_NONE: Final = "general"
"""Where a fact without a category stands."""
FACTS: Final = parse_filter({"kind": "fact", "tier": {"ne": "archived"}})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class KnownFact(Result):
    """A fact of a profile.

    Attributes:
        memory: The fact: ``content``, ``worth.confidence``, ``times.valid_from`` and ``valid_until``.
        sources: The turns that say it, first to last; those that were deleted are left out, and those
            outside the scope that was asked for.
        contested: Whether it contradicts another one and waits for a person.
        aged: What time has left of its confidence, and why.
    """

    memory: MemoryRecord
    sources: tuple[MemoryRecord, ...]
    contested: bool
    aged: AgedConfidence

    @property
    def how_sure(self) -> str:
        """Its confidence; where time took some, what is left "of" the stored one: "0.47 of 0.95"."""
        now, stored = f"{self.aged.value:.2f}", f"{self.memory.worth.confidence:.2f}"
        return now if now == stored else f"{now} of {stored}"

    def __repr__(self) -> str:
        sure = self.how_sure + (" contested" if self.contested else "")
        return f"<KnownFact {sure} {self.memory!r}>"

    def to_dict(self) -> dict[str, JSON]:
        """The fact in short, ready for JSON.

        Returns:
            ``id``, ``content``, ``category``, ``confidence`` (as it was said), ``confidence_now`` (what time
            has left of it), ``confidence_reason``, ``contested``, ``valid_from``, ``valid_until`` (ISO 8601
            UTC; None while it holds) and ``sources``, the ids of the turns that say it.
        """
        fact, times = self.memory, self.memory.times
        return {
            "id": fact.id,
            "content": fact.content,
            "category": fact.labels.category or _NONE,
            "confidence": fact.worth.confidence,
            "confidence_now": self.aged.value,
            "confidence_reason": self.aged.reason,
            "contested": self.contested,
            "valid_from": (times.valid_from or times.happened_at).isoformat(),
            "valid_until": times.valid_until.isoformat() if times.valid_until else None,
            "sources": [turn.id for turn in self.sources],
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UserProfile(Result):
    """What is known about a user at a moment.

    Attributes:
        facts: By category, those of ``CATEGORIES`` first, others by name; in each the surest first,
            after what time took of their confidence.
            Categories without any are left out.
    """

    user_id: str
    facts: Mapping[str, tuple[KnownFact, ...]]

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(facts)} {category}" for category, facts in self.facts.items())
        return f"<UserProfile of {self.user_id}: {counts or 'no facts'}>"

    def to_dict(self) -> dict[str, JSON]:
        """``user_id``, ``facts`` (by category, see ``KnownFact.to_dict``) and ``total``."""
        facts = {name: [fact.to_dict() for fact in known] for name, known in self.facts.items()}
        return {"user_id": self.user_id, "facts": facts, "total": sum(map(len, facts.values()))}

    def __str__(self) -> str:
        """The facts by category, a line each, with how sure they are."""
        lines = []
        for category, facts in self.facts.items():
            lines.append(f"{category.upper()}:")
            lines += map(_line, facts)
        return "\n".join(lines)


def _line(fact: KnownFact) -> str:
    contested = ", contested" * fact.contested
    return f"- {fact.memory.content} ({fact.how_sure}{contested})"


def at_any_time(within: Within) -> Within:
    """The same narrowing at any time: facts that ended tell how long such facts last."""
    return replace(within, as_of=None)


def profile_of(store: Store, scope: Scope, where: Filter = FACTS, *, at: datetime) -> UserProfile:
    """The facts of a scope that hold at a moment.

    Args:
        store: Where they are.
        scope: Whose; with an agent only its facts, with a session only what was said in it. Sources outside
            the scope are left out.
        where: Which facts, also those that do not hold; by default all that are not archived.
        at: The moment.
    """
    own = Scope(user_id=scope.user_id, agent_id=scope.agent_id)
    everything = store.find(own, where)
    found = [record for record in everything if holds(record, at)]
    wanted = list(dict.fromkeys(id_ for record in found for id_ in record.origin.sources))
    turns = {turn.id: turn for turn in store.get(scope, wanted) if turn is not None}
    if scope.session_id is not None:
        found = [one for one in found if _is_of(one, scope.session_id, said=turns)]
    ageing = Ageing(everything, at=at, turns=turns)
    contested = _contested(store, own, where, at=at)
    grouped: dict[str, list[KnownFact]] = {}
    known = [
        KnownFact(
            memory=record,
            sources=tuple(turns[one] for one in record.origin.sources if one in turns),
            aged=ageing.of(record),
            contested=record.id in contested,
        )
        for record in found
    ]
    for one in sorted(known, key=lambda one: (-one.aged.value, one.memory.id)):
        grouped.setdefault(one.memory.labels.category or _NONE, []).append(one)
    order = [*CATEGORIES, *sorted(set(grouped) - set(CATEGORIES))]
    facts = {category: tuple(grouped[category]) for category in order if category in grouped}
    return UserProfile(user_id=scope.user_id, facts=facts)


def _contested(store: Store, scope: Scope, where: Filter, *, at: datetime) -> set[str]:
    """The ids of both sides of the conflicts that wait at a moment."""
    open_ones = open_conflicts(store, scope, where, at=at)
    return {side.id for one in open_ones for side in (one.known, one.new)}


def _is_of(record: MemoryRecord, session_id: str, *, said: Mapping[str, MemoryRecord]) -> bool:
    """Whether a fact is of a session: told in it, or learned from one of the turns that were said in it."""
    return record.scope.session_id == session_id or any(one in said for one in record.origin.sources)


def holds(record: MemoryRecord, at: datetime) -> bool:
    """Whether a fact holds at a moment."""
    begins = record.times.valid_from or record.times.happened_at
    return begins <= at and (record.times.valid_until is None or at < record.times.valid_until)
