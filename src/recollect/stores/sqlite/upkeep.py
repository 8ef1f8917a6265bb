"""Checking, rebuilding and copying a store file."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw

from recollect.errors import InvalidInputError, StoreError
from recollect.protocols import Features, Health
from recollect.stores.sql.rows import SELECT, from_row
from recollect.stores.sqlite.checks import problems_of
from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.stores.sqlite.rescue import replace_when_damaged
from recollect.stores.sqlite.salvage import LOST
from recollect.stores.sqlite.schema import MIGRATIONS, version_of
from recollect.stores.sqlite.statistics import recount
from recollect.stores.sqlite.where import fetch
from recollect.stores.sqlite.writing import log_rows, setting
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
_BATCH: Final = 1_000
"""Memories indexed per transaction while rebuilding. Chosen by hand."""

_REINDEXED: Final = (
    "SELECT user, key, unixepoch() * 1000000, 'reindex', NULL, NULL, NULL FROM memories "
    "WHERE deleted_at IS NULL"
)


class SQLiteUpkeep:
    """The part of the store for checks, rebuilding and backups."""

    def __init__(self, db: SQLiteDatabase) -> None:
        self._db = db

    def check(self) -> Health:
        problems = problems_of(self._db)
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
            kept, *lines = json.loads(setting(db, LOST) or "[null]")
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
            log_rows(db, fetch(db, _REINDEXED))
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
