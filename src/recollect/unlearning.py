"""Taking back what was learned: when its words are deleted or changed, or a person says it is wrong."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from typing import Final

from recollect.filters import AllOf, by_ids, parse_filter
from recollect.ingest import Indexer
from recollect.protocols import Clock, Entry, LinkStore, StateStore, Store
from recollect.text.analyse import Analyser
from recollect.types import MemoryRecord, Scope

LEARNED: Final = parse_filter({"kind": {"in": ["fact", "episode"]}})
"""What is learned from other memories."""
ENDED_BY: Final = "no longer true: "
"""Begins the reason in the history of a fact that another one ended; that one's id follows, not its words."""
SOURCE_DELETED: Final = "what it was learned from was deleted"
"""The reason in the history of what was deleted because all its sources were."""
_TAKEN_BACK: Final = "what ended it was taken back: "
_UNTIL: Final = "times.valid_until"
_STATE: Final = "unlearned"
"""The name under which a store keeps which facts a person deleted: numbers, no words."""
_PAGE: Final = 50
"""Turns whose facts are looked for at a time. Chosen by hand."""


class Unlearner:
    """Takes back what was learned.

    Args:
        store: Where it is.
        indexer: Puts changed facts into the store.
        analyser: Cuts facts into words.
        clock: What time it is.
    """

    def __init__(self, store: Store, *, indexer: Indexer, analyser: Analyser, clock: Clock) -> None:
        self._store = store
        self._indexer = indexer
        self._analyser = analyser
        self._clock = clock

    def forget_derived(self, scope: Scope, ids: Sequence[str], *, reason: str) -> int:
        """Delete what was learned from turns that are no longer there alone; returns how many."""
        user = Scope(user_id=scope.user_id)
        doomed = [
            fact.id
            for fact in self._derived(user, ids)
            if not any(self._store.get(user, fact.origin.sources))
        ]
        self.reopen(user, doomed)
        return self._store.delete(user, by_ids(doomed), reason=reason) if doomed else 0

    def reword(self, scope: Scope, turn: str) -> None:
        """Let go what was learned from the words that a turn had; a fact of other turns stays theirs."""
        user = Scope(user_id=scope.user_id)
        derived = list(self._derived(user, [turn]))
        alone = [one.id for one in derived if one.origin.sources == (turn,)]
        self.reopen(user, alone)
        self._store.delete(user, by_ids(alone), reason="the words it was learned from were changed")
        for fact in derived:
            if fact.id not in alone:
                left = tuple(one for one in fact.origin.sources if one != turn)
                changed = replace(fact, origin=replace(fact.origin, sources=left))
                self._update(user, changed, "the words of one of its turns were changed")

    def reopen(self, scope: Scope, ids: Sequence[str]) -> None:
        """Let facts hold again that ended because of facts which now go; what a turn alone ended stays so."""
        if not isinstance(self._store, LinkStore):
            return
        for gone in ids:
            for link in self._store.links(scope, gone):
                if link.source_id == gone and link.type == "supersedes":
                    self._hold_again(scope, link.target_id, gone)

    def _hold_again(self, scope: Scope, fact_id: str, gone: str) -> None:
        ended = [
            change
            for change in self._store.history(scope, fact_id)
            if change.reason == f"{ENDED_BY}{gone}" and _UNTIL in change.after
        ]
        (fact,) = self._store.get(scope, [fact_id])
        if ended and fact is not None:
            before = ended[-1].before[_UNTIL]
            until = datetime.fromisoformat(before) if isinstance(before, str) else None
            changed = replace(fact, times=replace(fact.times, valid_until=until))
            self._update(scope, changed, f"{_TAKEN_BACK}{gone}")

    def end_again(self, scope: Scope, fact_id: str) -> None:
        """A fact is back: let those end again that held once more because it had gone."""
        if not isinstance(self._store, LinkStore):
            return
        for link in self._store.links(scope, fact_id):
            if link.source_id == fact_id and link.type == "supersedes":
                self._end(scope, link.target_id, fact_id)

    def _end(self, scope: Scope, fact_id: str, by: str) -> None:
        reopened = [
            change
            for change in self._store.history(scope, fact_id)
            if change.reason == f"{_TAKEN_BACK}{by}" and _UNTIL in change.before
        ]
        (fact,) = self._store.get(scope, [fact_id])
        if reopened and fact is not None:
            until = datetime.fromisoformat(str(reopened[-1].before[_UNTIL]))
            changed = replace(fact, times=replace(fact.times, valid_until=until))
            self._update(scope, changed, f"{ENDED_BY}{by}")

    def _update(self, scope: Scope, record: MemoryRecord, reason: str) -> None:
        def changed(_: MemoryRecord) -> Entry:
            times = replace(record.times, updated_at=self._clock())
            return self._indexer.entry(replace(record, times=times))

        self._store.update(scope, [record.id], changed, reason=reason)

    def _derived(self, user: Scope, ids: Sequence[str]) -> Iterable[MemoryRecord]:
        for start in range(0, len(ids), _PAGE):
            any_of = [{"sources": {"contains": one}} for one in ids[start : start + _PAGE]]
            yield from self._store.find(user, AllOf((LEARNED, parse_filter({"or": any_of}))))

    def unlearn(self, scope: Scope, fact: MemoryRecord) -> None:
        """Remember that a person deleted a fact: words that were said before do not bring it back."""
        if isinstance(self._store, StateStore):
            said = {self._mark_of(fact.content): self._clock().isoformat()}
            self._store.change_state(
                scope, _STATE, lambda kept: json.dumps({**json.loads(kept or "{}"), **said})
            )

    def relearn(self, scope: Scope, fact: MemoryRecord) -> None:
        """Forget that a person deleted a fact."""
        if isinstance(self._store, StateStore):
            mark = self._mark_of(fact.content)
            self._store.change_state(scope, _STATE, lambda kept: _without(kept, mark))

    def is_unlearned(self, scope: Scope, words: str, said_at: datetime) -> bool:
        """Whether a person deleted a fact of these words after they were said."""
        kept = self._store.state(scope, _STATE) if isinstance(self._store, StateStore) else None
        deleted = json.loads(kept or "{}").get(self._mark_of(words))
        return deleted is not None and said_at <= datetime.fromisoformat(deleted)

    def _mark_of(self, words: str) -> str:
        stems = " ".join(sorted(self._analyser.query_stems(words)))
        return blake2b(stems.encode(), digest_size=8).hexdigest()


def _without(kept: str | None, mark: str) -> str | None:
    """What is kept but for one mark."""
    left = {name: at for name, at in json.loads(kept or "{}").items() if name != mark}
    return json.dumps(left) if left else None
