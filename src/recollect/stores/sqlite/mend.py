"""Making a damaged file whole again, as long as the words in it can be read."""

from typing import Final

import apsw

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

    The derived is struck from the schema rather than dropped, since dropping walks damaged pages.

    Args:
        db: The writing connection, outside a transaction.

    Raises:
        apsw.CorruptError: The words themselves are damaged; the file is as it was.
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
