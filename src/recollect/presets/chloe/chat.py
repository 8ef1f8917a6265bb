"""Chloe in a chat: the hybrid search over all collections."""

from collections.abc import Sequence
from typing import Final

from recollect.memory.answers import Recalled
from recollect.memory.chat import ChatSetup, DefaultChat
from recollect.presets.chloe.chloe import EnhancedMemory
from recollect.presets.chloe.praise import says_helpful
from recollect.types import Recollection

_MOST: Final = 20
"""Memories that may go into a prompt: Chloe weighs the top 20 of the vector search."""

_PRAISED: Final = 3
"""Memories that "that was helpful" reinforces, as many as an answer without a model quotes. By hand."""


class ChloeChat(DefaultChat):
    """Chloe's parts of a chat.

    Args:
        setup: What the parts are made for.
    """

    name = "chloe"

    def __init__(self, setup: ChatSetup) -> None:
        super().__init__(setup)
        self._enhanced: Final = EnhancedMemory.over(setup.memory, user_id=setup.user_id)

    def fitting(self, message: str, *, repeated: Sequence[str]) -> Recalled:
        """See ``DefaultChat.fitting``. The threshold is 0 unless the setup has another, as in the design.

        "That was helpful" reinforces what fits the message before best, if the chat runs the lifecycle.
        """
        if self.setup.lifecycle:
            self._hear(message, repeated)
        threshold = self.setup.context.threshold or 0.0
        hits = self._found(message, repeated, top_k=_MOST)
        made = self.setup.composed(hits, message, repeated=repeated)
        return self.setup.recalled(made, message, threshold=threshold)

    def _hear(self, message: str, repeated: Sequence[str]) -> None:
        """Reinforce what the answer before was made of, if the user calls it helpful."""
        setup = self.setup
        if not says_helpful(message):
            return
        asked = setup.memory.get_all(
            user_id=setup.user_id,
            agent_id=setup.agent_id,
            session_id=setup.session_id,
            kinds=["message"],
            filters={"role": "user"},
            limit=1,
            newest_first=True,
        )
        if asked:
            hits = self._found(asked[0].content, repeated, top_k=_PRAISED)
            self._enhanced.notice_feedback(message, [hit.memory.id for hit in hits])

    def _found(self, message: str, repeated: Sequence[str], *, top_k: int) -> list[Recollection]:
        """The memories that fit a message, but for the turns that the prompt repeats."""
        return self._enhanced.memory.search(
            message,
            user_id=self.setup.user_id,
            agent_id=self.setup.agent_id,
            top_k=top_k,
            threshold=self.setup.context.threshold or 0.0,
            within=self.setup.within(repeated),
        )

    def learn(self, recalled: Recalled) -> None:
        """Count the memories in the prompt as used, if the chat runs the lifecycle."""
        self.setup.count_shown(recalled)
