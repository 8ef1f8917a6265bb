"""The roles others can fill: one small Protocol each.

A store needs only ``Store``. What else it can do it says by also filling ``LinkStore``,
``JobStore``, ``JobCounts``, ``StateStore``, ``TextSearch``, ``VectorSearch``, ``CandidateSearch``,
``VectorMaintenance``, ``Maintenance`` or ``Copying``.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.types import Change, ChangeAction, Job, Link, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, Filter

Clock = Callable[[], datetime]
"""Returns the present moment as an aware ``datetime``."""

TokenCounter = Callable[[str], int]
"""Counts the tokens of a text as the language model will."""

EmbedFunction = Callable[[list[str]], object]
"""Gives a vector for each text of a list: a list of lists of numbers, or an array of shape ``(n, dim)``."""


@runtime_checkable
class Embedder(Protocol):
    """Turns text into vectors."""

    @property
    def name(self) -> str:
        """What identifies the vectors: equal names mean comparable vectors. A store remembers it."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors for texts to be stored.

        Returns:
            ``float32`` of shape ``(len(texts), dim)``; rows have unit length, or are zero when a
            text holds nothing the embedder knows.

        Raises:
            EmbedderError: The embedder failed.
        """

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, ``float32`` of shape ``(dim,)``, unit length or zero."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What recall needs of a memory besides its record; derived from the words, rebuildable.

    Attributes:
        vector: ``int8`` bytes, one per dimension (see ``retrieval.vectors.quantise``).
        terms: Little-endian ``uint32`` term hashes, ascending, each once (see ``text.analyse``).
        counts: One ``uint8`` per term: how often it occurs, at most 63.
        stems: The analysed words, separated by blanks, for a store's own text index.
        traits: See ``text.traits.pack_traits``; below 2**31.
        embedder: Who made the vector; ``""`` when that does not matter.
    """

    vector: bytes
    terms: bytes
    counts: bytes
    stems: str
    traits: int = 0
    embedder: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A record on its way into a store.

    Attributes:
        record: The memory. The store numbers ``origin.turn`` itself when it is added.
        features: Its features; None in an update that leaves the words as they are.
        outline: What it is about, as of this record (see ``text.outline``).
    """

    record: MemoryRecord
    features: Features | None
    outline: bytes = b""


class Profile(NamedTuple):
    """What many memories have in common; ``""`` where the record has None.

    Attributes:
        thread: The thread it stands in; ``""`` when it stands alone.
        agent: Its agent id.
        session: Its session id.
        kind: Its kind.
        role: The role of who said it.
        speaker: The name of who said it.
        tier: Where it stands in its life.
    """

    thread: str
    agent: str
    session: str
    kind: str
    role: str
    speaker: str
    tier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadowRows:
    """Columns of ``n`` memories, all of one user: everything recall reads before any content.

    Attributes:
        keys: ``int64`` of shape ``(n,)``: the store's own number of each memory, ascending; it is
            never used again for another memory.
        ids: The memories' ids.
        profiles: The different profiles: where memories stand and who said them.
        profile_of: ``int32`` of shape ``(n,)``: the index of each memory's profile in ``profiles``.
        turns: ``int32``; the place in the thread.
        happened, valid_from, valid_until: ``int64`` microseconds since 1970 UTC;
            ``valid_from`` falls back to ``happened``, ``valid_until`` to the largest ``int64``.
        accessed: ``int64`` microseconds since 1970 UTC; when it was created, if nobody used it since.
        importance, confidence: ``float32`` 0 to 1.
        useful, unhelpful: ``float32`` counts of feedback.
        usage, access, decay: ``float32``; see ``types.Use``.
        vectors: ``int8`` of shape ``(n, dim)``.
        terms: ``uint32``, the term hashes of all memories one after the other.
        counts: ``uint8``, how often each term occurs.
        lengths: ``int32`` of shape ``(n,)``: how many of ``terms`` belong to each memory.
        traits: ``int32`` of shape ``(n,)``, see ``text.traits.pack_traits``.
        outlines: ``uint32``, the outlines of all memories one after the other (see ``text.outline``).
        outline_lengths: ``int32`` of shape ``(n,)``: how many of ``outlines`` belong to each memory.
    """

    keys: NDArray[np.int64]
    ids: list[str]
    profiles: list[Profile]
    profile_of: NDArray[np.int32]
    turns: NDArray[np.int32]
    happened: NDArray[np.int64]
    valid_from: NDArray[np.int64]
    valid_until: NDArray[np.int64]
    accessed: NDArray[np.int64]
    importance: NDArray[np.float32]
    confidence: NDArray[np.float32]
    useful: NDArray[np.float32]
    unhelpful: NDArray[np.float32]
    usage: NDArray[np.float32]
    access: NDArray[np.float32]
    decay: NDArray[np.float32]
    vectors: NDArray[np.int8]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    lengths: NDArray[np.int32]
    traits: NDArray[np.int32]
    outlines: NDArray[np.uint32]
    outline_lengths: NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadowDelta:
    """What changed in a user's memories since a version.

    Attributes:
        version: The version this leads to.
        rows: New and changed memories, as they are now.
        removed: ``int64`` keys of memories deleted since.
        reset: True when the receiver must forget all it had before (the vectors were made anew).
    """

    version: int
    rows: ShadowRows
    removed: NDArray[np.int64]
    reset: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What a user's live memories have in common, kept up to date with every write.

    Attributes:
        documents: How many there are.
        frequencies: For each term asked for that any of them holds, how many hold it.
        vector_sum: ``int64`` of shape ``(dim,)``, the sum of their vectors; zeros or of shape ``(0,)``
            when there are none.
    """

    documents: int
    frequencies: Mapping[int, int]
    vector_sum: NDArray[np.int64]


