"""Made-up users of a load: made, filled with seeded texts, and deleted again."""

import re
import secrets
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from benchmarks.generate import questions, texts
from benchmarks.load.target import LoadError, Target, ask_until_done

_BATCH: Final = 100
"""Memories of one request while users are made: below a second with the default embedder."""
_QUESTIONS: Final = 50
"""Different questions of a user."""
_POOL: Final = 20_000
"""Different texts; more memories begin with the first again, in another user or session."""
_NAME: Final = re.compile(r"load-[0-9a-f]{12}-([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user who is asked about.

    Attributes:
        questions: About what it remembers.
    """

    user_id: str
    questions: list[str]


class People:
    """Users that nobody else has: their names are drawn anew for each load.

    Args:
        name: Of all of them, such as ``load-3f2a9c01b7d4-10``; see ``new_name``.

    Raises:
        LoadError: A load has no such name.
    """

    def __init__(self, target: Target, name: str) -> None:
        found = _NAME.fullmatch(name)
        if found is None:
            raise LoadError(f"a load is called such as load-3f2a9c01b7d4-10, not {name!r}")
        self.name = name
        self.user_ids = [f"{name}-{number}" for number in range(int(found[1]))]
        self.target = target

    def make(self, memories: int, *, seed: int, clients: int) -> list[Person]:
        """Store so many memories of each, with so many connections.

        Raises:
            LoadError: The server refuses, or is away for too long.
        """
        pool = texts(min(len(self.user_ids) * memories, _POOL), seed=seed)
        stop = threading.Event()

        def fill(number: int) -> Person:
            first = number * memories % len(pool)
            own = [pool[(first + place) % len(pool)] for place in range(memories)]
            self._store(self.user_ids[number], own, stop)
            person = self.user_ids[number]
            return Person(user_id=person, questions=questions(_QUESTIONS, about=own, seed=seed + number))

        with ThreadPoolExecutor(clients) as threads:
            try:
                return list(threads.map(fill, range(len(self.user_ids))))
            finally:
                stop.set()

    def _store(self, user_id: str, own: list[str], stop: threading.Event) -> None:
        with self.target.connect() as client:
            for start in range(0, len(own), _BATCH):
                if stop.is_set():
                    return
                some = own[start : start + _BATCH]
                body = {"messages": some, "user_id": user_id, "session_id": f"load-{start}"}
                ask_until_done(client, "POST", "/memories", body)

    def delete(self, *, purge: bool) -> Iterator[int]:
        """Delete all that they have, with ``purge`` for good; yields the number of each memory that went.

        Raises:
            LoadError: As in ``make``.
        """
        with self.target.connect() as client:
            for user_id in self.user_ids:
                told = ask_until_done(client, "DELETE", f"/memories?user_id={user_id}&all=true")
                if purge:
                    ask_until_done(client, "POST", f"/purge?user_id={user_id}")
                yield int(told["deleted"])


def new_name(users: int) -> str:
    """A name that no load had."""
    return f"load-{secrets.token_hex(6)}-{users}"
