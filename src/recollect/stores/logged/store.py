"""The reference store made durable: it answers from this process, and a log keeps what was written.

A write is done in memory, put down in the log, and only then acknowledged; when the log fails, it is
undone. Before a read and before a write the log is asked what others wrote meanwhile.
"""

import gc
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Final, NamedTuple, Protocol, TypeVar

from recollect.errors import StoreBusyError, StoreCorruptError, StoreError
from recollect.protocols import Clock, Statistics
from recollect.stores.logged.soundness import UNSOUND
from recollect.stores.logged.writes import Write, apply, write_of
from recollect.stores.reference.locked import LockedTables
from recollect.stores.reference.rows import Row
from recollect.stores.reference.store import InMemoryStore
from recollect.stores.reference.tables import Kept
from recollect.stores.sql.statistics import RunningTally
from recollect.types import Scope
from recollect.types.clock import utc_now

T = TypeVar("T")

NOTHING: Final = -1
"""The number of the last write known to a store that has read nothing yet."""
_TRIES: Final = 50
"""How often a write is begun again because another process was first. Chosen by hand."""
_WAIT_S: Final = 0.01
"""The longest pause before the second try; it grows with each, by chance. Chosen by hand."""


class TakenError(Exception):
    """Another process made the write of this number first; nothing was written."""


class News(NamedTuple):
    """What was written since.

    Attributes:
        number: Of the last write.
        writes: What was changed, in order.
        whole: Everything that was kept before these writes: what was known is to be forgotten.
    """

    number: int
    writes: Sequence[Write]
    whole: Kept | None = None


class Log(Protocol):
    """Where writes are put down. Writes are numbered from 1 without gaps."""

    name: str
    """What messages call the store; without a password."""

    def alone(self) -> AbstractContextManager[None]:
        """While a write is made: others wait, where the log can make them."""

    def news(self, known: int) -> News | None:
        """What was written after write ``known``; None when nothing was. Called before every read."""

    def append(self, number: int, write: Write, kept: Kept) -> None:
        """Put a write down, durably, whole or not at all.

        Raises:
            TakenError: There is a write of that number already.
        """

    def tidy(self, number: int, kept: Kept) -> None:
        """Called when a write is done, and when those of others were read, with what is kept now."""

    def close(self, number: int, kept: Kept) -> None:
        """Give back what is held."""


class LoggedTables(LockedTables):
    """The tables of a store over a log.

    Args:
        log: Keeps what is written.
        clock: Dates the change log and the leases of jobs.
    """

    def __init__(self, log: Log, *, clock: Clock) -> None:
        super().__init__(clock=clock)
        self._log = log
        self._number = NOTHING
        self._tallies: dict[str, RunningTally] = {}  # by user; those that were asked for
        self._refresh()

    def close(self) -> None:
        """Give back what the log holds."""
        with self._lock:
            if self._closed:
                return
            with suppress(StoreError), self._log.alone():
                self._refresh()
            super().close()
            self._log.close(self._number, self.kept)

    def tally(self, user: str) -> RunningTally | None:
        """What a user's live memories have in common; None inside a write, which may be undone."""
        if self._writing:
            return None
        if user not in self._tallies:
            self._tallies[user] = RunningTally(_counted(self.live(Scope(user_id=user))))
        return self._tallies[user]

    @contextmanager
    def held(self) -> Iterator[None]:
        """While it reads; what others wrote before is there."""
        with super().held():
            if not self._writing:
                self._refresh()
            yield

    def transact(self, step: Callable[[], T]) -> T:
        """Do a write that the log keeps before it is acknowledged."""
        with self._lock:
            self.check_open()
            if self._writing:
                return step()
            with self._log.alone():
                return self._in_turn(step)

    def _in_turn(self, step: Callable[[], T]) -> T:
        """Do a write after those of others; when one of them was first, once more."""
        for attempt in range(_TRIES):
            self._refresh()
            known = self._number
            try:
                result = super().transact(step)
            except TakenError:
                self._number = known
                time.sleep(random.uniform(0, _WAIT_S * (attempt + 1)))  # noqa: S311 - no secret
            else:
                if self._number == NOTHING:
                    self._number = known + 1
                    self._log.tidy(self._number, self.kept)
                return result
        raise StoreBusyError(f"others write to {self._log.name} all the time; try again later")

    def commit(self) -> None:
        """Put the write down in the log."""
        write = write_of(self.kept)
        if write:
            # Should the log fail, or the process be interrupted here, all is read again: it may be written.
            number, self._number = self._number + 1, NOTHING
            self._log.append(number, write, self.kept)

    def _refresh(self) -> None:
        """Take over what others wrote."""
        self.kept.undo()  # what an interrupt left behind
        known, self._number = self._number, NOTHING  # whoever is interrupted below begins anew
        with _uncollected() if known == NOTHING else nullcontext():
            try:
                news = self._log.news(known)
            except StoreError:
                self._number = known
                raise
            if news is None:
                self._number = known
                return
            self._take_over(news, known)
        with suppress(StoreError):  # another time: a reader has nothing to do with it
            self._log.tidy(self._number, self.kept)

    def _take_over(self, news: News, known: int) -> None:
        if news.number < known:
            self._number = known
            raise StoreError(f"{self._log.name} was put back to an earlier state; open it again")
        try:
            if news.whole is not None:
                self._begin_with(news.whole)
            for write in news.writes:
                apply(self.kept, write)
        except BaseException as error:
            self.kept.undo()
            if isinstance(error, UNSOUND):
                raise StoreCorruptError(f"{self._log.name} holds what is no write: {error}") from error
            raise
        self.settle()
        self._number = news.number

    def settle(self) -> None:
        """Keep what a write changed, and count it."""
        rows = self.kept.memories
        for user, tally in self._tallies.items():
            tally.count(_counted(_of(user, rows.before.values())), -1)
            tally.count(_counted(_of(user, map(rows.get, rows.before))), 1)
        super().settle()

    def _begin_with(self, kept: Kept) -> None:
        self._tallies.clear()
        theirs = kept.tables()
        for name, table in self.kept.tables().items():
            for key in list(table):
                table.drop(key)
            for key, value in theirs[name].items():
                table.put(key, value)


class LoggedStore(InMemoryStore):
    """The in-memory store over a log.

    Args:
        log: Keeps what is written.
        clock: Dates the change log and the leases of jobs.
    """

    _tables: LoggedTables

    def __init__(self, log: Log, *, clock: Clock = utc_now) -> None:
        self._log = log
        self._build(LoggedTables(log, clock=clock))

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        """What the user's live memories have in common: every ``add`` asks, so it is counted on."""
        with self._tables.held():
            tally = self._tables.tally(scope.user_id)
            return super().statistics(scope, terms) if tally is None else tally.of(terms)


def _of(user: str, rows: Iterable[Row | None]) -> Iterator[Row]:
    """The live memories of a user."""
    return (row for row in rows if row and not row.deleted and row.record.scope.user_id == user)


def _counted(rows: Iterable[Row]) -> Iterator[tuple[bytes, bytes]]:
    return ((row.features.terms, row.features.vector) for row in rows)


@contextmanager
def _uncollected() -> Iterator[None]:
    """While much is read that stays: the garbage collector would look through all of it again and again.

    Reading 10,000 memories takes two thirds longer with it. At the end all of it is passed to the oldest
    generation (that is what frozen objects become when they thaw), or the next allocation would look
    through it after all, which takes another tenth.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # else a program froze its own, and they would thaw too
            gc.freeze()
            gc.unfreeze()
        gc.enable()
