"""The conversation of a message: the session it names, else the implicit one of user and agent.

A message without a session continues the last such conversation of its user and agent, if its last message is
at most ``TIMEOUT_S`` before or after it; else it begins a new one. The id of an implicit session is ``talk-``
and the id of its first message. Only messages have implicit sessions.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Final, NamedTuple

from recollect.protocols import Store
from recollect.types import Scope
from recollect.types.filters import AllOf, Filter, Operator, Test

TIMEOUT_S: Final = 1_800.0
"""Seconds without a word after which a conversation is over. Second Brain names a time-out and no number;
half an hour is what the analytics of web pages use."""
PREFIX: Final = "talk-"
"""How the ids of implicit sessions begin. Ids of memories are UUIDs: no user picks the same by accident."""

_AFTER_PREFIX: Final = "talk."
"""The first text after all that begin with the prefix: a full stop follows a hyphen in Unicode."""
_KNOWN_AT_ONCE: Final = 10_000
"""Users and agents whose last conversation is kept in memory, about 3 MB. Chosen by hand."""
_PAUSE: Final = timedelta(seconds=TIMEOUT_S)


class Said(NamedTuple):
    """A message that names no session."""

    id: str
    at: datetime


class _Latest(NamedTuple):
    """The last implicit conversation: its session, and when its last message was said."""

    session_id: str
    at: datetime


def thread_of(scope: Scope) -> str:
    """The thread of the turns of a session."""
    return f"{scope.agent_id or ''}\n{scope.session_id}"


class Conversations:
    """The implicit conversations of a store. May be used from several threads.

    The last one of each user and agent is kept in memory, so that ``add`` rarely asks the store. Two
    processes that begin one at the same moment go on with two, until both pause.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._latest: dict[tuple[str, str | None], _Latest] = {}
        self._lock = Lock()

    def sessions_of(self, scope: Scope, said: Sequence[Said]) -> list[str]:
        """The session of each message of a user and agent, in order."""
        place = (scope.user_id, scope.agent_id)
        sessions: list[str] = []
        with self._lock:
            latest = self._latest.get(place)
            if said and (latest is None or not _is_near(latest, said[0])):
                latest = self._stored(scope)
            for one in said:
                goes_on = latest is not None and _is_near(latest, one)
                latest = _Latest(latest.session_id if latest and goes_on else f"{PREFIX}{one.id}", one.at)
                sessions.append(latest.session_id)
            if latest is not None:
                if len(self._latest) >= _KNOWN_AT_ONCE:
                    self._latest.clear()
                self._latest[place] = latest
        return sessions

    def _stored(self, scope: Scope) -> _Latest | None:
        """The conversation of the newest message that has an implicit session."""
        found = self._store.find(
            Scope(user_id=scope.user_id), implicit(scope.agent_id), limit=1, newest_first=True
        )
        return next((_Latest(str(one.scope.session_id), one.times.happened_at) for one in found), None)


def _is_near(latest: _Latest, said: Said) -> bool:
    return abs(said.at - latest.at) <= _PAUSE


def implicit(agent_id: str | None) -> Filter:
    """The messages with an agent, or with none, that have an implicit session."""
    return AllOf(
        (
            _test("kind", "eq", "message"),
            _test("agent_id", "eq", agent_id),
            _test("session_id", "gte", PREFIX),
            _test("session_id", "lt", _AFTER_PREFIX),
        )
    )


def _test(key: str, operator: Operator, value: str | None) -> Test:
    return Test(key, in_metadata=False, operator=operator, value=value)
