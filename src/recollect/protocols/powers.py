"""Optional powers of stores, each a protocol of its own."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.protocols.rows import Copied, Features, Health, ShadowRows
from recollect.types import MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, Filter


@runtime_checkable
class TextSearch(Protocol):
    """A store with its own text index, for users whose shadow would not fit in memory."""

    def search_text(
        self, scope: Scope, stems: Sequence[str], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """Keys of the memories that hold any stem and match the filter, best first by BM25."""

    def shadow_of(self, scope: Scope, keys: NDArray[np.int64], *, around: int) -> ShadowRows:
        """The columns of these memories and of ``around`` neighbours on each side in their threads."""


@runtime_checkable
class CandidateSearch(Protocol):
    """A store that searches words and vectors at once, and returns neighbouring turns, in one round trip."""

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
        """The columns of what ``search_text`` and ``search_vector`` find, ``limit`` each, with neighbours."""


@runtime_checkable
class VectorSearch(Protocol):
    """A store with its own vector index, for users whose shadow would not fit in memory."""

    def search_vector(
        self, scope: Scope, vector: NDArray[np.float32], *, limit: int, where: Filter = EVERYTHING
    ) -> NDArray[np.int64]:
        """Keys of the memories that match the filter, highest cosine first; an index may miss some.

        ``vector`` is ``float32`` of shape ``(dim,)``; for zeros the result is empty.
        """


@runtime_checkable
class VectorMaintenance(Protocol):
    """A store whose vectors can be replaced by another embedder's while it is in use."""

    def unstaged(self, name: str, *, limit: int, after: int = 0) -> list[tuple[int, str]]:
        """Keys and contents of memories without a staged vector of embedder ``name``, ascending by key.

        At most ``limit``, with keys above ``after``: pass the last key of one page to get the next.
        """

    def stage_vectors(self, name: str, vectors: Sequence[tuple[int, str, bytes]]) -> None:
        """Stage new vectors, each with its key, the words it was made from, and its bytes.

        A vector is ignored when its memory is gone or its words have changed. Vectors that are staged for
        another name, or have another size, are dropped.
        """

    def promote_vectors(self, name: str, *, dim: int) -> bool:
        """Replace all vectors by the staged ones in one step; False when some are still missing."""

    def vector_progress(self, name: str) -> tuple[int, int]:
        """How many vectors are staged for ``name``, and how many are needed."""


@runtime_checkable
class Maintenance(Protocol):
    """A store that can be checked, repaired and backed up."""

    def check(self) -> Health:
        """Look for damage and for indexes that disagree with the memories; changes nothing."""

    def rebuild(self, make: Callable[[Sequence[MemoryRecord]], Sequence[Features]]) -> int:
        """Rebuild every index from the words; returns how many memories were indexed."""

    def compact(self) -> None:
        """Make the indexes small and fast again; search results stay the same."""

    def backup(self, path: Path) -> None:
        """Copy the whole store to a new file while it is in use."""


@runtime_checkable
class Copying(Protocol):
    """A store that gives and takes memories unchanged, to move them between stores."""

    def dump(self, scope: Scope, *, after: int, limit: int) -> list[Copied]:
        """The live memories of the scope with keys above ``after``, by key, at most ``limit``.

        Raises:
            StoreCorruptError: A memory has no features.
        """

    def restore(self, scope: Scope, copies: Sequence[Copied]) -> int:
        """Store memories unchanged, with turn, times, features and history, in one transaction.

        A memory whose id is there already, even deleted, is skipped. Keys are new, and follow the order of
        ``copies``. Links are not stored: add them with ``Store.link`` when both ends are there.

        Returns:
            The number of new memories.

        Raises:
            InvalidInputError: A memory is outside the scope, has no history, or has the idempotency key of
                another memory; nothing was stored.
            EmbedderMismatchError: As in ``Store.add``.
        """


def propose(
    store: TextSearch,
    scope: Scope,
    stems: Sequence[str],
    vector: NDArray[np.float32],
    *,
    limit: int,
    around: int,
    where: Filter,
) -> ShadowRows:
    """What a store finds by words, and by vector if it can, with neighbouring turns.

    Arguments as in ``CandidateSearch.search_candidates``.
    """
    if isinstance(store, CandidateSearch):
        return store.search_candidates(scope, stems, vector, limit=limit, around=around, where=where)
    keys = store.search_text(scope, stems, limit=limit, where=where)
    if isinstance(store, VectorSearch):
        keys = np.union1d(keys, store.search_vector(scope, vector, limit=limit, where=where))
    return store.shadow_of(scope, keys, around=around)
