"""The session store of the Claude Agent SDK: its conformance run, and what it adds."""

import asyncio
from typing import Any

import pytest

pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed; run: make frameworks")

from claude_agent_sdk import get_session_messages_from_store, list_sessions_from_store
from claude_agent_sdk.testing import run_session_store_conformance

from recollect import Memory
from recollect.integrations.claude_agent_sdk import RecollectSessionStore
from recollect.integrations.transcript import PIECE_CHARACTERS

SESSION = "5b6c2f0a-0000-4000-8000-000000000001"
KEY: Any = {"project_key": "proj", "session_id": SESSION}


def line(uuid: str, role: str, text: str, **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": text}
    at = f"2026-11-01T10:00:0{uuid}Z"
    return {"type": role, "uuid": uuid, "sessionId": SESSION, "timestamp": at, "message": message, **more}


@pytest.fixture
def store(memory: Memory) -> RecollectSessionStore:
    return RecollectSessionStore(memory, user_id="ada")


def test_the_store_passes_the_sdks_conformance_run() -> None:
    def make() -> RecollectSessionStore:
        return RecollectSessionStore(Memory(":memory:", embedder="static"), user_id="ada")

    asyncio.run(run_session_store_conformance(make))


def test_users_never_see_each_others_sessions(memory: Memory) -> None:
    async def use() -> None:
        ada, bob = (RecollectSessionStore(memory, user_id=user) for user in ("ada", "bob"))
        await ada.append(KEY, [line("1", "user", "hello")])
        assert await bob.load(KEY) is None
        assert await bob.list_sessions("proj") == await bob.list_session_summaries("proj") == []
        await bob.delete(KEY)
        assert await ada.load(KEY) == [line("1", "user", "hello")]

    asyncio.run(use())


def test_an_entry_comes_back_equal_whatever_is_in_it(store: RecollectSessionStore) -> None:
    entries: list[Any] = [
        {"type": "x", "text": "\0 \ud800 \x1b é My password is hunter2!", "deep": [{"a": None}] * 3},
        {"type": "x", "large": '"\\' * PIECE_CHARACTERS},
        {"type": "x"},
        {"type": "x"},
    ]

    async def use() -> None:
        await store.append(KEY, entries)
        await store.append(KEY, [{"type": "x", "n": 1}])
        assert await store.load(KEY) == [*entries, {"type": "x", "n": 1}]

    asyncio.run(use())


def test_a_batch_that_is_sent_again_counts_once(store: RecollectSessionStore, memory: Memory) -> None:
    async def use() -> None:
        for _ in range(2):
            await store.append(KEY, [line("1", "user", "I am allergic to nuts")])
        assert await store.load(KEY) == [line("1", "user", "I am allergic to nuts")]

    asyncio.run(use())
    assert len(memory.get_all(user_id="ada", kinds=["message"])) == 1


def test_keys_with_slashes_and_percents_are_apart(store: RecollectSessionStore) -> None:
    names = [("a/b", "c"), ("a", "b/c"), ("a%2Fb", "c"), ("a", "b")]

    async def use() -> None:
        for number, (project, session) in enumerate(names):
            await store.append({"project_key": project, "session_id": session}, [{"type": "x", "n": number}])
        for number, (project, session) in enumerate(names):
            key: Any = {"project_key": project, "session_id": session}
            assert await store.load(key) == [{"type": "x", "n": number}]
        assert sorted(one["session_id"] for one in await store.list_sessions("a")) == ["b", "b/c"]
        await store.append({"project_key": "a", "session_id": "b", "subpath": "c/d"}, [{"type": "x"}])
        assert await store.list_subkeys({"project_key": "a", "session_id": "b"}) == ["c/d"]
        await store.delete({"project_key": "a", "session_id": "b"})
        assert [one["session_id"] for one in await store.list_sessions("a")] == ["b/c"]

    asyncio.run(use())


def test_what_was_said_is_remembered_once_and_screened(store: RecollectSessionStore, memory: Memory) -> None:
    entries: list[Any] = [
        line("1", "user", "I am allergic to nuts. My password is hunter2!"),
        line("2", "assistant", "Noted."),
        {
            "type": "user",
            "uuid": "3",
            "sessionId": SESSION,
            "message": {"content": [{"type": "tool_result"}]},
        },
        line("4", "assistant", "of a subagent", isSidechain=True),
        {"type": "summary", "summary": "About nuts"},
    ]
    sub: Any = {**KEY, "subpath": "subagents/agent-1"}

    async def use() -> None:
        await store.append(KEY, entries)
        await store.append(sub, [line("5", "assistant", "of another subagent")])

    asyncio.run(use())
    said = memory.get_all(user_id="ada", kinds=["message"])
    assert [(one.origin.role, one.content) for one in said] == [
        ("user", "I am allergic to nuts. My password is [password removed]"),
        ("assistant", "Noted."),
    ]
    assert {one.scope.session_id for one in said} == {SESSION}
    assert said[0].times.happened_at.isoformat() == "2026-11-01T10:00:01+00:00"
    assert "allergic" in memory.context("What is Ada allergic to?", user_id="ada").text
    assert all("hunter2" not in hit.content for hit in memory.search("password", user_id="ada"))


def test_the_sdk_reads_sessions_from_the_store(store: RecollectSessionStore) -> None:
    async def use() -> None:
        first = line("1", "user", "Plan the garden", parentUuid=None)
        second = line("2", "assistant", "Roses, then.", parentUuid="1")
        store_key: Any = {"project_key": project_key(), "session_id": SESSION}
        await store.append(store_key, [first, second])
        (listed,) = await list_sessions_from_store(store)
        assert listed.session_id == SESSION
        assert listed.first_prompt == "Plan the garden"
        messages = await get_session_messages_from_store(store, SESSION)
        assert [message.type for message in messages] == ["user", "assistant"]

    asyncio.run(use())


def project_key() -> str:
    from claude_agent_sdk import project_key_for_directory

    return project_key_for_directory(None)
