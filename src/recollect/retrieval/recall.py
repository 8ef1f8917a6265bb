"""Recall: from a question to recollections, through the shadows of a store."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import partial
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.codec import to_micros
from recollect.errors import InvalidInputError
from recollect.filters import EVERYTHING, AllOf, Filter, by_ids, narrowing
from recollect.proposing import propose
from recollect.protocols import Embedder, ShadowDelta, StateStore, Store, TextSearch
from recollect.retrieval.candidates import Candidates
from recollect.retrieval.core import CoreShadows, Sort
from recollect.retrieval.question import Question, read_question
from recollect.retrieval.rank import Ranker, Ranking
from recollect.retrieval.score import NOTHING
from recollect.retrieval.scoring import Scoring, StateReading
from recollect.retrieval.sessions import (
    Conversations,
    SessionKey,
    Told,
    conversations,
    told_by_session,
)
from recollect.retrieval.shadow import Shadow
from recollect.retrieval.shadows import Shadows, ranker_of
from recollect.retrieval.surroundings import LEARNED
from recollect.text.analyse import Analyser
from recollect.types import KINDS, TIERS, Core, Kind, MemoryRecord, Recollection, Scope, Tier

_T = TypeVar("_T")
_BYTES_PER_ROW: Final = 700
"""What a row of a shadow takes with its postings and surroundings at 256 dimensions; measured at 100,000."""
_CANDIDATES: Final = 500
"""Memories proposed by each of a store's indexes in a scope too large to shadow. Chosen by hand."""
_SPARE: Final = 10
"""Memories ranked besides those asked for, in place of what only repeats others. Chosen by hand."""
SEARCHED: Final[tuple[Kind, ...]] = tuple(kind for kind in KINDS if kind != "document")
"""Kinds that are searched where none are named: documents are asked for by kind. Beside 800 chunks of
technical pages, R@10 of the turns of technical chats (BEAM) is 49.5 with the chunks and 52.4 without."""
_AROUND: Final = 2
"""Neighbours on each side that the score looks at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A search.

    Attributes:
        query: The question.
        top_k: How many at most.
        now: The present moment.
        threshold: Only scores of at least this, 0 to 1.
        where: Only memories that match.
        kinds: Only these kinds; None for ``SEARCHED``.
        tiers: Only these tiers; None for all but ``archived``.
        since: Only what happened at or after.
        until: Only what happened before.
        as_of: Only what held at that moment; None means now.
        ended: Also what no longer holds.
        exclude: Ids of memories that ``search`` leaves out.
        embedding: The question's vector, when it is known already; ``float32`` of shape ``(dim,)``.
        topics: What the question is about, when that is known; None leaves it to its words.
    """

    query: str
    top_k: int
    now: datetime
    threshold: float = 0.0
    where: Filter = EVERYTHING
    kinds: Sequence[Kind] | None = None
    tiers: Sequence[Tier] | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    ended: bool = False
    exclude: Sequence[str] = ()
    embedding: NDArray[np.float32] | None = None
    topics: Sequence[str] | None = None


