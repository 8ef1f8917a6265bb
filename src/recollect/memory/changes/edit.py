"""Changing, deleting and restoring memories by id, with the facts learned from them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from recollect.checks import (
    check_bool,
    check_content,
    check_id,
    check_labels,
    check_metadata,
    check_name,
    check_priority,
    check_share,
    check_tier,
    check_time,
    if_given,
)
from recollect.errors import InvalidInputError
from recollect.ingest.messages import read_concepts, read_tags
from recollect.learning.marks import LEFT_OUT, is_given
from recollect.learning.retraction import LEARNED, SOURCE_DELETED
from recollect.memory.changes.revise import Changes
from recollect.memory.parts import Parts, existing, missing
from recollect.protocols import Entry, Features
from recollect.retrieval.supersession import note_correction
from recollect.sessions.sessions import Sessions
from recollect.text.analyse import Analyser
from recollect.text.tags import merge_tags
from recollect.types import JSON, Job, Labels, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, AllOf, AnyOf, Filter, Test, by_ids, parse_filter
from recollect.types.records import reason_of

_UNDONE: Final = "its deletion was taken back"
_ENDS_WITH: Final = "the message it was learned from was given an end"


def read_changes(
    analyser: Analyser,
    *,
    content: str | None,
    metadata: Mapping[str, JSON] | None,
    labels: Labels | None,
    timestamp: date | str | float | None,
    valid_until: date | str | float | None,
) -> Changes:
    """The options of ``Memory.update``, checked; ``content`` is screened already."""
    new = check_labels(labels)
    if new == Labels() and all(one is None for one in (content, metadata, timestamp, valid_until)):
        raise InvalidInputError(
            "nothing to change: give content, metadata, timestamp, valid_until, or labels such as "
            "tags, importance and critical"
        )
    return Changes(
        content=content,
        metadata=if_given(check_metadata, "metadata", metadata),
        tags=None if new.tags is None else merge_tags(read_tags("tags", new.tags), analyser=analyser),
        concepts=if_given(read_concepts, "concepts", new.concepts),
        category=check_name("category", new.category),
        priority=if_given(check_priority, "priority", new.priority),
        importance=if_given(check_share, "importance", new.importance),
        confidence=if_given(check_share, "confidence", new.confidence),
        critical=if_given(check_bool, "critical", new.critical),
        tier=if_given(check_tier, "tier", new.tier),
        happened_at=if_given(check_time, "timestamp", timestamp),
        valid_until=if_given(check_time, "valid_until", valid_until),
    )


def update(
    parts: Parts,
    memory_id: str,
    *,
    user_id: str,
    content: str | None = None,
    metadata: Mapping[str, JSON] | None = None,
    labels: Labels | None = None,
    timestamp: date | str | float | None = None,
    valid_until: date | str | float | None = None,
    reason: str | None = None,
    by: str | None = None,
) -> MemoryRecord:
    """``Memory.update``; in a team space ``by`` is the member, named in the metadata as they are then."""
    changes = read_changes(
        parts.analyser,
        content=None if content is None else _screened(parts, check_content("content", content)),
        metadata=metadata,
        labels=labels,
        timestamp=timestamp,
        valid_until=valid_until,
    )
    changes = replace(changes, changed_by=by)
    return edit(parts, memory_id, changes, user_id=user_id, reason=check_name("reason", reason))


def _screened(parts: Parts, content: str) -> str:
    screened = parts.screen(content)
    if screened.refused:
        raise InvalidInputError(f"content cannot be stored: {screened.refused}")
    return screened.text


class OvertakenError(Exception):
    """A memory is not what the changes were made for any more; nothing was changed."""


def edit(
    parts: Parts,
    memory_id: str,
    changes: Changes,
    *,
    user_id: str,
    reason: str | None,
    known: MemoryRecord | None = None,
) -> MemoryRecord:
    """Change a memory; what was learned of other words, another speaker or another time is learned again.

    Raises:
        NotFoundError: It is not there.
        OvertakenError: It is not ``known`` any more.
    """
    scope = parts.scope(user_id)
    reworded = retimed = False

    def change(before: MemoryRecord) -> Entry:
        nonlocal reworded, retimed
        if known is not None and _is_other(before, known):
            raise OvertakenError
        entry = parts.reviser.revise(before, changes, parts.clock())
        after = entry.record
        changed = (after.content, after.origin) != (before.content, before.origin)
        reworded = (before.kind == "message" or is_given(before)) and changed
        retimed = before.kind == "message" and after.times.happened_at != before.times.happened_at
        return entry

    if changes.content is not None:
        (there,) = parts.store.get(scope, [check_id("memory_id", memory_id)])
        if there is not None:
            note_correction(parts.store, there, changes.content, analyser=parts.analyser)
    if changes.valid_until is not None:
        _end_with_it(parts, check_id("memory_id", memory_id), changes.valid_until, user_id=user_id)

    def follows(ids: Sequence[str]) -> Sequence[Job]:
        if not (reworded or retimed):
            return ()
        return parts.learner.after(scope, "retime" if retimed else "update")(ids)

    record = parts.change(memory_id, user_id, change, reason=reason, jobs=follows)
    if reworded or retimed:
        parts.learner.settle(scope)
    return record


def _is_other(before: MemoryRecord, known: MemoryRecord) -> bool:
    """Whether a memory was changed since it was read, in more than how it was used."""
    now, then = (replace(one.times, accessed_at=None) for one in (before, known))
    return (before.content, before.metadata, before.origin, now) != (
        known.content, known.metadata, known.origin, then
    )  # fmt: skip


def _end_with_it(parts: Parts, memory_id: str, until: datetime, *, user_id: str) -> None:
    """Let what was learned from a message alone, and ends when it does, end when it will."""
    scope = parts.scope(user_id)
    (message,) = parts.store.get(scope, [memory_id])
    if message is None or message.kind != "message":
        return
    ends = Changes(valid_until=until)
    for one in parts.learner.unlearner.about(scope, [memory_id]):
        if one.origin.sources == (memory_id,) and one.times.valid_until == message.times.valid_until:
            parts.change(
                one.id,
                user_id,
                lambda before: parts.reviser.revise(before, ends, parts.clock()),
                reason=_ENDS_WITH,
            )


def delete_these(parts: Parts, ids: Sequence[str], *, user_id: str, reason: str | None) -> None:
    """Delete some memories in one transaction, or none where one is not there."""
    scope = parts.scope(user_id)
    found = parts.store.get(scope, ids)
    facts = [one for one in map(existing, found, ids) if one.kind == "fact"]
    if ids and not parts.delete(scope, by_ids(ids), reason=reason, unlearned=facts):
        raise missing(ids[0])


def purge_scope(parts: Parts, scope: Scope, *, sessions: Sessions) -> int:
    """Remove deleted memories of a scope, and facts learned from them, for good; return how many.

    It is one purge of the store, which takes longer than anything else here.
    """
    learner = parts.learner
    learner.settle(scope)
    learner.forget_answer(scope)
    sessions.forget_empty(scope)
    user = Scope(user_id=scope.user_id)
    if scope == user:
        return parts.store.purge(user)
    names = {"agent_id": scope.agent_id, "session_id": scope.session_id}
    inside = parse_filter({name: value for name, value in names.items() if value is not None})
    return parts.store.purge(user, AnyOf((by_ids(learner.mender.learned_in(scope)), inside)))


class Undoer:
    """Restores deleted memories of one user; see ``Memory.undelete``."""

    def __init__(self, parts: Parts, user_id: str) -> None:
        self._scope = parts.scope(user_id)
        self._user = Scope(user_id=self._scope.user_id)
        self._store = parts.store
        self._indexer = parts.indexer
        self._learner = parts.learner
        self._clock = parts.clock

    def deleted(self, *, limit: int | None, before: str | None = None) -> list[MemoryRecord]:
        """What was deleted and not yet purged, by id; with ``before`` only earlier ids."""
        where: Filter = EVERYTHING
        if before is not None:
            where = Test("id", in_metadata=False, operator="lt", value=before)
        return self._store.deleted(self._scope, where, limit=limit)

    def undelete(self, memory_id: str, *, reason: str | None = None) -> MemoryRecord | None:
        """Bring a memory back with what went with it; None when it is not there, one that lives as it is.

        Raises:
            InvalidInputError: What it was learned from is deleted.
        """
        found = self._store.deleted(self._scope, by_ids([memory_id]))
        if found:
            records = [*found, *self._gone_with(memory_id)]
            self._recover(records, reason=reason_of(_UNDONE, reason))
            self._learner.settle(self._scope)
        (now,) = self._store.get(self._scope, [memory_id])
        return now

    def _gone_with(self, memory_id: str) -> list[MemoryRecord]:
        """What was learned from a memory, and deleted because that was."""
        derived = parse_filter({"or": [{field: {"contains": memory_id}} for field in ("sources", LEFT_OUT)]})
        return [
            record
            for record in self._store.deleted(self._scope, AllOf((LEARNED, derived)))
            if self._store.history(self._scope, record.id)[-1].reason == SOURCE_DELETED
        ]

    def _recover(self, records: Sequence[MemoryRecord], *, reason: str) -> None:
        made = dict(zip((one.id for one in records), self._indexer.features(records), strict=True))
        self._indexer.remember_ourselves(made[records[0].id])

        def back(before: MemoryRecord) -> Entry:
            return self._as_now(before, made[before.id])

        follows = self._learner.after(self._scope, "undelete")

        def jobs(ids: Sequence[str]) -> Sequence[Job]:
            self._check_sources(records[0])
            return follows(ids)

        self._store.recover(self._scope, list(made), back, reason=reason, jobs=jobs)

    def _check_sources(self, record: MemoryRecord) -> None:
        """Refuse to bring back, without its turn, what says the words of a deleted one."""
        gone = self._store.deleted(self._user, by_ids(record.origin.sources), limit=1)
        if gone:
            raise InvalidInputError(
                f"{record.id!r} was learned from {gone[0].id!r}, which is deleted, too; undelete that one"
            )

    def _as_now(self, before: MemoryRecord, features: Features) -> Entry:
        times = replace(before.times, updated_at=self._clock())
        return self._indexer.entry(replace(before, times=times), features)
