"""What some stores can do beside what every store must, and how to ask them for it."""

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


@runtime_checkable
class Copying(Protocol):
    """A store whose memories can be moved into another store, and that takes them, as they are."""

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
    """What a store finds by words, and by vector if it can, with neighbours; in one trip if it can.

    Arguments as in ``CandidateSearch.search_candidates``.
    """
    if isinstance(store, CandidateSearch):
        return store.search_candidates(scope, stems, vector, limit=limit, around=around, where=where)
    keys = store.search_text(scope, stems, limit=limit, where=where)
    if isinstance(store, VectorSearch):
        keys = np.union1d(keys, store.search_vector(scope, vector, limit=limit, where=where))
    return store.shadow_of(scope, keys, around=around)
