"""The rows in the pages of a damaged SQLite file, read without SQLite, which gives up at the first bad page.

The format is https://www.sqlite.org/fileformat2.html. Nothing here trusts what it reads: a row that does not
fit into its page is left out.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

PAGE: Final = 4096
"""Bytes of a page: SQLite's default, which no store of ours changes."""
_HEADER: Final = 100
"""Bytes of the file's header, at the start of page 1."""
_LOG_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_INDEX_INTERIOR: Final = 2
_INDEX_LEAF: Final = 10
_TABLE_LEAF: Final = 13
_CELLS_AT: Final = {_INDEX_INTERIOR: 12, _INDEX_LEAF: 8, _TABLE_LEAF: 8}
_SIZES: Final = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
"""Bytes of a value by its serial type, up to 9."""
_FLOAT: Final = 7
_CONTINUES: Final = 0x80
"""The bit of a byte after which a number goes on."""


class PageRow(NamedTuple):
    """A row, or an entry of an index.

    Attributes:
        page: Its page, counted from 1.
        key: Its rowid; None in an index and in a table WITHOUT ROWID.
        values: Its columns; a column that is the rowid holds None.
    """

    page: int
    key: int | None
    values: tuple[Any, ...]


class Pages:
    """The pages of a file as the last whole transaction left them, its write-ahead log included."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        log = path.with_name(path.name + "-wal")
        self._newer = _logged(log.read_bytes()) if log.exists() else {}
        self.count = max(len(self._data) // PAGE, *self._newer, 0)

    def rows(self) -> Iterator[PageRow]:
        """Every row and index entry that can be read, page by page."""
        for number in range(1, self.count + 1):
            yield from self.rows_of(number)

    def rows_of(self, number: int) -> Iterator[PageRow]:
        """The rows of one page."""
        page = self._page(number)
        start = _HEADER if number == 1 else 0
        kind = page[start] if len(page) == PAGE else 0
        if kind not in _CELLS_AT:
            return
        (cells,) = struct.unpack_from(">H", page, start + 3)
        first = start + _CELLS_AT[kind]
        for at in range(first, min(first + 2 * cells, PAGE - 1), 2):
            (cell,) = struct.unpack_from(">H", page, at)
            try:
                key, values = self._cell(page, kind, cell)
            except (ValueError, IndexError, struct.error):
                continue
            yield PageRow(number, key, values)

    def tree(self, root: int) -> Iterator[int]:
        """The pages of a table or index below a page, each once."""
        seen: set[int] = set()
        todo = [root]
        while todo:
            number = todo.pop()
            page = self._page(number)
            if number in seen or len(page) != PAGE:
                continue
            seen.add(number)
            yield number
            start = _HEADER if number == 1 else 0
            if page[start] in (_INDEX_INTERIOR, 5):
                cells, right = struct.unpack_from(">H", page, start + 3)[0], start + 8
                at = range(start + 12, min(start + 12 + 2 * cells, PAGE - 1), 2)
                starts = [right, *(struct.unpack_from(">H", page, one)[0] for one in at)]
                todo += [struct.unpack_from(">I", page, one)[0] for one in starts if one <= PAGE - 4]

    def _page(self, number: int) -> bytes:
        return self._newer.get(number) or self._data[(number - 1) * PAGE : number * PAGE]

    def _cell(self, page: bytes, kind: int, at: int) -> tuple[int | None, tuple[Any, ...]]:
        key = None
        at += 4 if kind == _INDEX_INTERIOR else 0
        size, at = _number(page, at)
        if kind == _TABLE_LEAF:
            key, at = _number(page, at)
        return key, _values(self._payload(page, at, size, kind))

    def _payload(self, page: bytes, at: int, size: int, kind: int) -> bytes:
        """The bytes of a row: those in its page, then those in its overflow pages."""
        if not 0 < size <= self.count * PAGE:
            raise ValueError
        most = PAGE - 35 if kind == _TABLE_LEAF else (PAGE - 12) * 64 // 255 - 23
        here = size
        if size > most:
            least = (PAGE - 12) * 32 // 255 - 23
            here = least + (size - least) % (PAGE - 4)
            here = here if here <= most else least
        parts = [page[at : at + here]]
        left = size - len(parts[0])
        following = struct.unpack_from(">I", page, at + here)[0] if left else 0
        while left > 0:
            overflow = self._page(following)
            if not following or len(overflow) != PAGE:
                raise ValueError
            parts.append(overflow[4 : 4 + left])
            left -= len(parts[-1])
            (following,) = struct.unpack_from(">I", overflow)
        return b"".join(parts)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A variable-length integer, and where it ends."""
    value = 0
    for place in range(8):
        byte = data[at + place]
        value = value << 7 | byte & ~_CONTINUES
        if not byte & _CONTINUES:
            return value, at + place + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64) if value >> 63 else value, at + 9


def _values(payload: bytes) -> tuple[Any, ...]:
    end, at = _number(payload, 0)
    if not at <= end <= len(payload):
        raise ValueError
    found, body = [], end
    while at < end:
        kind, at = _number(payload, at)
        size = _SIZES[kind] if 0 <= kind < len(_SIZES) else (kind - 12) // 2
        if size < 0 or body + size > len(payload):
            raise ValueError
        found.append(_value(kind, payload[body : body + size]))
        body += size
    return tuple(found)


def _value(kind: int, data: bytes) -> Any:
    if kind == 0:
        return None
    if kind in (8, 9):
        return kind - 8
    if kind == _FLOAT:
        return struct.unpack(">d", data)[0]
    if kind < _FLOAT:
        return int.from_bytes(data, "big", signed=True)
    return data.decode() if kind % 2 else data


def _logged(log: bytes) -> dict[int, bytes]:
    """The pages in a write-ahead log, up to its last commit."""
    whole: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    for at in range(_LOG_HEADER, len(log) - PAGE - _FRAME_HEADER + 1, PAGE + _FRAME_HEADER):
        number, size_after_commit = struct.unpack_from(">II", log, at)
        if log[at + 8 : at + 16] != log[16:24]:  # a frame of an earlier round
            break
        pending[number] = log[at + _FRAME_HEADER : at + _FRAME_HEADER + PAGE]
        if size_after_commit:
            whole |= pending
            pending = {}
    return whole
