"""The tables of a store file, as append-only migrations.

Blobs: ``features.vector`` is one ``int8`` per dimension; ``features.terms`` is ascending little-endian
``uint32`` hashes; ``features.counts`` is one ``uint8`` per term. Times are ``INTEGER`` microseconds
since 1970 UTC. ``words`` is a contentless full-text index over stems, with the user's number as a
token of its own, so that one user's query never walks another's postings. ``corpora.vector_sum`` is
one little-endian ``int64`` per dimension.
"""

from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Final

import apsw

from recollect.errors import StoreFormatError
from recollect.stores.sql.rows import SELECT, WRITTEN, from_row, pack
from recollect.stores.sqlite.checksum import SEALED, checksum_of, row_checksum
from recollect.stores.sqlite.statistics import recount
from recollect.stores.sqlite.where import fetch

APPLICATION_ID: Final = 0x5243_4C54
"""``RCLT``: marks a file as ours (SQLite's ``PRAGMA application_id``)."""

_FIRST: Final = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")

_STATISTICS: Final = """
ALTER TABLE memories ADD COLUMN dates TEXT NOT NULL DEFAULT '[]';
ALTER TABLE memories ADD COLUMN parameters TEXT NOT NULL DEFAULT '[]';
ALTER TABLE memories ADD COLUMN factors TEXT NOT NULL DEFAULT '{}';
ALTER TABLE memories ADD COLUMN usage_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN reinforced_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN reinforcements TEXT NOT NULL DEFAULT '[]';

CREATE TABLE corpora (
    user INTEGER PRIMARY KEY REFERENCES users (key),
    documents INTEGER NOT NULL,
    vector_sum BLOB NOT NULL
) STRICT;

CREATE TABLE frequencies (
    user INTEGER NOT NULL REFERENCES users (key),
    term INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    PRIMARY KEY (user, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE states (
    user INTEGER NOT NULL REFERENCES users (key),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (user, name)
) STRICT;
"""


_UNPACKED: Final = f"SELECT m.key, {SELECT} FROM memories AS m WHERE m.key > ? ORDER BY m.key LIMIT ?"
_BATCH: Final = 1_000
"""Memories read at once by a migration. Chosen by hand."""


def _add_statistics(db: apsw.Connection) -> None:
    db.execute(_STATISTICS)
    recount(db)


def _pack_numbers(db: apsw.Connection) -> None:
    db.execute("ALTER TABLE memories ADD COLUMN packed BLOB NOT NULL DEFAULT x''")
    last = 0
    while rows := db.execute(_UNPACKED, (last, _BATCH)).fetchall():
        last = int(str(rows[-1][0]))
        records = [(key, from_row("", row)) for key, *row in rows]
        db.executemany(
            "UPDATE memories SET packed = ? WHERE key = ?",
            [(pack(record, turn=record.origin.turn, outline=b""), key) for key, record in records],
        )


_JOBS_OF_A_USER: Final = "CREATE INDEX jobs_by_user ON jobs (user, session_id) WHERE failed_at IS NULL"
"""Every ``add`` looks whether its conversation waits to be learned already."""

_DELETED_KEYS: Final = """
CREATE INDEX IF NOT EXISTS memories_by_deleted_key ON memories (user, idempotency_key)
    WHERE idempotency_key IS NOT NULL AND deleted_at IS NOT NULL AND kind <> 'document';
"""

_BY_KIND: Final = """
CREATE INDEX IF NOT EXISTS memories_by_kind ON memories (user, kind)
    WHERE kind <> 'message' AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS memories_by_deletion ON memories (user) WHERE deleted_at IS NOT NULL;
"""
"""What was learned, and what was deleted, is little: a deletion or purge looks at nothing else."""

_ROWS_TO_SEAL: Final = (
    f"SELECT m.key, u.user_id, m.deleted_at, {', '.join(f'm.{name}' for name in WRITTEN)} "
    "FROM memories AS m JOIN users AS u ON u.key = m.user WHERE m.key > ? ORDER BY m.key LIMIT ?"
)


def _checksum(key: Any, user_id: Any, deleted_at: Any, written: list[Any]) -> int:
    return checksum_of(key, user_id, written, deleted_at=deleted_at)


def _add_checksums(db: apsw.Connection) -> None:
    db.execute("ALTER TABLE memories ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0")
    last = 0
    while rows := db.execute(_ROWS_TO_SEAL, (last, _BATCH)).fetchall():
        last = int(str(rows[-1][0]))
        db.executemany(
            "UPDATE memories SET checksum = ? WHERE key = ?",
            [(_checksum(key, user, gone, written), key) for key, user, gone, *written in rows],
        )