JobsOf: TypeAlias = Callable[[Sequence[str]], Sequence[Job]]
"""The jobs that follow from a write, given the ids of the memories that it stored, changed or deleted.

It is called once, inside the transaction, also when there are no ids. It may read the store, as ``change`` in
``Store.update`` may. The write is undone when it raises.
"""
Jobs: TypeAlias = Sequence[Job] | JobsOf
"""What a write queues in its own transaction: jobs, or what makes them."""


def no_jobs(_: Sequence[str]) -> Sequence[Job]:
    """No jobs follow from a write."""
    return ()


def jobs_of(jobs: Jobs, ids: Sequence[str]) -> Sequence[Job]:
    """The jobs of a write that stored, changed or deleted the memories with these ids."""
    return jobs(ids) if callable(jobs) else jobs


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


@runtime_checkable
class Recovery(Protocol):
    """A store whose deleted memories can be looked at and brought back, until they are purged."""

    def deleted(self, scope: Scope, where: Filter, *, limit: int | None = None) -> list[MemoryRecord]:
        """Deleted memories of the scope that match, by id; at most ``limit``, the last ones."""

    def recover(
        self,
        scope: Scope,
        ids: Sequence[str],
        change: Callable[[MemoryRecord], Entry],
        *,
        reason: str | None = None,
        jobs: Jobs = (),
    ) -> list[MemoryRecord | None]:
        """Bring deleted memories back as ``change`` makes them, with new features.

        It is one transaction with the jobs. They keep their keys and turns. The change log calls it
        ``recover``.

        Returns:
            The records in the order of ``ids``; None for an id that is not among the deleted of the scope.

        Raises:
            InvalidInputError: ``change`` gave another id or scope or no features, or another memory has the
                idempotency key now; nothing was brought back.
        """


@runtime_checkable
class LinkStore(Protocol):
    """A store that keeps links between memories."""

    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        """Add links; one that is there already stays. Both ends must be in the scope.

        Raises:
            NotFoundError: An end is not in the scope; nothing was linked.
        """

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        """The links from and to a memory, by source, target and type; to deleted ones excluded."""


