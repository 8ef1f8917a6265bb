"""Conversations: when each began, how long it is, when its last message came, whether it has ended.

Sessions are computed from their messages. Stored besides are only an early start, the title, and when it was
ended. So nothing is lost when a process stops, and a session that was only named in ``add`` counts, too.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from recollect.checks import check_id, check_limit, check_name, check_scope, check_seconds
from recollect.errors import InvalidInputError, NotFoundError, as_given
from recollect.ingest.conversations import TIMEOUT_S
from recollect.ingest.messages import Screen
from recollect.learning.extraction.facts import Turn
from recollect.learning.titles import (
    ENTITLED,
    SESSION_STATE,
    Description,
    session_state,
    summary_of,
    title_of,
    turns_of,
)
from recollect.models.chat import LanguageModel
from recollect.models.routing import ModelRouter, ModelTask
from recollect.protocols import Clock, Store
from recollect.retrieval.sessions import SessionKey, Told
from recollect.sessions.turns import SessionTurn, turns_in
from recollect.text.analyse import Analyser
from recollect.types import JSON, Scope, Within
from recollect.types.characters import one_line
from recollect.types.codec import fields_to_json, from_micros
from recollect.types.filters import EVERYTHING, Filter
from recollect.types.guesses import Result, corrects_guesses
from recollect.types.ids import new_id

_MOMENTS: Final = ("started", "opened", "ended")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Session(Result):
    """A conversation.

    Attributes:
        id: Its id, as ``add`` takes it.
        agent_id: With which agent; None where there is none.
        started_at: When it was started, or its first message was said.
        last_activity: When its last message was said; ``started_at`` without one.
        message_count: Its messages, of all who spoke.
        ended_at: When it was ended, or how long after its last message it timed out; None while it goes on.
        title: What it is called; None without one.
        first_message_id: The memory of its first message; None without one.
        queued: Whether ``end`` just queued something of it to be learned.
    """

    id: str
    user_id: str
    agent_id: str | None
    started_at: datetime
    last_activity: datetime
    message_count: int
    ended_at: datetime | None
    title: str | None
    first_message_id: str | None = None
    queued: bool = field(default=False, compare=False)

    def __repr__(self) -> str:
        over = ", ended" if self.ended_at else ""
        title = f": {one_line(self.title, most=40)}" if self.title else ""
        when = f"{self.last_activity:%Y-%m-%d %H:%M}"
        return f"<Session {self.id} {when}, {self.message_count} messages{over}{title}>"

    def to_dict(self) -> dict[str, JSON]:
        """The fields by their names; times as ISO 8601 UTC, None while it goes on."""
        return fields_to_json(self, without=("first_message_id", "queued"))


SessionList: TypeAlias = list[Session]
TurnList: TypeAlias = list[SessionTurn]


@corrects_guesses
class Sessions:
    """The sessions of a memory; see ``Memory.sessions``."""

    def __init__(
        self,
        store: Store,
        *,
        told: Callable[[Scope, Filter], Mapping[SessionKey, Told]],
        seen: Callable[[Scope, Within | None], Filter],
        end_learning: Callable[[Scope], bool],
        screen: Screen,
        models: ModelRouter | None,
        analyser: Analyser,
        clock: Clock,
        check_open: Callable[[], None],
    ) -> None:
        self._store = store
        self._told = told
        self._seen = seen
        self._end_learning = end_learning
        self._screen = screen
        self._models = models
        self._analyser = analyser
        self._clock = clock
        self._check_open = check_open

    def start(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        title: str | None = None,
    ) -> Session:
        """Start a session, or continue an existing one; an ended one is open again.

        By default it gets a new id. A title that is there stays when ``title`` is None.

        Raises:
            InvalidInputError: An argument cannot be used, or ``secrets`` or ``pii`` refuse the title.
        """
        scope = self._scope(user_id, agent_id, new_id() if session_id is None else session_id)
        named = self._titled(title)
        self._open(scope, lambda: {"title": named, ENTITLED: False} if named else {})
        return self.get(str(scope.session_id), user_id=user_id, agent_id=agent_id)

    def _titled(self, given: str | None) -> str | None:
        """A title as it may be stored."""
        title = check_name("title", given)
        if title is None:
            return None
        screened = self._screen(title)
        if screened.refused:
            raise InvalidInputError(f"the title cannot be stored: {screened.refused}")
        return screened.text

    def rename(self, session_id: str, title: str, *, user_id: str, agent_id: str | None = None) -> None:
        """Store a title for a session. Unlike ``start`` it does not count as activity.

        Raises:
            InvalidInputError: An argument cannot be used, or ``secrets`` or ``pii`` refuse the title.
        """
        scope = self._scope(user_id, agent_id, session_id)
        told: dict[str, JSON] = {
            "id": scope.session_id, "agent": scope.agent_id, "title": self._titled(title), ENTITLED: False,
        }  # fmt: skip
        now = self._clock().isoformat()
        self._change(scope, lambda kept: {"started": now} | kept | told)

    def get(
        self, session_id: str, *, user_id: str, agent_id: str | None = None, timeout_s: float = TIMEOUT_S
    ) -> Session:
        """One session.

        Raises:
            NotFoundError: Nobody started it, and nothing was said in it.
        """
        scope = self._scope(user_id, agent_id, session_id)
        for one in self._all(Scope(user_id=scope.user_id), _seconds(timeout_s)):
            if (one.id, one.agent_id) == (scope.session_id, scope.agent_id):
                return one
        raise NotFoundError(
            f"no session {session_id!r} for this user; one of an agent needs its agent_id"
            if scope.agent_id is None
            else f"no session {session_id!r} for this user and agent"
        )

    def list(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        limit: int | None = None,
        timeout_s: float = TIMEOUT_S,
        within: Within | None = None,
    ) -> SessionList:
        """The sessions of a user, last active first, at most ``limit``.

        ``agent_id`` limits them to an agent; ``timeout_s`` is after how many seconds without a message one is
        over. With ``within`` a session is what was said in it in these tiers, times and project; one with
        nothing of that is left out.
        """
        self._check_open()
        scope = check_scope(user_id, agent_id)
        most = check_limit(limit)
        found = self._all(Scope(user_id=scope.user_id), _seconds(timeout_s), within)
        return [one for one in found if agent_id in (None, one.agent_id)][:most]

    def turns(
        self,
        session_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        limit: int | None = None,
    ) -> TurnList:
        """The last ``limit`` messages of a session, oldest first, with the documents answers could cite.

        Raises:
            NotFoundError: The session was not started and has no messages.
        """
        most, scope = check_limit(limit), self._scope(user_id, agent_id, session_id)
        self.get(session_id, user_id=user_id, agent_id=agent_id)
        return turns_in(self._store, scope, limit=most)

    def end(
        self, session_id: str, *, user_id: str, agent_id: str | None = None, learn: bool = True
    ) -> Session:
        """End a session and queue it for learning, unless ``learn`` is false. A message opens it again.

        Raises:
            NotFoundError: The session was not started and has no messages.
        """
        scope = self._scope(user_id, agent_id, session_id)
        self.get(session_id, user_id=user_id, agent_id=agent_id)
        queued = learn and self._end_learning(scope)
        now = self._clock().isoformat()
        self._change(scope, lambda kept: {**kept, "id": session_id, "agent": agent_id, "ended": now})
        return replace(self.get(session_id, user_id=user_id, agent_id=agent_id), queued=queued)

    def entitle(self, session_id: str, *, user_id: str, agent_id: str | None = None) -> Description:
        """Store a title of a few words for a session, by the model for ``title_generation``.

        Without a model or a usable answer, the title is made of the session's own words.

        Raises:
            NotFoundError: The session was not started and has no messages.
        """
        model = self._model(ModelTask.TITLE_GENERATION)
        while True:
            scope, turns = self._turns(session_id, user_id, agent_id)
            title = title_of(turns, model=model, analyser=self._analyser)
            if not title.text or self._entitled(scope, turns, title.text):
                return title

    def _entitled(self, scope: Scope, turns: Sequence[Turn], title: str) -> bool:
        """Keep a title that was made of some turns; False when they were changed meanwhile."""

        def told() -> dict[str, JSON]:
            if turns_of(self._store, scope) != turns:
                raise _ChangedError
            return {"title": title, ENTITLED: True}

        try:
            self._open(scope, told)
        except _ChangedError:
            return False
        return True

    def _open(self, scope: Scope, more: Callable[[], dict[str, JSON]]) -> None:
        """Open a session now, and keep more of it."""
        now = self._clock().isoformat()

        def begun(kept: dict[str, JSON]) -> dict[str, JSON]:
            told = {**kept, "id": scope.session_id, "agent": scope.agent_id, "opened": now}
            told.setdefault("started", now)
            return {**told, **more()}

        self._change(scope, begun)

    def summarise(self, session_id: str, *, user_id: str, agent_id: str | None = None) -> Description:
        """Summarise a session in one to three sentences, by the model for ``summarization``.

        Without a model or a usable answer it is the most telling sentence. It is not stored.

        Raises:
            NotFoundError: The session was not started and has no messages.
        """
        _, turns = self._turns(session_id, user_id, agent_id)
        return summary_of(turns, model=self._model(ModelTask.SUMMARIZATION), analyser=self._analyser)

    def _turns(self, session_id: str, user_id: str, agent_id: str | None) -> tuple[Scope, Sequence[Turn]]:
        """The messages of a session that is there, as they were said."""
        scope = self._scope(user_id, agent_id, session_id)
        self.get(session_id, user_id=user_id, agent_id=agent_id)
        return scope, turns_of(self._store, scope)

    def _model(self, task: ModelTask) -> LanguageModel | None:
        return None if self._models is None else self._models.model(task)

    def end_idle(self, *, user_id: str, timeout_s: float = TIMEOUT_S, learn: bool = True) -> SessionList:
        """End the sessions without a message for so long; return those that were not ended before."""
        idle = []
        for one in self.list(user_id=user_id, timeout_s=timeout_s):
            scope = self._scope(one.user_id, one.agent_id, one.id)
            if one.ended_at is not None and self._kept(scope).get("ended") is None:
                ended = self.end(one.id, user_id=one.user_id, agent_id=one.agent_id, learn=learn)
                idle.append(ended)
        return idle

    def forget_empty(self, scope: Scope) -> None:
        """Remove the titles and times of sessions without a live message, as after a purge.

        Raises:
            InvalidInputError: It is no ``Scope``.
        """
        if not isinstance(scope, Scope):
            raise InvalidInputError(f"forget_empty takes a Scope, not {as_given(scope)}")
        user = Scope(user_id=scope.user_id)
        live = self._told(user, EVERYTHING)
        for name, kept in self._kept_all(user).items():
            key = (_text(kept.get("agent")), str(kept.get("id")))
            meant = scope.session_id in (None, key[1]) and scope.agent_id in (None, key[0])
            if meant and key not in live:
                self._store.change_state(user, name, lambda _: None)

    def _all(self, user: Scope, timeout_s: float, within: Within | None = None) -> SessionList:
        whole = told = self._told(user, EVERYTHING)
        kept = {(_text(one.get("agent")), str(one["id"])): one for one in self._kept_all(user).values()}
        if within is not None:
            told = self._told(user, self._seen(user, within))
            kept = {key: _as_far_as(kept.get(key, {}), told[key], whole.get(key)) for key in told}
        made = [
            self._session(user, key, told.get(key), kept.get(key, {}), timeout_s)
            for key in dict.fromkeys([*told, *kept])
        ]
        return sorted(made, key=lambda one: (-one.last_activity.timestamp(), one.id))

    def _session(
        self,
        user: Scope,
        key: tuple[str | None, str],
        told: Told | None,
        kept: dict[str, JSON],
        timeout_s: float,
    ) -> Session:
        started = _time(kept.get("started"))
        first, last = (from_micros(told.first), from_micros(told.last)) if told else (started, started)
        opened = _time(kept.get("opened")) or first
        assert first is not None and last is not None and opened is not None  # noqa: S101, PT018 - one of them tells
        active = max(last, opened)
        ended = _time(kept.get("ended"))
        if ended is None or active > ended:
            over = (self._clock() - active).total_seconds() >= timeout_s
            ended = active + timedelta(seconds=timeout_s) if over else None
        return Session(
            id=key[1],
            user_id=user.user_id,
            agent_id=key[0],
            started_at=min(first, started or first),
            last_activity=active if told is None else last,
            message_count=told.messages if told else 0,
            ended_at=ended,
            title=_text(kept.get("title")),
            first_message_id=told.first_id if told else None,
        )

    def _kept_all(self, user: Scope) -> dict[str, dict[str, JSON]]:
        states = self._store.states(user)
        read = {name: _read(text) for name, text in states.items() if name.startswith(SESSION_STATE)}
        return {name: kept for name, kept in read.items() if kept is not None}

    def _kept(self, scope: Scope) -> dict[str, JSON]:
        return self._kept_all(Scope(user_id=scope.user_id)).get(session_state(scope), {})

    def _change(self, scope: Scope, change: Callable[[dict[str, JSON]], dict[str, JSON]]) -> None:
        user = Scope(user_id=scope.user_id)
        self._store.change_state(
            user, session_state(scope), lambda kept: json.dumps(_with_start(change(_read(kept or "") or {})))
        )

    def _scope(self, user_id: str, agent_id: str | None, session_id: str) -> Scope:
        self._check_open()
        return check_scope(user_id, agent_id, check_id("session_id", session_id))


class _ChangedError(Exception):
    """Undoes a title whose session changed while it was made."""


def _read(text: str) -> dict[str, JSON] | None:
    """What is kept of a session; None where an export brought something else: its messages tell of it."""
    try:
        kept = json.loads(text)
        moments = [datetime.fromisoformat(kept[name]) for name in _MOMENTS if name in kept]
        fits = isinstance(kept["id"], str) and "started" in kept
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    return kept if fits and all(moment.tzinfo is not None for moment in moments) else None


def _as_far_as(kept: dict[str, JSON], told: Told, whole: Told | None) -> dict[str, JSON]:
    """What is kept of a session of which only some messages may be seen: not its title, made of all."""
    return kept if told == whole else {}


def _with_start(kept: dict[str, JSON]) -> dict[str, JSON]:
    """What is kept, of itself enough to tell when it began."""
    kept.setdefault("started", kept.get("opened") or kept.get("ended"))
    return kept


def _seconds(value: float) -> float:
    return check_seconds("timeout_s", value)


def _time(value: JSON) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) else None


def _text(value: JSON) -> str | None:
    return value if isinstance(value, str) else None
