"""``MemoryStore``: the two memories, and what moves between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import MAX_TOP_K, check_count, check_seconds
from recollect.lifecycle.retrievals import MOST_FACTOR
from recollect.memory.changes.retrieval_log import RetrievalLog
from recollect.memory.memory import Memory
from recollect.presets.semem.interaction import Interaction, RetrievedInteraction, interaction_of
from recollect.presets.semem.json_file import FileInteraction
from recollect.protocols import Entry
from recollect.retrieval.clusters.clusters import Clusters
from recollect.types import MemoryRecord, Recollection, Tier, Within

SHORT_TERM: Final[Sequence[Tier]] = ("working", "short-term")
LONG_TERM: Final[Sequence[Tier]] = ("long-term",)
_DOCUMENT: Final = "document"
_SAID: Final = {"kind": {"ne": _DOCUMENT}}


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

    def retrieve(
        self,
        query: str,
        *,
        top_k: int = 10,
        threshold: float = 0.0,
        exclude_last: int = 0,
        from_cluster: int = 0,
    ) -> list[RetrievedInteraction]:
        """The interactions that come back for a query, the highest retrieval score first.

        They are counted: their access count and decay factor rise, that of every other falls, and those that
        were accessed often enough become long-term (``classify_memory``).

        Args:
            query: The question.
            top_k: How many at most.
            threshold: Only scores of at least this; Semem's 40 is 0.4 here.
            exclude_last: So many of the last interactions stay out, as a prompt has them anyway.
            from_cluster: So many more may come from the cluster nearest to the query, by meaning alone and
                after the others: what age took from the retrieval score, but is about the same.

        Raises:
            InvalidInputError: An argument cannot be used; nothing was counted.
        """
        least = check_seconds("threshold", threshold)
        more = check_count("from_cluster", from_cluster, least=0, most=MAX_TOP_K)
        last = self._last(check_count("exclude_last", exclude_last, least=0, most=MAX_TOP_K))
        found = self._memory.search(
            query,
            user_id=self._user_id,
            top_k=check_count("top_k", top_k, most=MAX_TOP_K),
            filters=_SAID,
            collapse=False,
            within=Within(exclude_ids=last),
        )
        kept = {hit.memory.id: hit for hit in found if hit.score >= least}
        if more:
            kept |= {hit.memory.id: hit for hit in self._near(query, {*kept, *last}, limit=more)}
        return self._retrieved(kept)

    def known(self, ids: Sequence[str]) -> set[str]:
        """Those of some ids that are interactions of this memory."""
        parts = self._memory.parts
        found = parts.store.get(parts.scope(self._user_id), ids)
        return {record.id for record in found if record is not None}

    def take(self, given: Sequence[FileInteraction], items: Sequence[Mapping[str, object]]) -> int:
        """Store interactions of a file with their use; returns how many are new.

        Args:
            given: The interactions.
            items: The same as items for ``Memory.add``.
        """
        results = self._memory.add(list(items), user_id=self._user_id) if items else []
        new = {
            str(result.id): one
            for one, result in zip(given, results, strict=True)
            if result.status in ("stored", "redacted")
        }
        parts = self._memory.parts

        def change(before: MemoryRecord) -> Entry:
            return parts.indexer.entry(self._used(before, new[before.id]))

        parts.store.update(parts.scope(self._user_id), list(new), change, action="use")
        return len(new)

    def _used(self, record: MemoryRecord, one: FileInteraction) -> MemoryRecord:
        """A record with the use that a file tells of; retrievals since then took nothing from it."""
        before = replace(record.use, access_count=one.access_count - 1, decay_factor=1.0)
        now = replace(record, use=before, times=replace(record.times, accessed_at=one.accessed_at))
        (taken,) = self._log.factors([now])
        factor = min(one.decay_factor / taken, MOST_FACTOR)
        return replace(now, tier=one.memory_type, use=replace(before, decay_factor=factor))

    def _near(self, query: str, known: set[str], *, limit: int) -> list[Recollection]:
        """The interactions of the nearest cluster that are not known yet, the nearest first."""
        hits = self._clusters.search(query, top_k=min(limit + len(known), MAX_TOP_K), probes=1)
        new = [hit for hit in hits if hit.memory.id not in known and hit.memory.kind != _DOCUMENT]
        return new[:limit]

    def _last(self, count: int) -> list[str]:
        """The ids of the last interactions."""
        if not count:
            return []
        last = self._memory.get_all(user_id=self._user_id, filters=_SAID, limit=count, newest_first=True)
        return [record.id for record in last]

    @cached_property
    def _clusters(self) -> Clusters:
        return self._memory.graph.clusters(user_id=self._user_id)

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
