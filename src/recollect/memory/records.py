"""Memories by their ids: read, listed, changed, deleted, and why they are there."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from recollect.checks import (
    check_bool,
    check_content,
    check_id,
    check_ids,
    check_kinds,
    check_limit,
    check_metadata,
    check_name,
    check_names,
    check_priority,
    check_share,
    check_tier,
    check_time,
    if_given,
)
from recollect.errors import InvalidInputError
from recollect.ingest.messages import read_tags
from recollect.lifecycle.use import importance_at
from recollect.memory.changes.revise import Changes
from recollect.memory.parts import Opened, existing, missing
from recollect.protocols import Entry
from recollect.retrieval.placement import Placement
from recollect.retrieval.request import read_request
from recollect.retrieval.supersession import note_correction
from recollect.types import JSON, Change, Explanation, Kind, MemoryRecord, Priority, Tier
from recollect.types.filters import AllOf, by_ids, narrowing, parse_filter


class Records(Opened):
    """The part of ``Memory`` that has no question: each memory by its id, or all of a scope."""

    def get(self, memory_id: str, *, user_id: str) -> MemoryRecord:
        """One memory.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        (found,) = self._store.get(self._scope(user_id), [check_id("memory_id", memory_id)])
        return existing(found, memory_id)

    def get_all(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        kinds: Sequence[Kind] | None = None,
        filters: Mapping[str, object] | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[MemoryRecord]:
        """Memories without a question, in the order of their ids: when those were made, to the microsecond.

        Args:
            user_id: Whose memories.
            agent_id: Only this agent's.
            session_id: Only this session's.
            kinds: Only these kinds.
            filters: Only memories that match, see ``recollect.types.filters``.
            since: Only what happened at this moment or later.
            until: Only what happened before it.
            limit: How many at most; None for all.
            after: Only ids after this one: the last of the page before. It is for paging, not for waiting:
                what is loaded, or added by another process meanwhile, may have an earlier id.
            newest_first: In the opposite order, and ``after`` goes on to earlier ids.
        """
        narrowed = narrowing(
            check_kinds(kinds),
            since=if_given(check_time, "since", since),
            until=if_given(check_time, "until", until),
        )
        where = AllOf((parse_filter(filters), narrowed))
        return self._store.find(
            self._scope(user_id, agent_id, session_id),
            where,
            limit=check_limit(limit),
            after=if_given(check_id, "after", after),
            newest_first=check_bool("newest_first", newest_first),
        )

    def update(
        self,
        memory_id: str,
        *,
        user_id: str,
        content: str | None = None,
        metadata: Mapping[str, JSON] | None = None,
        tags: Sequence[str] | None = None,
        concepts: Sequence[str] | None = None,
        category: str | None = None,
        priority: Priority | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        critical: bool | None = None,
        tier: Tier | None = None,
        timestamp: datetime | str | float | None = None,
        valid_until: datetime | str | float | None = None,
        reason: str | None = None,
    ) -> MemoryRecord:
        """Change a memory; what is None stays as it is. The old state stands in its history.

        Args:
            memory_id: Which memory.
            user_id: Whose it is.
            content: New words; they are screened as in ``add``, and what is found in words is found anew.
                An importance that was worked out is, too; it stays as much raised or faded as it was.
            metadata: New metadata, in place of all the old.
            tags: New tags, in place of all the old, automatic ones included.
            concepts: New concepts, in place of all the old; with new words the old go in any case.
            category: What it is sorted under.
            priority: How pressing it is, whatever its words say.
            importance: 0 to 1, as of now; it is no longer worked out from the words.
            confidence: 0 to 1.
            critical: Whether it never fades. What is left of its importance stays: it stops fading now, or
                begins again now.
            tier: Where it stands: ``archived`` keeps it from being recalled, any other brings it back.
            timestamp: When it happened; the dates in its words are read anew.
            valid_until: Until when it holds; to take an end back, give one far ahead.
            reason: Why, for the history.

        Returns:
            The memory as it is now.

        Raises:
            NotFoundError: This user has no memory with this id.
            InvalidInputError: A value cannot be used, or the new words hold a secret and
                ``secrets="refuse"``.
        """
        from recollect.text.tags import merge_tags

        changes = Changes(
            content=None if content is None else self._screened(check_content("content", content)),
            metadata=if_given(check_metadata, "metadata", metadata),
            tags=None if tags is None else merge_tags(read_tags("tags", tags), analyser=self._analyser),
            concepts=None if concepts is None else tuple(dict.fromkeys(check_names("concepts", concepts))),
            category=check_name("category", category),
            priority=if_given(check_priority, "priority", priority),
            importance=if_given(check_share, "importance", importance),
            confidence=if_given(check_share, "confidence", confidence),
            critical=if_given(check_bool, "critical", critical),
            tier=if_given(check_tier, "tier", tier),
            happened_at=if_given(check_time, "timestamp", timestamp),
            valid_until=if_given(check_time, "valid_until", valid_until),
        )
        scope = self._scope(user_id)
        reworded = False

        def change(before: MemoryRecord) -> Entry:
            nonlocal reworded
            entry = self._reviser.revise(before, changes, self._clock())
            reworded = before.kind == "message" and entry.record.content != before.content
            return entry

        if changes.content is not None:
            (known,) = self._store.get(scope, [check_id("memory_id", memory_id)])
            if known is not None:
                note_correction(self._store, known, changes.content, analyser=self._analyser)
        follows = self._learner.after(scope, "update")
        record = self._change(
            memory_id,
            user_id,
            change,
            reason=check_name("reason", reason),
            jobs=lambda ids: follows(ids) if reworded else (),
        )
        if reworded:
            self._learner.settle(scope)
        return record

    def delete(self, memory_id: str | Sequence[str], *, user_id: str, reason: str | None = None) -> None:
        """Delete a memory, or several at once: nothing finds them any more. ``purge`` removes their words.

        Facts and episodes that were learned from them alone go with them. A deleted fact is not learned again
        from the same words. Until it is purged, ``undelete`` takes one back.

        Args:
            memory_id: Which memory, or a list of them: all are deleted, in one transaction, or none.
            user_id: Whose they are.
            reason: Why, for the history.

        Raises:
            NotFoundError: This user has no memory with one of these ids; nothing was deleted.
        """
        scope, why = self._scope(user_id), check_name("reason", reason)
        several = isinstance(memory_id, Sequence) and not isinstance(memory_id, (str, bytes))
        given = check_ids("memory_id", memory_id) if several else [check_id("memory_id", memory_id)]
        ids = list(dict.fromkeys(given))
        records = [existing(one, id_) for one, id_ in zip(self._store.get(scope, ids), ids, strict=True)]
        facts = [one for one in records if one.kind == "fact"]
        if ids and not self._delete(scope, by_ids(ids), reason=why, unlearned=facts):
            raise missing(ids[0])

    def delete_all(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        filters: Mapping[str, object] | None = None,
        reason: str | None = None,
    ) -> int:
        """Delete every memory of a scope that matches, and what was learned from those alone.

        Returns:
            How many matched.
        """
        scope, where = self._scope(user_id, agent_id, session_id), parse_filter(filters)
        return self._delete(scope, where, reason=check_name("reason", reason))

    def history(self, memory_id: str, *, user_id: str) -> list[Change]:
        """What happened to a memory, oldest first; also when it was deleted and not yet purged.

        Raises:
            NotFoundError: This user never had a memory with this id.
        """
        changes = self._store.history(self._scope(user_id), check_id("memory_id", memory_id))
        if not changes:
            raise missing(memory_id)
        return changes

    def explain(
        self,
        memory_id: str,
        *,
        user_id: str,
        query: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        threshold: float = 0.0,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        tiers: Sequence[Tier] | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        as_of: datetime | str | float | None = None,
        exclude_ids: Sequence[str] = (),
        collapse: bool = True,
    ) -> Explanation:
        """Say where a memory comes from and, given a question, how it fares for it and why.

        Score, terms and rank are those of ``search`` with the same options. What it does not return has no
        rank, but a reason.

        Args:
            memory_id: Which memory.
            user_id: Whose it is.
            query: The question; the other arguments, as in ``search``, count only with one.
            agent_id: As in ``search``, and so on.
            session_id: As in ``search``.
            threshold: As in ``search``.
            filters: As in ``search``.
            kinds: As in ``search``.
            tiers: As in ``search``.
            since: As in ``search``.
            until: As in ``search``.
            as_of: As in ``search``.
            exclude_ids: As in ``search``.
            collapse: As in ``search``.

        Raises:
            NotFoundError: This user has no memory with this id.
            InvalidInputError: An argument cannot be used.
        """
        scope = self._scope(user_id, agent_id, session_id)
        record = self.get(memory_id, user_id=user_id)
        now = self._clock()
        placed = Placement()
        if query is not None:
            request = read_request(
                query,
                now=now,
                threshold=threshold,
                filters=filters,
                kinds=kinds,
                tiers=tiers,
                since=since,
                until=until,
                as_of=as_of,
                exclude_ids=exclude_ids,
                collapse=collapse,
            )
            placed = self._recall.place(scope, record, request)
        user = self._scope(user_id)
        sources = self._store.get(user, record.origin.sources)
        return Explanation(
            memory=record,
            recollection=placed.recollection,
            rank=placed.rank,
            ranked=placed.ranked,
            importance=importance_at(record, now),
            sources=tuple(source for source in sources if source is not None),
            history=tuple(self._store.history(user, memory_id)),
            reason=placed.reason,
        )

    def _screened(self, content: str) -> str:
        screened = self._screen(content)
        if screened.refused:
            raise InvalidInputError(f"content cannot be stored: {screened.refused}")
        return screened.text
