"""The default store: one file, every power a store can have."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreError
from recollect.protocols import (
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
    jobs_of,
)
from recollect.protocols.delegation import of_part
from recollect.stores.checks import check_recovered
from recollect.stores.sql.copies import change_of
from recollect.stores.sql.rows import SELECT, SKETCH, dump, from_row, moments_of, sketch_from_row
from recollect.stores.sql.statistics import census_of, census_sql
from recollect.stores.sqlite.columns import read_columns
from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.stores.sqlite.copying import SQLiteCopyTable
from recollect.stores.sqlite.purging import PURGE_WAIT_S, Purging, set_step
from recollect.stores.sqlite.queue import SQLiteJobTable, SQLiteLinkTable, SQLiteStateTable, insert_jobs
from recollect.stores.sqlite.statistics import count_out, read_statistics
from recollect.stores.sqlite.upkeep import SQLiteUpkeep
from recollect.stores.sqlite.vectors import SQLiteVectorTable
from recollect.stores.sqlite.where import fetch, fetch_matching, fetch_value, ordered_by, scope_sql
from recollect.stores.sqlite.writing import (
    SQLiteAdder,
    condition,
    forget_samples,
    forget_user,
    log,
    mark_deleted,
    put_setting,
    read_ids,
    replace_record,
    revive,
    setting,
    strip_histories,
    user_key,
    version_of,
)
from recollect.types import SUMMARY_CHARACTERS, Change, ChangeAction, MemoryRecord, Scope
from recollect.types.clock import utc_now
from recollect.types.codec import changed_fields, to_micros
from recollect.types.filters import EVERYTHING, Filter

_OWNERS: Final = (
    "FROM users AS u WHERE EXISTS (SELECT 1 FROM memories AS m WHERE m.user = u.key AND m.deleted_at IS NULL)"
)
_COUNTED: Final = "SELECT documents FROM corpora WHERE user = (SELECT key FROM users WHERE user_id = ?)"
_SUMMARIES: Final = (
    "SELECT m.id, CASE WHEN length(m.content) <= ? THEN m.content "
    "ELSE ifnull(m.summary, substr(m.content, 1, ?)) END FROM memories AS m "
    "WHERE {scoped} AND m.id IN (SELECT value FROM json_each(?))"
)


class SQLiteStore(Store):
    """Keeps memories in one SQLite file; many threads and processes may use it at once.

    Args:
        path: The file, made when missing.
        busy_timeout_s: How long to wait for other processes that write.
        clock: The clock of the change log and the jobs.

    Raises:
        StoreFormatError: The file is not a Recollect store, or a newer version's.
        StoreCorruptError: The file is damaged.
        StoreError: It cannot be opened.
    """

    def __init__(self, path: str | Path, *, busy_timeout_s: float = 30.0, clock: Clock = utc_now) -> None:
        self.path = Path(path).expanduser()
        self._clock = clock
        self._db = SQLiteDatabase(self.path, busy_timeout_s=busy_timeout_s)
        self._link_table = SQLiteLinkTable(self._db)
        self._job_table = SQLiteJobTable(self._db, clock=clock)
        self._states = SQLiteStateTable(self._db)
        self._vectors = SQLiteVectorTable(self._db)
        self._copies = SQLiteCopyTable(self._db)
        self._purging = Purging(self._db)
        self._upkeep = SQLiteUpkeep(self._db)
        with suppress(StoreError):  # a purge that was not finished when the file was closed
            self.residue()

    def __repr__(self) -> str:
        return f"SQLiteStore({str(self.path)!r})"

    def close(self) -> None:
        self._db.close()

    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Jobs = ()) -> list[str]:
        with self._db.write() as db:
            writer = SQLiteAdder(db, scope, now=to_micros(self._clock()))
            ids = writer.add(entries)
            insert_jobs(db, jobs_of(jobs, ids), now=writer.now)
            return ids

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        with self._db.read() as db:
            found = {record.id: record for _, record in read_ids(db, scope, ids)}
        return [found.get(memory_id) for memory_id in ids]

    def summaries(self, scope: Scope, ids: Sequence[str], *, whole_up_to: int = 0) -> list[str | None]:
        scoped, values = scope_sql(scope)
        sql = _SUMMARIES.format(scoped=scoped)
        with self._db.read() as db:
            rows = fetch(db, sql, (whole_up_to, SUMMARY_CHARACTERS, *values, dump(list(ids))))
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
            conditions, values = f"{conditions} AND m.id {sign} ?", [*values, after]
        order = f"{ordered_by(where, limit=limit)} {'DESC' if newest_first else 'ASC'}"
        sql = f"SELECT {SELECT} FROM memories AS m WHERE {conditions} ORDER BY {order} LIMIT ?"
        with self._db.read() as db:
            rows = fetch_matching(db, where, sql, (*values, -1 if limit is None else limit))
        return [from_row(scope.user_id, row) for row in rows]

    def moments(self, scope: Scope, where: Filter) -> list[Moment]:
        conditions, values = condition(scope, where)
        sql = f"SELECT m.happened_at, m.id, m.kind FROM memories AS m WHERE {conditions}"
        with self._db.read() as db:
            return moments_of(fetch_matching(db, where, sql, values))

    def sketches(self, scope: Scope, where: Filter) -> list[MemoryRecord]:
        conditions, values = condition(scope, where)
        with self._db.read() as db:
            rows = fetch_matching(db, where, f"SELECT {SKETCH} FROM memories AS m WHERE {conditions}", values)
        return [sketch_from_row(scope.user_id, row) for row in rows]

    def match(self, scope: Scope, where: Filter) -> NDArray[np.int64]:
        conditions, values = condition(scope, where)
        with self._db.read() as db:
            keys = fetch_matching(db, where, f"SELECT m.key FROM memories AS m WHERE {conditions}", values)
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
        now = to_micros(self._clock())
        after: dict[str, MemoryRecord] = {}
        with self._db.write() as db:
            user = user_key(db, scope)
            for key, before in read_ids(db, scope, ids):
                entry = change(before)
                replace_record(db, key, before, entry)
                old, new = changed_fields(before, entry.record)
                log(db, user, [(key, now, action, dump(old), dump(new), reason)])
                turn = before.origin.turn
                after[before.id] = replace(entry.record, origin=replace(entry.record.origin, turn=turn))
            insert_jobs(db, jobs_of(jobs, list(after)), now=now)
        return [after.get(memory_id) for memory_id in ids]

    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None, jobs: Jobs = ()) -> int:
        now = to_micros(self._clock())
        conditions, values = condition(scope, where)
        with self._db.write() as db:
            sql = f"SELECT m.key, m.id FROM memories AS m WHERE {conditions}"
            found = fetch_matching(db, where, sql, values)
            keys = [key for key, _ in found]
            mark_deleted(db, keys, now=now)
            db.executemany("DELETE FROM words WHERE rowid = ?", [(key,) for key in keys])
            user = user_key(db, scope)
            count_out(db, user, keys)
            log(db, user, [(key, now, "delete", None, None, reason) for key in keys])
            insert_jobs(db, jobs_of(jobs, [memory_id for _, memory_id in found]), now=now)
        return len(found)

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        conditions, values = condition(scope, where, dead=True)
        sql = f"SELECT {SELECT} FROM memories AS m WHERE {conditions} ORDER BY +m.id DESC LIMIT ?"
        with self._db.read() as db:
            rows = fetch_matching(db, where, sql, (*values, -1 if limit is None else limit))
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
        now = to_micros(self._clock())
        after: dict[str, MemoryRecord] = {}
        with self._db.write() as db:
            user = user_key(db, scope)
            for key, before in read_ids(db, scope, ids, dead=True):
                entry = check_recovered(before, change(before))
                revive(db, scope, key, entry, turn=before.origin.turn)
                old, new = changed_fields(before, entry.record)
                log(db, user, [(key, now, "recover", dump(old), dump(new), reason)])
                turn = before.origin.turn
                after[before.id] = replace(entry.record, origin=replace(entry.record.origin, turn=turn))
            insert_jobs(db, jobs_of(jobs, list(after)), now=now)
        return [after.get(memory_id) for memory_id in ids]

    def purge(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """See ``Store.purge``. Merging the text index drops deleted words; ``Purging`` does the rest."""
        dead, values = condition(scope, where, dead=True)
        with self._db.write() as db:
            keys = fetch_matching(db, where, f"SELECT m.key FROM memories AS m WHERE {dead}", values)
            for table in ("features", "staged"):
                db.executemany(f"DELETE FROM {table} WHERE key = ?", keys)
            db.executemany("DELETE FROM changes WHERE key = ?", keys)
            db.executemany("DELETE FROM memories WHERE key = ?", keys)
            at, user = to_micros(self._clock()), user_key(db, scope)
            log(db, user, [(key, at, "purge", None, None, None) for (key,) in keys])
            stripped = strip_histories(db, scope, where)
            if keys or stripped:
                db.execute("INSERT INTO words (words) VALUES ('optimize')")
                forget_samples(db)
                set_step(db, "file")
            if scope == Scope(user_id=scope.user_id) and where == EVERYTHING:
                forget_user(db, scope)
        self._purging.finish(wait_s=PURGE_WAIT_S)
        return len(keys)

    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        narrowed, values = scope_sql(scope)
        condition = narrowed.replace(" AND m.deleted_at IS NULL", "")
        sql = (
            "SELECT c.at, c.action, c.before, c.after, c.reason "
            "FROM changes AS c JOIN memories AS m ON m.key = c.key "
            f"WHERE {condition} AND m.id = ? ORDER BY c.version"
        )
        with self._db.read() as db:
            rows = fetch(db, sql, (*values, memory_id))
        return [change_of(memory_id, row) for row in rows]

    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        with self._db.read() as db:
            version = version_of(db, scope)
            promoted = setting(db, "promoted_at_version")
            reset = promoted is not None and since <= int(promoted)
            since = 0 if reset else since
            rows, removed = read_columns(db, scope, since)
        return ShadowDelta(version=version, rows=rows, removed=removed, reset=reset)

    def shadow_version(self, scope: Scope) -> int:
        with self._db.read() as db:
            return version_of(db, scope)

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        with self._db.read() as db:
            user = user_key(db, scope)
            if user is None or not stems:
                return np.empty(0, np.int64)
            terms = " OR ".join('"' + stem.replace('"', '""') + '"' for stem in stems)
            scoped, values = condition(scope, where)
            keys = fetch_matching(
                db,
                where,
                "SELECT w.rowid FROM words AS w CROSS JOIN memories AS m ON m.key = w.rowid "
                f"WHERE w.words MATCH ? AND {scoped} ORDER BY bm25(words, 0.0, 1.0), w.rowid LIMIT ?",
                (f"user : u{user} AND stems : ({terms})", *values, limit),
            )
            return np.fromiter((key for (key,) in keys), np.int64)

    def shadow_of(self, scope: Scope, keys: NDArray[np.int64], *, around: int) -> ShadowRows:
        with self._db.read() as db:
            return read_columns(db, scope, 0, keys=keys.tolist(), around=around)[0]

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        conditions, values = condition(scope, where)
        sql = f"SELECT count(*) FROM memories AS m WHERE {conditions}"
        if where == EVERYTHING and scope == Scope(user_id=scope.user_id):
            sql, values = _COUNTED, [scope.user_id]
        with self._db.read() as db:
            ((number,),) = fetch_matching(db, where, sql, values) or [(0,)]
        return int(number or 0)

    def census(
        self, scope: Scope | None, where: Filter = EVERYTHING, *, since: Sequence[datetime] = ()
    ) -> Census:
        moments = list(map(to_micros, since))
        conditions, values = ("m.deleted_at IS NULL", []) if scope is None else condition(scope, where)
        sql = census_sql(conditions, len(since), mark="?")
        with self._db.read() as db:
            rows = fetch_matching(db, where, sql, [*moments, *values])
            users = fetch_value(db, f"SELECT count(*) {_OWNERS}") if scope is None else None
        return census_of(rows, len(since), users=users)

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        with self._db.read() as db:
            return read_statistics(db, scope, terms)

    def user_ids(self) -> list[str]:
        with self._db.read() as db:
            return [user_id for (user_id,) in fetch(db, f"SELECT user_id {_OWNERS} ORDER BY user_id")]

    def setting(self, name: str) -> str | None:
        with self._db.read() as db:
            return setting(db, name)

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        with self._db.write() as db:
            put_setting(db, name, value, unless_set=unless_set)

    def compact(self) -> None:
        self._upkeep.compact()
        self.residue()

    state = of_part("_states", Store.state)
    states = of_part("_states", Store.states)
    change_state = of_part("_states", Store.change_state)
    unstaged = of_part("_vectors", VectorMaintenance.unstaged)
    stage_vectors = of_part("_vectors", VectorMaintenance.stage_vectors)
    promote_vectors = of_part("_vectors", VectorMaintenance.promote_vectors)
    vector_progress = of_part("_vectors", VectorMaintenance.vector_progress)
    known_users = of_part("_copies", Store.known_users)
    dump = of_part("_copies", Copying.dump)
    restore = of_part("_copies", Copying.restore)
    residue = of_part("_purging", Store.residue)
    check = of_part("_upkeep", Maintenance.check)
    rebuild = of_part("_upkeep", Maintenance.rebuild)
    backup = of_part("_upkeep", Maintenance.backup)
