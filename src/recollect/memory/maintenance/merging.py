"""Two versions of one memory become one, field by field: what was changed last holds. Pure.

The change log says when each field was changed. Of fields changed at the same moment, the greater JSON text
holds, so that the result does not depend on which version is named first.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from recollect.stores.copy.moving import canonical
from recollect.types import JSON, Change, MemoryRecord
from recollect.types.codec import changed_fields

OWN: Final = frozenset({"origin.turn"})
"""What a store numbers itself."""

Fields = Mapping[str, JSON]
"""Fields of a record as ``codec.with_fields`` takes them."""


def merged(
    one: MemoryRecord, one_history: Sequence[Change], other: MemoryRecord, other_history: Sequence[Change]
) -> tuple[dict[datetime, Fields], dict[datetime, Fields]]:
    """What each of two versions takes over from the other, by when it was changed there, oldest first.

    Args:
        one: A version of a memory.
        one_history: Its changes.
        other: Another version of the same memory.
        other_history: Its changes.

    Returns:
        For ``one`` and for ``other`` the fields to set. With them both are equal.
    """
    ours, theirs = changed_fields(one, other)
    for_one: dict[datetime, dict[str, JSON]] = {}
    for_other: dict[datetime, dict[str, JSON]] = {}
    for name in ours.keys() - OWN:
        mine = _changed_at(one_history, name), canonical(ours[name])
        his = _changed_at(other_history, name), canonical(theirs[name])
        if his > mine:
            for_one.setdefault(his[0], {})[name] = theirs[name]
        else:
            for_other.setdefault(mine[0], {})[name] = ours[name]
    return dict(sorted(for_one.items())), dict(sorted(for_other.items()))


def is_deletion_stronger(
    live: MemoryRecord, history: Sequence[Change], dead: MemoryRecord, deleted_at: datetime
) -> bool:
    """Whether a deletion holds against a copy that lives: its words are the same, and nobody took it back."""
    if live.content != dead.content:
        return False
    return not any(one.action == "recover" and one.at > deleted_at for one in history)


def is_edited_since(history: Iterable[Change], moment: datetime) -> bool:
    """Whether words were changed, or brought back, after a moment."""
    return any(
        one.at > moment and (one.action == "recover" or "content" in one.after or "content" in one.before)
        for one in history
    )


def _changed_at(history: Sequence[Change], name: str) -> datetime:
    changes = (one.at for one in history if name in one.after or name in one.before)
    return max(changes, default=history[0].at)