class Recall:
    """Searches a store.

    Args:
        store: Where the memories are.
        embedder: Embeds questions as it embedded the memories.
        analyser: Cuts questions into words as it cut the memories.
        shadow_limit_bytes: How much memory the shadows may take together. The least recently asked
            are dropped; a user whose shadow alone is larger is searched through the store's text index.
        check_embedder: Called when the store's vectors were made anew; raises if not by ours.
        scoring: How memories are ranked.
        timezone: Where "yesterday" begins.
    """

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder,
        analyser: Analyser,
        shadow_limit_bytes: int,
        check_embedder: Callable[[], None],
        scoring: Scoring,
        timezone: tzinfo,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._analyser = analyser
        self._check_embedder = check_embedder
        self._shadows = Shadows(
            store, analyser=analyser, limit_bytes=shadow_limit_bytes, check_embedder=check_embedder
        )
        self._cores = CoreShadows(store, analyser=analyser, check_embedder=check_embedder)
        self._scoring = scoring
        self._timezone = timezone
        self._asked: tuple[str, NDArray[np.float32]] | None = None

    def search(self, scope: Scope, request: Request) -> list[Recollection]:
        """The best recollections, highest score first; equal scores in the order of their ids.

        Where no kinds are asked for, what was learned from a turn speaks for it: the turn stands in its
        place, with its score, or is found anyway. So what was learned helps to find what was said, and never
        takes the place of it.
        """
        question = self._read(scope, request)
        with self._ranker(scope, question, request) as ranker:
            if ranker is None:
                return []
            mask = self._mask(ranker, scope, request)
            spare = len(request.exclude) + (_SPARE if _speaks_for_turns(ranker.shadow, request) else 0)
            limit = max(request.top_k, self._scoring.candidates or 0) + spare
            ranking = self._scoring.rank(ranker, question, mask, limit=limit)
            ids = [ranker.shadow.id_of(row) for row in ranking.rows.tolist()]
        found = self._weighed(question, ranking, self._store.get(scope, ids))
        left = [
            one for one in found if one.memory.id not in request.exclude and one.score >= request.threshold
        ]
        return (self._spoken_for(scope, request, left) if request.kinds is None else left)[: request.top_k]

    def _spoken_for(
        self, scope: Scope, request: Request, found: Sequence[Recollection]
    ) -> list[Recollection]:
        """What was found, with turns in the place of what was learned from them; each turn once.

        What has no turn that may be returned stays: a fact whose conversation lies outside the scope.
        """
        sources = {it for one in found if _is_derived(one.memory) for it in one.memory.origin.sources}
        if not sources:
            return list(found)
        turns = self._turns(scope, request, sorted(sources))
        best: dict[str, Recollection] = {}
        for one in found:
            said = [turns[it] for it in one.memory.origin.sources if it in turns]
            if not _is_derived(one.memory) or not said:
                best.setdefault(one.memory.id, one)
            elif not any(turn.id in best for turn in said):
                best[said[0].id] = replace(one, memory=said[0])
        return list(best.values())

    def _turns(self, scope: Scope, request: Request, ids: Sequence[str]) -> dict[str, MemoryRecord]:
        """Those of some memories that a search may return."""
        within = narrowing(SEARCHED, tiers=_tiers(request), since=request.since, until=request.until)
        moment = request.as_of or request.now
        return {
            record.id: record
            for record in self._store.find(scope, AllOf((by_ids(ids), request.where, within)))
            if record.id not in request.exclude and _held_at(record, moment, request)
        }

    def candidates(self, scope: Scope, request: Request) -> Candidates:
        """Every memory that may be recalled with its score, best first; no memory is read.

        A scoring that weighs records gives what it ranks them by before.
        """
        question = self._read(scope, request)
        summaries = partial(self._store.summaries, scope)
        with self._ranker(scope, question, request) as ranker:
            if ranker is None:
                none, times = np.empty(0, "S1"), np.empty(0, np.int64)
                return Candidates(none, times, np.empty(0, np.int32), NOTHING, summaries=summaries)
            _check_size(request.embedding, ranker.shadow.vectors.dim)
            mask = self._mask(ranker, scope, request)
            limit = min(request.top_k, ranker.shadow.size)
            ranking = self._scoring.rank(ranker, question, mask, limit=limit)
            ids, accessed = ranker.shadow["ids"], ranker.shadow["accessed"]
        total = int(np.count_nonzero(mask))
        return Candidates(
            ids, accessed, ranking.rows, ranking.scored, summaries=summaries, total=total, usual=ranking.usual
        )

    def core(self, scope: Scope, request: Request, *, sort: Sort, most: int) -> Core:
        """What must be known whatever is asked: critical memories, and facts that ``sort`` puts into a part.

        Of the request its kinds, tiers, filters and moment hold for them, and what it excludes; not its
        threshold, ``since`` and ``until``, which say what a question is about.

        Args:
            scope: Whose; of a session only what was said in it, and facts learned from that.
            request: The question.
            sort: Tells the part of a fact.
            most: How many memories of a part are read at most.
        """
        asked = replace(request, since=None, until=None)
        agents = Scope(user_id=scope.user_id, agent_id=scope.agent_id)
        return self._cores.find(
            scope,
            self._analyser.query_stems(request.query),
            self._embedded(request.query),
            sort=sort,
            allowed=lambda ranker: self._mask(ranker, agents, asked),
            exclude=request.exclude,
            moment=request.as_of or request.now,
            most=most,
        )

    def place(
        self, scope: Scope, record: MemoryRecord, request: Request
    ) -> tuple[Recollection, int, int] | None:
        """How one memory fares for a question: its recollection, its rank from 1, of how many ranked.

        A scoring that weighs only some candidates ranks the memory among those. None when the request's
        filters exclude it.
        """
        question = self._read(scope, request)
        with self._ranker(scope, question, request) as ranker:
            row = None if ranker is None else _row_of(ranker.shadow, record.id)
            if ranker is None or row is None:
                return None
            mask = self._mask(ranker, scope, request)
            limit = self._scoring.candidates or ranker.shadow.size
            ranking = self._scoring.rank(ranker, question, mask, limit=limit, also=row)
            ids = [ranker.shadow.id_of(one) for one in ranking.rows.tolist()]
        if self._scoring.candidates is None:
            found = np.flatnonzero(ranking.rows == row)
            place = int(found[0]) if found.size else None
            return None if place is None else (_recollection(record, ranking, place), place + 1, len(ids))
        weighed = self._weighed(question, ranking, self._store.get(scope, ids))
        places = [place for place, one in enumerate(weighed) if one.memory.id == record.id]
        return (weighed[places[0]], places[0] + 1, len(weighed)) if places else None

    def _weighed(
        self, question: Question, ranking: Ranking, records: Sequence[MemoryRecord | None]
    ) -> list[Recollection]:
        """The recollections of what was ranked, with their final scores, best first.

        Where ranking decides alone its order stands: it may tell scores apart that no number can hold.
        """
        found = [
            _recollection(record, ranking, place)
            for place, record in enumerate(records)
            if record is not None
        ]
        if self._scoring.candidates is None:
            return list(self._scoring.weigh(question, found))
        return sorted(self._scoring.weigh(question, found), key=lambda one: (-one.score, one.memory.id))

    def ranked_by(self, scoring: Scoring) -> "Recall":
        """The same memories, and the same shadows of them, ranked in another way."""
        other = copy(self)
        other._scoring = scoring  # noqa: SLF001 - of its own class
        return other

    def conversations(self, scope: Scope, *, without: str | None = None) -> Conversations:
        """The conversations that lie behind a user, all agents', without one session."""
        return self._told(scope, partial(conversations, without=without), Conversations())

    def sessions(self, scope: Scope) -> dict[SessionKey, Told]:
        """What the messages of a user tell of each session, all agents'."""
        return self._told(scope, told_by_session, {})

    def _told(self, scope: Scope, tell: Callable[[Shadow], _T], nothing: _T) -> _T:
        """What a user's shadow tells."""
        version = self._store.shadow_version(scope)
        if not version:
            return nothing
        if scope.user_id not in self._shadows and self._too_large(scope):
            shadow = Shadow()
            shadow.apply(self._store.shadow(scope, 0))
            return tell(shadow)
        with self._shadows.ranker(scope, version) as ranker:
            return tell(ranker.shadow)

    def forget(self) -> None:
        """Drop every shadow; they are read anew when needed."""
        self._shadows.forget()
        self._cores.forget()
        self._asked = None

    def _embedded(self, query: str) -> NDArray[np.float32]:
        """The vector of a question; that of the last one is kept, for a context asks it twice."""
        asked = self._asked
        if asked is None or asked[0] != query:
            self._asked = asked = (query, self._embedder.embed_query(query))
        return asked[1]

    def _read(self, scope: Scope, request: Request) -> Question:
        question = read_question(
            request.query,
            analyser=self._analyser,
            embedder=self._embedder,
            now=request.now,
            timezone=self._timezone,
            embedding=self._embedded(request.query) if request.embedding is None else request.embedding,
            topics=request.topics,
        )
        if isinstance(self._scoring, StateReading) and isinstance(self._store, StateStore):
            return replace(question, kept=self._store.state(scope, self._scoring.state))
        return question

    def _mask(self, ranker: Ranker, scope: Scope, request: Request) -> NDArray[np.bool_]:
        """Which rows may be returned."""
        shadow = ranker.shadow
        moment = to_micros(request.as_of or request.now)
        mask: NDArray[np.bool_] = shadow["alive"].copy()
        if ranker.expires and not request.ended:
            mask &= shadow["valid_until"] > moment
        for column, value in (("agent", scope.agent_id), ("session", scope.session_id)):
            if value is not None:
                mask &= shadow[column] == shadow.names[column].numbers.get(value, -1)
        numbers = shadow.names["kind"].numbers
        if request.kinds is not None or "document" in numbers:
            kinds = SEARCHED if request.kinds is None else request.kinds
            mask &= np.isin(shadow["kind"], [numbers.get(kind, -1) for kind in kinds])
        if ranker.has_archived or request.tiers is not None:
            numbers = shadow.names["tier"].numbers
            mask &= np.isin(shadow["tier"], [numbers.get(tier, -1) for tier in _tiers(request)])
        if request.as_of is not None:
            mask &= shadow["valid_from"] <= moment
        if request.since is not None:
            mask &= shadow["happened"] >= to_micros(request.since)
        if request.until is not None:
            mask &= shadow["happened"] < to_micros(request.until)
        if request.where != EVERYTHING:
            mask &= np.isin(shadow["keys"], self._store.match(scope, request.where))
        return mask

    @contextmanager
    def _ranker(self, scope: Scope, question: Question, request: Request) -> Iterator[Ranker | None]:
        """Ranks the user's memories as they are now; None for a user without memories.

        Of a user too large to shadow it ranks what the store's text index proposes for the question.
        """
        version = self._store.shadow_version(scope)
        if not version:
            yield None
        elif scope.user_id not in self._shadows and (total := self._too_large(scope)):
            yield self._candidates(scope, question, request, total=total)
        else:
            with self._shadows.ranker(scope, version) as ranker:
                yield ranker

    def _too_large(self, scope: Scope) -> int:
        """How many memories a user has that is too large to shadow; 0 for the others."""
        if not isinstance(self._store, TextSearch):
            return 0
        total = self._store.count(Scope(user_id=scope.user_id))
        return total if total * _BYTES_PER_ROW > self._shadows.limit_bytes else 0

    def _candidates(self, scope: Scope, question: Question, request: Request, *, total: int) -> Ranker:
        """A small shadow of what the store's indexes propose, with neighbours."""
        self._check_embedder()
        kinds = SEARCHED if request.kinds is None else request.kinds
        within = narrowing(kinds, tiers=_tiers(request), since=request.since, until=request.until)
        where = AllOf((request.where, within))
        stems, vector = question.stems, question.vector
        assert isinstance(self._store, TextSearch)  # noqa: S101 - _too_large looked
        rows = propose(self._store, scope, stems, vector, limit=_CANDIDATES, around=_AROUND, where=where)
        shadow = Shadow()
        shadow.apply(ShadowDelta(version=1, rows=rows, removed=np.empty(0, np.int64)))
        return ranker_of(shadow, self._analyser, total=total)