@runtime_checkable
class JobStore(Protocol):
    """A store that keeps a queue of jobs, so that they are queued with the words they are about."""

    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        """Take up to ``limit`` due jobs, oldest first, that nobody holds; they are ours for a while.

        A job whose lease ran out may be claimed again by anyone.

        Args:
            limit: How many at most.
            lease_s: How long they are ours, in seconds.
            early: Whether to take jobs before they are due, too, if nobody took them yet.
        """

    def finish_job(self, job_id: int) -> None:
        """The job is done; it is removed."""

    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        """The job failed: try again after ``retry_in_s``, or never (None) and keep it to be seen."""

    def postpone_job(self, job_id: int, *, delay_s: float) -> None:
        """Give a job back as if nobody had taken it: no attempts, no error, due after ``delay_s`` seconds."""

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        """The jobs waiting or held, oldest first; with ``failed`` those given up.

        Args:
            failed: Which of both.
            user_id: Only those about this user.
            after: Only those with a higher number than this.
            limit: The first so many of them; None for all.
        """


@runtime_checkable
class JobCounts(Protocol):
    """A store that counts its jobs without reading them, for whoever looks often."""

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        """How many jobs ``JobStore.jobs`` would give; with ``user_id`` only those about that user."""


@runtime_checkable
class StateStore(Protocol):
    """A store that keeps what was learned about a user beside the memories, as named texts."""

    def state(self, scope: Scope, name: str) -> str | None:
        """What is kept under a name for ``scope.user_id``; None when there is nothing."""

    def states(self, scope: Scope) -> dict[str, str]:
        """Everything kept for ``scope.user_id``, by name."""

    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        """Replace what is kept by what ``change`` makes of it, inside one transaction; None removes it.

        Changes of one user come one after the other, so none is lost. ``purge`` of a whole user, with no
        filter, removes all of it when no live memory is left.
        """


@runtime_checkable
class TextSearch(Protocol):
    """A store with a text index of its own, for scopes too large to hold a shadow of."""

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """Keys of the memories that hold any stem and match the filter, best first by BM25."""

    def shadow_of(self, scope: Scope, keys: NDArray[np.int64], *, around: int) -> ShadowRows:
        """The columns of these memories and of ``around`` neighbours on each side in their threads."""


@runtime_checkable
class CandidateSearch(Protocol):
    """A store that finds by words and by vector at once, and the neighbours with them, in one trip."""

    def search_candidates(
        self,
        scope: Scope,
        stems: Sequence[str],
        vector: NDArray[np.float32],
        *,
        limit: int,
        around: int,
        where: Filter = EVERYTHING,
    ) -> ShadowRows:
        """What ``shadow_of`` gives of all that ``search_text`` and ``search_vector`` find, ``limit`` each."""


