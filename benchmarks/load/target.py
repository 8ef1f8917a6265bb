"""The server that a load is put on: whether it can be, and requests that wait when it says so."""

import http.client
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from benchmarks.client import Answer, Client

_PATIENCE_S: Final = 90.0
"""How long a request that must be done waits while it is asked to: longer than a minute's rate limit."""
_AWAY_S: Final = 10.0
"""How long a server that is away is waited for: about as long as a restart. Chosen by hand."""
_PAUSE_S: Final = 0.5
_LATER: Final = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_KEY_FOR_ALL: Final = "make one with 'recollect keys create --any-user --role admin'"


class LoadError(Exception):
    """A load cannot be put on this server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A server.

    Attributes:
        timeout_s: How long an answer is waited for.
    """

    url: str
    key: str | None = field(default=None, repr=False)
    timeout_s: float = 30.0

    def connect(self) -> Client:
        """A connection of its own.

        Raises:
            LoadError: The URL is none.
        """
        try:
            return Client(self.url, key=self.key, timeout_s=self.timeout_s)
        except ValueError as error:
            raise LoadError(str(error)) from error

    def check(self, user_id: str) -> str:
        """Look whether a new user can be made; returns the role of the key.

        Raises:
            LoadError: No server answers, the key does not open new users or may not write, or the user is
                there already.
        """
        with self.connect() as client:
            try:
                answer = client.ask("GET", f"/api/stats?user_id={user_id}")
            except (OSError, http.client.HTTPException) as error:
                why = str(error) or type(error).__name__
                raise LoadError(
                    f"no server answers at {self.url} ({why}); start one with 'recollect serve'"
                ) from error
        if answer.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise LoadError(f"{detail_of(answer)}; a load makes users of its own: {_KEY_FOR_ALL}")
        body = answer.body if isinstance(answer.body, dict) else {}
        if answer.status != HTTPStatus.OK or "totalMemories" not in body:
            raise LoadError(
                f"{self.url} answered {answer.status}: {detail_of(answer)}; it is no Recollect server"
            )
        if body["role"] == "reader":
            raise LoadError(f"this key may not write; {_KEY_FOR_ALL}")
        if body["totalMemories"]:
            raise LoadError(f"the user {user_id!r} is there already; start again")
        return str(body["role"])


def detail_of(answer: Answer) -> str:
    """What an answer says of itself."""
    if isinstance(answer.body, dict) and "detail" in answer.body:
        return str(answer.body["detail"])
    return str(answer.body)[:200]


def ask_until_done(client: Client, method: str, path: str, body: object = None) -> Any:
    """The body of an answer to a request that is sent again while the server has no time or is away.

    Raises:
        LoadError: It was refused, or not done in time.
    """
    begun = time.monotonic()
    while True:
        try:
            answer = client.ask(method, path, body)
        except (OSError, http.client.HTTPException) as error:
            wait, patience_s, why = _PAUSE_S, _AWAY_S, str(error) or type(error).__name__
        else:
            if answer.status < HTTPStatus.BAD_REQUEST:
                return answer.body
            wait, patience_s = answer.retry_after_s or _PAUSE_S, _PATIENCE_S
            why = f"{answer.status}: {detail_of(answer)}"
            if answer.status not in _LATER:
                raise LoadError(f"{method} {path} was answered {why}")
        if time.monotonic() + wait - begun > patience_s:
            raise LoadError(f"{method} {path} was not done in {patience_s:.0f} s ({why})")
        time.sleep(wait)
