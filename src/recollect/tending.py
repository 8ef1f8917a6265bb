"""What a memory offers beside remembering and finding: use, worth, archive, statistics, files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from os import PathLike
from pathlib import Path
from typing import IO, Final, TypeVar

from recollect.admitting import newest_first
from recollect.archiving import Archivist, Tidied
from recollect.checks import (
    MAX_TOP_K,
    check_bool,
    check_count,
    check_id,
    check_ids,
    check_kinds,
    check_name,
    check_scope,
    check_seconds,
    check_share,
    check_time,
)
from recollect.clustering import Clusters
from recollect.codec import from_micros
from recollect.documents import Documents
from recollect.errors import ClosedError, InvalidInputError, NotFoundError, StoreError
from recollect.filters import EVERYTHING, Filter, Test, narrowing
from recollect.ingest import Indexer
from recollect.intake import Screen
from recollect.labelling import Labeller
from recollect.learner import Learner
from recollect.learning.admission import ADMISSIONS, Admission, AdmissionDecision
from recollect.learning.intents import THRESHOLD as INTENT_THRESHOLD
from recollect.learning.intents import Intents
from recollect.learning.outcomes import Conflict, Learned
from recollect.learning.records import LearningRecord
from recollect.learning.worker import POLL_S, Worker
from recollect.lifecycle.archival import DEFAULT_POLICY, ArchivalPolicy
from recollect.lifecycle.reinforcement import COOL_DOWN_S
from recollect.lifecycle.relationship import Acquaintance
from recollect.lifecycle.retrievals import PROMOTED_AFTER
from recollect.lifecycle.thresholds import ThresholdManager
from recollect.lifecycle.use import anchored, reinforced, used
from recollect.models.routing import ModelRouter
from recollect.profiling import UserProfile, profile_of
from recollect.protocols import (
    Clock,
    Copying,
    Embedder,
    Entry,
    Health,
    JobStore,
    LinkStore,
    Maintenance,
    Recovery,
    StateStore,
    Store,
)
from recollect.retrieval.graph.named import ConceptGraph
from recollect.retrieval.recall import Recall
from recollect.retrieving import RetrievalLog
from recollect.revising import Reviser, features_in
from recollect.sessions import Sessions
from recollect.text.analyse import Analyser
from recollect.text.context_type import ContextType
from recollect.text.outline import topics_of
from recollect.timeline import PeriodGrain, Timeline, check_grain, make_timeline
from recollect.transfer import read_export, write_export
from recollect.types import (
    KINDS,
    LINK_TYPES,
    TIERS,
    ChangeAction,
    Job,
    Kind,
    Link,
    LinkType,
    LoadResult,
    MemoryRecord,
    Scope,
    Stats,
)
from recollect.undoing import Undoer

_PAGE: Final = 500
"""Memories changed in one transaction when all are. Chosen by hand."""
_LEAST_POLL_S: Final = 0.01
"""Seconds between two looks of a worker: fewer would only keep the store busy. Chosen by hand."""
GROWTH_DAYS: Final = {"day": 1, "week": 7, "month": 30}
"""How far back ``stats`` looks for what was stored lately."""
_Value = TypeVar("_Value")


class Tending:
    """The part of ``Memory`` that looks after what is remembered."""

    _store: Store
    _clock: Clock
    _closed: bool
    _timezone: tzinfo
    _embedder: Embedder
    _analyser: Analyser
    _indexer: Indexer
    _labeller: Labeller
    _screen: Screen
    _recall: Recall
    _reviser: Reviser
    _learner: Learner
    models: ModelRouter | None

    @property
    def sessions(self) -> Sessions:
        """Conversations as such: ``start``, ``get``, ``list``, ``end``, ``entitle``, ``summarise``."""
        return Sessions(
            self._store,
            told=self._recall.sessions,
            end_learning=self._learner.end,
            models=self.models,
            analyser=self._analyser,
            clock=self._clock,
            check_open=self._check_open,
        )

    @property
    def documents(self) -> Documents:
        """Files and texts beside what was said: ``add``, ``list``, ``search``, ``remove`` and others."""
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
    ) -> UserProfile:
        """What is known about a user: facts by category, with confidence, validity and sources.

        ``delete`` takes a wrong one away; the words that said it do not bring it back.

        Args:
            user_id: Whose.
            agent_id: Only what this agent's conversations say.
            session_id: Only what was said in this session.
            as_of: What held at that moment; by default now.
        """
        scope = self._scope(user_id, agent_id, session_id)
        at = self._clock() if as_of is None else check_time("as_of", as_of)
        return profile_of(self._store, scope, at=at)

    def relabel(self, *, user_id: str | None = None) -> int:
        """Read the words of all memories anew, as after an upgrade that finds more; returns how many.

        Approved tags stay, and so do importances that were given. Priorities are those of the words.
        Nothing is embedded anew.

        Args:
            user_id: Only this user's; by default everyone's.
        """
        users = self._store.user_ids() if user_id is None else [user_id]
        return sum(self._relabel(self._scope(user)) for user in users)

    def end_session(self, session_id: str, *, user_id: str, agent_id: str | None = None) -> bool:
        """Say that a conversation is over: what was said in it is queued to be learned, however little it is.

        Returns:
            Whether there was anything new to learn.
        """
        return self._learner.end(self._scope(user_id, agent_id, check_id("session_id", session_id)))

    def acquaintance(self, *, user_id: str, without_session: str | None = None) -> Acquaintance:
        """How many conversations lie behind a user, since when, and so how well the user is known.

        Args:
            user_id: Whose; memories of all agents count.
            without_session: A conversation that does not count, such as the one that has begun.
        """
        scope = self._scope(user_id)
        found = self._recall.conversations(scope, without=check_name("without_session", without_session))
        return Acquaintance(
            sessions=found.talks,
            first_at=None if found.first is None else from_micros(found.first),
            last_at=None if found.last is None else from_micros(found.last),
        )

    def drain(self) -> Learned:
        """Learn what is queued, of all users, until nothing is due; ``recollect worker`` does so for ever.

        A session is queued with every fourth of its messages, in the same transaction, and by
        ``end_session``. Facts become memories of the kind ``fact`` with their sources. Several workers may
        run at once; a job that fails is tried again later, see ``jobs``.

        Returns:
            What was done.
        """
        self._check_open()
        return self._learner.drain()

    def worker(self, *, poll_s: float = POLL_S, tell: Callable[[Learned], object] | None = None) -> Worker:
        """Begin to learn what is queued in a thread, as ``recollect worker`` does in a process.

        It learns soon after ``add`` or ``end_session`` queued something, raises nothing (see ``jobs``), and
        ends with its ``close``, the end of a ``with``, or when the memory is closed.

        Args:
            poll_s: Seconds between two looks at what other processes queued, and at what is tried again.
            tell: Told what was learned, in that thread.

        Returns:
            The worker, at work.
        """
        self._check_open()
        seconds = check_seconds("poll_s", poll_s)
        if seconds < _LEAST_POLL_S:
            raise InvalidInputError(f"poll_s must be at least {_LEAST_POLL_S}, not {seconds}")
        return self._learner.workers.keep(Worker(self._learner.drain, poll_s=seconds, tell=tell))

    def jobs(self, *, failed: bool = False) -> list[Job]:
        """What waits to be learned, of all users, oldest first; with ``failed`` what was given up."""
        self._check_open()
        return self._store.jobs(failed=failed) if isinstance(self._store, JobStore) else []

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
            raise InvalidInputError(f"admission {admission!r} is unknown; known are {', '.join(ADMISSIONS)}")
        most = None if limit is None else check_count("limit", limit, most=1 << 62)
        return newest_first(self._learner.admissions(self._scope(user_id)), admission=admission, limit=most)

    def conflicts(self, *, user_id: str) -> list[Conflict]:
        """Learned facts that contradict each other, and wait for a person: see ``resolve``."""
        return self._learner.keeper.conflicts(self._scope(user_id))

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

    def archive(self, memory_id: str, *, user_id: str, reason: str | None = None) -> MemoryRecord:
        """Put a memory away: no search finds it unless it asks for the tier ``archived``.

        It stays stored, and ``unarchive`` brings it back.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        ids = [check_id("memory_id", memory_id)]
        (record,) = self._archivist(user_id).archive(ids, reason=check_name("reason", reason))
        return existing(record, memory_id)

    def unarchive(self, memory_id: str, *, user_id: str) -> MemoryRecord:
        """Bring an archived memory back to the tier it was in; it counts as used now.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        record = self._archivist(user_id).unarchive(check_id("memory_id", memory_id))
        return existing(record, memory_id)

    def deleted(self, *, user_id: str, limit: int | None = None) -> list[MemoryRecord]:
        """What was deleted and not yet purged, by id; the last ones when there are more than ``limit``.

        Raises:
            StoreError: This kind of store brings nothing back.
        """
        most = None if limit is None else check_count("limit", limit, most=1 << 62)
        return self._undoer(user_id).deleted(limit=most)

    def undelete(self, memory_id: str, *, user_id: str) -> MemoryRecord:
        """Take back that a memory was deleted, with what was deleted because of it.

        Facts that were learned from it alone come back, too, and a fact ends again what it had ended.
        A memory that is not deleted stays as it is.

        Raises:
            NotFoundError: This user has no memory with this id, or it was purged.
            InvalidInputError: Another memory has its idempotency key now.
            StoreError: This kind of store brings nothing back.
        """
        record = self._undoer(user_id).undelete(check_id("memory_id", memory_id))
        return existing(record, memory_id)

    def tidy(
        self,
        *,
        user_id: str,
        policy: ArchivalPolicy = DEFAULT_POLICY,
        not_within_s: float = 0.0,
        most: int | None = None,
    ) -> Tidied:
        """Archive what is old, little used or too much, and delete what was archived for long enough.

        Nothing is removed for good: see ``purge``. What is used or set critical meanwhile stays.

        Args:
            user_id: Whose memories.
            policy: When; see ``recollect.lifecycle.archival.ArchivalPolicy``.
            not_within_s: Do nothing when it was finished so short a while ago.
            most: Archive at most so many, to be quick; the next call goes on.
        """
        if not isinstance(policy, ArchivalPolicy):
            raise InvalidInputError(f"policy must be an ArchivalPolicy, not {policy!r}")
        tidied = self._archivist(user_id).tidy(
            policy,
            not_within_s=check_seconds("not_within_s", not_within_s),
            most=None if most is None else check_count("most", most, most=10**9),
        )
        if tidied.deleted and isinstance(self._store, Maintenance):
            self._store.compact()
        return tidied

    def track_access(self, memory_ids: Sequence[str], *, user_id: str, not_within_s: float = 86_400.0) -> int:
        """Count that memories were retrieved: they start to fade anew, and no rule archives them as unused.

        Args:
            memory_ids: Which; unknown ones are passed over.
            user_id: Whose.
            not_within_s: A memory that was used so short a while ago is left alone, which saves writing.

        Returns:
            How many were counted.
        """
        scope, now = self._scope(user_id), self._clock()
        least = check_seconds("not_within_s", not_within_s)

        def retrieved(before: MemoryRecord) -> Entry:
            use = replace(before.use, access_count=before.use.access_count + 1)
            return self._indexer.entry(replace(anchored(before, now), use=use))

        found = self._store.get(scope, check_ids("memory_ids", memory_ids))
        due = [
            record.id
            for record in found
            if record is not None
            and (now - (record.times.accessed_at or record.times.created_at)).total_seconds() >= least
        ]
        counted = self._store.update(scope, due, retrieved, action="use") if due else []
        return sum(record is not None for record in counted)

    def feedback(
        self, memory_id: str, *, user_id: str, useful: bool, reason: str | None = None
    ) -> MemoryRecord:
        """Say whether a memory helped. Useful ones rank a little higher from then on, others lower.

        One that helped starts to fade anew, as if it was used.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        helped = check_bool("useful", useful)

        def count(before: MemoryRecord) -> Entry:
            use = before.use
            counted = (
                replace(use, useful_count=use.useful_count + 1)
                if helped
                else replace(use, unhelpful_count=use.unhelpful_count + 1)
            )
            kept = anchored(before, self._clock()) if helped else before
            return self._indexer.entry(replace(kept, use=counted))

        return self._change(memory_id, user_id, count, reason=check_name("reason", reason), action="feedback")

    def track_usage(self, memory_id: str, *, user_id: str, reason: str | None = None) -> MemoryRecord:
        """Say that a memory helped to answer. It counts, and the memory starts to fade anew from now.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        return self._change(
            memory_id,
            user_id,
            lambda before: self._indexer.entry(used(before, self._clock())),
            reason=check_name("reason", reason),
            action="use",
        )

    def reinforce(
        self, memory_id: str, *, user_id: str, reason: str | None = None, cool_down_s: float = COOL_DOWN_S
    ) -> MemoryRecord:
        """Say that a memory is valuable: its importance rises by 20 %, at most to 1, and it fades anew.

        Args:
            memory_id: Which memory.
            user_id: Whose it is.
            reason: Why; kept with the memory.
            cool_down_s: When it was last reinforced less than so many seconds ago, nothing changes, and the
                memory is returned as it is.

        Raises:
            NotFoundError: This user has no memory with this id.
        """
        why, wait_s = check_name("reason", reason), check_seconds("cool_down_s", cool_down_s)

        def strengthen(before: MemoryRecord) -> Entry:
            after = reinforced(before, self._clock(), reason=why, cool_down_s=wait_s)
            if after is None:
                raise _TooSoonError
            return self._indexer.entry(after)

        try:
            return self._change(memory_id, user_id, strengthen, reason=why, action="reinforce")
        except _TooSoonError:
            (kept,) = self._store.get(self._scope(user_id), [memory_id])
            return existing(kept, memory_id)

    def intents(self, *, user_id: str, threshold: float = INTENT_THRESHOLD) -> Intents:
        """What was learned about what this user wants when they say something; keep the object to be fast.

        Args:
            user_id: Whose.
            threshold: Below this confidence, 0 to 1, an intent is ``unknown``.

        Raises:
            StoreError: This kind of store keeps nothing beside memories.
        """
        scope, least = self._scope(user_id), check_share("threshold", threshold)
        return Intents(
            self._states(),
            scope,
            embedder=self._embedder,
            analyser=self._analyser,
            clock=self._clock,
            threshold=least,
        )

    def thresholds(
        self, *, user_id: str, thresholds: Mapping[ContextType, float] | None = None
    ) -> ThresholdManager:
        """How high a memory must score to be activated, by kind of context, learned from feedback.

        Args:
            user_id: Whose.
            thresholds: Where they begin, as far as they are not to be Shadow Memory's.

        Raises:
            InvalidInputError: A kind of context is unknown, or a threshold is not within 0 to 1.
            StoreError: This kind of store keeps nothing beside memories.
        """
        return ThresholdManager(
            self._states(), self._scope(user_id), thresholds=thresholds, clock=self._clock
        )

    def retrievals(self, *, user_id: str, promote_after: int = PROMOTED_AFTER) -> RetrievalLog:
        """Counts what retrievals return, as Semem does: it is strengthened, what they pass over is weakened.

        ``search`` counts nothing by itself.

        Args:
            user_id: Whose.
            promote_after: A short-term memory accessed more often than this becomes long-term.

        Raises:
            StoreError: This kind of store keeps nothing beside memories.
        """
        return RetrievalLog(
            self._store,
            self._states(),
            self._scope(user_id),
            indexer=self._indexer,
            clock=self._clock,
            promote_after=check_count("promote_after", promote_after, most=10**9),
        )

    def clusters(self, *, user_id: str) -> Clusters:
        """Memories that mean alike, with labels; keep the object to be fast.

        Raises:
            StoreError: This kind of store keeps nothing beside memories.
        """
        scope = self._scope(user_id)
        return Clusters(self._store, self._states(), scope, embedder=self._embedder)

    def graph(self, *, user_id: str) -> ConceptGraph:
        """What the memories of a user are about, and what stands together: concepts, edges, related concepts.

        It is made anew from the labels of all memories, by this call.
        """
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
        grain: PeriodGrain | None = None,
        limit: int = 200,
    ) -> Timeline:
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

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        most, chosen = check_count("limit", limit, most=MAX_TOP_K), check_grain(grain)
        where = narrowing(
            check_kinds(kinds),
            since=None if since is None else check_time("since", since),
            until=None if until is None else check_time("until", until),
        )
        records = self._store.find(self._scope(user_id, agent_id, session_id), where)
        return make_timeline(records, grain=chosen, zone=self._timezone, limit=most)

    def link(self, source_id: str, target_id: str, *, user_id: str, type: LinkType = "related") -> None:  # noqa: A002 - as in Link
        """Say what one memory is to another; a link that is there already stays.

        Raises:
            NotFoundError: This user has no memory with one of the ids; nothing was linked.
            StoreError: This kind of store keeps no links.
        """
        if type not in LINK_TYPES:
            raise InvalidInputError(f"link type {type!r} is unknown; known are {', '.join(LINK_TYPES)}")
        ends = check_id("source_id", source_id), check_id("target_id", target_id)
        self._linked().link(self._scope(user_id), [Link(source_id=ends[0], target_id=ends[1], type=type)])

    def links(self, memory_id: str, *, user_id: str) -> list[Link]:
        """The links from and to a memory, by source, target and type; none for one that is unknown."""
        return self._linked().links(self._scope(user_id), check_id("memory_id", memory_id))

    def stats(self, *, user_id: str | None = None) -> Stats:
        """What is stored, for one user or for all."""
        users = self._store.user_ids() if user_id is None else [self._scope(user_id).user_id]
        kinds, tiers = dict.fromkeys(KINDS, 0), dict.fromkeys(TIERS, 0)
        for user in users:
            for kind in KINDS:
                kinds[kind] += self._store.count(self._scope(user), _is("kind", kind))
            for tier in TIERS:
                tiers[tier] += self._store.count(self._scope(user), _is("tier", tier))
        total = sum(kinds.values())
        now = self._clock()
        return Stats(
            memories=total,
            users=len(users) if user_id is None else int(total > 0),
            kinds={kind: count for kind, count in kinds.items() if count},
            tiers={tier: count for tier, count in tiers.items() if count},
            store=repr(self._store),
            embedder=self._store.setting("embedder"),
            dimensions=int(self._store.setting("dimensions") or 0),
            waiting=_of_user(self.jobs(), user_id),
            given_up=_of_user(self.jobs(failed=True), user_id),
            stored_within={
                name: sum(self._store.count(self._scope(user), _created_since(now, days)) for user in users)
                for name, days in GROWTH_DAYS.items()
            },
        )

    def export(self, target: str | PathLike[str] | IO[str], *, user_id: str | None = None) -> int:
        """Write memories and their links as JSON Lines for ``load``; returns how many memories.

        Everything of a record is kept. The change log stays behind, and so do vectors, which ``load``
        makes anew.

        Args:
            target: A file to make, or one open for writing text.
            user_id: Only this user's; by default everyone's.

        Raises:
            InvalidInputError: The file exists already, or cannot be made.
        """
        scopes = [self._scope(user) for user in (self._known_users() if user_id is None else [user_id])]
        if not isinstance(target, (str, PathLike)):
            if not hasattr(target, "write"):
                raise InvalidInputError(f"export takes a path or an open file, not {target!r}")
            return write_export(self._store, scopes, target)
        try:
            with Path(target).open("x", encoding="utf-8") as out:
                return write_export(self._store, scopes, out)
        except FileExistsError:
            raise InvalidInputError(f"{target} exists; name a new file for the export") from None
        except OSError as error:
            raise InvalidInputError(f"{target} cannot be written: {error.strerror}") from error

    def load(self, source: str | PathLike[str] | IO[str], *, user_id: str | None = None) -> LoadResult:
        """Read what ``export`` wrote; ids and times are kept, what is there already stays as it is.

        Args:
            source: The file, or one open for reading text.
            user_id: Give everything to this user instead of the one it was exported from.

        Raises:
            InvalidInputError: It is no export, or a line of it is damaged.
        """
        target = None if user_id is None else self._scope(user_id).user_id
        self._check_open()
        if not isinstance(source, (str, PathLike)):
            return read_export(self._store, source, indexer=self._indexer, user_id=target)
        try:
            with Path(source).open(encoding="utf-8") as lines:
                return read_export(self._store, lines, indexer=self._indexer, user_id=target)
        except OSError as error:
            raise InvalidInputError(f"{source} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError:
            raise InvalidInputError(f"{source} is not UTF-8 text") from None

    def doctor(self, *, rebuild: bool = False) -> Health:
        """Check the store; with ``rebuild`` make its indexes anew from the words first.

        Raises:
            StoreError: This kind of store cannot be checked.
        """
        store = self._maintained()
        if rebuild:
            store.rebuild(self._indexer.features)
            self._recall.forget()
        return store.check()

    def backup(self, path: str | PathLike[str]) -> None:
        """Copy the whole store to a new file, while it is in use.

        Raises:
            InvalidInputError: The file exists already.
            StoreError: This kind of store cannot be copied.
        """
        if not isinstance(path, (str, PathLike)):
            raise InvalidInputError(f"backup takes a path, not {path!r}")
        self._maintained().backup(Path(path))

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("this memory was closed; open a new one")

    def _scope(self, user_id: str, agent_id: str | None = None, session_id: str | None = None) -> Scope:
        self._check_open()
        return check_scope(user_id, agent_id, session_id)

    def _known_users(self) -> list[str]:
        """Every user of whom anything is kept."""
        self._check_open()
        store = self._store
        return store.known_users() if isinstance(store, Copying) else store.user_ids()

    def _linked(self) -> LinkStore:
        self._check_open()
        if not isinstance(self._store, LinkStore):
            raise StoreError(f"{self._store!r} keeps no links")
        return self._store

    def _maintained(self) -> Maintenance:
        self._check_open()
        if not isinstance(self._store, Maintenance):
            raise StoreError(
                f"{self._store!r} has no doctor, rebuild or backup; 'recollect copy' puts it into a file, "
                "which has"
            )
        return self._store

    def _relabel(self, user: Scope) -> int:
        features = features_in(self._store.shadow(user, 0).rows)

        def relabelled(before: MemoryRecord) -> Entry:
            return self._reviser.relabel(before, features[before.id], self._clock())

        ids = list(features)
        total = 0
        for start in range(0, len(ids), _PAGE):
            page = ids[start : start + _PAGE]
            done = self._store.update(user, page, relabelled, reason="its words were read anew")
            total += sum(record is not None for record in done)
        return total

    def _states(self) -> StateStore:
        if not isinstance(self._store, StateStore):
            raise StoreError(f"{self._store!r} keeps nothing beside memories")
        return self._store

    def _archivist(self, user_id: str) -> Archivist:
        return Archivist(self._store, self._scope(user_id), reviser=self._reviser, clock=self._clock)

    def _undoer(self, user_id: str) -> Undoer:
        scope = self._scope(user_id)
        if not isinstance(self._store, Recovery):
            raise StoreError(f"{self._store!r} brings back nothing that was deleted")
        return Undoer(
            self._store,
            self._store,
            scope,
            indexer=self._indexer,
            unlearner=self._learner.unlearner,
            clock=self._clock,
        )

    def _change(
        self,
        memory_id: str,
        user_id: str,
        change: Callable[[MemoryRecord], Entry],
        *,
        reason: str | None,
        action: ChangeAction = "update",
    ) -> MemoryRecord:
        scope = self._scope(user_id)
        (changed,) = self._store.update(
            scope,
            [check_id("memory_id", memory_id)],
            change,
            action=action,
            reason=reason,
        )
        return existing(changed, memory_id)


def _of_user(jobs: Sequence[Job], user_id: str | None) -> int:
    return sum(user_id in (None, job.scope.user_id) for job in jobs)


class _TooSoonError(Exception):
    """Undoes a reinforcement that comes too soon after the last."""


def _in_conflict(one: MemoryRecord, other: MemoryRecord) -> bool:
    return one.metadata.get("conflicts_with") == other.id or other.metadata.get("conflicts_with") == one.id


def _created_since(now: datetime, days: int) -> Filter:
    return Test("created_at", in_metadata=False, operator="gte", value=now - timedelta(days=days))


def _is(field: str, value: str) -> Filter:
    return Test(field, in_metadata=False, operator="eq", value=value)


def existing(record: _Value | None, memory_id: str) -> _Value:
    """A record that must be there."""
    if record is None:
        raise missing(memory_id)
    return record


def missing(memory_id: str) -> NotFoundError:
    """The error for a memory that is not there."""
    return NotFoundError(f"no memory {memory_id!r} for this user")
