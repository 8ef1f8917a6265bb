"""Brings two stores to the same state: what is new on either side, changed, or deleted.

============================== ============================= =================================================
a memory is                    on the other side             becomes
============================== ============================= =================================================
there                          never seen                    copied, with its history
there                          there, changed                of each field what was changed last
there, with the same words     deleted                       deleted
there, with other words,       deleted                       brought back
or brought back later
there, not edited since the    purged since then             deleted
two were last synced
there                          there under another id, with  one: that with the earlier id
                               the same idempotency key
============================== ============================= =================================================

Links are united. Of what was learned about a user (profiles of use, intents, titles), the first store's texts
hold, except that a fact somebody deleted is learned again by neither. Waiting jobs wait on both sides.

Changes keep their moments: a change that arrives by a sync does not count as newer than it is, however many
devices there are. Every step is a transaction whose result the next run recognises: a sync that was stopped
is resumed by the next one.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from os import PathLike
from typing import Final
from uuid import uuid4

from recollect.errors import InvalidInputError, StoreError
from recollect.learning.agenda.state import STATE as AGENDA
from recollect.learning.agenda.state import merged_marks, write_marks
from recollect.learning.forget_requests import STATE as FORGOTTEN
from recollect.learning.learner import PASSING
from recollect.learning.queue import LEARNED_TO, state_of
from recollect.learning.retraction import SOURCE_DELETED
from recollect.learning.retraction import STATE as UNLEARNED
from recollect.memory.maintenance.copying import check_different
from recollect.memory.maintenance.files import Progress, local_place, missing_place, tell_nobody
from recollect.memory.maintenance.merging import Fields, is_deletion_stronger, is_edited_since, merged
from recollect.memory.maintenance.migrating import is_empty_database
from recollect.memory.maintenance.sync_sides import (
    NO_BASE,
    Counted,
    StoreSide,
    SyncSide,
    base_of,
    is_one,
    note_name,
    opened_side,
)
from recollect.protocols import Copied, Entry, Features
from recollect.stores.copy.moving import (
    Stems,
    copy_jobs,
    copy_settings,
)
from recollect.types import Change, Link, MemoryRecord, Scope
from recollect.types.clock import utc_now
from recollect.types.codec import with_fields
from recollect.types.filters import EVERYTHING, by_ids

_REASON: Final = "synced"
_TWIN: Final = "the same as "
_PURGED: Final = "purged in the other store"
_PASSES: Final = 10
"""Rounds until both are equal: two without other writers, one more for each fact that a deletion changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncResult:
    """The result of a sync.

    Attributes:
        users: How many users there are.
        memories: How many memories both stores hold.
        one: What was changed in the first store.
        other: What was changed in the second one.
    """

    users: int
    memories: int
    one: SyncSide
    other: SyncSide


def sync_stores(
    one: str | PathLike[str], other: str | PathLike[str], *, progress: Progress | None = None
) -> SyncResult:
    """Bring two stores to the same state; see ``recollect.memory.maintenance.syncing`` for the rules.

    Afterwards an export of one is an export of the other. What was purged in one is deleted in the other;
    purge it there, too. Both may be in use.

    Args:
        one: The path or URL of a store.
        other: That of another. One of the two is made when missing.
        progress: Called with how many users are done, and how many there are.

    Raises:
        InvalidInputError: Both are missing, both are the same store, or they are for other languages; nothing
            was written.
        EmbedderMismatchError: Their vectors are by different embedders; nothing was written.
        StoreError: One of them cannot be copied or failed, or is written to all the time. Another call
            resumes.
    """
    check_different(one, other)
    if _is_missing(one) and _is_missing(other):
        raise InvalidInputError("there are no memories in either store; make one: recollect init, or add")
    with opened_side(one) as first, opened_side(other) as second:
        filled, perhaps_empty = (first, second) if first.store.setting("embedder") else (second, first)
        copy_settings(filled.store, perhaps_empty.store)
        if is_one(first, second):
            raise InvalidInputError("both are the same store; name two")
        return _Sync(first, second, progress or tell_nobody).run()


def _is_missing(place: str | PathLike[str]) -> bool:
    return is_empty_database(place) if local_place(place) is None else missing_place(place) is not None


