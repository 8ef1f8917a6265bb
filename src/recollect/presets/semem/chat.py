"""Semem in a chat: both memories by relevance and recency."""

from collections.abc import Sequence
from typing import Final

from recollect.memory.answers import Recalled
from recollect.memory.chat import ChatSetup, DefaultChat
from recollect.presets.semem.context import THRESHOLD
from recollect.presets.semem.manager import MemoryManager


class SememChat(DefaultChat):
    """Semem's parts of a chat.

    A turn strengthens nothing: a retrieval weakens all other memories, which is left to
    ``MemoryManager.retrieve_relevant_interactions``.

    Args:
        setup: What the parts are made for.

    Raises:
        InvalidInputError: The setup has an agent.
    """

    name = "semem"

    def __init__(self, setup: ChatSetup) -> None:
        super().__init__(setup)
        setup.refuse(self.name, "agent_id")
        self._manager: Final = MemoryManager.over(setup.memory, user_id=setup.user_id)

    def fitting(self, message: str, *, repeated: Sequence[str]) -> Recalled:
        """See ``DefaultChat.fitting``."""
        given = self.setup.context
        threshold = THRESHOLD if given.threshold is None else given.threshold
        hits = self._manager.context_manager.relevant(
            message,
            budget_tokens=given.budget_tokens,
            within=self.setup.within(repeated),
            threshold=threshold,
        )
        made = self.setup.composed(hits, message, repeated=repeated)
        return self.setup.recalled(made, message, threshold=threshold)

    def learn(self, recalled: Recalled) -> None:
        """Count the memories in the prompt as used, if the chat runs the lifecycle."""
        self.setup.count_shown(recalled)
