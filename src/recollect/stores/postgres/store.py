"""A store in PostgreSQL: one database for many tenants and many processes."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_seconds
from recollect.protocols import (
    CandidateSearch,
    Census,
    Clock,
    Copying,
    Entry,
    Jobs,
    Maintenance,
    Moment,
    ShadowDelta,
    ShadowRows,
    Statistics,
    Store,
    VectorMaintenance,
    VectorSearch,
    jobs_of,
)
from recollect.protocols.delegation import of_part
from recollect.stores.checks import check_recovered
from recollect.stores.postgres.columns import CandidateTable, read_around, read_columns
from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.copying import PostgresCopyTable
from recollect.stores.postgres.index import best_matches, unindex
from recollect.stores.postgres.ledger import LedgerEntry as LogEntry
from recollect.stores.postgres.ledger import PostgresLedger
from recollect.stores.postgres.making import VectorIndex
from recollect.stores.postgres.nearest import NearestTable
from recollect.stores.postgres.queue import (
    PostgresJobTable,
    PostgresLinkTable,
    PostgresStateTable,
    insert_jobs,
)
from recollect.stores.postgres.rows import SELECT, SKETCH
from recollect.stores.postgres.sql import fetch, fetch_value, put_setting, setting, tenant_of
from recollect.stores.postgres.statistics import read_statistics
from recollect.stores.postgres.upkeep import PostgresUpkeep
from recollect.stores.postgres.vectors import PostgresVectorTable
from recollect.stores.postgres.where import condition, scope_sql
from recollect.stores.postgres.writing import (
    PostgresAdder,
    kept,
    read_ids,
    replace_record,
    revive,
    strip_histories,
    versions_of,
)
from recollect.stores.sql.copies import change_of
from recollect.stores.sql.rows import from_row, moments_of, sketch_from_row
from recollect.stores.sql.statistics import census_of, census_sql
from recollect.types import SUMMARY_CHARACTERS, Change, ChangeAction, MemoryRecord, Scope
from recollect.types.clock import utc_now
from recollect.types.codec import to_micros
from recollect.types.filters import EVERYTHING, Filter

_SUMMARIES: Final = (
    "SELECT m.id, CASE WHEN length(m.content) <= %s THEN m.content "
    "ELSE coalesce(m.summary, substr(m.content, 1, %s)) END FROM memories AS m "
    "WHERE {scoped} AND m.id = ANY(%s)"
)
_LIVE: Final = "SELECT live FROM tenants WHERE tenant = %s"
_HOW_MANY: Final = "SELECT count(*) FROM tenants WHERE live > 0"
_USERS: Final = "SELECT user_id FROM tenants WHERE live > 0 ORDER BY user_id"


class PostgresStore(Store):
    """Keeps memories in a PostgreSQL database; any number of processes may use it at once.

    The role needs no rights but those to its own schema; a superuser, or a role that bypasses
    row-level security, loses that protection.

    Args:
        url: ``postgresql://user:password@host:port/database``; tables are made when missing.
        pool_size: How many connections this process opens at most.
        busy_timeout_s: How long to wait for a connection and its first answer, and for rows that others are
            changing; 0.001 to 2,000,000.
        statement_timeout_s: How long one statement may take; 0.001 to 2,000,000. A server that says nothing
            for five seconds more is given up.
        replica_url: A streaming replica of the database, for reads of what is a user's.
        max_staleness_s: How old what is read there may be; this process always finds what it wrote itself.
        clock: The clock of the change log and the jobs.

    Raises:
        InvalidInputError: The URL cannot be read, or a number is out of its range.
        StoreFormatError: A newer Recollect wrote the tables, or they are another program's.
        StoreReadOnlyError: The role may not make tables.
        StoreBusyError: The server has no connection to spare.
        StoreError: The server cannot be reached, or refused the user.
    """

    def __init__(
        self,
        url: str,
        *,
        pool_size: int = 16,
        busy_timeout_s: float = 30.0,
        statement_timeout_s: float = 60.0,
        replica_url: str | None = None,
        max_staleness_s: float = 5.0,
        clock: Clock = utc_now,
    ) -> None:
        self._clock = clock
        self._db = PostgresDatabase(
            url,
            pool_size=pool_size,
            busy_timeout_s=busy_timeout_s,
            statement_timeout_s=statement_timeout_s,
            replica_url=replica_url,
            max_staleness_s=check_seconds("max_staleness_s", max_staleness_s),
        )
        self._link_table = PostgresLinkTable(self._db)
        self._job_table = PostgresJobTable(self._db, clock=clock)
        self._states = PostgresStateTable(self._db)
        self._vectors = PostgresVectorTable(self._db)
        self._vector_index = VectorIndex(self._db)
        self._nearest = NearestTable(self._db)
        self._candidates = CandidateTable(self._db)
        self._copies = PostgresCopyTable(self._db, clock=clock)
        self._upkeep = PostgresUpkeep(self._db, clock=clock)

    def __repr__(self) -> str:
        return f"PostgresStore({self._db.name!r})"

    def close(self) -> None:
        self._db.close()

    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Jobs = ()) -> list[str]:
        with self._db.write(scope) as db:
            ledger = PostgresLedger(db, scope, clock=self._clock, create=bool(entries))
            ids = PostgresAdder(db, ledger, scope).add(entries)
            insert_jobs(db, scope, jobs_of(jobs, ids), now=ledger.now)
            return ids

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        with self._db.read(scope) as db:
            found = {record.id: record for _, record in read_ids(db, scope, ids)}
        return [found.get(memory_id) for memory_id in ids]

    def summaries(self, scope: Scope, ids: Sequence[str], *, whole_up_to: int = 0) -> list[str | None]:
        scoped, values = scope_sql(scope)
        sql = _SUMMARIES.format(scoped=scoped)
        with self._db.read(scope) as db:
            rows = fetch(db, sql, (whole_up_to, SUMMARY_CHARACTERS, *values, list(ids)))
        found: dict[str, str] = dict(rows)
        return [found.get(memory_id) for memory_id in ids]

    def find(
        self,
        scope: Scope,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[MemoryRecord]:
        conditions, values = condition(scope, where)
        if after is not None:
            sign = "<" if newest_first else ">"
            conditions, values = f"{conditions} AND m.id {sign} %s", [*values, after]
        order = "DESC" if newest_first else "ASC"
        sql = f"SELECT {SELECT} FROM memories AS m WHERE {conditions} ORDER BY m.id {order} LIMIT %s"
        with self._db.read(scope) as db:
            rows = fetch(db, sql, (*values, limit))
        return [from_row(scope.user_id, row) for row in rows]

    def moments(self, scope: Scope, where: Filter) -> list[Moment]:
        conditions, values = condition(scope, where)
        sql = f"SELECT m.happened_at, m.id, m.kind FROM memories AS m WHERE {conditions}"
        with self._db.read(scope) as db:
            return moments_of(fetch(db, sql, values))

    def sketches(self, scope: Scope, where: Filter) -> list[MemoryRecord]:
        conditions, values = condition(scope, where)
        with self._db.read(scope) as db:
            rows = fetch(db, f"SELECT {SKETCH} FROM memories AS m WHERE {conditions}", values)
        return [sketch_from_row(scope.user_id, row) for row in rows]

    def match(self, scope: Scope, where: Filter) -> NDArray[np.int64]:
        conditions, values = condition(scope, where)
        with self._db.read(scope) as db:
            keys = fetch(db, f"SELECT m.key FROM memories AS m WHERE {conditions}", values)
        return np.sort(np.fromiter((key for (key,) in keys), np.int64, len(keys)))

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
        after: dict[str, MemoryRecord] = {}
        with self._db.write(scope) as db:
            ledger = PostgresLedger(db, scope, clock=self._clock)
            for key, before in read_ids(db, scope, ids):
                entry = kept(before, change(before))
                words = replace_record(db, ledger, key, entry)
                ledger.enter([LogEntry.between(key, action, before, entry.record, reason)], words=words)
                after[before.id] = entry.record
            insert_jobs(db, scope, jobs_of(jobs, list(after)), now=ledger.now)
        return [after.get(memory_id) for memory_id in ids]

    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None, jobs: Jobs = ()) -> int:
        conditions, values = condition(scope, where)
        with self._db.write(scope) as db:
            ledger = PostgresLedger(db, scope, clock=self._clock)
            # Found first: Citus changes no rows by a condition that is false for all.
            sql = f"SELECT m.key, m.id FROM memories AS m WHERE {conditions} ORDER BY m.key"
            found = fetch(db, sql, values)
            insert_jobs(db, scope, jobs_of(jobs, [memory_id for _, memory_id in found]), now=ledger.now)
            keys = [key for key, _ in found]
            if not keys:
                return 0
            db.execute(
                "UPDATE memories SET deleted_at = %s WHERE tenant = %s AND key = ANY(%s)",
                (ledger.now, ledger.tenant, keys),
            )
            words = unindex(db, ledger.tenant, keys)
            ledger.count_out(keys)
            entries = [LogEntry(key, "delete", reason=reason) for key in keys]
            ledger.enter(entries, live=-len(keys), words=-words)
        return len(keys)

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        conditions, values = condition(scope, where, "deleted")
        sql = f"SELECT {SELECT} FROM memories AS m WHERE {conditions} ORDER BY m.id DESC LIMIT %s"
        with self._db.read(scope) as db:
            rows = fetch(db, sql, (*values, limit))
        return [from_row(scope.user_id, row) for row in reversed(rows)]

    def recover(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        reason: str | None = None,
        jobs: Jobs = (),
    ) -> list[MemoryRecord | None]:
        after: dict[str, MemoryRecord] = {}
        with self._db.write(scope) as db:
            ledger = PostgresLedger(db, scope, clock=self._clock)
            for key, before in read_ids(db, scope, ids, "deleted"):
                entry = kept(before, check_recovered(before, change(before)))
                words = revive(db, ledger, key, entry)
                change_of_it = LogEntry.between(key, "recover", before, entry.record, reason)
                ledger.enter([change_of_it], live=1, words=words)
                after[before.id] = entry.record
            insert_jobs(db, scope, jobs_of(jobs, list(after)), now=ledger.now)
        return [after.get(memory_id) for memory_id in ids]

    def purge(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """See ``Store.purge``. Its bytes leave the server's files at the next vacuum."""
        dead, values = condition(scope, where, "deleted")
        with self._db.write(scope) as db:
            ledger = PostgresLedger(db, scope, clock=self._clock)
            keys = sorted(
                key for (key,) in fetch(db, f"DELETE FROM memories AS m WHERE {dead} RETURNING m.key", values)
            )
            db.execute("DELETE FROM changes WHERE tenant = %s AND key = ANY(%s)", (ledger.tenant, keys))
            ledger.enter([LogEntry(key, "purge") for key in keys])
            strip_histories(db, ledger.tenant, scope, where)
            whole = scope == Scope(user_id=scope.user_id) and where == EVERYTHING
            if whole and not fetch_value(db, _LIVE, (ledger.tenant,)):
                db.execute("DELETE FROM states WHERE tenant = %s", (ledger.tenant,))  # all that was learned
        return len(keys)

    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        conditions, values = scope_sql(scope, "any")
        sql = (
            "SELECT c.at, c.action, c.before, c.after, c.reason "
            "FROM changes AS c JOIN memories AS m ON m.tenant = c.tenant AND m.key = c.key "
            f"WHERE {conditions} AND m.id = %s AND c.tenant = %s ORDER BY c.version"
        )
        with self._db.read(scope) as db:
            rows = fetch(db, sql, (*values, memory_id, tenant_of(scope.user_id)))
        return [change_of(memory_id, row) for row in rows]

    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        with self._db.read(scope) as db:
            version, promoted_at = versions_of(db, scope)
            reset = promoted_at > since
            rows, removed = read_columns(db, scope, 0 if reset else since)
        return ShadowDelta(version=version, rows=rows, removed=removed, reset=reset)

    def shadow_version(self, scope: Scope) -> int:
        with self._db.read(scope) as db:
            return versions_of(db, scope)[0]

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        with self._db.read(scope) as db:
            return np.array(best_matches(db, scope, stems, limit=limit, where=where), np.int64)

    def shadow_of(self, scope: Scope, keys: NDArray[np.int64], *, around: int) -> ShadowRows:
        with self._db.read(scope) as db:
            return read_around(db, scope, keys.tolist(), around=around)

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        conditions, values = condition(scope, where)
        sql = f"SELECT count(*) FROM memories AS m WHERE {conditions}"
        if where == EVERYTHING and scope == Scope(user_id=scope.user_id):
            sql, values = _LIVE, [tenant_of(scope.user_id)]
        with self._db.read(scope) as db:
            return int(fetch_value(db, sql, values) or 0)

    def census(
        self, scope: Scope | None, where: Filter = EVERYTHING, *, since: Sequence[datetime] = ()
    ) -> Census:
        moments = list(map(to_micros, since))
        if scope is not None:
            conditions, values = condition(scope, where)
            with self._db.read(scope) as db:
                rows = fetch(db, census_sql(conditions, len(since), mark="%s"), (*moments, *values))
            return census_of(rows, len(since), users=None)
        with self._db.read_everyone() as db:
            rows = fetch(db, census_sql("m.deleted_at IS NULL", len(since), mark="%s"), moments)
            return census_of(rows, len(since), users=int(fetch_value(db, _HOW_MANY)))

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        with self._db.read(scope) as db:
            return read_statistics(db, scope, terms)

    def view(self, scope: Scope) -> AbstractContextManager[None]:
        """See ``Store.view``: one transaction, in place of one for each read."""
        return self._db.view(scope)

    def user_ids(self) -> list[str]:
        with self._db.read_everyone() as db:
            return [user_id for (user_id,) in fetch(db, _USERS)]

    def setting(self, name: str) -> str | None:
        with self._db.read_everyone() as db:
            return setting(db, name)

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        with self._db.write_everyone() as db:
            put_setting(db, name, value, unless_set=unless_set)

    def make_vector_index(self) -> int:
        """Make the index over vectors; see ``VectorIndex.make_vector_index``."""
        return self._vector_index.make_vector_index()

    def drop_vector_index(self) -> None:
        """Drop the index; see ``VectorIndex.drop_vector_index``."""
        self._vector_index.drop_vector_index()

    state = of_part("_states", Store.state)
    states = of_part("_states", Store.states)
    change_state = of_part("_states", Store.change_state)
    search_vector = of_part("_nearest", VectorSearch.search_vector)
    search_candidates = of_part("_candidates", CandidateSearch.search_candidates)
    unstaged = of_part("_vectors", VectorMaintenance.unstaged)
    stage_vectors = of_part("_vectors", VectorMaintenance.stage_vectors)
    promote_vectors = of_part("_vectors", VectorMaintenance.promote_vectors)
    vector_progress = of_part("_vectors", VectorMaintenance.vector_progress)
    known_users = of_part("_copies", Store.known_users)
    dump = of_part("_copies", Copying.dump)
    restore = of_part("_copies", Copying.restore)
    check = of_part("_upkeep", Maintenance.check)
    rebuild = of_part("_upkeep", Maintenance.rebuild)
    compact = of_part("_upkeep", Maintenance.compact)
    backup = of_part("_upkeep", Maintenance.backup)
