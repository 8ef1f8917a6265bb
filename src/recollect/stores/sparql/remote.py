"""A SPARQL 1.1 endpoint on a server, over HTTP."""

import random
import time
from collections.abc import Sequence
from typing import Any, Final

import httpx2

from recollect.errors import StoreBusyError, StoreError, StoreFullError, StoreReadOnlyError
from recollect.stores.sparql.endpoint import Solution

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

    def forget(self) -> None:
        """See ``Endpoint.forget``."""

    def close(self) -> None:
        """Close the connections."""
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
