"""Narrow a search by metadata, speaker and time; ask what held at an earlier day."""

from recollect import Memory, Within

with Memory(":memory:") as memory:
    memory.add(
        [
            {
                "role": "user",
                "name": "Ada",
                "content": "The vet is Doctor Amaral.",
                "metadata": {"topic": "dog"},
            },
            {"role": "user", "name": "Bea", "content": "My vet is Doctor Silva."},
        ],
        user_id="ada",
        timestamp="2026-03-14",
    )
    print(memory.search("vet", user_id="ada", filters={"topic": "dog"})[0].content)
    print(memory.search("vet", user_id="ada", filters={"speaker": "Bea"})[0].content)

    memory.add("The parking permit is valid", user_id="ada", timestamp="2026-01-01", valid_until="2026-06-30")
    for day in ("2026-03-01", "2026-08-01"):
        hits = memory.search("parking permit", user_id="ada", within=Within(as_of=day), threshold=0.3)
        print(day, [hit.content for hit in hits])
