"""Oxigraph in this process: in a folder, or in memory."""

import errno
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pyoxigraph

from recollect.errors import (
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.stores.sparql.endpoint import Solution


class Embedded:
    """An Oxigraph store.

    Args:
        place: A folder, made when missing; ``:memory:``; or a store of your own, which stays open.
    """

    def __init__(self, place: str | pyoxigraph.Store) -> None:
        self.name = "Oxigraph" if isinstance(place, pyoxigraph.Store) else place
        self._lasts = isinstance(place, str) and place != ":memory:"
        self._store: pyoxigraph.Store | None = None
        with self._mapped():
            if isinstance(place, pyoxigraph.Store):
                self._store = place
            else:
                self._store = _opened_folder(Path(place)) if self._lasts else pyoxigraph.Store()

    def select(self, query: str) -> Sequence[Solution]:
        with self._mapped():
            found = cast("pyoxigraph.QuerySolutions", self._opened().query(query))
            names = [variable.value for variable in found.variables]
            return [{name: row[name].value for name in names if row[name] is not None} for row in found]

    def update(self, request: str) -> None:
        """See ``Endpoint.update``. A folder is forced to the disk."""
        with self._mapped():
            self._opened().update(request)
            if self._lasts:
                self._opened().flush()

    def forget(self) -> None:
        """See ``Endpoint.forget``. A folder is rewritten and replaces the old one.

        Oxigraph keeps every text it ever saw in a dictionary, from which nothing is removed.
        """
        if not self._lasts:
            return
        place, fresh, old = (
            Path(self.name),
            Path(f"{self.name}.recollect-new"),
            Path(f"{self.name}.recollect-old"),
        )
        with self._mapped():
            shutil.rmtree(fresh, ignore_errors=True)
            copy = pyoxigraph.Store(fresh)
            copy.bulk_extend(self._opened())
            copy.flush()
            del copy  # closed, as the old one below
            self._store = None
            place.rename(old)
            fresh.rename(place)
            shutil.rmtree(old, ignore_errors=True)
            self._store = pyoxigraph.Store(place)

    def close(self) -> None:
        """Close the folder."""
        self._store = None

    def _opened(self) -> pyoxigraph.Store:
        if self._store is None:
            raise StoreError(f"{self.name} was closed")
        return self._store

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError, SyntaxError) as error:
            raise self._named(error) from error

    def _named(self, error: Exception) -> StoreError:
        said, number = str(error), getattr(error, "errno", None)
        if "lock" in said.lower():
            return StoreBusyError(
                f"{self.name} is open in another process; close it there, or run an Oxigraph server "
                "for several"
            )
        if "No space left" in said or number == errno.ENOSPC:
            return StoreFullError(f"no space is left for {self.name}; free some and try again")
        if isinstance(error, PermissionError) or "Permission denied" in said:
            return StoreReadOnlyError(f"{self.name} cannot be written; check its permissions")
        if "orrupt" in said:
            return StoreCorruptError(f"{self.name} is damaged; restore a backup")
        return StoreError(f"{self.name}: {said.splitlines()[0] if said else type(error).__name__}")


def _opened_folder(place: Path) -> pyoxigraph.Store:
    """The store of a folder, after a process that stopped while it rewrote it."""
    old = Path(f"{place}.recollect-old")
    if old.exists() and not place.exists():
        old.rename(place)
    shutil.rmtree(old, ignore_errors=True)
    return pyoxigraph.Store(place)
