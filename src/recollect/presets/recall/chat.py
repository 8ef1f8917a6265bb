"""Recall in a chat: facts, episodes and stories that are similar enough, with the time and the user."""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import Final

from recollect.memory.answers import Recalled
from recollect.memory.chat import ChatSetup, DefaultChat
from recollect.models.prompts.chat import chat_system
from recollect.presets.recall.rerank import SIMILARITY_THRESHOLD
from recollect.presets.recall.system import RecallSystem


class RecallChat(DefaultChat):
    """Recall's parts of a chat.

    Args:
        setup: What the parts are made for.

    Raises:
        InvalidInputError: The setup has a threshold or an agent.
    """

    name = "recall"

    def __init__(self, setup: ChatSetup) -> None:
        super().__init__(setup)
        setup.refuse(self.name, "threshold", "agent_id")
        self._system: Final = RecallSystem.over(setup.memory)

    def fitting(self, message: str, *, repeated: Sequence[str]) -> Recalled:
        """See ``DefaultChat.fitting``. A session's first prompt ends with what was last talked about."""
        user_id, here = self.setup.user_id, self.setup.context.project
        found = self._system.retrieve_memories(message, user_id, project=here, count=self.setup.lifecycle)
        if not repeated:
            known = {one.entry.id for one in found}
            opening = self._system.opening_memories(user_id, project=here)
            found += [one for one in opening if one.entry.id not in known]
        made = self.setup.composed([one.recollection for one in found], message, repeated=repeated)
        return self.setup.recalled(made, message, threshold=SIMILARITY_THRESHOLD)

    def compose(self, recalled: Recalled, *, now: datetime) -> str:
        """See ``ChatParts.compose``: before the memories stand the time and what is known about the user."""
        return chat_system(
            instructions=f"{self.setup.instructions}\n\n{self._injection}",
            memories=recalled.text,
            now=now,
            cites=bool(recalled.sources),
        )

    @cached_property
    def _injection(self) -> str:
        setup = self.setup
        known = setup.memory.graph.acquaintance(user_id=setup.user_id, without_session=setup.session_id)
        return self._system.injection(setup.user_id, acquaintance=known, timezone=setup.memory.parts.timezone)
