"""``MemoryStore``: the two memories, and what moves between them."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import MAX_TOP_K, check_count, check_seconds
from recollect.memory.changes.retrieval_log import RetrievalLog
from recollect.memory.memory import Memory
from recollect.presets.semem.interaction import Interaction, RetrievedInteraction, interaction_of
from recollect.types import MemoryRecord, Recollection, Tier

SHORT_TERM: Final[Sequence[Tier]] = ("working", "short-term")
LONG_TERM: Final[Sequence[Tier]] = ("long-term",)
_SAID: Final = {"kind": {"ne": "document"}}


class MemoryStore:
    """Semem's two memories of one user. Nothing is kept in this object.

    Args:
        memory: The engine, opened with ``StrengthScoring``; see ``MemoryManager``.
        user_id: Whose.
        embed: Makes the vector of a text as it is stored.
        promote_after: An interaction accessed more often than this becomes long-term.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str,
        embed: Callable[[str], NDArray[np.float32]],
        promote_after: int,
    ) -> None:
        self._memory = memory
        self._user_id = user_id
        self._embed = embed
        self._log: Final[RetrievalLog] = memory.lifecycle.retrievals(
            user_id=user_id, promote_after=promote_after
        )

    @property
    def short_term_memory(self) -> list[Interaction]:
        """The short-term memory, oldest first; archived interactions are in neither memory."""
        return self._in(SHORT_TERM)

    @property
    def long_term_memory(self) -> list[Interaction]:
        """The long-term memory, oldest first."""
        return self._in(LONG_TERM)

    @property
    def retrievals(self) -> int:
        """How many retrievals there were."""
        return self._log.count

    def get(self, interaction_id: str) -> Interaction:
        """One interaction.

        Raises:
            NotFoundError: There is none with this id.
        """
        (found,) = self._interactions([self._memory.get(interaction_id, user_id=self._user_id)])
        return found

    def retrieve(self, query: str, *, top_k: int = 10, threshold: float = 0.0) -> list[RetrievedInteraction]:
        """The interactions that come back for a query, the highest retrieval score first.

        They are counted: their access count and decay factor rise, that of every other falls, and those that
        were accessed often enough become long-term (``classify_memory``).

        Args:
            query: The question.
            top_k: How many at most.
            threshold: Only scores of at least this.

        Raises:
            InvalidInputError: An argument cannot be used; nothing was counted.
        """
        least = check_seconds("threshold", threshold)
        found = self._memory.search(
            query,
            user_id=self._user_id,
            top_k=check_count("top_k", top_k, most=MAX_TOP_K),
            filters=_SAID,
            collapse=False,
        )
        kept = {hit.memory.id: hit for hit in found if hit.score >= least}
        return self._retrieved(kept)

    def begin(self, interaction_id: str) -> None:
        """Say that an interaction was just added; see ``RetrievalLog.begin``."""
        self._log.begin([interaction_id])

    def track(self, ids: Sequence[str]) -> None:
        """Count a retrieval that returned some interactions."""
        self._log.track(ids)

    def classify_memory(self) -> int:
        """Move every interaction that was accessed often enough into the long-term memory; returns how many.

        Each moves once. ``retrieve`` does so with what it returns.
        """
        return self._log.promote()

    def _retrieved(self, hits: dict[str, Recollection]) -> list[RetrievedInteraction]:
        records = {record.id: record for record in self._log.track(list(hits))}
        there = [hit for memory_id, hit in hits.items() if memory_id in records]
        interactions = self._interactions([records[hit.memory.id] for hit in there])
        return [
            RetrievedInteraction(interaction=one, score=hit.score, signals=hit.signals, terms=hit.terms)
            for one, hit in zip(interactions, there, strict=True)
        ]

    def _in(self, tiers: Sequence[Tier]) -> list[Interaction]:
        where = {"tier": {"in": list(tiers)}}
        return self._interactions(self._memory.get_all(user_id=self._user_id, filters=where))

    def _interactions(self, records: Sequence[MemoryRecord]) -> list[Interaction]:
        factors = self._log.factors(records)
        return [
            interaction_of(record, decay_factor=factor, embed=self._embed)
            for record, factor in zip(records, factors, strict=True)
        ]
