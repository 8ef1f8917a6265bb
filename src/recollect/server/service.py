"""The objects that all handlers of an application share."""

from dataclasses import dataclass, field

from recollect.learning.worker import Worker
from recollect.memory.aio import AsyncMemory
from recollect.memory.memory import Memory
from recollect.server.chats import Chats
from recollect.server.metrics import Metrics
from recollect.server.once import SentOnce
from recollect.server.settings import ServerSettings


@dataclass(slots=True, kw_only=True)
class Service:
    """The objects that all handlers of an application share.

    Attributes:
        calls: The same memory, for async handlers.
        chats: The conversations.
        worker: Processes the learning queue; None when another process does.
    """

    memory: Memory
    calls: AsyncMemory
    chats: Chats
    sent: SentOnce
    settings: ServerSettings
    metrics: Metrics = field(default_factory=Metrics)
    worker: Worker | None = None
