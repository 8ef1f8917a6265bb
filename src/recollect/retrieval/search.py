"""``Recall`` searches a store: it reads the question, ranks the shadow's rows and loads the best."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInputError
from recollect.protocols import Embedder, ShadowDelta, Store, TextSearch, propose
from recollect.retrieval.candidates import Candidates
from recollect.retrieval.core import Against, CoreShadows, Sort
from recollect.retrieval.hits import Hits
from recollect.retrieval.placement import placed
from recollect.retrieval.question import Question, read_question
from recollect.retrieval.rank import DefaultScoring, Ranker, Ranking, merged
from recollect.retrieval.relatives import COMPARED, Relatives, recollection
from recollect.retrieval.request import Request, rows_allowed, why_not_allowed
from recollect.retrieval.score import NOTHING
from recollect.retrieval.scoring import Scoring, StateReading
from recollect.retrieval.sessions import (
    PastConversations,
    SessionKey,
    Told,
    conversations,
    told_by_session,
)
from recollect.retrieval.shadow import Shadow
from recollect.retrieval.shadows import Shadows, ranker_of
from recollect.retrieval.supersession import ReplacedBy, Supersessions
from recollect.retrieval.surroundings import LEARNED
from recollect.text.analyse import Analyser
from recollect.text.overviews import matter_of
from recollect.types import Core, Kind, MemoryRecord, Recollection, Scope, Superseded
from recollect.types.filters import EVERYTHING, AllOf, Filter, narrowing

if TYPE_CHECKING:
    from recollect.retrieval.placement import Placement

_T = TypeVar("_T")
_BYTES_PER_ROW: Final = 700
"""What a row of a shadow takes with its postings and surroundings at 256 dimensions; measured at 100,000."""
_CANDIDATES: Final = 500
"""Memories proposed by each of a store's indexes in a scope too large to shadow. Chosen by hand."""
_SPARE: Final = 10
"""Memories ranked beyond those asked for, to replace repeats. Chosen by hand."""
_MORE: Final = 4
"""When too many are repeats, this many times more memories are ranked. Chosen by hand."""
LEAST_SCORE, LEAST_MEANING = 0.17, 0.24
"""Under both the best hits fit a question by chance. So do, among 15 to 110 turns of LoCoMo, 1 in 500 of the
questions that these turns answer and 3 in 4 of those about other people; with static vectors 1 in 160 and 1
in 3."""
A_FEW: Final = 10
"""With at most this many memories, the rarity of a word says little, so a fit by chance cannot be detected.
Chosen by hand."""
_AROUND: Final = 2
"""Neighbours on each side that the score looks at."""


