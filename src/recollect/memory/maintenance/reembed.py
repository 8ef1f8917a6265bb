"""Exchanging a store's vectors while it is in use."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_count
from recollect.embedders import DEFAULT_EMBEDDER, open_embedder
from recollect.embedders.vectors import checked_rows
from recollect.errors import EmbedderError, StoreBusyError, StoreError
from recollect.memory.maintenance.files import Progress, opened, tell_nobody
from recollect.protocols import Embedder, Store, VectorMaintenance
from recollect.retrieval.vectors import quantise

_BATCH: Final = 1_000
"""Memories embedded between two commits: the most that a kill makes us do again. Chosen by hand."""
_PROBE: Final = "dimension"
"""Embedded once to learn how many dimensions an embedder has."""


@runtime_checkable
class _Exchangeable(Store, VectorMaintenance, Protocol):
    """A store whose vectors can be made again while it is in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedding:
    """What ``reembed`` did.

    Attributes:
        embedder: Who made the vectors that the store has now.
        dimensions: Of these vectors.
        memories: How many memories have one.
        resumed: How many an earlier, interrupted run had made already.
    """

    embedder: str
    dimensions: int
    memories: int
    resumed: int


def reembed(
    store: str | PathLike[str] | Store,
    *,
    embedder: str | Embedder = DEFAULT_EMBEDDER,
    on_progress: Progress | None = None,
    batch_size: int = _BATCH,
) -> Reembedding:
    """Make a store's vectors again with another embedder.

    The store stays usable with the old embedder until the end, when all vectors are exchanged at once;
    a ``Memory`` that is open with the old one then says so. What was made is kept when this is stopped:
    calling it again with the same embedder goes on from there.

    Args:
        store: A path or URL of an existing store, or a ``Store``.
        embedder: The name of the new embedder, or one; by default that of a new store.
        on_progress: Called at the start and after each batch with the number of memories embedded and
            of memories there are; new ones may arrive meanwhile. What it raises stops the work.
        batch_size: Memories embedded between two commits.

    Raises:
        InvalidInputError: There is no such store.
        EmbedderError: The new embedder failed; the store is as it was.
        StoreBusyError: Another ``reembed`` with a third embedder drops what this one makes.
        StoreError: This kind of store cannot exchange its vectors, or it failed.
    """
    size = check_count("batch_size", batch_size, most=1_000_000)
    maker = open_embedder(embedder) if isinstance(embedder, str) else embedder
    with opened(store) as found:
        if not isinstance(found, _Exchangeable):
            raise StoreError(f"{found!r} cannot replace its vectors; export it and load it into a new store")
        return _Exchange(found, maker, on_progress or tell_nobody, size).run()


class _Exchange:
    """One run of ``reembed``."""

    def __init__(self, store: _Exchangeable, embedder: Embedder, report: Progress, size: int) -> None:
        self._store = store
        self._embedder = embedder
        self._name = embedder.name
        self._report = report
        self._size = size
        self._made = 0
        self._was_ours = store.setting("embedder") == self._name
        self._dim = self._vectors([_PROBE]).shape[1]

    def run(self) -> Reembedding:
        """Stage vectors until none is missing, then exchange them."""
        resumed, total = self._store.vector_progress(self._name)
        self._report(resumed, total)
        while not self._done_elsewhere():
            self._stage_missing()
            if self._store.promote_vectors(self._name, dim=self._dim):
                break
        return Reembedding(
            embedder=self._name,
            dimensions=self._dim,
            memories=self._store.vector_progress(self._name)[1],
            resumed=resumed,
        )

    def _stage_missing(self) -> None:
        staged, total = self._store.vector_progress(self._name)
        last = 0
        while batch := self._store.unstaged(self._name, limit=self._size, after=last):
            if self._done_elsewhere():
                return
            vectors = quantise(self._vectors([content for _, content in batch]))
            made = [(*of, vector.tobytes()) for of, vector in zip(batch, vectors, strict=True)]
            self._store.stage_vectors(self._name, made)
            last = batch[-1][0]
            staged += len(batch)
            if staged > total:
                staged, total = self._store.vector_progress(self._name)
            self._count(len(batch), total)
            self._report(staged, total)

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = checked_rows(self._embedder.embed_documents(texts), count=len(texts), name=self._name)
        if vectors.shape[1] != getattr(self, "_dim", vectors.shape[1]):
            raise EmbedderError(f"{self._name} gave {vectors.shape[1]} dimensions, not {self._dim} as before")
        return vectors

    def _done_elsewhere(self) -> bool:
        """Whether another process, on the same errand, was first."""
        return not self._was_ours and self._store.setting("embedder") == self._name

    def _count(self, made: int, total: int) -> None:
        self._made += made
        if self._made > 2 * total + self._size:
            raise StoreBusyError(
                f"vectors of {self._name} disappear while they are made; "
                "is another reembed, with another embedder, running? Let one finish first"
            )
