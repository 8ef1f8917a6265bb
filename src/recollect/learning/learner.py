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
from typing import TYPE_CHECKING, Final

from recollect.errors import InvalidInputError, MissingExtraError, ModelError
from recollect.learning import leases
from recollect.learning.admission import LEARNING, AdmissionDecision, AdmissionPolicy, Learning
from recollect.learning.admission_log import AdmissionLog
from recollect.learning.leases import BusyError, Lease
from recollect.learning.outcomes import Learned, reason_of
from recollect.learning.parts import LearningParts
from recollect.learning.queue import AGAIN, TASK, SessionQueue
from recollect.learning.records import LearningRecord, LearningRecords
from recollect.learning.repair import ANSWER, Mender, Verb
from recollect.learning.repair import TASK as MEND
from recollect.learning.retraction import ChangedError, Unlearner
from recollect.learning.worker import Workers
from recollect.protocols import JobsOf
from recollect.types import JSON, Job, MemoryRecord, Scope

if TYPE_CHECKING:
    from recollect.learning.by_model.findings import Findings
    from recollect.learning.extraction.facts import Fact, Turn
    from recollect.learning.facts import FactKeeper
    from recollect.learning.gate import AdmissionGate
    from recollect.learning.given import GivenFacts
    from recollect.learning.rebuild import Rebuilder
    from recollect.models.chat import LanguageModel, Usage
    from recollect.models.routing import ModelRouter

READ_AGAIN: Final = 10
"""Messages before the new ones that are looked at again; Second Brain takes the last 10."""
NEW_AT_ONCE: Final = 6
"""New messages that a model is asked of at once, with as many before them as make ten. Chosen by hand."""

_FOLLOWING: Final = 2
"""A turn that is learned again is read with the next one, which may answer it. Chosen by hand."""
_REREADS: Final = 5
"""How often a job reads a session again that changes meanwhile, before it waits. Chosen by hand."""
_LEASE_S: Final = 300.0
_MODEL_LEASE_S: Final = 900.0
_BATCH: Final = 16
_ATTEMPTS: Final = 5
_FIRST_WAIT_S: Final = 2.0
"""How long a job is held, without and with a model; how many are taken, how often one is tried and how long
after the first failure; each further wait is twice as long. Chosen by hand."""
_BUSY_WAIT_S: Final = 5.0
"""How long a job waits for another worker that learns from the same user. Chosen by hand."""
PASSING: Final = frozenset({leases.STATE, ANSWER})
"""States of a user: who learns from them now, and what a model said that is not stored yet."""


