"""Counts over memories: the same arithmetic in every store."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Census, Statistics

VECTOR_SUM: Final = np.dtype("<i8")
"""How a store keeps each number of ``Statistics.vector_sum``."""


class Tally(NamedTuple):
    """How often things occur in some memories.

    Attributes:
        documents: How many memories.
        terms: ``uint32`` term hashes, ascending, each once.
        counts: ``int64``: how many of the memories hold each term.
        vector_sum: ``int64``, the sum of their vectors.
    """

    documents: int
    terms: NDArray[np.uint32]
    counts: NDArray[np.int64]
    vector_sum: NDArray[np.int64]

    @classmethod
    def of(cls, features: Iterable[tuple[bytes, bytes]]) -> Self:
        """The tally of memories, each given by its terms and its vector (see ``Features``)."""
        pairs = list(features)
        if len(pairs) == 1:
            ((terms_of_one, vector),) = pairs
            terms = np.frombuffer(terms_of_one, "<u4").astype(np.uint32)
            total = np.frombuffer(vector, np.int8).astype(np.int64)
            return cls(1, terms, np.ones(len(terms), np.int64), total)
        terms, counts = np.unique(
            np.frombuffer(b"".join(terms for terms, _ in pairs), "<u4"), return_counts=True
        )
        total = np.zeros(0, np.int64)
        for size in {len(vector) for _, vector in pairs}:
            same = b"".join(vector for _, vector in pairs if len(vector) == size)
            total = added(total, np.frombuffer(same, np.int8).reshape(-1, size).sum(0, dtype=np.int64))
        return cls(len(pairs), terms.astype(np.uint32), counts.astype(np.int64), total)

    def items(self) -> Iterable[tuple[int, int]]:
        """Each term with its count."""
        return zip(self.terms.tolist(), self.counts.tolist(), strict=True)


class RunningTally:
    """Counts over a user's memories, updated as they change."""

    def __init__(self, features: Iterable[tuple[bytes, bytes]]) -> None:
        self._documents = 0
        self._counts: dict[int, int] = {}
        self._vector_sum = np.zeros(0, np.int64)
        self.count(features, 1)

    def count(self, features: Iterable[tuple[bytes, bytes]], sign: Literal[1, -1]) -> None:
        """Add memories, or take them away.

        When all are taken away the next may have vectors of another length.
        """
        tally = Tally.of(features)
        self._documents += sign * tally.documents
        self._vector_sum = added(self._vector_sum, sign * tally.vector_sum)
        if not self._documents:
            self._vector_sum = np.zeros(0, np.int64)
        for term, times in tally.items():
            self._counts[term] = self._counts.get(term, 0) + sign * times

    def of(self, terms: Iterable[int]) -> Statistics:
        """The statistics, with how many memories hold each of these terms."""
        found = {term: count for term in terms if (count := self._counts.get(term))}
        return Statistics(documents=self._documents, frequencies=found, vector_sum=self._vector_sum.copy())


def added(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sum of two vectors; the shorter is filled up with zeros."""
    if len(one) < len(other):
        one, other = other, one
    total = one.copy()
    total[: len(other)] += other
    return total


def census_sql(conditions: str, moments: int, *, mark: str) -> str:
    """The query for a census: a row of kind, tier, count and, for each moment, how many were stored since.

    Args:
        conditions: Which rows of ``memories AS m`` count.
        moments: How many there are; their values, in microseconds, come before those of the conditions.
        mark: The driver's placeholder.
    """
    since = "".join(f", sum(CASE WHEN m.created_at >= {mark} THEN 1 ELSE 0 END)" for _ in range(moments))
    counted = f"SELECT m.kind, m.tier, count(*){since} FROM memories AS m"
    return f"{counted} WHERE {conditions} GROUP BY m.kind, m.tier"


def census_of(rows: Sequence[Sequence[Any]], moments: int, *, users: int | None) -> Census:
    """The census of the rows of ``census_sql``; without ``users`` they are those of one user."""
    kinds, tiers, since = Counter[str](), Counter[str](), [0] * moments
    for kind, tier, count, *later in rows:
        kinds[kind] += count
        tiers[tier] += count
        since = [before + int(more) for before, more in zip(since, later, strict=True)]
    return Census(users=int(bool(rows)) if users is None else users, kinds=kinds, tiers=tiers, since=since)
