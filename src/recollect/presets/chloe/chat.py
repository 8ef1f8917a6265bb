"""Chloe in a chat: the hybrid search over all collections."""

from collections.abc import Sequence
from typing import Final

from recollect.memory.answers import Recalled
from recollect.memory.chat import ChatSetup, DefaultChat
from recollect.presets.chloe.chloe import EnhancedMemory
from recollect.types import Within

_MOST: Final = 20
"""Memories that may go into a prompt: Chloe weighs the top 20 of the vector search."""


class ChloeChat(DefaultChat):
    """Chloe's parts of a chat.

    Args:
        setup: What the parts are made for.
    """

    name = "chloe"

    def __init__(self, setup: ChatSetup) -> None:
        super().__init__(setup)
        self._enhanced: Final = EnhancedMemory.over(setup.memory, user_id=setup.user_id)

    def recall(self, message: str, *, repeated: Sequence[str]) -> Recalled:
        """See ``ChatParts.recall``. The threshold is 0 unless the setup has another, as in the design."""
        threshold = self.setup.context.threshold or 0.0
        hits = self._enhanced.memory.search(
            message,
            user_id=self.setup.user_id,
            agent_id=self.setup.agent_id,
            top_k=_MOST,
            threshold=threshold,
            within=Within(exclude_ids=repeated),
        )
        made = self.setup.composed(hits, message, repeated=repeated)
        return self.setup.recalled(made, message, threshold=threshold)

    def learn(self, recalled: Recalled) -> None:
        """Count the memories in the prompt as used, if the chat runs the lifecycle."""
        self.setup.count_shown(recalled)
