"""The role of a store."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.protocols.rows import Entry, Jobs, ShadowDelta, Statistics
from recollect.types import Change, ChangeAction, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, Filter


@runtime_checkable
class Store(Protocol):
    """Keeps memories. All methods are safe to call from several threads.

    1. Every method that takes a ``Scope`` sees only that user's memories, narrowed to the scope's
       agent and session when given. An unknown scope is an empty one.
    2. A write is durable, and visible to every later read, when its method returns; it happens
       whole or not at all.
    3. Deleted memories are invisible to everything but ``history`` and ``purge``.
    4. Every write is entered in the change log in the same transaction.
    5. Errors are those of ``recollect.errors``; a driver's own never escape.
    """

    def add(self, scope: Scope, entries: Sequence[Entry], *, jobs: Jobs = ()) -> list[str]:
        """Store entries in order, in one transaction with the jobs.

        An entry whose idempotency key is already there, or came earlier in the same call, is not
        stored again; nor is one whose key a deleted memory has that is not purged, unless that is a document,
        for those are removed and added again. Turns are numbered on from the thread's last.

        Returns:
            For each entry the id under which it now stands: its own, or the one already there.

        Raises:
            EmbedderMismatchError: A vector's embedder is not the setting ``embedder``, or it has not
                as many dimensions as the setting ``dimensions`` says. ``update`` raises it, too.
        """

    def get(self, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord | None]:
        """The records with these ids, in their order; None for one that is not in the scope."""

    def summaries(self, scope: Scope, ids: Sequence[str], *, whole_up_to: int = 0) -> list[str | None]:
        """What memories say in short, in the order of their ids; None for one that is not in the scope.

        Their summary, else the first ``SUMMARY_CHARACTERS`` of their words. The words themselves are not
        read where a store can do without.

        Args:
            scope: Whose.
            ids: Which.
            whole_up_to: Words of at most so many characters are given as they are.
        """

    def find(
        self,
        scope: Scope,
        where: Filter,
        *,
        limit: int | None = None,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[MemoryRecord]:
        """Records that match, ordered by id, at most ``limit``, those after id ``after``.

        With ``newest_first`` in the opposite order; those after an id are then those of lower ids.
        """

    def match(self, scope: Scope, where: Filter) -> NDArray[np.int64]:
        """The keys (see ``ShadowRows``) of the memories that match, ascending."""

    def update(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        action: ChangeAction = "update",
        reason: str | None = None,
        jobs: Jobs = (),
    ) -> list[MemoryRecord | None]:
        """Replace records by what ``change`` makes of them, in one transaction with the jobs.

        ``change`` may read the store, and finds there what no other writer of the user can change meanwhile.

        Returns:
            The new records in the order of ``ids``; None for an id that is not in the scope.
        """

    def delete(self, scope: Scope, where: Filter, *, reason: str | None = None, jobs: Jobs = ()) -> int:
        """Delete what matches, softly, in one transaction with the jobs; returns how many.

        ``purge`` removes it for good.
        """

    def purge(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """Remove what is deleted in the scope, and matches, from every table and index; returns how many.

        The histories of live memories that match lose the words that they had before, too: what was changed,
        when and why stays.
        """

    def history(self, scope: Scope, memory_id: str) -> list[Change]:
        """The changes of one memory, oldest first, also when it is deleted; empty if unknown."""

    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        """What changed for ``scope.user_id`` after version ``since`` (0: everything).

        The scope's agent and session are not applied here: they are columns.
        """

    def shadow_version(self, scope: Scope) -> int:
        """The version ``shadow`` would lead to now; cheap, called before every search."""

    def count(self, scope: Scope, where: Filter = EVERYTHING) -> int:
        """How many memories of the scope match."""

    def statistics(self, scope: Scope, terms: Sequence[int]) -> Statistics:
        """What the memories of ``scope.user_id`` have in common.

        The scope's agent and session are not applied.

        Args:
            scope: Whose memories.
            terms: Hashes as in ``Features.terms``.
        """

    def user_ids(self) -> list[str]:
        """Every user with at least one memory, sorted."""

    def setting(self, name: str) -> str | None:
        """A fact about the store itself, such as who embedded it."""

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        """Set a fact about the store itself; with ``unless_set`` only when it is not there yet."""

    def close(self) -> None:
        """Give back files and connections. Calling it again does nothing."""
