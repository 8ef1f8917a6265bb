"""The SQLite file of a LangGraph store: its table ``store(prefix, key, value, created_at, ...)``.

A prefix is a namespace, its parts joined by full stops. A part of it names the user.
"""

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from shutil import copyfileobj
from typing import Any, Final

from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles, reading
from recollect.ingest.sources.source import (
    BrokenRecord,
    Found,
    ImportSource,
    ReadOptions,
    SourceItem,
)
from recollect.ingest.sources.values import moment, text
from recollect.types.regex import lazy_regex

_TABLE: Final = lazy_regex(r"(?i)CREATE TABLE (?:IF NOT EXISTS )?[\"'`\[]?store\b[^)]{0,200}\bprefix\b")
_COLUMNS: Final = ("value", "prefix", "key", "created_at", "updated_at", "expires_at")
"""What is read of a row; older versions lack the last."""
_WORDS: Final = ("content", "text", "memory", "data", "value", "fact")
_DEEPEST: Final = 5
"""Objects inside each other that words are looked for in. Chosen by hand."""


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.names if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    return start.startswith(b"SQLite format 3\0") and bool(_TABLE.search(start.decode("latin-1")))


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    for name in names:
        try:
            with reading(name), tempfile.TemporaryDirectory() as folder:
                copy = Path(folder, "store.db")
                with files.open(name) as source, copy.open("wb") as target:
                    copyfileobj(source, target)
                for number, row in enumerate(_rows(copy), start=1):
                    yield _item(row, f"{name}, row {number}", files.place(name), options)
        except InvalidInputError as error:
            yield BrokenRecord(where=name, reason=str(error), is_end=True)
        except sqlite3.Error as error:
            yield BrokenRecord(where=name, reason=f"it is a damaged SQLite file: {error}", is_end=True)


def _rows(file: Path) -> Iterator[tuple[Any, ...]]:
    """The rows of a copy, which nobody else writes."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        db.execute("PRAGMA trusted_schema = OFF")
        if (
            db.execute("SELECT 1 FROM sqlite_master WHERE name = 'store' AND type = 'table'").fetchone()
            is None
        ):
            raise InvalidInputError("its store is no table")
        columns = {row[1] for row in db.execute("PRAGMA table_info(store)")}
        wanted = ", ".join(one if one in columns else "NULL" for one in _COLUMNS)
        yield from db.execute(f"SELECT {wanted} FROM store ORDER BY prefix, key")


def _item(row: tuple[Any, ...], where: str, place: str, options: ReadOptions) -> Found:
    value, prefix, key, created, updated, expires = row
    try:
        read = json.loads(value)
    except (ValueError, TypeError, RecursionError):
        return BrokenRecord(where=where, reason="its value is not JSON")
    words = _words(read, 0)
    if not words:
        return BrokenRecord(where=where, reason="its value has no words")
    return SourceItem(
        id=f"{place}:{prefix}:{key}",
        content=words,
        where=where,
        kind="fact",
        at=moment(created, zone=options.timezone),
        valid_until=moment(expires),
        changed_at=moment(updated, zone=options.timezone),
        metadata={"namespace": str(prefix), "key": str(key)},
        owners=(str(prefix), *str(prefix).split(".")),
    )


def _words(value: Any, depth: int) -> str:
    """The words of a value: those of a member that is named so, else all members, one after the other."""
    if isinstance(value, str) or depth > _DEEPEST:
        return value if isinstance(value, str) else ""
    if not isinstance(value, Mapping):
        return ""
    if found := text(value, *_WORDS):
        return found
    for name in _WORDS:
        if isinstance(value.get(name), Mapping):
            return _words(value[name], depth + 1)
    plain = {name: one for name, one in value.items() if isinstance(one, (str, int, float)) and one != ""}
    return "; ".join(f"{name}: {one}" for name, one in plain.items())


LANGGRAPH: Final = ImportSource(name="langgraph", title="LangGraph store", names=_names, read=_read)
