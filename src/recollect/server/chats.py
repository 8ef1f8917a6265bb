"""The server's conversations: ``MemoryAgent`` over the served memory, in threads of their own."""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, TypeVar

import anyio.to_thread

from recollect.memory.agent import MemoryAgent
from recollect.memory.answers import AgentAnswer, AnswerStream
from recollect.memory.chat import CONTEXT, ContextOptions
from recollect.memory.memory import Memory
from recollect.models.chat import LanguageModel
from recollect.presets import DEFAULT_PRESET, open_preset
from recollect.server.models import ModelDesk
from recollect.server.problems import ProblemError
from recollect.server.team_chats import with_spaces
from recollect.types.ids import new_id

_SESSIONS: Final = 512
"""Sessions and users of which a lock, the last session and counts are kept. Chosen by hand."""
_AT_ONCE: Final = 64
_AT_ONCE_EACH: Final = 16
"""Answers under way at a time, of all users and of one; more are refused. Chosen by hand: each may have a
thread for as long as its model is silent, and the others of the server need theirs."""
_WAIT_S: Final = 30.0
"""How long a message waits for the answer to the one before it in its session. Chosen by hand."""
_RETRY_S: Final = 5
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_GOES_ON_S: Final = 1_800.0
"""A message without a session continues the last one if that is no older, in seconds. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """A message to answer.

    Without a ``session_id`` it continues the last session, or starts one. ``api_key`` is used for it only.
    ``speaker`` is who says it, where the memory is a team's; ``spaces`` are those whose memories help, too.
    With a ``project`` only what may be seen in it helps, and the message belongs to it.
    """

    user: str
    message: str
    speaker: str | None = None
    spaces: tuple[str, ...] = ()
    session_id: str | None = None
    api_key: str | None = field(default=None, repr=False)
    preset: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """What the chats of a user recalled since the server started.

    Attributes:
        score: The sum of the activated memories' scores.
    """

    answers: int = 0
    activated: int = 0
    score: float = 0.0

    def after(self, answer: AgentAnswer) -> "Activity":
        """The counts with one more answer."""
        count = answer.context.activated_count
        return Activity(
            answers=self.answers + 1,
            activated=self.activated + count,
            score=self.score + answer.average_score * count,
        )


class Chats:
    """The server's conversations.

    Raises:
        InvalidInputError: The preset is unknown.
    """

    def __init__(
        self, memory: Memory, models: ModelDesk, *, preset: str = DEFAULT_PRESET, lifecycle: bool = False
    ) -> None:
        open_preset(preset)
        self.models: Final = models
        self._memory = memory
        self._preset, self._lifecycle = preset, lifecycle
        self._busy: OrderedDict[tuple[str, str], threading.Lock] = OrderedDict()
        self._latest: OrderedDict[tuple[str, str | None], tuple[str, float]] = OrderedDict()
        self._activity: OrderedDict[str, Activity] = OrderedDict()
        self._lock = threading.Lock()
        self._answering: Counter[str] = Counter()
        self._threads = anyio.CapacityLimiter(_AT_ONCE)

    @contextmanager
    def place(self, user: str) -> Iterator[None]:
        """Hold one of the places for answers; a thread is then free for each part of the answer.

        Raises:
            ProblemError: 429: too many answers of the user are under way; 503: of all users.
        """
        if self._answering[user] >= _AT_ONCE_EACH:
            raise _refused(
                HTTPStatus.TOO_MANY_REQUESTS, f"{_AT_ONCE_EACH} answers of this user are under way"
            )
        if self._answering.total() >= _AT_ONCE:
            raise _refused(HTTPStatus.SERVICE_UNAVAILABLE, f"{_AT_ONCE} answers are under way")
        self._answering[user] += 1
        try:
            yield
        finally:
            self._answering[user] -= 1
            self._answering += Counter()  # drops users without any

    async def in_thread(self, call: Callable[[], _Value]) -> _Value:
        """Do a part of an answer in a thread; no other request of the server waits for these."""
        return await anyio.to_thread.run_sync(call, limiter=self._threads)

    @contextmanager
    def stream(self, turn: ChatTurn) -> Iterator[tuple[MemoryAgent, AnswerStream]]:
        """Stream the answer to a message. A session answers one message at a time."""
        with self.models.answering(turn.user, api_key=turn.api_key) as model:
            session_id = turn.session_id or self._last_session(turn.user, turn.speaker)
            context = ContextOptions(project=turn.project)
            agent = self._agent(
                turn.user, session_id, turn.preset, model=model, spaces=turn.spaces, context=context
            )
            with (
                self._turn_of(turn, session_id),
                agent.stream(turn.message, speaker=turn.speaker) as pieces,
            ):
                yield agent, pieces

    def count(self, user: str, answer: AgentAnswer) -> None:
        """Count an answer."""
        with self._lock:
            self._activity[user] = self._activity.get(user, Activity()).after(answer)
            _trim(self._activity, user)

    def activity(self, user: str) -> Activity:
        """Return the counts of a user."""
        with self._lock:
            return self._activity.get(user, Activity())

    def feedback(
        self, user: str, memory_id: str, *, useful: bool, message: str, preset: str | None = None
    ) -> None:
        """Record whether a memory helped with a message; the preset learns from it."""
        self._agent(user, new_id(), preset).feedback(memory_id, useful=useful, message=message)

    def _agent(
        self,
        user: str,
        session_id: str,
        preset: str | None,
        *,
        model: LanguageModel | None = None,
        spaces: Sequence[str] = (),
        context: ContextOptions = CONTEXT,
    ) -> MemoryAgent:
        return MemoryAgent(
            self._memory,
            user_id=user,
            session_id=session_id,
            model=model,
            preset=with_spaces(open_preset(preset or self._preset), spaces),
            context=context,
            lifecycle=self._lifecycle,
        )

    @contextmanager
    def _turn_of(self, turn: ChatTurn, session_id: str) -> Iterator[None]:
        """Wait until a session is free; it is then the user's last one, in a team's memory the speaker's."""
        last, session = (turn.user, turn.speaker), (turn.user, session_id)
        with self._lock:
            self._latest[last] = (session_id, time.monotonic())
            busy = self._busy.setdefault(session, threading.Lock())
            _trim(self._latest, last)
            _trim(self._busy, session)
        if not busy.acquire(timeout=_WAIT_S):
            raise _refused(HTTPStatus.CONFLICT, "the message before this one is still being answered")
        try:
            yield
        finally:
            busy.release()

    def _last_session(self, user: str, speaker: str | None) -> str:
        with self._lock:
            session_id, at = self._latest.get((user, speaker), ("", 0.0))
        return session_id if session_id and time.monotonic() - at < _GOES_ON_S else new_id()


def _refused(status: HTTPStatus, why: str) -> ProblemError:
    return ProblemError(status, f"{why}; try again later", headers={"Retry-After": str(_RETRY_S)})


def _trim(kept: OrderedDict[_Key, _Value], used: _Key) -> None:
    """Keep the entries that were used last."""
    kept.move_to_end(used)
    while len(kept) > _SESSIONS:
        kept.popitem(last=False)
