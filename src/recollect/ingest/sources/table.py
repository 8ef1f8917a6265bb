"""Any table: CSV, JSON Lines or a JSON list, whose columns the user names."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from io import TextIOWrapper
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple, TypeAlias

from recollect.checks import MAX_CONTENT_CHARS
from recollect.errors import InvalidInputError, UnclearFileError
from recollect.ingest.sources.date_orders import DateOrders, written_date
from recollect.ingest.sources.files import SourceFiles, reading
from recollect.ingest.sources.json_records import documents_of
from recollect.ingest.sources.source import (
    BrokenRecord,
    DateOrder,
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceChat,
    SourceItem,
)
from recollect.ingest.sources.values import Repeats, Talks, moment, role_of

_TABLES: Final = (".csv", ".tsv", ".txt")
_DOCUMENTS: Final = (".jsonl", ".ndjson", ".json")
Read: TypeAlias = Callable[[str, Any, str], list[Found]]
"""What a row is: by its key, itself and its place."""
_DELIMITERS: Final = (",", ";", "\t", "|")
_FIELD: Final = "field larger than field limit"
"""What the csv module says of a cell that is too long."""


def _names(files: SourceFiles) -> list[str]:
    return files.like(*_TABLES, *_DOCUMENTS)


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    if "content" not in options.columns:
        raise UnclearFileError(
            "name the column of the words: columns (--columns content=text)",
            option="columns",
            choices=columns_of(files, names),
        )
    for name in names:
        if _is_csv(name):
            _check(list(options.columns.values()), _head(files, name).columns)
        rows = _Rows(name, files.place(name), options, order=_order_in(files, name, options))
        yield from _rows_of(files, name, rows.read)


def columns_of(files: SourceFiles, names: Sequence[str]) -> Sequence[str]:
    """The columns of the first of some files that is CSV; none where there is no such file."""
    return next((_head(files, name).columns for name in names if _is_csv(name)), ())


def _is_csv(name: str) -> bool:
    return not name.lower().endswith(_DOCUMENTS)


def _rows_of(files: SourceFiles, name: str, read: Read) -> Iterator[Found]:
    return (_table if _is_csv(name) else documents_of)(files, name, read)


def _order_in(files: SourceFiles, name: str, options: ReadOptions) -> DateOrder:
    """How a table writes dates that are not ISO 8601.

    Raises:
        InvalidInputError: It does not show.
    """
    column = options.columns.get("timestamp")
    if options.date_order is not None or column is None:
        return options.date_order or "ymd"
    dates = DateOrders()

    def see(_: str, row: Any, __: str) -> list[Found]:
        cell = _cell(row, column)
        if moment(cell) is None and (date := written_date(cell)):
            dates.see(date)
        return []

    for _ in _rows_of(files, name, see):
        pass
    return dates.shown(name) if dates.count else "ymd"


class _Rows:
    """Reads the rows of a table."""

    def __init__(self, name: str, place: str, options: ReadOptions, *, order: DateOrder) -> None:
        self._options = options
        self._columns = options.columns
        self._place = place
        self._talks = Talks(place, PurePosixPath(name).stem)
        self._repeats = Repeats()
        self._order = order
        self._known: dict[str, str] = {}

    def read(self, _: str, row: Any, where: str) -> list[Found]:
        """What a row is."""
        told = {name: _cell(row, column) for name, column in self._columns.items()}
        if not told["content"]:
            return [Skipped(reason="rows without words")]
        at = self._moment(told["timestamp"]) if told.get("timestamp") else None
        if told.get("timestamp") and at is None:
            return [BrokenRecord(where=where, reason=f"{told['timestamp'][:40]!r} is no time")]
        name = told.get("name") or None
        unsaid = role_of(name or "", me=self._options.me) if self._options.me else "user"
        if (known := told.get("id")) and (first := self._known.setdefault(known, where)) != where:
            return [BrokenRecord(where=where, reason=f"{known[:40]!r} is the id of {first}, too")]
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

    def _moment(self, cell: str) -> datetime | None:
        zone = self._options.timezone
        date = written_date(cell)
        return moment(cell, zone=zone) or (date and date.moment(self._order, zone))


def _cell(row: Mapping[str, Any], column: str) -> str:
    """A cell as text; dots lead into objects."""
    value: Any = row
    for part in [column] if column in row else column.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return "" if value is None or isinstance(value, (dict, list)) else str(value).strip()


class _Head(NamedTuple):
    """How a table is written, and its columns."""

    encoding: str
    delimiter: str
    columns: Sequence[str]


def _head(files: SourceFiles, name: str) -> _Head:
    start = files.beginning(name)
    encoding = "utf-16" if start[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    first = start.decode(encoding, errors="replace").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    return _Head(encoding, delimiter, next(csv.reader([first], delimiter=delimiter), []))


def _check(columns: Sequence[str], there: Sequence[str]) -> None:
    """Check that a table has the columns that are named.

    Raises:
        InvalidInputError: It has not.
    """
    for column in columns:
        if column not in there:
            raise InvalidInputError(f"there is no column {column!r}; there are {', '.join(there)[:500]}")


def _table(files: SourceFiles, name: str, read: Read) -> Iterator[Found]:
    head = _head(files, name)
    try:
        with (
            reading(name),
            files.open(name) as stream,
            TextIOWrapper(stream, encoding=head.encoding, newline="") as lines,
        ):
            yield from _cells(csv.DictReader(lines, delimiter=head.delimiter), name, read)
    except UnicodeDecodeError:
        yield BrokenRecord(where=name, reason="what follows is not UTF-8 text", is_end=True)
    except InvalidInputError as error:
        yield BrokenRecord(where=name, reason=str(error), is_end=True)


def _cells(reader: "csv.DictReader[str]", name: str, read: Read) -> Iterator[Found]:
    csv.field_size_limit(max(csv.field_size_limit(), MAX_CONTENT_CHARS))  # of the process
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield BrokenRecord(where=f"{name}, line {reader.reader.line_num}", reason=_why(error))
        else:
            yield from read("", row, f"{name}, line {reader.line_num}")


def _why(error: csv.Error) -> str:
    if str(error).startswith(_FIELD):
        most = f"{csv.field_size_limit():,} characters"
        return f"a cell has more than {most}; is there a quotation mark that does not end?"
    return str(error)


TABLE: Final = ImportSource(name="table", title="table", names=_names, read=_read)
