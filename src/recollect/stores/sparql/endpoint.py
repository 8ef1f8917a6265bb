"""SPARQL endpoints: the role, Oxigraph in this process (a folder or in memory), and a server over HTTP."""

import errno
import random
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol, cast

import httpx2
import pyoxigraph

from recollect.errors import (
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)

Solution = Mapping[str, str]
"""What a query found, by variable: IRIs and the text of literals."""


class SparqlEndpoint(Protocol):
    """A SPARQL 1.1 endpoint; its errors become Recollect's."""

    name: str
    """What messages call it; without a password."""

    def select(self, query: str) -> Sequence[Solution]:
        """The solutions of a query, all of one state of the data."""

    def update(self, request: str) -> None:
        """Carry out an update, whole or not at all. One that guards itself may be sent again."""

    def forget(self) -> None:
        """Remove what was deleted from the files, where they are local; a server does so in its own time."""

    def close(self) -> None:
        """Release what is held."""


_PASSING: Final = (429, 500, 502, 503, 504)
"""Answers that may be others the next time."""
_TRIES: Final = 5
_FIRST_WAIT_S: Final = 0.1
"""The pause before the second try; each one after is twice as long, up to half of it by chance. All pauses
together take up to two seconds; a server that hangs takes its time limit at each try. Chosen by hand."""
_QUERY: Final = {
    "Content-Type": "application/sparql-query; charset=utf-8",
    "Accept": "application/sparql-results+json",
}
_UPDATE: Final = {"Content-Type": "application/sparql-update; charset=utf-8"}


class Remote:
    """An endpoint that is asked again when it is down or fails."""

    def __init__(self, query: str, update: str, *, auth: tuple[str, str] | None, timeout_s: float) -> None:
        self.name = query
        self._query = query
        self._update = update
        self._client = httpx2.Client(auth=auth, timeout=timeout_s, trust_env=False)

    def select(self, query: str) -> Sequence[Solution]:
        answer = self._post(self._query, query, _QUERY)
        try:
            found: list[dict[str, Any]] = answer.json()["results"]["bindings"]
            return [{name: term["value"] for name, term in row.items()} for row in found]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError(
                f"{self.name} does not answer as a SPARQL endpoint; is the path right?"
            ) from error

    def update(self, request: str) -> None:
        self._post(self._update, request, _UPDATE)

    def forget(self) -> None: ...

    def close(self) -> None:
        self._client.close()

    def _post(self, url: str, text: str, headers: dict[str, str]) -> httpx2.Response:
        for attempt in range(1, _TRIES + 1):
            try:
                answer = self._client.post(url, content=text.encode(), headers=headers)
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                failure: StoreError = self._unreachable(error)
                cause: Exception | None = error
            else:
                if answer.is_success:
                    return answer
                failure, cause = self._refused(answer.status_code), None
                if answer.status_code not in _PASSING:
                    break
            if attempt < _TRIES:
                time.sleep(_FIRST_WAIT_S * 2 ** (attempt - 1) * random.uniform(0.5, 1))  # noqa: S311
        raise failure from cause

    def _unreachable(self, error: Exception) -> StoreError:
        return StoreError(
            f"{self.name} cannot be reached, or did not answer in time ({type(error).__name__}); what was "
            "acknowledged is stored, what was not may be sent again with its idempotency key"
        )

    def _refused(self, status: int) -> StoreError:
        if status in (401, 403):
            kind = StoreReadOnlyError if status == 403 else StoreError  # noqa: PLR2004
            return kind(f"{self.name} refused the user or the password, or what they may do ({status})")
        if status in (429, 503):
            return StoreBusyError(f"{self.name} takes no more requests now ({status}); try again later")
        if status == 507:  # noqa: PLR2004
            return StoreFullError(f"no space is left at {self.name}; free some and try again")
        if status in (404, 405):
            return StoreError(f"there is no SPARQL endpoint at {self.name} ({status}); is the path right?")
        return StoreError(f"{self.name} answered {status}; look into its log")


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
