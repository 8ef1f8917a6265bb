"""OpenAI Agents SDK: a session that also remembers what was said, and tools for the model."""

import asyncio
from typing import Any

from recollect import Memory
from recollect.integrations.conversation import Conversation, DialogueTurn
from recollect.integrations.tools import MemoryTools
from recollect.integrations.transcript import Transcripts, path_of
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("openai-agents", "agents", feature="RecollectSession"):
    from agents import FunctionTool, SessionSettings, TResponseInputItem, function_tool


@corrects_arguments()
class RecollectSession:
    """A session for ``Runner.run(..., session=...)``.

    Its items come back equal and in order; no search finds them. What the user and the assistant said is
    also stored as messages, screened for secrets; ``pop_item`` takes its message back.

    Args:
        session_id: The conversation.
        memory: The memory.
        user_id: The user.
        agent_id: The agent, if you have several.
        session_settings: As in the SDK: how many items are loaded.
    """

    def __init__(
        self,
        session_id: str,
        memory: Memory,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_settings: "SessionSettings | None" = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._path = path_of(session_id)
        self._transcripts = Transcripts(memory, user_id=user_id, space="openai_agents")
        self._conversation = Conversation(
            memory=memory, user_id=user_id, agent_id=agent_id, session_id=session_id
        )

    async def get_items(self, limit: int | None = None) -> "list[TResponseInputItem]":
        """The last items, oldest first; all where neither ``limit`` nor the settings name a number."""
        most = self.session_settings.limit if limit is None else limit
        items = list((await asyncio.to_thread(self._transcripts.load, self._path)).values())
        return items if most is None else items[max(len(items) - most, 0) :]

    async def add_items(self, items: "list[TResponseInputItem]") -> None:
        """Store items after those that are there."""
        if items:
            await asyncio.to_thread(self._add, items)

    async def pop_item(self) -> "TResponseInputItem | None":
        """Take the last item away, and the message that was remembered of it."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Delete all items; the messages stay memories."""
        await asyncio.to_thread(self._transcripts.delete, self._path)

    def _add(self, items: "list[TResponseInputItem]") -> None:
        names = self._transcripts.append(self._path, items)
        turns = zip(names, items, strict=True)
        self._conversation.remember([_turn(name, dict(item)) for name, item in turns])

    def _pop(self) -> "TResponseInputItem | None":
        entries = self._transcripts.load(self._path)
        if not entries:
            return None
        name, item = entries.popitem()
        self._transcripts.delete(f"{self._path}{name}")
        self._conversation.forget(_key(name))
        return item


def recollect_tools(memory: Memory, *, user_id: str, agent_id: str | None = None) -> "list[FunctionTool]":
    """The tools ``search_memory`` and ``add_memory`` for one user, for ``Agent(tools=[...])``."""
    tools = MemoryTools(memory, user_id=user_id, agent_id=agent_id)
    return [function_tool(tools.search_memory), function_tool(tools.add_memory)]


def _key(name: str) -> str:
    return f"openai-agents:{name}"


def _turn(name: str, item: dict[str, Any]) -> DialogueTurn:
    """What an item says; nothing where it is no message."""
    content = item.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    words = "\n".join(text for text in texts if isinstance(text, str))
    return DialogueTurn(role=str(item.get("role")), text=words, key=_key(name))
