"""Messages that take back what was said just before, followed when one of both is deleted, edited or back.

| what happens to the message that takes back | what the one before it says                       |
|---------------------------------------------|---------------------------------------------------|
| it is learned, or brought back              | is over, and what that had ended holds            |
| it is deleted, or takes nothing back now    | holds, learned or not yet; what it ended is over  |
"""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Final

from recollect.learning.extraction.unsaid import may_take_back, unsaid_in
from recollect.learning.forget_requests import Forgetter
from recollect.learning.marks import ended, enders_of
from recollect.learning.parts import LearningParts
from recollect.learning.queue import AGAIN, messages_of
from recollect.learning.recording import turn_of
from recollect.learning.retraction import Unlearner
from recollect.protocols import JobsOf, Store, no_jobs
from recollect.types import Job, Link, MemoryRecord, Scope
from recollect.types.codec import with_fields
from recollect.types.filters import AllOf, parse_filter

_NEAR: Final = 10
"""Messages before and behind one that are looked at, as many as are read with new ones."""
_UNSAID: Final = "its speaker took it back: "
"""Begins a reason in histories; the id of a turn follows."""
_SAID: Final = frozenset({"content", "times.happened_at"})
"""What decides whether a message takes another one back, by its names in a history."""


class Unsayer:
    """Ends what messages take back, and lets it hold again."""

    def __init__(self, parts: LearningParts, unlearner: Unlearner) -> None:
        self._parts = parts
        self._unlearner = unlearner

    def unsay(self, before: MemoryRecord, source: MemoryRecord, *, jobs: JobsOf = no_jobs) -> int:
        """End what was learned of a turn alone that another takes back; what it ended holds again.

        Args:
            before: The turn that is taken back.
            source: The turn that takes it back.
            jobs: Undoes the write when one of them changed, as in ``Store.update``.

        Returns:
            How many facts ended.
        """
        user = Scope(user_id=source.scope.user_id)
        learned = [
            one for one in self._unlearner.facts_of(user, before.id) if one.origin.sources == (before.id,)
        ]
        holding = [one.id for one in learned if source.id not in enders_of(one)]
        if holding:
            links = [Link(source_id=source.id, target_id=one, type="supersedes") for one in holding]
            self._parts.store.link(user, links)
            end = partial(ended, at=source.times.happened_at, by=source.id)
            self._unlearner.update(user, holding, end, f"{_UNSAID}{source.id}", jobs=jobs)
        Forgetter(self._parts, self._unlearner).take_back(user, before.id)
        gone = [before.id, *(one.id for one in learned)]
        self._unlearner.reopen(user, self._unlearner.about(user, gone), gone)
        return len(holding)

    def follow(self, user: Scope, turns: Sequence[MemoryRecord], *, edited: bool = False) -> None:
        """Bring what turns take back, and what takes them back, in line with how those are now.

        Args:
            user: Whose.
            turns: Those that were deleted, brought back or, with ``edited``, changed.
            edited: Whether they may have taken something back before.
        """
        said = [one for one in turns if one.origin.role == "user" and one.scope.session_id is not None]
        for turn in said:
            was = self._as_it_was(user, turn) if edited else turn
            words = (was.content, turn.content)
            gone = not any(self._parts.store.get(user, [turn.id]))
            if (gone or edited) and not any(map(may_take_back, words)):
                continue
            self._follow(user, turn, was)

    def _follow(self, user: Scope, turn: MemoryRecord, was: MemoryRecord) -> None:
        alive, around = self._around(user, turn)
        now = set(_pairs(around, turn.id))
        before = set(_pairs([was if one.id == turn.id else one for one in around], turn.id))
        known = {one.id: one for one in around}
        for first, taking in sorted(now | before):
            if first not in alive:
                continue
            if (first, taking) in now and taking in alive:
                self.unsay(known[first], known[taking])
            else:
                self._say_anew(user, known[first])

    def _say_anew(self, user: Scope, turn: MemoryRecord) -> None:
        """Let a turn end again what it had ended, and learn it where that was left out."""
        Forgetter(self._parts, self._unlearner).ask_again(user, turn.id)
        for one in (turn, *self._unlearner.facts_of(user, turn.id)):
            self._unlearner.end_again(user, one.id)
        self._parts.store.add(user, [], jobs=[Job(task=AGAIN, scope=user, payload={"turn": turn.id})])

    def _around(self, user: Scope, turn: MemoryRecord) -> tuple[Collection[str], list[MemoryRecord]]:
        """The ids of the messages near a turn that are there, and all of them, deleted ones too, in order."""
        near = {"turn": {"gte": turn.origin.turn - _NEAR, "lte": turn.origin.turn + _NEAR}}
        where = AllOf((messages_of(turn.scope), parse_filter(near)))
        there = self._parts.store.find(user, where)
        every = [*there, *self._parts.store.deleted(user, where)]
        return {one.id for one in there}, sorted(every, key=lambda one: one.origin.turn)

    def _as_it_was(self, user: Scope, turn: MemoryRecord) -> MemoryRecord:
        """A turn before its words or its time were changed last."""
        for change in reversed(self._parts.store.history(user, turn.id)):
            if fields := {name: change.before[name] for name in _SAID if name in change.before}:
                return with_fields(turn, fields)
        return turn


def is_taken_back(store: Store, turn: MemoryRecord) -> bool:
    """Whether a message was taken back by one behind it."""
    if turn.scope.session_id is None:
        return False
    near = {"turn": {"gte": turn.origin.turn, "lte": turn.origin.turn + _NEAR}}
    user, where = Scope(user_id=turn.scope.user_id), AllOf((messages_of(turn.scope), parse_filter(near)))
    around = sorted(store.find(user, where), key=lambda one: one.origin.turn)
    if not any(may_take_back(one.content) for one in around):
        return False
    return any(before == turn.id for before, _ in _pairs(around, turn.id))


def _pairs(around: Sequence[MemoryRecord], turn_id: str) -> Iterator[tuple[str, str]]:
    """Of which messages one takes another back, where a turn is one of both: the ids of both."""
    for taking, before, _ in unsaid_in([turn_of(one) for one in around]):
        pair = None if before is None else (around[before].id, around[taking].id)
        if pair is not None and turn_id in pair:
            yield pair
