"""What a service must offer: points with payloads, in collections. One small protocol for each part."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.stores.points.conditions import Condition
from recollect.types import Kind

Payload = Mapping[str, Any]
"""What a service keeps of a point beside its vectors."""

Family = str
"""Kinds that are kept together."""

FAMILY_OF: Mapping[Kind, Family] = {
    "message": "messages",
    "episode": "messages",
    "thought": "thoughts",
    "fact": "thoughts",
    "procedure": "thoughts",
    "document": "documents",
    "task": "tasks",
}
"""The family of each kind (after specs/chloe.md)."""


class Point(NamedTuple):
    """A point as a store writes it: a UUID and a payload. The vectors follow from a memory's ``features``."""

    id: str
    payload: Payload


class Wanted(NamedTuple):
    """Which points a search returns.

    Attributes:
        where: Conditions that they all meet.
        limit: How many at most; fewer only when there are no more, or the service gives no more.
        fields: Fields that are read at least.
    """

    where: Sequence[Condition]
    limit: int
    fields: Sequence[str]


class Connection(Protocol):
    """The calls a store makes; each raises errors of ``recollect.errors`` alone."""

    @property
    def name(self) -> str:
        """What messages call the store; without its key."""

    @property
    def part(self) -> int:
        """How many characters of the journal fit into one point, however they are encoded."""

    def put(self, collection: str, points: Sequence[Point]) -> None:
        """Write points over whatever has their ids."""

    def drop(self, collection: str, ids: Sequence[str]) -> None:
        """Remove points; missing ones are ignored."""

    def forget(self) -> None:
        """Remove what was dropped from the files, where the store has access to them."""

    def settle(self) -> None:
        """Return when every later read sees what was put and dropped."""

    def fetch(self, collection: str, ids: Sequence[str], fields: Sequence[str]) -> list[Payload]:
        """At least some fields of the points with these ids, in any order; missing ones are left out."""

    def walk(
        self, collection: str, where: Sequence[Condition], fields: Sequence[str] | None = None
    ) -> Iterator[Payload]:
        """At least some fields, or all, of all points that meet all conditions."""

    def best(self, collection: str, weights: Mapping[int, float], wanted: Wanted) -> list[Payload]:
        """The wanted points that have any of some words, highest weights (see ``stem_number``) first."""

    def nearest(self, collection: str, vector: NDArray[np.float32], wanted: Wanted) -> list[Payload]:
        """The wanted points, those whose embeddings are most like a vector first."""

    def close(self) -> None:
        """Release it."""


class Collections(Protocol):
    """The collections of memories of one epoch."""

    def name(self, family: Family, tenant: str) -> str:
        """The collection of a family of a user."""

    def of(self, tenant: str) -> Iterable[str]:
        """The collections a user's memories are in."""

    def names(self) -> Iterable[str]:
        """All collections there are."""

    def make(self, family: Family, *, size: int) -> None:
        """Make the collection for memories of a family, with vectors of a size, if it is missing.

        Raises:
            EmbedderMismatchError: Vectors of that size do not fit.
        """


class Layout(Protocol):
    """Where a store is in a service."""

    @property
    def ledger(self) -> str:
        """The collection of everything but memories."""

    def make_ledger(self) -> None:
        """Make the ledger when it is missing.

        Raises:
            StoreFormatError: Another program has it.
        """

    def at(self, epoch: int) -> Collections:
        """The collections of memories after so many exchanges of vectors."""

    def clear(self, epoch: int) -> None:
        """Remove the collections of an epoch."""
