"""Pydantic AI: the capability and the toolset in the framework's own agent, with its function model."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="pydantic-ai-slim is not installed; run: make frameworks")

from pydantic_ai import Agent, ImageUrl
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from recollect import Memory
from recollect.integrations.pydantic_ai import RecollectCapability, recollect_toolset


@dataclass
class Deps:
    """What the runs depend on."""

    user_id: str


class Heard:
    """A model that answers "Noted.", and keeps what it was told."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, messages: Any, info: Any) -> ModelResponse:
        self.seen.append(f"{info.instructions}{messages}")
        return ModelResponse(parts=[TextPart("Noted.")])


def agent_of(memory: Memory, heard: Heard) -> "Agent[Deps, str]":
    capability = RecollectCapability(memory, user_id=lambda ctx: ctx.deps.user_id)
    return Agent(
        FunctionModel(heard), deps_type=Deps, capabilities=[capability], instructions="You are a waiter."
    )


def test_an_agent_recalls_what_another_conversation_said(memory: Memory) -> None:
    heard = Heard()
    agent = agent_of(memory, heard)
    asyncio.run(agent.run("I am allergic to nuts", deps=Deps("ada")))
    asyncio.run(agent.run("What can I not eat because of my allergy?", deps=Deps("ada")))
    asyncio.run(agent.run("What can I not eat because of my allergy?", deps=Deps("bob")))
    first, second, third = heard.seen
    assert "I am allergic to nuts" in second
    assert second.startswith("You are a waiter.")
    assert "<memories>" not in first
    assert "nuts" not in third


def test_a_run_is_stored_under_its_conversation_and_not_recalled_into_it(memory: Memory) -> None:
    heard = Heard()
    agent = agent_of(memory, heard)
    first = asyncio.run(
        agent.run(
            ["I am allergic to nuts", ImageUrl("https://example.com/x.png")],
            deps=Deps("ada"),
            conversation_id="c1",
        )
    )
    asyncio.run(agent.run("I am allergic to what?", deps=Deps("ada"), message_history=first.all_messages()))
    stored = memory.get_all(user_id="ada")
    assert [(one.origin.role, one.content) for one in stored] == [
        ("user", "I am allergic to nuts"),
        ("assistant", "Noted."),
        ("user", "I am allergic to what?"),
        ("assistant", "Noted."),
    ]
    assert {one.scope.session_id for one in stored} == {"c1"}
    assert "<memories>" not in heard.seen[1]


def test_a_model_looks_things_up_and_notes_them(memory: Memory) -> None:
    calls = [
        ToolCallPart("add_memory", {"statement": "The user is allergic to nuts."}),
        ToolCallPart("search_memory", {"query": "What is the user allergic to?"}),
    ]

    def model(messages: Any, info: Any) -> ModelResponse:
        assert [tool.name for tool in info.function_tools] == ["search_memory", "add_memory"]
        assert all(tool.description for tool in info.function_tools)
        return ModelResponse(
            parts=[calls.pop(0)] if calls else [TextPart(str(messages[-1].parts[0].content))]
        )

    agent = Agent(FunctionModel(model), toolsets=[recollect_toolset(memory, user_id="ada")])
    answer = asyncio.run(agent.run("What am I allergic to?")).output
    assert "The user is allergic to nuts." in answer
    assert memory.profile(user_id="ada").facts
    assert memory.get_all(user_id="bob") == []
