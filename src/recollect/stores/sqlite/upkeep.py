"""Checking, mending and copying a store file."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import apsw

from recollect.errors import InvalidInputError
from recollect.protocols import Features, Health
from recollect.stores.sqlite.connection import Database, fetch, fetch_value
from recollect.stores.sqlite.rows import SELECT, from_row
from recollect.types import MemoryRecord

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
        "vectors of another size than the rest",
        """SELECT count(*) FROM features WHERE length(vector) <> ifnull(
        (SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'dimensions'), length(vector))""",
    ),
)


class Upkeep:
    """The part of the store that looks after the file."""

    _db: Database
    path: Path

    def check(self) -> Health:
        """See ``Maintenance.check``."""
        with self._db.write() as db:
            problems = _text_index_problems(db)
        with self._db.read() as db:
            problems += [found for (found,) in fetch(db, "PRAGMA integrity_check") if found != "ok"]
            for what, sql in _DISAGREEMENTS:
                if count := fetch_value(db, sql):
                    problems.append(f"{count} {what}; run 'recollect doctor --rebuild'")
            total = fetch_value(db, "SELECT count(*) FROM memories")
            deleted = fetch_value(db, "SELECT count(deleted_at) FROM memories")
        return Health(problems=tuple(problems), memories=total - deleted, deleted=deleted, bytes=self._size())

    def rebuild(self, make: Callable[[Sequence[MemoryRecord]], Sequence[Features]]) -> int:
        """See ``Maintenance.rebuild``. It is one transaction: readers see the old indexes until its end."""
        with self._db.write() as db:
            db.execute("DELETE FROM features; INSERT INTO words (words) VALUES ('delete-all')")
            total = 0
            for rows in _batches(db):
                features = make([record for _, _, record, _ in rows])
                _store(db, rows, features)
                total += len(rows)
            db.execute(
                "INSERT INTO changes (user, key, at, action) "
                "SELECT user, key, unixepoch() * 1000000, 'reindex' FROM memories WHERE deleted_at IS NULL"
            )
        return total

    def backup(self, path: Path) -> None:
        """See ``Maintenance.backup``."""
        if path.exists():
            raise InvalidInputError(f"{path} exists; name a new file for the backup")
        with self._db.read() as source:
            target = apsw.Connection(str(path))
            try:
                with target.backup("main", source, "main") as copy:
                    copy.step(-1)
            finally:
                target.close()

    def _size(self) -> int:
        beside = [self.path, self.path.with_name(self.path.name + "-wal")]
        return sum(file.stat().st_size for file in beside if file.exists())


def _text_index_problems(db: apsw.Connection) -> list[str]:
    try:
        db.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    except apsw.CorruptError:
        return ["the text index is damaged; run 'recollect doctor --rebuild'"]
    return []


_Row = tuple[int, int, MemoryRecord, bool]


def _batches(db: apsw.Connection) -> Iterator[list[_Row]]:
    sql = (
        f"SELECT m.key, m.user, u.user_id, m.deleted_at IS NULL, {SELECT} FROM memories AS m "
        "JOIN users AS u ON u.key = m.user WHERE m.key > ? ORDER BY m.key LIMIT ?"
    )
    last = 0
    while found := fetch(db, sql, (last, _BATCH)):
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
