"""Wiping what SQLite leaves of moved rows in the free space of pages."""

import struct
from collections.abc import Iterator
from typing import Final

import apsw

from recollect.stores.sqlite.pages import PAGE

_HEADER: Final = 100
"""Bytes of the file's header, at the start of page 1."""
_TREE_PAGES: Final = {2: 12, 5: 12, 10: 8, 13: 8}
"""The kinds of pages of tables and indexes, each with the size of its header."""
_MOST_PAGES: Final = 1 << 25
"""Below this no other page begins like one of a tree: those begin with the number of the next page."""
_AT_ONCE: Final = 1_024
"""Pages read at once: 4 MiB. Chosen by hand."""


def can_be_scrubbed(db: apsw.Connection) -> bool:
    """Whether a file has the form that ``scrub`` knows, and little enough free space to keep it.

    With ``auto_vacuum`` a file has pages of pointers, which begin like those of a tree.
    """
    asked = ("page_size", "page_count", "freelist_count", "auto_vacuum")
    page, pages, free, maps = (int(str(db.pragma(one))) for one in asked)
    return page == PAGE and pages < _MOST_PAGES and free < pages // 4 and not maps


def scrub(file: apsw.VFSFile) -> None:
    """Wipe the free space of every page of a tree; no row and no pointer lies there.

    SQLite zeroes what it deletes (``secure_delete``), but when it moves rows to another page it leaves their
    copies in the free space of the first.
    """
    size = file.xFileSize()
    for at in range(0, size, _AT_ONCE * PAGE):
        pages = file.xRead(min(_AT_ONCE * PAGE, size - at), at)
        for place in range(0, len(pages), PAGE):
            header = _HEADER if at == place == 0 else 0
            for begin, end in _stale(pages[place : place + PAGE], header):
                file.xWrite(bytes(end - begin), at + place + begin)


def _stale(page: bytes, header: int) -> Iterator[tuple[int, int]]:
    """Where a page holds bytes that belong to nothing; the format is SQLite's, see ``pages.py``."""
    size = _TREE_PAGES.get(page[header])
    if size is None or len(page) < PAGE:
        return
    block, cells, content = struct.unpack_from(">HHH", page, header + 1)
    first = header + size + 2 * cells
    free = [(first, content), *_blocks(page, block, after=content)]
    stale = [one for one in free if one[0] < one[1] <= PAGE and page[one[0] : one[1]].strip(b"\0")]
    if stale:
        starts = struct.unpack_from(f">{cells}H", page, header + size)
        if not any(begin <= start < end for begin, end in stale for start in starts):  # else it is damaged
            yield from stale


def _blocks(page: bytes, block: int, *, after: int) -> Iterator[tuple[int, int]]:
    """The free blocks between cells, without the four bytes in which they lead from one to the next."""
    while after <= block <= PAGE - 4:
        following, length = struct.unpack_from(">HH", page, block)
        yield block + 4, block + length
        after, block = block + length, following
