"""What conversations lie behind, from the shadow alone."""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from recollect.retrieval.shadow import Shadow

_DAY: Final = 86_400_000_000


class PastConversations(NamedTuple):
    """The conversations in which a user said something.

    Attributes:
        talks: How many; what was said outside of any counts as one a day (UTC).
        first: When the user first said something, in microseconds since 1970; None for never.
        last: When the user last did.
    """

    talks: int = 0
    first: int | None = None
    last: int | None = None


class Told(NamedTuple):
    """A session by its messages.

    Attributes:
        first: When the first was said, in microseconds since 1970.
        last: When the last was.
        messages: How many there are, of all who spoke.
        first_id: The id of the first.
    """

    first: int
    last: int
    messages: int
    first_id: str


SessionKey: TypeAlias = tuple[str | None, str]
"""An agent, if there is one, and the id of a session with it."""


def told_by_session(shadow: Shadow, *, keys: NDArray[np.int64] | None = None) -> dict[SessionKey, Told]:
    """The sessions of a user by their messages, or by those with some keys."""
    numbers = shadow.names["session"].numbers
    said = shadow["alive"] & (shadow["kind"] == shadow.names["kind"].numbers.get("message", -1))
    said &= shadow["session"] != numbers.get("", -1)
    if keys is not None:
        said &= np.isin(shadow["keys"], keys)
    happened = shadow["happened"][said]
    if not happened.size:
        return {}
    pairs = (shadow["agent"][said].astype(np.int64) << 32) | shadow["session"][said].astype(np.int64)
    order = np.lexsort((happened, pairs))
    keys, starts, counts = np.unique(pairs[order], return_index=True, return_counts=True)
    first = happened[order[starts]].tolist()
    last = happened[order[starts + counts - 1]].tolist()
    ids = [bytes(one).decode() for one in shadow["ids"][said][order[starts]]]
    agents = {number: name for name, number in shadow.names["agent"].numbers.items()}
    sessions = {number: name for name, number in numbers.items()}
    return {
        (agents[key >> 32] or None, sessions[key & 0xFFFFFFFF]): Told(*told)
        for key, *told in zip(keys.tolist(), first, last, counts.tolist(), ids, strict=True)
    }


def conversations(shadow: Shadow, *, without: str | None = None) -> PastConversations:
    """The conversations of a user.

    Args:
        shadow: The user's memories.
        without: A session that does not count, such as the one that has begun.
    """
    said = shadow["alive"] & (shadow["kind"] == shadow.names["kind"].numbers.get("message", -1))
    said &= shadow["role"] == shadow.names["role"].numbers.get("user", -1)
    numbers = shadow.names["session"].numbers
    if without is not None:
        said &= shadow["session"] != numbers.get(without, -1)
    happened, session = shadow["happened"][said], shadow["session"][said]
    if not happened.size:
        return PastConversations()
    alone = session == numbers.get("", -1)
    days = np.unique(happened[alone] // _DAY).size
    return PastConversations(
        talks=int(np.unique(session[~alone]).size + days),
        first=int(happened.min()),
        last=int(happened.max()),
    )
