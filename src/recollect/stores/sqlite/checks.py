"""What a check of a store file looks at: schema, text index, pages, counts, every memory."""

from collections.abc import Callable, Iterator
from typing import Final

import apsw

from recollect.errors import StoreBusyError, StoreError
from recollect.stores.sql.rows import WRITTEN
from recollect.stores.sqlite.checksum import SEALED, is_sound, row_checksum
from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.stores.sqlite.schema import migrate
from recollect.stores.sqlite.where import fetch, fetch_value
from recollect.types.records import LINK_TYPES

_KEYS: Final = "SELECT key FROM memories WHERE key > ? ORDER BY key LIMIT ?"
_BATCH: Final = 1_000
"""Memories checked at once. Chosen by hand."""
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
_LINKS: Final = (
    f"SELECT count(*) FROM links WHERE type NOT IN ({', '.join(map(repr, sorted(LINK_TYPES)))}) "
    "OR source NOT IN (SELECT key FROM memories) OR target NOT IN (SELECT key FROM memories)"
)
_NAMED: Final = {"changes": "change {} of the history", "jobs": "job {}", "states": "row {} of the states"}


def problems_of(database: SQLiteDatabase) -> list[str]:
    """Everything that is wrong with a file."""
    return [problem for look in _LOOKS for problem in _problems(database, look)]


def is_damaged(database: SQLiteDatabase) -> bool:
    """Whether something is lost that cannot be derived again from the words."""
    return any(_problems(database, look) for look in (_schema_problems, _page_problems, _damaged_records))


def _problems(database: SQLiteDatabase, look: Callable[[SQLiteDatabase], list[str]]) -> list[str]:
    """The problems of one check; a check that cannot finish is a problem too."""
    try:
        return look(database)
    except StoreBusyError:
        raise
    except StoreError as error:
        return [str(error)]


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
    """The memories, changes, jobs, states and settings that are not as they were written."""
    found: list[str] = []
    with database.read() as db:
        last = 0
        while keys := [key for (key,) in fetch(db, _KEYS, (last, _BATCH))]:
            sound = _sound_keys(db, after=last, until=keys[-1])
            found += [problem for key in keys if key not in sound and (problem := _damage(db, key))]
            if keys[-1] <= last:  # out of order: the same keys would come again and again
                break
            last = keys[-1]
        found += [problem for table in SEALED for problem in _unsealed(db, table)]
        found += [f"{count} links are damaged" for (count,) in fetch(db, _LINKS) if count]
        found += _damaged_settings(db)
        found += [] if _is_text(db, "users") else ["the table users is damaged"]
    return [f"{problem}; run 'recollect doctor --rebuild', or restore a backup" for problem in found]


def _unsealed(db: apsw.Connection, table: str) -> Iterator[str]:
    """The rows of a table that are not as they were written."""
    sql = f"SELECT rowid, checksum, {', '.join(SEALED[table])} FROM {table}"
    try:
        for row, checksum, *values in db.execute(sql):
            if row_checksum(values) != checksum:
                yield f"{_NAMED[table].format(row)} is damaged"
    except UnicodeDecodeError:
        yield f"the table {table} is damaged"


def _damaged_settings(db: apsw.Connection) -> list[str]:
    """The settings that are not as they were written."""
    try:
        rows = fetch(db, "SELECT name, value, checksum FROM settings")
    except UnicodeDecodeError:
        return ["the table settings is damaged"]
    return [
        f"the setting {name!r} is damaged"
        for name, *values, checksum in rows
        if row_checksum((name, *values)) != checksum
    ]


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
