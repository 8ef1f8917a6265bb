"""What a memory knows by itself: sessions, documents, facts that were learned, what belongs together."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from threading import TIMEOUT_MAX
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import (
    MAX_TOP_K,
    check_bool,
    check_content,
    check_count,
    check_id,
    check_ids,
    check_kinds,
    check_limit,
    check_name,
    check_seconds,
    check_share,
    check_tiers,
    check_time,
    if_given,
)
from recollect.errors import InvalidInputError, as_given
from recollect.learning.admission import ADMISSIONS, Admission, AdmissionDecision
from recollect.learning.admission_log import newest_first
from recollect.learning.intents import THRESHOLD as INTENT_THRESHOLD
from recollect.learning.outcomes import Conflict, Learned
from recollect.learning.records import LearningRecord
from recollect.learning.worker import POLL_S, Worker
from recollect.memory.parts import Opened, existing
from recollect.retrieval.request import Request
from recollect.retrieval.vectors import unit_vector
from recollect.text.outline import topics_of
from recollect.types import Core, Kind, MemoryRecord, Tier
from recollect.types.codec import from_micros
from recollect.types.filters import EVERYTHING, narrowing, parse_filter

if TYPE_CHECKING:
    from recollect.documents import Documents
    from recollect.learning.intents.intents import Intents
    from recollect.learning.profile import UserProfile
    from recollect.lifecycle.relationship import Acquaintance
    from recollect.retrieval.clusters.clusters import Clusters
    from recollect.retrieval.graph.named import ConceptGraph
    from recollect.sessions.sessions import Sessions
    from recollect.sessions.timeline import PeriodGrain, Timeline

_LEAST_POLL_S: Final = 0.01
"""Seconds between two looks of a worker: fewer would only keep the store busy. Chosen by hand."""


class Knowing(Opened):
    """The part of ``Memory`` that knows more than was said to it."""

    @property
    def sessions(self) -> "Sessions":
        """Conversations as such: ``start``, ``get``, ``list``, ``end``, ``entitle``, ``summarise``."""
        from recollect.sessions.sessions import Sessions

        return Sessions(
            self._store,
            told=self._recall.sessions,
            end_learning=self._learner.end,
            screen=self._screen,
            models=self.models,
            analyser=self._analyser,
            clock=self._clock,
            check_open=self._check_open,
        )

    @property
    def documents(self) -> "Documents":
        """Files and texts beside what was said: ``add``, ``list``, ``search``, ``remove`` and others."""
        from recollect.documents import Documents

        return Documents(
            self._store,
            indexer=self._indexer,
            labeller=self._labeller,
            screen=self._screen,
            recall=self._recall,
            analyser=self._analyser,
            clock=self._clock,
            check_open=self._check_open,
        )

    def profile(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        as_of: datetime | str | float | None = None,
    ) -> "UserProfile":
        """What is known about a user: facts by category, with confidence, validity and sources.

        ``delete`` takes a wrong one away; the words that said it do not bring it back.

        Args:
            user_id: Whose.
            agent_id: Only what this agent's conversations say.
            session_id: Only what was said in this session.
            as_of: What held at that moment; by default now.
        """
        from recollect.learning.profile import profile_of

        scope = self._scope(user_id, agent_id, session_id)
        at = self._clock() if as_of is None else check_time("as_of", as_of)
        return profile_of(self._store, scope, at=at)

    def core(
        self,
        query: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        filters: Mapping[str, object] | None = None,
        kinds: Sequence[Kind] | None = None,
        tiers: Sequence[Tier] | None = None,
        as_of: datetime | str | float | None = None,
        exclude_ids: Sequence[str] = (),
        embedding: Sequence[float] | NDArray[np.float32] | None = None,
        limit: int = 100,
    ) -> Core:
        """What must be known whatever is asked: ``context`` begins with it.

        Critical memories of any kind, and of the facts that hold: the user's health, standing instructions,
        name, home, work, and people close to them. ``context.compose`` writes them down.

        Args:
            query: The question: within each part what is nearest to it comes first.
            user_id: Whose.
            agent_id: Only this agent's.
            session_id: Only what was said in this session, and facts learned from that.
            filters: Only memories that match, see ``recollect.types.filters``.
            kinds: Only these kinds.
            tiers: Only these tiers; by default all but ``archived``.
            as_of: What held at that moment; by default now.
            exclude_ids: Memories that are not wanted.
            embedding: The question's vector, if you have it; by default it is made. Scaled to unit length.
            limit: How many memories of each part are read at most; of the others only the number is told.
        """
        request = Request(
            query=check_content("query", query),
            top_k=1,
            now=self._clock(),
            where=parse_filter(filters),
            kinds=check_kinds(kinds),
            tiers=check_tiers(tiers),
            as_of=if_given(check_time, "as_of", as_of),
            exclude=check_ids("exclude_ids", exclude_ids),
            embedding=None if embedding is None else unit_vector("embedding", embedding),
        )
        most = check_count("limit", limit, most=MAX_TOP_K)
        scope = self._scope(user_id, agent_id, session_id)
        from recollect.learning.core_facts import part_of

        return self._recall.core(scope, request, sort=part_of, most=most)

    def end_session(self, session_id: str, *, user_id: str, agent_id: str | None = None) -> bool:
        """Say that a conversation is over: what was said in it is queued to be learned, however little it is.

        Returns:
            Whether there was anything new to learn.
        """
        return self._learner.end(self._scope(user_id, agent_id, check_id("session_id", session_id)))

    def acquaintance(self, *, user_id: str, without_session: str | None = None) -> "Acquaintance":
        """How many conversations lie behind a user, since when, and so how well the user is known.

        Args:
            user_id: Whose; memories of all agents count.
            without_session: A conversation that does not count, such as the one that has begun.
        """
        from recollect.lifecycle.relationship import Acquaintance

        scope = self._scope(user_id)
        found = self._recall.conversations(scope, without=check_name("without_session", without_session))
        return Acquaintance(
            sessions=found.talks,
            first_at=None if found.first is None else from_micros(found.first),
            last_at=None if found.last is None else from_micros(found.last),
        )

    def drain(self, *, due_only: bool = False) -> Learned:
        """Learn all that was said and not learned yet, of all users.

        Words are queued to be learned in the transaction that stores them: at once with every fourth message
        of a conversation, and when it is ended; what is left after half an hour without a word. Facts become
        memories of the kind ``fact`` with their sources. Several workers may run at once; a job that fails is
        tried again later, see ``jobs``.

        Args:
            due_only: Leave conversations that go on until they pause or reach their fourth message, as
                ``worker`` and ``recollect worker`` do.

        Returns:
            What was done; ``str`` of it is a line to show.
        """
        self._check_open()
        return self._learner.drain(early=not check_bool("due_only", due_only))

    def worker(self, *, poll_s: float = POLL_S, tell: Callable[[Learned], object] | None = None) -> Worker:
        """Begin to learn what is queued in a thread, as ``recollect worker`` does in a process.

        It learns soon after every fourth message of a conversation and after ``end_session``, and what is
        left when a conversation pauses for half an hour (``drain`` learns it now). It raises nothing (see
        ``jobs``), and ends with its ``close``, the end of a ``with``, or when the memory is closed.

        Args:
            poll_s: Seconds between two looks at what other processes queued, and at what is tried again.
            tell: Told what was learned, in that thread.

        Returns:
            The worker, at work.
        """
        self._check_open()
        seconds = check_seconds("poll_s", poll_s)
        if not _LEAST_POLL_S <= seconds <= TIMEOUT_MAX:
            raise InvalidInputError(
                f"poll_s must be from {_LEAST_POLL_S} to {TIMEOUT_MAX:.0f}, not {seconds}"
            )
        if tell is not None and not callable(tell):
            raise InvalidInputError(
                f"tell must be a function of what was learned, or None; not {as_given(tell)}"
            )
        return self._learner.workers.keep(Worker(self._learner.drain, poll_s=seconds, tell=tell))

    def learning_records(self, *, user_id: str) -> list[LearningRecord]:
        """What the last jobs of learning did for a user, oldest first, at most 50.

        Each says which way facts were found, what came of it, what a model said that was refused and why,
        and what it cost. They hold no words.
        """
        return self._learner.records(self._scope(user_id))

    def admissions(
        self, *, user_id: str, admission: Admission | None = None, limit: int | None = None
    ) -> list[AdmissionDecision]:
        """What was decided about statements that might become facts, and why, the latest first.

        Decisions are made where a memory is opened with an ``AdmissionPolicy``; the last 500 are kept.

        Args:
            user_id: Whose.
            admission: Only ``stored``, ``merged``, ``contested`` or ``refused``.
            limit: How many at most; None for all.
        """
        if admission is not None and admission not in ADMISSIONS:
            raise InvalidInputError(
                f"admission {as_given(admission)} is unknown; known are {', '.join(ADMISSIONS)}"
            )
        most = check_limit(limit)
        return newest_first(self._learner.admissions(self._scope(user_id)), admission=admission, limit=most)

    def conflicts(
        self, *, user_id: str, after: str | None = None, limit: int | None = None
    ) -> list[Conflict]:
        """Learned facts that contradict each other, and wait for a person: see ``resolve``.

        They come in the order of the ids of their newer facts.

        Args:
            user_id: Whose.
            after: Only those whose newer fact comes after this id: that of the last one of the page before.
            limit: How many at most; None for all.
        """
        start, most = if_given(check_id, "after", after), check_limit(limit)
        return self._learner.keeper.conflicts(self._scope(user_id), after=start, limit=most)

    def resolve(self, keep: str, drop: str | None = None, *, user_id: str) -> None:
        """Decide a conflict between two facts. The one that is dropped keeps its history, and can be undone.

        Args:
            keep: The fact that holds.
            drop: The one that does not; None when both hold, whichever of them ``keep`` is.
            user_id: Whose.

        Raises:
            NotFoundError: This user has no memory with one of the ids; nothing was changed.
            InvalidInputError: One is no fact, they do not contradict each other, or nothing is contradicted.
        """
        scope = self._scope(user_id)
        ids = [check_id("keep", keep), *([] if drop is None else [check_id("drop", drop)])]
        found = [existing(one, wanted) for one, wanted in zip(self._store.get(scope, ids), ids, strict=True)]
        for record in found:
            if record.kind != "fact":
                raise InvalidInputError(f"the memory {record.id!r} is a {record.kind}, not a fact")
        if len(found) > 1 and not _in_conflict(*found):
            raise InvalidInputError(f"the facts {keep!r} and {drop!r} do not contradict each other")
        self._learner.keeper.resolve(scope, found[0], found[1] if drop is not None else None)

    def intents(self, *, user_id: str, threshold: float = INTENT_THRESHOLD) -> "Intents":
        """What was learned about what this user wants when they say something; keep the object to be fast.

        Args:
            user_id: Whose.
            threshold: Below this confidence, 0 to 1, an intent is ``unknown``.
        """
        from recollect.learning.intents.intents import Intents

        scope, least = self._scope(user_id), check_share("threshold", threshold)
        return Intents(
            self._store,
            scope,
            embedder=self._embedder,
            analyser=self._analyser,
            clock=self._clock,
            threshold=least,
        )

    def clusters(self, *, user_id: str) -> "Clusters":
        """Memories that mean alike, with labels; keep the object to be fast.

        Raises:
            StoreError: This kind of store keeps nothing beside memories.
        """
        from recollect.retrieval.clusters.clusters import Clusters

        scope = self._scope(user_id)
        return Clusters(self._store, scope, embedder=self._embedder)

    def graph(self, *, user_id: str) -> "ConceptGraph":
        """What the memories of a user are about, and what stands together: concepts, edges, related concepts.

        It is made anew from the labels of all memories, by this call.
        """
        from recollect.retrieval.graph.named import ConceptGraph

        records = self._store.find(self._scope(user_id), EVERYTHING)
        return ConceptGraph((topics_of(record.labels) for record in records), self._analyser)

    def timeline(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        since: datetime | str | float | None = None,
        until: datetime | str | float | None = None,
        kinds: Sequence[Kind] = ("episode",),
        grain: "PeriodGrain | None" = None,
        limit: int = 200,
        before: tuple[datetime, str] | None = None,
    ) -> "Timeline":
        """What happened when: memories as they happened, and how many there are of each period.

        Args:
            user_id: Whose memories.
            agent_id: Only this agent's.
            session_id: Only this session's.
            since: Only what happened then or later.
            until: Only what happened before.
            kinds: Of which kinds; archived memories are among them.
            grain: How long a period is: ``hour``, ``day``, ``week``, ``month`` or ``year``; by default as
                fits the span of the memories.
            limit: How many memories are named at most, the latest; the periods count all.
            before: Name only memories before this place: the ``happened_at`` and the id of the first one that
                was named last. The periods count all.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        from recollect.sessions.timeline import check_grain, make_timeline

        most, chosen = check_count("limit", limit, most=MAX_TOP_K), check_grain(grain)
        where = narrowing(
            check_kinds(kinds),
            since=if_given(check_time, "since", since),
            until=if_given(check_time, "until", until),
        )
        place = if_given(_check_place, "before", before)
        records = self._store.find(self._scope(user_id, agent_id, session_id), where)
        return make_timeline(records, grain=chosen, zone=self._timezone, limit=most, before=place)


def _in_conflict(one: MemoryRecord, other: MemoryRecord) -> bool:
    return one.metadata.get("conflicts_with") == other.id or other.metadata.get("conflicts_with") == one.id


def _check_place(where: str, value: object) -> tuple[datetime, str]:
    """A moment and the id of what happened then."""
    if not isinstance(value, tuple) or len(value) != 2:  # noqa: PLR2004 - a moment and an id
        raise InvalidInputError(f"{where} must be a moment and an id, not {type(value).__name__}")
    moment, memory_id = value
    return check_time(where, moment), check_id(where, memory_id)
