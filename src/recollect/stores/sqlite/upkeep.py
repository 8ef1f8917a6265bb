"""Checking, mending and copying a store file."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw

from recollect.errors import (
    InvalidInputError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFormatError,
)
from recollect.protocols import Features, Health
from recollect.stores.sql.rows import SELECT, WRITTEN, from_row
from recollect.stores.sqlite.checksum import is_sound
from recollect.stores.sqlite.connection import SQLiteDatabase, exchange
from recollect.stores.sqlite.salvage import LOST, salvage
from recollect.stores.sqlite.schema import APPLICATION_ID, MIGRATIONS, migrate, version_of
from recollect.stores.sqlite.statistics import recount
from recollect.stores.sqlite.where import fetch, fetch_value
from recollect.types import MemoryRecord


def empty_text_index(db: apsw.Connection) -> None:
    """Put an empty text index in place of the old one, inside a transaction.

    FTS5's own ``delete-all`` leaves other connections with what they remember of its segments: their
    checks then report damage that is not there (seen with SQLite 3.54).
    """
    ((sql,),) = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'words'").fetchall()
    db.execute("DROP TABLE words")
    db.execute(str(sql))
    db.execute(_SECURE)


_SECURE: Final = "INSERT INTO words (words, rank) VALUES ('secure-delete', 1)"
_KEYS: Final = "SELECT key FROM memories WHERE key > ? ORDER BY key LIMIT ?"
_BATCH: Final = 1_000
"""Memories indexed per transaction while rebuilding. Chosen by hand."""

_DISAGREEMENTS: Final = (
    (
        "memories without features",
        "SELECT count(*) FROM memories AS m LEFT JOIN features AS f USING (key) WHERE f.key IS NULL",
    ),
    (
        "memories missing from the text index",
        "SELECT count(*) FROM memories WHERE deleted_at IS NULL AND key NOT IN (SELECT rowid FROM words)",
    ),
    (
        "entries of the text index without a memory",
        "SELECT count(*) FROM words WHERE rowid NOT IN (SELECT key FROM memories WHERE deleted_at IS NULL)",
    ),
    (
        "users whose memories are miscounted",
        """SELECT count(*) FROM users AS u WHERE
        (SELECT count(*) FROM memories AS m WHERE m.user = u.key AND m.deleted_at IS NULL)
        <> ifnull((SELECT c.documents FROM corpora AS c WHERE c.user = u.key), 0)""",
    ),
    (
        "memories whose features have the wrong form",
        """SELECT count(*) FROM features WHERE typeof(vector) <> 'blob' OR typeof(terms) <> 'blob'
        OR typeof(counts) <> 'blob' OR typeof(traits) <> 'integer' OR length(terms) <> 4 * length(counts)""",
    ),
    (
        "vectors of another size than the rest",
        """SELECT count(*) FROM features WHERE length(vector) <> ifnull(
        (SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'dimensions'), length(vector))""",
    ),
)


_SEALED: Final = (
    f"SELECT m.key, u.user_id, m.deleted_at, m.checksum, {', '.join(f'm.{name}' for name in WRITTEN)} "
    "FROM memories AS m JOIN users AS u ON u.key = m.user WHERE m.key > ? AND m.key <= ?"
)
_SCHEMA: Final = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_stat*'"
_TEXTS: Final = ("settings", "users", "changes", "jobs", "states")
_NO_JSON: Final = (
    (
        "change {} of the history",
        """SELECT version FROM changes
        WHERE NOT json_valid(ifnull(before, '{}')) OR NOT json_valid(ifnull(after, '{}'))""",
    ),
    ("job {}", "SELECT id FROM jobs WHERE NOT json_valid(payload)"),
)
_LOST: Final = "SELECT value FROM settings WHERE name = ?"


class SQLiteUpkeep:
    """The part of the store for checks, rebuilding and backups."""

    def __init__(self, db: SQLiteDatabase) -> None:
        self._db = db

    def check(self) -> Health:
        problems = [problem for look in _LOOKS for problem in _problems(self._db, look)]
        memories, deleted = self._counts()
        return Health(
            problems=tuple(problems),
            memories=memories,
            deleted=deleted,
            bytes=self._size(),
            lost=self._lost(),
        )

    def _lost(self) -> tuple[str, ...]:
        """What the last rebuild could not save, while the damaged file is kept."""
        with suppress(StoreError), self._db.read() as db:
            kept, *lines = json.loads(fetch_value(db, _LOST, (LOST,)) or "[null]")
            if kept is not None and Path(kept).exists():
                return (*lines, f"the damaged file is kept as {kept}; delete it when nothing in it is needed")
        return ()

    def _counts(self) -> tuple[int, int]:
        """Memories that live and that are deleted; 0 when they cannot be read."""
        try:
            with self._db.read() as db:
                sql = "SELECT count(*), count(deleted_at) FROM memories NOT INDEXED"
                ((total, deleted),) = fetch(db, sql)
        except StoreError:
            return 0, 0
        return total - deleted, deleted

    def rebuild(self, make: Callable[[Sequence[MemoryRecord]], Sequence[Features]]) -> int:
        """See ``Maintenance.rebuild``. It is one transaction: readers see the old indexes until its end.

        When pages or memories are damaged, a new file with what can be read takes its place first.
        """
        replace_when_damaged(self._db)
        with self._db.write() as db:
            db.execute("DELETE FROM features")
            empty_text_index(db)
            total = 0
            for rows in _batches(db):
                features = make([record for _, _, record, _ in rows])
                _store(db, rows, features)
                total += len(rows)
            recount(db)
            db.execute(
                "INSERT INTO changes (user, key, at, action) "
                "SELECT user, key, unixepoch() * 1000000, 'reindex' FROM memories WHERE deleted_at IS NULL"
            )
        return total

    def compact(self) -> None:
        """See ``Maintenance.compact``: merges the text index, and counts again for the query planner."""
        with self._db.write() as db:
            db.execute("INSERT INTO words (words) VALUES ('optimize')")
            db.execute("PRAGMA optimize")

    def backup(self, path: Path) -> None:
        with self._db.read() as source:
            try:
                if path.exists():
                    raise InvalidInputError(f"{path} exists; name a new file for the backup")
                _copy(source, path)
            except (apsw.Error, OSError) as error:
                _remove(path)
                raise StoreError(
                    f"the backup {path} cannot be written ({error}); check its folder, your permissions "
                    "and the space there"
                ) from error

    def _size(self) -> int:
        beside = [self._db.path, self._db.path.with_name(self._db.path.name + "-wal")]
        return sum(file.stat().st_size for file in beside if file.exists())


def _problems(database: SQLiteDatabase, look: Callable[[SQLiteDatabase], list[str]]) -> list[str]:
    """The problems of one check; a check that cannot finish is a problem too."""
    try:
        return look(database)
    except StoreBusyError:
        raise
    except StoreError as error:
        return [str(error)]


def rescue(path: Path) -> None:
    """Before a file is rebuilt: replace it when it is damaged, even when it cannot be opened.

    Raises:
        StoreError: It cannot be opened, and nothing can be read of it; it is unchanged.
    """
    try:
        found = SQLiteDatabase(path, busy_timeout_s=30)
    except (StoreCorruptError, StoreFormatError) as error:
        if isinstance(error, StoreFormatError) and _has_our_header(path):
            raise
        with suppress(StoreCorruptError):
            _exchange_unopened(path)
            return
        raise
    try:
        replace_when_damaged(found)
    finally:
        found.close()


def replace_when_damaged(found: SQLiteDatabase) -> None:
    """When pages or memories of a file are damaged, put a new one with what can be read in its place.

    Raises:
        StoreCorruptError: Nothing can be read; the file is unchanged.
    """
    if any(_problems(found, look) for look in (_schema_problems, _page_problems, _damaged_records)):
        kept = _kept(found.path)
        found.replace(lambda new: _fill(new, found.path, kept), kept=kept)


def _exchange_unopened(path: Path) -> None:
    new, kept = path.with_name(path.name + ".rebuilding"), _kept(path)
    new.unlink(missing_ok=True)
    try:
        _fill(new, path, kept)
        exchange(new, path, kept=kept)
    finally:
        new.unlink(missing_ok=True)


def _kept(path: Path) -> Path:
    return path.with_name(path.name + ".damaged")


def _fill(new: Path, damaged: Path, kept: Path) -> None:
    filled = SQLiteDatabase(new, busy_timeout_s=0)
    try:
        with filled.write() as db:
            salvage(damaged, db, kept=kept)
    finally:
        filled.close()


def _has_our_header(path: Path) -> bool:
    """Whether the first page says that the file is a store, so that only its version can be wrong."""
    with path.open("rb") as file:
        start = file.read(100)
    return start.startswith(b"SQLite format 3\0") and start[68:72] == APPLICATION_ID.to_bytes(4)


def stored_format(path: Path) -> tuple[int, int]:
    """The format a file has, and today's; changes nothing.

    Raises:
        StoreFormatError: It is another program's file, or a newer Recollect wrote it.
        StoreError: It cannot be read.
    """
    found = SQLiteDatabase(path, busy_timeout_s=30, prepare=False)
    try:
        with found.read() as db:
            return version_of(db), len(MIGRATIONS)
    finally:
        found.close()


def _schema_problems(database: SQLiteDatabase) -> list[str]:
    """Tables and indexes that are not as a new file has them."""
    fresh = apsw.Connection(":memory:")
    try:
        migrate(fresh)
        expected = set(fetch(fresh, _SCHEMA))
    finally:
        fresh.close()
    with database.read() as db:
        is_same = expected == set(fetch(db, _SCHEMA))
    return [] if is_same else ["the schema is damaged; run 'recollect doctor --rebuild', or restore a backup"]


def _text_index_problems(database: SQLiteDatabase) -> list[str]:
    with database.write() as db:
        try:
            db.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        except apsw.CorruptError:
            return ["the text index is damaged; run 'recollect doctor --rebuild'"]
    return []


def _page_problems(database: SQLiteDatabase) -> list[str]:
    """Damage in the pages. The text index is asked for a word first.

    Without a question FTS5's check goes by what the connection remembers of the index's segments, which
    another one may have merged since: it then reports damage that is not there (seen with SQLite 3.54).
    """
    with database.read() as db:
        fetch(db, "SELECT rowid FROM words WHERE words MATCH 'a' LIMIT 1")
        found = [text for (text,) in fetch(db, "PRAGMA integrity_check") if text != "ok"]
    return [f"{text}; run 'recollect doctor --rebuild', or restore a backup" for text in found]


def _disagreements(database: SQLiteDatabase) -> list[str]:
    with database.read() as db:
        counted = [(fetch_value(db, sql), what) for what, sql in _DISAGREEMENTS]
    return [f"{count} {what}; run 'recollect doctor --rebuild'" for count, what in counted if count]


def _damaged_records(database: SQLiteDatabase) -> list[str]:
    """The memories that are not as they were written, and the changes that cannot be read."""
    found: list[str] = []
    with database.read() as db:
        last = 0
        while keys := [key for (key,) in fetch(db, _KEYS, (last, _BATCH))]:
            sound = _sound_keys(db, after=last, until=keys[-1])
            found += [problem for key in keys if key not in sound and (problem := _damage(db, key))]
            if keys[-1] <= last:  # out of order: the same keys would come again and again
                break
            last = keys[-1]
        found += [f"{what.format(row)} is damaged" for what, sql in _NO_JSON for (row,) in fetch(db, sql)]
        found += [f"the table {table} is damaged" for table in _TEXTS if not _is_text(db, table)]
    return [f"{problem}; run 'recollect doctor --rebuild', or restore a backup" for problem in found]


def _is_text(db: apsw.Connection, table: str) -> bool:
    """Whether every text of a table is UTF-8."""
    try:
        for _ in db.execute(f"SELECT * FROM {table}"):
            pass
    except UnicodeDecodeError:
        return False
    return True


def _sound_keys(db: apsw.Connection, *, after: int, until: int) -> set[int]:
    """The memories whose checksums are right; none when a value of one cannot even be read."""
    try:
        rows = fetch(db, _SEALED, (after, until))
    except UnicodeDecodeError:
        return set()
    return {
        key
        for key, user, gone, checksum, *written in rows
        if is_sound(key, user, written, deleted_at=gone, checksum=checksum)
    }


def _damage(db: apsw.Connection, key: int) -> str:
    """What is wrong with a memory of which nothing sound was read in company; empty when nothing is."""
    if key in _sound_keys(db, after=key - 1, until=key):
        return ""
    known = fetch_value(
        db, "SELECT count(*) FROM memories AS m JOIN users AS u ON u.key = m.user WHERE m.key = ?", (key,)
    )
    return f"the memory of row {key} {'is damaged' if known else 'belongs to no user'}"


_LOOKS: Final = (_schema_problems, _text_index_problems, _page_problems, _disagreements, _damaged_records)


def _copy(source: apsw.Connection, path: Path) -> None:
    target = apsw.Connection(str(path))
    try:
        with target.backup("main", source, "main") as copy:
            copy.step(-1)
    finally:
        target.close()


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


_Row = tuple[int, int, MemoryRecord, bool]


def _batches(db: apsw.Connection, *, after: int = 0, limit: int = _BATCH) -> Iterator[list[_Row]]:
    sql = (
        f"SELECT m.key, m.user, u.user_id, m.deleted_at IS NULL, {SELECT} FROM memories AS m "
        "JOIN users AS u ON u.key = m.user WHERE m.key > ? ORDER BY m.key LIMIT ?"
    )
    last = after
    while found := fetch(db, sql, (last, limit)):
        yield [(key, user, from_row(user_id, row), bool(live)) for key, user, user_id, live, *row in found]
        last = found[-1][0]


def _store(db: apsw.Connection, rows: Sequence[_Row], features: Sequence[Features]) -> None:
    pairs = list(zip(rows, features, strict=True))
    db.executemany(
        "INSERT INTO features (key, vector, terms, counts, traits) VALUES (?, ?, ?, ?, ?)",
        ((row[0], made.vector, made.terms, made.counts, made.traits) for row, made in pairs),
    )
    db.executemany(
        "INSERT INTO words (rowid, user, stems) VALUES (?, ?, ?)",
        ((row[0], f"u{row[1]}", made.stems) for row, made in pairs if row[3]),
    )
