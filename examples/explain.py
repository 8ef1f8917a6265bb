"""Why a memory was found: what was measured, and what each measure added."""

from recollect import Memory

with Memory(":memory:") as memory:
    chat = [
        {"role": "user", "name": "Ada", "content": "Which day shall we meet at the museum?"},
        {"role": "user", "name": "Bea", "content": "On the third, at noon."},
        {"role": "user", "name": "Ada", "content": "By the way, the plants need water."},
    ]
    memory.add(chat, user_id="ada", session_id="june")
    hits = memory.search("When do they meet at the museum?", user_id="ada")
    for hit in hits:
        parts = ", ".join(f"{name} {value:+.2f}" for name, value in hit.terms.items() if round(value, 2))
        print(f"{hit.score:.2f} {hit.content}\n     {parts}")

    print(memory.explain(hits[0].id, user_id="ada", query="When do they meet at the museum?"))
