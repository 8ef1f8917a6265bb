"""Learning from conversations, after their words are stored: facts with their sources, kept true.

A session is queued in the transaction that stores its messages, and learned when a worker takes the job.
Doing a job again changes nothing: the id of a fact follows from the turn that says it and from its words, so
one that is known, or was deleted by someone, is not stored a second time.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b
from secrets import token_hex
from typing import Final
from uuid import UUID

from recollect.errors import InvalidInputError, StoreError
from recollect.filters import AllOf, Filter, parse_filter
from recollect.ingest import Indexer, thread_of
from recollect.labelling import Labeller
from recollect.learning.extraction import Fact, Turn, extract_facts, summarise_episode
from recollect.learning.reconcile import Decision, Statement, is_open, reconcile, settle
from recollect.lifecycle.importance import calculate_importance
from recollect.protocols import Clock, Entry, JobStore, LinkStore, StateStore, Store
from recollect.retrieval.recall import Recall, Request
from recollect.text.analyse import Analyser
from recollect.types import (
    JSON,
    TIERS,
    Job,
    Labels,
    Link,
    LinkType,
    MemoryRecord,
    Origin,
    Scope,
    Tag,
    Times,
    Worth,
)
from recollect.unlearning import ENDED_BY, Unlearner

THRESHOLD: Final = 4
"""Messages of a session after which it is queued; Second Brain's."""
READ_AGAIN: Final = 10
"""Messages before the new ones that are looked at again; Second Brain takes the last 10."""
EXTRACTOR: Final = "rules/1"
"""What made a fact, and its version."""

