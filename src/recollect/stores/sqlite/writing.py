"""The writes of the store inside a transaction."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final

import apsw

from recollect.errors import InvalidInputError
from recollect.protocols import Entry, Features
from recollect.stores.checks import check_makers
from recollect.stores.histories import bare_rows
from recollect.stores.sql.rows import SELECT, WRITTEN, from_row, to_written
from recollect.stores.sqlite.checksum import SEALED, checksum_of, deletion_mark, row_checksum
from recollect.stores.sqlite.statistics import count_in, count_out
from recollect.stores.sqlite.where import fetch, fetch_value, scope_sql, where_sql
from recollect.types import MemoryRecord, Scope
from recollect.types.filters import Filter, by_ids

_SEALED: Final = (*WRITTEN, "checksum")
INSERT: Final = f"INSERT INTO memories (key, user, {', '.join(_SEALED)}) VALUES (?, ?{', ?' * len(_SEALED)})"
_UPDATE: Final = f"UPDATE memories SET {', '.join(f'{column} = ?' for column in _SEALED)} WHERE key = ?"
_DELETE: Final = (  # the checksum exclusive-or a mark: SQLite has no operator for it
    "UPDATE memories SET deleted_at = ?1, checksum = (checksum | ?2) - (checksum & ?2) WHERE key = ?3"
)
_KNOWN: Final = (
    "SELECT id FROM memories WHERE user = ? AND idempotency_key = ? AND deleted_at IS NULL",
    """SELECT id FROM memories
    WHERE user = ? AND idempotency_key = ? AND deleted_at IS NOT NULL AND kind <> 'document'""",
)
_IDS_AT_ONCE: Final = 500
"""Ids bound into one statement; far below SQLite's limit of 32,766 and large enough to amortise it."""


_ENTRIES_AT_ONCE: Final = 1_000
"""Entries that are written by one call of each statement: bounds what is made for it. Chosen by hand."""


class SQLiteAdder:
    """Adds entries inside a transaction."""

    def __init__(self, db: apsw.Connection, scope: Scope, *, now: int) -> None:
        self.now = now
        self._db = db
        self._user = user_key(db, scope)
        if self._user is None:
            db.execute("INSERT INTO users (user_id) VALUES (?)", (scope.user_id,))
            self._user = db.last_insert_rowid()
        self._key = int(
            fetch_value(db, "SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'memories'")
        )
        self._turns: dict[str, int] = {}
        self._keyed: dict[str, str] = {}

    def add(self, entries: Sequence[Entry]) -> list[str]:
        """See ``Store.add``: the ids under which the entries stand."""
        starts = range(0, len(entries), _ENTRIES_AT_ONCE)
        parts = [self._add(entries[start : start + _ENTRIES_AT_ONCE]) for start in starts]
        return list(chain.from_iterable(parts))

    def _add(self, entries: Sequence[Entry]) -> list[str]:
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
                INSERT,
                (
                    (key, self._user, *_written(key, entry, turn=self._turn(entry.record.origin.thread)))
                    for key, entry in fresh
                ),
            )
        except apsw.ConstraintError as error:
            raise InvalidInputError("an id given to add is in use already; leave it out") from error
        features = [(key, _required(entry)) for key, entry in fresh]
        index(self._db, self._user, features)
        count_in(self._db, self._user, ((made.terms, made.vector) for _, made in features))
        log(self._db, self._user, [(key, self.now, "add", None, None, None) for key, _ in fresh])


def sealed(key: int, record: MemoryRecord, *, turn: int, outline: bytes) -> tuple[Any, ...]:
    """What is written of a record, with its checksum."""
    written = to_written(record, turn=turn, outline=outline)
    return (*written, checksum_of(key, record.scope.user_id, written))


def _written(key: int, entry: Entry, *, turn: int) -> tuple[Any, ...]:
    return sealed(key, entry.record, turn=turn, outline=entry.outline)


def _required(entry: Entry) -> Features:
    if entry.features is None:
        raise InvalidInputError("an added entry needs its features")
    return entry.features


def index(db: apsw.Connection, user: int | None, fresh: Sequence[tuple[int, Features]]) -> None:
    """Store the features of new or changed memories, and index their words."""
    check_makers(
        (features for _, features in fresh),
        embedder=setting(db, "embedder"),
        dimensions=setting(db, "dimensions"),
    )
    db.executemany(
        "INSERT OR REPLACE INTO features (key, vector, terms, counts, traits) VALUES (?, ?, ?, ?, ?)",
        ((key, features.vector, features.terms, features.counts, features.traits) for key, features in fresh),
    )
    db.executemany(
        "INSERT OR REPLACE INTO words (rowid, user, stems) VALUES (?, ?, ?)",
        ((key, f"u{user}", features.stems) for key, features in fresh),
    )


def replace_record(db: apsw.Connection, key: int, before: MemoryRecord, entry: Entry) -> None:
    """Replace the record of a memory."""
    if entry.record.id != before.id or entry.record.scope != before.scope:
        raise InvalidInputError("an update cannot move a memory to another id or scope")
    db.execute(_UPDATE, (*_written(key, entry, turn=before.origin.turn), key))
    if entry.features is not None:
        user = int(fetch_value(db, "SELECT user FROM memories WHERE key = ?", (key,)))
        db.execute("DELETE FROM staged WHERE key = ?", (key,))
        count_out(db, user, [key])
        index(db, user, [(key, entry.features)])
        count_in(db, user, [(entry.features.terms, entry.features.vector)])


def mark_deleted(db: apsw.Connection, keys: Sequence[int], *, now: int) -> None:
    """Mark memories as deleted."""
    db.executemany(_DELETE, [(now, deletion_mark(now), key) for key in keys])


