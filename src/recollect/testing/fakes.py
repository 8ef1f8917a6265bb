"""Stand-ins for the clock and for analysed memories: no model, no randomness, no waiting."""

import itertools
import zlib
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from recollect.protocols import Entry, Features
from recollect.types import JSON, MemoryRecord, Origin, Scope, Times

ADA: Final = Scope(user_id="ada")
"""The user whose memories the shipped tests keep."""
BOB: Final = Scope(user_id="bob")
"""Another user, who must never see them."""
NOON: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)
"""When the shipped tests take place."""

_MAX_COUNT: Final = 63  # of Features.counts
_NUMBERS: Final = itertools.count(1)


class FakeClock:
    """A clock that stands still until told otherwise.

    >>> clock = FakeClock(NOON)
    >>> clock.tick(90)
    >>> clock().isoformat()
    '2026-05-01T12:01:30+00:00'
    """

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """The moment it shows."""
        return self.now

    def tick(self, seconds: float = 1.0) -> None:
        """Move on."""
        self.now += timedelta(seconds=seconds)


def next_id() -> str:
    """An id in the form of a UUIDv7 that sorts after those this process made before."""
    return f"019a0000-0000-7000-8000-{next(_NUMBERS):012x}"


def make_features(text: str, *, dim: int = 8) -> Features:
    """Features from a text's words as they stand: terms by CRC-32, vector and traits by counting.

    >>> make_features("Tea tea milk").stems
    'tea tea milk'
    """
    words = text.lower().replace("\0", " ").split()
    counted = sorted(Counter(zlib.crc32(word.encode()) for word in words).items())
    vector = np.zeros(dim, dtype=np.int64)
    for term, count in counted:
        vector[term % dim] += count
    return Features(
        vector=vector.clip(max=127).astype(np.int8).tobytes(),
        terms=np.array([term for term, _ in counted], dtype="<u4").tobytes(),
        counts=bytes(min(count, _MAX_COUNT) for _, count in counted),
        stems=" ".join(words),
        traits=len(counted),
    )


def entry_of(record: MemoryRecord, *, dim: int = 8) -> Entry:
    """A record with features and an outline made from its content."""
    features = make_features(record.content, dim=dim)
    return Entry(record=record, features=features, outline=features.terms)


def make_entry(
    content: str = "a quiet afternoon",
    *,
    memory_id: str | None = None,
    scope: Scope = ADA,
    thread: str = "",
    metadata: Mapping[str, JSON] | None = None,
    idempotency_key: str | None = None,
    dim: int = 8,
) -> Entry:
    """An entry for a test; what matters to the test is named, the rest is plain.

    Args:
        content: The words; the features are made from them.
        memory_id: Its id; ``next_id()`` unless given.
        scope: Whose it is.
        thread: The conversation it stands in.
        metadata: Anything that JSON holds.
        idempotency_key: What makes a second one a duplicate.
        dim: Length of the vector.
    """
    record = MemoryRecord(
        id=memory_id or next_id(),
        scope=scope,
        content=content,
        times=Times(created_at=NOON, happened_at=NOON, updated_at=NOON),
        origin=Origin(thread=thread),
        metadata=metadata or {},
        idempotency_key=idempotency_key,
    )
    return entry_of(record, dim=dim)
