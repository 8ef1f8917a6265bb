"""Chats of members: what their team spaces know goes into the prompt, behind what the preset recalls."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from recollect.lifecycle.archival import ArchivalPolicy
from recollect.memory.answers import Recalled
from recollect.memory.chat import ChatParts, ChatSetup, Preset
from recollect.server.teams import spaces_context
from recollect.types import Within

_SHARE: Final = 4
"""A prompt has up to a quarter of the budget for memories more, from spaces. Chosen by hand."""


class TeamChat:
    """The parts of a chat with those of spaces beside them.

    Only the member's own memories count as used: a chat changes nothing in a space.
    """

    def __init__(self, own: ChatParts, setup: ChatSetup, spaces: Sequence[str]) -> None:
        self._own = own
        self._setup = setup
        self._spaces = spaces
        self._recalled: Recalled | None = None
        self.name: str = own.name
        self.policy: ArchivalPolicy = own.policy

    def recall(self, message: str, *, repeated: Sequence[str]) -> Recalled:
        """See ``ChatParts.recall``."""
        self._recalled = made = self._own.recall(message, repeated=repeated)
        team = spaces_context(
            self._setup.memory,
            message,
            self._spaces,
            budget_tokens=max(1, self._setup.context.budget_tokens // _SHARE),
            within=Within(project=self._setup.context.project),
        )
        text = f"{made.text}{team.text}"
        tokens = self._setup.memory.parts.count_tokens(text)
        return replace(made, text=text, tokens=tokens, included=(*made.included, *team.included))

    def compose(self, recalled: Recalled, *, now: datetime) -> str:
        """See ``ChatParts.compose``."""
        return self._own.compose(recalled, now=now)

    def learn(self, recalled: Recalled) -> None:
        """See ``ChatParts.learn``."""
        self._own.learn(self._recalled or recalled)

    def feedback(self, memory_id: str, *, useful: bool, message: str) -> None:
        """See ``ChatParts.feedback``."""
        self._own.feedback(memory_id, useful=useful, message=message)


def with_spaces(preset: Preset, spaces: Sequence[str]) -> Preset:
    """A preset that also recalls what spaces know."""
    return lambda setup: TeamChat(preset(setup), setup, spaces) if spaces else preset(setup)
