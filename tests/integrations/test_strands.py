"""Strands Agents: the store below the framework's own manager, in agents with a fake model."""

import asyncio
from typing import Any

import pytest

pytest.importorskip("strands", reason="strands-agents is not installed; run: make frameworks")

from strands import Agent
from strands.memory import MemoryManager
from strands.memory.types import AddMessagesContext
from strands.models.model import Model

from recollect import Memory
from recollect.integrations.strands import RecollectMemoryStore


class FakeModel(Model):
    """Answers with given texts, and keeps what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers = iter(answers)
        self.seen: list[str] = []

    def update_config(self, **_: Any) -> None: ...

    def get_config(self) -> dict[str, Any]:
        return {"model_id": "fake"}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *_: Any, **__: Any) -> Any:
        self.seen.append(str(messages))
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": {}}}
        yield {"contentBlockDelta": {"delta": {"text": next(self.answers)}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


def said(role: str, text: str) -> Any:
    return {"role": role, "content": [{"text": text}]}


def talk(memory: Memory, model: FakeModel, *texts: str, user: str = "ada") -> None:
    async def run() -> None:
        store = RecollectMemoryStore(memory, user_id=user, session_id="s1")
        manager = MemoryManager(stores=[store])
        agent = Agent(model=model, plugins=[manager], callback_handler=None)
        for text in texts:
            await agent.invoke_async(text)
        await manager.flush()

    asyncio.run(run())


def test_an_agent_recalls_what_it_heard_in_another_run(memory: Memory) -> None:
    talk(memory, FakeModel("Noted."), "I am allergic to nuts")
    later, stranger = FakeModel("No satay."), FakeModel("Anything.")
    talk(memory, later, "What can I not eat because of my allergy?")
    talk(memory, stranger, "What can I not eat because of my allergy?", user="bob")
    assert "I am allergic to nuts" in later.seen[0]
    assert "nuts" not in stranger.seen[0]


def test_each_turn_is_stored_when_it_was_answered(memory: Memory) -> None:
    talk(memory, FakeModel("Noted.", "Noted."), "I am allergic to nuts", "My password is hunter2!")
    stored = memory.get_all(user_id="ada")
    assert [(one.origin.role, one.content) for one in stored] == [
        ("user", "I am allergic to nuts"),
        ("assistant", "Noted."),
        ("user", "My password is [password removed]"),
        ("assistant", "Noted."),
    ]
    assert {one.scope.session_id for one in stored} == {"s1"}


def test_a_batch_that_is_sent_again_is_stored_once(memory: Memory) -> None:
    store = RecollectMemoryStore(memory, user_id="ada")
    first, second = (
        [said("user", "ok"), said("assistant", "ok")],
        [said("user", "ok"), said("assistant", "yes")],
    )

    async def run() -> None:
        for _ in range(2):
            await store.add_messages(first, AddMessagesContext(sequence_numbers=[0, 1]))
        await store.add_messages(first, AddMessagesContext(sequence_numbers=[2, 3]))
        await store.add_messages(second, AddMessagesContext(sequence_numbers=[0, 1]))  # another run
        await store.add_messages(second)

    asyncio.run(run())
    assert [one.content for one in memory.get_all(user_id="ada")] == ["ok"] * 4 + ["ok", "yes"] * 2


def test_entries_say_where_they_come_from(memory: Memory) -> None:
    store = RecollectMemoryStore(memory, user_id="ada")
    added = asyncio.run(store.add("The user plays the cello", {"topic": "music"}))
    (entry,) = asyncio.run(store.search("Who plays the cello?", {"max_search_results": 3}))
    assert entry.content == "The user plays the cello"
    assert entry.metadata is not None
    assert (entry.metadata["id"], entry.metadata["metadata"]) == (added, {"topic": "music"})
    assert asyncio.run(store.search("  ")) == []
