"""What is cached of one user, so that the service is asked for contents alone."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Features
from recollect.stores.points.conditions import tenant_of
from recollect.stores.points.connection import FAMILY_OF
from recollect.stores.points.points import PointRow
from recollect.stores.sql.statistics import added
from recollect.types import LinkType, Scope

T = TypeVar("T")

Ends = tuple[int, int, LinkType]
"""A link: the keys of its source and target, and its type."""


class User:
    """The rows of one user's memories, deleted ones included, and what their live ones have in common.

    Attributes:
        tenant: The payload field of all the user has.
        rows: By key, ascending.
        purged: The versions and keys of deleted memories that are removed for good.
        documents: How many memories are live.
        terms: How many live memories hold each term.
        stems: How many live memories hold each stem.
        words: How many words the live memories have.
        vector_sum: ``int64``; the sum of the live memories' vectors.
    """

    def __init__(self, user_id: str) -> None:
        self.tenant = tenant_of(user_id)
        self.rows: dict[int, PointRow] = {}
        self.purged: list[tuple[int, int]] = []
        self.links: set[Ends] = set()
        self.states: dict[str, str] = {}
        self.documents = 0
        self.terms: Counter[int] = Counter()
        self.stems: Counter[str] = Counter()
        self.words = 0
        self.vector_sum: NDArray[np.int64] = np.zeros(0, np.int64)
        self._user_id = user_id
        self._by_id: dict[str, int] = {}
        self._by_idempotency: dict[str, int] = {}
        self._deleted_keys: dict[str, int] = {}
        self._next_turn: dict[str, int] | None = {}

    def live(self, scope: Scope) -> Iterator[PointRow]:
        """The rows of the live memories in a scope, by key."""
        return (row for row in self.rows.values() if row.live and is_within(scope, row))

    def named(self, memory_id: str) -> PointRow | None:
        """The row of a memory, also of a deleted one."""
        key = self._by_id.get(memory_id)
        return None if key is None else self.rows[key]

    def holder(self, idempotency: str) -> PointRow | None:
        """The row of the live memory with an idempotency key."""
        key = self._by_idempotency.get(idempotency)
        return None if key is None else self.rows[key]

    def known(self, idempotency: str) -> PointRow | None:
        """The row of the memory with an idempotency key; of a deleted one where none lives."""
        key = self._by_idempotency.get(idempotency, self._deleted_keys.get(idempotency))
        return None if key is None else self.rows[key]

    def next_turn(self, thread: str) -> int:
        """The place after the thread's last; 0 for a memory outside threads."""
        if self._next_turn is None:
            self._next_turn = {}
            for row in self.rows.values():
                self._count_turn(row)
        return self._next_turn.get(thread, 0) if thread else 0

    def enter(self, row: PointRow, features: Features) -> None:
        """Add a memory."""
        self.rows[row.key] = row
        self._by_id[row.id] = row.key
        self._count_turn(row)
        if row.live:
            self._count(row, features, 1)
        else:
            self._keep_key(row)

    def replace(self, row: PointRow, before: Features, after: Features) -> None:
        """Replace a live memory by its new version."""
        old = self.rows[row.key]
        self._count(old, before, -1)
        self.rows[row.key] = row
        self._count(row, after, 1)
        if row.thread != old.thread:
            self._next_turn = None

    def bury(self, row: PointRow, features: Features) -> None:
        """Replace a live memory by its deleted version."""
        self._count(self.rows[row.key], features, -1)
        self.rows[row.key] = row
        self._keep_key(row)

    def revive(self, row: PointRow, features: Features) -> None:
        """Replace a deleted memory by its live version."""
        self._drop_key(self.rows[row.key])
        self.rows[row.key] = row
        self._count(row, features, 1)
        self._next_turn = None

    def forget(self, keys: Iterable[int]) -> None:
        """Remove deleted memories and their links for good."""
        for key in keys:
            row = self.rows.pop(key)
            self._drop_key(row)
            del self._by_id[row.id]
            self.purged.append((row.version, key))
        self.links = {link for link in self.links if link[0] in self.rows and link[1] in self.rows}
        self._next_turn = None

    def removed(self, since: int) -> list[int]:
        """The keys of memories deleted after a version, ascending."""
        buried = [(row.version, row.key) for row in self.rows.values() if not row.live]
        return sorted(key for version, key in [*self.purged, *buried] if version > since)

    def _count(self, row: PointRow, features: Features, sign: int) -> None:
        """Add a live memory to the user's counts, or remove it."""
        if row.idempotency is not None:
            if sign > 0:
                self._by_idempotency[row.idempotency] = row.key
            elif self._by_idempotency.get(row.idempotency) == row.key:
                del self._by_idempotency[row.idempotency]
        words = features.stems.split()
        self.documents += sign
        self.words += sign * len(words)
        _add(self.terms, np.frombuffer(features.terms, "<u4").tolist(), sign)
        _add(self.stems, set(words), sign)
        vector = np.frombuffer(features.vector, np.int8).astype(np.int64)
        self.vector_sum = added(self.vector_sum, sign * vector)

    def _keep_key(self, row: PointRow) -> None:
        """Keep the idempotency key of a deleted memory; documents are removed and added again."""
        if row.idempotency is not None and row.family != FAMILY_OF["document"]:
            self._deleted_keys.setdefault(row.idempotency, row.key)

    def _drop_key(self, row: PointRow) -> None:
        if row.idempotency is not None and self._deleted_keys.get(row.idempotency) == row.key:
            del self._deleted_keys[row.idempotency]

    def _count_turn(self, row: PointRow) -> None:
        if self._next_turn is not None:
            self._next_turn[row.thread] = max(self._next_turn.get(row.thread, 0), row.turn + 1)


def is_within(scope: Scope, row: PointRow) -> bool:
    """Whether a memory of the scope's user is in the scope."""
    return scope.agent_id in (None, row.agent) and scope.session_id in (None, row.session)


def _add(counts: Counter[T], things: Iterable[T], sign: int) -> None:
    for thing in things:
        counts[thing] += sign
        if not counts[thing]:
            del counts[thing]