_WHOLE: Final = {
    "changes": "json_valid(ifnull(before, '{}')) AND json_valid(ifnull(after, '{}'))",
    "jobs": "json_valid(payload)",
}
"""What is not even this is damaged already, and gets no checksum that would say otherwise."""


def _add_checksums_of_texts(db: apsw.Connection) -> None:
    for table, columns in SEALED.items():
        db.execute(f"ALTER TABLE {table} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0")
        chosen = f"rowid > ? AND {_WHOLE.get(table, 'TRUE')} ORDER BY rowid LIMIT ?"
        sql = f"SELECT rowid, {', '.join(columns)} FROM {table} WHERE {chosen}"
        last = 0
        while rows := db.execute(sql, (last, _BATCH)).fetchall():
            last = int(str(rows[-1][0]))
            db.executemany(
                f"UPDATE {table} SET checksum = ? WHERE rowid = ?",
                [(row_checksum(values), rowid) for rowid, *values in rows],
            )


_BY_WORDS: Final = """
CREATE INDEX IF NOT EXISTS changes_with_words ON changes (user) WHERE before IS NOT NULL;
"""
"""A purge looks at the memories that had other words before, not at all that live."""


def _add_checksums_of_settings(db: apsw.Connection) -> None:
    db.execute("ALTER TABLE settings ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0")
    rows = db.execute("SELECT name, value FROM settings").fetchall()
    db.executemany(
        "UPDATE settings SET checksum = ? WHERE name = ?", [(row_checksum(row), row[0]) for row in rows]
    )


_MADE: Final = """
SELECT sql FROM sqlite_schema
WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'words_*' ORDER BY rowid
"""
"""What makes the tables; SQLite makes those of the text index with it."""
_WIPING: Final = "INSERT INTO words (words, rank) VALUES ('secure-delete', 1)"
"""The only row that the migrations write into an empty file."""

Migration = str | Callable[[apsw.Connection], None]
"""SQL, or what runs it and more."""

MIGRATIONS: Final[tuple[Migration, ...]] = (
    _FIRST,
    _add_statistics,
    _pack_numbers,
    _JOBS_OF_A_USER,
    _DELETED_KEYS,
    _add_checksums,
    _BY_KIND,
    _add_checksums_of_texts,
    _BY_WORDS,
    _add_checksums_of_settings,
)
"""Each brings the file from version *i* to *i + 1*. Never change one that was released: append."""


def version_of(db: apsw.Connection) -> int:
    """The format of the file's tables; 0 when it is empty.

    Raises:
        StoreFormatError: It is another program's file, or a newer Recollect wrote it.
    """
    application = db.pragma("application_id")
    version = int(str(db.pragma("user_version")))
    if application == 0 and version == 0 and not db.execute("SELECT 1 FROM sqlite_schema").fetchone():
        return 0
    if application != APPLICATION_ID:
        raise StoreFormatError(
            f"{db.filename} is a database of another program; name another file and keep this one"
        )
    if version > len(MIGRATIONS):
        raise StoreFormatError(
            f"{db.filename} was written by a newer Recollect (format {version}, "
            f"known here up to {len(MIGRATIONS)}); upgrade this one"
        )
    return version


def is_current(db: apsw.Connection) -> bool:
    """Whether the file has today's tables; errors as in ``version_of``."""
    return version_of(db) == len(MIGRATIONS)


def migrate(db: apsw.Connection) -> None:
    """Bring the file to today's format; safe when several processes open it at once."""
    while True:
        db.execute("BEGIN IMMEDIATE")
        try:
            if is_current(db):
                db.execute("COMMIT")
                return
            version = int(str(db.pragma("user_version")))
            if version:
                _step(db, version)
            else:
                db.execute(_tables())
                _name(db, len(MIGRATIONS))
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise


@cache
def _tables() -> str:
    """The SQL of a file as the migrations leave an empty one: made at once, it takes a third of the time."""
    with closing(apsw.Connection(":memory:")) as db:
        for version in range(len(MIGRATIONS)):
            _step(db, version)
        return ";\n".join([*(str(sql) for (sql,) in fetch(db, _MADE)), _WIPING])


def _step(db: apsw.Connection, version: int) -> None:
    migration = MIGRATIONS[version]
    if isinstance(migration, str):
        db.execute(migration)
    else:
        migration(db)
    _name(db, version + 1)


def _name(db: apsw.Connection, version: int) -> None:
    db.pragma("application_id", APPLICATION_ID)
    db.pragma("user_version", version)
