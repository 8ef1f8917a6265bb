"""Second Brain in a chat: profile, past interactions and documents, in three sections."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from recollect.lifecycle.archival import ArchivalPolicy, retention
from recollect.memory.answers import Recalled
from recollect.memory.chat import ChatSetup, DefaultChat
from recollect.models.prompts.chat import chat_system
from recollect.presets.second_brain.config import RETENTION_DAYS
from recollect.presets.second_brain.summary import INSTRUCTIONS
from recollect.presets.second_brain.system import Found, SecondBrain
from recollect.types import Recollection


class SecondBrainChat(DefaultChat):
    """Second Brain's parts of a chat.

    Args:
        setup: What the parts are made for.
        brain: Second Brain over the setup's memory; made when None.

    Raises:
        InvalidInputError: The setup has a threshold or an agent.
    """

    name = "second_brain"
    policy: ArchivalPolicy = retention(RETENTION_DAYS)

    def __init__(self, setup: ChatSetup, *, brain: SecondBrain | None = None) -> None:
        super().__init__(setup)
        setup.refuse(self.name, "threshold", "agent_id")
        self._brain: Final = SecondBrain.over(setup.memory) if brain is None else brain

    def fitting(self, message: str, *, repeated: Sequence[str]) -> Recalled:
        """See ``DefaultChat.fitting``: the three sections, without what the budget has no room for."""
        setup = self.setup
        budget, count = setup.context.budget_tokens, setup.memory.parts.count_tokens
        given = setup.context
        found = self._brain.search(
            setup.user_id,
            message,
            core=given.core_share,
            project=given.project,
            budget_tokens=budget,
        )
        found = _without(found, repeated)
        while count(found.summary) > budget and (less := _less(found)) != found:
            found = less
        text = found.summary if count(found.summary) <= budget else ""
        return Recalled(
            text=text,
            tokens=count(text),
            budget_tokens=budget,
            included=(*found.hits, *found.core.found) if text else (),
            left_out=found.core.left_out,
            core_left_out=found.core.left_out_count,
            cited=tuple(one.hit.memory.id for one in found.documents),
            total=setup.total(),
            sources=found.documents if text else (),
        )

    def compose(self, recalled: Recalled, *, now: datetime) -> str:
        """See ``ChatParts.compose``; after the instructions stand those of the design."""
        instructions = f"{self.setup.instructions}\n\n{INSTRUCTIONS}"
        return chat_system(instructions=instructions, memories=recalled.text, now=now)


def _without(found: Found, repeated: Sequence[str]) -> Found:
    """What was found, without the memories that the prompt repeats anyway or that stand in the core."""
    known = {*repeated, *(hit.memory.id for hit in found.core.found)}

    def fresh(hits: Sequence[Recollection]) -> tuple[Recollection, ...]:
        return tuple(hit for hit in hits if hit.memory.id not in known)

    return replace(found, episodic=fresh(found.episodic), semantic=fresh(found.semantic))


def _less(found: Found) -> Found:
    """One memory less: the last document, then the last episode, then the last fact."""
    if found.documents:
        return replace(found, documents=found.documents[:-1])
    if found.episodic:
        return replace(found, episodic=found.episodic[:-1])
    return replace(found, semantic=found.semantic[:-1])
