"""The store for those who have Qdrant: embedded in a folder or in memory, or a server."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike

import numpy as np
from numpy.typing import NDArray
from qdrant_client import QdrantClient

from recollect.clock import utc_now
from recollect.codec import to_micros
from recollect.filters import EVERYTHING, Filter
from recollect.protocols import Clock, Entry, Features, ShadowDelta, Statistics
from recollect.stores.makers import check_makers
from recollect.stores.memory_rows import copy_of, short
from recollect.stores.qdrant.adding import Adder
from recollect.stores.qdrant.changing import changed_by, check_changes, replacements, rewriting
from recollect.stores.qdrant.connection import connect
from recollect.stores.qdrant.copying import CopyTable
from recollect.stores.qdrant.history import change_point, read_histories
from recollect.stores.qdrant.journal import Write
from recollect.stores.qdrant.ledger import Head, Ledger
from recollect.stores.qdrant.location import PREFIX, check_place, read_url
from recollect.stores.qdrant.memories import (
    candidates,
    is_decided,
    matching,
    put_memories,
    read_records,
    read_shadow,
    read_stored,
    select,
)
from recollect.stores.qdrant.queue import JobTable, LinkTable, StateTable, job_point, new_jobs, unchanged
from recollect.stores.qdrant.removing import buried, removal
from recollect.stores.qdrant.schema import Names
from recollect.stores.qdrant.text import TextIndex
from recollect.stores.qdrant.user import is_within
from recollect.stores.qdrant.vectors import VectorTable
from recollect.types import Change, ChangeAction, Job, MemoryRecord, Scope


class QdrantStore(CopyTable, JobTable, LinkTable, StateTable, TextIndex, VectorTable):
    """Keeps memories in Qdrant; one process at a time has a store open.

    Args:
        location: A folder, ``:memory:``, the URL of a server such as ``http://localhost:6333``, or a
            client of your own, which stays open.
        api_key: What the server asks for.
        prefix: What the names of the collections begin with.
        timeout_s: How long to wait for a server.
        clock: What time it is, for the change log, the jobs, and the lease of a server.

    Raises:
        InvalidInputError: The location is blank, or the prefix cannot be part of a name.
        StoreBusyError: Another process has the store open.
        StoreFormatError: A newer Recollect wrote it, or the collections are another program's.
        StoreError: The server cannot be reached, or refused the key.
    """

    def __init__(
        self,
        location: str | PathLike[str] | QdrantClient,
        *,
        api_key: str | None = None,
        prefix: str = PREFIX,
        timeout_s: float = 30.0,
        clock: Clock = utc_now,
    ) -> None:
        check_place(location, prefix)
        self._clock = clock
        connection = connect(location, api_key=api_key, timeout_s=timeout_s)
        shared = not (connection.embedded and connection.owned)
        try:
            self._ledger = Ledger(connection, Names(prefix), clock=clock, shared=shared)
        except BaseException:
            connection.close()
            raise

    @classmethod
    def from_url(cls, url: str, *, clock: Clock = utc_now) -> "QdrantStore":
        """The store a URL names (see ``docs/qdrant.md``).

        Raises:
            InvalidInputError: It means nothing.
        """
        place, api_key, prefix = read_url(url)
        return cls(place, api_key=api_key, prefix=prefix, clock=clock)

    def __repr__(self) -> str:
        return f"QdrantStore({self._ledger.connection.name!r})"

    def close(self) -> None:
        """Give back the folder or the connection. Calling it again does nothing."""
        self._ledger.close()

    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Sequence[Job] = ()) -> list[str]:
        """See ``Store.add``."""
        with self._ledger.held() as head:
            user, now = self._ledger.user(scope.user_id), self._now()
            adder = Adder(user, scope, head, now=now)
            ids = adder.place(entries)
            fresh, queued = adder.fresh, new_jobs(jobs, after=head.last_job, due=now)
            self._check(head, [stored.features for stored in fresh])
            if not fresh and not queued:
                return ids
            write = Write()
            put_memories(self._ledger, write, fresh)
            write.put(self._ledger.names.ledger, *map(job_point, queued))
            if fresh and not user.documents:
                self._ledger.know(write, scope.user_id, live=True)
            version, last_key = head.version + len(fresh), head.last_key + len(fresh)
            last_job = head.last_job + len(queued)
            self._ledger.commit(write, replace(head, version=version, last_key=last_key, last_job=last_job))
            for stored in fresh:
                user.enter(stored.row, stored.features)
            if fresh:
                self._ledger.keep(scope.user_id, user)
            self._ledger.jobs |= {job["id"]: job for job in queued}
            return ids

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        """See ``Store.get``."""
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            named = (user.named(memory_id) for memory_id in dict.fromkeys(ids))
            rows = [row for row in named if row and row.live and is_within(scope, row)]
            found = {record.id: record for record in read_records(self._ledger, user, rows).values()}
            return [copy_of(found[memory_id]) if memory_id in found else None for memory_id in ids]

    def summaries(self, scope: Scope, ids: Sequence[str]) -> list[str | None]:
        """See ``Store.summaries``. Qdrant hands out records whole."""
        return [None if record is None else short(record) for record in self.get(scope, ids)]

    def find(
        self, scope: Scope, where: Filter, *, limit: int | None = None, after: str | None = None
    ) -> list[MemoryRecord]:
        """See ``Store.find``."""
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            rows = candidates(self._ledger, user, scope, where)
            rows = sorted((row for row in rows if after is None or row.id > after), key=lambda row: row.id)
            if is_decided(where):
                return list(read_records(self._ledger, user, rows[:limit]).values())
            found: list[MemoryRecord] = []
            for _, record in matching(self._ledger, user, rows, where):
                if limit is not None and len(found) >= limit:
                    break
                found.append(record)
            return found

    def match(self, scope: Scope, where: Filter) -> NDArray[np.int64]:
        """See ``Store.match``."""
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
    ) -> list[MemoryRecord | None]:
        """See ``Store.update``. ``change`` may read the store, and not write to it."""
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            named = (user.named(memory_id) for memory_id in dict.fromkeys(ids))
            rows = [row for row in named if row and row.live and is_within(scope, row)]
            pairs = changed_by(change, read_stored(self._ledger, user, rows))
            unchanged(self._ledger, head.number)
            check_changes(user, pairs)
            self._check(head, [entry.features for _, entry in pairs])
            changes = replacements(pairs, version=head.version)
            if changes:
                write = rewriting(self._ledger, user, changes, at=self._now(), action=action, reason=reason)
                self._ledger.commit(write, replace(head, version=head.version + len(changes)))
                for changed in changes:
                    user.replace(changed.after.row, changed.before.features, changed.after.features)
                    if changed.rewritten:
                        self._ledger.unstage(changed.after.row.key)
            after = {changed.after.row.id: changed.after.record for changed in changes}
            return [copy_of(after[memory_id]) if memory_id in after else None for memory_id in ids]

    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None) -> int:
        """See ``Store.delete``."""
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            doomed = read_stored(self._ledger, user, select(self._ledger, user, scope, where))
            if not doomed:
                return 0
            dead = buried(doomed, version=head.version)
            write, now = Write(), self._now()
            put_memories(self._ledger, write, dead)
            for stored in dead:
                point = change_point(user.tenant, stored.row, at=now, action="delete", reason=reason)
                write.put(self._ledger.names.ledger, point)
            if len(dead) == user.documents:
                self._ledger.know(write, scope.user_id, live=False)
            self._ledger.commit(write, replace(head, version=head.version + len(dead)))
            for stored in dead:
                user.bury(stored.row, stored.features)
            return len(dead)

    def purge(self, scope: Scope) -> int:
        """See ``Store.purge``. A server frees the space when it next optimises its segments."""
        with self._ledger.held() as head:
            user = self._ledger.user(scope.user_id)
            rows = [row for row in user.rows.values() if not row.live and is_within(scope, row)]
            everything = scope == Scope(user_id=scope.user_id) and not user.documents
            states = list(user.states) if everything else []
            if rows or states:
                self._ledger.commit(removal(self._ledger, user, rows, states, number=head.number), head)
                user.forget(row.key for row in rows)
                for name in states:
                    del user.states[name]
            return len(rows)

    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        """See ``Store.history``."""
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            row = user.named(memory_id)
            if row is None or not is_within(scope, row):
                return []
            return read_histories(self._ledger, user, [row])[row.key]

    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        """See ``Store.shadow``."""
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
        """See ``Store.shadow_version``."""
        with self._ledger.held() as head:
            return head.version

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """See ``Store.count``."""
        return len(self.match(scope, where))

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        """See ``Store.statistics``."""
        with self._ledger.held():
            user = self._ledger.user(scope.user_id)
            return Statistics(
                documents=user.documents,
                frequencies={term: user.terms[term] for term in terms if term in user.terms},
                vector_sum=user.vector_sum.copy(),
            )

    def user_ids(self) -> list[str]:
        """See ``Store.user_ids``."""
        with self._ledger.held():
            users = self._ledger.walk(["user"], ["user_id", "live"])
            return sorted(user["user_id"] for user in users if user["live"])

    def setting(self, name: str) -> str | None:
        """See ``Store.setting``."""
        with self._ledger.held() as head:
            return head.settings.get(name)

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        """See ``Store.put_setting``."""
        with self._ledger.held() as head:
            if not (unless_set and name in head.settings):
                self._ledger.commit(Write(), replace(head, settings=head.settings | {name: value}))

    def _now(self) -> int:
        return to_micros(self._clock())

    def _check(self, head: Head, features: Sequence[Features | None]) -> None:
        facts = head.settings
        check_makers(features, embedder=facts.get("embedder"), dimensions=facts.get("dimensions"))
