"""Checking, mending and copying a store file."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw

from recollect.errors import InvalidInputError, StoreCorruptError, StoreError, StoreReadOnlyError
from recollect.protocols import Features, Health
from recollect.stores.sql.rows import SELECT, from_row
from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.stores.sqlite.schema import MIGRATIONS, version_of
from recollect.stores.sqlite.statistics import recount
from recollect.stores.sqlite.where import fetch, fetch_value
from recollect.types import MemoryRecord

PURGE_WAIT_S: Final = 1.0
"""How long a purge waits for readers of the log to end. Chosen by hand."""
_SETTING: Final = "purging"
"""What is still to be done for the last purge: ``file``, then ``log``; not there when nothing is."""
_FILE: Final = "file"
_LOG: Final = "log"


class Purging:
    """The part of the store that finishes a purge: it rewrites the file, then empties the log.

    The remaining steps are kept in the file, so that the next process to open it continues.
    """

    def __init__(self, db: SQLiteDatabase) -> None:
        self._db = db

    def residue(self) -> str | None:
        if self.finish(wait_s=0):
            return None
        return (
            f"purged words still stand in the log of {self._db.path}, because somebody is reading it; they "
            "go with the next purge, tidying or start after that"
        )

    def finish(self, *, wait_s: float) -> bool:
        """Do what is still to be done; return whether all is."""
        with self._db.read() as db:
            step = fetch_value(db, "SELECT value FROM settings WHERE name = ?", (_SETTING,))
        if step == _FILE:
            with self._db.alone() as db:
                db.execute("VACUUM")
            with self._db.write() as db:
                set_step(db, _LOG)
        if step is None:
            return True
        if not self._db.empty_log(wait_s=wait_s):
            return False
        with self._db.write() as db:
            set_step(db, None)
        return True


def set_step(db: apsw.Connection, step: str | None) -> None:
    """Store the next step of a purge (``file``, ``log``, or None), inside a transaction."""
    db.execute("DELETE FROM settings WHERE name = ?", (_SETTING,))
    if step is not None:
        db.execute("INSERT INTO settings (name, value) VALUES (?, ?)", (_SETTING, step))


_READS: Final = (
    "SELECT * FROM sqlite_sequence",
    "SELECT user_id FROM users ORDER BY user_id",
    *(
        f"SELECT * FROM {table} NOT INDEXED"
        for table in ("settings", "users", "memories", "changes", "links", "jobs", "states")
    ),
)
"""Reads everything that cannot be derived again."""

_DERIVED: Final = (
    "(tbl_name IN ('features', 'staged', 'corpora', 'frequencies') OR tbl_name GLOB 'words*' "
    "OR type = 'index')"
)
"""The rest in the schema; an index without ``sql`` belongs to its table."""

_SECURE: Final = "INSERT INTO words (words, rank) VALUES ('secure-delete', 1)"


def renew_pages(db: apsw.Connection) -> None:
    """Rewrite every page of a file: the tables of words as they are, derived tables empty.

    Derived tables are removed from the schema instead of dropped, because dropping reads damaged pages.

    Raises:
        apsw.CorruptError: The words themselves are damaged; the file is unchanged.
    """
    for sql in _READS:
        for _ in db.execute(sql):
            pass
    db.execute("PRAGMA writable_schema = ON; BEGIN IMMEDIATE")
    try:
        _make_derived_anew(db)
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK; PRAGMA writable_schema = RESET")
        raise
    db.execute("VACUUM")


def empty_text_index(db: apsw.Connection) -> None:
    """Put an empty text index in place of the old one, inside a transaction.

    FTS5's own ``delete-all`` leaves other connections with what they remember of its segments: their
    checks then report damage that is not there (seen with SQLite 3.54).
    """
    ((sql,),) = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'words'").fetchall()
    db.execute("DROP TABLE words")
    db.execute(str(sql))
    db.execute(_SECURE)


def _make_derived_anew(db: apsw.Connection) -> None:
    made_by = db.execute(
        f"SELECT sql FROM sqlite_schema WHERE {_DERIVED} AND sql IS NOT NULL AND name NOT GLOB 'words_*' "
        "ORDER BY type DESC"
    ).fetchall()
    db.execute(f"DELETE FROM sqlite_schema WHERE {_DERIVED} AND name NOT GLOB 'sqlite_autoindex_*'")
    db.execute("PRAGMA writable_schema = RESET")
    for (sql,) in made_by:
        db.execute(str(sql))
    db.execute(_SECURE)


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
        "vectors of another size than the rest",
        """SELECT count(*) FROM features WHERE length(vector) <> ifnull(
        (SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'dimensions'), length(vector))""",
    ),
)


class SQLiteUpkeep:
    """The part of the store for checks, rebuilding and backups."""

    def __init__(self, db: SQLiteDatabase) -> None:
        self._db = db

    def check(self) -> Health:
        problems = [problem for look in _LOOKS for problem in self._found(look)]
        memories, deleted = self._counts()
        return Health(problems=tuple(problems), memories=memories, deleted=deleted, bytes=self._size())

    def _found(self, look: Callable[[SQLiteDatabase], list[str]]) -> list[str]:
        """The problems of one check; a check that cannot finish is a problem too."""
        try:
            return look(self._db)
        except (StoreCorruptError, StoreReadOnlyError) as error:
            return [str(error)]

    def _counts(self) -> tuple[int, int]:
        """Memories that live and that are deleted; 0 when they cannot be read."""
        try:
            with self._db.read() as db:
                sql = "SELECT count(*), count(deleted_at) FROM memories NOT INDEXED"
                ((total, deleted),) = fetch(db, sql)
        except StoreCorruptError:
            return 0, 0
        return total - deleted, deleted

    def rebuild(self, make: Callable[[Sequence[MemoryRecord]], Sequence[Features]]) -> int:
        """See ``Maintenance.rebuild``. It is one transaction: readers see the old indexes until its end.

        Only a file whose pages are damaged is mended first, see ``mend.renew_pages``.
        """
        if self._found(_page_problems):
            with self._db.alone() as db:
                renew_pages(db)
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
    """The memories whose rows can be read and are no records."""
    found: list[str] = []
    with database.read() as db:
        last = 0
        while keys := [key for (key,) in fetch(db, _KEYS, (last, _BATCH))]:
            try:
                is_sound = {row[0] for row in next(_batches(db, after=last), [])}.issuperset(keys)
            except (StoreCorruptError, UnicodeDecodeError):
                is_sound = False
            if not is_sound:
                found += [problem for key in keys if (problem := _damage(db, key))]
            last = keys[-1]
    return found


def _damage(db: apsw.Connection, key: int) -> str:
    """What is wrong with one memory; empty when nothing is."""
    try:
        rows = next(_batches(db, after=key - 1, limit=1), [])
    except StoreCorruptError as error:
        return str(error)
    except UnicodeDecodeError as error:
        return f"the memory of row {key} is damaged ({error}); restore a backup with 'recollect restore'"
    if [row[0] for row in rows] != [key]:
        return f"the memory of row {key} belongs to no user; restore a backup with 'recollect restore'"
    return ""


_LOOKS: Final = (_text_index_problems, _page_problems, _disagreements, _damaged_records)


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