class Recall:
    """Searches a store.

    Args:
        store: Where the memories are.
        embedder: Embeds questions as it embedded the memories.
        analyser: Cuts questions into words as it cut the memories.
        shadow_limit_bytes: How much memory the shadows may take together. The least recently asked
            are dropped; a user whose shadow alone is larger is searched through the store's text index.
        check_embedder: Called when the store's vectors were replaced; raises if not by ours.
        scoring: How memories are ranked.
        timezone: Where "yesterday" begins.
        replaced_by: Tells which facts and turns replaced a fact, and until when it held.
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
        replaced_by: ReplacedBy,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._analyser = analyser
        self._check_embedder = check_embedder
        self._shadows = Shadows(
            store, analyser=analyser, limit_bytes=shadow_limit_bytes, check_embedder=check_embedder
        )
        self._cores = CoreShadows(store, analyser=analyser, check_embedder=check_embedder)
        self._superseded = Supersessions(store, analyser=analyser, replaced_by=replaced_by)
        self._scoring = scoring
        self._timezone = timezone
        self._asked: tuple[str, NDArray[np.float32]] | None = None

    def fits_by_chance(self, found: Sequence[Recollection]) -> bool:
        """Whether a question finds no more than chance would; False for few hits and for other scorings."""
        if len(found) <= A_FEW or not isinstance(self._scoring, DefaultScoring):
            return False
        near = max((one.signals.get("meaning", 0.0) for one in found), default=0.0)
        return max((one.score for one in found), default=0.0) < LEAST_SCORE and near < LEAST_MEANING

    def search(self, scope: Scope, request: Request) -> list[Recollection]:
        """The best recollections, highest score first; equal scores as ``Memory.search`` says.

        Unless kinds are asked for, a fact or episode that matches returns the turn it was learned from, with
        its score.
        """
        hits, _ = self._hits(scope, request)
        return hits.found[: request.top_k]

    def _hits(self, scope: Scope, request: Request) -> tuple[Hits, bool]:
        """At least the hits of a search, and whether there are no more."""
        question = self._read(scope, request)
        limit = max(request.top_k, self._scoring.candidates or 0) + len(request.exclude)
        while True:
            hits, is_all = self._hits_among(scope, request, question, limit)
            if is_all or len(hits.found) >= request.top_k:
                return hits, is_all
            limit *= _MORE

    def _hits_among(
        self, scope: Scope, request: Request, question: Question, limit: int
    ) -> tuple[Hits, bool]:
        """The hits among a number of ranked memories, and whether there are no more."""
        with self._ranker(scope, question, request) as ranker:
            if ranker is None:
                return Hits(), True
            mask = self._mask(ranker, scope, request)
            twins = ranker.twins if request.collapse and len(ranker.twins.rows) else None
            most = limit + (_SPARE if twins or _speaks_for_turns(ranker.shadow, request) else 0)
            outdated = self._superseded.of(ranker.shadow, scope)
            replaced = outdated if isinstance(self._scoring, DefaultScoring) else {}  # presets rank without
            ranked = max(most, COMPARED) if replaced else most
            rankings = self._rankings(ranker, question, mask, limit=ranked)
            if request.kinds is not None:
                rankings = [merged(ranker.shadow, rankings, limit=ranked)]
            ids = [[ranker.shadow.id_of(row) for row in one.rows.tolist()] for one in rankings]
        read = [len(some[:most]) for some in ids]
        records = iter(self._store.get(scope, [one for some in ids for one in some[:most]]))
        parts = [
            self._weighed(question, one, list(islice(records, count)))
            for one, count in zip(rankings, read, strict=True)
        ]
        is_all = [
            (len(some) <= most and len(some) < ranked) or bool(part and part[-1].score < request.threshold)
            for some, part in zip(ids, parts, strict=True)
        ]
        found = list(placed(*parts, is_all=is_all[0])) if len(parts) > 1 else parts[0]
        kin = Relatives(self._store, scope, request, timezone=self._timezone)
        turns = kin.turns(found) if request.kinds is None else {}
        shown = [*(one.memory.id for one in parts[0]), *turns]
        hits = Hits(
            turns=turns,
            same=None if twins is None else partial(kin.same, twins, mask, question.wish.traits),
            later=kin.later(replaced, shown, rankings[0], ids[0], asked=question.stems),
            exclude=request.exclude,
            threshold=request.threshold,
        )
        hits.take(found)
        unmarked = [hit.memory for hit in hits.found if hit.superseded is None]
        hits.mark(kin.marks(unmarked, outdated, shown_as=hits.shown_as))
        return hits, all(is_all)

    def marks(self, scope: Scope, ids: Sequence[str], request: Request) -> dict[str, Superseded]:
        """By their ids the marks that a search would give memories that were chosen in another way.

        No other memories are read than turns whose words are outdated, and episodes.
        """
        with self._ranker(scope, self._read(scope, request), request) as ranker:
            outdated = {} if ranker is None else self._superseded.of(ranker.shadow, scope)
            if ranker is None or not outdated:
                return {}
            episodes = _ids_of_kind(ranker.shadow, "episode", ids)
        wanted = [one for one in ids if one in outdated or one in episodes]
        records = [one for one in self._store.get(scope, wanted) if one is not None] if wanted else []
        return Relatives(self._store, scope, request, timezone=self._timezone).marks(records, outdated)

    def _rankings(
        self,
        ranker: Ranker,
        question: Question,
        mask: NDArray[np.bool_],
        *,
        limit: int,
        also: int | None = None,
    ) -> list[Ranking]:
        """The best rows of messages and what was learned, and of documents where those may be returned."""
        if len(ranker.parts) == 1:
            return [self._scoring.rank(ranker, question, mask, limit=limit, also=also)]
        allowed = [(part, mask & part.member) for part in ranker.parts if part.member is not None]
        wanted = [one for one in allowed if one[1].any()] or allowed[:1]
        return [self._scoring.rank(part, question, its, limit=limit, also=also) for part, its in wanted]

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
            if request.exclude:
                mask &= ~np.isin(ranker.shadow["ids"], [one.encode() for one in request.exclude])
            limit = min(request.top_k, ranker.shadow.size)
            ranking = merged(ranker.shadow, self._rankings(ranker, question, mask, limit=limit), limit=limit)
            ids, accessed = ranker.shadow["ids"], ranker.shadow["accessed"]
        total = int(np.count_nonzero(mask))
        return Candidates(
            ids, accessed, ranking.rows, ranking.scored, summaries=summaries, total=total, usual=ranking.usual
        )

    def core(self, scope: Scope, request: Request, *, sort: Sort, against: Against, most: int) -> Core:
        """What must be known whatever is asked: critical memories, and facts that ``sort`` puts into a part.

        Of the request its kinds, tiers, filters and moment hold for them, and what it excludes; not its
        threshold, ``since`` and ``until``, which say what a question is about.

        Args:
            scope: Whose; of a session only what was said in it, and facts learned from that.
            request: The question.
            sort: Tells the part of a fact.
            against: Tells which facts a fact contradicts.
            most: How many memories of a part are read at most.
        """
        asked = replace(request, since=None, until=None)
        agents = Scope(user_id=scope.user_id, agent_id=scope.agent_id)
        return self._cores.find(
            scope,
            self._analyser.query_stems(request.query),
            self._embedded(request.query) if request.embedding is None else request.embedding,
            sort=sort,
            against=against,
            allowed=lambda ranker: self._mask(ranker, agents, asked),
            exclude=request.exclude,
            moment=request.moment,
            most=most,
        )

    def place(self, scope: Scope, record: MemoryRecord, request: Request) -> "Placement":
        """One memory's place among the hits of ``search``, or why it is not a hit.

        A scoring that weighs only some candidates has no hits beyond those of the request's ``top_k``.
        """
        from recollect.retrieval.placement import Placement, not_ranked, place_of

        if reason := why_not_allowed(record, scope, request):
            return Placement(reason=reason)
        own, ranked = self._own(scope, record, request)
        while True:
            hits, is_all = self._hits(scope, request)
            if record.id in hits.shown_as:
                return place_of(record, hits, own, ranked)
            if is_all or self._scoring.candidates is not None:
                return Placement(recollection=own, ranked=ranked, reason=not_ranked(own, ranked, request))
            request = replace(request, top_k=_MORE * request.top_k)

    def _own(self, scope: Scope, record: MemoryRecord, request: Request) -> tuple[Recollection | None, int]:
        """The recollection of one memory, whatever else is found, and how many memories are ranked."""
        question = self._read(scope, request)
        with self._ranker(scope, question, request) as ranker:
            row = None if ranker is None else _row_of(ranker.shadow, record.id)
            if ranker is None or row is None:
                return None, 0
            mask = self._mask(ranker, scope, request)
            limit = self._scoring.candidates or ranker.shadow.size
            rankings = self._rankings(ranker, question, mask, limit=limit, also=row)
            ranking = merged(ranker.shadow, rankings, limit=sum(len(one.rows) for one in rankings))
            place = np.flatnonzero(ranking.rows == row)
            ranked = int(np.count_nonzero(mask)) if self._scoring.candidates is None else limit
        if not place.size:
            return None, ranked
        own = recollection(record, ranking, int(place[0]))
        (weighed,) = self._scoring.weigh(question, [own])
        return weighed, ranked

    def _weighed(
        self, question: Question, ranking: Ranking, records: Sequence[MemoryRecord | None]
    ) -> list[Recollection]:
        """The ranked memories as recollections, with their final scores, best first.

        Where ranking decides alone its order stands: it may tell scores apart that no number can hold.
        """
        found = [
            recollection(record, ranking, place) for place, record in enumerate(records) if record is not None
        ]
        if self._scoring.candidates is None:
            return list(self._scoring.weigh(question, found))
        return sorted(self._scoring.weigh(question, found), key=lambda one: (-one.score, one.memory.id))

    def ranked_by(self, scoring: Scoring) -> "Recall":
        """A copy with the same shadows and another scoring."""
        other = copy(self)
        other._scoring = scoring  # noqa: SLF001 - of its own class
        return other

    def conversations(self, scope: Scope, *, without: str | None = None) -> PastConversations:
        """The conversations that lie behind a user, all agents', without one session."""
        return self._told(scope, partial(conversations, without=without), PastConversations())

    def sessions(self, scope: Scope, where: Filter = EVERYTHING) -> dict[SessionKey, Told]:
        """The sessions of a user by their messages that match, of all agents."""
        keys = None if where == EVERYTHING else self._store.match(scope, where)
        return self._told(scope, partial(told_by_session, keys=keys), {})

    def _told(self, scope: Scope, tell: Callable[[Shadow], _T], nothing: _T) -> _T:
        """The contents of a user's shadow."""
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
        """Drop every shadow; they are read again when needed."""
        self._shadows.forget()
        self._cores.forget()
        self._asked = None

    def _embedded(self, query: str) -> NDArray[np.float32]:
        """The vector of what a question is about; the last one is kept, since a context needs it twice."""
        asked = self._asked
        if asked is None or asked[0] != query:
            self._asked = asked = (query, self._embedder.embed_query(matter_of(query)))
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
        if isinstance(self._scoring, StateReading):
            return replace(question, kept=self._store.state(scope, self._scoring.state))
        return question

    def _mask(self, ranker: Ranker, scope: Scope, request: Request) -> NDArray[np.bool_]:
        """Which rows may be returned."""
        mask = rows_allowed(ranker, scope, request)
        if request.where != EVERYTHING:
            mask &= np.isin(ranker.shadow["keys"], self._store.match(scope, request.where))
        return mask

    @contextmanager
    def _ranker(self, scope: Scope, question: Question, request: Request) -> Iterator[Ranker | None]:
        """A ranker of the user's memories as they are now; None for a user without memories.

        For a user too large for a shadow it ranks the candidates of the store's indexes.
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
        within = narrowing(request.searched, tiers=request.recalled, since=request.since, until=request.until)
        where = AllOf((request.where, within))
        stems, vector = question.stems, question.vector
        assert isinstance(self._store, TextSearch)  # noqa: S101 - _too_large looked
        rows = propose(self._store, scope, stems, vector, limit=_CANDIDATES, around=_AROUND, where=where)
        shadow = Shadow()
        shadow.apply(ShadowDelta(version=1, rows=rows, removed=np.empty(0, np.int64)))
        return ranker_of(shadow, self._analyser, total=total)


def _speaks_for_turns(shadow: Shadow, request: Request) -> bool:
    """Whether turns replace what was learned from them, so that some turns may come twice."""
    return request.kinds is None and not LEARNED.isdisjoint(shadow.names["kind"].numbers)


def _check_size(embedding: NDArray[np.float32] | None, dim: int) -> None:
    if embedding is not None and dim and len(embedding) != dim:
        raise InvalidInputError(
            f"embedding has {len(embedding)} dimensions and the memories {dim}; make it with their embedder"
        )


def _ids_of_kind(shadow: Shadow, kind: Kind, ids: Sequence[str]) -> set[str]:
    """Those of some memories that are of a kind."""
    wanted = np.isin(shadow["ids"], [one.encode() for one in ids]) & shadow.holds("kind", [kind])
    return {shadow.id_of(row) for row in np.flatnonzero(wanted).tolist()}


def _row_of(shadow: Shadow, memory_id: str) -> int | None:
    found = np.flatnonzero((shadow["ids"] == memory_id.encode()) & shadow["alive"])
    return int(found[0]) if found.size else None
