"""Taking back what was learned: when its words are deleted or changed, or a person says it is wrong."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Final

from recollect.learning.leases import BusyError
from recollect.learning.marks import ENDED_BY, LEFT_OUT, ended, enders_of, held_again, left_out_of
from recollect.learning.parts import LearningParts
from recollect.lifecycle.archival import ARCHIVED
from recollect.protocols import Entry, JobsOf, Store, no_jobs
from recollect.types import JSON, MemoryRecord, Scope
from recollect.types.filters import AllOf, AnyOf, Filter, parse_filter

LEARNED: Final = parse_filter({"kind": {"in": ["fact", "episode"]}})
"""What is learned from other memories."""
_FACTS: Final = parse_filter({"kind": "fact"})
_EPISODES: Final = parse_filter({"kind": "episode"})
SOURCE_DELETED: Final = "what it was learned from was deleted"
"""The reason in the history of what was deleted because all its sources were."""
SOURCE_CHANGED: Final = "the words it was learned from were changed"
"""Likewise, where a turn that is left says something else now."""
WITH_WORDS: Final = "the words it was learned from were archived"
"""The reason in the history of what was archived with its messages."""
_TAKEN_BACK: Final = "what ended it was taken back: "
_ENDED_AGAIN: Final = "what ended it is back: "
_UNTIL: Final = "times.valid_until"
STATE: Final = "unlearned"
"""The name under which a store keeps which facts a person deleted: numbers, no words."""
_PAGE: Final = 50
"""Turns whose facts the store looks for; of more, all that was learned is looked through. Chosen by hand."""


class ChangedError(BusyError):
    """A turn was deleted or changed while it was learned: no failure, it is read again."""


class Unlearner:
    """Takes back what was learned."""

    def __init__(self, parts: LearningParts) -> None:
        self._parts = parts

    def reopen(self, user: Scope, facts: Iterable[MemoryRecord], gone: Collection[str]) -> None:
        """Let facts hold again that ended because of facts and turns that are gone or changed."""
        for fact in facts:
            for one in set(gone).intersection(enders_of(fact)):
                self.update(user, [fact.id], partial(held_again, gone=one), f"{_TAKEN_BACK}{one}")

    def restore(self, user: Scope, record: MemoryRecord) -> None:
        """A memory is back: a fact may be learned again, and what it had ended ends again.

        A fact itself is over by what ended it and is there, whatever became of that meanwhile.
        """
        if record.kind == "fact":
            self.relearn(user, record)
            self.reopen(user, [record], self.gone(user, enders_of(record)))
            for link in self._parts.store.links(user, record.id):
                if link.target_id == record.id and link.type == "supersedes":
                    self._end(user, record.id, link.source_id)
        self.end_again(user, record.id)

    def gone(self, user: Scope, ids: Iterable[str]) -> set[str]:
        """Those that were deleted; one that never was there, as after an import, is not."""
        wanted = list(ids)
        there = {one.id for one in self._parts.store.get(user, wanted) if one is not None}
        return {one for one in wanted if one not in there and self._parts.store.history(user, one)}

    def end_again(self, scope: Scope, ended_by: str) -> None:
        """A fact or a turn is back: let those facts end again that held once more because it had gone."""
        for link in self._parts.store.links(scope, ended_by):
            if link.source_id == ended_by and link.type == "supersedes":
                self._end(scope, link.target_id, ended_by)

    def _end(self, scope: Scope, fact_id: str, by: str) -> None:
        changes = self._parts.store.history(scope, fact_id)
        mine = [one for one in changes if one.reason in {f"{_TAKEN_BACK}{by}", f"{_ENDED_AGAIN}{by}"}]
        if mine and mine[-1].reason == f"{_TAKEN_BACK}{by}" and _UNTIL in mine[-1].before:
            until = datetime.fromisoformat(str(mine[-1].before[_UNTIL]))
            self.update(scope, [fact_id], partial(ended, at=until, by=by), f"{_ENDED_AGAIN}{by}")

    def update(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], MemoryRecord],
        reason: str,
        *,
        jobs: JobsOf = no_jobs,
    ) -> None:
        """Change what was learned; its time of change is now."""

        def changed(before: MemoryRecord) -> Entry:
            after = change(before)
            return self._parts.indexer.entry(
                replace(after, times=replace(after.times, updated_at=self._parts.clock()))
            )

        self._parts.store.update(scope, ids, changed, reason=reason, jobs=jobs)

    def about(self, user: Scope, ids: Sequence[str]) -> Iterator[MemoryRecord]:
        """What was learned from turns, and what was ended by turns and facts, with these ids."""
        if len(ids) > _PAGE:
            wanted = set(ids)
            every = self._parts.store.find(user, LEARNED)
            yield from (one for one in every if not wanted.isdisjoint(_cited_by(one)))
        elif ids:
            cites = AnyOf(tuple(_any_cites(field, ids) for field in ("sources", LEFT_OUT, ENDED_BY)))
            yield from self._parts.store.find(user, AllOf((LEARNED, cites)))

    def facts_of(self, user: Scope, turn: str) -> list[MemoryRecord]:
        """The facts that were learned from a turn, by their links with it."""
        links = self._parts.store.links(user, turn)
        told = [one.source_id for one in links if one.type == "derived-from" and one.target_id == turn]
        return [one for one in self._parts.store.get(user, told) if one is not None]

    def learned_from(self, user: Scope, turns: Sequence[str]) -> list[MemoryRecord]:
        """The facts and episodes that were learned from turns."""
        if len(turns) > _PAGE:
            told = set(turns)
            return [one for one in self.about(user, turns) if not told.isdisjoint(one.origin.sources)]
        facts = {one.id: one for turn in turns for one in self.facts_of(user, turn)}
        episodes = self._parts.store.find(user, AllOf((_EPISODES, _any_cites("sources", turns))))
        return [*facts.values(), *episodes]

    def follow_into_archive(self, user: Scope, fact_id: str, turn: MemoryRecord) -> None:
        """Archive a new fact of an archived turn, where those are in the archive that its former words told.

        What is learned from a turn that was archived before stays active, as do its other facts.
        """
        if turn.tier != ARCHIVED:
            return
        told = AllOf((_FACTS, _any_cites("sources", [turn.id])))
        former = [*self._parts.store.deleted(user, told), *self.facts_of(user, turn.id)]
        if any(one.tier == ARCHIVED for one in former if one.id != fact_id):
            self.update(user, [fact_id], partial(replace, tier=ARCHIVED), WITH_WORDS)

    def told_with(self, scope: Scope, ids: Sequence[str]) -> list[str]:
        """Turns, and those from which some of their facts were learned, too; the earliest first."""
        user = Scope(user_id=scope.user_id)
        told = {turn for one in self.about(user, ids) for turn in _shared(one, ids)}
        found = self._parts.store.get(user, sorted(told.union(ids)))
        turns = [one for one in found if one is not None]
        return [one.id for one in sorted(turns, key=lambda one: (one.times.happened_at, one.id))]

    def mark(self, facts: Iterable[MemoryRecord]) -> dict[str, JSON]:
        """What ``unlearn`` keeps of facts that a person deletes now."""
        return {self._mark_of(fact.content): self._parts.clock().isoformat() for fact in facts}

    def unlearn(self, scope: Scope, marks: Mapping[str, JSON]) -> None:
        """Remember that a person deleted facts: words that were said before do not bring them back."""
        self._parts.store.change_state(
            scope, STATE, lambda kept: json.dumps({**json.loads(kept or "{}"), **marks})
        )

    def relearn(self, scope: Scope, fact: MemoryRecord) -> None:
        """Forget that a person deleted a fact."""
        mark = self._mark_of(fact.content)
        self._parts.store.change_state(scope, STATE, lambda kept: _without(kept, mark))

    def is_unlearned(self, scope: Scope, words: str, said_at: datetime) -> bool:
        """Whether a person deleted a fact of these words after they were said."""
        kept = self._parts.store.state(scope, STATE)
        deleted = json.loads(kept or "{}").get(self._mark_of(words))
        return deleted is not None and said_at <= datetime.fromisoformat(deleted)

    def _mark_of(self, words: str) -> str:
        stems = " ".join(sorted(self._parts.analyser.query_stems(words)))
        return blake2b(stems.encode(), digest_size=8).hexdigest()


def _any_cites(field: str, ids: Sequence[str]) -> Filter:
    """That a field names one of some ids."""
    return parse_filter({"or": [{field: {"contains": one}} for one in ids]})


def _without(kept: str | None, mark: str) -> str | None:
    """What is kept but for one mark."""
    left = {name: at for name, at in json.loads(kept or "{}").items() if name != mark}
    return json.dumps(left) if left else None


def _shared(record: MemoryRecord, turns: Collection[str]) -> tuple[str, ...]:
    """The sources of a fact that was learned from some turns."""
    sources = record.origin.sources
    return () if record.kind != "fact" or set(turns).isdisjoint(sources) else sources


def _cited_by(record: MemoryRecord) -> set[str]:
    return {*record.origin.sources, *left_out_of(record), *enders_of(record)}


def check_unchanged(store: Store, user: Scope, read: Sequence[MemoryRecord]) -> None:
    """Raise ``ChangedError`` when one of some turns was deleted, or given other words or times, since then.

    Inside a transaction that writes to the user's memories, none of them can change before it ends.
    """
    now = store.get(user, [one.id for one in read])
    if any(one is None or _said(one) != _said(before) for one, before in zip(now, read, strict=True)):
        raise ChangedError("a turn was deleted or changed while it was learned")


def _said(turn: MemoryRecord) -> tuple[str, datetime]:
    return turn.content, turn.times.happened_at
