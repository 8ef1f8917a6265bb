"""Google ADK: ``RecollectMemoryService`` for ``Runner(memory_service=...)``."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any, Final

from recollect import Memory
from recollect.errors import InvalidInputError, NotFoundError
from recollect.integrations.conversation import Conversation, DialogueTurn
from recollect.types import Recollection
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("google-adk", "google.adk.memory", feature="RecollectMemoryService"):
    from google.adk.events.event import Event
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions.session import Session
    from google.genai import types

RESULTS: Final = 10
"""Memories of a search, as in ADK's own service."""


@corrects_arguments()
class RecollectMemoryService(BaseMemoryService):
    """A memory for all users of an app: ADK's user is the user, and its app the agent.

    An event is stored once, by its id, however often its session is added. Words are screened as ever.

    Args:
        memory: The memory.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def add_session_to_memory(self, session: Session) -> None:
        """Store what was said in a session and is not stored yet."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002 - ADK's signature; none are known
    ) -> None:
        """Store what these events say and is not stored yet."""
        conversation = self._conversation(app_name, user_id, session_id)
        turns = [
            DialogueTurn(
                role="user" if event.author == "user" else "assistant",
                text=_text(event.content),
                key=f"adk:{app_name}:{event.id}",
                timestamp=event.timestamp,
            )
            for event in events
        ]
        await asyncio.to_thread(conversation.remember, turns)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, Any] | None = None,
    ) -> None:
        """Store statements; those with an id that is known are left out."""
        items = [
            {
                "role": "user" if one.author in (None, "user") else "assistant",
                "content": _text(one.content),
                "metadata": {**(custom_metadata or {}), **one.custom_metadata},
                **({"timestamp": one.timestamp} if one.timestamp else {}),
                **({"idempotency_key": f"adk:{app_name}:{one.id}"} if one.id else {}),
            }
            for one in memories
        ]
        if items:
            await asyncio.to_thread(self._memory.add, items, user_id=user_id, agent_id=app_name)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """The memories of a user with an app that answer a question, best first."""
        conversation = self._conversation(app_name, user_id, None)
        hits = await asyncio.to_thread(conversation.search, query, top_k=RESULTS)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in hits])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Delete a memory by the id that a search gave; one that is not this app's or user's stays.

        Raises:
            InvalidInputError: No id is given.
        """
        if memory_id is None:
            raise InvalidInputError("delete_memory needs the memory_id of a memory that was found")
        await asyncio.to_thread(self._delete, app_name, user_id, memory_id)

    def _delete(self, app_name: str, user_id: str, memory_id: str) -> None:
        try:
            record = self._memory.get(memory_id, user_id=user_id)
        except NotFoundError:
            return
        if record.scope.agent_id == app_name:
            self._memory.delete(memory_id, user_id=user_id)

    def _conversation(self, app_name: str, user_id: str, session_id: str | None) -> Conversation:
        return Conversation(memory=self._memory, user_id=user_id, agent_id=app_name, session_id=session_id)


def _text(content: "types.Content | None") -> str:
    parts = (content.parts if content else None) or []
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _entry(hit: Recollection) -> MemoryEntry:
    origin = hit.memory.origin
    role = "user" if origin.role == "user" else "model"
    return MemoryEntry(
        id=hit.id,
        content=types.Content(role=role, parts=[types.Part(text=hit.content)]),
        author=origin.speaker or origin.role,
        timestamp=hit.memory.times.happened_at.astimezone(UTC).isoformat(),
        custom_metadata=dict(hit.to_dict()),
    )
