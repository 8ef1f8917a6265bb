"""Everything a store does, on any service that offers points."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import (
    Clock,
    Copying,
    Entry,
    Features,
    Jobs,
    ShadowDelta,
    Statistics,
    Store,
    TextSearch,
    VectorMaintenance,
    VectorSearch,
)
from recollect.protocols.delegation import of_part
from recollect.stores.checks import check_makers, check_recovered
from recollect.stores.points.changing import (
    PointAdder,
    buried,
    changed_by,
    check_changes,
    removal,
    replacements,
    rewriting,
)
from recollect.stores.points.connection import Connection, Layout, Point
from recollect.stores.points.copying import PointCopyTable
from recollect.stores.points.history import bare_points, change_point, read_histories
from recollect.stores.points.journal import Write
from recollect.stores.points.ledger import Head, PointLedger
from recollect.stores.points.memories import (
    candidates,
    is_decided,
    matching,
    put_memories,
    read_records,
    read_shadow,
    read_stored,
    select,
)
from recollect.stores.points.points import PointRow
from recollect.stores.points.queue import PointJobTable, PointLinkTable, PointStateTable, Queue, unchanged
from recollect.stores.points.search import PointTextIndex, PointVectorIndex
from recollect.stores.points.user import User, is_within
from recollect.stores.points.vectors import PointVectorTable
from recollect.stores.reference.rows import copy_of, is_after
from recollect.types import Change, ChangeAction, MemoryRecord, Scope
from recollect.types.codec import to_micros
from recollect.types.filters import EVERYTHING, Filter


class PointStore(Store):
    """A store in a service of points; one process at a time has it open.

    Args:
        connection: The service; it is closed when the store is, or cannot be opened.
        layout: Where the store is in it.
        clock: The clock of the change log, the jobs and the lease.
        shared: Other processes can reach it, too, so a lease is needed.

    Raises:
        StoreBusyError: Another process has the store open.
        StoreFormatError: A newer Recollect wrote it, or it is another program's.
    """

    def __init__(self, connection: Connection, layout: Layout, *, clock: Clock, shared: bool) -> None:
        self._clock = clock
        try:
            self._ledger = PointLedger(connection, layout, clock=clock, shared=shared)
        except BaseException:
            connection.close()
            raise
        self._link_table = PointLinkTable(self._ledger)
        self._job_table = PointJobTable(self._ledger, clock=clock)
        self._states = PointStateTable(self._ledger)
        self._texts = PointTextIndex(self._ledger)
        self._nearest = PointVectorIndex(self._ledger)
        self._vectors = PointVectorTable(self._ledger)
        self._copies = PointCopyTable(self._ledger)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._ledger.connection.name!r})"

    def close(self) -> None:
        self._ledger.close()

    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Jobs = ()) -> list[str]:
        with self._ledger.held() as head:
            user, now = self._ledger.user(scope.user_id), self._now()
            adder = PointAdder(user, scope, head, now=now)
            ids = adder.place(entries)
            fresh = adder.fresh
            self._check(head, [stored.features for stored in fresh])
            write, queue = Write(), Queue(self._ledger, jobs, ids, now=now)
            if not fresh and not queue:
                return ids
            put_memories(self._ledger, write, fresh)
            queue.put(write)
            if fresh and not user.documents:
                self._ledger.know(write, scope.user_id, live=True)
            version, last_key = head.version + len(fresh), head.last_key + len(fresh)
            self._ledger.commit(write, replace(head, version=version, last_key=last_key, last_job=queue.last))
            for stored in fresh:
                user.enter(stored.row, stored.features)
            if fresh:
                self._ledger.keep(scope.user_id, user)
            queue.enter()
            return ids

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            rows = _named(user, scope, ids)
            found = {record.id: record for record in read_records(self._ledger, user, rows).values()}
            return [copy_of(found[memory_id]) if memory_id in found else None for memory_id in ids]

    def find(
        self,
        scope: Scope,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[MemoryRecord]:
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            live = candidates(self._ledger, user, scope, where)
            live.sort(key=lambda row: row.id, reverse=newest_first)
            rows = [
                one for one in live if after is None or is_after(one.id, after, newest_first=newest_first)
            ]
            if is_decided(where):
                return list(read_records(self._ledger, user, rows[:limit]).values())
            records: list[MemoryRecord] = []
            for _, record in matching(self._ledger, user, rows, where):
                if limit is not None and len(records) >= limit:
                    break
                records.append(record)
            return records

    def match(self, scope: Scope, where: Filter) -> NDArray[np.int64]:
        with self._ledger.held():
            rows = select(self._ledger, self._ledger.user(scope.user_id), scope, where)
            return np.array([row.key for row in rows], np.int64)

    def update(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        action: ChangeAction = "update",
        reason: str | None = None,
        jobs: Jobs = (),
    ) -> list[MemoryRecord | None]:
        """See ``Store.update``. ``change`` may read the store, and not write to it."""
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            rows = _named(user, scope, ids)
            pairs = changed_by(change, read_stored(self._ledger, user, rows))
            unchanged(self._ledger, head.number)
            check_changes(user, pairs)
            self._check(head, [entry.features for _, entry in pairs])
            changes = replacements(pairs, version=head.version)
            now = self._now()
            queue = Queue(self._ledger, jobs, [each.after.row.id for each in changes], now=now)
            if changes or queue:
                write = rewriting(self._ledger, user, changes, at=now, action=action, reason=reason)
                self._commit(queue, write, head, changes=len(changes))
                for changed in changes:
                    user.replace(changed.after.row, changed.before.features, changed.after.features)
                    if changed.rewritten:
                        self._ledger.unstage(changed.after.row.key)
            after = {changed.after.row.id: changed.after.record for changed in changes}
            return [copy_of(after[memory_id]) if memory_id in after else None for memory_id in ids]

    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None, jobs: Jobs = ()) -> int:
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            doomed = read_stored(self._ledger, user, select(self._ledger, user, scope, where))
            write, now = Write(), self._now()
            queue = Queue(self._ledger, jobs, [stored.row.id for stored in doomed], now=now)
            if not doomed and not queue:
                return 0
            dead = buried(doomed, version=head.version)
            put_memories(self._ledger, write, dead)
            for stored in dead:
                point = change_point(user.tenant, stored.row, at=now, action="delete", reason=reason)
                write.put(self._ledger.layout.ledger, point)
            if dead and len(dead) == user.documents:
                self._ledger.know(write, scope.user_id, live=False)
            self._commit(queue, write, head, changes=len(dead))
            for stored in dead:
                user.bury(stored.row, stored.features)
            return len(dead)

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            rows = [row for row in user.rows.values() if not row.live and is_within(scope, row)]
            rows.sort(key=lambda row: row.id)
            found = [record for _, record in matching(self._ledger, user, rows, where)]
            return [copy_of(record) for record in found[-limit if limit else 0 :]]

    def recover(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        reason: str | None = None,
        jobs: Jobs = (),
    ) -> list[MemoryRecord | None]:
        """See ``Store.recover``. ``change`` may read the store, and not write to it."""
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            rows = _named(user, scope, ids, live=False)
            pairs = changed_by(change, read_stored(self._ledger, user, rows))
            unchanged(self._ledger, head.number)
            for stored, entry in pairs:
                check_recovered(stored.record, entry)
            check_changes(user, pairs)
            self._check(head, [entry.features for _, entry in pairs])
            changes = replacements(pairs, version=head.version)
            now = self._now()
            queue = Queue(self._ledger, jobs, [each.after.row.id for each in changes], now=now)
            if changes or queue:
                write = rewriting(self._ledger, user, changes, at=now, action="recover", reason=reason)
                if changes and not user.documents:
                    self._ledger.know(write, scope.user_id, live=True)
                self._commit(queue, write, head, changes=len(changes))
                for changed in changes:
                    user.revive(changed.after.row, changed.after.features)
                    self._ledger.unstage(changed.after.row.key)
            after = {changed.after.row.id: changed.after.record for changed in changes}
            return [copy_of(after[memory_id]) if memory_id in after else None for memory_id in ids]

    def purge(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """See ``Store.purge``. A service frees the space in its own time, a folder at once."""
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            dead = [row for row in user.rows.values() if not row.live and is_within(scope, row)]
            rows = [row for row, _ in matching(self._ledger, user, dead, where)]
            whole = scope == Scope(user_id=scope.user_id) and where == EVERYTHING
            states = list(user.states) if whole and not user.documents else []
            bare = self._bare_histories(user, select(self._ledger, user, scope, where))
            if rows or states or bare:
                write = removal(self._ledger, user, rows, states, number=head.number)
                write.put(self._ledger.layout.ledger, *bare)
                self._ledger.commit(write, head)
                self._ledger.connection.forget()
                user.forget(row.key for row in rows)
                for name in states:
                    del user.states[name]
            return len(rows)

    def _bare_histories(self, user: User, rows: Sequence[PointRow]) -> list[Point]:
        """The changes of memories that have to be rewritten, without the words in them."""
        changed = [row for row in rows if row.changes > (row.added_at is None)]
        histories = read_histories(self._ledger, user, changed)
        return [point for row in changed for point in bare_points(user.tenant, row, histories[row.key])]

    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            row = user.named(memory_id)
            if row is None or not is_within(scope, row):
                return []
            return read_histories(self._ledger, user, [row])[row.key]

    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            reset = head.promoted_at > since
            rows = [row for row in user.rows.values() if row.live and (reset or row.version > since)]
            return ShadowDelta(
                version=head.version,
                rows=read_shadow(self._ledger, user, rows),
                removed=np.array(user.removed(since), np.int64),
                reset=reset,
            )

    def shadow_version(self, scope: Scope) -> int:  # noqa: ARG002 (one counter serves all users)
        with self._ledger.held() as head:
            return head.version

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        return len(self.match(scope, where))

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            return Statistics(
                documents=user.documents,
                frequencies={term: user.terms[term] for term in terms if term in user.terms},
                vector_sum=user.vector_sum.copy(),
            )

    def user_ids(self) -> list[str]:
        with self._ledger.held():
            users = self._ledger.walk(["user"], ["user_id", "live"])
            return sorted(user["user_id"] for user in users if user["live"])

    def setting(self, name: str) -> str | None:
        with self._ledger.held() as head:
            return head.settings.get(name)

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        with self._ledger.held() as head:
            if not (unless_set and name in head.settings):
                self._ledger.commit(Write(), replace(head, settings=head.settings | {name: value}))

    states = of_part("_states", Store.states)
    change_state = of_part("_states", Store.change_state)
    search_text = of_part("_texts", TextSearch.search_text)
    shadow_of = of_part("_texts", TextSearch.shadow_of)
    unstaged = of_part("_vectors", VectorMaintenance.unstaged)
    stage_vectors = of_part("_vectors", VectorMaintenance.stage_vectors)
    promote_vectors = of_part("_vectors", VectorMaintenance.promote_vectors)
    vector_progress = of_part("_vectors", VectorMaintenance.vector_progress)
    known_users = of_part("_copies", Store.known_users)
    dump = of_part("_copies", Copying.dump)
    restore = of_part("_copies", Copying.restore)
    search_vector = of_part("_nearest", VectorSearch.search_vector)

    def _commit(self, queue: Queue, write: Write, head: Head, *, changes: int) -> None:
        """Commit a write with its jobs."""
        queue.put(write)
        version = head.version + changes
        self._ledger.commit(write, replace(head, version=version, last_job=queue.last))
        queue.enter()

    def _now(self) -> int:
        return to_micros(self._clock())

    def _check(self, head: Head, features: Sequence[Features | None]) -> None:
        facts = head.settings
        check_makers(features, embedder=facts.get("embedder"), dimensions=facts.get("dimensions"))


def _named(user: User, scope: Scope, ids: Sequence[str], *, live: bool = True) -> list[PointRow]:
    """The memories of a scope with these ids, each once."""
    named = (user.named(memory_id) for memory_id in dict.fromkeys(ids))
    return [row for row in named if row and row.live is live and is_within(scope, row)]
