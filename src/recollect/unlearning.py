"""Taking back what was learned: when its words are deleted or changed, or a person says it is wrong."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Final

from recollect.filters import AllOf, by_ids, parse_filter
from recollect.ingest import Indexer
from recollect.learning.recording import ENDED_BY, ended, enders_of, held_again
from recollect.protocols import Clock, Entry, LinkStore, StateStore, Store
from recollect.text.analyse import Analyser
from recollect.types import MemoryRecord, Scope

LEARNED: Final = parse_filter({"kind": {"in": ["fact", "episode"]}})
"""What is learned from other memories."""
SOURCE_DELETED: Final = "what it was learned from was deleted"
"""The reason in the history of what was deleted because all its sources were."""
_TAKEN_BACK: Final = "what ended it was taken back: "
_ENDED_AGAIN: Final = "what ended it is back: "
_UNTIL: Final = "times.valid_until"
STATE: Final = "unlearned"
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
        """Delete what was learned from turns that are no longer there alone; returns how many.

        What the turns ended, or facts that go with them, holds again.
        """
        user, gone = Scope(user_id=scope.user_id), frozenset(ids)
        touched = list(self._about(user, ids))
        doomed = [
            one.id
            for one in touched
            if not gone.isdisjoint(one.origin.sources) and not any(self._store.get(user, one.origin.sources))
        ]
        self._reopen(user, touched, gone)
        if not doomed:
            return 0
        self._reopen(user, self._about(user, doomed), frozenset(doomed))
        return self._store.delete(user, by_ids(doomed), reason=reason)

    def reword(self, scope: Scope, turn: str) -> None:
        """Let go what was learned from the words that a turn had; a fact of other turns stays theirs."""
        user = Scope(user_id=scope.user_id)
        touched = list(self._about(user, [turn]))
        derived = [one for one in touched if turn in one.origin.sources]
        alone = [one.id for one in derived if one.origin.sources == (turn,)]
        self._reopen(user, touched, frozenset([turn]))
        self._reopen(user, self._about(user, alone), frozenset(alone))
        self._store.delete(user, by_ids(alone), reason="the words it was learned from were changed")
        for fact in derived:
            if fact.id not in alone:
                self._update(
                    user,
                    fact.id,
                    partial(_without_source, turn=turn),
                    "the words of one of its turns were changed",
                )

    def _reopen(self, user: Scope, touched: Iterable[MemoryRecord], gone: frozenset[str]) -> None:
        """Let facts hold again that ended because of facts and turns which now go."""
        for fact in touched:
            for one in gone.intersection(enders_of(fact)):
                self._update(user, fact.id, partial(held_again, gone=one), f"{_TAKEN_BACK}{one}")

    def end_again(self, scope: Scope, ended_by: str) -> None:
        """A fact or a turn is back: let those facts end again that held once more because it had gone."""
        if not isinstance(self._store, LinkStore):
            return
        for link in self._store.links(scope, ended_by):
            if link.source_id == ended_by and link.type == "supersedes":
                self._end(scope, link.target_id, ended_by)

    def _end(self, scope: Scope, fact_id: str, by: str) -> None:
        reopened = [
            change
            for change in self._store.history(scope, fact_id)
            if change.reason == f"{_TAKEN_BACK}{by}" and _UNTIL in change.before
        ]
        if reopened:
            until = datetime.fromisoformat(str(reopened[-1].before[_UNTIL]))
            self._update(scope, fact_id, partial(ended, at=until, by=by), f"{_ENDED_AGAIN}{by}")

    def _update(
        self, scope: Scope, fact_id: str, change: Callable[[MemoryRecord], MemoryRecord], reason: str
    ) -> None:
        def changed(before: MemoryRecord) -> Entry:
            after = change(before)
            return self._indexer.entry(replace(after, times=replace(after.times, updated_at=self._clock())))

        self._store.update(scope, [fact_id], changed, reason=reason)

    def _about(self, user: Scope, ids: Sequence[str]) -> Iterator[MemoryRecord]:
        """What was learned from turns, and what was ended by turns and facts, with these ids."""
        for start in range(0, len(ids), _PAGE):
            page = ids[start : start + _PAGE]
            any_of = [{field: {"contains": one}} for one in page for field in ("sources", ENDED_BY)]
            yield from self._store.find(user, AllOf((LEARNED, parse_filter({"or": any_of}))))

    def unlearn(self, scope: Scope, fact: MemoryRecord) -> None:
        """Remember that a person deleted a fact: words that were said before do not bring it back."""
        if isinstance(self._store, StateStore):
            said = {self._mark_of(fact.content): self._clock().isoformat()}
            self._store.change_state(
                scope, STATE, lambda kept: json.dumps({**json.loads(kept or "{}"), **said})
            )

    def relearn(self, scope: Scope, fact: MemoryRecord) -> None:
        """Forget that a person deleted a fact."""
        if isinstance(self._store, StateStore):
            mark = self._mark_of(fact.content)
            self._store.change_state(scope, STATE, lambda kept: _without(kept, mark))

    def is_unlearned(self, scope: Scope, words: str, said_at: datetime) -> bool:
        """Whether a person deleted a fact of these words after they were said."""
        kept = self._store.state(scope, STATE) if isinstance(self._store, StateStore) else None
        deleted = json.loads(kept or "{}").get(self._mark_of(words))
        return deleted is not None and said_at <= datetime.fromisoformat(deleted)

    def _mark_of(self, words: str) -> str:
        stems = " ".join(sorted(self._analyser.query_stems(words)))
        return blake2b(stems.encode(), digest_size=8).hexdigest()


def _without(kept: str | None, mark: str) -> str | None:
    """What is kept but for one mark."""
    left = {name: at for name, at in json.loads(kept or "{}").items() if name != mark}
    return json.dumps(left) if left else None


def _without_source(before: MemoryRecord, *, turn: str) -> MemoryRecord:
    left = tuple(one for one in before.origin.sources if one != turn)
    return replace(before, origin=replace(before.origin, sources=left))
