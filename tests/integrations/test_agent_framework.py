"""Microsoft Agent Framework: the provider in the framework's own agent, with a fake client."""

import asyncio
from typing import Any

import pytest

pytest.importorskip("agent_framework", reason="agent-framework-core is not installed; run: make frameworks")

from agent_framework import Agent, AgentSession, BaseChatClient, ChatResponse, Message

from recollect import Memory
from recollect.integrations.agent_framework import RecollectContextProvider


class FakeClient(BaseChatClient):
    """Answers "Noted.", and keeps what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    async def _inner_get_response(self, *, messages: Any, options: Any, **_: Any) -> ChatResponse:
        self.seen.append(str(options.get("instructions")) + str([message.text for message in messages]))
        return ChatResponse(messages=[Message("assistant", ["Noted."])])


def agent_of(memory: Memory, client: FakeClient, **given: Any) -> Agent:
    provider = RecollectContextProvider(memory, user_id=lambda session: session.state["user_id"])
    return Agent(client=client, context_providers=[provider], **given)


def session_of(user: str) -> AgentSession:
    session = AgentSession()
    session.state["user_id"] = user
    return session


def test_an_agent_recalls_what_another_session_said(memory: Memory) -> None:
    client = FakeClient()
    agent = agent_of(memory, client, instructions="You are a waiter.")

    async def run() -> None:
        await agent.run("I am allergic to nuts", session=session_of("ada"))
        await agent.run("What can I not eat because of my allergy?", session=session_of("ada"))
        await agent.run("What can I not eat because of my allergy?", session=session_of("bob"))

    asyncio.run(run())
    first, second, third = client.seen
    assert "I am allergic to nuts" in second
    assert "You are a waiter." in second
    assert "<memories>" not in first
    assert "nuts" not in third


def test_a_turn_is_stored_under_its_session(memory: Memory) -> None:
    agent, session = agent_of(memory, FakeClient()), session_of("ada")

    async def run() -> None:
        await agent.run("I am allergic to nuts", session=session)
        await agent.run([Message("user", ["I like figs"], message_id="m1")], session=session)

    asyncio.run(run())
    stored = memory.get_all(user_id="ada")
    assert [(one.origin.role, one.content) for one in stored] == [
        ("user", "I am allergic to nuts"),
        ("assistant", "Noted."),
        ("user", "I like figs"),
        ("assistant", "Noted."),
    ]
    assert {one.scope.session_id for one in stored} == {session.session_id}


def test_what_the_session_says_is_not_recalled_into_it(memory: Memory) -> None:
    client = FakeClient()
    agent = agent_of(memory, client)
    session = session_of("ada")

    async def run() -> None:
        await agent.run("I am allergic to nuts", session=session)
        await agent.run("What am I allergic to?", session=session)

    asyncio.run(run())
    assert "<memories>" not in client.seen[1]
    assert "I am allergic to nuts" in client.seen[1], "the framework's own history has it"
