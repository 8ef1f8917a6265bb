"""Microsoft Agent Framework: ``RecollectContextProvider`` for ``Agent(context_providers=[...])``."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from recollect import Memory
from recollect.integrations.conversation import BUDGET_TOKENS, Conversation, DialogueTurn
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("agent-framework", "agent_framework", feature="RecollectContextProvider"):
    from agent_framework import AgentSession, ContextProvider, Message, SessionContext


@corrects_arguments()
class RecollectContextProvider(ContextProvider):
    """What is known about the user's message becomes an instruction of the run; then the turn is stored.

    Args:
        memory: The memory.
        user_id: The user, or a function from the session to the user, such as
            ``lambda session: session.state["user_id"]``.
        agent_id: The agent, if you have several.
        budget_tokens: The most tokens that are recalled.
        source_id: What the framework calls this provider.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: "str | Callable[[AgentSession], str]",
        agent_id: str | None = None,
        budget_tokens: int = BUDGET_TOKENS,
        source_id: str = "recollect",
    ) -> None:
        super().__init__(source_id)
        self._user_id = user_id
        self._beside = Conversation(memory=memory, user_id="", agent_id=agent_id, budget_tokens=budget_tokens)

    async def before_run(
        self,
        *,
        agent: Any,  # noqa: ARG002 - the framework's signature
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],  # noqa: ARG002
    ) -> None:
        """Add what is known about the user's last message; what the session itself says is left out."""
        asked = next((one for one in reversed(context.input_messages) if str(one.role) == "user"), None)
        if asked is None:
            return
        known = await asyncio.to_thread(self._conversation(session).context, asked.text)
        if known:
            context.extend_instructions(self.source_id, known)

    async def after_run(
        self,
        *,
        agent: Any,  # noqa: ARG002 - the framework's signature
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],  # noqa: ARG002
    ) -> None:
        """Store the messages that were sent and the answer, under the session's id."""
        answered = context.response.messages if context.response else []
        turns = _turns([*context.input_messages, *answered])
        await asyncio.to_thread(self._conversation(session).remember, turns)

    def _conversation(self, session: AgentSession) -> Conversation:
        user = self._user_id if isinstance(self._user_id, str) else self._user_id(session)
        return replace(self._beside, user_id=user, session_id=session.session_id)


def _turns(messages: "Sequence[Message]") -> list[DialogueTurn]:
    return [
        DialogueTurn(
            role=str(one.role),
            text=one.text,
            name=one.author_name if str(one.role) == "user" else None,
            key=one.message_id and f"agent-framework:{one.message_id}",
        )
        for one in messages
    ]
