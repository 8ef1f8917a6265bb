"""The default store: one file, every power a store can have."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import apsw
import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInputError, StoreError
from recollect.protocols import (
    Clock,
    Entry,
    Features,
    Jobs,
    ShadowDelta,
    ShadowRows,
    Statistics,
    Store,
    jobs_of,
)
from recollect.stores.checks import check_makers, check_recovered
from recollect.stores.histories import bare_rows
from recollect.stores.sql.copies import change_of
from recollect.stores.sql.rows import SELECT, WRITTEN, dump, from_row, to_written
from recollect.stores.sqlite.columns import read_columns
from recollect.stores.sqlite.connection import Database
from recollect.stores.sqlite.copying import CopyTable
from recollect.stores.sqlite.purging import PURGE_WAIT_S, Purging, set_step
from recollect.stores.sqlite.queue import JobTable, LinkTable, insert_jobs
from recollect.stores.sqlite.state import StateTable
from recollect.stores.sqlite.statistics import count_in, count_out, read_statistics
from recollect.stores.sqlite.upkeep import Upkeep
from recollect.stores.sqlite.vectors import VectorTable
from recollect.stores.sqlite.where import fetch, fetch_value, scope_sql, where_sql
from recollect.types import SUMMARY_CHARACTERS, Change, ChangeAction, MemoryRecord, Scope
from recollect.types.clock import utc_now
from recollect.types.codec import changed_fields, to_micros
from recollect.types.filters import EVERYTHING, Filter, by_ids

_INSERT: Final = f"INSERT INTO memories (key, user, {', '.join(WRITTEN)}) VALUES (?, ?{', ?' * len(WRITTEN)})"
_UPDATE: Final = f"UPDATE memories SET {', '.join(f'{column} = ?' for column in WRITTEN)} WHERE key = ?"
_COUNTED: Final = "SELECT documents FROM corpora WHERE user = (SELECT key FROM users WHERE user_id = ?)"
_SUMMARIES: Final = (
    "SELECT m.id, CASE WHEN length(m.content) <= ? THEN m.content "
    "ELSE ifnull(m.summary, substr(m.content, 1, ?)) END FROM memories AS m "
    "WHERE {scoped} AND m.id IN (SELECT value FROM json_each(?))"
)
_KNOWN: Final = (
    "SELECT id FROM memories WHERE user = ? AND idempotency_key = ? AND deleted_at IS NULL",
    """SELECT id FROM memories
    WHERE user = ? AND idempotency_key = ? AND deleted_at IS NOT NULL AND kind <> 'document'""",
)
_IDS_AT_ONCE: Final = 500
"""Ids bound into one statement; far below SQLite's limit of 32,766 and large enough to amortise it."""