class Learner:
    """Learns from the sessions of a store; see ``Memory.jobs.drain``."""

    def __init__(
        self, parts: LearningParts, *, models: "ModelRouter | None" = None, learning: Learning = LEARNING
    ) -> None:
        self._parts = parts
        self.unlearner: Final = Unlearner(parts)
        self.mender: Final = Mender(parts, rebuilder=self._rebuilder, unlearner=self.unlearner)
        self.workers: Final = Workers()
        self.queue: Final = SessionQueue(parts.store, threshold=learning.after if learning.enabled else None)
        self._models = models
        self._admission = learning.admission
        self._enabled = learning.enabled

    @cached_property
    def keeper(self) -> "FactKeeper":
        """What takes facts into the store; the rules are loaded when it is first used."""
        from recollect.learning.facts import FactKeeper

        return FactKeeper(self._parts, unlearner=self.unlearner, gate=self._gate(self._admission))

    @cached_property
    def _given(self) -> "GivenFacts":
        from recollect.learning.given import GivenFacts
        from recollect.learning.persons import Persons

        return GivenFacts(self.keeper, Persons(self._parts.store), timezone=self._parts.timezone)

    def _rebuilder(self) -> "Rebuilder":
        from recollect.learning.rebuild import Rebuilder

        return Rebuilder(self._parts, unlearner=self.unlearner)

    def _gate(
        self, policy: AdmissionPolicy | None, *, importance: float | None = None, unstated: str = ""
    ) -> "AdmissionGate | None":
        from recollect.learning.gate import AdmissionGate

        if policy is None:
            return None
        return AdmissionGate(self._parts, policy=policy, importance=importance, unstated=unstated)

    def end(self, scope: Scope) -> bool:
        """Queue a session with messages that were not learned yet, however few; returns whether there are.

        Nothing is queued where learning is off.
        """
        queued = self._enabled and self.queue.end(scope)
        if queued:
            self.workers.wake()
        return queued

    def drain(self, *, stopping: Callable[[], bool] = lambda: False, early: bool = False) -> Learned:
        """Do the jobs that are due, until there are none; one that fails is tried again later.

        A purge that an open reader kept from cleaning the files is finished, too.

        Args:
            stopping: Asked before jobs are taken; whether to leave them.
            early: Whether to learn also from conversations that have not paused yet.
        """
        total = Learned()
        while not stopping() and (jobs := self._claimed(early=early)):
            for job in jobs:
                total += self._done(job, early=early)
        self._parts.store.residue()
        return total

    def take_in(self, turn: MemoryRecord, *, importance: float | None = None) -> list[AdmissionDecision]:
        """Decide now about what one stored turn states; where the rules see no fact, it is one as it stands.

        Args:
            turn: What was said.
            importance: How much it matters, 0 to 1, in place of what its words tell.

        Raises:
            StoreError: Another worker is busy.
        """
        from recollect.learning.extraction.extract import stated_facts
        from recollect.learning.facts import Maker
        from recollect.learning.recording import EXTRACTOR

        facts, unstated = stated_facts(self._turn(turn, self._people(turn.scope)))
        gate = self._gate(self._admission or AdmissionPolicy(), importance=importance, unstated=unstated)

        with self._lease(_user(turn.scope)):
            for fact in facts:
                self.keeper.take(fact, turn, made_by=Maker(name=EXTRACTOR), gate=gate)
        return [one for one in AdmissionLog(self._parts.store, turn.scope).all() if one.source_id == turn.id]

    def turn_away(self, scope: Scope, reason: str) -> AdmissionDecision:
        """Remember that a statement was not even stored."""
        decision = AdmissionDecision(
            admission="refused", criterion="safety", reason=reason, at=self._parts.clock()
        )
        AdmissionLog(self._parts.store, scope).append(decision)
        return decision

    def after(self, scope: Scope, verb: Verb, *, unlearned: Sequence[MemoryRecord] = ()) -> JobsOf:
        """The jobs that follow from a write: mend what was learned, and read again what is there."""
        mends = self.mender.after(scope, verb, unlearned=unlearned)

        def jobs(ids: Sequence[str]) -> list[Job]:
            again: Sequence[str] = [] if verb == "delete" else ids
            if verb == "retime":
                again = self.unlearner.told_with(scope, ids)
            payload: dict[str, JSON] = {"unless_known": verb == "undelete"}
            return [
                *mends(ids),
                *(Job(task=AGAIN, scope=_user(scope), payload=payload | {"turn": one}) for one in again),
            ]

        return jobs

    def settle(self, scope: Scope) -> None:
        """Do now what follows from the writes of a user; what has to be read again is left to a worker."""
        self.mender.settle(scope)
        self.workers.wake()

    def _claimed(self, *, early: bool) -> list[Job]:
        """Jobs to do now: one at a time where a model is asked, for that may take minutes."""
        if self._model() is None:
            return self._parts.store.claim_jobs(limit=_BATCH, lease_s=_LEASE_S, early=early)
        return self._parts.store.claim_jobs(limit=1, lease_s=_MODEL_LEASE_S, early=early)

    def _model(self) -> "LanguageModel | None":
        return None if self._models is None else self._models.model("memory_extraction")

    def _done(self, job: Job, *, early: bool) -> Learned:
        """Do one job and say so to the queue: at this boundary any failure becomes the job's record."""
        try:
            wait = 0.0 if early else self.queue.pause_left(job, now=self._parts.clock())
            learned = Learned() if wait else self._do(job)
        except BusyError as error:
            if early:  # a job without attempts would be taken again at once
                self._parts.store.fail_job(job.id, str(error), retry_in_s=_BUSY_WAIT_S)
            else:  # waiting is no try: a job is given up only after failures of its own
                self._parts.store.postpone_job(job.id, delay_s=_BUSY_WAIT_S)
            return Learned()
        except Exception as error:  # noqa: BLE001 - kept with the job, where it is seen
            again = _FIRST_WAIT_S * 2 ** (job.attempts - 1) if job.attempts < _ATTEMPTS else None
            self._parts.store.fail_job(job.id, reason_of(error), retry_in_s=again)
            return Learned(failed=1)
        if wait:
            self._parts.store.postpone_job(job.id, delay_s=wait)
        else:
            self._parts.store.finish_job(job.id)
        return learned

    def _do(self, job: Job) -> Learned:
        if job.task == MEND:
            self.mender.do(job)
            return Learned()
        if job.task not in {TASK, AGAIN}:
            raise InvalidInputError(
                f"a job to {job.task!r} is not known here; was it queued by a newer version?"
            )
        with self._lease(job.scope) as lease:
            return self._learn(job, lease) if job.task == TASK else self._learn_again(job, lease)

    def _lease(self, scope: Scope) -> Lease:
        seconds = _LEASE_S if self._model() is None else _MODEL_LEASE_S
        return Lease(self._parts.store, scope, clock=self._parts.clock, lease_s=seconds)

    def _learn(self, job: Job, lease: Lease) -> Learned:
        """Learn what is new in the session of a turn, a stretch at a time."""
        scope, total = self.queue.session_of(job), Learned()
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
        """Learn what facts that came as facts, or one turn, say now.

        Nothing is learned from a turn whose session is still to be learned up to it.
        """
        listed = job.payload.get("facts")
        ids = [str(one) for one in listed] if isinstance(listed, list) else [str(job.payload.get("turn"))]
        found = [one for one in self._parts.store.get(job.scope, ids) if one is not None]
        if given := [one for one in found if one.kind == "fact"]:
            return self._given.compare(given)
        turn = found[0] if found else None
        if turn is None or turn.scope.session_id is None:
            return Learned()
        known_already = job.payload.get("unless_known") and any(self.unlearner.about(job.scope, [turn.id]))
        if known_already or turn.origin.turn > self.queue.learned_to(turn.scope):
            return Learned()
        messages = self.queue.messages(turn.scope, turn.origin.turn - READ_AGAIN)
        at = [one.id for one in messages].index(turn.id)
        known, fresh = messages[:at], messages[at : at + _FOLLOWING]
        learned = self._learn_stretch(turn.scope, known, fresh, job=job, lease=lease, tell=False)
        self.forget_answer(turn.scope)
        return learned

    def _let_go(self, scope: Scope, turns: Sequence[MemoryRecord]) -> None:
        """Forget what was decided, and what a model said, about turns that have changed."""
        self.forget_answer(scope)
        AdmissionLog(self._parts.store, scope).forget([one.id for one in turns])

    def _stretches(self, scope: Scope) -> Iterator[tuple[list[MemoryRecord], list[MemoryRecord]]]:
        """The messages that are new, in parts, each with those just before it."""
        done = self.queue.learned_to(scope)
        messages = self.queue.messages(scope, done - READ_AGAIN)
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
        found = self._read(scope, known, fresh, last_try=job.attempts >= _ATTEMPTS)
        if found.usage is not None and not lease.renew():
            raise BusyError("the model took so long that another worker took over this user")
        total = self._keep(found, scope, known, fresh, tell=tell)
        self.queue.set_learned_to(scope, fresh)
        record = LearningRecord(
            at=self._parts.clock(),
            turns=(fresh[0].id, fresh[-1].id),
            way=found.way,
            made_by=found.made_by,
            prompt_id=found.prompt_id,
            because=found.because,
            learned=total,
            refused=found.refused,
            usage=found.usage,
        )
        LearningRecords(self._parts.store, scope).append(record)
        return total

    def _read(
        self, scope: Scope, known: list[MemoryRecord], fresh: list[MemoryRecord], *, last_try: bool
    ) -> "Findings":
        """What new messages tell, after those before them: as a model says, else by the rules.

        Raises:
            ModelError: The model cannot be reached for now, and it is not the last try.
        """
        from recollect.learning.by_model.ask import ask_once
        from recollect.learning.by_model.read import read_answer

        people = self._people(scope)
        turns = [self._turn(record, people) for record in (*known, *fresh)]
        model, answer = self._model(), None
        if model is None or not any(record.origin.role == "user" for record in fresh):
            return self._by_rules(turns, known=len(known))
        try:
            answer = ask_once(self._parts.store, scope, model, turns, known=len(known))
            found = read_answer(answer, turns, known=len(known), analyser=self._parts.analyser)
        except (ModelError, MissingExtraError) as error:
            if getattr(error, "transient", False) and not last_try:
                raise
            usage = None if answer is None else answer.usage
            return self._by_rules(turns, known=len(known), because=reason_of(error), usage=usage)
        found = self._without_unsaid(found, turns, known=len(known))
        return found if found.episodes else self._with_episode(found, turns[len(known) :])

    def _without_unsaid(self, found: "Findings", turns: "list[Turn]", *, known: int) -> "Findings":
        """What a model found, without what the next turn takes back, and with that this one does.

        So with what a turn asks to forget, which is no fact about its speaker.
        """
        from recollect.learning.extraction.forget_requests import forget_requests, without_forget_requests
        from recollect.learning.extraction.unsaid import takings_back, without_unsaid
        from recollect.learning.extraction.withdrawals import withdrawals

        left = without_unsaid(turns)
        said = {turn.id for turn in without_forget_requests(left) if turn.text.strip()}
        facts = [fact for fact in found.facts if fact.source in said]
        asked = (*withdrawals(left, known=known), *forget_requests(left, known=known))
        return replace(found, facts=(*takings_back(turns, known=known), *facts, *asked))

    def _turn(self, record: MemoryRecord, people: dict[str, str]) -> "Turn":
        """A message as it is read: its days are those of where the users are."""
        from recollect.learning.recording import turn_of

        return turn_of(record, people, timezone=self._parts.timezone)

    def _people(self, scope: Scope) -> dict[str, str]:
        """Whom the user told of by name."""
        from recollect.learning.persons import Persons

        return Persons(self._parts.store).known(Scope(user_id=scope.user_id, agent_id=scope.agent_id))

    def _by_rules(
        self, turns: "list[Turn]", *, known: int, because: str | None = None, usage: "Usage | None" = None
    ) -> "Findings":
        from recollect.learning.by_model.findings import Findings
        from recollect.learning.extraction.extract import extract_new
        from recollect.learning.recording import EXTRACTOR

        facts = extract_new(turns, known=known)
        found = Findings(facts=facts, way="rules", made_by=EXTRACTOR, because=because, usage=usage)
        return self._with_episode(found, turns[known:])

    def _with_episode(self, found: "Findings", fresh: "list[Turn]") -> "Findings":
        """With what happened by the rules: the most telling sentence, word for word."""
        from recollect.learning.extraction.episodes import summarise_episode
        from recollect.learning.extraction.forget_requests import without_forget_requests
        from recollect.learning.extraction.unsaid import without_unsaid
        from recollect.lifecycle.importance import importance_in_chat

        said = without_forget_requests(without_unsaid(fresh))
        episode = summarise_episode(said, rate=importance_in_chat, analyser=self._parts.analyser)
        return found if episode is None else replace(found, episodes=(episode,))

    def _keep(
        self,
        found: "Findings",
        scope: Scope,
        known: list[MemoryRecord],
        fresh: list[MemoryRecord],
        *,
        tell: bool,
    ) -> Learned:
        """Store what was found in new messages; its episodes only with ``tell``."""
        from recollect.learning.extraction.forget_requests import FORGET, FORGET_THAT
        from recollect.learning.extraction.unsaid import UNSAID
        from recollect.learning.extraction.withdrawals import WITHDRAWN
        from recollect.learning.facts import Maker
        from recollect.learning.forget_requests import Forgetter

        made_by = Maker(name=found.made_by, prompt_id=found.prompt_id)
        said, total = {record.id: record for record in (*known, *fresh)}, Learned()
        forget: list[Fact] = []
        for fact in found.facts:
            if fact.relation == UNSAID:
                total += self.keeper.unsay(said[fact.also[0]], said[fact.source])
                continue
            if fact.relation == WITHDRAWN:
                total += self.keeper.withdraw(fact, said[fact.source])
                continue
            if fact.relation in {FORGET, FORGET_THAT}:
                forget.append(fact)
                continue
            total += self.keeper.take(fact, said[fact.source], made_by=made_by, read=list(said.values()))
        for place, episode in enumerate(found.episodes if tell else ()):
            total += self.keeper.tell(episode, scope, place=place, made_by=made_by, read=fresh)
        forgetter = Forgetter(self._parts, self.unlearner)
        for fact in forget:  # of what was said before, whatever is stored of it only now
            total += forgetter.forget(fact, said[fact.source])
        return total

    def forget_answer(self, scope: Scope) -> None:
        """Delete what a model said: it was stored, or its turns changed."""
        if self._parts.store.state(scope, ANSWER) is not None:
            self._parts.store.change_state(scope, ANSWER, lambda _: None)


def _user(scope: Scope) -> Scope:
    return Scope(user_id=scope.user_id)
