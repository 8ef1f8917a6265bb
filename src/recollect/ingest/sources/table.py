"""Any table: CSV, JSON Lines or a JSON list, whose columns the user names."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import TextIOWrapper
from pathlib import PurePosixPath
from typing import Any, Final

from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles, reading
from recollect.ingest.sources.json_records import documents_of
from recollect.ingest.sources.source import (
    BrokenRecord,
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceChat,
    SourceItem,
)
from recollect.ingest.sources.values import Repeats, Talks, moment, role_of

_TABLES: Final = (".csv", ".tsv", ".txt")
_DELIMITERS: Final = (",", ";", "\t", "|")


def _names(files: SourceFiles) -> list[str]:
    return files.ending(*_TABLES, ".jsonl", ".ndjson", ".json")


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    if "content" not in options.columns:
        raise InvalidInputError("name the column of the words: columns (--columns content=text)")
    for name in names:
        rows = _Rows(name, files.place(name), options)
        if name.lower().endswith(_TABLES):
            yield from _table(files, name, rows)
        else:
            yield from documents_of(files, name, rows.read)


class _Rows:
    """Reads the rows of a table."""

    def __init__(self, name: str, place: str, options: ReadOptions) -> None:
        self._options = options
        self._columns = options.columns
        self._place = place
        self._talks = Talks(place, PurePosixPath(name).stem)
        self._repeats = Repeats()

    def check(self, there: Sequence[str]) -> None:
        """Check that a table has the columns that are named.

        Raises:
            InvalidInputError: It has not.
        """
        for column in self._columns.values():
            if column not in there:
                raise InvalidInputError(f"there is no column {column!r}; there are {', '.join(there)[:500]}")

    def read(self, _: str, row: Any, where: str) -> list[Found]:
        """What a row is."""
        told = {name: _cell(row, column) for name, column in self._columns.items()}
        if not told["content"]:
            return [Skipped(reason="rows without words")]
        at = moment(told["timestamp"], zone=self._options.timezone) if told.get("timestamp") else None
        if told.get("timestamp") and at is None:
            return [BrokenRecord(where=where, reason=f"{told['timestamp'][:40]!r} is no time")]
        name = told.get("name") or None
        unsaid = role_of(name or "", me=self._options.me) if self._options.me else "user"
        own_id = told.get("id") or self._repeats.id_of(*told.values())
        session = told.get("session")
        talk = SourceChat(id=session, title=told.get("title") or None) if session else self._talks.chat_at(at)
        return [
            SourceItem(
                id=f"{self._place}:{own_id}",
                content=told["content"],
                where=where,
                chat=talk,
                role=told.get("role") or unsaid,
                speaker=name,
                at=at,
            )
        ]


def _cell(row: Mapping[str, Any], column: str) -> str:
    """A cell as text; dots lead into objects."""
    value: Any = row
    for part in [column] if column in row else column.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return "" if value is None or isinstance(value, (dict, list)) else str(value).strip()


def _table(files: SourceFiles, name: str, rows: _Rows) -> Iterator[Found]:
    start = files.beginning(name)
    encoding = "utf-16" if start[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    head = start.decode(encoding, errors="replace").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    rows.check(next(csv.reader([head], delimiter=delimiter), []))
    try:
        with (
            reading(name),
            files.open(name) as stream,
            TextIOWrapper(stream, encoding=encoding, newline="") as lines,
        ):
            yield from _cells(csv.DictReader(lines, delimiter=delimiter), name, rows)
    except UnicodeDecodeError:
        yield BrokenRecord(where=name, reason="what follows is not UTF-8 text")
    except InvalidInputError as error:
        yield BrokenRecord(where=name, reason=str(error))


def _cells(reader: "csv.DictReader[str]", name: str, rows: _Rows) -> Iterator[Found]:
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield BrokenRecord(where=f"{name}, line {reader.line_num}", reason=str(error))
        else:
            yield from rows.read("", row, f"{name}, line {reader.line_num}")


TABLE: Final = ImportSource(name="table", title="table", names=_names, read=_read)