_TASK: Final = "learn"
_LEASE_S: Final = 300.0
_AT_ONCE: Final = 16
_ATTEMPTS: Final = 5
_FIRST_WAIT_S: Final = 2.0
"""How long a job is held, how many are taken, how often one is tried and how long after the first failure;
each further wait is twice as long. Chosen by hand."""
_KNOWN: Final = 20
"""Facts a new one is compared with. Chosen by hand."""
_KEPT: Final = ("subject", "relation", "object", "quote", "negated", "past")
"""What metadata keeps of a fact besides its words."""
_CONTESTED: Final = parse_filter({"kind": "fact", "contested": True})
_DECIDED: Final = "a person decided"
_SAID_AGAIN: Final = "said again: "
_LOCK: Final = "learning"
_LOOKS, _LOOK_S = 100, 0.02
"""How often and how long a worker waits for another one that learns from the same user. Chosen by hand."""
_ONLY_ONES: Final = frozenset(
    [
        "wife",
        "husband",
        "spouse",
        "partner",
        "mother",
        "mom",
        "mum",
        "father",
        "dad",
        "girlfriend",
        "boyfriend",
    ]
)
"""Others of whom a person has one at a time, mostly; a second friend says nothing of the first."""
_LINKS: Final[Mapping[str, LinkType]] = {
    "add": "related",
    "refine": "related",
    "supersede": "supersedes",
    "conflict": "contradicts",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What a worker did.

    Attributes:
        sessions: Jobs that were done.
        facts: New facts that were stored.
        episodes: New episodes.
        reinforced: Known facts that were said again.
        ended: Known facts that hold no more.
        conflicts: New facts that contradict a known one, for a person to decide.
        failed: Jobs that failed; each is tried again later, or given up and kept in ``Memory.jobs``.
    """

    sessions: int = 0
    facts: int = 0
    episodes: int = 0
    reinforced: int = 0
    ended: int = 0
    conflicts: int = 0
    failed: int = 0

    def __add__(self, other: "Learned") -> "Learned":
        return Learned(**{name: getattr(self, name) + getattr(other, name) for name in self.__slots__})


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two facts that cannot both hold, for a person to decide; see ``Memory.resolve``.

    Attributes:
        known: The one that was known.
        new: The one that contradicts it.
    """

    known: MemoryRecord
    new: MemoryRecord


class Learner:
    """Learns from the sessions of a store; see ``Memory.drain``.

    Args:
        store: Keeps memories, jobs, links and how far each session was learned.
        indexer: Makes the features of facts.
        labeller: Labels them.
        recall: Finds the facts that a new one may have to do with.
        analyser: Cuts statements into words.
        clock: What time it is.
        threshold: Messages of a session after which it is queued.
    """

    def __init__(
        self,
        store: Store,
        *,
        indexer: Indexer,
        labeller: Labeller,
        recall: Recall,
        analyser: Analyser,
        clock: Clock,
        threshold: int = THRESHOLD,
    ) -> None:
        self._store = store
        self._indexer = indexer
        self._labeller = labeller
        self._recall = recall
        self._analyser = analyser
        self._clock = clock
        self.unlearner: Final = Unlearner(store, indexer=indexer, analyser=analyser, clock=clock)
        self._threshold = threshold

    def jobs_for(self, scope: Scope, messages: Sequence[str]) -> list[Job]:
        """The jobs to queue with new messages, by their ids: one when their session passes the threshold."""
        if scope.session_id is None or not messages or not self._can_learn():
            return []
        before = self._store.count(_user(scope), _messages_of(scope))
        passed = (before + len(messages)) // self._threshold > before // self._threshold
        return [_job(scope, messages[-1])] if passed else []

    def end(self, scope: Scope) -> bool:
        """Queue a session with messages that were not learned yet, however few; returns whether there are."""
        if not self._can_learn():
            return False
        fresh = self._messages(scope, self._learned_to(scope))
        if fresh:
            self._store.add(scope, [], jobs=[_job(scope, fresh[-1].id)])
        return bool(fresh)

    def drain(self) -> Learned:
        """Do the jobs that are due, until there are none; one that fails is tried again later."""
        total = Learned()
        if not isinstance(self._store, JobStore):
            return total
        while jobs := self._store.claim_jobs(limit=_AT_ONCE, lease_s=_LEASE_S):
            for job in jobs:
                total += self._done(self._store, job)
        return total

    def conflicts(self, scope: Scope) -> list[Conflict]:
        """Facts that contradict each other and both hold, by their ids."""
        found = []
        for new in self._store.find(scope, _CONTESTED):
            (known,) = self._store.get(scope, [str(new.metadata.get("conflicts_with"))])
            if known is not None and is_open(statement_of(new), statement_of(known), now=self._clock()):
                found.append(Conflict(known=known, new=new))
        return found

    def resolve(self, scope: Scope, kept: MemoryRecord, dropped: MemoryRecord | None) -> None:
        """End a conflict: what is dropped held at most until the kept one; with None both hold."""
        for one in (kept, dropped):
            if one is not None and one.metadata.get("contested"):
                self._update(scope, one.id, _settled, _DECIDED)
        if dropped is not None:
            ending = settle(statement_of(kept), statement_of(dropped))
            self._update(scope, dropped.id, partial(_ended, at=ending.at), _DECIDED)

    def reread(self, scope: Scope, turn: MemoryRecord) -> None:
        """The words of a turn were changed: let go what they said, and queue its session again."""
        self.unlearner.reword(scope, turn.id)
        session = turn.scope
        if session.session_id is None or not self._can_learn():
            return
        assert isinstance(self._store, StateStore)  # noqa: S101 - _can_learn looked
        back = turn.origin.turn - 1
        self._store.change_state(session, _state_name(session), lambda kept: str(min(_last_turn(kept), back)))
        self._store.add(session, [], jobs=[_job(session, turn.id)])

    def _done(self, queue: JobStore, job: Job) -> Learned:
        """Do one job and say so to the queue: at this boundary any failure becomes the job's record."""
        try:
            learned = self._alone(job) if job.task == _TASK else _unknown(job)
        except Exception as error:  # noqa: BLE001 - kept with the job, where it is seen
            wait = _FIRST_WAIT_S * 2 ** (job.attempts - 1) if job.attempts < _ATTEMPTS else None
            queue.fail_job(job.id, f"{type(error).__name__}: {error}", retry_in_s=wait)
            return Learned(failed=1)
        queue.finish_job(job.id)
        return learned

    def _alone(self, job: Job) -> Learned:
        """Learn while no other worker learns from the same user: facts are compared, then changed."""
        assert isinstance(self._store, StateStore)  # noqa: S101 - _can_learn looked
        mine = token_hex(8)
        for _ in range(_LOOKS):
            if self._holds(job.scope, mine):
                break
            time.sleep(_LOOK_S)
        else:
            raise StoreError("another worker learns from this user")
        try:
            return self._learn(job)
        finally:
            self._store.change_state(job.scope, _LOCK, lambda kept: None if _is_of(kept, mine) else kept)

    def _holds(self, scope: Scope, mine: str) -> bool:
        """Whether the user is ours to learn from now; a lease that ran out is anybody's."""
        assert isinstance(self._store, StateStore)  # noqa: S101 - _can_learn looked
        held = False

        def take(kept: str | None) -> str | None:
            nonlocal held
            now = self._clock()
            held = kept is None or _is_of(kept, mine) or json.loads(kept)["until"] <= now.isoformat()
            until = (now + timedelta(seconds=_LEASE_S)).isoformat()
            return json.dumps({"by": mine, "until": until}) if held else kept

        self._store.change_state(scope, _LOCK, take)
        return held

    def _learn(self, job: Job) -> Learned:
        """Learn what is new in the session of a turn, looking again at the messages just before it."""
        (turn,) = self._store.get(job.scope, [str(job.payload.get("turn"))])
        if turn is None or turn.scope.session_id is None:
            return Learned(sessions=1)
        scope = turn.scope
        done = self._learned_to(scope)
        fresh = self._messages(scope, done)
        if not fresh:
            return Learned(sessions=1)
        again = self._messages(scope, done - READ_AGAIN)
        total = Learned(sessions=1)
        said = {record.id: record for record in again}
        for fact in extract_facts([_turn(record) for record in again]):
            total += self._take(fact, said[fact.source])
        total += self._episode(scope, fresh)
        self._set_learned_to(scope, fresh[-1].origin.turn)
        return total

    def _episode(self, scope: Scope, fresh: Sequence[MemoryRecord]) -> Learned:
        """Store what happened in the new messages, in one line."""
        told = summarise_episode([_turn(record) for record in fresh], rate=_rate, analyser=self._analyser)
        user = Scope(user_id=scope.user_id, agent_id=scope.agent_id)
        episode_id = fact_id_of("episode", fresh[0].id)
        if told is None or self._store.history(user, episode_id):
            return Learned()
        now = self._clock()
        record = MemoryRecord(
            id=episode_id,
            scope=user,
            kind="episode",
            content=told.summary,
            times=Times(created_at=now, happened_at=fresh[0].times.happened_at, updated_at=now),
            worth=Worth(importance=told.importance),
            origin=Origin(sources=told.sources, extractor=EXTRACTOR),
            metadata={"context": told.context, "session_id": scope.session_id},
        )
        self._store_new(user, record, rated=True)
        return Learned(episodes=1)

    def _take(self, fact: Fact, source: MemoryRecord) -> Learned:
        """Store a fact, or let it change one that is known; nothing when that was done before.

        What is known is changed before what is new is stored: stopped in between, the job does the rest when
        it is taken up again.
        """
        user = Scope(user_id=source.scope.user_id, agent_id=source.scope.agent_id)
        fact_id = fact_id_of(fact.text, source.id)
        if self._store.history(user, fact_id) or self._is_unlearned(user, fact, source):
            return Learned()
        known = [statement_of(record) for record in self._related(user, fact)]
        decision = reconcile(_new_statement(fact, source), known, analyser=self._analyser)
        if decision.action == "ignore":
            return self._also_said(user, decision, source)
        ended = self._change_known(user, decision, source, fact_id)
        if decision.action in {"reinforce", "retract"}:
            return Learned(reinforced=int(decision.action == "reinforce"), ended=ended)
        self._add(user, decision, self._record(fact_id, fact, source, decision))
        return Learned(facts=1, ended=ended, conflicts=int(decision.action == "conflict"))

    def _related(self, user: Scope, fact: Fact) -> list[MemoryRecord]:
        """The facts nearest to a new one, also those that hold no more."""
        request = Request(
            query=fact.text,
            top_k=_KNOWN,
            now=self._clock(),
            kinds=("fact",),
            tiers=TIERS,
            ended=True,
        )
        return [hit.memory for hit in self._recall.search(user, request)]

    def _is_unlearned(self, user: Scope, fact: Fact, source: MemoryRecord) -> bool:
        return self.unlearner.is_unlearned(user, fact.text, source.times.happened_at)

    def _also_said(self, user: Scope, decision: Decision, source: MemoryRecord) -> Learned:
        """Remember a turn that says what another one said in the same breath."""
        (known,) = self._store.get(user, [decision.target_id or ""])
        if known is not None and source.id not in known.origin.sources:
            self._update(user, known.id, partial(_with_source, source=source), f"{_SAID_AGAIN}{source.id}")
        return Learned()

    def _change_known(self, user: Scope, decision: Decision, source: MemoryRecord, fact_id: str) -> int:
        """Change the facts that a new one concerns: one grows surer, or some end; returns how many ended."""
        ends = {one.id: one.at for one in decision.also_ended}
        if decision.action in {"supersede", "retract"} and decision.target_id and decision.ended_at:
            ends[decision.target_id] = decision.ended_at
        by = fact_id if decision.action == "supersede" else source.id
        for known_id, at in ends.items():
            self._update(user, known_id, partial(_ended, at=at), f"{ENDED_BY}{by}")
        if decision.action == "reinforce" and decision.target_id:
            grown = partial(_reinforced, decision=decision, source=source)
            self._update(user, decision.target_id, grown, f"{_SAID_AGAIN}{source.id}")
        return len(ends)

    def _update(
        self, user: Scope, fact_id: str, change: Callable[[MemoryRecord], MemoryRecord], reason: str
    ) -> None:
        def changed(before: MemoryRecord) -> Entry:
            after = change(before)
            return self._indexer.entry(replace(after, times=replace(after.times, updated_at=self._clock())))

        self._store.update(user, [fact_id], changed, reason=reason)

    def _add(self, user: Scope, decision: Decision, record: MemoryRecord) -> None:
        """Store a fact, linked with the turn that says it and with the fact it concerns."""
        self._store_new(user, record, rated=False)
        if isinstance(self._store, LinkStore):
            self._store.link(user, _links(decision, record))

    def _store_new(self, user: Scope, record: MemoryRecord, *, rated: bool) -> None:
        (features,) = self._indexer.features([record])
        (labelled,) = self._labeller.label(user, [record], [features], rated=[rated], now=self._clock())
        self._store.add(user, [self._indexer.entry(labelled, features)])

    def _record(self, fact_id: str, fact: Fact, source: MemoryRecord, decision: Decision) -> MemoryRecord:
        now = self._clock()
        said: dict[str, JSON] = {name: getattr(fact, name) for name in _KEPT if getattr(fact, name)}
        if _is_single(fact):
            said["single_valued"] = True
        if decision.action == "conflict":
            said |= {"contested": True, "conflicts_with": decision.target_id}
        return MemoryRecord(
            id=fact_id,
            scope=Scope(user_id=source.scope.user_id, agent_id=source.scope.agent_id),
            kind="fact",
            content=fact.text,
            times=Times(
                created_at=now,
                happened_at=source.times.happened_at,
                updated_at=now,
                valid_from=fact.valid_from,
                valid_until=decision.new_valid_until or fact.valid_until,
            ),
            labels=Labels(category=fact.category),
            worth=Worth(confidence=decision.confidence),
            origin=Origin(
                speaker=source.origin.speaker,
                role=source.origin.role,
                sources=(source.id,),
                extractor=EXTRACTOR,
            ),
            metadata=said,
        )

    def _messages(self, scope: Scope, after: int) -> list[MemoryRecord]:
        """The messages of a session beyond a turn, in order. The store numbers turns as it stores them."""
        beyond = parse_filter({"turn": {"gt": after}})
        found = self._store.find(_user(scope), AllOf((_messages_of(scope), beyond)))
        return sorted(found, key=lambda record: record.origin.turn)

    def _can_learn(self) -> bool:
        return isinstance(self._store, JobStore) and isinstance(self._store, StateStore)

    def _learned_to(self, scope: Scope) -> int:
        """The last turn of a session that was learned; -1 for none."""
        assert isinstance(self._store, StateStore)  # noqa: S101 - _can_learn looked
        return _last_turn(self._store.state(scope, _state_name(scope)))

    def _set_learned_to(self, scope: Scope, turn: int) -> None:
        """Remember how far a session was learned; never back."""
        assert isinstance(self._store, StateStore)  # noqa: S101 - _can_learn looked
        self._store.change_state(scope, _state_name(scope), lambda kept: str(max(_last_turn(kept), turn)))


def fact_id_of(text: str, source_id: str) -> str:
    """The id of a fact: a UUIDv7 with the time of the turn that says it, and of its words.

    >>> fact_id_of("Ada likes tea.", "01a1fb84-cc1e-7de1-88f3-761b722f38e8")[:15]
    '01a1fb84-cc1e-7'
    """
    digest = blake2b(f"{source_id}\n{text}".encode(), digest_size=10).digest()
    bits = int.from_bytes(digest)
    millis = _millis_of(source_id)
    fraction, rest = bits >> 68, bits & ((1 << 62) - 1)
    return str(UUID(int=(millis << 80) | (0x7 << 76) | (fraction << 64) | (0x2 << 62) | rest))


def _millis_of(memory_id: str) -> int:
    """The time in a UUIDv7; 0 for an id of another kind."""
    try:
        return int(memory_id.replace("-", "")[:12], 16)
    except ValueError:
        return 0


def _last_turn(kept: str | None) -> int:
    return int(kept or -1)


def _job(scope: Scope, turn: str) -> Job:
    """To learn the session of a turn; it holds no words, not even the session's name."""
    return Job(task=_TASK, scope=_user(scope), payload={"turn": turn})


def _user(scope: Scope) -> Scope:
    return Scope(user_id=scope.user_id)


def _messages_of(scope: Scope) -> Filter:
    """The messages of a session, by their thread, which stores have an index of."""
    return parse_filter({"thread": thread_of(scope), "kind": "message"})


def _state_name(scope: Scope) -> str:
    return f"learned {blake2b(thread_of(scope).encode(), digest_size=8).hexdigest()}"


def _rate(text: str, tags: Sequence[Tag]) -> float:
    return calculate_importance(text, tags=tags, source="chat").score


def _turn(record: MemoryRecord) -> Turn:
    return Turn(
        text=record.content,
        role=record.origin.role,
        speaker=record.origin.speaker,
        id=record.id,
        happened_at=record.times.happened_at,
    )


def _new_statement(fact: Fact, source: MemoryRecord) -> Statement:
    return Statement(
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        text=fact.text,
        confidence=fact.confidence,
        at=source.times.happened_at,
        negated=fact.negated,
        past=fact.past,
        single_valued=_is_single(fact),
        changed=fact.change in {"begun", "ended"},
        corrects=fact.change == "corrected",
        valid_from=fact.valid_from,
        valid_until=fact.valid_until,
        sources=(source.id,),
    )


def statement_of(record: MemoryRecord) -> Statement:
    """A stored fact as it is compared with a new one."""
    said = record.metadata
    repeated = said.get("repeated_at")
    return Statement(
        id=record.id,
        subject=str(said.get("subject") or record.origin.speaker or ""),
        relation=_text(said.get("relation")),
        object=_text(said.get("object")),
        text=record.content,
        confidence=record.worth.confidence,
        at=record.times.happened_at,
        negated=bool(said.get("negated")),
        past=bool(said.get("past")),
        single_valued=bool(said.get("single_valued")),
        valid_from=record.times.valid_from,
        valid_until=record.times.valid_until,
        repeated_at=datetime.fromisoformat(repeated) if isinstance(repeated, str) else None,
        sources=record.origin.sources,
    )


def _text(value: JSON) -> str | None:
    return value if isinstance(value, str) else None


def _ended(before: MemoryRecord, *, at: datetime) -> MemoryRecord:
    """A fact that held until a moment; what ended earlier stays."""
    known = before.times.valid_until
    return replace(before, times=replace(before.times, valid_until=at if known is None else min(known, at)))


def _reinforced(before: MemoryRecord, *, decision: Decision, source: MemoryRecord) -> MemoryRecord:
    """A fact that was said again."""
    begins = decision.target_begins_at
    said_at = source.times.happened_at.isoformat()
    return replace(
        before,
        worth=replace(before.worth, confidence=decision.confidence),
        origin=_with_source(before, source=source).origin,
        times=before.times if begins is None else replace(before.times, valid_from=begins),
        metadata={**before.metadata, "repeated_at": said_at},
    )


def _is_of(kept: str | None, mine: str) -> bool:
    return kept is not None and json.loads(kept)["by"] == mine


def _is_single(fact: Fact) -> bool:
    """Whether a new value ends an older one: a user has one home, but friends have many."""
    _, others, whose = fact.subject.rpartition("'s ")
    return fact.single_valued and (not others or whose.split()[0].lower() in _ONLY_ONES)


def _with_source(before: MemoryRecord, *, source: MemoryRecord) -> MemoryRecord:
    sources = tuple(dict.fromkeys((*before.origin.sources, source.id)))
    return replace(before, origin=replace(before.origin, sources=sources))


def _settled(before: MemoryRecord) -> MemoryRecord:
    return replace(before, metadata={**before.metadata, "contested": False})


def _links(decision: Decision, record: MemoryRecord) -> list[Link]:
    links = [Link(source_id=record.id, target_id=record.origin.sources[0], type="derived-from")]
    if decision.target_id is not None and decision.action in _LINKS:
        links.append(Link(source_id=record.id, target_id=decision.target_id, type=_LINKS[decision.action]))
    if decision.action == "supersede":
        ended = [one.id for one in decision.also_ended]
        links += [Link(source_id=record.id, target_id=one, type="supersedes") for one in ended]
    return links


def _unknown(job: Job) -> Learned:
    raise InvalidInputError(f"a job to {job.task!r} is not known here; was it queued by a newer version?")
