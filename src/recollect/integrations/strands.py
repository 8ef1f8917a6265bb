"""Strands Agents: ``RecollectMemoryStore`` for its ``MemoryManager``."""

import asyncio
from typing import Any, Final
from uuid import uuid4

from recollect import Memory
from recollect.integrations.conversation import Conversation, DialogueTurn
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("strands", "strands.memory", feature="RecollectMemoryStore"):
    from strands.memory.extraction.triggers import InvocationTrigger
    from strands.memory.extraction.types import ExtractionConfig
    from strands.memory.types import AddMessagesContext, MemoryEntry, MemoryStore, Metadata, SearchOptions
    from strands.types.content import Message

DESCRIPTION: Final = "What the user said in this and earlier conversations, and what was learned from it."
RESULTS: Final = 5
"""Entries of a search that names no number: as many as the manager injects."""


@corrects_arguments()
class RecollectMemoryStore(MemoryStore):
    """The memory of a user as a store of ``MemoryManager(stores=[...])``.

    Each turn is stored when the agent has answered, by Recollect itself: no model is called to extract
    anything. A batch that is sent again is stored once.

    Args:
        memory: The memory.
        user_id: The user.
        agent_id: The agent, if you have several.
        session_id: The conversation. Recall is over all of them.
        name: What the tools call this store.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        name: str = "recollect",
    ) -> None:
        self.name = name
        self.description: str | None = DESCRIPTION
        self.max_search_results: int | None = RESULTS
        self.writable = True
        self.extraction: ExtractionConfig | bool | None = ExtractionConfig(trigger=InvocationTrigger())
        self._recalled = Conversation(memory=memory, user_id=user_id, agent_id=agent_id)
        self._stored = Conversation(memory=memory, user_id=user_id, agent_id=agent_id, session_id=session_id)
        self._run = uuid4().hex
        self._texts: dict[int, str] = {}

    async def search(self, query: str, options: SearchOptions | None = None) -> list[MemoryEntry]:
        """The memories that answer a query, best first, with their scores and times."""
        top_k = (options or {}).get("max_search_results") or self.max_search_results or RESULTS
        hits = await asyncio.to_thread(self._recalled.search, query, top_k=top_k)
        return [MemoryEntry(content=hit.content, metadata=dict(hit.to_dict())) for hit in hits]

    async def add(self, content: str, metadata: Metadata | None = None) -> str | None:
        """Store a statement, as the tool ``add_memory`` does; returns its id."""
        (result,) = await asyncio.to_thread(
            self._stored.memory.add,
            {"role": "assistant", "content": content, "metadata": metadata or {}},
            user_id=self._stored.user_id,
            agent_id=self._stored.agent_id,
            session_id=self._stored.session_id,
        )
        return result.id

    async def add_messages(self, messages: list[Message], context: AddMessagesContext | None = None) -> None:
        """Store what the user and the assistant said."""
        texts = [_text(message) for message in messages]
        numbers = context.sequence_numbers if context else None
        keys = self._keys(numbers, texts) if numbers else [None] * len(texts)
        said = zip(messages, texts, keys, strict=True)
        turns = [DialogueTurn(role=one["role"], text=text, key=key) for one, text, key in said]
        await asyncio.to_thread(self._stored.remember, turns)

    def _keys(self, numbers: list[int], texts: list[str]) -> list[str | None]:
        """A key for each message: numbers begin again with each run, which shows by other texts."""
        numbered = dict(zip(numbers, texts, strict=True))
        if any(self._texts.get(number, text) != text for number, text in numbered.items()):
            self._run, self._texts = uuid4().hex, {}
        self._texts.update(numbered)
        return [f"strands:{self._run}:{number}" for number in numbers]


def _text(message: Any) -> str:
    return "\n".join(block["text"] for block in message["content"] if "text" in block)
