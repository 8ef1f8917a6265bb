"""What a client of a load does: one operation, timed, and what went wrong."""

import http.client
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.client import Client
from benchmarks.load.people import Person
from benchmarks.load.target import detail_of

_BUDGET: Final = 1_000
"""Tokens of a context. Chosen by hand."""
_SESSION: Final = 100
"""Operations after which words belong to the next session. Chosen by hand."""

_MORE: Final = 5
"""Words of another text behind each that is added. Chosen by hand."""


class FailedError(Exception):
    """An operation that did not succeed.

    Attributes:
        kind: The same for all that failed so.
        detail: What the server or the system said.
    """

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(kind)
        self.kind, self.detail = kind, detail

    @property
    def is_away(self) -> bool:
        """Whether no server was there."""
        return self.kind in (_REFUSED, _LOST)


_REFUSED: Final = "connection refused"
_LOST: Final = "connection lost"


class Doing(NamedTuple):
    """One operation.

    Attributes:
        number: Its place in the load.
        words: What is asked.
        said: What is added: it is seldom said twice, and has no word that nobody used, as talk has not.
    """

    number: int
    operation: str
    person: Person
    words: str
    said: str


def choose(
    number: int, *, people: Sequence[Person], said: Sequence[str], mix: Mapping[str, float], seed: int
) -> Doing:
    """The operation of a number: the same for the same seed, whichever client does it."""
    chance = Random(seed * 1_000_003 + number)
    (operation,) = chance.choices(list(mix), list(mix.values()))
    person = chance.choice(people)
    words = chance.choice(said if operation == "add" else person.questions)
    more = chance.choice(said).split()[:_MORE]
    return Doing(number, operation, person, words, f"{words} {' '.join(more)}")


def attempt(client: Client, doing: Doing) -> FailedError | None:
    """Do an operation; returns why it failed, and None where it succeeded."""
    try:
        _HOW[doing.operation](client, doing)
    except FailedError as failed:
        return failed
    return None


def _add(client: Client, doing: Doing) -> None:
    session = f"load-{doing.number // _SESSION}"
    body = {"messages": doing.said, "user_id": doing.person.user_id, "session_id": session}
    _asked(client, "/memories", body, HTTPStatus.CREATED)


def _search(client: Client, doing: Doing) -> None:
    body = {"query": doing.words, "user_id": doing.person.user_id}
    if not _asked(client, "/search", body)["results"]:
        raise FailedError("nothing found")


def _context(client: Client, doing: Doing) -> None:
    body = {"query": doing.words, "user_id": doing.person.user_id, "budget_tokens": _BUDGET}
    if not _asked(client, "/context", body)["text"]:
        raise FailedError("nothing found")


def _turn(client: Client, doing: Doing) -> None:
    _context(client, doing)
    _add(client, doing)


_HOW: Final[Mapping[str, Callable[[Client, Doing], None]]] = {
    "add": _add,
    "search": _search,
    "context": _context,
    "turn": _turn,
}


def _asked(client: Client, path: str, body: object, wanted: HTTPStatus = HTTPStatus.OK) -> Any:
    try:
        answer = client.ask("POST", path, body)
    except TimeoutError as error:
        raise FailedError("no answer in time", str(error)) from error
    except ConnectionRefusedError as error:
        raise FailedError(_REFUSED, str(error)) from error
    except (OSError, http.client.HTTPException) as error:
        raise FailedError(_LOST, str(error) or type(error).__name__) from error
    if answer.status != wanted:
        raise FailedError(
            f"{answer.status} {http.client.responses.get(answer.status, '')}".strip(), detail_of(answer)
        )
    return answer.body
