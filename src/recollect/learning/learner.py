"""Learning from conversations, after their words are stored: facts with their sources, kept true.

A conversation is queued in the transaction that stores its messages: at once with every fourth message, else
for when nobody spoke for half an hour. It is learned when a worker takes the job. Doing a job again changes
nothing: the id of a fact follows from the turn that says it and from its words, so one that is known, or was
deleted by someone, is not stored a second time. What a model said is kept until its facts are stored, since
asked again it would word them differently.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from recollect.errors import InvalidInputError
from recollect.ingest.add import Indexer
from recollect.ingest.conversations import PREFIX, TIMEOUT_S, thread_of
from recollect.ingest.labels import Labeller
from recollect.learning import leases
from recollect.learning.admission import LEARNING, AdmissionDecision, AdmissionPolicy, Learning
from recollect.learning.admission_log import AdmissionLog
from recollect.learning.leases import BusyError, Lease
from recollect.learning.outcomes import Learned, reason_of
from recollect.learning.records import LearningRecord, LearningRecords
from recollect.learning.repair import ANSWER, Mender, Verb
from recollect.learning.repair import TASK as MEND
from recollect.learning.retraction import ChangedError, Unlearner, check_unchanged
from recollect.learning.worker import Workers
from recollect.protocols import Clock, JobsOf, Store, no_jobs
from recollect.retrieval.search import Recall
from recollect.text.analyse import Analyser
from recollect.types import JSON, Job, MemoryRecord, Scope
from recollect.types.filters import AllOf, Filter, Test, parse_filter

if TYPE_CHECKING:
    from recollect.learning.facts import FactKeeper
    from recollect.learning.gate import Gate
    from recollect.learning.rebuild import Rebuilder
    from recollect.learning.stretches import StretchReader
    from recollect.models.chat import LanguageModel
    from recollect.models.routing import ModelRouter

READ_AGAIN: Final = 10
"""Messages before the new ones that are looked at again; Second Brain takes the last 10."""
NEW_AT_ONCE: Final = 6
"""New messages that a model is asked of at once, with as many before them as make ten. Chosen by hand."""

_TASK: Final = "learn"
_AGAIN: Final = "learn again"
"""The tasks of jobs: what is new in a session, and what one turn of it says now."""
_FOLLOWING: Final = 2
"""A turn that is learned again is read with the next one, which may answer it. Chosen by hand."""
_REREADS: Final = 5
"""How often a job reads a session anew that changes meanwhile, before it waits. Chosen by hand."""
_LEASE_S: Final = 300.0
_MODEL_LEASE_S: Final = 900.0
_BATCH: Final = 16
_ATTEMPTS: Final = 5
_FIRST_WAIT_S: Final = 2.0
"""How long a job is held, without and with a model; how many are taken, how often one is tried and how long
after the first failure; each further wait is twice as long. Chosen by hand."""
_BUSY_WAIT_S: Final = 5.0
"""How long a job waits for another worker that learns from the same user. Chosen by hand."""
_KNOWN_AT_ONCE: Final = 10_000
"""Conversations whose length is kept at hand, about 2 MB. Chosen by hand."""
_MESSAGES: Final = Test("kind", in_metadata=False, operator="eq", value="message")
PASSING: Final = frozenset({leases.STATE, ANSWER})
"""States of a user: who learns from them now, and what a model said that is not stored yet."""
LEARNED_TO: Final = "learned "
"""How the names of states begin that hold the last turn of a session that was learned; ``learned_to``."""


class Learner:
    """Learns from the sessions of a store; see ``Memory.jobs.drain``.

    Args:
        store: Keeps memories, jobs, links and how far each session was learned.
        indexer: Makes the features of facts.
        labeller: Labels them.
        recall: Finds the facts that a new one may have to do with.
        analyser: Cuts statements into words.
        clock: What time it is.
        models: Who extracts; None leaves it to the rules.
        learning: What may become a fact, and when.
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
        models: "ModelRouter | None" = None,
        learning: Learning = LEARNING,
    ) -> None:
        self._store = store
        self._indexer = indexer
        self._labeller = labeller
        self._recall = recall
        self._analyser = analyser
        self._clock = clock
        self.unlearner: Final = Unlearner(store, indexer=indexer, analyser=analyser, clock=clock)
        self.mender: Final = Mender(
            store, rebuilder=self._rebuilder, unlearner=self.unlearner, analyser=analyser
        )
        self.workers: Final = Workers()
        self._threshold = learning.after
        self._turns: dict[str, int] = {}
        self._models = models
        self._admission = learning.admission

    @cached_property
    def keeper(self) -> "FactKeeper":
        """What takes facts into the store; the rules are loaded when it is first used."""
        from recollect.learning.facts import FactKeeper

        return FactKeeper(
            self._store,
            indexer=self._indexer,
            labeller=self._labeller,
            recall=self._recall,
            unlearner=self.unlearner,
            analyser=self._analyser,
            clock=self._clock,
            gate=self._gate(self._admission),
        )

    @cached_property
    def _reader(self) -> "StretchReader":
        from recollect.learning.stretches import StretchReader

        return StretchReader(self._store, models=self._models, analyser=self._analyser)

    def _rebuilder(self) -> "Rebuilder":
        from recollect.learning.rebuild import Rebuilder

        return Rebuilder(
            self._store,
            unlearner=self.unlearner,
            indexer=self._indexer,
            labeller=self._labeller,
            analyser=self._analyser,
            clock=self._clock,
        )

    def _gate(
        self, policy: AdmissionPolicy | None, *, importance: float | None = None, unstated: str = ""
    ) -> "Gate | None":
        from recollect.learning.gate import Gate

        if policy is None:
            return None
        return Gate(
            self._store,
            policy=policy,
            analyser=self._analyser,
            clock=self._clock,
            importance=importance,
            unstated=unstated,
        )

    def admissions(self, scope: Scope) -> list[AdmissionDecision]:
        """What was decided about statements that might become facts, oldest first."""
        return AdmissionLog(self._store, scope).all()

    def jobs_for(self, messages: Sequence[MemoryRecord]) -> JobsOf:
        """What queues new messages: one job for each conversation of which any was stored.

        It is due at once where the messages pass the threshold, else after the pause.
        """
        if self._threshold is None:
            return no_jobs
        jobs: list[tuple[list[str], Job]] = []
        for scope in dict.fromkeys(record.scope for record in messages):
            new = [record.id for record in messages if record.scope == scope]
            before = self._said(scope, len(new))
            passed = (before + len(new)) // self._threshold > before // self._threshold
            jobs.append((new, _job(scope, new[-1] if passed else new[0], after_pause=not passed)))
        return lambda stored: [job for new, job in jobs if not set(new).isdisjoint(stored)]

    def _said(self, scope: Scope, new: int) -> int:
        """How many messages a conversation has before ``new`` ones.

        Those counted before are not counted again, however many there are. Where some were deleted, or other
        things than messages were added, the number is a little higher. An implicit conversation is counted
        once and then only goes by what this process adds, so that ``add`` stays fast: with what other
        processes add to it at the same time, it may be learned a few messages later.
        """
        thread = f"{scope.user_id}\n{thread_of(scope)}"
        known = self._turns.get(thread, 0)
        implicit = str(scope.session_id).startswith(PREFIX)
        if known and implicit:
            self._turns[thread] = known + new
            return known
        beyond = Test("turn", in_metadata=False, operator="gte", value=known)
        more = self._store.count(_user(scope), AllOf((_messages_of(scope), beyond)))
        # Nothing more where there was something: what was counted may be purged.
        said = known + more if more else self._store.count(_user(scope), _messages_of(scope))
        if len(self._turns) >= _KNOWN_AT_ONCE:
            self._turns.clear()
        self._turns[thread] = said + new if implicit else said
        return said

    def end(self, scope: Scope) -> bool:
        """Queue a session with messages that were not learned yet, however few; returns whether there are."""
        fresh = self._messages(scope, self._learned_to(scope))
        if fresh:
            self._store.add(scope, [], jobs=[_job(scope, fresh[-1].id)])
            self.workers.wake()
        return bool(fresh)

    def drain(self, *, stopping: Callable[[], bool] = lambda: False, early: bool = False) -> Learned:
        """Do the jobs that are due, until there are none; one that fails is tried again later.

        Args:
            stopping: Asked before jobs are taken; whether to leave them.
            early: Whether to learn also from conversations that have not paused yet.
        """
        total = Learned()
        while not stopping() and (jobs := self._claimed(early=early)):
            for job in jobs:
                total += self._done(job, early=early)
        return total

    def records(self, scope: Scope) -> list[LearningRecord]:
        """What the last jobs of a user did, oldest first."""
        return LearningRecords(self._store, scope).all()

    def take_in(self, turn: MemoryRecord, *, importance: float | None = None) -> list[AdmissionDecision]:
        """Decide now about what one stored turn states; where the rules see no fact, it is one as it stands.

        Args:
            turn: What was said.
            importance: How much it matters, 0 to 1, in place of what its words tell.

        Raises:
            StoreError: Another worker is busy.
        """
        from recollect.learning.facts import Maker
        from recollect.learning.recording import EXTRACTOR
        from recollect.learning.stretches import stated_facts

        facts, unstated = stated_facts(turn)
        gate = self._gate(self._admission or AdmissionPolicy(), importance=importance, unstated=unstated)

        with self._lease(_user(turn.scope)):
            for fact in facts:
                self.keeper.take(fact, turn, made_by=Maker(name=EXTRACTOR), gate=gate)
        return [one for one in self.admissions(turn.scope) if one.source_id == turn.id]

    def turn_away(self, scope: Scope, reason: str) -> AdmissionDecision:
        """Remember that a statement was not even stored."""
        decision = AdmissionDecision(admission="refused", criterion="safety", reason=reason, at=self._clock())
        AdmissionLog(self._store, scope).append(decision)
        return decision

    def after(self, scope: Scope, verb: Verb, *, unlearned: Sequence[MemoryRecord] = ()) -> JobsOf:
        """The jobs that follow from a write: mend what was learned, and read again what is there.

        Args:
            scope: Whose memories.
            verb: What is done to them.
            unlearned: The facts that a person deletes.
        """
        mends = self.mender.after(scope, verb, unlearned=unlearned)

        def jobs(ids: Sequence[str]) -> list[Job]:
            again = [] if verb == "delete" else ids
            payload: dict[str, JSON] = {"unless_known": verb == "undelete"}
            return [
                *mends(ids),
                *(Job(task=_AGAIN, scope=_user(scope), payload=payload | {"turn": one}) for one in again),
            ]

        return jobs

    def settle(self, scope: Scope) -> None:
        """Do now what follows from the writes of a user; what has to be read again is left to a worker."""
        self.mender.settle(scope)
        self.workers.wake()

    def _claimed(self, *, early: bool) -> list[Job]:
        """Jobs to do now: one at a time where a model is asked, for that may take minutes."""
        if self._model() is None:
            return self._store.claim_jobs(limit=_BATCH, lease_s=_LEASE_S, early=early)
        return self._store.claim_jobs(limit=1, lease_s=_MODEL_LEASE_S, early=early)

    def _model(self) -> "LanguageModel | None":
        return None if self._models is None else self._models.model("memory_extraction")

    def _done(self, job: Job, *, early: bool) -> Learned:
        """Do one job and say so to the queue: at this boundary any failure becomes the job's record."""
        try:
            wait = 0.0 if early else self._pause_left(job)
            learned = Learned() if wait else self._do(job)
        except BusyError as error:
            self._store.fail_job(job.id, str(error), retry_in_s=_BUSY_WAIT_S)
            return Learned()
        except Exception as error:  # noqa: BLE001 - kept with the job, where it is seen
            again = _FIRST_WAIT_S * 2 ** (job.attempts - 1) if job.attempts < _ATTEMPTS else None
            self._store.fail_job(job.id, reason_of(error), retry_in_s=again)
            return Learned(failed=1)
        if wait:
            self._store.postpone_job(job.id, delay_s=wait)
        else:
            self._store.finish_job(job.id)
        return learned

    def _pause_left(self, job: Job) -> float:
        """Seconds for which the conversation of a job goes on if nobody speaks; 0 when the job is to be done.

        By when its last message was stored, so that what was said long ago may come in bit by bit. A clock
        that was set back by more than the pause ends it.
        """
        if not job.payload.get("after_pause") or (scope := self._session_of(job)) is None:
            return 0.0
        fresh = self._messages(scope, self._learned_to(scope))
        if not fresh:
            return 0.0
        since = abs((self._clock() - fresh[-1].times.created_at).total_seconds())
        return max(0.0, TIMEOUT_S - since)

    def _do(self, job: Job) -> Learned:
        if job.task == MEND:
            self.mender.do(job)
            return Learned()
        if job.task not in {_TASK, _AGAIN}:
            raise InvalidInputError(
                f"a job to {job.task!r} is not known here; was it queued by a newer version?"
            )
        with self._lease(job.scope) as lease:
            return self._learn(job, lease) if job.task == _TASK else self._learn_again(job, lease)

    def _lease(self, scope: Scope) -> Lease:
        seconds = _LEASE_S if self._model() is None else _MODEL_LEASE_S
        return Lease(self._store, scope, clock=self._clock, lease_s=seconds)

    def _learn(self, job: Job, lease: Lease) -> Learned:
        """Learn what is new in the session of a turn, a stretch at a time."""
        scope, total = self._session_of(job), Learned()
        if scope is None:
            return total
        stretches, rereads = self._stretches(scope), 0
        while stretch := next(stretches, None):
            try:
                total += self._learn_stretch(scope, *stretch, job=job, lease=lease)
                total = replace(total, sessions=1)
            except ChangedError:
                self._let_go(scope, stretch[1])
                stretches, rereads = self._stretches(scope), rereads + 1
                if rereads > _REREADS:
                    raise
        self.forget_answer(scope)
        return total

    def _learn_again(self, job: Job, lease: Lease) -> Learned:
        """Learn what one turn says now; nothing where its session is still to be learned up to it."""
        (turn,) = self._store.get(job.scope, [str(job.payload.get("turn"))])
        if turn is None or turn.scope.session_id is None:
            return Learned()
        known_already = job.payload.get("unless_known") and any(self.unlearner.about(job.scope, [turn.id]))
        if known_already or turn.origin.turn > self._learned_to(turn.scope):
            return Learned()
        messages = self._messages(turn.scope, turn.origin.turn - READ_AGAIN)
        at = [one.id for one in messages].index(turn.id)
        known, fresh = messages[:at], messages[at : at + _FOLLOWING]
        learned = self._learn_stretch(turn.scope, known, fresh, job=job, lease=lease, tell=False)
        self.forget_answer(turn.scope)
        return learned

    def _let_go(self, scope: Scope, turns: Sequence[MemoryRecord]) -> None:
        """Forget what was decided, and what a model said, about turns that have changed."""
        self.forget_answer(scope)
        AdmissionLog(self._store, scope).forget([one.id for one in turns])

    def _session_of(self, job: Job) -> Scope | None:
        """The session a job is about; when its turn was deleted, by the others that are there."""
        user = _user(job.scope)
        (turn,) = self._store.get(user, [str(job.payload.get("turn"))])
        if turn is not None:
            return turn.scope if turn.scope.session_id is not None else None
        digest = job.scope.session_id or job.payload.get(
            "session"
        )  # which jobs had that older versions queued
        every = self._store.find(user, _MESSAGES)
        scopes = {record.scope for record in every if record.scope.session_id is not None}
        return next((scope for scope in scopes if _digest_of(scope) == digest), None)

    def _stretches(self, scope: Scope) -> Iterator[tuple[list[MemoryRecord], list[MemoryRecord]]]:
        """The messages that are new, in parts, each with those just before it."""
        done = self._learned_to(scope)
        messages = self._messages(scope, done - READ_AGAIN)
        first = sum(record.origin.turn <= done for record in messages)
        fresh = len(messages) - first
        size = max(fresh, 1) if self._model() is None else NEW_AT_ONCE
        before = READ_AGAIN if self._model() is None else READ_AGAIN - NEW_AT_ONCE
        for start in range(first, len(messages), size):
            yield messages[max(0, start - before) : start], messages[start : start + size]

    def _learn_stretch(
        self,
        scope: Scope,
        known: list[MemoryRecord],
        fresh: list[MemoryRecord],
        *,
        job: Job,
        lease: Lease,
        tell: bool = True,
    ) -> Learned:
        """Learn some new messages, looking again at those just before them.

        Raises:
            ChangedError: One was deleted or changed meanwhile.
        """
        from recollect.learning.stretches import keep

        found = self._reader.read(scope, known, fresh, last_try=job.attempts >= _ATTEMPTS)
        if found.usage is not None and not lease.renew():
            raise BusyError("the model took so long that another worker learns from this user")
        total = keep(found, self.keeper, scope, known, fresh, tell=tell)
        self._set_learned_to(scope, fresh)
        record = LearningRecord(
            at=self._clock(),
            turns=(fresh[0].id, fresh[-1].id),
            way=found.way,
            made_by=found.made_by,
            prompt_id=found.prompt_id,
            because=found.because,
            learned=total,
            refused=found.refused,
            usage=found.usage,
        )
        LearningRecords(self._store, scope).append(record)
        return total

    def forget_answer(self, scope: Scope) -> None:
        """Let go of what a model said: it was stored, or its turns changed."""
        if self._store.state(scope, ANSWER) is not None:
            self._store.change_state(scope, ANSWER, lambda _: None)

    def _messages(self, scope: Scope, after: int) -> list[MemoryRecord]:
        """The messages of a session beyond a turn, in order. The store numbers turns as it stores them."""
        beyond = parse_filter({"turn": {"gt": after}})
        found = self._store.find(_user(scope), AllOf((_messages_of(scope), beyond)))
        return sorted(found, key=lambda record: record.origin.turn)

    def _learned_to(self, scope: Scope) -> int:
        """The last turn of a session that was learned; -1 for none."""
        return _last_turn(self._store.state(scope, learned_to(scope)))

    def _set_learned_to(self, scope: Scope, fresh: Sequence[MemoryRecord]) -> None:
        """Remember how far a session was learned, never back, if its turns are as they were read."""

        def further(kept: str | None) -> str:
            check_unchanged(self._store, _user(scope), fresh)
            return str(max(_last_turn(kept), fresh[-1].origin.turn))

        self._store.change_state(scope, learned_to(scope), further)


def _last_turn(kept: str | None) -> int:
    return int(kept or -1)


def _job(scope: Scope, turn: str, *, after_pause: bool = False) -> Job:
    """To learn the session of a turn; it holds no words, and a digest in the place of the session's name."""
    return Job(
        task=_TASK,
        scope=Scope(user_id=scope.user_id, session_id=_digest_of(scope)),
        payload={"turn": turn, "after_pause": after_pause},
        delay_s=TIMEOUT_S if after_pause else 0.0,
        once=True,
    )


def _user(scope: Scope) -> Scope:
    return Scope(user_id=scope.user_id)


def _messages_of(scope: Scope) -> Filter:
    """The messages of a session, by their thread, which stores have an index of."""
    thread = Test("thread", in_metadata=False, operator="eq", value=thread_of(scope))
    return AllOf((thread, _MESSAGES))


def _digest_of(scope: Scope) -> str:
    return blake2b(thread_of(scope).encode(), digest_size=8).hexdigest()


def learned_to(scope: Scope) -> str:
    """The name of the state that holds the last turn of a session that was learned."""
    return f"{LEARNED_TO}{_digest_of(scope)}"
