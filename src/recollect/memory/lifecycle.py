"""How memories gain and lose worth: use, feedback, archive, what was deleted taken back."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from recollect.checks import (
    check_bool,
    check_count,
    check_id,
    check_ids,
    check_limit,
    check_name,
    check_seconds,
    if_given,
)
from recollect.errors import InvalidInputError, as_given
from recollect.lifecycle.archival import DEFAULT_POLICY, ArchivalPolicy
from recollect.lifecycle.reinforcement import COOL_DOWN_S
from recollect.lifecycle.retrievals import PROMOTED_AFTER
from recollect.lifecycle.use import anchored, reinforced, used
from recollect.memory.changes.revise import features_in
from recollect.memory.parts import Opened, existing
from recollect.protocols import Entry, Maintenance
from recollect.types import LINK_TYPES, Link, LinkType, MemoryRecord, Scope

if TYPE_CHECKING:
    from recollect.lifecycle.thresholds import ThresholdManager
    from recollect.memory.changes.archive import Archivist, Tidied
    from recollect.memory.changes.retrieval_log import RetrievalLog
    from recollect.memory.changes.undelete import Undoer
    from recollect.text.context_type import ContextType


_PAGE: Final = 500
"""Memories changed in one transaction when all are. Chosen by hand."""


class Tending(Opened):
    """The part of ``Memory`` that looks after what is remembered."""

    def relabel(self, *, user_id: str | None = None) -> int:
        """Read the words of all memories anew, as after an upgrade that finds more; returns how many.

        Approved tags stay, and so do importances that were given. Priorities are those of the words.
        Nothing is embedded anew.

        Args:
            user_id: Only this user's; by default everyone's.
        """
        users = self._store.user_ids() if user_id is None else [user_id]
        return sum(self._relabel(self._scope(user)) for user in users)

    def archive(self, memory_id: str, *, user_id: str, reason: str | None = None) -> MemoryRecord:
        """Put a memory away: no search finds it unless it asks for the tier ``archived``.

        It stays stored, and ``unarchive`` brings it back.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        ids = [check_id("memory_id", memory_id)]
        (record,) = self._archivist(user_id).archive(ids, reason=check_name("reason", reason))
        return existing(record, memory_id)

    def unarchive(self, memory_id: str, *, user_id: str) -> MemoryRecord:
        """Bring an archived memory back to the tier it was in; it counts as used now.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        record = self._archivist(user_id).unarchive(check_id("memory_id", memory_id))
        return existing(record, memory_id)

    def deleted(
        self, *, user_id: str, limit: int | None = None, before: str | None = None
    ) -> list[MemoryRecord]:
        """What was deleted and not yet purged, by id; the last ones when there are more than ``limit``.

        Args:
            user_id: Whose memories.
            limit: How many at most; None for all.
            before: Only ids before this one: the first of the page that was listed last.

        Raises:
            StoreError: This kind of store brings nothing back.
        """
        most = check_limit(limit)
        return self._undoer(user_id).deleted(limit=most, before=if_given(check_id, "before", before))

    def undelete(self, memory_id: str, *, user_id: str) -> MemoryRecord:
        """Take back that a memory was deleted, with what was deleted because of it.

        Facts that were learned from it alone come back, too, and a fact ends again what it had ended.
        A memory that is not deleted stays as it is.

        Raises:
            NotFoundError: This user has no memory with this id, or it was purged.
            InvalidInputError: Another memory has its idempotency key now.
            StoreError: This kind of store brings nothing back.
        """
        record = self._undoer(user_id).undelete(check_id("memory_id", memory_id))
        return existing(record, memory_id)

    def tidy(
        self,
        *,
        user_id: str,
        policy: ArchivalPolicy = DEFAULT_POLICY,
        not_within_s: float = 0.0,
        most: int | None = None,
    ) -> "Tidied":
        """Archive what is old, little used or too much, and delete what was archived for long enough.

        Nothing is removed for good: see ``purge``. What is used or set critical meanwhile stays.

        Args:
            user_id: Whose memories.
            policy: When; see ``recollect.lifecycle.archival.ArchivalPolicy``.
            not_within_s: Do nothing when it was finished so short a while ago.
            most: Archive at most so many, to be quick; the next call goes on.
        """
        if not isinstance(policy, ArchivalPolicy):
            raise InvalidInputError(f"policy must be an ArchivalPolicy, not {as_given(policy)}")
        tidied = self._archivist(user_id).tidy(
            policy,
            not_within_s=check_seconds("not_within_s", not_within_s),
            most=None if most is None else check_count("most", most, most=10**9),
        )
        if tidied.deleted and isinstance(self._store, Maintenance):
            self._store.compact()
        return tidied

    def track_access(self, memory_ids: Sequence[str], *, user_id: str, not_within_s: float = 86_400.0) -> int:
        """Count that memories were retrieved: they start to fade anew, and no rule archives them as unused.

        Args:
            memory_ids: Which; unknown ones are passed over.
            user_id: Whose.
            not_within_s: A memory that was used so short a while ago is left alone, which saves writing.

        Returns:
            How many were counted.
        """
        scope, now = self._scope(user_id), self._clock()
        least = check_seconds("not_within_s", not_within_s)

        def retrieved(before: MemoryRecord) -> Entry:
            use = replace(before.use, access_count=before.use.access_count + 1)
            return self._indexer.entry(replace(anchored(before, now), use=use))

        found = self._store.get(scope, check_ids("memory_ids", memory_ids))
        due = [
            record.id
            for record in found
            if record is not None
            and (now - (record.times.accessed_at or record.times.created_at)).total_seconds() >= least
        ]
        counted = self._store.update(scope, due, retrieved, action="use") if due else []
        return sum(record is not None for record in counted)

    def feedback(
        self, memory_id: str, *, user_id: str, useful: bool, reason: str | None = None
    ) -> MemoryRecord:
        """Say whether a memory helped. Useful ones rank a little higher from then on, others lower.

        One that helped starts to fade anew, as if it was used.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        helped = check_bool("useful", useful)

        def count(before: MemoryRecord) -> Entry:
            use = before.use
            counted = (
                replace(use, useful_count=use.useful_count + 1)
                if helped
                else replace(use, unhelpful_count=use.unhelpful_count + 1)
            )
            kept = anchored(before, self._clock()) if helped else before
            return self._indexer.entry(replace(kept, use=counted))

        return self._change(memory_id, user_id, count, reason=check_name("reason", reason), action="feedback")

    def track_usage(self, memory_id: str, *, user_id: str, reason: str | None = None) -> MemoryRecord:
        """Say that a memory helped to answer. It counts, and the memory starts to fade anew from now.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        return self._change(
            memory_id,
            user_id,
            lambda before: self._indexer.entry(used(before, self._clock())),
            reason=check_name("reason", reason),
            action="use",
        )

    def reinforce(
        self, memory_id: str, *, user_id: str, reason: str | None = None, cool_down_s: float = COOL_DOWN_S
    ) -> MemoryRecord:
        """Say that a memory is valuable: its importance rises by 20 %, at most to 1, and it fades anew.

        Args:
            memory_id: Which memory.
            user_id: Whose it is.
            reason: Why; kept with the memory.
            cool_down_s: When it was last reinforced less than so many seconds ago, nothing changes, and the
                memory is returned as it is.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        why, wait_s = check_name("reason", reason), check_seconds("cool_down_s", cool_down_s)

        def strengthen(before: MemoryRecord) -> Entry:
            after = reinforced(before, self._clock(), reason=why, cool_down_s=wait_s)
            if after is None:
                raise _TooSoonError
            return self._indexer.entry(after)

        try:
            return self._change(memory_id, user_id, strengthen, reason=why, action="reinforce")
        except _TooSoonError:
            (kept,) = self._store.get(self._scope(user_id), [memory_id])
            return existing(kept, memory_id)

    def thresholds(
        self, *, user_id: str, thresholds: "Mapping[ContextType, float] | None" = None
    ) -> "ThresholdManager":
        """How high a memory must score to be activated, by kind of context, learned from feedback.

        Args:
            user_id: Whose.
            thresholds: Where they begin, as far as they are not to be Shadow Memory's.

        Raises:
            InvalidInputError: A kind of context is unknown, or a threshold is not within 0 to 1.
        """
        from recollect.lifecycle.thresholds import ThresholdManager

        return ThresholdManager(self._store, self._scope(user_id), thresholds=thresholds, clock=self._clock)

    def retrievals(self, *, user_id: str, promote_after: int = PROMOTED_AFTER) -> "RetrievalLog":
        """Counts what retrievals return, as Semem does: it is strengthened, what they pass over is weakened.

        ``search`` counts nothing by itself.

        Args:
            user_id: Whose.
            promote_after: A short-term memory accessed more often than this becomes long-term.
        """
        from recollect.memory.changes.retrieval_log import RetrievalLog

        return RetrievalLog(
            self._store,
            self._scope(user_id),
            indexer=self._indexer,
            clock=self._clock,
            promote_after=check_count("promote_after", promote_after, most=10**9),
        )

    def link(self, source_id: str, target_id: str, *, user_id: str, type: LinkType = "related") -> None:  # noqa: A002 - as in Link
        """Say what one memory is to another; a link that is there already stays.

        Raises:
            NotFoundError: This user has no memory with one of the ids; nothing was linked.
        """
        if type not in LINK_TYPES:
            raise InvalidInputError(
                f"link type {as_given(type)} is unknown; known are {', '.join(LINK_TYPES)}"
            )
        ends = check_id("source_id", source_id), check_id("target_id", target_id)
        self._store.link(self._scope(user_id), [Link(source_id=ends[0], target_id=ends[1], type=type)])

    def links(self, memory_id: str, *, user_id: str) -> list[Link]:
        """The links from and to a memory, by source, target and type; none for one that is unknown."""
        return self._store.links(self._scope(user_id), check_id("memory_id", memory_id))

    def _relabel(self, user: Scope) -> int:
        features = features_in(self._store.shadow(user, 0).rows)

        def relabelled(before: MemoryRecord) -> Entry:
            return self._reviser.relabel(before, features[before.id], self._clock())

        ids = list(features)
        total = 0
        for start in range(0, len(ids), _PAGE):
            page = ids[start : start + _PAGE]
            done = self._store.update(user, page, relabelled, reason="its words were read anew")
            total += sum(record is not None for record in done)
        return total

    def _archivist(self, user_id: str) -> "Archivist":
        from recollect.memory.changes.archive import Archivist

        scope = self._scope(user_id)
        return Archivist(
            self._store,
            scope,
            reviser=self._reviser,
            delete=lambda where, reason: self._delete(scope, where, reason=reason),
            clock=self._clock,
        )

    def _undoer(self, user_id: str) -> "Undoer":
        from recollect.memory.changes.undelete import Undoer

        scope = self._scope(user_id)
        return Undoer(
            self._store,
            scope,
            indexer=self._indexer,
            jobs=self._learner.after(scope, "undelete"),
            settle=lambda: self._learner.settle(scope),
            clock=self._clock,
        )


class _TooSoonError(Exception):
    """Undoes a reinforcement that comes too soon after the last."""
