"""Middleware that gives a LangChain agent a memory: it recalls before the model, and stores each turn."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

from recollect import Memory
from recollect.integrations.conversation import BUDGET_TOKENS, Conversation, DialogueTurn
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("langchain", "langchain.agents", feature="RecollectMiddleware"):
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain_core.messages import AnyMessage, SystemMessage
    from langgraph.runtime import Runtime

_ROLES: Final = {"human": "user", "ai": "assistant"}


@corrects_arguments()
class RecollectMiddleware(AgentMiddleware):
    """What is known about the user's last message goes into the system message of each call of the model.

    The thread is not changed by it. When the agent has answered, the turn is stored: once, by the ids of its
    messages, under the thread's id as session. What the thread itself says is not recalled.

    Args:
        memory: The memory.
        user_id: The user, or a function from the runtime to the user, such as
            ``lambda runtime: runtime.context.user_id``.
        agent_id: The agent, if you have several.
        budget_tokens: The most tokens that are recalled.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str | Callable[["Runtime[Any]"], str],
        agent_id: str | None = None,
        budget_tokens: int = BUDGET_TOKENS,
    ) -> None:
        super().__init__()
        self._user_id = user_id
        self._beside = Conversation(memory=memory, user_id="", agent_id=agent_id, budget_tokens=budget_tokens)

    def wrap_model_call(
        self,
        request: "ModelRequest[Any]",
        handler: Callable[["ModelRequest[Any]"], "ModelResponse[Any]"],
    ) -> "ModelResponse[Any]":
        """Call the model with what is recalled."""
        return handler(self._informed(request))

    async def awrap_model_call(
        self,
        request: "ModelRequest[Any]",
        handler: Callable[["ModelRequest[Any]"], Awaitable["ModelResponse[Any]"]],
    ) -> "ModelResponse[Any]":
        """The same for async code."""
        return await handler(await asyncio.to_thread(self._informed, request))

    def after_agent(self, state: "AgentState[Any]", runtime: "Runtime[Any]") -> None:
        """Store what was said in the thread and is not stored yet."""
        said = [
            DialogueTurn(
                role=_ROLES[message.type],
                text=str(message.text),
                key=message.id and f"langchain:{message.id}",
            )
            for message in state["messages"]
            if message.type in _ROLES
        ]
        self._conversation(runtime).remember(said)

    async def aafter_agent(self, state: "AgentState[Any]", runtime: "Runtime[Any]") -> None:
        """The same for async code."""
        await asyncio.to_thread(self.after_agent, state, runtime)

    def _informed(self, request: "ModelRequest[Any]") -> "ModelRequest[Any]":
        asked = next((one for one in reversed(request.messages) if one.type == "human"), None)
        known = "" if asked is None else self._conversation(request.runtime).context(str(asked.text))
        return request.override(system_message=_with(request.system_message, known)) if known else request

    def _conversation(self, runtime: "Runtime[Any]") -> Conversation:
        user = self._user_id if isinstance(self._user_id, str) else self._user_id(runtime)
        running = runtime.execution_info
        return replace(self._beside, user_id=user, session_id=running.thread_id if running else None)


def _with(message: "AnyMessage | None", text: str) -> "SystemMessage":
    """The system message with a text after it."""
    if message is None:
        return SystemMessage(text)
    if isinstance(message.content, str):
        return SystemMessage(f"{message.content}\n\n{text}")
    return SystemMessage([*message.content, {"type": "text", "text": text}])
