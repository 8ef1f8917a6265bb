"""What every store checks of memories that come back."""

from recollect.errors import InvalidInputError
from recollect.protocols import Entry
from recollect.types import MemoryRecord


def check_recovered(before: MemoryRecord, entry: Entry) -> Entry:
    """The entry, if it can take the place of a deleted memory.

    Raises:
        InvalidInputError: It has another id or scope, or no features.
    """
    if entry.record.id != before.id or entry.record.scope != before.scope:
        raise InvalidInputError(f"the memory {before.id!r} cannot come back with another id or scope")
    if entry.features is None:
        raise InvalidInputError(f"the memory {before.id!r} cannot come back without features")
    return entry
