"""What was said and is not learned yet: the jobs of conversations, and how far each was learned."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b
from itertools import zip_longest
from typing import Final

from recollect.ingest.conversations import PREFIX, TIMEOUT_S, implicit, thread_of
from recollect.learning.retraction import check_unchanged
from recollect.protocols import JobsOf, Store, no_jobs
from recollect.types import Job, MemoryRecord, Scope
from recollect.types.filters import AllOf, Filter, Test, parse_filter

TASK: Final = "learn"
AGAIN: Final = "learn again"
"""The tasks of jobs: what is new in a session, and what a turn or a given fact says now."""
_KNOWN_AT_ONCE: Final = 10_000
"""Conversations whose length is kept in memory, about 2 MB. Chosen by hand."""
_MESSAGES: Final = Test("kind", in_metadata=False, operator="eq", value="message")
LEARNED_TO: Final = "learned "
"""How the names of states begin that hold the last turn of a session that was learned; ``state_of``."""


class SessionQueue:
    """Queues conversations to be learned, and remembers how far they were."""

    def __init__(self, store: Store, *, threshold: int | None) -> None:
        self._store = store
        self._threshold = threshold
        self._turns: dict[str, int] = {}

    def jobs_for(self, records: Sequence[MemoryRecord]) -> JobsOf:
        """What queues new memories: a job for each conversation of which a message was stored, one for facts.

        That of a conversation is due at once where its messages pass the threshold, or where another one of
        their user and agent begins; else after the pause.
        """
        if self._threshold is None:
            return no_jobs
        messages = [one for one in records if one.kind == "message"]
        jobs = self._conversations(messages, threshold=self._threshold)
        facts = [one for one in records if one.kind == "fact"]

        def made(stored: Sequence[str]) -> list[Job]:
            there = set(stored)
            new = [one.id for one in facts if one.id in there]
            learning = [job for ids, job in jobs if not there.isdisjoint(ids)]
            return learning + ([_facts_job(facts[0].scope, new)] if new else [])

        return made

    def _conversations(
        self, messages: Sequence[MemoryRecord], *, threshold: int
    ) -> list[tuple[list[str], Job]]:
        """The jobs of new messages, each with the ids of those it is about."""
        jobs: list[tuple[list[str], Job]] = []
        scopes = list(dict.fromkeys(record.scope for record in messages))
        for scope, later in zip_longest(scopes, scopes[1:]):
            new = [record.id for record in messages if record.scope == scope]
            before = self._said(scope, len(new))
            passed = (before + len(new)) // threshold > before // threshold
            passed = passed or (later is not None and _follows(later, scope))
            if not before and (last := self._last_before(scope)) is not None:
                jobs.append((new, _job(last.scope, last.id)))
            jobs.append((new, _job(scope, new[-1] if passed else new[0], after_pause=not passed)))
        return jobs

    def _last_before(self, scope: Scope) -> MemoryRecord | None:
        """The last message of the implicit conversation before one that begins; it is over by that."""
        if not str(scope.session_id).startswith(PREFIX):
            return None
        found = self._store.find(_user(scope), implicit(scope.agent_id), limit=1, newest_first=True)
        return next((one for one in found if one.scope.session_id != scope.session_id), None)

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
        more = self._store.count(_user(scope), AllOf((messages_of(scope), beyond)))
        # Nothing more where there was something: what was counted may be purged.
        said = known + more if more else self._store.count(_user(scope), messages_of(scope))
        if len(self._turns) >= _KNOWN_AT_ONCE:
            self._turns.clear()
        self._turns[thread] = said + new if implicit else said
        return said

    def end(self, scope: Scope) -> bool:
        """Queue a session with messages that were not learned yet, however few; returns whether there are."""
        fresh = self.messages(scope, self.learned_to(scope))
        if fresh:
            self._store.add(scope, [], jobs=[_job(scope, fresh[-1].id)])
        return bool(fresh)

    def session_of(self, job: Job) -> Scope | None:
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

    def pause_left(self, job: Job, *, now: datetime) -> float:
        """Seconds until the conversation of a job counts as paused; 0 when the job is due.

        By when its last message was stored, so that what was said long ago may come in bit by bit. A clock
        that was set back by more than the pause ends it.
        """
        if not job.payload.get("after_pause") or (scope := self.session_of(job)) is None:
            return 0.0
        fresh = self.messages(scope, self.learned_to(scope))
        if not fresh:
            return 0.0
        since = abs((now - fresh[-1].times.created_at).total_seconds())
        return max(0.0, TIMEOUT_S - since)

    def messages(self, scope: Scope, after: int) -> list[MemoryRecord]:
        """The messages of a session beyond a turn, in order. The store numbers turns as it stores them."""
        beyond = parse_filter({"turn": {"gt": after}})
        found = self._store.find(_user(scope), AllOf((messages_of(scope), beyond)))
        return sorted(found, key=lambda record: record.origin.turn)

    def learned_to(self, scope: Scope) -> int:
        """The last turn of a session that was learned; -1 for none."""
        return _last_turn(self._store.state(scope, state_of(scope)))

    def set_learned_to(self, scope: Scope, fresh: Sequence[MemoryRecord]) -> None:
        """Remember how far a session was learned, never back, if its turns are as they were read."""

        def further(kept: str | None) -> str:
            check_unchanged(self._store, _user(scope), fresh)
            return str(max(_last_turn(kept), fresh[-1].origin.turn))

        self._store.change_state(scope, state_of(scope), further)


def _follows(later: Scope, scope: Scope) -> bool:
    """Whether both are implicit conversations of one user and agent."""
    both = all(str(one.session_id).startswith(PREFIX) for one in (later, scope))
    return both and (later.user_id, later.agent_id) == (scope.user_id, scope.agent_id)


def _last_turn(kept: str | None) -> int:
    return int(kept or -1)


def _job(scope: Scope, turn: str, *, after_pause: bool = False) -> Job:
    """To learn the session of a turn; it holds no words, and a digest in place of the session's name."""
    return Job(
        task=TASK,
        scope=Scope(user_id=scope.user_id, session_id=_digest_of(scope)),
        payload={"turn": turn, "after_pause": after_pause},
        delay_s=TIMEOUT_S if after_pause else 0.0,
        once=True,
    )


def _facts_job(scope: Scope, facts: Sequence[str]) -> Job:
    """To read facts that came as facts."""
    return Job(task=AGAIN, scope=_user(scope), payload={"facts": list(facts)})


def _user(scope: Scope) -> Scope:
    return Scope(user_id=scope.user_id)


def messages_of(scope: Scope) -> Filter:
    """The messages of a session, by their thread, which stores have an index of."""
    thread = Test("thread", in_metadata=False, operator="eq", value=thread_of(scope))
    return AllOf((thread, _MESSAGES))


def _digest_of(scope: Scope) -> str:
    return blake2b(thread_of(scope).encode(), digest_size=8).hexdigest()


def state_of(scope: Scope) -> str:
    """The name of the state that holds the last turn of a session that was learned."""
    return f"{LEARNED_TO}{_digest_of(scope)}"