@runtime_checkable
class VectorSearch(Protocol):
    """A store with a vector index of its own, beside a text index, for scopes too large to shadow."""

    def search_vector(
        self, scope: Scope, vector: NDArray[np.float32], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """Keys of the memories that match the filter, most alike by cosine first; an index may miss some.

        Args:
            scope: Whose.
            vector: ``float32`` of shape ``(dim,)``; there is nothing like zeros.
            limit: How many.
            where: What they match.
        """


@runtime_checkable
class VectorMaintenance(Protocol):
    """A store whose vectors can be made anew while it is in use."""

    def unstaged(self, name: str, *, limit: int, after: int = 0) -> list[tuple[int, str]]:
        """Keys and contents that have no staged vector of embedder ``name`` yet, by key.

        At most ``limit``, of keys above ``after``: whoever gives the last key he got reads no memory twice.
        """

    def stage_vectors(self, name: str, vectors: Sequence[tuple[int, str, bytes]]) -> None:
        """Keep new vectors aside, each given by its key, the words it was made of, and its bytes.

        One is passed over when its memory is gone, or has other words by now. Those staged for another name,
        or of another size, are dropped.
        """

    def promote_vectors(self, name: str, *, dim: int) -> bool:
        """Make the staged vectors the store's own, at once; False when some are still missing."""

    def vector_progress(self, name: str) -> tuple[int, int]:
        """How many vectors are staged for ``name``, and how many are needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What a check of a store found.

    Attributes:
        problems: One sentence each; empty when all is well.
        memories: How many memories are stored.
        deleted: How many are deleted and not yet purged.
        bytes: Size on disk.
    """

    problems: tuple[str, ...]
    memories: int
    deleted: int
    bytes: int


@runtime_checkable
class Viewing(Protocol):
    """A store to which several reads together come cheaper than one by one."""

    def view(self, scope: Scope) -> AbstractContextManager[None]:
        """While it is open, what this thread reads of the user is of one moment.

        Not for a thread that writes meanwhile: it would not find what it wrote.
        """


def viewing(store: Store, scope: Scope) -> AbstractContextManager[None]:
    """A view of a store that has views; else nothing."""
    return store.view(scope) if _views(type(store)) else nullcontext()  # type: ignore[attr-defined]


@cache
def _views(kind: type) -> bool:
    """Whether stores of a type have views: asked with every ``add`` and search, and 24 us to find out."""
    return issubclass(kind, Viewing)


@runtime_checkable
class Residue(Protocol):
    """A store from whose files purged words cannot always be removed at once."""

    def residue(self) -> str | None:
        """Where purged words may still stand and why, in one line; None when nowhere.

        Asking tries again to remove them.
        """


@runtime_checkable
class Maintenance(Protocol):
    """A store that can be checked, mended and copied."""

    def check(self) -> Health:
        """Look for damage and for indexes that disagree with the memories; changes nothing."""

    def rebuild(self, make: Callable[[Sequence[MemoryRecord]], Sequence[Features]]) -> int:
        """Make every index anew from the words; returns how many memories were indexed."""

    def compact(self) -> None:
        """Make the indexes small and fast again; changes nothing that is found."""

    def backup(self, path: Path) -> None:
        """Copy the whole store to a new file while it is in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """A live memory with all that a store knows of it, on its way into another store.

    Attributes:
        key: Its key (see ``ShadowRows``) in the store it comes from; never used in another one.
        record: The memory, with its turn.
        features: Its features; ``stems`` are empty when the store keeps them as numbers alone, and
            ``embedder`` is who made the vectors of the store it comes from.
        history: Its changes, oldest first; never empty.
        links: Those from it to other live memories of the scope, by target and type.
        outline: What it is about, see ``Entry``.
    """

    key: int
    record: MemoryRecord
    features: Features
    history: tuple[Change, ...]
    links: tuple[Link, ...] = ()
    outline: bytes = b""


@runtime_checkable
class Copying(Protocol):
    """A store whose memories can be moved into another store, and that takes them, as they are."""

    def known_users(self) -> list[str]:
        """Every user of whom a memory lives or something learned is kept, sorted."""

    def dump(self, scope: Scope, *, after: int, limit: int) -> list[Copied]:
        """The live memories of the scope in the order of their keys, at most ``limit``.

        Args:
            scope: Whose.
            after: Only keys above this one; 0 for all.
            limit: How many.

        Raises:
            StoreCorruptError: A memory has no features; nothing is left out in silence.
        """

    def restore(self, scope: Scope, copies: Sequence[Copied]) -> int:
        """Store memories as they are, with turn, times, features and history, in one transaction.

        One whose id is there already, even deleted, is passed over. Keys are given anew, in the order
        of ``copies``. Links are left to ``LinkStore.link``: their other ends may come later.

        Returns:
            How many were new.

        Raises:
            InvalidInputError: One lies outside the scope, has no history, or has the idempotency key of
                another memory; nothing was stored.
            EmbedderMismatchError: As in ``Store.add``.
        """
