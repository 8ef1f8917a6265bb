"""What conversations lie behind, from the shadow alone."""

from typing import Final, NamedTuple

import numpy as np

from recollect.retrieval.shadow import Shadow

_DAY: Final = 86_400_000_000


class Conversations(NamedTuple):
    """The conversations in which a user said something.

    Attributes:
        talks: How many; what was said outside of any counts as one a day (UTC).
        first: When the user first said something, in microseconds since 1970; None for never.
        last: When the user last did.
    """

    talks: int = 0
    first: int | None = None
    last: int | None = None


def conversations(shadow: Shadow, *, without: str | None = None) -> Conversations:
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
        return Conversations()
    alone = session == numbers.get("", -1)
    days = np.unique(happened[alone] // _DAY).size
    return Conversations(
        talks=int(np.unique(session[~alone]).size + days),
        first=int(happened.min()),
        last=int(happened.max()),
    )
