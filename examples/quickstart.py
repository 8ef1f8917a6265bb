"""Remember three things, ask a question, put the answer into a prompt."""

from recollect import Memory

with Memory(":memory:") as memory:
    memory.add("I prefer Python for data analysis", user_id="ada")
    memory.add("My sister Ines gets married on 3 October", user_id="ada")
    memory.add("The office plants need water on Mondays", user_id="ada")

    for hit in memory.search("which language for my project?", user_id="ada", top_k=2):
        print(f"{hit.score:.2f} {hit.content}")

    context = memory.context("When is the wedding?", user_id="ada", budget_tokens=200)
    print(context.text)
