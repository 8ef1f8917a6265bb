import asyncio
import inspect
from functools import cached_property

import pytest
from tests.tables import table

from recollect import AsyncMemory, ClosedError, Memory, NotFoundError


def public(kind):
    return {name: member for name, member in inspect.getmembers(kind) if not name.startswith("_")}


def rooms(kind):
    return [name for name, one in public(kind).items() if isinstance(one, cached_property)]


def methods(kind):
    return {name: one for name, one in public(kind).items() if name not in rooms(kind) and name != "over"}


def test_both_memories_have_the_same_methods_and_signatures():
    assert public(Memory).keys() == public(AsyncMemory).keys()
    for name, method in methods(Memory).items():
        assert inspect.signature(method) == inspect.signature(methods(AsyncMemory)[name]), name
        assert inspect.iscoroutinefunction(methods(AsyncMemory)[name]), name
    assert inspect.signature(Memory) == inspect.signature(AsyncMemory)


@table("name", rooms(Memory))
def test_the_rooms_of_both_memories_have_the_same_methods_and_signatures(name):
    with Memory(":memory:", embedder="hashing") as memory:
        room = public(type(getattr(memory, name)))
        awaited = public(type(getattr(AsyncMemory.over(memory), name)))
    assert room.keys() == awaited.keys()
    for method in room:
        assert inspect.signature(room[method]) == inspect.signature(awaited[method]), method
        assert inspect.iscoroutinefunction(awaited[method]), method


def test_many_calls_at_once_all_come_through(tmp_path):
    async def chat():
        async with AsyncMemory(tmp_path / "brain.db") as memory:
            await asyncio.gather(*(memory.add(f"note {i}", user_id="ada") for i in range(40)))
            found = await asyncio.gather(*(memory.search("note", user_id="ada", top_k=50) for _ in range(10)))
            return [len(hits) for hits in found]

    assert asyncio.run(chat()) == [40] * 10


def test_errors_arrive_where_the_call_is_awaited(tmp_path):
    async def ask():
        memory = AsyncMemory(tmp_path / "brain.db")
        with pytest.raises(NotFoundError):
            await memory.get("unknown", user_id="ada")
        await memory.close()
        with pytest.raises(ClosedError):
            await memory.search("tea", user_id="ada")

    asyncio.run(ask())


def test_every_call_reaches_its_method(tmp_path):
    async def use():
        async with AsyncMemory(tmp_path / "brain.db") as memory:
            (result,) = await memory.add("tea at four", user_id="ada", session_id="s")
            await memory.update(result.id, user_id="ada", content="tea at five")
            await memory.use(result.id, user_id="ada", useful=True)
            assert (await memory.context("tea", user_id="ada")).included
            assert (await memory.explain(result.id, user_id="ada", query="tea")).rank == 1
            assert len(await memory.history(result.id, user_id="ada")) == 3
            assert (await memory.use(result.id, user_id="ada"))[0].use.usage_count == 1
            assert (await memory.use(result.id, user_id="ada", how="reinforced"))[0].use.reinforced_count == 1
            assert (await memory.lifecycle.intents(user_id="ada")).patterns() == []
            await memory.graph.link(result.id, result.id, user_id="ada", type="related")
            assert len(await memory.graph.links(result.id, user_id="ada")) == 1
            assert (await memory.stats()).memories == 1
            assert await memory.export(tmp_path / "out.jsonl") == 1
            assert (await memory.load(tmp_path / "out.jsonl")).duplicates == 1
            assert await memory.lifecycle.relabel() == 1
            assert (await memory.maintenance.doctor(rebuild=True)).problems == ()
            await memory.maintenance.backup(tmp_path / "copy.db")
            assert len(await memory.get_all(user_id="ada")) == 1
            await memory.delete(result.id, user_id="ada")
            assert await memory.delete_all(user_id="ada") == 0
            assert await memory.purge(user_id="ada") == 1

    asyncio.run(use())


def test_a_worker_learns_beside_the_loop(tmp_path):
    async def use():
        async with AsyncMemory(tmp_path / "brain.db") as memory:
            async with await memory.jobs.worker() as worker:
                await memory.add(
                    ["I prefer tea.", "Hm.", "I live in Rome.", "Hm."], user_id="ada", session_id="s"
                )
                async with asyncio.timeout(60):
                    while len(await memory.get_all(user_id="ada", kinds=["fact"])) < 2:  # noqa: ASYNC110 - a thread learns
                        await asyncio.sleep(0.01)
            assert not worker.is_alive

    asyncio.run(use())
