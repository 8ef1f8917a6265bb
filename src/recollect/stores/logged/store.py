"""The in-memory store made durable by a log of its writes.

A write changes memory, is appended to the log, and only then returns; when the log fails, it is undone.
Before each read and write, the store asks the log what other processes wrote meanwhile.
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
"""The number of the last known write before the first read of the log."""
_TRIES: Final = 50
"""How often a write is retried when another process took its number. Chosen by hand."""
_WAIT_S: Final = 0.01
"""The longest pause before the second try, in seconds; it grows with each try. Chosen by hand."""


class TakenError(Exception):
    """The number is taken by a write of another process; nothing was written."""


class News(NamedTuple):
    """The writes after a number.

    Attributes:
        whole: The full state before these writes, which replaces the known state; None to keep that.
    """

    number: int
    writes: Sequence[Write]
    whole: Kept | None = None


class Log(Protocol):
    """An ordered log of writes, numbered from 1 without gaps."""

    name: str
    """The name of the store in messages, without a password."""

    def alone(self) -> AbstractContextManager[None]:
        """A context around a write: a lock, or nothing where ``append`` refuses a number that is taken."""

    def news(self, known: int) -> News | None:
        """The writes after number ``known``; None when there are none. Called before every read."""

    def append(self, number: int, write: Write, kept: Kept) -> None:
        """Append a write durably, completely or not at all.

        Raises:
            TakenError: The number is taken.
        """

    def tidy(self, number: int, kept: Kept) -> None:
        """Clean up, such as folding many writes into one. Called after writes, and after reading some."""

    def close(self, number: int, kept: Kept) -> None:
        """Close files and connections."""


class LoggedTables(LockedTables):
    """The tables of a store over a log."""

    def __init__(self, log: Log, *, clock: Clock) -> None:
        super().__init__(clock=clock)
        self._log = log
        self._number = NOTHING
        self._tallies: dict[str, RunningTally] = {}  # by user; those that were asked for
        self._refresh()

    def close(self) -> None:
        """Close the log; every later call raises ``ClosedError``."""
        with self._lock:
            if self._closed:
                return
            with suppress(StoreError), self._log.alone():
                self._refresh()
            super().close()
            self._log.close(self._number, self.kept)

    def tally(self, user: str) -> RunningTally | None:
        """Counts over a user's live memories; None inside a write, which may be undone."""
        if self._writing:
            return None
        if user not in self._tallies:
            self._tallies[user] = RunningTally(_counted(self.live(Scope(user_id=user))))
        return self._tallies[user]

    @contextmanager
    def held(self) -> Iterator[None]:
        """A context for reads; they see what other processes wrote before."""
        with super().held():
            if not self._writing:
                self._refresh()
            yield

    def transact(self, step: Callable[[], T]) -> T:
        """Run a write, and append it to the log before it returns."""
        with self._lock:
            self.check_open()
            if self._writing:
                return step()
            with self._log.alone():
                return self._in_turn(step)

    def _in_turn(self, step: Callable[[], T]) -> T:
        """Run a write, again when another process took its number."""
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
        raise StoreBusyError(f"other processes keep writing to {self._log.name}; try again later")

    def commit(self) -> None:
        """Append the write to the log."""
        write = write_of(self.kept)
        if write:
            # If the log fails or the process is interrupted, the write may be there: read everything again.
            number, self._number = self._number + 1, NOTHING
            self._log.append(number, write, self.kept)

    def _refresh(self) -> None:
        """Apply what other processes wrote."""
        self.kept.undo()  # left by an interrupt
        known, self._number = self._number, NOTHING  # after an interrupt below, read everything again
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
        with suppress(StoreError):  # a read does not fail because of it
            self._log.tidy(self._number, self.kept)

    def _take_over(self, news: News, known: int) -> None:
        if news.number < known:
            self._number = known
            raise StoreError(f"{self._log.name} was replaced by an earlier state; open it again")
        try:
            if news.whole is not None:
                self._begin_with(news.whole)
            for write in news.writes:
                apply(self.kept, write)
        except BaseException as error:
            self.kept.undo()
            if isinstance(error, UNSOUND):
                raise StoreCorruptError(
                    f"{self._log.name} contains an entry that is no write: {error}"
                ) from error
            raise
        self.settle()
        self._number = news.number

    def settle(self) -> None:
        """Keep what a write changed, and update the counts."""
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
    """The in-memory store over a log."""

    _tables: LoggedTables

    def __init__(self, log: Log, *, clock: Clock = utc_now) -> None:
        self._log = log
        self._build(LoggedTables(log, clock=clock))

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        """Counts over the user's live memories, updated with each write: every ``add`` asks for them."""
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
    """Suspend the garbage collector while many lasting objects are read.

    It would make reading 10,000 memories take two thirds longer. Freezing and thawing moves the objects to
    the oldest generation, which saves another tenth.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # else the program's own frozen objects would thaw, too
            gc.freeze()
            gc.unfreeze()
        gc.enable()
