"""What goes into a store and comes out of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from recollect.types import Change, Job, Kind, Link, MemoryRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What a search needs of a memory besides its record. It is derived from the words and can be rebuilt.

    Attributes:
        vector: ``int8`` bytes, one per dimension (see ``retrieval.vectors.quantise``).
        terms: Little-endian ``uint32`` term hashes, ascending, each once (see ``text.analyse``).
        counts: One ``uint8`` per term: how often it occurs, at most 63.
        stems: The analysed words, separated by spaces, for the text index of a store.
        traits: See ``text.traits.pack_traits``; below 2**31.
        embedder: The name of the embedder; ``""`` when that does not matter.
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
        features: Its features; None in an update that does not change the words.
        outline: What it is about (see ``text.outline``).
    """

    record: MemoryRecord
    features: Features | None
    outline: bytes = b""


class Moment(NamedTuple):
    """When a memory happened, its id and its kind."""

    happened_at: datetime
    memory_id: str
    kind: Kind


class Profile(NamedTuple):
    """Properties that many memories share; ``""`` where the record has None.

    Attributes:
        thread: Its thread; ``""`` when it has none.
        agent: Its agent id.
        session: Its session id.
        kind: Its kind.
        role: The role of the speaker.
        speaker: The name of the speaker.
        tier: Its tier.
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
    """Columns of ``n`` memories, all of one user: everything a search reads before any content.

    Attributes:
        keys: ``int64`` of shape ``(n,)``: the store's number of each memory, ascending. A number
            is never used for another memory.
        ids: The memories' ids.
        profiles: The distinct profiles.
        profile_of: ``int32`` of shape ``(n,)``: the index of each memory's profile in ``profiles``.
        turns: ``int32``; the position in the thread.
        happened, valid_from, valid_until: ``int64`` microseconds since 1970 UTC;
            ``valid_from`` falls back to ``happened``, ``valid_until`` to the largest ``int64``.
        accessed: ``int64`` microseconds since 1970 UTC; when it was last used, else created.
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
        reset: True when the receiver must discard all earlier rows, because the vectors were replaced.
    """

    version: int
    rows: ShadowRows
    removed: NDArray[np.int64]
    reset: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Counts over a user's live memories.

    Attributes:
        documents: The number of memories.
        frequencies: For each term asked for that occurs, the number of memories that hold it.
        vector_sum: ``int64`` of shape ``(dim,)``, the sum of their vectors; zeros or of shape ``(0,)``
            when there are none.
    """

    documents: int
    frequencies: Mapping[int, int]
    vector_sum: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """Live memories, counted.

    Attributes:
        users: Users with one that counts.
        kinds, tiers: Memories of each; those without any may be left out.
        since: How many were stored at or after each of the moments asked for.
    """

    users: int
    kinds: Mapping[str, int]
    tiers: Mapping[str, int]
    since: Sequence[int]

    @classmethod
    def joined(cls, parts: Iterable["Census"]) -> "Census":
        """The counts of different users together; at least one."""
        found = list(parts)
        kinds, tiers = Counter[str](), Counter[str]()
        for one in found:
            kinds.update(one.kinds)
            tiers.update(one.tiers)
        since = [sum(counts) for counts in zip(*(one.since for one in found), strict=True)]
        return cls(users=sum(one.users for one in found), kinds=kinds, tiers=tiers, since=since)


JobsOf: TypeAlias = Callable[[Sequence[str]], Sequence[Job]]
"""The jobs that follow from a write, given the ids of the memories that it stored, changed or deleted.

It is called once, inside the transaction, also when there are no ids. It may read the store. When it raises,
the write is undone.
"""
Jobs: TypeAlias = Sequence[Job] | JobsOf
"""What a write queues in its own transaction: jobs, or a function that makes them."""


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
        problems: One sentence each; empty when there are none.
        memories: The number of live memories.
        deleted: The number of memories that are deleted and not yet purged.
        bytes: Size on disk.
        lost: What the last rebuild of a damaged store could not save, one line each.
    """

    problems: tuple[str, ...]
    memories: int
    deleted: int
    bytes: int
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """A live memory with everything that a store keeps about it, to be stored in another one.

    Attributes:
        key: Its key (see ``ShadowRows``) in the store it comes from.
        record: The memory, with its turn.
        features: Its features; ``stems`` are empty when the store keeps numbers alone, and
            ``embedder`` is the embedder of the store it comes from.
        history: Its changes, oldest first; never empty.
        links: Links from it to other live memories of the scope, by target and type.
        outline: What it is about, see ``Entry``.
    """

    key: int
    record: MemoryRecord
    features: Features
    history: tuple[Change, ...]
    links: tuple[Link, ...] = ()
    outline: bytes = b""
