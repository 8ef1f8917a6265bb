"""Two functions that frameworks turn into tools of a model: look something up, note something."""

from recollect import Memory
from recollect.integrations.conversation import Conversation
from recollect.types import Recollection
from recollect.types.guesses import corrects_arguments

RESULTS = 5
"""Memories that one call of the tool returns. Chosen by hand."""


@corrects_arguments()
class MemoryTools:
    """The tools over the memory of one user; their docstrings are what the model reads.

    Args:
        memory: The memory.
        user_id: The user.
        agent_id: The agent, if you have several.
    """

    def __init__(self, memory: Memory, *, user_id: str, agent_id: str | None = None) -> None:
        self._conversation = Conversation(memory=memory, user_id=user_id, agent_id=agent_id)

    def search_memory(self, query: str) -> list[str]:
        """Look up what the user said in earlier conversations, and what is known about them.

        Args:
            query: A question in plain words.
        """
        hits = self._conversation.search(query, top_k=RESULTS)
        return [_line(hit) for hit in hits]

    def add_memory(self, statement: str) -> str:
        """Note something about the user that later conversations should know.

        Args:
            statement: One fact in a sentence, such as "The user is allergic to nuts."
        """
        one = self._conversation
        found = one.memory.remember(statement, user_id=one.user_id, agent_id=one.agent_id)
        return "; ".join(decision.reason for decision in found) or "it is stored"


def _line(hit: Recollection) -> str:
    """When, who, what, and whether it still holds."""
    origin = hit.memory.origin
    notes = "".join(f" ({note})" for note in hit.notes())
    return f"{hit.memory.times.happened_at:%Y-%m-%d} {origin.speaker or origin.role}: {hit.content}{notes}"
