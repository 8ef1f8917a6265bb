"""What the handlers of one application share."""

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
    """What the handlers of one application share.

    Attributes:
        memory: What is served, for threads.
        calls: The same for handlers.
        chats: The conversations.
        sent: What came with idempotency keys.
        settings: Limits.
        metrics: What is counted.
        worker: Learns what is queued while it is served; None when another process does.
    """

    memory: Memory
    calls: AsyncMemory
    chats: Chats
    sent: SentOnce
    settings: ServerSettings
    metrics: Metrics = field(default_factory=Metrics)
    worker: Worker | None = None