class SQLiteStore(JobTable, LinkTable, StateTable, VectorTable, CopyTable, Purging, Upkeep, Store):
    """Keeps memories in one SQLite file; many threads and processes may use it at once.

    Args:
        path: The file, made when missing.
        busy_timeout_s: How long to wait for other processes that write.
        clock: What time it is, for the change log and the jobs.

    Raises:
        StoreFormatError: The file is not a Recollect store, or a newer version's.
        StoreCorruptError: The file is damaged.
        StoreError: It cannot be opened.
    """

    def __init__(self, path: str | Path, *, busy_timeout_s: float = 30.0, clock: Clock = utc_now) -> None:
        self.path = Path(path).expanduser()
        self._clock = clock
        self._db = Database(self.path, busy_timeout_s=busy_timeout_s)
        with suppress(StoreError):  # a purge that was not finished when the file was closed
            self.residue()

    def __repr__(self) -> str:
        return f"SQLiteStore({str(self.path)!r})"

    def close(self) -> None:
        """Give back files and connections. Calling it again does nothing."""
        self._db.close()

    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Jobs = ()) -> list[str]:
        """See ``Store.add``."""
        with self._db.write() as db:
            writer = _Adder(db, scope, now=to_micros(self._clock()))
            ids = writer.add(entries)
            insert_jobs(db, jobs_of(jobs, ids), now=writer.now)
            return ids

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        """See ``Store.get``."""
        with self._db.read() as db:
            found = {record.id: record for _, record in _by_ids(db, scope, ids)}
        return [found.get(memory_id) for memory_id in ids]

    def summaries(self, scope: Scope, ids: Sequence[str], *, whole_up_to: int = 0) -> list[str | None]:
        """See ``Store.summaries``."""
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
        """See ``Store.find``."""
        conditions, values = _condition(scope, where)
        if after is not None:
            sign = "<" if newest_first else ">"
            conditions, values = f"{conditions} AND m.id {sign} ?", [*values, after]
        order = "DESC" if newest_first else "ASC"
        sql = f"SELECT {SELECT} FROM memories AS m WHERE {conditions} ORDER BY m.id {order} LIMIT ?"
        with self._db.read() as db:
            rows = fetch(db, sql, (*values, -1 if limit is None else limit))
        return [from_row(scope.user_id, row) for row in rows]

    def match(self, scope: Scope, where: Filter) -> NDArray[np.int64]:
        """See ``Store.match``."""
        conditions, values = _condition(scope, where)
        with self._db.read() as db:
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
        """See ``Store.update``."""
        now = to_micros(self._clock())
        after: dict[str, MemoryRecord] = {}
        with self._db.write() as db:
            for key, before in _by_ids(db, scope, ids):
                entry = change(before)
                _replace(db, key, before, entry)
                old, new = changed_fields(before, entry.record)
                _log(db, scope, [(key, now, action, dump(old), dump(new), reason)])
                turn = before.origin.turn
                after[before.id] = replace(entry.record, origin=replace(entry.record.origin, turn=turn))
            insert_jobs(db, jobs_of(jobs, list(after)), now=now)
        return [after.get(memory_id) for memory_id in ids]

    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None, jobs: Jobs = ()) -> int:
        """See ``Store.delete``."""
        now = to_micros(self._clock())
        conditions, values = _condition(scope, where)
        with self._db.write() as db:
            found = fetch(db, f"SELECT m.key, m.id FROM memories AS m WHERE {conditions}", values)
            keys = [key for key, _ in found]
            db.executemany("UPDATE memories SET deleted_at = ? WHERE key = ?", [(now, key) for key in keys])
            db.executemany("DELETE FROM words WHERE rowid = ?", [(key,) for key in keys])
            count_out(db, _user(db, scope), keys)
            _log(db, scope, [(key, now, "delete", None, None, reason) for key in keys])
            insert_jobs(db, jobs_of(jobs, [memory_id for _, memory_id in found]), now=now)
        return len(found)

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        """See ``Store.deleted``."""
        conditions, values = _condition(scope, where, dead=True)
        sql = f"SELECT {SELECT} FROM memories AS m WHERE {conditions} ORDER BY m.id DESC LIMIT ?"
        with self._db.read() as db:
            rows = fetch(db, sql, (*values, -1 if limit is None else limit))
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
        """See ``Store.recover``."""
        now = to_micros(self._clock())
        after: dict[str, MemoryRecord] = {}
        with self._db.write() as db:
            for key, before in _by_ids(db, scope, ids, dead=True):
                entry = check_recovered(before, change(before))
                _revive(db, scope, key, entry, turn=before.origin.turn)
                old, new = changed_fields(before, entry.record)
                _log(db, scope, [(key, now, "recover", dump(old), dump(new), reason)])
                turn = before.origin.turn
                after[before.id] = replace(entry.record, origin=replace(entry.record.origin, turn=turn))
            insert_jobs(db, jobs_of(jobs, list(after)), now=now)
        return [after.get(memory_id) for memory_id in ids]

    def purge(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """See ``Store.purge``. The file is written anew, and the write-ahead log emptied.

        ``secure_delete`` alone overwrites what is deleted, but not the copies that SQLite leaves in the free
        space of a page when it moves rows between pages.
        """
        dead, values = _condition(scope, where, dead=True)
        with self._db.write() as db:
            keys = fetch(db, f"SELECT m.key FROM memories AS m WHERE {dead}", values)
            for table in ("features", "staged"):
                db.executemany(f"DELETE FROM {table} WHERE key = ?", keys)
            db.executemany("DELETE FROM changes WHERE key = ?", keys)
            db.executemany("DELETE FROM memories WHERE key = ?", keys)
            _log(db, scope, [(key, to_micros(self._clock()), "purge", None, None, None) for (key,) in keys])
            stripped = _strip_histories(db, scope, where)
            if keys or stripped:
                db.execute("INSERT INTO words (words) VALUES ('optimize')")
                set_step(db, "file")
            if scope == Scope(user_id=scope.user_id) and where == EVERYTHING:
                _forget_user(db, scope)
        self._finish_purge(wait_s=PURGE_WAIT_S)
        return len(keys)

    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        """See ``Store.history``."""
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
        """See ``Store.shadow``."""
        with self._db.read() as db:
            version = _version(db, scope)
            promoted = _setting(db, "promoted_at_version")
            reset = promoted is not None and since <= int(promoted)
            since = 0 if reset else since
            rows, removed = read_columns(db, scope, since)
        return ShadowDelta(version=version, rows=rows, removed=removed, reset=reset)

    def shadow_version(self, scope: Scope) -> int:
        """See ``Store.shadow_version``."""
        with self._db.read() as db:
            return _version(db, scope)

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """See ``TextSearch.search_text``."""
        with self._db.read() as db:
            user = _user(db, scope)
            if user is None or not stems:
                return np.empty(0, np.int64)
            terms = " OR ".join('"' + stem.replace('"', '""') + '"' for stem in stems)
            scoped, values = _condition(scope, where)
            keys = fetch(
                db,
                "SELECT w.rowid FROM words AS w CROSS JOIN memories AS m ON m.key = w.rowid "
                f"WHERE w.words MATCH ? AND {scoped} ORDER BY bm25(words, 0.0, 1.0), w.rowid LIMIT ?",
                (f"user : u{user} AND stems : ({terms})", *values, limit),
            )
            return np.fromiter((key for (key,) in keys), np.int64)

    def shadow_of(self, scope: Scope, keys: NDArray[np.int64], *, around: int) -> ShadowRows:
        """See ``TextSearch.shadow_of``."""
        with self._db.read() as db:
            return read_columns(db, scope, 0, keys=keys.tolist(), around=around)[0]

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """See ``Store.count``."""
        conditions, values = _condition(scope, where)
        sql = f"SELECT count(*) FROM memories AS m WHERE {conditions}"
        if where == EVERYTHING and scope == Scope(user_id=scope.user_id):
            sql, values = _COUNTED, [scope.user_id]
        with self._db.read() as db:
            return int(fetch_value(db, sql, values) or 0)

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        """See ``Store.statistics``."""
        with self._db.read() as db:
            return read_statistics(db, scope, terms)

    def user_ids(self) -> list[str]:
        """See ``Store.user_ids``."""
        sql = (
            "SELECT user_id FROM users AS u WHERE EXISTS "
            "(SELECT 1 FROM memories AS m WHERE m.user = u.key AND m.deleted_at IS NULL) ORDER BY user_id"
        )
        with self._db.read() as db:
            return [user_id for (user_id,) in fetch(db, sql)]

    def setting(self, name: str) -> str | None:
        """See ``Store.setting``."""
        with self._db.read() as db:
            return _setting(db, name)

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        """See ``Store.put_setting``."""
        with self._db.write() as db:
            clash = "IGNORE" if unless_set else "REPLACE"
            db.execute(f"INSERT OR {clash} INTO settings (name, value) VALUES (?, ?)", (name, value))


class _Adder:
    """Adds entries inside a transaction."""

    def __init__(self, db: apsw.Connection, scope: Scope, *, now: int) -> None:
        self.now = now
        self._db = db
        self._scope = scope
        db.execute("INSERT OR IGNORE INTO users (user_id) VALUES (?)", (scope.user_id,))
        self._user = _user(db, scope)
        self._key = int(
            fetch_value(db, "SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'memories'")
        )
        self._turns: dict[str, int] = {}
        self._keyed: dict[str, str] = {}

    def add(self, entries: Sequence[Entry]) -> list[str]:
        ids = []
        fresh: list[tuple[int, Entry]] = []
        for entry in entries:
            known = self._known(entry.record.idempotency_key)
            ids.append(known or entry.record.id)
            if known is None:
                self._key += 1
                fresh.append((self._key, entry))
                if entry.record.idempotency_key is not None:
                    self._keyed[entry.record.idempotency_key] = entry.record.id
        self._insert(fresh)
        return ids

    def _known(self, idempotency_key: str | None) -> str | None:
        if idempotency_key is None:
            return None
        if idempotency_key in self._keyed:
            return self._keyed[idempotency_key]
        for sql in _KNOWN:
            known: str | None = fetch_value(self._db, sql, (self._user, idempotency_key))
            if known is not None:
                return known
        return None

    def _turn(self, thread: str) -> int:
        if not thread:
            return 0
        if thread not in self._turns:
            sql = "SELECT ifnull(max(turn), -1) FROM memories WHERE user = ? AND thread = ? AND thread <> ''"
            self._turns[thread] = int(fetch_value(self._db, sql, (self._user, thread)))
        self._turns[thread] += 1
        return self._turns[thread]

    def _insert(self, fresh: Sequence[tuple[int, Entry]]) -> None:
        try:
            self._db.executemany(
                _INSERT,
                (
                    (key, self._user, *_written(entry, turn=self._turn(entry.record.origin.thread)))
                    for key, entry in fresh
                ),
            )
        except apsw.ConstraintError as error:
            raise InvalidInputError("an id given to add is in use already; leave it out") from error
        features = [(key, _required(entry)) for key, entry in fresh]
        _index(self._db, self._user, features)
        count_in(self._db, self._user, ((made.terms, made.vector) for _, made in features))
        _log(self._db, self._scope, [(key, self.now, "add", None, None, None) for key, _ in fresh])


def _written(entry: Entry, *, turn: int) -> tuple[Any, ...]:
    return to_written(entry.record, turn=turn, outline=entry.outline)


def _required(entry: Entry) -> Features:
    if entry.features is None:
        raise InvalidInputError("an added entry needs its features")
    return entry.features


def _index(db: apsw.Connection, user: int | None, fresh: Sequence[tuple[int, Features]]) -> None:
    check_makers(
        (features for _, features in fresh),
        embedder=_setting(db, "embedder"),
        dimensions=_setting(db, "dimensions"),
    )
    db.executemany(
        "INSERT OR REPLACE INTO features (key, vector, terms, counts, traits) VALUES (?, ?, ?, ?, ?)",
        ((key, features.vector, features.terms, features.counts, features.traits) for key, features in fresh),
    )
    db.executemany(
        "INSERT OR REPLACE INTO words (rowid, user, stems) VALUES (?, ?, ?)",
        ((key, f"u{user}", features.stems) for key, features in fresh),
    )


def _replace(db: apsw.Connection, key: int, before: MemoryRecord, entry: Entry) -> None:
    if entry.record.id != before.id or entry.record.scope != before.scope:
        raise InvalidInputError("an update cannot move a memory to another id or scope")
    db.execute(_UPDATE, (*_written(entry, turn=before.origin.turn), key))
    if entry.features is not None:
        user = int(fetch_value(db, "SELECT user FROM memories WHERE key = ?", (key,)))
        db.execute("DELETE FROM staged WHERE key = ?", (key,))
        count_out(db, user, [key])
        _index(db, user, [(key, entry.features)])
        count_in(db, user, [(entry.features.terms, entry.features.vector)])


def _revive(db: apsw.Connection, scope: Scope, key: int, entry: Entry, *, turn: int) -> None:
    features = _required(entry)
    try:
        db.execute(_UPDATE, (*_written(entry, turn=turn), key))
        db.execute("UPDATE memories SET deleted_at = NULL WHERE key = ?", (key,))
        db.execute("DELETE FROM staged WHERE key = ?", (key,))
    except apsw.ConstraintError as error:
        raise InvalidInputError("another memory has its idempotency key now") from error
    user = _user(db, scope)
    _index(db, user, [(key, features)])
    count_in(db, user, [(features.terms, features.vector)])


def _by_ids(
    db: apsw.Connection, scope: Scope, ids: Sequence[str], *, dead: bool = False
) -> list[tuple[int, MemoryRecord]]:
    wanted = list(dict.fromkeys(ids))
    found = []
    for start in range(0, len(wanted), _IDS_AT_ONCE):
        conditions, values = _condition(scope, by_ids(wanted[start : start + _IDS_AT_ONCE]), dead=dead)
        rows = fetch(db, f"SELECT m.key, {SELECT} FROM memories AS m WHERE {conditions}", values)
        found += [(key, from_row(scope.user_id, row)) for key, *row in rows]
    return found


def _condition(scope: Scope, where: Filter, *, dead: bool = False) -> tuple[str, list[Any]]:
    scoped, scope_values = scope_sql(scope, dead=dead)
    filtered, filter_values = where_sql(where)
    return f"{scoped} AND {filtered}", [*scope_values, *filter_values]


def _log(db: apsw.Connection, scope: Scope, changes: Sequence[tuple[Any, ...]]) -> None:
    user = _user(db, scope)
    db.executemany(
        "INSERT INTO changes (user, key, at, action, before, after, reason) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(user, *change) for change in changes],
    )


def _strip_histories(db: apsw.Connection, scope: Scope, where: Filter) -> bool:
    """Remove the words that live memories had before; returns whether there were any."""
    conditions, values = _condition(scope, where)
    sql = (
        "SELECT c.version, c.before, c.after FROM memories AS m CROSS JOIN changes AS c ON c.key = m.key "
        f"WHERE {conditions} AND c.before IS NOT NULL"
    )
    fresh = bare_rows(fetch(db, sql, values))
    db.executemany("UPDATE changes SET before = ?, after = ? WHERE version = ?", fresh)
    return bool(fresh)


def _forget_user(db: apsw.Connection, scope: Scope) -> None:
    """Remove what was learned about a user of whom no memory is left."""
    live, values = scope_sql(scope)
    if fetch_value(db, f"SELECT 1 FROM memories AS m WHERE {live} LIMIT 1", values) is None:
        for table in ("states", "frequencies", "corpora"):
            db.execute(f"DELETE FROM {table} WHERE user = ?", (_user(db, scope),))


def _user(db: apsw.Connection, scope: Scope) -> int | None:
    user: int | None = fetch_value(db, "SELECT key FROM users WHERE user_id = ?", (scope.user_id,))
    return user


def _version(db: apsw.Connection, scope: Scope) -> int:
    sql = "SELECT ifnull(max(version), 0) FROM changes WHERE user = (SELECT key FROM users WHERE user_id = ?)"
    return int(fetch_value(db, sql, (scope.user_id,)))


def _setting(db: apsw.Connection, name: str) -> str | None:
    value: str | None = fetch_value(db, "SELECT value FROM settings WHERE name = ?", (name,))
    return value
