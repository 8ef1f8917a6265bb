"""Google ADK: the service below the framework's own runner, with a fake model."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

pytest.importorskip("google.adk", reason="google-adk is not installed; run: make frameworks")

from google.adk.agents import LlmAgent
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.google_adk import RecollectMemoryService


class FakeModel(BaseLlm):
    """Answers "Noted.", and keeps what it was told."""

    seen: list[str] = []  # noqa: RUF012 - pydantic copies it

    async def generate_content_async(
        self, llm_request: Any, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.seen.append(str(llm_request.config.system_instruction) + str(llm_request.contents))
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="Noted.")]))


def content(text: str, role: str = "user") -> types.Content:
    return types.Content(role=role, parts=[types.Part(text=text)])


class App:
    """An app with one agent and the memory service."""

    def __init__(self, memory: Memory, name: str = "waiter") -> None:
        self.model = FakeModel(model="fake")
        self.service = RecollectMemoryService(memory)
        self.sessions = InMemorySessionService()
        agent = LlmAgent(name="waiter", model=self.model, tools=[PreloadMemoryTool()])
        self.name = name
        self.runner = Runner(
            app_name=name, agent=agent, session_service=self.sessions, memory_service=self.service
        )

    async def talk(self, text: str, *, user: str, session: str) -> Any:
        place = {"app_name": self.name, "user_id": user, "session_id": session}
        if await self.sessions.get_session(**place) is None:
            await self.sessions.create_session(**place)
        async for _ in self.runner.run_async(user_id=user, session_id=session, new_message=content(text)):
            pass
        found = await self.sessions.get_session(**place)
        assert found is not None
        await self.service.add_session_to_memory(found)
        return found


def test_an_agent_recalls_what_another_session_said(memory: Memory) -> None:
    app = App(memory)

    async def run() -> None:
        await app.talk("I am allergic to nuts", user="ada", session="s1")
        await app.talk("What can I not eat because of my allergy?", user="ada", session="s2")
        await app.talk("What can I not eat because of my allergy?", user="bob", session="s3")

    asyncio.run(run())
    first, second, third = app.model.seen
    assert "I am allergic to nuts" in second
    assert "nuts" not in third
    assert "<PAST_CONVERSATIONS>" not in first


def test_a_session_that_is_added_again_is_stored_once(memory: Memory) -> None:
    app = App(memory)

    async def run() -> None:
        await app.talk("I am allergic to nuts", user="ada", session="s1")
        session = await app.talk("I like figs", user="ada", session="s1")
        await app.service.add_events_to_memory(
            app_name="waiter", user_id="ada", events=session.events[-1:], session_id="s1"
        )

    asyncio.run(run())
    stored = memory.get_all(user_id="ada")
    assert [(one.origin.role, one.content) for one in stored] == [
        ("user", "I am allergic to nuts"),
        ("assistant", "Noted."),
        ("user", "I like figs"),
        ("assistant", "Noted."),
    ]
    assert {(one.scope.agent_id, one.scope.session_id) for one in stored} == {("waiter", "s1")}


def test_apps_and_users_are_apart(memory: Memory) -> None:
    service = RecollectMemoryService(memory)
    entry = MemoryEntry(id="1", content=content("I am allergic to nuts"), custom_metadata={"topic": "food"})

    async def found(app: str, user: str) -> list[str]:
        response = await service.search_memory(app_name=app, user_id=user, query="allergy")
        return [str(one.id) for one in response.memories]

    async def run() -> None:
        for _ in range(2):
            await service.add_memory(app_name="a", user_id="ada", memories=[entry])
        (own,) = await found("a", "ada")
        assert await found("b", "ada") == await found("a", "bob") == []
        await service.delete_memory(app_name="b", user_id="ada", memory_id=own)
        await service.delete_memory(app_name="a", user_id="bob", memory_id=own)
        assert await found("a", "ada") == [own]
        await service.delete_memory(app_name="a", user_id="ada", memory_id=own)
        assert await found("a", "ada") == []
        with pytest.raises(InvalidInputError):
            await service.delete_memory(app_name="a", user_id="ada")

    asyncio.run(run())


def test_an_entry_says_who_said_it_and_when(memory: Memory) -> None:
    service = RecollectMemoryService(memory)
    told = MemoryEntry(
        content=content("I play the cello"), author="user", timestamp="2026-03-01T10:00:00Z",
        custom_metadata={"topic": "music"},
    )  # fmt: skip

    async def run() -> Any:
        await service.add_memory(
            app_name="a", user_id="ada", memories=[told], custom_metadata={"source": "form"}
        )
        return await service.search_memory(app_name="a", user_id="ada", query="Who plays the cello?")

    (entry,) = asyncio.run(run()).memories
    assert entry.content.parts[0].text == "I play the cello"
    assert (entry.author, entry.timestamp) == ("user", "2026-03-01T10:00:00+00:00")
    assert entry.custom_metadata["metadata"] == {"source": "form", "topic": "music"}
