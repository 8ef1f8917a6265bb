"""A checksum for each row of words, so that the doctor finds a flipped byte that SQLite cannot see."""

from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

from recollect.stores.sql.rows import dump

SEALED: Final = {
    "changes": ("user", "key", "at", "action", "before", "after", "reason"),
    "jobs": ("user", "agent_id", "session_id", "task", "payload"),
    "states": ("user", "name", "value"),
}
"""What the checksums of the other tables are of; a job's attempts, times and error change without them."""


def checksum_of(key: int, user_id: str, written: Sequence[Any], *, deleted_at: int | None = None) -> int:
    """The CRC-32 of a memory's key, its user and the values of ``rows.WRITTEN``; 0 to 2**32 - 1.

    >>> checksum_of(1, "ada", ("I like tea", b"12")) == checksum_of(1, "ada", ("I like tea", b"13"))
    False
    """
    *columns, packed = written
    return crc32(packed, crc32(dump([key, user_id, *columns]).encode())) ^ deletion_mark(deleted_at)


def row_checksum(values: Sequence[Any]) -> int:
    """The CRC-32 of the columns of a table that ``SEALED`` names; 0 to 2**32 - 1.

    >>> row_checksum((1, "title", "Tea")) == row_checksum((1, "title", "Sea"))
    False
    """
    return crc32(dump(list(values)).encode())


def deletion_mark(deleted_at: int | None) -> int:
    """What a deletion changes in a checksum: ``delete`` need not read the row again.

    >>> deletion_mark(None)
    0
    """
    return 0 if deleted_at is None else crc32(b"%d" % deleted_at)


def is_sound(
    key: int, user_id: str, written: Sequence[Any], *, deleted_at: int | None, checksum: int
) -> bool:
    """Whether a memory is as it was written; also for values that no memory can have."""
    try:
        return checksum_of(key, user_id, written, deleted_at=deleted_at) == checksum
    except (TypeError, ValueError):
        return False
