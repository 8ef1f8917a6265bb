"""Pydantic AI: ``RecollectCapability``, which recalls and remembers by itself, and tools for the model."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from recollect import Memory
from recollect.integrations.conversation import BUDGET_TOKENS, Conversation, DialogueTurn
from recollect.integrations.tools import MemoryTools
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("pydantic-ai", "pydantic_ai", feature="RecollectCapability"):
    from pydantic_ai import FunctionToolset, RunContext
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelMessage, ModelRequest, TextPart, UserPromptPart
    from pydantic_ai.run import AgentRunResult


@corrects_arguments()
class RecollectCapability(AbstractCapability[Any]):
    """What is known about the prompt becomes an instruction of the run; then the run's words are stored.

    Args:
        memory: The memory.
        user_id: The user, or a function from the run's context to the user, such as
            ``lambda ctx: ctx.deps.user_id``.
        agent_id: The agent, if you have several.
        budget_tokens: The most tokens that are recalled.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: "str | Callable[[RunContext[Any]], str]",
        agent_id: str | None = None,
        budget_tokens: int = BUDGET_TOKENS,
    ) -> None:
        self._user_id = user_id
        self._beside = Conversation(memory=memory, user_id="", agent_id=agent_id, budget_tokens=budget_tokens)

    def get_instructions(self) -> Any:
        """What is known about the prompt; what the conversation itself says is left out."""
        return self._known

    async def after_run(
        self, ctx: "RunContext[Any]", *, result: "AgentRunResult[Any]"
    ) -> "AgentRunResult[Any]":
        """Store the texts of the prompt and of the answers, under the conversation's id."""
        turns = _turns(result.new_messages(), run=f"pydantic-ai:{ctx.run_id}")
        await asyncio.to_thread(self._conversation(ctx).remember, turns)
        return result

    async def _known(self, ctx: "RunContext[Any]") -> str | None:
        question = _text(ctx.prompt)
        return await asyncio.to_thread(self._conversation(ctx).context, question) or None

    def _conversation(self, ctx: "RunContext[Any]") -> Conversation:
        user = self._user_id if isinstance(self._user_id, str) else self._user_id(ctx)
        return replace(self._beside, user_id=user, session_id=ctx.conversation_id)


def recollect_toolset(memory: Memory, *, user_id: str, agent_id: str | None = None) -> "FunctionToolset[Any]":
    """The tools ``search_memory`` and ``add_memory`` for one user, for ``toolsets=[...]``."""
    tools = MemoryTools(memory, user_id=user_id, agent_id=agent_id)
    return FunctionToolset([tools.search_memory, tools.add_memory])


def _turns(messages: "Sequence[ModelMessage]", *, run: str) -> list[DialogueTurn]:
    said = [
        ("user" if isinstance(message, ModelRequest) else "assistant", _text(part.content))
        for message in messages
        for part in message.parts
        if isinstance(part, (UserPromptPart, TextPart))
    ]
    return [DialogueTurn(role=role, text=text, key=f"{run}:{at}") for at, (role, text) in enumerate(said)]


def _text(content: object) -> str:
    """The texts of a prompt, without its images and files."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    texts = [part if isinstance(part, str) else getattr(part, "content", None) for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))
