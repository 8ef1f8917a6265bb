"""Making a store's indexes again from its words."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike

from recollect.errors import StoreError
from recollect.ingest.add import Indexer
from recollect.memory.maintenance.files import Progress, opened, store_file, tell_nobody
from recollect.protocols import Embedder, Features, Maintenance, Store
from recollect.text.analyse import Analyser
from recollect.types import MemoryRecord, Scope


def reindex(
    store: str | PathLike[str] | Store,
    *,
    embedder: Embedder,
    language: str,
    on_progress: Progress | None = None,
) -> int:
    """Make every index of a store again from its words, for the same or for another language.

    Args:
        store: A path or URL of an existing store, or a ``Store``.
        embedder: The store's own; see ``reembed`` for another one.
        language: What language the words are mostly in (ISO 639-1).
        on_progress: As in ``reembed``.

    Returns:
        How many memories were indexed, deleted ones included.

    Raises:
        InvalidInputError: There is no such store, or the language is unknown.
        EmbedderMismatchError: It is not the store's embedder.
        StoreError: This kind of store has no indexes to rebuild, or it failed; it is as it was.
    """
    analyser = Analyser(language)
    rescue_file(store)
    with opened(store) as found:
        if not isinstance(found, Maintenance):
            raise StoreError(f"{found!r} has no indexes to rebuild")
        total = sum(found.count(Scope(user_id=user)) for user in found.user_ids())
        with _indexed_by(found, analyser.name):
            indexer = Indexer(found, embedder=embedder, analyser=analyser)
            return rebuild(found, indexer, on_progress=on_progress or tell_nobody, total=total)


def rescue_file(store: str | PathLike[str] | Store) -> None:
    """Replace a damaged SQLite file by one with what can be read of it; of other stores nothing is changed.

    Raises:
        StoreError: Nothing can be read of it; it is unchanged.
    """
    file = store_file(store) if isinstance(store, (str, PathLike)) else None
    if file is not None and file.is_file() and file.stat().st_size:
        from recollect.stores.sqlite.rescue import rescue

        rescue(file)


def rebuild(
    store: Maintenance, indexer: Indexer, *, on_progress: Progress = tell_nobody, total: int = 0
) -> int:
    """Make the indexes of a store again, and give it back the names of who makes them if it lost them."""
    making = _Making(indexer, on_progress, total)
    done = store.rebuild(making)
    if making.last is not None:
        indexer.introduce(making.last)
    return done


class _Making:
    """Makes features batch by batch, and reports progress."""

    last: Features | None = None

    def __init__(self, indexer: Indexer, report: Progress, total: int) -> None:
        self._indexer = indexer
        self._report = report
        self._total = total
        self._done = 0

    def __call__(self, records: Sequence[MemoryRecord]) -> list[Features]:
        features = self._indexer.features(records)
        self._done += len(records)
        self._report(self._done, max(self._done, self._total))
        self.last = features[-1]
        return features


@contextmanager
def _indexed_by(store: Store, analyser: str) -> Iterator[None]:
    """Have the store remember another analyser, unless the block fails."""
    before = store.setting("analyser")
    if before is not None:
        store.put_setting("analyser", analyser)
    try:
        yield
    except BaseException:
        if before is not None:
            store.put_setting("analyser", before)
        raise
