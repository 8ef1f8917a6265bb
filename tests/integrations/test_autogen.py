"""AutoGen: the memory below the framework's own model context."""

import asyncio
from typing import Any

import pytest

pytest.importorskip("autogen_core", reason="autogen-core is not installed; run: make frameworks")

from autogen_core import Image
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_core.model_context import UnboundedChatCompletionContext
from autogen_core.models import SystemMessage, UserMessage

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.autogen import RecollectAutoGenMemory


def text(words: str, **metadata: Any) -> MemoryContent:
    return MemoryContent(content=words, mime_type=MemoryMimeType.TEXT, metadata=metadata or None)


def test_what_is_known_goes_into_the_models_context(memory: Memory) -> None:
    async def run() -> Any:
        adapter = RecollectAutoGenMemory(memory, user_id="ada")
        await adapter.add(text("The user is allergic to nuts", topic="food"))
        context = UnboundedChatCompletionContext()
        await context.add_message(UserMessage(content="What is Ada allergic to?", source="user"))
        updated = await adapter.update_context(context)
        return updated.memories.results, await context.get_messages()

    (found,), (_, added) = asyncio.run(run())
    assert isinstance(added, SystemMessage)
    assert "allergic to nuts" in added.content
    assert found.content == "The user is allergic to nuts"
    assert found.metadata["metadata"]["topic"] == "food"


def test_nothing_is_added_where_nothing_is_known_or_asked(memory: Memory) -> None:
    async def run() -> None:
        adapter = RecollectAutoGenMemory(memory, user_id="ada")
        for said in ([], [UserMessage(content="What is Ada allergic to?", source="user")]):
            context = UnboundedChatCompletionContext()
            for one in said:
                await context.add_message(one)
            assert (await adapter.update_context(context)).memories.results == []
            assert await context.get_messages() == said
        assert (await adapter.query(text(" "))).results == []
        await adapter.close()

    asyncio.run(run())


def test_clear_deletes_what_was_added_here_and_nothing_of_others(memory: Memory) -> None:
    memory.add("I like figs", user_id="ada")

    async def run() -> None:
        ada, bob = (RecollectAutoGenMemory(memory, user_id=user) for user in ("ada", "bob"))
        await ada.add(text("The user is allergic to nuts"))
        await ada.add(MemoryContent(content={"city": "Lisbon"}, mime_type=MemoryMimeType.JSON))
        await bob.add(text("The user is Bob"))
        assert "Bob" not in str(await ada.query("Who is the user?"))
        await ada.clear()
        assert len((await bob.query("Who is the user?")).results) == 1

    asyncio.run(run())
    assert [one.content for one in memory.get_all(user_id="ada")] == ["I like figs"]


def test_a_query_refuses_what_it_would_ignore(memory: Memory) -> None:
    adapter = RecollectAutoGenMemory(memory, user_id="ada")
    with pytest.raises(TypeError, match=r"query\(\) has no argument 'k'"):
        asyncio.run(adapter.query("nuts", k=1))


def test_an_image_is_refused(memory: Memory) -> None:
    pixel = Image.from_uri(
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    adapter = RecollectAutoGenMemory(memory, user_id="ada")
    with pytest.raises(InvalidInputError, match="text or JSON"):
        asyncio.run(adapter.add(MemoryContent(content=pixel, mime_type=MemoryMimeType.IMAGE)))
