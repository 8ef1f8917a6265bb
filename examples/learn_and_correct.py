"""Learn facts from a conversation, end one by a later message, correct another."""

from recollect import Memory, Within


def facts(memory: Memory) -> list[str]:
    """What is known of Ada now."""
    known = memory.profile(user_id="ada").facts.values()
    return sorted(fact.memory.content for category in known for fact in category)


with Memory(":memory:") as memory:
    (first,) = memory.add("I live in Berlin and work at Siemens.", user_id="ada", timestamp="2026-01-12")
    memory.jobs.drain()  # in a server, a worker does this in the background
    print(facts(memory))

    memory.add("I moved to Lisbon.", user_id="ada", timestamp="2026-06-05")
    memory.jobs.drain()
    for day in ("2026-02-01", "2026-07-01"):
        (home,) = memory.search(
            "Where is home?", user_id="ada", kinds=["fact"], within=Within(as_of=day), top_k=1
        )
        print(day, home.content)

    memory.update(first.id, user_id="ada", content="I live in Berlin and work at Arup.", reason="wrong")
    memory.jobs.drain()
    print(facts(memory))
