"""Records of a large JSON file one by one, in flat memory; a broken one does not end the rest.

A scan for brackets and quotes finds where a record ends, and only then it is parsed: so what is wrong inside
of it stays inside of it.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

from recollect.errors import InvalidInputError, as_given
from recollect.ingest.sources.files import SourceFiles, reading
from recollect.ingest.sources.source import BrokenRecord, Found
from recollect.ingest.sources.values import ShapeError

MAX_RECORD_BYTES: Final = 1 << 27
"""Bytes of one conversation, or of one file that is read whole: 128 MiB. Chosen by hand."""
DAMAGE: Final = (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError, IndexError)
"""What a record of another shape than its format's may raise."""
_PIECE: Final = 1 << 18
_MARK: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_SPACE: Final = re.compile(rb"[ \t\r\n]*")
_SCALAR_END: Final = re.compile(rb"[,\]} \t\r\n]")
_MARK_OF_UTF8: Final = b"\xef\xbb\xbf"


class JsonRecord(NamedTuple):
    """A record of a file: under which key its list stands (empty at the top), its number, its bytes."""

    key: str
    number: int
    text: bytes


Entry: TypeAlias = tuple[str, int, Any]
"""A key, a number and a parsed record."""


def records_of(
    files: SourceFiles, name: str, read: Callable[[str, Any, str], list[Found]], *, into: str | None = None
) -> Iterator[Found]:
    """What ``read`` makes of each record of a file: of the key it stands under, of itself and of its place.

    Args:
        files: The files.
        name: Which of them.
        read: All of a record's items, or an error of ``DAMAGE`` and none of them.
        into: The key of an object whose own lists are meant, too.
    """
    try:
        with reading(name), files.open(name) as stream:
            for record in json_records(stream, name, into=into):
                yield from _read(record, name, read)
    except InvalidInputError as error:
        yield BrokenRecord(where=name, reason=str(error), is_end=True)


def documents_of(
    files: SourceFiles, name: str, read: Callable[[str, Any, str], list[Found]]
) -> Iterator[Found]:
    """The same for a file that is one JSON document, or has one a line."""
    reader = lines_of if _has_lines(name, files.beginning(name)) else records_of
    return reader(files, name, read)


def whole_of(files: SourceFiles, name: str, read: Callable[[str, Any, str], list[Found]]) -> Iterator[Found]:
    """The same for a file that is one record."""
    try:
        content = files.read(name, most=MAX_RECORD_BYTES).removeprefix(_MARK_OF_UTF8)
        yield from _read(JsonRecord("", 1, content), name, read)
    except InvalidInputError as error:
        yield BrokenRecord(where=name, reason=str(error), is_end=True)


def each_of(
    parts: Iterable[tuple[int, Any]], read: Callable[[Any, str], Iterable[Found]], where: str, *, noun: str
) -> Iterator[Found]:
    """What ``read`` makes of each numbered part of a record; a broken one loses only itself.

    Args:
        parts: The parts and their numbers, from 1.
        read: All of a part's items, from it and its place, or an error of ``DAMAGE`` and none of them.
        where: The place of the record.
        noun: What a part is.
    """
    for number, part in parts:
        place = f"{where}, {noun} {number}"
        try:
            if not isinstance(part, dict):
                raise ShapeError("it is no object")
            found = list(read(part, place))
        except DAMAGE as error:
            yield BrokenRecord(where=place, reason=_why(error))
        else:
            yield from found


def _has_lines(name: str, start: bytes) -> bool:
    first, _, more = start.lstrip().partition(b"\n")
    try:
        is_whole = isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        is_whole = False
    return name.lower().endswith((".jsonl", ".ndjson")) or (is_whole and bool(more.strip()))


def lines_of(files: SourceFiles, name: str, read: Callable[[str, Any, str], list[Found]]) -> Iterator[Found]:
    """The same for a file with one JSON document a line."""
    try:
        with reading(name), files.open(name) as stream:
            for number, line in enumerate(iter(lambda: stream.readline(MAX_RECORD_BYTES), b""), start=1):
                text = line.removeprefix(_MARK_OF_UTF8) if number == 1 else line
                if text.strip():
                    yield from _read(JsonRecord("", number, text), name, read, noun="line")
    except InvalidInputError as error:
        yield BrokenRecord(where=name, reason=str(error), is_end=True)


def _read(
    record: JsonRecord, name: str, read: Callable[[str, Any, str], list[Found]], noun: str = "record"
) -> Iterator[Found]:
    where = f"{name}, {record.key} {record.number}" if record.key else f"{name}, {noun} {record.number}"
    try:
        found = read(record.key, json.loads(record.text), where)
    except json.JSONDecodeError as error:
        yield BrokenRecord(where=where, reason=f"it is not JSON: {error.msg} at its character {error.pos}")
    except UnicodeDecodeError:
        yield BrokenRecord(where=where, reason="it is not UTF-8 text")
    except RecursionError:
        yield BrokenRecord(where=where, reason="it goes too deep")
    except DAMAGE as error:
        yield BrokenRecord(where=where, reason=_why(error))
    else:
        yield from found


