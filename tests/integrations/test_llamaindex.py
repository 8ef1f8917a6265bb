"""LlamaIndex: the block in the framework's own memory, and the retriever."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed; run: make frameworks")

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory as LlamaMemory

from recollect import Memory
from recollect.integrations.llamaindex import RecollectMemoryBlock, RecollectNodeRetriever


@asynccontextmanager
async def memory_of(memory: Memory, *, user: str, session: str, **given: Any) -> AsyncIterator[LlamaMemory]:
    block = RecollectMemoryBlock(memory=memory, user_id=user, session_id=session)
    llama = LlamaMemory.from_defaults(session_id=session, memory_blocks=[block], **given)
    yield llama
    engine = llama.sql_store._async_engine  # it has no way to close its database
    if engine is not None:
        await engine.dispose()


def user(text: str) -> ChatMessage:
    return ChatMessage(role="user", content=text)


def test_a_session_recalls_what_another_one_said(memory: Memory) -> None:
    async def run() -> tuple[str, str]:
        async with memory_of(memory, user="ada", session="s1") as first:
            await first.aput(user("I am allergic to nuts"))
            assert [one.role.value for one in await first.aget()] == ["user"]
        answers = []
        for name in ("ada", "bob"):
            async with memory_of(memory, user=name, session=f"s2 {name}") as later:
                await later.aput(user("What am I allergic to?"))
                answers.append(str(await later.aget()))
        return answers[0], answers[1]

    known, stranger = asyncio.run(run())
    assert "I am allergic to nuts" in known
    assert "nuts" not in stranger


def test_what_is_said_is_stored_once_however_often_it_is_read_and_flushed(memory: Memory) -> None:
    async def run() -> None:
        limits = {"token_limit": 60, "token_flush_size": 20}
        async with memory_of(memory, user="ada", session="s1", **limits) as llama:
            for number in range(6):
                await llama.aput(user(f"Line {number} of a longer conversation about nothing in particular"))
                await llama.aput(ChatMessage(role="assistant", content=f"Answer {number}"))
                await llama.aget()

    asyncio.run(run())
    stored = memory.get_all(user_id="ada")
    assert len({one.content for one in stored}) == len(stored) == 12
    assert {one.scope.session_id for one in stored} == {"s1"}
    assert {one.origin.role for one in stored} == {"user", "assistant"}


def test_a_retriever_gives_nodes(memory: Memory) -> None:
    memory.add({"content": "I play the cello", "name": "Ada", "metadata": {"topic": "music"}}, user_id="ada")
    memory.add("I play the cello, too", user_id="bob")
    (found,) = RecollectNodeRetriever(memory, user_id="ada").retrieve("Who plays the cello?")
    assert found.text == "I play the cello"
    assert found.metadata == {"speaker": "Ada", "topic": "music"}
    assert found.score is not None
    assert 0 < found.score <= 1
    narrowed = RecollectNodeRetriever(memory, user_id="ada", filters={"topic": "dogs"})
    assert asyncio.run(narrowed.aretrieve("cello")) == []