def _tiers(request: Request) -> Sequence[Tier]:
    """The tiers that are meant: what is archived is not recalled, unless it is asked for."""
    return [tier for tier in TIERS if tier != "archived"] if request.tiers is None else request.tiers


def _speaks_for_turns(shadow: Shadow, request: Request) -> bool:
    """Whether what was learned may be found, and turns stand in its place: then some stand twice."""
    return request.kinds is None and not LEARNED.isdisjoint(shadow.names["kind"].numbers)


def _is_derived(record: MemoryRecord) -> bool:
    return record.kind in LEARNED


def _held_at(record: MemoryRecord, moment: datetime, request: Request) -> bool:
    """Whether a memory holds at a moment, as the mask of a search sees it."""
    times = record.times
    begins = times.valid_from or times.happened_at
    has_begun = request.as_of is None or begins <= moment
    return has_begun and (request.ended or times.valid_until is None or times.valid_until > moment)


def _check_size(embedding: NDArray[np.float32] | None, dim: int) -> None:
    if embedding is not None and dim and len(embedding) != dim:
        raise InvalidInputError(
            f"embedding has {len(embedding)} dimensions and the memories {dim}; make it with their embedder"
        )


def _row_of(shadow: Shadow, memory_id: str) -> int | None:
    found = np.flatnonzero((shadow["ids"] == memory_id.encode()) & shadow["alive"])
    return int(found[0]) if found.size else None


def _recollection(record: MemoryRecord, ranking: Ranking, place: int) -> Recollection:
    scored = ranking.scored
    return Recollection(
        memory=record,
        score=float(scored.score[place]),
        signals={name: float(values[place]) for name, values in scored.signals.items()},
        terms={name: float(values[place]) for name, values in scored.terms.items()},
    )