class _Sync:
    """One run of ``sync_stores``."""

    def __init__(self, one: StoreSide, other: StoreSide, report: Callable[[int, int], None]) -> None:
        self._sides = one, other
        self._report = report

    def run(self) -> SyncResult:
        """Sync user by user, then the jobs."""
        one, other = self._sides
        users = sorted({*one.store.known_users(), *other.store.known_users()})
        total = 0
        for place, user_id in enumerate(users):
            self._report(place, len(users))
            total += _UserSync(one, other, Scope(user_id=user_id)).run()
        for source, target in ((one, other), (other, one)):
            copy_jobs(source.store, target.store)
        self._report(len(users), len(users))
        return SyncResult(users=len(users), memories=total, one=one.done, other=other.done)


class _UserSync:
    """The sync of one user."""

    def __init__(self, one: StoreSide, other: StoreSide, user: Scope) -> None:
        self._one = one
        self._other = other
        self._user = user
        self._bases = {one: base_of(one, other, user), other: base_of(other, one, user)}
        if self._bases[one].token != self._bases[other].token:
            self._bases = {one: NO_BASE, other: NO_BASE}
        self._stems = Stems(one.store.setting("analyser"))

    def run(self) -> int:
        """Go on until both are equal; returns how many memories there are."""
        began = utc_now()
        for _ in range(_PASSES):
            known = {side: side.known(self._user) for side in (self._one, self._other)}
            if not self._pass(known):
                self._merge_states()
                self._note(known, began)
                return len(known[self._one])
        raise StoreError(f"the memories of {self._user.user_id!r} change all the time; sync again")

    def _pass(self, known: Mapping[StoreSide, Mapping[str, Counted]]) -> bool:
        """Delete, copy, bring back, change and link what is to be; returns whether anything was."""
        plans = [self._alone(here, there, known) for here, there in self._ways()]
        busy = False
        for (here, _), plan in zip(self._ways(), plans, strict=True):
            busy |= self._delete(here, plan.deletions)
        for (here, there), plan in zip(self._ways(), plans, strict=True):
            busy |= self._copy(here, there, known, plan)
        busy |= self._change(known)
        return self._link(known) or busy

    def _ways(self) -> tuple[tuple[StoreSide, StoreSide], tuple[StoreSide, StoreSide]]:
        return (self._one, self._other), (self._other, self._one)

    def _alone(
        self, here: StoreSide, there: StoreSide, known: Mapping[StoreSide, Mapping[str, Counted]]
    ) -> "_Plan":
        """What is to become of the memories that live on one side only."""
        alone = known[here].keys() - known[there].keys()
        plan = _Plan()
        if not alone:
            return plan
        dead = there.dead(self._user, sorted(alone))
        living = {one.idempotency_key: id_ for id_, one in known[there].items() if one.idempotency_key}
        keyed = {one.idempotency_key or "": one for one in self._deleted_keyed(there, known[here], alone)}
        gone = {id_: _last(there.store.history(self._user, id_), "delete") for id_ in dead}
        for id_ in sorted(alone, key=lambda id_: (id_ in gone and gone[id_].reason == SOURCE_DELETED, id_)):
            mine = known[here][id_]
            twin = living.get(mine.idempotency_key or "")
            deleted = keyed.get(mine.idempotency_key or "")
            if id_ in gone:
                self._against_deletion(here, there, dead[id_], gone[id_], known=known, plan=plan)
            elif mine.key <= self._bases[here].key:
                self._against_purge(here, id_, plan)
            elif twin is not None:
                if twin < id_:
                    plan.delete(id_, reason=f"{_TWIN}{twin}")
            elif deleted is not None and self._says_the_same(here, id_, deleted):
                plan.delete(id_, reason=f"{_TWIN}{deleted.id}")
            else:
                plan.copied.add(id_)
        return plan

    def _deleted_keyed(
        self, there: StoreSide, known: Mapping[str, Counted], alone: Collection[str]
    ) -> list[MemoryRecord]:
        """The deleted memories that may be one of ``alone`` under another id."""
        if not any(known[id_].idempotency_key for id_ in alone):
            return []
        return [
            one
            for one in there.store.deleted(self._user, EVERYTHING)
            if one.idempotency_key
            and not str(_last(there.store.history(self._user, one.id), "delete").reason).startswith(_TWIN)
        ]

    def _says_the_same(self, here: StoreSide, id_: str, dead: MemoryRecord) -> bool:
        (live,) = here.store.get(self._user, [id_])
        return live is not None and live.content == dead.content

    def _against_deletion(
        self,
        here: StoreSide,
        there: StoreSide,
        dead: MemoryRecord,
        deletion: Change,
        *,
        known: Mapping[StoreSide, Mapping[str, Counted]],
        plan: "_Plan",
    ) -> None:
        """A memory that was deleted on the other side; what was learned from others comes after those."""
        (live,) = here.store.get(self._user, [dead.id])
        if live is None:
            return
        if deletion.reason == SOURCE_DELETED:
            if not plan.doomed.isdisjoint(live.origin.sources):
                return  # it goes with its sources, if those are all; the next pass looks again
            stays = any(one in known[here] and one not in known[there] for one in live.origin.sources)
        else:
            history = here.store.history(self._user, dead.id)
            stays = not is_deletion_stronger(live, history, dead, deletion.at)
        if stays:
            plan.recovered.add(dead.id)
        else:
            plan.delete(dead.id, at=deletion.at, reason=deletion.reason)

    def _against_purge(self, here: StoreSide, id_: str, plan: "_Plan") -> None:
        """A memory that both had when they were last synced, and of which the other knows nothing now."""
        if is_edited_since(here.store.history(self._user, id_), self._bases[here].at):
            plan.copied.add(id_)
        else:
            plan.delete(id_, reason=_PURGED)

    def _delete(
        self, side: StoreSide, deletions: Mapping[tuple[datetime | None, str | None], list[str]]
    ) -> bool:
        """Delete memories at the moments when the other side did, with what was learned from them alone."""
        deleted = 0
        for (moment, reason), ids in deletions.items():
            there = [one for one in side.store.get(self._user, ids) if one is not None]
            told = [one for one in there if one.kind == "fact" and reason != SOURCE_DELETED]
            with side.clock.at(moment):
                deleted += side.memory.parts.delete(
                    self._user, by_ids([one.id for one in there]), reason=reason, unlearned=told
                )
        side.done.deleted += deleted
        return deleted > 0

    def _copy(
        self,
        here: StoreSide,
        there: StoreSide,
        known: Mapping[StoreSide, Mapping[str, Counted]],
        plan: "_Plan",
    ) -> bool:
        """Copy memories to the other side, and bring back there what was deleted."""
        busy = False
        for page in here.copies(self._user, known[here], plan.copied | plan.recovered):
            filled = self._stems.filled(page)
            fresh = [one for one in filled if one.record.id in plan.copied]
            added = there.store.restore(self._user, fresh) if fresh else 0
            there.done.added += added
            busy |= added > 0
            for one in fresh:
                if one.record.kind == "message" and one.record.scope.session_id is not None:
                    name = state_of(one.record.scope)
                    there.turns.setdefault(name, []).append(one.record.origin.turn)
            for one in filled:
                if one.record.id in plan.recovered:
                    busy |= self._recover(there, one)
        return busy

    def _recover(self, side: StoreSide, copied: Copied) -> bool:
        def back(_: MemoryRecord) -> Entry:
            return Entry(record=copied.record, features=copied.features, outline=copied.outline)

        (found,) = side.store.recover(self._user, [copied.record.id], back, reason=_REASON)
        side.done.added += found is not None
        return found is not None

    def _change(self, known: Mapping[StoreSide, Mapping[str, Counted]]) -> bool:
        """Change what both have otherwise."""
        one, other = self._one, self._other
        ids = {
            id_ for id_ in known[one].keys() & known[other].keys()
            if known[one][id_].digest != known[other][id_].digest
        }  # fmt: skip
        theirs = {
            copied.record.id: copied
            for page in other.copies(self._user, known[other], ids)
            for copied in page
        }
        busy = False
        for page in one.copies(self._user, known[one], ids):
            for mine in page:
                his = theirs.get(mine.record.id)
                if his is None:
                    continue
                for_one, for_other = merged(mine.record, mine.history, his.record, his.history)
                busy |= self._take_over(one, mine, for_one, his)
                busy |= self._take_over(other, his, for_other, mine)
        return busy

    def _take_over(
        self, side: StoreSide, own: Copied, values: Mapping[datetime, Fields], source: Copied
    ) -> bool:
        """Set fields of a memory, each at the moment when the other side did."""
        for moment, fields in values.items():
            features: Features | None = None
            if "content" in fields:
                (filled,) = self._stems.filled([source])
                features = filled.features

            def change(
                before: MemoryRecord, fields: Fields = fields, features: Features | None = features
            ) -> Entry:
                return side.memory.parts.indexer.entry(with_fields(before, fields), features)

            with side.clock.at(moment):
                side.store.update(self._user, [own.record.id], change, reason=_REASON)
        side.done.changed += bool(values)
        return bool(values)

    def _link(self, known: Mapping[StoreSide, Mapping[str, Counted]]) -> bool:
        """Give each side the other's links between memories that live on both."""
        both = known[self._one].keys() & known[self._other].keys()
        busy = False
        for here, there in self._ways():
            missing = [
                link
                for id_ in both
                for link in set(known[here][id_].links) - set(known[there][id_].links)
                if link.target_id in both
            ]
            if missing:
                live = {one.id for one in there.store.get(self._user, _ends(missing)) if one is not None}
                whole = [one for one in missing if {one.source_id, one.target_id} <= live]
                there.store.link(self._user, whole)
                busy |= bool(whole)
        return busy

    def _merge_states(self) -> None:
        states = {side: side.store.states(self._user) for side in (self._one, self._other)}
        for name in sorted({*states[self._one], *states[self._other]} - PASSING):
            mine, his = states[self._one].get(name), states[self._other].get(name)
            if mine != his:
                value = self._merged_state(name, mine, his)
                for side in (self._one, self._other):
                    side.store.change_state(self._user, name, partial(_replaced, by=value))

    def _merged_state(self, name: str, mine: str | None, his: str | None) -> str:
        if name.startswith(LEARNED_TO):
            return self._learned_to(name, mine, his)
        if mine is None or his is None:
            return his if mine is None else mine  # type: ignore[return-value]  # one of them is there
        if name in {UNLEARNED, FORGOTTEN}:
            return json.dumps({**json.loads(his), **json.loads(mine)}, sort_keys=True)
        return (write_marks(merged_marks(mine, his)) or "{}") if name == AGENDA else mine

    def _learned_to(self, name: str, mine: str | None, his: str | None) -> str:
        """How far a session was learned: to where the further side is, but for turns that it had not seen."""
        marks = {self._one: int(mine or -1), self._other: int(his or -1)}
        further, other = sorted(marks, key=lambda side: -marks[side])
        unseen = [turn - 1 for turn in further.turns.get(name, ()) if turn > marks[other]]
        return str(min([marks[further], *unseen]))

    def _note(self, known: Mapping[StoreSide, Mapping[str, Counted]], began: datetime) -> None:
        """Note on both sides what both have, for what will be purged."""
        token = uuid4().hex
        for here, there in self._ways():
            last = max((one.key for one in known[here].values()), default=0)
            text = json.dumps({"token": token, "key": last, "at": began.isoformat()})
            here.store.put_setting(note_name(there, self._user), text)


@dataclass(slots=True, kw_only=True)
class _Plan:
    """What is to become of memories that live on one side only.

    Attributes:
        deletions: Those to be deleted there, by when the other side deleted them (None for now) and why.
        copied: Those to be copied to the other side.
        recovered: Those to be brought back on the other side.
    """

    deletions: dict[tuple[datetime | None, str | None], list[str]] = field(default_factory=dict)
    copied: set[str] = field(default_factory=set)
    recovered: set[str] = field(default_factory=set)

    @property
    def doomed(self) -> set[str]:
        """All that are to be deleted."""
        return {one for ids in self.deletions.values() for one in ids}

    def delete(self, memory_id: str, *, at: datetime | None = None, reason: str | None) -> None:
        """One more to be deleted."""
        self.deletions.setdefault((at, reason), []).append(memory_id)


def _last(history: Iterable[Change], action: str) -> Change:
    return [one for one in history if one.action == action][-1]


def _ends(links: Iterable[Link]) -> list[str]:
    return list(dict.fromkeys(end for link in links for end in (link.source_id, link.target_id)))


def _replaced(_: str | None, *, by: str) -> str:
    return by
