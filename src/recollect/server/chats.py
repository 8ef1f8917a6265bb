"""The server's conversations: one Shadow Memory agent each, over the served store."""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from recollect.lifecycle.thresholds import ThresholdManager
from recollect.memory.memory import Memory
from recollect.models.chat import ChatMessage, Completion, LanguageModel
from recollect.presets.shadow import MemoryAugmentedAgent, ResponseStream, ShadowMemorySystem
from recollect.server.models import ModelDesk
from recollect.types import JSON
from recollect.types.ids import new_id

_USERS: Final = 64
_TALKS: Final = 512
"""Users and conversations kept in memory; the messages of others are in the store. Chosen by hand."""
_GOES_ON_S: Final = 1_800.0
"""A message without a session continues the last one if that is no older, in seconds. Chosen by hand."""


class _Switch:
    """A language model that delegates to another one, which can change between messages."""

    def __init__(self, now: LanguageModel) -> None:
        self.now = now

    @property
    def name(self) -> str:
        """The name of the current model."""
        return self.now.name

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int | None = None,
        json_schema: Mapping[str, JSON] | None = None,
    ) -> Completion:
        """See ``LanguageModel.complete``."""
        return self.now.complete(messages, max_tokens=max_tokens, json_schema=json_schema)

    def stream(self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None) -> Iterator[str]:
        """See ``LanguageModel.stream``."""
        return self.now.stream(messages, max_tokens=max_tokens)


@dataclass(slots=True, kw_only=True)
class _Talk:
    """A conversation; the lock makes it answer one message at a time."""

    agent: MemoryAugmentedAgent
    switch: _Switch | None
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A message to answer.

    Attributes:
        user: The user who sent it.
        message: The text.
        session_id: The session; None continues the last one, or starts a new one.
        api_key: A key for the model, used for this message only.
    """

    user: str
    message: str
    session_id: str | None = None
    api_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """An answer in progress.

    Attributes:
        pieces: The answer as a stream, and as a whole at its end.
        session_id: The session.
        model: The name of the answering model; None when memories are quoted.
        thresholds: The activation thresholds, by kind of context.
    """

    pieces: ResponseStream
    session_id: str
    model: str | None
    thresholds: ThresholdManager

    def threshold(self) -> float:
        """Return the threshold used for the message, once it is answered."""
        return self.thresholds.threshold(self.pieces.response.context.type)


class Chats:
    """The server's conversations.

    Args:
        memory: The served memory.
        models: The models that answer.
    """

    def __init__(self, memory: Memory, models: ModelDesk) -> None:
        self.models: Final = models
        self._memory = memory
        self._systems: OrderedDict[str, ShadowMemorySystem] = OrderedDict()
        self._talks: OrderedDict[tuple[str, str, bool], _Talk] = OrderedDict()
        self._latest: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._lock = threading.Lock()

    @contextmanager
    def stream(self, turn: Turn) -> Iterator[Answering]:
        """Stream the answer to a message. A conversation answers one message at a time."""
        with self.models.answering(turn.user, api_key=turn.api_key) as model:
            talk = self._talk(turn, model)
            with talk.lock:
                if talk.switch is not None and model is not None:
                    talk.switch.now = model
                with talk.agent.stream(turn.message) as pieces:
                    yield Answering(
                        pieces=pieces,
                        session_id=talk.agent.session_id,
                        model=None if model is None else model.name,
                        thresholds=self.system(turn.user).thresholds,
                    )

    def feedback(self, user: str, memory_id: str, *, useful: bool, message: str) -> None:
        """Record whether a memory helped with a message; the thresholds learn from it."""
        self.system(user).feedback(memory_id, useful=useful, context=message)

    def system(self, user: str) -> ShadowMemorySystem:
        """Return a user's Shadow Memory over the served store; the server's memory closes it."""
        with self._lock:
            if user not in self._systems:
                self._systems[user] = ShadowMemorySystem.over(self._memory, user_id=user)
            self._systems.move_to_end(user)
            while len(self._systems) > _USERS:
                self._systems.popitem(last=False)
            return self._systems[user]

    def _talk(self, turn: Turn, model: LanguageModel | None) -> _Talk:
        system = self.system(turn.user)
        with self._lock:
            session_id = turn.session_id or self._last_session(turn.user)
            self._latest[turn.user] = (session_id, time.monotonic())
            self._latest.move_to_end(turn.user)
            place = (turn.user, session_id, model is not None)
            if place not in self._talks:
                switch = None if model is None else _Switch(model)
                agent = MemoryAugmentedAgent(system, model=switch, session_id=session_id)
                self._talks[place] = _Talk(agent=agent, switch=switch)
            self._talks.move_to_end(place)
            while len(self._talks) > _TALKS:
                self._talks.popitem(last=False)
            while len(self._latest) > _TALKS:
                self._latest.popitem(last=False)
            return self._talks[place]

    def _last_session(self, user: str) -> str:
        session_id, at = self._latest.get(user, ("", 0.0))
        return session_id if session_id and time.monotonic() - at < _GOES_ON_S else new_id()
