"""``memory.lifecycle``: archiving, importance, thresholds, intents, and the candidates of a question."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import (
    NO_LIMIT,
    check_count,
    check_name,
    check_names,
    check_one_or_more,
    check_seconds,
    check_share,
    if_given,
)
from recollect.errors import InvalidInputError, as_given
from recollect.learning.intents import THRESHOLD as INTENT_THRESHOLD
from recollect.learning.intents.intents import Intents
from recollect.lifecycle.archival import ARCHIVED, DEFAULT_POLICY, ArchivalPolicy
from recollect.lifecycle.retrievals import PROMOTED_AFTER
from recollect.lifecycle.thresholds import ThresholdManager
from recollect.memory.changes.archive import Archivist, Tidied
from recollect.memory.changes.retrieval_log import RetrievalLog
from recollect.memory.changes.revise import features_in
from recollect.memory.parts import Parts
from recollect.protocols import Entry, Maintenance
from recollect.retrieval.candidates import Candidates
from recollect.retrieval.request import read_request
from recollect.text.context_type import ContextType
from recollect.types import Kind, MemoryRecord, Scope, Within
from recollect.types.guesses import corrects_guesses

_PAGE: Final = 500
"""Memories changed in one transaction when all are. Chosen by hand."""


@corrects_guesses
class Lifecycle:
    """What becomes of memories with time and use; see ``Memory.lifecycle``."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def tidy(
        self,
        *,
        user_id: str,
        policy: ArchivalPolicy = DEFAULT_POLICY,
        not_within_s: float = 0.0,
        most: int | None = None,
    ) -> Tidied:
        """Archive old, little used or surplus memories, and delete those archived for long enough.

        Nothing is removed for good: see ``purge``. What is used or set critical meanwhile stays.

        Args:
            user_id: Whose memories.
            policy: When; see ``recollect.lifecycle.archival.ArchivalPolicy``.
            not_within_s: Do nothing when it was finished so short a while ago.
            most: Archive at most so many, to be quick; the next call goes on.
        """
        if not isinstance(policy, ArchivalPolicy):
            raise InvalidInputError(f"policy must be an ArchivalPolicy, not {as_given(policy)}")
        tidied = Archivist(self._parts, user_id).tidy(
            policy,
            not_within_s=check_seconds("not_within_s", not_within_s),
            most=None if most is None else check_count("most", most, most=10**9),
        )
        if tidied.deleted and isinstance(self._parts.store, Maintenance):
            self._parts.store.compact()
        return tidied

    def untidy(self, memory_ids: Sequence[str], *, user_id: str, reason: str | None = None) -> int:
        """Bring back what ``tidy`` archived; returns how many memories were brought back.

        Args:
            memory_ids: ``Tidied.ids``, or any archived memories.
            user_id: Whose they are.
            reason: Why, for the history.

        Raises:
            NotFoundError: This user has no memory with one of these ids; nothing was changed.
        """
        why = check_name("reason", reason)
        archivist = Archivist(self._parts, user_id)
        archived = [
            one
            for one in check_one_or_more("memory_ids", memory_ids)
            if self._parts.get(one, user_id=user_id).tier == ARCHIVED
        ]
        return sum(archivist.unarchive(one, reason=why) is not None for one in archived)

    def relabel(self, *, user_id: str | None = None) -> int:
        """Label all memories again, as after an upgrade that finds more; returns how many.

        Approved tags stay, and so do importances that were given. Priorities are those of the words.
        Nothing is embedded again.

        Args:
            user_id: Only this user's; by default everyone's.
        """
        users = self._parts.store.user_ids() if user_id is None else [user_id]
        return sum(self._relabel(self._parts.scope(user)) for user in users)

    def thresholds(
        self, *, user_id: str, thresholds: Mapping[ContextType, float] | None = None
    ) -> ThresholdManager:
        """How high a memory must score to be activated, by kind of context, learned from feedback.

        Args:
            user_id: Whose.
            thresholds: Where they begin, as far as they are not to be Shadow Memory's.

        Raises:
            InvalidInputError: A kind of context is unknown, or a threshold is not within 0 to 1.
        """
        return ThresholdManager(
            self._parts.store, self._parts.scope(user_id), thresholds=thresholds, clock=self._parts.clock
        )

    def retrievals(self, *, user_id: str, promote_after: int = PROMOTED_AFTER) -> RetrievalLog:
        """Counts what retrievals return, as Semem does: it is strengthened, what they pass over is weakened.

        ``search`` counts nothing by itself.

        Args:
            user_id: Whose.
            promote_after: A short-term memory accessed more often than this becomes long-term.
        """
        return RetrievalLog(
            self._parts.store,
            self._parts.scope(user_id),
            indexer=self._parts.indexer,
            clock=self._parts.clock,
            promote_after=check_count("promote_after", promote_after, most=10**9),
        )

    def intents(self, *, user_id: str, threshold: float = INTENT_THRESHOLD) -> Intents:
        """What was learned about what this user wants when they say something; keep the object to be fast.

        Args:
            user_id: Whose.
            threshold: Below this confidence, 0 to 1, an intent is ``unknown``.
        """
        scope, least = self._parts.scope(user_id), check_share("threshold", threshold)
        return Intents(
            self._parts.store,
            scope,
            embedder=self._parts.embedder,
            analyser=self._parts.analyser,
            clock=self._parts.clock,
            threshold=least,
        )

    def candidates(
        self,
        query: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        top_k: int | None = None,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        within: Within | None = None,
        embedding: Sequence[float] | NDArray[np.float32] | None = None,
        topics: Sequence[str] | None = None,
    ) -> Candidates:
        """Every memory with its score for a question, best first, without reading what they say.

        For looking at what a search considers, and for choosing by score. A scoring that weighs records
        (``HybridScoring``) gives what it ranks them by before that.

        Args:
            query: The question, in plain words.
            user_id: As in ``search``, and so on.
            agent_id: As in ``search``.
            session_id: As in ``search``.
            top_k: How many at most; None for all.
            filters: As in ``search``.
            kinds: As in ``search``.
            within: As in ``search``.
            embedding: The question's vector, if you have it; by default it is made. Scaled to unit length.
            topics: What the question is about, for a scoring that looks at topics; by default they are
                found in its words.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        scope = self._parts.scope(user_id, agent_id, session_id)
        request = replace(
            read_request(
                query,
                now=self._parts.clock(),
                seen=self._parts.projects.seen_by(scope),
                filters=filters,
                kinds=kinds,
                within=within,
                embedding=embedding,
            ),
            top_k=NO_LIMIT if top_k is None else check_count("top_k", top_k, most=NO_LIMIT),
            topics=if_given(check_names, "topics", topics),
        )
        return self._parts.recall.candidates(scope, request)

    def _relabel(self, user: Scope) -> int:
        features = features_in(self._parts.store.shadow(user, 0).rows)

        def relabelled(before: MemoryRecord) -> Entry:
            return self._parts.reviser.relabel(before, features[before.id], self._parts.clock())

        ids = list(features)
        total = 0
        for start in range(0, len(ids), _PAGE):
            page = ids[start : start + _PAGE]
            done = self._parts.store.update(user, page, relabelled, reason="its words were read anew")
            total += sum(record is not None for record in done)
        return total
