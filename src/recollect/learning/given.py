"""Facts that came as facts, read by the rules and kept true like learned ones.

Their words stay as they are. Where no rule reads them, or they say several things, nothing is known but the
words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from recollect.learning.extraction.facts import Fact
from recollect.learning.extraction.third_person import read_fact
from recollect.learning.facts import FactKeeper
from recollect.learning.marks import KEPT, is_compared, is_given
from recollect.learning.outcomes import Learned
from recollect.learning.persons import Persons
from recollect.learning.recording import fact_of
from recollect.types import MemoryRecord, Scope


class GivenFacts:
    """Reads facts of a user that no turn says, and lets them change what is known."""

    def __init__(self, keeper: FactKeeper, persons: Persons) -> None:
        self._keeper = keeper
        self._persons = persons

    def compare(self, facts: Iterable[MemoryRecord]) -> Learned:
        """Compare facts that are new, or have other words than before, the oldest first.

        Raises:
            ChangedError: One was deleted or changed meanwhile.
        """
        total = Learned()
        given = [one for one in facts if is_given(one) and not is_compared(one)]
        people: dict[Scope, dict[str, str]] = {}
        for one in sorted(given, key=lambda one: (one.times.happened_at, one.id)):
            user = Scope(user_id=one.scope.user_id, agent_id=one.scope.agent_id)
            if user not in people:
                people[user] = self._persons.known(user)
            fact = self._read(user, one, people[user])
            if fact is not None:
                total += self._keeper.stand(one, fact)
        return total

    def _read(self, user: Scope, record: MemoryRecord, people: Mapping[str, str]) -> Fact | None:
        known = fact_of(record)
        if known is None and any(name in record.metadata for name in KEPT if name != "subject"):
            return None  # the caller's own, under these names
        fact = read_fact(
            record.content,
            is_user=partial(self._persons.means_user, user),
            people=people,
            at=record.times.happened_at,
            about=_about(record),
        )
        if known is not None:
            return known if fact is None else replace(known, valid_from=fact.valid_from)
        sure = record.worth.confidence
        return fact and replace(fact, source=record.id, quote="", confidence=min(fact.confidence, sure))


def _about(record: MemoryRecord) -> str | None:
    """Whom a fact is about, where it is known besides its words."""
    named = record.metadata.get("subject") or record.metadata.get("entity") or record.origin.speaker
    return str(named) if isinstance(named, str) else None
