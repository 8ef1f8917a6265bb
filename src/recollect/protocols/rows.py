"""What goes into a store and comes out of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from recollect.types import Change, Job, Link, MemoryRecord


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
