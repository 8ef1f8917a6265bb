"""Changing and deleting memories by their ids, with what was learned from them."""

from collections.abc import Sequence

from recollect.checks import check_id
from recollect.memory.changes.revise import Changes
from recollect.memory.parts import Parts, existing, missing
from recollect.protocols import Entry
from recollect.retrieval.supersession import note_correction
from recollect.sessions.sessions import Sessions
from recollect.types import MemoryRecord, Scope
from recollect.types.filters import by_ids


def edit(parts: Parts, memory_id: str, changes: Changes, *, user_id: str, reason: str | None) -> MemoryRecord:
    """Change a memory; what was learned from words that changed is learned again."""
    scope = parts.scope(user_id)
    reworded = False

    def change(before: MemoryRecord) -> Entry:
        nonlocal reworded
        entry = parts.reviser.revise(before, changes, parts.clock())
        reworded = before.kind == "message" and entry.record.content != before.content
        return entry

    if changes.content is not None:
        (known,) = parts.store.get(scope, [check_id("memory_id", memory_id)])
        if known is not None:
            note_correction(parts.store, known, changes.content, analyser=parts.analyser)
    follows = parts.learner.after(scope, "update")
    record = parts.change(
        memory_id, user_id, change, reason=reason, jobs=lambda ids: follows(ids) if reworded else ()
    )
    if reworded:
        parts.learner.settle(scope)
    return record


def delete_these(parts: Parts, ids: Sequence[str], *, user_id: str, reason: str | None) -> None:
    """Delete some memories in one transaction, or none where one is not there."""
    scope = parts.scope(user_id)
    found = parts.store.get(scope, ids)
    facts = [one for one in map(existing, found, ids) if one.kind == "fact"]
    if ids and not parts.delete(scope, by_ids(ids), reason=reason, unlearned=facts):
        raise missing(ids[0])


def purge_scope(parts: Parts, scope: Scope, *, sessions: Sessions) -> int:
    """Remove for good what was deleted in a scope, and what was learned from it; returns how many."""
    learner = parts.learner
    learner.settle(scope)
    learner.forget_answer(scope)
    sessions.forget_empty(scope)
    user = Scope(user_id=scope.user_id)
    learned = learner.mender.learned_in(scope) if scope != user else []
    with_it = parts.store.purge(user, by_ids(learned)) if learned else 0
    return parts.store.purge(scope) + with_it
