"""What a user said earlier that a message about a change may be about, fact or not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.learning.extraction.changing import sayings_in
from recollect.learning.extraction.extract import speaker_of
from recollect.learning.extraction.facts import INFERRED, Fact
from recollect.learning.persons import Persons
from recollect.learning.reconcile.changes import end_by_change
from recollect.learning.reconcile.doubts import doubt_of
from recollect.learning.reconcile.statements import Statement
from recollect.learning.recording import new_statement, turn_of
from recollect.text.analyse import Analyser
from recollect.types import MemoryRecord, Scope


class Earlier(NamedTuple):
    """A statement of an earlier turn, as it stands."""

    fact: Fact
    turn: MemoryRecord
    statement: Statement


class EarlierStatements:
    """Relates a message about a change to what its speaker said before."""

    def __init__(
        self,
        near: Callable[[Scope, Fact], Sequence[MemoryRecord]],
        *,
        persons: Persons,
        analyser: Analyser,
    ) -> None:
        self._near = near
        self._persons = persons
        self._analyser = analyser

    def ended(self, user: Scope, fact: Fact, source: MemoryRecord, *, but: set[str]) -> list[Earlier]:
        """Earlier statements that surely end by a change."""
        change, told = self._told(user, fact, source)
        return [
            one
            for one in told
            if one.turn.id not in but and end_by_change(change, one.statement, self._analyser) == "opposite"
        ]

    def doubted(self, user: Scope, fact: Fact, source: MemoryRecord) -> list[Earlier]:
        """The statements of the one earlier turn that a change is most likely about; empty for none."""
        change, told = self._told(user, fact, source)
        scored = [
            (score, one.turn.times.happened_at, one.turn.id, one)
            for one in told
            if (score := doubt_of(change, one.statement)) is not None
        ]
        if not scored:
            return []
        best = max(scored, key=lambda one: one[:3])[3]
        return [best._replace(fact=replace(best.fact, confidence=INFERRED))]

    def _told(self, user: Scope, fact: Fact, source: MemoryRecord) -> tuple[Statement, list[Earlier]]:
        older = list(self._older(user, fact, source))
        statements = [new_statement(said, turn) for said, turn in older]
        change, *known = self._persons.united(user, [new_statement(fact, source), *statements])
        return change, [Earlier(*one, said) for one, said in zip(older, known, strict=True)]

    def _older(self, user: Scope, fact: Fact, source: MemoryRecord) -> Iterator[tuple[Fact, MemoryRecord]]:
        for turn in self._near(user, fact):
            if turn.origin.role != "user" or turn.times.happened_at >= source.times.happened_at:
                continue
            for said in sayings_in(turn.content, speaker_of(turn_of(turn))):
                yield replace(said, source=turn.id), turn
