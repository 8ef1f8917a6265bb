"""What follows from a deletion, an edit or a recovery: whatever was made of the words follows them.

The write queues it as a job, in its own transaction, and does it at once; a process that is stopped in
between leaves the job to a worker. A job looks at how things are now, so doing it again changes nothing.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from recollect.learning.admission_log import AdmissionLog
from recollect.learning.marks import enders_of, left_out_of
from recollect.learning.parts import LearningParts
from recollect.learning.retraction import LEARNED, Unlearner
from recollect.protocols import JobsOf
from recollect.types import JSON, Job, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, by_ids

if TYPE_CHECKING:
    from recollect.learning.rebuild import Rebuilder

TASK: Final = "mend"
"""The task of the jobs."""
ANSWER: Final = "answer"
"""The name of the state that keeps what a model said until it is stored."""
Verb: TypeAlias = Literal["delete", "update", "retime", "undelete"]
"""What was done to memories; ``retime`` gives them another time, and perhaps other words."""
_AT_ONCE: Final = 500
"""Memories of one job, and those read at once when all that was learned is looked at. Chosen by hand."""


class Mender:
    """Does what follows from a write."""

    def __init__(
        self, parts: LearningParts, *, rebuilder: Callable[[], "Rebuilder"], unlearner: Unlearner
    ) -> None:
        self._parts = parts
        self._rebuilder = rebuilder
        self._unlearner = unlearner

    def after(self, scope: Scope, verb: Verb, *, unlearned: Sequence[MemoryRecord] = ()) -> JobsOf:
        """What makes the jobs of a write, for ``Store.delete`` and its like."""
        marks = self._unlearner.mark(unlearned)

        def jobs(ids: Sequence[str]) -> list[Job]:
            pages = [list(ids[start : start + _AT_ONCE]) for start in range(0, len(ids), _AT_ONCE)]
            more: dict[str, JSON] = {"verb": verb, "marks": marks}
            return [Job(task=TASK, scope=_user(scope), payload=more | {"ids": page}) for page in pages]

        return jobs

    def settle(self, scope: Scope) -> None:
        """Do the jobs of a user that wait, now."""
        for job in self._parts.store.jobs(user_id=scope.user_id):
            if job.task == TASK:
                self.do(job)
                self._parts.store.finish_job(job.id)

    def waiting(self, user_id: str) -> int:
        """How many deletions and edits of a user are not finished."""
        every = [
            *self._parts.store.jobs(user_id=user_id),
            *self._parts.store.jobs(user_id=user_id, failed=True),
        ]
        return sum(job.task == TASK for job in every)

    def do(self, job: Job) -> None:
        """Do what follows from one write."""
        user, verb = _user(job.scope), job.payload.get("verb")
        listed = job.payload.get("ids")
        ids = [str(one) for one in listed] if isinstance(listed, list) else []
        alive = [one for one in self._parts.store.get(user, ids) if one is not None]
        edits = verb in {"update", "retime"}
        changed = set(ids) if edits else set(ids).difference(one.id for one in alive)
        if isinstance(marks := job.payload.get("marks"), Mapping) and marks:
            self._unlearner.unlearn(user, marks)
        edited = changed if edits else ()
        self._rebuild(user, ids, changed, edited=edited, retimed=verb == "retime")
        if verb == "undelete":
            for record in alive:
                self._unlearner.restore(user, record)
        dead = self._parts.store.deleted(user, by_ids(ids))
        self._follow(user, [one for one in (*dead, *alive) if one.kind == "message"], edited=edits)
        self._forget_words(user, dead, alive, changed)

    def _follow(self, user: Scope, turns: Sequence[MemoryRecord], *, edited: bool) -> None:
        if turns:
            from recollect.learning.unsaying import Unsayer

            Unsayer(self._parts, self._unlearner).follow(user, turns, edited=edited)
            self._follow_requests(user, turns, edited=edited)

    def _follow_requests(self, user: Scope, turns: Sequence[MemoryRecord], *, edited: bool) -> None:
        """Bring back what deleted or edited turns asked to forget; archive it again where one is back."""
        from recollect.learning.forget_requests import ForgetLog, Forgetter

        asking = {one.turn for one in ForgetLog(self._parts.store, user).all().values()}
        forgetter, there = (
            Forgetter(self._parts, self._unlearner),
            [one.id for one in turns if one.id in asking],
        )
        for turn, found in zip(there, self._parts.store.get(user, there), strict=True):
            if found is None or edited:
                forgetter.take_back(user, turn, anew=edited)
            else:
                forgetter.ask_again(user, turn)

    def _rebuild(
        self,
        user: Scope,
        ids: Collection[str],
        changed: Collection[str],
        *,
        edited: Collection[str],
        retimed: bool,
    ) -> None:
        touched = list(self._unlearner.about(user, list(ids)))
        self._unlearner.reopen(user, touched, changed)
        for one in touched:
            if not set(changed).isdisjoint(enders_of(one)):
                self._unlearner.end_again(user, one.id)
            if not set(ids).isdisjoint((*one.origin.sources, *left_out_of(one))):
                self._rebuilder().rebuild(user, one.id, edited=edited, retimed=retimed)

    def _forget_words(
        self,
        user: Scope,
        dead: Sequence[MemoryRecord],
        alive: Sequence[MemoryRecord],
        changed: Collection[str],
    ) -> None:
        """Take words out of what is kept beside the memories."""
        from recollect.learning.agenda.state import AgendaLog
        from recollect.learning.titles import retitle

        turns = [one for one in (*dead, *alive) if one.kind == "message"]
        for session in {one.scope for one in turns if one.scope.session_id is not None}:
            retitle(self._parts.store, session, analyser=self._parts.analyser)
        self._parts.store.change_state(user, ANSWER, lambda _: None)
        AdmissionLog(self._parts.store, user).forget(list(changed))
        AgendaLog(self._parts.store, user).forget(list(changed))
        self._forget_intents(user, [one for one in dead if one.kind == "message"])

    def _forget_intents(self, user: Scope, dead: Sequence[MemoryRecord]) -> None:
        """Take the words of deleted turns from those that intents were learned of."""
        from recollect.learning.intents.intents import STATE
        from recollect.learning.intents.patterns import key_of, read_patterns, write_patterns

        if not dead or self._parts.store.state(user, STATE) is None:
            return
        gone = {key_of(one.content, self._parts.analyser) for one in dead}

        def less(kept: str | None) -> str | None:
            patterns = read_patterns(kept)
            return write_patterns(
                [one for one in patterns if key_of(one.text, self._parts.analyser) not in gone]
            )

        self._parts.store.change_state(user, STATE, less)

    def problems(self, users: Sequence[str]) -> list[str]:
        """What a doctor says of these users."""
        waiting = sum(self.waiting(user) for user in users)
        adrift = sum(len(self.adrift(Scope(user_id=user))) for user in users)
        return [
            *_told(waiting, "deletions or edits were interrupted; 'recollect worker --once' finishes them"),
            *_told(adrift, "facts or episodes say what was deleted; run 'recollect doctor --rebuild'"),
        ]

    def learned_in(self, scope: Scope) -> list[str]:
        """Facts and episodes, deleted ones among them, that were learned from memories of a scope."""
        user = _user(scope)
        every = [*self._parts.store.deleted(user, LEARNED), *self._parts.store.find(user, LEARNED)]
        cites = {one.id: {*one.origin.sources, *left_out_of(one)} for one in every}
        inside = {one.id for one in self._parts.store.deleted(scope, EVERYTHING)}
        inside |= {
            one.id for one in self._parts.store.get(scope, sorted(set().union(*cites.values()))) if one
        }
        return [memory_id for memory_id, cited in cites.items() if not inside.isdisjoint(cited)]

    def adrift(self, user: Scope) -> list[str]:
        """Facts and episodes that cite a deleted turn, or a fact that ended by a deleted one."""
        return [one.id for page in self._learned(user) for one in self._adrift_in(user, page)]

    def mend_all(self, user: Scope) -> None:
        """Bring everything that is adrift in line with its turns."""
        for page in self._learned(user):
            for one in self._adrift_in(user, page):
                gone = self._unlearner.gone(user, [*one.origin.sources, *enders_of(one)])
                self._unlearner.reopen(user, [one], gone)
                self._rebuilder().rebuild(user, one.id)

    def _learned(self, user: Scope) -> Iterator[list[MemoryRecord]]:
        after: str | None = None
        while page := self._parts.store.find(user, LEARNED, after=after, limit=_AT_ONCE):
            yield page
            after = page[-1].id

    def _adrift_in(self, user: Scope, page: Sequence[MemoryRecord]) -> list[MemoryRecord]:
        cites = {one.id: {*one.origin.sources, *enders_of(one)} for one in page}
        gone = self._unlearner.gone(user, sorted(set().union(*cites.values())))
        return [one for one in page if not gone.isdisjoint(cites[one.id])]


def _told(count: int, what: str) -> list[str]:
    return [f"{count} {what}"] if count else []


def _user(scope: Scope) -> Scope:
    return Scope(user_id=scope.user_id)
