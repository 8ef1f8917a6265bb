"""AutoGen: ``RecollectAutoGenMemory`` for ``AssistantAgent(memory=[...])``."""

import asyncio
import json
from typing import Final

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.conversation import BUDGET_TOKENS, Conversation
from recollect.types import Recollection
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("autogen", "autogen_core", feature="RecollectAutoGenMemory"):
    from autogen_core import CancellationToken
    from autogen_core.memory import Memory as AutoGenMemory
    from autogen_core.memory import MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
    from autogen_core.model_context import ChatCompletionContext
    from autogen_core.models import SystemMessage, UserMessage

RESULTS: Final = 5
"""Results of a query. Chosen by hand."""
_ADDED: Final = {"added_by": "autogen"}
_TEXTS: Final = ("text/plain", "text/markdown")


@corrects_arguments("query")
class RecollectAutoGenMemory(AutoGenMemory):
    """Puts what is known about the user's last message into the model's context; ``add`` stores a text.

    Args:
        memory: The memory.
        user_id: The user.
        agent_id: The agent, if you have several.
        budget_tokens: The most tokens that are recalled.
    """

    component_type = "memory"

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str,
        agent_id: str | None = None,
        budget_tokens: int = BUDGET_TOKENS,
    ) -> None:
        self._conversation = Conversation(
            memory=memory, user_id=user_id, agent_id=agent_id, budget_tokens=budget_tokens
        )

    async def update_context(self, model_context: "ChatCompletionContext") -> "UpdateContextResult":
        """Add what is known as a system message, and return the memories that were found."""
        said = [one for one in await model_context.get_messages() if isinstance(one, UserMessage)]
        question = _text(said[-1].content) if said else ""
        known = await asyncio.to_thread(self._conversation.context, question)
        if known:
            await model_context.add_message(SystemMessage(content=known))
        return UpdateContextResult(memories=await self.query(question))

    async def query(
        self,
        query: "str | MemoryContent",
        cancellation_token: "CancellationToken | None" = None,  # noqa: ARG002 - AutoGen's signature
    ) -> "MemoryQueryResult":
        """The memories that answer a question, best first."""
        question = query if isinstance(query, str) else _text(query.content)
        hits = await asyncio.to_thread(self._conversation.search, question, top_k=RESULTS)
        return MemoryQueryResult(results=[_content(hit) for hit in hits])

    async def add(
        self,
        content: "MemoryContent",
        cancellation_token: "CancellationToken | None" = None,  # noqa: ARG002 - AutoGen's signature
    ) -> None:
        """Store a text, or JSON as text.

        Raises:
            InvalidInputError: It is an image or another kind of data.
        """
        one = self._conversation
        message = {
            "content": _words(content),
            "metadata": {**(content.metadata or {}), **_ADDED},
        }
        await asyncio.to_thread(one.memory.add, message, user_id=one.user_id, agent_id=one.agent_id)

    async def clear(self) -> None:
        """Delete what was added through AutoGen; other memories of the user stay."""
        one = self._conversation
        await asyncio.to_thread(
            one.memory.delete_all, user_id=one.user_id, agent_id=one.agent_id, filters=_ADDED
        )

    async def close(self) -> None:
        """Do nothing: the memory is yours to close."""


def _words(content: "MemoryContent") -> str:
    mime = content.mime_type
    kind = mime.value if isinstance(mime, MemoryMimeType) else mime
    if isinstance(content.content, str) and kind in (*_TEXTS, "application/json"):
        return content.content
    if isinstance(content.content, dict):
        return json.dumps(content.content, ensure_ascii=False)
    raise InvalidInputError(f"a memory is text or JSON, not {kind}; describe it in words")


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part for part in parts if isinstance(part, str))


def _content(hit: Recollection) -> "MemoryContent":
    return MemoryContent(content=hit.content, mime_type=MemoryMimeType.TEXT, metadata=dict(hit.to_dict()))
