"""The same memory in asyncio: every method is awaited."""

import asyncio

from recollect import AsyncMemory


async def main() -> None:
    """Store for two users at once, and ask for one."""
    async with AsyncMemory(":memory:") as memory:
        await asyncio.gather(
            memory.add("The ferry leaves at nine", user_id="ada"),
            memory.add("The train leaves at ten", user_id="bob"),
        )
        for hit in await memory.search("When do we leave?", user_id="ada"):
            print(hit.content)


asyncio.run(main())
