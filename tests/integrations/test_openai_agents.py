"""OpenAI Agents SDK: the session and the tools in the SDK's own runner, with its scripted model."""

import asyncio
from typing import Any

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed; run: make frameworks")

from agents import Agent, Runner, SessionSettings
from agents.memory.session import Session
from agents.testing import ScriptedModel, assistant_message, function_call

from recollect import Memory
from recollect.integrations.openai_agents import RecollectSession, recollect_tools

ITEMS: list[Any] = [
    {"role": "user", "content": "I am allergic to nuts. My password is hunter2!"},
    {"type": "reasoning", "id": "r1", "summary": [], "encrypted_content": "\0\ud800x"},
    {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "y" * 900_000},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Noted."}]},
]


def test_items_come_back_equal_and_in_order(memory: Memory) -> None:
    async def run() -> None:
        session = RecollectSession("s1", memory, user_id="ada")
        assert isinstance(session, Session)
        assert await session.get_items() == []
        await session.add_items(ITEMS[:2])
        await session.add_items([])
        await session.add_items(ITEMS[2:])
        assert await session.get_items() == ITEMS
        assert await session.get_items(limit=2) == ITEMS[-2:]
        assert await session.get_items(limit=0) == []
        assert await session.get_items(limit=99) == ITEMS
        few = RecollectSession("s1", memory, user_id="ada", session_settings=SessionSettings(limit=1))
        assert await few.get_items() == ITEMS[-1:]

    asyncio.run(run())


def test_what_was_said_is_remembered_and_taken_back(memory: Memory) -> None:
    async def run() -> None:
        session = RecollectSession("s1", memory, user_id="ada")
        await session.add_items(ITEMS)
        said = memory.get_all(user_id="ada", session_id="s1")
        assert [(one.origin.role, one.content) for one in said] == [
            ("user", "I am allergic to nuts. My password is [password removed]"),
            ("assistant", "Noted."),
        ]
        assert await session.pop_item() == ITEMS[-1]
        assert await session.get_items() == ITEMS[:-1]
        assert len(memory.get_all(user_id="ada", session_id="s1")) == 1
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None
        assert len(memory.get_all(user_id="ada", session_id="s1")) == 1

    asyncio.run(run())


def test_sessions_and_users_are_apart(memory: Memory) -> None:
    async def run() -> None:
        places = [(user, session) for user in ("ada", "bob") for session in ("s", "s/t", "s%2Ft")]
        for number, (user, name) in enumerate(places):
            item: Any = {"role": "user", "content": str(number)}
            await RecollectSession(name, memory, user_id=user).add_items([item])
        for number, (user, name) in enumerate(places):
            (item,) = await RecollectSession(name, memory, user_id=user).get_items()
            assert item == {"role": "user", "content": str(number)}
        await RecollectSession("s", memory, user_id="ada").clear_session()
        assert len(await RecollectSession("s/t", memory, user_id="ada").get_items()) == 1

    asyncio.run(run())


def test_a_runner_goes_on_with_a_session_and_its_words_are_found(memory: Memory) -> None:
    model = ScriptedModel([[assistant_message("Noted.")], [assistant_message("To nuts.")]])
    agent = Agent(name="waiter", model=model)

    async def run() -> None:
        for said in ("I am allergic to nuts", "What am I allergic to?"):
            await Runner.run(agent, said, session=RecollectSession("s1", memory, user_id="ada"))

    asyncio.run(run())
    assert model.last_call is not None
    assert "I am allergic to nuts" in str(model.last_call.input)
    assert "allergic to nuts" in memory.context("Which allergy?", user_id="ada").text
    assert len(memory.get_all(user_id="ada", kinds=["message"])) == 4


def test_a_model_looks_things_up_and_notes_them(memory: Memory) -> None:
    noted = function_call("add_memory", {"statement": "The user is allergic to nuts."}, call_id="c1")
    asked = function_call("search_memory", {"query": "What is the user allergic to?"}, call_id="c2")
    model = ScriptedModel([[noted], [asked], [assistant_message("To nuts.")]])
    agent = Agent(name="waiter", model=model, tools=recollect_tools(memory, user_id="ada"))
    asyncio.run(Runner.run(agent, "What am I allergic to?"))
    assert model.last_call is not None
    assert "The user is allergic to nuts." in str(model.last_call.input[-1])
    assert memory.get_all(user_id="bob") == []
