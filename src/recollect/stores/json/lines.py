"""A file of writes: one a line, a CRC-32 before each, so that a torn last line is known for what it is."""

import json
import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from recollect.errors import StoreCorruptError
from recollect.stores.logged.writes import Write
from recollect.stores.sql.rows import dump


class LogLine(NamedTuple):
    """A write with its number."""

    number: int
    write: Write


class LinesRead(NamedTuple):
    """What was read.

    Attributes:
        end: The place in the file after the last of them.
        is_damaged: One more whole line follows that is no write: one that was acknowledged may be lost.
    """

    lines: list[LogLine]
    end: int
    is_damaged: bool = False


class Lines:
    """The writes in a file; a missing file has none."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, start: int = 0) -> LinesRead:
        """The writes from a place in the file on.

        What follows the last line break was never acknowledged, and is left out.

        Raises:
            StoreCorruptError: A line before the last is damaged.
        """
        try:
            with self.path.open("rb") as file:
                file.seek(start)
                data = file.read()
        except FileNotFoundError:
            return LinesRead([], 0)
        found: list[LogLine] = []
        rest = data.split(b"\n")
        for place, text in enumerate(rest[:-1]):
            line = _line_of(text)
            if line is None:
                if place < len(rest) - 2:
                    raise StoreCorruptError(f"{self.path} is damaged in the write after {len(found)} others")
                return LinesRead(found, start, is_damaged=True)
            found.append(line)
            start += len(text) + 1
        return LinesRead(found, start)

    def cut(self, at: int, *, by: Path) -> None:
        """Truncate the file at a place, by a new file at ``by`` that replaces it.

        Other readers notice a new file; they would not notice a length that grows again.
        """
        with self.path.open("rb") as old, by.open("wb") as new:
            new.write(old.read(at))
            new.flush()
            os.fsync(new.fileno())
        by.replace(self.path)
        sync_folder(self.path.parent)

    def append(self, line: LogLine, *, at: int) -> int:
        """Write at a place, over the rest of a failed write; return the place after it.

        Raises:
            OSError: It failed; the file is restored if possible.
        """
        text = dump(list(line)).encode("utf-8", "surrogatepass")
        data = b"%08x %s\n" % (zlib.crc32(text), text)
        is_new = not self.path.exists()
        with self.path.open("ab", buffering=0) as file:
            try:
                file.truncate(at)
                rest = memoryview(data)
                while rest:
                    rest = rest[file.write(rest) :]
                os.fsync(file.fileno())
            except OSError:
                with suppress(OSError):
                    file.truncate(at)
                raise
        if is_new:
            sync_folder(self.path.parent)
        return at + len(data)


def _line_of(text: bytes) -> LogLine | None:
    checksum, _, body = text.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(body):
        return None
    return LogLine(*json.loads(body.decode("utf-8", "surrogatepass")))


def sync_folder(folder: Path) -> None:
    """Make the names of new and renamed files last, where the system knows how."""
    if hasattr(os, "O_DIRECTORY"):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
