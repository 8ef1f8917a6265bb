"""LlamaIndex: a memory block for its ``Memory``, and a retriever."""

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from recollect import Memory
from recollect.integrations.conversation import BUDGET_TOKENS, Conversation, DialogueTurn
from recollect.types import Kind
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("llamaindex", "llama_index.core", feature="RecollectMemoryBlock"):
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode


@corrects_arguments()
class RecollectMemoryBlock(BaseMemoryBlock[str]):
    """A block for ``Memory.from_defaults(memory_blocks=[...])``: it recalls for the user's last message.

    Each time the memory is read, what the conversation says is stored; so is what leaves the short-term
    memory. In a session the same words of the same speaker are stored once.

    Attributes:
        memory: The memory.
        user_id: The user.
        agent_id: The agent, if you have several.
        session_id: The conversation, that of the framework's ``Memory``; what it says is not recalled.
        budget_tokens: The most tokens that are recalled.
    """

    name: str = "recollect"
    memory: Memory
    user_id: str
    agent_id: str | None = None
    session_id: str
    budget_tokens: int = BUDGET_TOKENS

    async def _aget(self, messages: "list[ChatMessage] | None" = None, **_: Any) -> str:
        said = messages or []
        await self._aput(said)
        asked = next((one.content for one in reversed(said) if one.role == "user"), None)
        return await asyncio.to_thread(self._conversation().context, asked or "")

    async def _aput(self, messages: "list[ChatMessage]") -> None:
        turns = [
            DialogueTurn(role=one.role.value, text=one.content, key=self._key(one.role.value, one.content))
            for one in messages
            if one.content
        ]
        await asyncio.to_thread(self._conversation().remember, turns)

    def _conversation(self) -> Conversation:
        return Conversation(
            memory=self.memory,
            user_id=self.user_id,
            agent_id=self.agent_id,
            session_id=self.session_id,
            budget_tokens=self.budget_tokens,
        )

    def _key(self, role: str, text: str) -> str:
        """LlamaIndex's messages have no ids."""
        said = sha256(f"{self.session_id}\0{role}\0{text}".encode(errors="replace")).hexdigest()
        return f"llamaindex:{said}"


@corrects_arguments()
class RecollectNodeRetriever(BaseRetriever):
    """Finds what a user said, what was learned and documents, as nodes, best first.

    Args:
        memory: Where to look.
        user_id: Whose memories.
        similarity_top_k: How many at most.
        agent_id: Only this agent's.
        filters: Only memories that match, as in ``Memory.search``.
        kinds: Only these kinds.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str,
        similarity_top_k: int = 4,
        agent_id: str | None = None,
        filters: dict[str, Any] | None = None,
        kinds: Sequence[Kind] | None = None,
    ) -> None:
        super().__init__()
        self._memory = memory
        self._options: dict[str, Any] = {
            "user_id": user_id,
            "agent_id": agent_id,
            "top_k": similarity_top_k,
            "filters": filters,
            "kinds": kinds,
        }

    def _retrieve(self, query_bundle: "QueryBundle") -> "list[NodeWithScore]":
        found = self._memory.search(query_bundle.query_str, **self._options)
        return [
            NodeWithScore(
                node=TextNode(
                    id_=hit.id,
                    text=hit.content,
                    metadata={"speaker": hit.memory.origin.speaker, **hit.metadata},
                    excluded_embed_metadata_keys=["speaker", *hit.metadata],
                ),
                score=hit.score,
            )
            for hit in found
        ]
