"""Facts that came as facts, read by the rules and kept true like learned ones.

Their words stay as they are. Where no rule reads them, or they say several things, nothing is known but the
words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import cache, partial

from recollect.learning.extraction.extract import USER
from recollect.learning.extraction.facts import Fact
from recollect.learning.extraction.third_person import read_fact
from recollect.learning.facts import FactKeeper
from recollect.learning.marks import COMPARED, KEPT, is_compared, is_given
from recollect.learning.outcomes import Learned
from recollect.learning.persons import NAMED, Persons
from recollect.learning.recording import fact_of
from recollect.types import MemoryRecord, Scope


class GivenFacts:
    """Reads facts of a user that no turn says, and lets them change what is known."""

    def __init__(self, keeper: FactKeeper, persons: Persons, *, timezone: tzinfo) -> None:
        self._keeper = keeper
        self._persons = persons
        self._timezone = timezone

    def compare(self, facts: Iterable[MemoryRecord]) -> Learned:
        """Compare facts that are new, or have other words than before, the oldest first.

        Raises:
            ChangedError: One was deleted or changed meanwhile.
        """
        total = Learned()
        given = [one for one in facts if is_given(one) and not is_compared(one)]
        for user in dict.fromkeys(map(_user_of, given)):
            for one, fact in self._read_all(user, [one for one in given if _user_of(one) == user]):
                total += self._keeper.stand(one, fact)
        return total

    def _read_all(self, user: Scope, given: Sequence[MemoryRecord]) -> list[tuple[MemoryRecord, Fact]]:
        """Facts with what they say, the oldest first; of one moment those come last that tell a change."""
        people = self._persons.known(user)
        is_user = cache(partial(self._persons.means_user, user))
        read = [(one, self._read(one, people, is_user)) for one in given]
        own = {fact.object for _, fact in read if fact and (fact.subject, fact.relation) == (USER, NAMED)}
        if own:
            named = lambda name: name in own or is_user(name)  # noqa: E731
            read = [(one, self._read(one, people, named)) for one in given]
        found = [(one, fact) for one, fact in read if fact is not None]
        return sorted(
            found, key=lambda both: (both[0].times.happened_at, both[1].change is not None, both[0].id)
        )

    def _read(
        self, record: MemoryRecord, people: Mapping[str, str], is_user: Callable[[str], bool]
    ) -> Fact | None:
        known = fact_of(record)
        if known is None and any(name in record.metadata for name in KEPT if name != "subject"):
            return None  # the caller's own, under these names
        at = record.times.happened_at.astimezone(self._timezone)
        fact = read_fact(record.content, is_user=is_user, people=people, at=at, about=_about(record))
        read_before = COMPARED in record.metadata  # what is known may be of the words before
        if known is not None and (fact is None or not read_before):
            return known if fact is None else replace(known, valid_from=fact.valid_from)
        sure = record.worth.confidence
        return fact and replace(fact, source=record.id, quote="", confidence=min(fact.confidence, sure))


def _user_of(record: MemoryRecord) -> Scope:
    return Scope(user_id=record.scope.user_id, agent_id=record.scope.agent_id)


def _about(record: MemoryRecord) -> str | None:
    """Whom a fact is about, where it is known besides its words."""
    named = record.metadata.get("subject") or record.metadata.get("entity") or record.origin.speaker
    return str(named) if isinstance(named, str) else None
