"""``memory.jobs``: what waits to be learned, and learning it now or in the background."""

import builtins
from collections.abc import Callable
from threading import TIMEOUT_MAX
from typing import Final

from recollect.checks import NO_LIMIT, check_bool, check_count, check_limit, check_seconds
from recollect.errors import InvalidInputError, as_given
from recollect.learning.outcomes import Learned
from recollect.learning.worker import POLL_S, Worker
from recollect.memory.parts import Parts
from recollect.types import Job
from recollect.types.guesses import corrects_guesses

_LEAST_POLL_S: Final = 0.01
"""Seconds between two looks of a worker: fewer would only keep the store busy. Chosen by hand."""


@corrects_guesses
class Jobs:
    """The queue of conversations to learn; see ``Memory.jobs``.

    Words are queued in the transaction that stores them: at once with every fourth message of a conversation
    and when it is ended; what is left after half an hour without a word.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def drain(self, *, due_only: bool = False) -> Learned:
        """Learn now all that was said and not learned yet, of all users.

        Facts become memories of the kind ``fact`` with their sources. Several workers may run at once; a job
        that fails is tried again later, see ``list``.

        Args:
            due_only: Leave conversations that go on until they pause or reach their fourth message, as
                ``worker`` and ``recollect worker`` do.

        Returns:
            What was done; ``str`` of it is a line to show.
        """
        self._parts.check_open()
        return self._parts.learner.drain(early=not check_bool("due_only", due_only))

    def worker(self, *, poll_s: float = POLL_S, tell: Callable[[Learned], object] | None = None) -> Worker:
        """Start a thread that learns queued conversations, as ``recollect worker`` does in a process.

        It learns soon after every fourth message of a conversation and after ``sessions.end``, and what is
        left when a conversation pauses for half an hour (``drain`` learns it now). It raises nothing (see
        ``list``), and ends with its ``close``, the end of a ``with``, or when the memory is closed.

        Args:
            poll_s: Seconds between two looks at what other processes queued, and at what is tried again.
            tell: Called in that thread with what was learned.

        Returns:
            The worker, at work.
        """
        self._parts.check_open()
        seconds = check_seconds("poll_s", poll_s)
        if not _LEAST_POLL_S <= seconds <= TIMEOUT_MAX:
            raise InvalidInputError(
                f"poll_s must be from {_LEAST_POLL_S} to {TIMEOUT_MAX:.0f}, not {seconds}"
            )
        if tell is not None and not callable(tell):
            raise InvalidInputError(
                f"tell must be a function of what was learned, or None; not {as_given(tell)}"
            )
        learner = self._parts.learner
        return learner.workers.keep(Worker(learner.drain, poll_s=seconds, tell=tell))

    def list(
        self,
        *,
        failed: bool = False,
        user_id: str | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> builtins.list[Job]:
        """The waiting jobs, oldest first; with ``failed`` those given up.

        Args:
            failed: Which of both.
            user_id: Only what is about this user; by default everyone's.
            after: Only what comes after the job with this ``id``: the last one of the page before.
            limit: How many at most; None for all.

        Raises:
            InvalidInputError: ``after`` or ``limit`` is no whole number above 0, or ``failed`` no bool.
        """
        self._parts.check_open()
        given_up = check_bool("failed", failed)
        user = None if user_id is None else self._parts.scope(user_id).user_id
        start = 0 if after is None else check_count("after", after, most=NO_LIMIT)
        most = check_limit(limit)
        return self._parts.store.jobs(failed=given_up, user_id=user, after=start, limit=most)

    def count(self, *, user_id: str | None = None, failed: bool = False) -> int:
        """How many jobs wait to be learned, or with ``failed`` were given up, of one user or of all."""
        self._parts.check_open()
        user = None if user_id is None else self._parts.scope(user_id).user_id
        return self._parts.store.count_jobs(user_id=user, failed=check_bool("failed", failed))
