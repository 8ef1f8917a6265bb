"""Clients that do what a plan says, all at once, until the time is up or the server is gone."""

import signal
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import Final, NamedTuple

from benchmarks.generate import texts
from benchmarks.load.operations import FailedError, attempt, choose
from benchmarks.load.people import Person
from benchmarks.load.plan import Plan
from benchmarks.load.target import Target
from benchmarks.load.watch import ProcessWatch

_GONE_S: Final = 5.0
"""A server that nobody reached for so long is gone. Chosen by hand."""
_LOOK_S: Final = 0.2
"""How often is looked whether Ctrl-C was pressed."""
_PAUSE_S: Final = 0.2
"""Pause of a client that did not reach the server. Chosen by hand."""
_SAID: Final = 2_000
"""Different texts that are added. Chosen by hand."""


class Done(NamedTuple):
    """An operation that was done.

    Attributes:
        seconds: From the moment it was due.
        failed: Why it did not succeed.
    """

    operation: str
    seconds: float
    failed: FailedError | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Driven:
    """What was measured.

    Attributes:
        seconds: How long, warm-up left out.
        done: Every operation of that time.
        unsent: Operations that were due by the plan's rate and not begun before the end.
        server: What the server's process took meanwhile; see ``ProcessWatch.figures``.
        own_cores: Cores that the clients themselves kept busy.
        stopped: Why it ended early; None where it did not.
    """

    seconds: float
    done: list[Done]
    unsent: int
    server: dict[str, float] | None
    own_cores: float
    stopped: str | None


class _Clock:
    """What the clients share: when each operation is due, and whether the server is there.

    Attributes:
        measured_from, end: By ``time.perf_counter``.
        stopped: Why it ended early.
    """

    def __init__(self, plan: Plan) -> None:
        self._rate = plan.rate
        self._begun = self._reached = time.perf_counter()
        self.measured_from = self._begun + plan.warm_up_s
        self.end = self.measured_from + plan.seconds
        self.stopped: str | None = None
        self.interrupted = False
        self._numbers = count()
        self._stop = threading.Event()

    def next(self) -> tuple[int, float] | None:
        """The number of the next operation and when it is due; None when the time is up."""
        number, now = next(self._numbers), time.perf_counter()
        due = now if self._rate is None else self._begun + number / self._rate
        if max(now, due) >= self.end or self._stop.wait(max(0.0, due - now)):
            return None
        return number, due

    def note(self, *, away: bool) -> None:
        """Note whether the server was there; end it all when it has been away for long."""
        now = time.perf_counter()
        if not away:
            self._reached = now
        elif now - self._reached > _GONE_S:
            self.halt(f"the server was not reached for {_GONE_S:.0f} s")
        else:
            self._stop.wait(_PAUSE_S)

    def wait_until(self, moment: float) -> None:
        while not self.interrupted and (left := moment - time.perf_counter()) > 0:
            if self._stop.wait(min(left, _LOOK_S)):
                return
        if self.interrupted:
            self.halt("it was interrupted")

    def interrupt(self, *_: object) -> None:
        """Note Ctrl-C; as an exception it would be lost where Python runs a callback."""
        self.interrupted = True

    def halt(self, why: str) -> None:
        self.stopped = self.stopped or why
        self._stop.set()


def drive(target: Target, plan: Plan, people: Sequence[Person]) -> Driven:
    """Put the load of a plan on a server; Ctrl-C ends it early.

    Args:
        target: The server.
        plan: What is done.
        people: Who is asked about, with something to remember.
    """
    said = texts(_SAID, seed=plan.seed + 1)
    watch = ProcessWatch(target, every_s=min(10.0, max(0.5, plan.seconds / 60)))
    clock = _Clock(plan)
    with watch, ThreadPoolExecutor(plan.clients) as threads:
        running = [threads.submit(_client, target, plan, clock, people, said) for _ in range(plan.clients)]
        worked = time.process_time()
        before = signal.signal(signal.SIGINT, clock.interrupt)
        try:
            clock.wait_until(clock.measured_from)
            watch.begin()
            worked = time.process_time()
            clock.wait_until(clock.end)
        finally:
            signal.signal(signal.SIGINT, before)
        worked = time.process_time() - worked
        seconds = max(0.0, min(time.perf_counter(), clock.end) - clock.measured_from)
        done = [one for client in running for one in client.result()]
    due = 0 if plan.rate is None else round(plan.rate * seconds)
    return Driven(
        seconds=seconds,
        done=done,
        unsent=max(0, due - len(done)) if clock.stopped is None else 0,
        server=watch.figures(),
        own_cores=worked / seconds if seconds else 0.0,
        stopped=clock.stopped,
    )


def _client(
    target: Target, plan: Plan, clock: _Clock, people: Sequence[Person], said: Sequence[str]
) -> list[Done]:
    done = []
    with target.connect() as client:
        while (turn := clock.next()) is not None:
            number, due = turn
            doing = choose(number, people=people, said=said, mix=plan.mix, seed=plan.seed)
            failed = attempt(client, doing)
            if due >= clock.measured_from:
                done.append(Done(doing.operation, time.perf_counter() - due, failed))
            clock.note(away=failed is not None and failed.is_away)
    return done