def revive(db: apsw.Connection, scope: Scope, key: int, entry: Entry, *, turn: int) -> None:
    """Bring a deleted memory back."""
    features = _required(entry)
    try:
        db.execute(_UPDATE, (*_written(key, entry, turn=turn), key))
        db.execute("UPDATE memories SET deleted_at = NULL WHERE key = ?", (key,))
        db.execute("DELETE FROM staged WHERE key = ?", (key,))
    except apsw.ConstraintError as error:
        raise InvalidInputError("another memory has its idempotency key now") from error
    user = user_key(db, scope)
    index(db, user, [(key, features)])
    count_in(db, user, [(features.terms, features.vector)])


def read_ids(
    db: apsw.Connection, scope: Scope, ids: Sequence[str], *, dead: bool = False
) -> list[tuple[int, MemoryRecord]]:
    """The memories with some ids, each with its key; with ``dead`` deleted ones."""
    wanted = list(dict.fromkeys(ids))
    found = []
    for start in range(0, len(wanted), _IDS_AT_ONCE):
        conditions, values = condition(scope, by_ids(wanted[start : start + _IDS_AT_ONCE]), dead=dead)
        rows = fetch(db, f"SELECT m.key, {SELECT} FROM memories AS m WHERE {conditions}", values)
        found += [(key, from_row(scope.user_id, row)) for key, *row in rows]
    return found


def condition(scope: Scope, where: Filter, *, dead: bool = False) -> tuple[str, list[Any]]:
    """The condition for the memories of a scope that match; with ``dead`` for deleted ones."""
    scoped, scope_values = scope_sql(scope, dead=dead)
    filtered, filter_values = where_sql(where)
    return f"{scoped} AND {filtered}", [*scope_values, *filter_values]


def log(db: apsw.Connection, user: int | None, changes: Sequence[tuple[Any, ...]]) -> None:
    """Enter changes of a user's memories in the change log."""
    log_rows(db, ((user, *change) for change in changes))


def log_rows(db: apsw.Connection, rows: Iterable[Sequence[Any]]) -> None:
    """Enter changes, each with its user first."""
    db.executemany(
        "INSERT INTO changes (user, key, at, action, before, after, reason, checksum) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        ((*row, row_checksum(row)) for row in rows),
    )


def strip_histories(db: apsw.Connection, scope: Scope, where: Filter) -> bool:
    """Remove the words that live memories had before; returns whether there were any."""
    conditions, values = condition(scope, where)
    sql = (
        "SELECT c.version, c.before, c.after FROM changes AS c CROSS JOIN memories AS m ON m.key = c.key "
        f"WHERE c.user = ? AND c.before IS NOT NULL AND {conditions}"
    )
    fresh = bare_rows(fetch(db, sql, [user_key(db, scope), *values]))
    db.executemany("UPDATE changes SET before = ?, after = ? WHERE version = ?", fresh)
    seal(db, "changes", [version for _, _, version in fresh])
    return bool(fresh)


def seal(db: apsw.Connection, table: str, rowids: Sequence[int]) -> None:
    """Give rows of a table their checksums anew."""
    chosen = f"SELECT rowid, {', '.join(SEALED[table])} FROM {table} WHERE rowid = ?"
    rows = [row for rowid in rowids for row in fetch(db, chosen, (rowid,))]
    db.executemany(
        f"UPDATE {table} SET checksum = ? WHERE rowid = ?",
        [(row_checksum(values), rowid) for rowid, *values in rows],
    )


def forget_user(db: apsw.Connection, scope: Scope) -> None:
    """Remove what was learned about a user of whom no memory is left."""
    live, values = scope_sql(scope)
    if fetch_value(db, f"SELECT 1 FROM memories AS m WHERE {live} LIMIT 1", values) is None:
        for table in ("states", "frequencies", "corpora"):
            db.execute(f"DELETE FROM {table} WHERE user = ?", (user_key(db, scope),))


def forget_samples(db: apsw.Connection) -> None:
    """Remove the query planner's samples of what stands in indexes: ids, names of sessions, keys."""
    if fetch_value(db, "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat4'"):
        db.execute("DELETE FROM sqlite_stat4")


def user_key(db: apsw.Connection, scope: Scope) -> int | None:
    """The number of a user; None for one that is unknown."""
    found: int | None = fetch_value(db, "SELECT key FROM users WHERE user_id = ?", (scope.user_id,))
    return found


def version_of(db: apsw.Connection, scope: Scope) -> int:
    """The number of the last change of a user."""
    sql = "SELECT ifnull(max(version), 0) FROM changes WHERE user = (SELECT key FROM users WHERE user_id = ?)"
    return int(fetch_value(db, sql, (scope.user_id,)))


def setting(db: apsw.Connection, name: str) -> str | None:
    """A fact about the store itself.

    Raises:
        apsw.CorruptError: It is not as it was written.
    """
    for value, checksum in fetch(db, "SELECT value, checksum FROM settings WHERE name = ?", (name,)):
        if row_checksum((name, value)) != checksum:
            raise apsw.CorruptError(f"the setting {name!r} is not as it was written")
        return str(value)
    return None


def put_setting(db: apsw.Connection, name: str, value: str, *, unless_set: bool = False) -> None:
    """Set a fact about the store itself."""
    clash = "IGNORE" if unless_set else "REPLACE"
    db.execute(
        f"INSERT OR {clash} INTO settings (name, value, checksum) VALUES (?, ?, ?)",
        (name, value, row_checksum((name, value))),
    )


def drop_setting(db: apsw.Connection, name: str) -> None:
    """Forget a fact about the store itself."""
    db.execute("DELETE FROM settings WHERE name = ?", (name,))