def _why(error: Exception) -> str:
    """What is wrong with a record of another shape than its format's."""
    if isinstance(error, ShapeError):
        return str(error)
    return f"it has no {as_given(error.args[0])}" if type(error) is KeyError else "it has another shape"


def json_records(stream: BinaryIO, name: str, *, into: str | None = None) -> Iterator[JsonRecord]:
    """Cut a JSON document into records.

    Of a list these are its elements; of an object its members, and the elements of members that are lists.

    Raises:
        InvalidInputError: It is no list and no object, or breaks off; what came before it was yielded.
    """
    scan = _Scan(stream, name)
    match scan.peek():
        case b"[":
            yield from _elements(scan, "")
        case b"{":
            yield from _members(scan, into)
        case b"":
            raise InvalidInputError(f"{name} is empty")
        case _:
            raise InvalidInputError(f"{name} is not JSON with a list or an object")
    if scan.peek():
        raise scan.broken("something follows its end")


def _elements(scan: "_Scan", key: str) -> Iterator[JsonRecord]:
    scan.take(b"[")
    number = 0
    while scan.peek() not in (b"]", b""):
        number += 1
        yield JsonRecord(key, number, scan.value())
        if scan.peek() == b",":
            scan.take(b",")
        elif scan.peek() != b"]":
            raise scan.broken("a comma is missing" if scan.peek() else "it breaks off")
    scan.take(b"]")


def _members(scan: "_Scan", into: str | None) -> Iterator[JsonRecord]:
    scan.take(b"{")
    while scan.peek() not in (b"}", b""):
        try:
            key = json.loads(scan.value())
        except ValueError:
            key = None
        if not isinstance(key, str):
            raise scan.broken("a key is no text")
        scan.take(b":")
        first = scan.peek()
        if first == b"[":
            yield from _elements(scan, key)
        elif first == b"{" and key == into:
            yield from _members(scan, None)
        else:
            yield JsonRecord(key, 1, scan.value())
        if scan.peek() == b",":
            scan.take(b",")
        elif scan.peek() != b"}":
            raise scan.broken("a comma is missing" if scan.peek() else "it breaks off")
    scan.take(b"}")


class _Scan:
    """A place in a stream, and the bytes that follow it."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._bytes = b""
        self._at = 0
        self._before = 0
        self._fill()
        if self._bytes.startswith(_MARK_OF_UTF8):
            self._at = len(_MARK_OF_UTF8)

    def broken(self, why: str) -> InvalidInputError:
        """The error of this place."""
        return InvalidInputError(f"{self._name} is broken at byte {self._before + self._at:,}: {why}")

    def peek(self) -> bytes:
        """The next byte that is no space; none at the end."""
        while True:
            self._at = _SPACE.match(self._bytes, self._at).end()  # type: ignore[union-attr]  # it matches nothing, too
            if self._at < len(self._bytes) or not self._fill():
                return self._bytes[self._at : self._at + 1]

    def take(self, mark: bytes) -> None:
        """Go past a mark that must stand here."""
        found = self.peek()
        if found != mark:
            raise self.broken(f"{mark.decode()} is missing" if found else "it breaks off")
        self._at += 1

    def value(self) -> bytes:
        """Go past the value that stands here."""
        ends = self._scalar_end if self.peek() not in (b"[", b"{", b'"') else self._bracketed_end
        length = ends()
        value = self._bytes[self._at : self._at + length]
        self._at += length
        return value

    def _scalar_end(self) -> int:
        while True:
            found = _SCALAR_END.search(self._bytes, self._at)
            if found and found.start() > self._at:
                return found.start() - self._at
            if found:
                raise self.broken("a value is missing")
            if not self._fill():
                return len(self._bytes) - self._at

    def _bracketed_end(self) -> int:
        seen = depth = 0
        while True:
            for found in _MARK.finditer(self._bytes, self._at + seen):
                mark = found[0]
                if mark[:1] == b'"':
                    if not _is_whole(mark):
                        break
                else:
                    depth += 1 if mark in (b"[", b"{") else -1
                seen = found.end() - self._at
                if depth == 0:
                    return seen
            else:
                seen = len(self._bytes) - self._at
            if not self._fill():
                raise self.broken("it breaks off")

    def _fill(self) -> bool:
        """Read on; twice as much when what is held is not enough."""
        kept = self._bytes[self._at :]
        if len(kept) > MAX_RECORD_BYTES:
            raise self.broken(f"a record has more than {MAX_RECORD_BYTES:,} bytes")
        more = self._stream.read(max(_PIECE, len(kept)))
        self._before += self._at
        self._bytes, self._at = kept + more, 0
        return bool(more)


def _is_whole(text: bytes) -> bool:
    """Whether the quote that ends a text is not one of its own letters."""
    if len(text) < 2 or text[-1:] != b'"':  # noqa: PLR2004 - two quotes
        return False
    slashes = len(text) - 1 - len(text[:-1].rstrip(b"\\"))
    return slashes % 2 == 0
