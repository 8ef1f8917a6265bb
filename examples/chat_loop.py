"""A chat that remembers across conversations. A scripted model stands in for yours."""

from recollect import Memory
from recollect.memory.agent import MemoryAgent
from recollect.models import ScriptedModel

# With a real one: from recollect.models import OpenAIModel; model = OpenAIModel("gpt-4o-mini")
MODEL = ScriptedModel(["Noted. Get well soon, Pixel!", "On Friday, at Doctor Amaral's."])

with Memory(":memory:") as memory:
    monday = MemoryAgent(memory, user_id="ada", model=MODEL)
    print(monday.chat("Pixel has to see Doctor Amaral, the vet, on Friday.").content)

    tuesday = MemoryAgent(memory, user_id="ada", model=MODEL)  # a new conversation
    answer = tuesday.chat("When does Pixel see the vet?")
    print(answer.content)
    for hit in answer.activated:
        print(f"recalled: {hit.content}")
